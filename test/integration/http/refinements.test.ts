import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenRange, PlaceDocument } from "../../../src/place/document/place-document.ts";
import { buildPlace, type PlaceFacts } from "../../support/build-place.ts";
import { pointAt } from "../../support/points.ts";
import { startAppOver, type TestApp } from "../../support/test-app.ts";

interface Element {
  readonly data_id: string;
  readonly title: string;
  readonly type: string;
  readonly rating: number;
  readonly distance_m: number;
}

const CENTRE = { latitude: 10.776, longitude: 106.7 };
const NEAR = `lat=${CENTRE.latitude}&lng=${CENTRE.longitude}`;
/** A Wednesday, 12:30 in Ho Chi Minh City. */
const NOON = Temporal.Instant.from("2026-11-18T05:30:00Z");

const hoursDaily = (...ranges: OpenRange[]) => ({
  week: Array.from({ length: 7 }, () => ranges),
  special_days: [],
});
const LUNCH = hoursDaily([660, 840]);
const EVENING = hoursDaily([1080, 1320]);

/** A place to the east of the centre, half a metre further than said. Every search of this file finds it by its name. */
const placeAt = (meters: number, what: string, facts: PlaceFacts = {}): PlaceDocument =>
  buildPlace({ title: `Sen Hồng ${what}`, location: pointAt(CENTRE, meters + 0.5, 90), ...facts });

const PLACES: readonly PlaceDocument[] = [
  placeAt(100, "phở", {
    type: "PHO",
    rating: 4.5,
    pricing: { min: 40_000, max: 60_000 },
    opening_hours: LUNCH,
  }),
  placeAt(200, "nhà hàng", {
    type: "RESTAURANT",
    rating: 4,
    pricing: { min: 50_000, max: 300_000 },
    opening_hours: LUNCH,
  }),
  placeAt(300, "cà phê", { type: "COFFEE", rating: 4.4, pricing: { min: 25_000, max: 50_000 } }),
  placeAt(500, "bar", { type: "BAR", rating: 3, pricing: { min: 0, max: 0 }, opening_hours: EVENING }),
  placeAt(2_000, "phở xa", {
    type: "PHO",
    rating: 5,
    pricing: { min: 30_000, max: 30_000 },
    opening_hours: LUNCH,
  }),
  placeAt(9_000, "quán mới", { type: "RESTAURANT", opening_hours: LUNCH }),
];

let app: TestApp;

beforeAll(async () => {
  app = await startAppOver(PLACES, { now: () => NOON });
});

afterAll(() => app[Symbol.asyncDispose]());

async function search(refinements: string, q = "sen hồng"): Promise<Element[]> {
  const target = `/api/maps/search?q=${encodeURIComponent(q)}&${NEAR}&limit=50&include=distance&${refinements}`;
  return (await app.read<{ local_result: Element[] }>(target)).local_result;
}

const namesOf = (places: readonly Element[]): string[] =>
  places.map(({ title }) => title.replace("Sen Hồng ", ""));
const find = async (refinements: string, q?: string): Promise<string[]> =>
  namesOf(await search(refinements, q));

const ALL = ["phở", "nhà hàng", "cà phê", "bar", "phở xa", "quán mới"];

test("without filters, and with filters that exclude nothing, the results are the same", async () => {
  const plain = await search("");
  expect(new Set(namesOf(plain))).toStrictEqual(new Set(ALL));
  for (const idle of ["sort=relevance", "open_now=false", "open_now=0", "min_rating=0"]) {
    expect(await search(idle)).toStrictEqual(plain);
  }
});

