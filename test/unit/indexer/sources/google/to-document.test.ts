import { expect, test } from "vitest";
import { cleanDraft } from "../../../../../indexer/clean/clean-records.ts";
import { isRejection, toValidDocument } from "../../../../../indexer/clean/place-draft.ts";
import { readGosomLines } from "../../../../../indexer/sources/google/gosom.ts";
import { readSerpapiAnswers } from "../../../../../indexer/sources/google/serpapi.ts";
import type { ReadSource } from "../../../../../indexer/sources/source.ts";
import { noteTaker, readAll } from "../../text-input.ts";
import { GOSOM_RECORD, LOCAL_RESULT, PLACE_RESULTS } from "./google-records.ts";

async function documentOf(read: ReadSource, record: object) {
  const [item] = await readAll(read, JSON.stringify(record));
  const cleaned = item && "draft" in item ? cleanDraft(item.draft, noteTaker().context) : item;
  return cleaned && !("position" in cleaned) && !isRejection(cleaned) ? toValidDocument(cleaned) : cleaned;
}

test.each<[string, ReadSource, object, object]>([
  [
    "of gosom",
    readGosomLines,
    GOSOM_RECORD,
    {
      contacts: { phone: "+84 28 5550 1204" },
      location: {
        timezone: "Asia/Ho_Chi_Minh",
        address: {
          full: "12 Bến Thuyền, Bến Nghé, Quận 1, Hồ Chí Minh 700000, Việt Nam",
          ward: "Bến Nghé",
          country: "Việt Nam",
        },
      },
    },
  ],
  [
    "of a search of SerpApi",
    readSerpapiAnswers,
    { local_results: [LOCAL_RESULT] },
    {
      location: {
        country_code: "VN",
        address: { full: LOCAL_RESULT.address, street: "3 Góc Phố", city: "Hồ Chí Minh" },
      },
    },
  ],
  [
    "of SerpApi",
    readSerpapiAnswers,
    { place_results: PLACE_RESULTS },
    { location: { address: { street: "1 Đầu Ngõ", city: "Hà Nội" } } },
  ],
])("a place %s becomes a place document", async (_, read, record, expected) => {
  const document = await documentOf(read, record);
  expect(document).toMatchObject({ data_id: expect.stringMatching(/^0x/) as string, source: "google" });
  expect(document).toMatchObject(expected);
});
