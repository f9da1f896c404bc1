import { describe, expect, test } from "vitest";
import { readGosomLines, readGosomList } from "../../../../../indexer/sources/google/gosom.ts";
import { CommandError } from "../../../../../src/cli/errors.ts";
import type { PlaceDraft } from "../../../../../indexer/clean/place-draft.ts";
import { noteTaker, readAll, textInput } from "../../text-input.ts";
import { GOSOM_RECORD } from "./google-records.ts";

async function draftOf(changes: object = {}): Promise<{ draft: PlaceDraft; notes: string[] }> {
  const { context, notes } = noteTaker();
  const input = textInput(JSON.stringify({ ...GOSOM_RECORD, ...changes }));
  const [item] = await Array.fromAsync(readGosomLines(input, context));
  if (!item || !("draft" in item)) throw new Error(`No draft: ${JSON.stringify(item)}`);
  return { draft: item.draft, notes };
}

describe("a record is rejected", () => {
  test.each([
    ["without a name", { title: "" }, "title"],
    ["without a longitude", { longtitude: null }, "location"],
    ["with words for a latitude", { latitude: "north" }, "location"],
    ["without any id", { data_id: "", place_id: "", link: "" }, "data_id"],
  ])("%s", async (_, changes, field) => {
    const content = JSON.stringify({ ...GOSOM_RECORD, ...changes });
    expect(await readAll(readGosomLines, content)).toMatchObject([{ rejected: { field } }]);
  });

  test.each([
    ["not JSON", "{"],
    ["not a JSON object", "17"],
    ["not a JSON object", "null"],
  ])("that is %s, but the next one is read", async (reason, line) => {
    const items = await readAll(readGosomLines, `${line}\n${JSON.stringify(GOSOM_RECORD)}\n`);
    expect(items).toMatchObject([{ rejected: { reason } }, { draft: { title: GOSOM_RECORD.title } }]);
  });
});

test("a file with a truncated last line ends the import", async () => {
  const content = `${JSON.stringify(GOSOM_RECORD)}\n{"title": "Ca`;
  await expect(readAll(readGosomLines, content)).rejects.toThrow(CommandError);
});

test("every field of a record is used", async () => {
  const { draft, notes } = await draftOf();
  expect(draft).toMatchObject({
    data_id: "0x31752f38f9d2c1e7:0x8c1f5a0b7e2d9436",
    source: "google",
    source_id: "ChIJexample",
    place_id: "ChIJexample",
    title: "Cà Phê Bến Thuyền",
    type: "COFFEE",
    rating: 4.4,
    reviews: 218,
    pricing: { min: 1, max: 100_000 },
    contacts: { phone: "028 5550 1204", website: "https://benthuyen.example" },
    location: {
      latitude: 10.7769,
      longitude: 106.7009,
      country_code: "VN",
      address: {
        full: "12 Bến Thuyền, Bến Nghé, Quận 1, Hồ Chí Minh 700000, Việt Nam",
        street: "12 Bến Thuyền",
        ward: "Bến Nghé",
        city: "Hồ Chí Minh",
      },
    },
    business_status: "operational",
    opening_hours: {
      week: [
        [[420, 1230]],
        [
          [420, 660],
          [780, 1230],
        ],
        [[0, 1440]],
        [[1080, 1560]],
        [[720, 1320]],
        [],
        [],
      ],
      special_days: [],
    },
    features: { service_options: ["has_takeout"], other: ["serves_dine_in", "popular_for_breakfast"] },
    description: "Quán nhỏ bên bờ kênh.",
    popular_times: [
      [
        { hour: 7, occupancy_percent: 20 },
        { hour: 8, occupancy_percent: 55 },
      ],
      [],
      [],
      [],
      [],
      [],
      [],
    ],
    review_list: [{ author_name: "Lan", rating: 5, text: "Cà phê ngon." }],
    photos: [
      { category_id: "all", category_label: "", media: [{ width: 408, height: 306 }] },
      { category_id: "menu", category_label: "" },
      { category_id: "ngay_mua", category_label: "Ngày mưa" },
    ],
  });
  expect(notes).toEqual([
    "user_reviews[]: not of the documented form",
    "features: Moon cheese: no feature code for it, dropped",
  ]);
});