describe("category", () => {
  test.each([
    ["category=PHO", ["phở", "phở xa"]],
    ["category=pho", ["phở", "phở xa"]],
    ["category=COFFEE", ["cà phê"]],
    ["category=COFFEE,BAR", ["cà phê", "bar"]],
    ["category=HOSPITAL", []],
  ])("%s finds %j", async (refinement, names) => {
    expect(new Set(await find(refinement))).toStrictEqual(new Set(names));
  });

  test("a code includes its subtypes", async () => {
    expect(new Set(await find("category=RESTAURANT"))).toStrictEqual(
      new Set(["phở", "nhà hàng", "phở xa", "quán mới"]),
    );
  });

  test("narrows a query that is a category", async () => {
    expect(new Set(await find("category=PHO", "nhà hàng"))).toStrictEqual(new Set(["phở", "phở xa"]));
    expect(await find("category=BAR", "nhà hàng")).not.toContain("nhà hàng");
  });
});

describe("min_rating", () => {
  test.each([
    ["min_rating=4.5", ["phở", "phở xa"]],
    ["min_rating=4,5", ["phở", "phở xa"]],
    ["min_rating=4.4", ["phở", "cà phê", "phở xa"]],
    ["min_rating=5", ["phở xa"]],
    ["min_rating=1", ["phở", "nhà hàng", "cà phê", "bar", "phở xa"]],
  ])("%s finds %j, and nothing unrated", async (refinement, names) => {
    expect(new Set(await find(refinement))).toStrictEqual(new Set(names));
  });
});

describe("max_price", () => {
  test.each([
    ["max_price=60000", ["phở", "cà phê", "phở xa"]],
    ["max_price=59999", ["cà phê", "phở xa"]],
    ["max_price=1000000", ["phở", "nhà hàng", "cà phê", "phở xa"]],
    ["max_price=0", []],
  ])("%s finds %j, and nothing whose price is not known", async (refinement, names) => {
    expect(new Set(await find(refinement))).toStrictEqual(new Set(names));
  });
});

describe("radius", () => {
  test("is a filter, exact to the metre", async () => {
    for (const [index, meters] of [100, 200, 300, 500, 2_000, 9_000].entries()) {
      expect(await find(`radius=${meters}`)).toHaveLength(index);
      expect(await find(`radius=${meters + 1}`)).toHaveLength(index + 1);
    }
  });

  test("also applies to a category", async () => {
    expect(await find("radius=1000", "phở")).toStrictEqual(["phở"]);
    expect(await find("radius=3000&sort=distance", "phở")).toStrictEqual(["phở", "phở xa"]);
  });
});

describe("sort", () => {
  test("by distance puts the nearest first", async () => {
    expect(await find("sort=distance")).toStrictEqual(ALL);
  });

  test("by rating puts the best first and the unrated last", async () => {
    expect(await find("sort=rating")).toStrictEqual([
      "phở xa",
      "phở",
      "cà phê",
      "nhà hàng",
      "bar",
      "quán mới",
    ]);
  });

  test("by distance or rating leaves out poor matches", async () => {
    expect(await find("sort=distance", "sen hồng phở")).not.toContain("bar");
  });
});

describe("together", () => {
  test.each([
    ["category=PHO&open_now=true&radius=1000&sort=distance", ["phở"]],
    ["category=RESTAURANT&open_now=true&sort=distance", ["phở", "nhà hàng", "phở xa", "quán mới"]],
    ["category=RESTAURANT&open_now=true&min_rating=4&sort=rating", ["phở xa", "phở", "nhà hàng"]],
    ["open_now=true&max_price=100000&sort=distance", ["phở", "phở xa"]],
    ["open_at=2026-11-18T20:00%2B07:00&sort=distance", ["bar"]],
    ["open_at=2026-11-18T20:00+07:00&category=PHO", []],
    ["min_rating=4&max_price=60000&radius=2500&category=PHO,COFFEE&sort=rating", ["phở xa", "phở", "cà phê"]],
    ["sort=distance&limit=2&offset=1", ["nhà hàng", "cà phê"]],
  ])("%s finds %j", async (refinements, names) => {
    const { local_result } = await app.read<{ local_result: Element[] }>(
      `/api/maps/search?q=${encodeURIComponent("sen hồng")}&${NEAR}&${refinements}`,
    );
    expect(namesOf(local_result)).toStrictEqual(names);
  });
});
