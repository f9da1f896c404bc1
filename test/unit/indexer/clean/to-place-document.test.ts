import { describe, expect, test } from "vitest";
import { toValidDocument, type PlaceDraft } from "../../../../indexer/clean/place-draft.ts";
import { buildDraft } from "../build-draft.ts";

const DRAFT = buildDraft({ data_id: "0x1:0x2", location: { timezone: "Asia/Ho_Chi_Minh" } });

describe("toValidDocument", () => {
  test.each<[string, PlaceDraft, string]>([
    ["an id that is not canonical", { ...DRAFT, data_id: "0X1:0x02" }, "data_id"],
    ["no time zone", { ...DRAFT, location: { ...DRAFT.location, timezone: "" } }, "location.timezone"],
    [
      "hours that end before they begin",
      { ...DRAFT, opening_hours: { week: [[[600, 500]], [], [], [], [], [], []], special_days: [] } },
      "opening_hours.week[][]",
    ],
    [
      "holidays that nobody dated",
      { ...DRAFT, opening_hours: { week: [[], [], [], [], [], [], []], special_days: [], holidays: [] } },
      "opening_hours.holidays",
    ],
  ])("refuses a draft with %s, naming the field", (_, draft, field) => {
    expect(toValidDocument(draft)).toMatchObject({ field });
  });

  test("a complete draft is a valid document", () => {
    expect(toValidDocument(DRAFT)).toEqual(DRAFT);
  });
});
