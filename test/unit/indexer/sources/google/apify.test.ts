import { describe, expect, test } from "vitest";
import { CommandError } from "../../../../../src/cli/errors.ts";
import { readApifyCsv, readApifyLines, readApifyList } from "../../../../../indexer/sources/google/apify.ts";
import { noteTaker, readAll, textInput } from "../../text-input.ts";
import { APIFY_RECORD } from "./google-records.ts";

const EXPECTED = {
  data_id: APIFY_RECORD.fid,
  source: "google",
  source_id: "ChIJfourth",
  title: "Bún Bò Cầu Ngang",
  type: "VIETNAMESE_RESTAURANT",
  rating: 4.3,
  reviews: 87,
  pricing: { min: 50_000, max: 100_000 },
  contacts: { phone: "+84 28 5550 9911", website: "https://caungang.example/" },
  location: {
    latitude: 10.8,
    longitude: 106.7,
    country_code: "VN",
    address: { full: APIFY_RECORD.address, street: "9 Cầu Ngang", ward: "Phường 1", city: "Hồ Chí Minh" },
  },
  business_status: "closed_temporarily",
  opening_hours: {
    week: [
      [[360, 840]],
      [
        [360, 600],
        [930, 1260],
      ],
      [[0, 1440]],
      [],
      [],
      [],
      [[1080, 1560]],
    ],
  },
  features: { service_options: ["has_takeout"] },
  popular_times: [
    [{ hour: 6, occupancy_percent: 35 }],
    [],
    [],
    [],
    [],
    [],
    [{ hour: 18, occupancy_percent: 80 }],
  ],
  review_list: [
    { review_id: "r7", author_name: "Tú", rating: 5, photos: [{ url: "https://pictures.example/bowl" }] },
  ],
  photos: [
    { category_id: "all", media: [{ width: 1920, height: 1080 }, { url: "https://pictures.example/b" }] },
  ],
};

test.each([
  ["a list", readApifyList, JSON.stringify([APIFY_RECORD], undefined, 2)],
  ["lines", readApifyLines, JSON.stringify(APIFY_RECORD)],
])("every field of an Apify record in %s is used", async (_, read, content) => {
  const { context, notes } = noteTaker();
  expect(await Array.fromAsync(read(textInput(content), context))).toMatchObject([{ draft: EXPECTED }]);
  // A review without a rating has nothing to show.
  expect(notes).toEqual(["reviews[]: not of the documented form"]);
});

describe("an Apify record", () => {
  test.each([
    ["without a location, as of places that only take orders", { location: null }, "location"],
    ["with a location in words", { location: { lat: "x", lng: {} } }, "location"],
    ["without a title", { title: null }, "title"],
    ["without any id", { fid: null, cid: null, placeId: null, url: null }, "data_id"],
  ])("%s is rejected", async (_, changes, field) => {
    const items = await readAll(readApifyLines, JSON.stringify({ ...APIFY_RECORD, ...changes }));
    expect(items).toMatchObject([{ rejected: { field } }]);
  });

  test("with fields of other types loses only these", async () => {
    const odd = {
      openingHours: "always",
      additionalInfo: [1],
      popularTimesHistogram: { Mo: 7 },
      reviews: {},
    };
    const items = await readAll(readApifyLines, JSON.stringify({ ...APIFY_RECORD, ...odd, imageUrls: [1] }));
    expect(items).toMatchObject([
      { draft: { opening_hours: null, popular_times: [], review_list: [], type: "VIETNAMESE_RESTAURANT" } },
    ]);
  });

  test("whose neighbourhood is its street has no ward", async () => {
    const changes = { neighborhood: APIFY_RECORD.street };
    const items = await readAll(readApifyLines, JSON.stringify({ ...APIFY_RECORD, ...changes }));
    expect(items).toMatchObject([{ draft: { location: { address: { street: "9 Cầu Ngang", ward: "" } } } }]);
  });

  test("of 2022, with commas behind the days, has its hours", async () => {
    const openingHours = APIFY_RECORD.openingHours.map(({ day, hours }) => ({ day: `${day},`, hours }));
    const items = await readAll(readApifyLines, JSON.stringify({ ...APIFY_RECORD, openingHours }));
    expect(items).toMatchObject([{ draft: { opening_hours: EXPECTED.opening_hours } }]);
  });

  test("that is closed for good says so", async () => {
    const items = await readAll(readApifyLines, JSON.stringify({ ...APIFY_RECORD, permanentlyClosed: true }));
    expect(items).toMatchObject([{ draft: { business_status: "closed_permanently" } }]);
  });
});

/** The columns of Apify's CSV: `location/lat`, `categories/0`. */
const flatten = (value: unknown, path = ""): [string, string][] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => flatten(inner, path === "" ? name : `${path}/${name}`))
    : [[path, value == null ? "" : `${value as string | number | boolean}`]];

const toCsv = (columns: readonly (readonly [string, string])[]): string =>
  [0, 1]
    .map((row) => columns.map((column) => `"${column[row as 0 | 1].replaceAll('"', '""')}"`).join(","))
    .join("\n");

describe("the CSV of Apify", () => {
  test("gives the same places as its JSON", async () => {
    const [item] = await readAll(readApifyCsv, toCsv(flatten(APIFY_RECORD)));
    const [ofJson] = await readAll(readApifyLines, JSON.stringify(APIFY_RECORD));
    expect(item).toMatchObject({ draft: ofJson && "draft" in ofJson ? ofJson.draft : undefined });
  });

  test("with columns that contradict each other or name prototypes changes nothing else", async () => {
    const hostile: [string, string][] = [
      ["__proto__/polluted", "yes"],
      ["location/__proto__/polluted", "yes"],
      ["title/x", "yes"],
      ["categories/999999999", "yes"],
      [`a${"/a".repeat(500)}`, "yes"],
    ];
    const [item] = await readAll(readApifyCsv, toCsv([...flatten(APIFY_RECORD), ...hostile]));
    expect(item).toMatchObject({ draft: { title: "Bún Bò Cầu Ngang" } });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test("without coordinates ends the import", async () => {
    const columns = flatten(APIFY_RECORD).filter(([name]) => !name.startsWith("location"));
    const reading = readAll(readApifyCsv, toCsv(columns));
    await expect(reading).rejects.toThrow(CommandError);
    await expect(reading).rejects.toThrow("lacks the columns of Apify's Google Maps Scraper: location/lat");
  });
});
