import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlaceDocument } from "../../../src/place/place-document.ts";
import { buildPlace, type PlaceFacts } from "../../support/build-place.ts";
import { pointAt } from "../../support/points.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";
import { createTestIndex, type TestIndex } from "../../support/test-index.ts";

interface Element {
  readonly title: string;
  readonly distance_m: number;
}

const CENTRE = { latitude: 10.776, longitude: 106.7 };
const NEAR = `lat=${CENTRE.latitude}&lng=${CENTRE.longitude}`;

const placeAt = (meters: number, title: string, facts: PlaceFacts = {}): PlaceDocument =>
  buildPlace({ title, location: pointAt(CENTRE, meters + 0.5, 90), ...facts });

/** Taveuni, beside the antimeridian. */
const inFiji = (longitude: number, title: string): PlaceDocument =>
  buildPlace({ title, location: { latitude: -16.8, longitude, timezone: "Pacific/Fiji" } });

const PLACES: readonly PlaceDocument[] = [
  placeAt(100, "Bờ Kè", { type: "COFFEE", rating: 4.9, reviews: 2 }),
  placeAt(300, "Vườn Sau", { type: "PARK" }),
  placeAt(700, "Chợ Nhỏ", { type: "COFFEE", rating: 4.5, reviews: 3_000 }),
  placeAt(5_000, "Nhà Thờ Đá", { rating: 4.6, reviews: 900 }),
  placeAt(30_000, "Bến Xa", { type: "COFFEE", rating: 5, reviews: 9_000 }),
  inFiji(179.985, "West Beach"),
  inFiji(-179.99, "East Beach"),
  inFiji(-179.5, "Far Beach"),
  buildPlace({ title: "North Pole Cabin", location: { latitude: 90, longitude: 0, timezone: "UTC" } }),
];

let testIndex: TestIndex;
let app: TestApp;

beforeAll(async () => {
  testIndex = await createTestIndex(PLACES);
  app = await startTestApp({ index: testIndex.index });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await testIndex[Symbol.asyncDispose]();
});

async function titlesOf(target: string): Promise<string[]> {
  const { local_result } = await app.read<{ local_result: Element[] }>(`/api/maps/${target}`);
  return local_result.map(({ title }) => title);
}

describe("nearby", () => {
  test.each(["", "lat=10.8", "lng=106.7", "bbox=106,10,107,11"])(
    "without a point (%s) is a 422",
    async (query) => {
      expect((await app.ask(`/api/maps/nearby?${query}`)).status).toBe(422);
    },
  );

  test("has the orders distance, prominence and rating and no other", async () => {
    expect((await app.ask(`/api/maps/nearby?${NEAR}&sort=relevance`)).status).toBe(422);
  });

  test("refuses open_now together with open_at", async () => {
    expect((await app.ask(`/api/maps/nearby?${NEAR}&open_now=1&open_at=2026-11-20T20:00Z`)).status).toBe(422);
  });

  test("lists the nearest places of any kind and name", async () => {
    expect(await titlesOf(`nearby?${NEAR}&limit=4`)).toEqual(["Bờ Kè", "Vườn Sau", "Chợ Nhỏ", "Nhà Thờ Đá"]);
  });

  test("shows distances and how many places there are", async () => {
    const { local_result: places, total } = await app.read<{ local_result: Element[]; total: number }>(
      `/api/maps/nearby?${NEAR}&radius=1000&include=distance,total&type=full`,
    );
    expect(places.map(({ distance_m: meters }) => meters)).toEqual([101, 300, 701]);
    expect(total).toBe(3);
  });

  test("counts places alone, not what else the index holds", async () => {
    expect(await app.read(`/api/maps/nearby?${NEAR}&include=total`)).toMatchObject({ total: PLACES.length });
  });

  test("filters by category, radius, rating and rectangle", async () => {
    expect(await titlesOf(`nearby?${NEAR}&category=COFFEE&radius=50000`)).toEqual([
      "Bờ Kè",
      "Chợ Nhỏ",
      "Bến Xa",
    ]);
    expect(await titlesOf(`nearby?${NEAR}&min_rating=4.6&radius=500`)).toEqual(["Bờ Kè"]);
    expect(await titlesOf(`nearby?${NEAR}&bbox=106.702,10.7,106.71,10.8`)).toEqual(["Vườn Sau", "Chợ Nhỏ"]);
  });

  test("by prominence puts the best known of the city first", async () => {
    expect(await titlesOf(`nearby?${NEAR}&sort=prominence`)).toEqual([
      "Chợ Nhỏ",
      "Nhà Thờ Đá",
      "Bờ Kè",
      "Vườn Sau",
    ]);
  });

  test("by rating puts the best rated of the city first", async () => {
    expect(await titlesOf(`nearby?${NEAR}&sort=rating&limit=2`)).toEqual(["Bờ Kè", "Nhà Thờ Đá"]);
  });

  test("pages without gaps", async () => {
    const pages = await Promise.all(
      [0, 2].map((offset) => titlesOf(`nearby?${NEAR}&limit=2&offset=${offset}`)),
    );
    expect(pages.flat()).toEqual(["Bờ Kè", "Vườn Sau", "Chợ Nhỏ", "Nhà Thờ Đá"]);
  });

  test("sees across the antimeridian and at a pole", async () => {
    expect(await titlesOf("nearby?lat=-16.8&lng=180&limit=2&offset=0&radius=5000")).toHaveLength(2);
    expect(await titlesOf("nearby?lat=89.9999&lng=-120&limit=1")).toEqual(["North Pole Cabin"]);
  });

  test("of an empty sea is an empty list", async () => {
    expect(await titlesOf("nearby?lat=-50&lng=-120&radius=50000")).toEqual([]);
    expect(await titlesOf("nearby?lat=-50&lng=-120&sort=rating")).toEqual([]);
  });
});

