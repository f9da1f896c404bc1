import { describe, expect, test } from "vitest";
import { readOverture, readOvertureFeatures } from "../../../../../indexer/sources/overture/overture.ts";
import type { ReadSource, SourceItem } from "../../../../../indexer/sources/source.ts";
import { noteTaker, readAll, textInput } from "../../text-input.ts";

const POINT = { type: "Point", coordinates: [105.85, 21.03] };

const feature = (properties: object, geometry: object | null = POINT) => ({
  type: "Feature",
  id: "f7c0de00-0001",
  geometry,
  properties: { names: { primary: "Tiệm Bánh Hoa Sữa" }, ...properties },
});

const collection = (...features: unknown[]) => JSON.stringify({ type: "FeatureCollection", features });

async function readOne(properties: object, geometry: object | null = POINT) {
  const { context, notes } = noteTaker();
  const input = textInput(collection(feature(properties, geometry)));
  const [item] = await Array.fromAsync(readOverture(input, context));
  return { item: item as SourceItem & { draft?: unknown }, notes };
}

const draftOf = async (properties: object) => (await readOne(properties)).item.draft;

describe("an Overture place is rejected", () => {
  test.each([
    ["names.primary", "missing", feature({ names: null })],
    ["names.primary", "missing", feature({ names: { primary: "  " } })],
    ["geometry", "not a point", feature({}, null)],
    ["geometry", "not a point", feature({}, { type: "Point", coordinates: [] })],
    ["properties", "not a GeoJSON feature", { type: "Feature", geometry: POINT }],
    ["properties", "not a GeoJSON feature", null],
  ])("for its %s, which is %s", async (field, reason, value) => {
    expect(await readAll(readOverture, collection(value))).toMatchObject([
      { position: { part: "element", number: 1 }, record: value, rejected: { field, reason } },
    ]);
  });
});

describe("a file of one place", () => {
  test("is read as a whole", async () => {
    const text = JSON.stringify(feature({}), null, 2);
    expect(await readAll(readOvertureFeatures, text)).toMatchObject([
      { position: { part: "line", number: 1 }, draft: { title: "Tiệm Bánh Hoa Sữa" } },
    ]);
  });

  test("that is truncated is an error", async () => {
    const text = JSON.stringify(feature({}), null, 2).slice(0, -5);
    await expect(readAll(readOvertureFeatures, text)).rejects.toThrow("is it complete?");
  });
});

describe("older exports", () => {
  test("without an id get one from the name and the point", async () => {
    const { context, notes } = noteTaker();
    const withoutId = (point: object, id?: string) => ({ ...feature({}, point), id });
    const moved = { type: "Point", coordinates: [1, 2] };
    const input = textInput(collection(withoutId(POINT), withoutId(POINT, ""), withoutId(moved)));
    const items = await Array.fromAsync(readOverture(input, context));
    const sourceIds = items.map((item) => "draft" in item && item.draft.source_id);
    expect(sourceIds[0]).toMatch(/^hash\/[0-9a-f]{16}$/);
    expect(sourceIds[1]).toBe(sourceIds[0]);
    expect(sourceIds[2]).not.toBe(sourceIds[0]);
    expect(notes).toContain("id: missing, made from name and point");
  });

  test("have lists of names and another field for the category", async () => {
    const names = {
      common: [
        { value: "Tiệm Xưa", language: "local" },
        { value: "Old Shop", language: "en" },
      ],
    };
    const { item } = await readOne({
      names,
      categories: { main: "bakery", alternate: [] },
      taxonomy: null,
      basic_category: null,
    });
    expect(item).toMatchObject({
      draft: {
        title: "Tiệm Xưa",
        alternate_names: expect.arrayContaining(["Old Shop"]) as string[],
        type: "BAKERY",
      },
    });
  });

  test("may have nested fields as text", async () => {
    const changes = {
      names: '{"primary": "Tiệm Chữ"}',
      addresses: '[{"freeform": "1 Chữ", "country": "VN"}]',
      phones: '["cut',
    };
    expect((await readOne(changes)).item).toMatchObject({
      draft: {
        title: "Tiệm Chữ",
        contacts: { phone: "" },
        location: { country_code: "VN", address: { street: "1 Chữ" } },
      },
    });
  });
});

