import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlaceIndex, PlaceLookup } from "../../../src/meilisearch/place-index.ts";
import { openPlaceIndex } from "../../../src/partitions/open-place-index.ts";
import { oneEngine } from "../../../src/partitions/topology.ts";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { createPlaceSearch } from "../../../src/search/search-places.ts";
import type { SearchRequest } from "../../../src/search/search-request.ts";
import { buildPlace } from "../../support/build-place.ts";
import { buildGeneration, putMap } from "../../support/divided-index.ts";
import { pointAt } from "../../support/points.ts";
import { createRandom } from "../../support/random.ts";
import { importInto } from "../../support/divided-index.ts";
import { startThreeEngines, type ThreeEngines } from "../../support/three-engines.ts";

const CITIES = [
  { name: "Sài Gòn", latitude: 10.7769, longitude: 106.7009 },
  { name: "Hà Nội", latitude: 21.0285, longitude: 105.8542 },
  { name: "Đà Nẵng", latitude: 16.0544, longitude: 108.2022 },
  { name: "Cần Thơ", latitude: 10.0452, longitude: 105.7469 },
];
const KINDS = [
  ["Phở", "PHO"],
  ["Cà Phê", "COFFEE"],
  ["Nhà Sách", "BOOKS"],
  ["Khách Sạn", "HOTEL"],
] as const;
const NAMES = ["Hòa", "Bình", "Lệ", "Thìn", "Sen", "Mai", "Trúc", "Đào", "Quê Hương", "Bến Thành"];

const random = createRandom("partitions");

/** No two are equally well known, and of no kind are there more than a lookup returns: so their order is certain. */
const PLACES: readonly PlaceDocument[] = Array.from({ length: 200 }, (_, number) => {
  const city = random.pick(CITIES);
  const [kind, type] = random.pick(KINDS);
  const title =
    number < 190
      ? `${kind} ${random.pick(NAMES)} ${number % 7 === 0 ? city.name : ""}`.trim()
      : `${kind} Lạ ${number}`;
  const spot = pointAt(city, 8_000 * random.fraction(), 360 * random.fraction());
  return buildPlace({
    // The same whatever ran before: where candidates tie, their ids decide which of them a lookup returns.
    data_id: `0x1:0x${(number + 1).toString(16)}`,
    title,
    type,
    rating: 3 + Math.round(20 * random.fraction()) / 10,
    reviews: number * 10,
    location: { ...spot, address: { full: `${number % 90} Lê Lợi, ${city.name}` } },
  });
});

let engines: ThreeEngines;
let divided: PlaceIndex;
let whole: PlaceIndex;

beforeAll(async () => {
  engines = await startThreeEngines();
  const { topology } = engines;
  await putMap(topology, { sequence: 1, live: await buildGeneration(topology, PLACES, "a") });
  const alone = oneEngine(topology.engines[0]!, "whole");
  await importInto(alone, PLACES);
  whole = openPlaceIndex(alone);
  divided = openPlaceIndex(topology);
});
afterAll(async () => {
  await divided.close();
  await whole.close();
  await engines[Symbol.asyncDispose]();
});

const patience = (): AbortSignal => AbortSignal.timeout(20_000);
const titles = ({ places }: { places: readonly { title: string }[] }): string[] =>
  places.map(({ title }) => title);

const around = (
  query: string,
  centre: { latitude: number; longitude: number },
  more = {},
): SearchRequest => ({
  query,
  centre,
  limit: 20,
  offset: 0,
  ...more,
});

const QUERIES: [string, Partial<SearchRequest>][] = [
  ["pho hoa", {}],
  ["phở lệ hà nội", {}],
  ["nha sach", {}],
  ["ca phe bihn", {}],
  ["khach san que huong", { sort: "distance" }],
  ["khach san", { sort: "rating" }],
  ["ca phe", { sort: "prominence" }],
  ["pho la 193", {}],
  ["", { sort: "distance", refinements: { radiusMeters: 3_000 } }],
  ["", { sort: "rating" }],
];

