import { describe, expect, test } from "vitest";
import { CommandError } from "../../../../../src/cli/errors.ts";
import type { PlaceDraft } from "../../../../../indexer/clean/place-draft.ts";
import { readPlacesApi, readPlacesApiList } from "../../../../../indexer/sources/google/places-api.ts";
import { noteTaker, readAll, textInput } from "../../text-input.ts";
import { PLACES_API_PLACE } from "./google-records.ts";

async function draftOf(changes: object): Promise<{ draft: PlaceDraft; notes: string[] }> {
  const { context, notes } = noteTaker();
  const input = textInput(JSON.stringify({ ...PLACES_API_PLACE, ...changes }));
  const [item] = await Array.fromAsync(readPlacesApi(input, context));
  if (!item || !("draft" in item)) throw new Error(`No draft: ${JSON.stringify(item)}`);
  return { draft: item.draft, notes };
}

describe("a place of the Google Places API is rejected", () => {
  test.each([
    ["without a name", { displayName: undefined }, "title"],
    ["with a name that is no text", { displayName: { text: 7 } }, "title"],
    ["without coordinates", { location: undefined }, "location"],
    ["with words for a longitude", { location: { latitude: 10, longitude: "east" } }, "location"],
    [
      "without any id",
      { id: undefined, name: undefined, googleMapsUri: undefined, googleMapsLinks: undefined },
      "data_id",
    ],
  ])("%s", async (_, changes, field) => {
    const content = JSON.stringify({ ...PLACES_API_PLACE, ...changes });
    expect(await readAll(readPlacesApi, content)).toMatchObject([{ rejected: { field } }]);
  });
});

test("a response that breaks off ends the import", async () => {
  const content = JSON.stringify({ places: [PLACES_API_PLACE] }, undefined, 2).slice(0, -20);
  await expect(readAll(readPlacesApi, content)).rejects.toThrow(CommandError);
});

test("every field of a place is used", async () => {
  const { draft, notes } = await draftOf({});
  expect(draft).toMatchObject({
    data_id: "0x31752f38f9d2c1e7:0x8c1f5a0b7e2d9436",
    source: "google",
    source_id: "ChIJthird",
    place_id: "ChIJthird",
    title: "Quán Gió Sông",
    type: "VIETNAMESE_RESTAURANT",
    rating: 4.5,
    reviews: 321,
    pricing: { min: 100_000, max: 200_000 },
    contacts: { phone: "028 5550 7788", website: "https://giosong.example/" },
    location: {
      latitude: 10.79,
      longitude: 106.72,
      timezone: "Asia/Ho_Chi_Minh",
      country_code: "VN",
      address: { street: "5 Gió Sông", ward: "An Khánh", city: "Hồ Chí Minh" },
    },
    business_status: "closed_temporarily",
    description: "Quán ven sông.",
    review_list: [
      {
        review_id: "r1",
        author_name: "Hoa",
        author_profile_pic: "https://pictures.example/hoa",
        rating: 5,
        text: "Ngon.",
      },
    ],
    photos: [],
  });
  expect(Object.values(draft.features).flat().toSorted()).toEqual([
    "has_parking_lot_free",
    "has_takeout",
    "has_wheelchair_accessible_entrance",
    "pay_credit_card",
    "serves_dine_in",
    "serves_vegetarian",
    "welcomes_children",
  ]);
  expect(notes).toEqual(["photos[]: only Google can show it, dropped"]);
});

test.each([undefined, {}, { directionsUri: "https://www.google.com/maps/dir/" }])(
  "a place without its data id in %j has one of its point and cid",
  async (googleMapsLinks) => {
    const { draft } = await draftOf({ googleMapsLinks });
    expect(draft.data_id).toMatch(/^0x(?!31752f38f9d2c1e7)[0-9a-f]+:0x8c1f5a0b7e2d9436$/);
  },
);

const week = (...days: [number, number][][]) => ({ week: days, special_days: [] });
const ALL_DAY: [number, number][] = [[0, 1440]];
const at = (day: number, hour: number) => ({ day, hour, minute: 0 });

describe("opening hours", () => {
  test("are read from periods, also those over midnight and over days", async () => {
    expect((await draftOf({})).draft.opening_hours).toEqual(
      week(
        [[0, 120]],
        [
          [570, 840],
          [1080, 1440],
        ],
        [],
        [],
        [],
        [],
        ALL_DAY,
      ),
    );
  });

  test.each([
    [
      "a period without an end is always open",
      { periods: [{ open: at(0, 0) }] },
      week(ALL_DAY, ALL_DAY, ALL_DAY, ALL_DAY, ALL_DAY, ALL_DAY, ALL_DAY),
    ],
    [
      "from Saturday to Sunday the week begins anew",
      { periods: [{ open: at(6, 20), close: at(0, 3) }] },
      week([], [], [], [], [], [[1200, 1620]], []),
    ],
    [
      "the texts are read when there are no periods",
      { weekdayDescriptions: ["Monday: 9:00 AM – 5:00 PM", "Tuesday: Open 24 hours", "Sunday: Closed"] },
      week([[540, 1020]], ALL_DAY, [], [], [], [], []),
    ],
    ["a period without a day is none", { periods: [{ open: { hour: 8 }, close: at(1, 9) }] }, null],
    ["no object", "9–17", null],
  ])("%s", async (_, regularOpeningHours, expected) => {
    expect((await draftOf({ regularOpeningHours })).draft.opening_hours).toEqual(expected);
  });
});

test.each([
  ["a level", { priceRange: undefined }, { min: 100_000, max: 300_000 }],
  [
    "a range without an end",
    { priceRange: { startPrice: { currencyCode: "VND", units: "500000" } } },
    { min: 500_000, max: 500_000 },
  ],
  ["a free place", { priceRange: undefined, priceLevel: "PRICE_LEVEL_FREE" }, { min: 0, max: 0 }],
  ["an unknown level", { priceRange: undefined, priceLevel: "toString" }, { min: 0, max: 0 }],
])("the price of %s", async (_, changes, pricing) => {
  expect((await draftOf(changes)).draft.pricing).toEqual(pricing);
});

test("a city outside Viet Nam is its locality", async () => {
  const addressComponents = [
    { longText: "Passau", types: ["locality", "political"] },
    { longText: "Bayern", types: ["administrative_area_level_1"] },
    { longText: "Germany", shortText: "DE", types: ["country"] },
  ];
  const { draft } = await draftOf({ addressComponents, formattedAddress: "Passau, Germany" });
  expect(draft.location).toMatchObject({
    country_code: "DE",
    address: { full: "Passau, Germany", city: "Passau", ward: "" },
  });
});

describe("places are read from", () => {
  const answer = { places: [PLACES_API_PLACE, {}] };
  test.each([
    ["a response over many lines", readPlacesApi, JSON.stringify(answer, undefined, 2)],
    ["responses one a line, one of them without places", readPlacesApi, `{}\n${JSON.stringify(answer)}\n`],
    ["a list of responses", readPlacesApiList, JSON.stringify([answer, {}])],
    ["places one a line", readPlacesApi, `${JSON.stringify(PLACES_API_PLACE)}\n{"id":"x"}\n`],
    ["a list of places", readPlacesApiList, JSON.stringify([PLACES_API_PLACE, { id: "x" }], undefined, 1)],
  ])("%s", async (_, read, content) => {
    expect(await readAll(read, content)).toMatchObject([
      { position: { part: "element", number: 1 }, draft: { title: "Quán Gió Sông" } },
      { position: { part: "element", number: 2 }, rejected: { field: "title" } },
    ]);
  });
});