describe("confidence", () => {
  test("a place with a low confidence is skipped", async () => {
    expect((await readOne({ confidence: 0.49 })).item).toMatchObject({ skipped: "confidence below 0.5" });
  });

  test.each([0.5, 1, null, undefined])("a place with a confidence of %s is kept", async (confidence) => {
    expect((await readOne({ confidence })).item).toHaveProperty("draft");
  });

  test("a permanently closed place has a confidence of 0 and is kept as closed", async () => {
    expect(await draftOf({ confidence: 0, operating_status: "permanently_closed" })).toMatchObject({
      business_status: "closed_permanently",
    });
  });
});

test.each([
  ["open", "operational"],
  ["temporarily_closed", "closed_temporarily"],
  ["permanently_closed", "closed_permanently"],
  [undefined, "operational"],
])("the operating status %s means %s", async (status, expected) => {
  expect(await draftOf({ operating_status: status })).toMatchObject({ business_status: expected });
});

describe("the type", () => {
  test.each([
    [
      "its own category",
      { taxonomy: { primary: "coffee_shop", hierarchy: ["food_and_drink", "beverage_shop", "coffee_shop"] } },
      "COFFEE",
    ],
    [
      "the next category above it",
      { taxonomy: { primary: "zzz", hierarchy: ["shopping", "hardware_store", "zzz"] } },
      "HARDWARE_STORE",
    ],
    [
      "how its name ends",
      { taxonomy: { primary: "zzz_restaurant", hierarchy: ["food_and_drink", "zzz_restaurant"] } },
      "RESTAURANT",
    ],
    ["the older category", { categories: { primary: "church_cathedral" } }, "CHURCH"],
    [
      "the older category rather than the trade",
      { taxonomy: { primary: "shopping", hierarchy: ["shopping"] }, categories: { primary: "toy_store" } },
      "TOY_STORE",
    ],
    ["the basic category", { basic_category: "casual_eatery", categories: { primary: "zzz" } }, "EATERY"],
    [
      "another category rather than the trade",
      { categories: { primary: "retail", alternate: ["florist"] } },
      "FLORIST",
    ],
    ["the trade when there is nothing else", { categories: { primary: "eat_and_drink" } }, "RESTAURANT"],
    [
      "the Vietnamese name within it",
      { names: { primary: "Phở Cây Đa" }, categories: { primary: "restaurant" } },
      "PHO",
    ],
  ])("comes from %s", async (_, properties, type) => {
    expect(await draftOf(properties)).toMatchObject({ type });
  });

  test("of unknown categories is PLACE, with a note; without categories there is no note", async () => {
    const { item, notes } = await readOne({ categories: { primary: "zzz" } });
    expect(item.draft).toMatchObject({ type: "PLACE" });
    expect(notes).toEqual(["categories: not in the category table, read as PLACE"]);
    expect((await readOne({})).notes).toEqual([]);
  });
});

describe("names", () => {
  test("of all languages, rules and the brand are alternate names, once each", async () => {
    const names = {
      primary: "Cà Phê Hẻm 9",
      common: { ja: "ヘム9", en: "Alley 9 Coffee", vi: "Cà Phê Hẻm 9" },
      rules: [
        { variant: "short", value: "Hẻm 9" },
        { variant: "official", value: "Alley 9 Coffee" },
      ],
    };
    const brand = { names: { primary: "Alley Group", common: null }, wikidata: "Q1" };
    expect(await draftOf({ names, brand })).toMatchObject({
      title: "Cà Phê Hẻm 9",
      alternate_names: ["Alley 9 Coffee", "ヘム9", "Hẻm 9", "Alley Group"],
    });
  });

  test("a place without a name has the name of its brand", async () => {
    const brand = { names: { primary: "Alley Group" } };
    expect(await draftOf({ names: null, brand })).toMatchObject({
      title: "Alley Group",
      alternate_names: [],
    });
  });

  test("a list instead of a text is noted, and the place is kept", async () => {
    const { item, notes } = await readOne({ names: { primary: "Quán Lá", common: { en: 5 }, rules: "x" } });
    expect(item.draft).toMatchObject({ title: "Quán Lá", alternate_names: [] });
    expect(notes).toEqual([
      "names.rules: not of the documented form",
      "names.common.en: not of the documented form",
    ]);
  });
});