describe("a rectangle", () => {
  test("restricts a search, also across the antimeridian", async () => {
    expect(await titlesOf("search?q=beach&bbox=179.9,-17,-179.9,-16&sort=distance")).toEqual([
      "East Beach",
      "West Beach",
    ]);
    expect(await titlesOf("search?q=beach&bbox=-180,-17,-179,-16")).toHaveLength(2);
  });

  test("may be as large as a country or the world", async () => {
    expect(await titlesOf("search?q=beach&bbox=-180,-90,180,90")).toHaveLength(3);
    expect(await titlesOf("search?q=beach&bbox=100,-90,-179.6,90")).toHaveLength(2);
    expect(await titlesOf("nearby?lat=0&lng=0&bbox=-180,80,180,90")).toEqual(["North Pole Cabin"]);
  });

  test("restricts suggestions", async () => {
    const { suggestions } = await app.read<{ suggestions: { value: string }[] }>(
      "/api/maps/autocomplete?q=w&bbox=179.9,-17,-179.9,-16",
    );
    expect(suggestions.map(({ value }) => value)).toEqual(["West Beach"]);
  });

  test("without places gives an empty list", async () => {
    expect(await titlesOf("search?q=beach&bbox=10,10,11,11")).toEqual([]);
  });

  test("is where a search without coordinates looks first", async () => {
    const { local_result: places } = await app.read<{ local_result: Element[] }>(
      "/api/maps/search?q=beach&bbox=179.98,-16.81,179.99,-16.79&include=distance",
    );
    expect(places.map(({ distance_m: meters }) => meters < 1_000)).toEqual([true]);
  });
});

test("an operator may set the centre and the language of requests that name none", async () => {
  const defaults = { centre: { latitude: -16.8, longitude: -179.5 }, language: "en" } as const;
  await using elsewhere = await startTestApp({ index: testIndex.index, defaults });
  const { local_result: places } = await elsewhere.read<{
    local_result: (Element & { opening_hours: { day: string }[] })[];
  }>("/api/maps/search?q=beach&limit=1&type=full&include=distance");
  expect(places[0]).toMatchObject({ title: "Far Beach", distance_m: 0 });
  expect(places[0]?.opening_hours[0]?.day).toBe("Monday");
});