describe("the parts of an address", () => {
  const addressOf = async (complete_address: object, address = "") =>
    (await draftOf({ complete_address, address })).draft.location.address;

  test("are ward, district and city where the borough names two of them", async () => {
    expect(
      await addressOf({
        borough: "Phường 2, Tân Bình",
        street: "5 Cộng Hòa",
        city: "Hồ Chí Minh",
        country: "VN",
      }),
    ).toMatchObject({
      full: "5 Cộng Hòa, Phường 2, Tân Bình, Hồ Chí Minh",
      ward: "Phường 2",
      city: "Hồ Chí Minh",
    });
  });

  test("have the city of another country, not its state", async () => {
    expect(await addressOf({ city: "San Jose", state: "California", country: "US" })).toMatchObject({
      ward: "",
      city: "San Jose",
    });
    expect(await addressOf({ city: "", state: "California", country: "US" })).toMatchObject({
      city: "California",
    });
  });
});

describe("the identity", () => {
  test.each([
    [
      "the cid, which is the second half",
      { data_id: "", link: "", cid: "10096887894995997750" },
      /^0x[0-9a-f]+:0x8c1f5a0b7e2d9436$/,
    ],
    ["the link to the page", { data_id: "" }, /^0x31752f38f9d2c1e7:0x8c1f5a0b7e2d9436$/],
    ["nothing but the place id: left to the cleaning", { data_id: "", link: "" }, /^$/],
    ["a cid that is too long for one", { data_id: "", link: "", cid: "99999999999999999999" }, /^$/],
  ])("comes from %s", async (_, changes, dataId) => {
    expect((await draftOf(changes)).draft.data_id).toMatch(dataId);
  });
});

describe("unusable values are dropped and noted", () => {
  test.each([
    ["price_range", "cheap", "price: not understood, dropped", { pricing: { min: 0, max: 0 } }],
    ["open_hours", { Monday: ["by appointment"] }, "opening_hours: not understood", { opening_hours: null }],
    ["review_rating", 7, "rating: not from 1 to 5, dropped", { rating: 0 }],
    [
      "popular_times",
      { Monday: { noon: 5 } },
      "popular_times: an hour or day not understood, dropped",
      { popular_times: [] },
    ],
    ["moon_phase", 3, "moon_phase: unknown field, ignored", {}],
    ["data_id", "xyz", "data_id: not of the form 0x<hex>:0x<hex>, another id used", {}],
  ])("%s %j", async (field, value, expected, draft) => {
    const result = await draftOf({ [field]: value });
    expect(result.draft).toMatchObject(draft);
    expect(result.notes).toContain(expected);
  });

  test("a category without a type code", async () => {
    const { draft, notes } = await draftOf({ category: "Xyzzy", categories: null });
    expect(draft.type).toBe("PLACE");
    expect(notes).toContain("category: Xyzzy: no type code for it, read as PLACE");
  });
});

test.each([
  ["Permanently closed", "closed_permanently"],
  ["Đã đóng cửa vĩnh viễn", "closed_permanently"],
  ["Tạm thời đóng cửa", "closed_temporarily"],
  ["Closed ⋅ Opens 7 AM", "operational"],
  ["Đóng cửa ⋅ Mở cửa lúc 7:00", "operational"],
  ["", "operational"],
])("the state %j means %s", async (status, expected) => {
  expect((await draftOf({ status })).draft.business_status).toBe(expected);
});

test("a list of records is read as well as lines", async () => {
  const content = JSON.stringify([GOSOM_RECORD, null], undefined, 1);
  expect(await readAll(readGosomList, content)).toMatchObject([
    { position: { part: "element", number: 1 }, draft: { title: GOSOM_RECORD.title } },
    { position: { part: "element", number: 2 }, rejected: { field: "record" } },
  ]);
});