describe("a divided index returns what one index returns", () => {
  test.each(QUERIES)("for %j %j around every city", async (query, more) => {
    const [one, other] = [createPlaceSearch(whole), createPlaceSearch(divided)];
    await Promise.all([one.prepared, other.prepared]);
    for (const city of CITIES) {
      const request = { ...around(query, city, more), isCounted: true };
      expect(await other.search(request)).toEqual(await one.search(request));
    }
  });

  test("as suggestions", async () => {
    const [one, other] = [createPlaceSearch(whole), createPlaceSearch(divided)];
    await Promise.all([one.prepared, other.prepared]);
    for (const query of ["p", "ph", "nha s", "khach san qu", "la 19"]) {
      for (const city of CITIES) {
        const request = around(query, city, { limit: 5 });
        expect(await other.suggest(request)).toEqual(await one.suggest(request));
      }
    }
  });

  test("as the census and the state", async () => {
    const [one, other] = await Promise.all([whole.readCensus(), divided.readCensus()]);
    expect([...other.density.entries()]).toEqual([...one.density.entries()]);
    expect(Object.fromEntries(other.types)).toEqual(Object.fromEntries(one.types));
    expect(await divided.readState()).toMatchObject({ state: "ready", places: PLACES.length });
  });
});

test("more places than a lookup may return are cut in the order of the engine", async () => {
  const lookups: PlaceLookup[] = [
    { filter: {}, limit: 7 },
    { filter: { nameWords: ["pho"] }, limit: 7 },
    { filter: {}, order: { by: "rating" }, limit: 25 },
    { filter: {}, order: { by: "prominence" }, limit: 25 },
    { filter: {}, order: { by: "distance", from: CITIES[0]! }, limit: 7 },
    { filter: {}, joinedName: "phosencantho", limit: 1 },
  ];
  const [ours, theirs] = await Promise.all([
    divided.findPlaces(lookups, patience()),
    whole.findPlaces(lookups, patience()),
  ]);
  expect(ours.map(titles).slice(2)).toEqual(theirs.map(titles).slice(2));
  // Without words and order, places of one level of prominence are alike.
  const levels = ({ places }: { places: readonly { prominence: number }[] }) =>
    places.map(({ prominence }) => Math.round(prominence / 3));
  expect(ours.slice(0, 2).map(levels)).toEqual(theirs.slice(0, 2).map(levels));
});

test("details come from every partition, and an id that nobody has is unknown", async () => {
  const some = PLACES.filter((_, index) => index % 20 === 0).map(({ data_id }) => data_id);
  const withoutTime = (places: readonly object[]) => places.map((place) => ({ ...place, indexed_at: 0 }));
  const [ours, theirs] = await Promise.all([divided.getPlaces(some), whole.getPlaces(some)]);
  expect(withoutTime(ours.map((place) => place ?? {}))).toEqual(
    withoutTime(theirs.map((place) => place ?? {})),
  );
  expect(await divided.getPlace("0x31752f38f9f5d0d3:0xffffff")).toBeUndefined();
});

test("records have the same matches as with one index, with and without a position", async () => {
  const records = PLACES.slice(0, 60).map(
    ({ title, location: { latitude, longitude, address } }, number) => ({
      name: title,
      address: number % 2 === 0 ? address.full : "",
      phone: "",
      website: "",
      ...(number % 3 > 0 && { location: { latitude, longitude } }),
    }),
  );
  const [parts, one] = await Promise.all(
    [divided, whole].map(async (index) => {
      const search = createPlaceSearch(index, { deadlineMs: 20_000 });
      await search.prepared;
      return search.match(records);
    }),
  );
  expect(parts).toEqual(one);
  expect(parts?.matches.filter(({ place }) => place !== undefined).length).toBeGreaterThan(50);
});