describe("contacts", () => {
  test("are the first of each; the others are counted", async () => {
    const { item, notes } = await readOne({
      phones: ["+84 24 5550 1111", "+84 24 5550 2222"],
      websites: ["https://hoasua.example"],
      socials: ["https://www.facebook.com/hoasua"],
      emails: ["chao@hoasua.example"],
    });
    expect(item.draft).toMatchObject({
      contacts: { phone: "+84 24 5550 1111", website: "https://hoasua.example" },
    });
    expect(notes).toEqual([
      "phones[]: no field for it, dropped",
      "socials[]: no field for it, dropped",
      "emails[]: no field for it, dropped",
    ]);
  });

  test("a page on Facebook is the website of a place without one", async () => {
    const socials = ["https://instagram.com/hoasua", "https://www.facebook.com/hoasua"];
    expect(await draftOf({ socials })).toMatchObject({
      contacts: { phone: "", website: "https://www.facebook.com/hoasua" },
    });
  });
});

describe("the address", () => {
  test.each([
    [
      "a locality is the city, a region that is a code is not said",
      { freeform: "12 Phố Hàng Mây", locality: "Hà Nội", region: "VN-HN", country: "VN" },
      { full: "12 Phố Hàng Mây, Hà Nội", street: "12 Phố Hàng Mây", ward: "", city: "Hà Nội", country: "" },
    ],
    [
      "a ward is told from a city",
      { freeform: "5 Ngõ Gạo", locality: "Phường Cửa Nam", region: "Hà Nội" },
      {
        full: "5 Ngõ Gạo, Phường Cửa Nam, Hà Nội",
        street: "5 Ngõ Gạo",
        ward: "Phường Cửa Nam",
        city: "Hà Nội",
        country: "",
      },
    ],
    [
      "what the free form says already is not said twice",
      { freeform: "8 Lý Thường, hà nội", locality: "Hà Nội" },
      { full: "8 Lý Thường, hà nội", street: "8 Lý Thường, hà nội", ward: "", city: "Hà Nội", country: "" },
    ],
  ])("%s", async (_, address, expected) => {
    expect(await draftOf({ addresses: [address] })).toMatchObject({ location: { address: expected } });
  });

  test("the first of several is used, with the country of any; what is lost is counted", async () => {
    const addresses = [{ freeform: "1 A" }, { freeform: "2 B", country: "VN" }];
    const { item, notes } = await readOne({
      addresses: [{ ...addresses[0], postcode: "100000" }, addresses[1]],
    });
    expect(item.draft).toMatchObject({ location: { address: { full: "1 A" }, country_code: "VN" } });
    expect(notes).toEqual([
      "addresses[]: more than one, the first is used",
      "addresses[].postcode: no field for it, dropped",
    ]);
  });
});

test("the id identifies the place, and unknown fields are counted", async () => {
  const { item, notes } = await readOne({ version: 3, sources: [], theme: "places", mood: "good" });
  expect(item.draft).toMatchObject({
    source: "overture",
    source_id: "f7c0de00-0001",
    location: { latitude: 21.03, longitude: 105.85 },
  });
  expect(notes).toEqual(["mood: unknown field, ignored"]);
});

describe("one feature a line", () => {
  const line = JSON.stringify(feature({}));

  test.each([
    ["line feeds", `${line}\n${line}\n`],
    ["record separators", `\u001E${line}\n\u001E${line}\n`],
    ["empty lines between and no end", `${line}\r\n\r\n${line}`],
  ])("with %s is read", async (_, text) => {
    const items = await readAll(readOvertureFeatures, text);
    expect(items.map((item) => "draft" in item && item.draft.title)).toEqual([
      "Tiệm Bánh Hoa Sữa",
      "Tiệm Bánh Hoa Sữa",
    ]);
  });

  test("an invalid line is rejected and the next one is read", async () => {
    expect(await readAll(readOvertureFeatures, `{"type":\n${line}\n`)).toMatchObject([
      { position: { part: "line", number: 1 }, rejected: { field: "line", reason: "not JSON" } },
      { position: { part: "line", number: 2 }, draft: {} },
    ]);
  });

  test("a truncated last line ends the import", async () => {
    const read: ReadSource = readOvertureFeatures;
    await expect(readAll(read, `${line}\n${line.slice(0, 40)}`)).rejects.toThrow(
      "ends in the middle of line 2",
    );
  });
});
