import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boundsAround, distanceMeters, isInBounds } from "../../../src/place/geometry/coordinates.ts";
import { detourMeters, isInPolygon, isInShape } from "../../../src/place/geometry/shapes.ts";
import { isOpenAt } from "../../../src/place/time/open-state.ts";
import type { OpeningHours, PlaceDocument } from "../../../src/place/document/place-document.ts";
import { createPlaceSearch } from "../../../src/search/search-places.ts";
import type { Refinements } from "../../../src/search/search-request.ts";
import { buildPlace } from "../../support/build-place.ts";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { CENTRE, placeAt, requestOf, searchAmong } from "../../support/memory-search.ts";
import { pointAt } from "../../support/points.ts";

/** What is looked up for the list and not for its count has its order. */
const counting = (refinements: Refinements) =>
  requestOf("", {
    refinements,
    sort: refinements.route || refinements.polygon ? "rating" : "distance",
    isCounted: true,
  });

/** Counts, and what was looked up for it. */
async function countAmong(places: readonly PlaceDocument[], refinements: Refinements) {
  const index = createMemoryIndex(places);
  const search = createPlaceSearch(index);
  await search.prepared;
  const before = index.rounds.length;
  const { total } = await search.search(counting(refinements));
  const lookups = index.rounds
    .slice(before)
    .flat()
    .filter(({ order }) => order === undefined);
  return { total, lookups };
}

const NOON = Temporal.Instant.from("2026-11-18T12:00:00+07:00");

describe("a count in a shape", () => {
  /** Six thousand places on one spot, so that one cell holds all of them. */
  const crowd = Array.from({ length: 6_000 }, () => buildPlace({ location: pointAt(CENTRE, 30, 90) }));
  const corridor = (radiusMeters: number): Refinements => ({
    route: { line: [CENTRE, pointAt(CENTRE, 2_000, 0)], radiusMeters },
  });

  test("that is wide reads only the places near its edge", async () => {
    const places = Array.from({ length: 900 }, (_, i) =>
      buildPlace({ location: { ...pointAt(CENTRE, (i * 37) % 9_000, i * 41) } }),
    );
    const polygon = { rings: [[0, 90, 180, 270, 0].map((degrees) => pointAt(CENTRE, 8_000, degrees))] };
    const { total, lookups } = await countAmong(places, { polygon });
    expect(total).toBe(places.filter(({ location }) => isInPolygon(polygon, location)).length);
    const read = lookups.filter(({ limit }) => limit > 0);
    expect(read).toHaveLength(1);
    expect(read[0]!.filter.cells!.length).toBeLessThan(read[0]!.filter.within![0]!.length / 2);
  });

  test("that lets most of the places around it through reads little more than it shows", async () => {
    const { total, lookups } = await countAmong(crowd, corridor(40));
    expect(total).toBe(1_000);
    expect(lookups.reduce((sum, { limit }) => sum + limit, 0)).toBeLessThanOrEqual(1_500);
  });

  test("that lets none of very many through is refused, before they are read", async () => {
    const index = createMemoryIndex(crowd);
    const search = createPlaceSearch(index);
    await search.prepared;
    const before = index.rounds.length;
    await expect(search.search(counting(corridor(5)))).rejects.toMatchObject({
      code: "query_too_expensive",
      errors: [{ parameter: "route" }],
    });
    const read = index.rounds.slice(before).flat();
    expect(read.reduce((sum, { limit }) => sum + limit, 0)).toBeLessThan(4_000);
  });
});

test("a name that few places have is counted in one lookup, which is read for its list, too", async () => {
  const named = [10, 400, 5_000].map((meters) => placeAt(meters, "Zanzibar Quixote"));
  const index = createMemoryIndex(named);
  const search = createPlaceSearch(index);
  await search.prepared;
  const before = index.rounds.length;
  const refinements = { bounds: boundsAround(CENTRE, 1_000)! };
  const request = { refinements, isCounted: true, sort: "distance" } as const;
  const { total, places } = await search.search(requestOf("zanzibar quixote", request));
  expect([total, places.length]).toStrictEqual([2, 2]);
  expect(index.rounds.slice(before).flat()).toHaveLength(1);
});

describe("what a count has read, its list does not read again:", () => {
  /** All that was read for a request, in places. */
  async function readFor(places: readonly PlaceDocument[], request: Parameters<typeof requestOf>[1]) {
    const index = createMemoryIndex(places);
    const search = createPlaceSearch(index);
    await search.prepared;
    const before = index.rounds.length;
    const found = await search.search(requestOf("", { isCounted: true, ...request }));
    const read = index.rounds.slice(before).flat();
    return { ...found, index, read: read.filter(({ limit }) => limit > 0) };
  }
  const line = [CENTRE, pointAt(CENTRE, 9_000, 90)];
  const alongLine = (metersBeside: number, many: number): PlaceDocument[] =>
    Array.from({ length: many }, (_, i) =>
      buildPlace({ location: pointAt(pointAt(CENTRE, (i * 37) % 9_000, 90), metersBeside + (i % 60), 0) }),
    );

  test.for(["detour", "distance", "rating", "prominence"] as const)(
    "all beside a way, by %s",
    async (sort) => {
      const route = { line, radiusMeters: 300 };
      const places = alongLine(260, 240);
      const {
        total,
        read,
        places: listed,
      } = await readFor(places, { refinements: { route }, sort, limit: 50 });
      expect(total).toBe(places.filter(({ location }) => isInShape(route, location)).length);
      expect(listed).toHaveLength(50);
      expect(read).toHaveLength(1);
    },
  );

  test.for(["rating", "prominence"] as const)(
    "and lists it in the order of the index, by %s",
    async (sort) => {
      const route = { line, radiusMeters: 300 };
      const places = alongLine(260, 240).map((place, i) => ({
        ...place,
        rating: (i % 9) / 2,
        reviews: i % 7,
      }));
      const request = { refinements: { route }, sort, limit: 50 };
      const counted = await searchAmong(places, "", { ...request, isCounted: true });
      const { places: listed } = await searchAmong(places, "", request);
      expect(counted.places.map(({ place }) => place.data_id)).toEqual(
        listed.map(({ place }) => place.data_id),
      );
    },
  );

  test.for([true, false])(
    "two thousand beside a way, a late page by detour; counted too: %s",
    async (isCounted) => {
      const route = { line, radiusMeters: 300 };
      const places = alongLine(0, 2_000);
      const request = { refinements: { route }, sort: "detour", offset: 200, limit: 50, isCounted } as const;
      const { index, read, places: listed } = await readFor(places, request);
      const detours = places.map(({ location }) => detourMeters(route, location)).toSorted((a, b) => a - b);
      const shown = listed.map(({ place }) => detourMeters(route, place.location));
      expect(shown.map(Math.round)).toEqual(detours.slice(200, 250).map(Math.round));
      const results = await index.findPlaces(read, new AbortController().signal);
      const ids = results.flatMap((result) => result.places.map(({ id }) => id));
      expect(new Set(ids).size).toBe(ids.length);
    },
  );

  test("a deep page of what is quiet is counted as it is listed", async () => {
    const busy = { at: NOON, maxPercent: 30 };
    const popular_times = Array.from({ length: 7 }, () => [{ hour: 12, occupancy_percent: 20 }]);
    const places = Array.from({ length: 280 }, (_, i) =>
      buildPlace({ popular_times, location: pointAt(CENTRE, i, 90) }),
    );
    const page = { refinements: { busy }, sort: "distance", offset: 200, limit: 50 } as const;
    const { total, places: listed, read } = await readFor(places, page);
    expect([total, listed.length]).toEqual([280, 50]);
    expect(read.every(({ order }) => order?.by === "distance")).toBe(true);
  });
});

test("of a rectangle far from the centre, the list reads few places outside of it", async () => {
  const middle = pointAt(CENTRE, 20_000, 90);
  const places = Array.from({ length: 4_000 }, (_, i) =>
    buildPlace({ location: pointAt(middle, (i * 37) % 3_000, i * 41) }),
  );
  const [{ longitude: west }, { longitude: east }] = [
    pointAt(middle, 1_000, 270),
    pointAt(middle, 1_000, 90),
  ];
  const [{ latitude: south }, { latitude: north }] = [pointAt(middle, 1_000, 180), pointAt(middle, 1_000, 0)];
  const index = createMemoryIndex(places);
  const search = createPlaceSearch(index);
  await search.prepared;
  const before = index.rounds.length;
  const bounds = { west, south, east, north };
  const found = await search.search(requestOf("", { refinements: { bounds }, sort: "distance", limit: 50 }));
  expect(found.places).toHaveLength(50);
  const read = index.rounds.slice(before).flat();
  expect(Math.max(...read.map(({ limit }) => limit))).toBeLessThan(300);
});

test("a count of a kind of two words reads only names of other types, and what is near the edge", async () => {
  const at = (i: number) => ({ location: pointAt(CENTRE, (i * 37) % 3_000, i * 41) });
  const others = ["Cà Phê Sách", "Nhà sách cà phê", "Phê bình cà", "Hoa"].map((title, i) =>
    buildPlace({ title, type: "BOOKSTORE", ...at(i) }),
  );
  const cafes = Array.from({ length: 400 }, (_, i) => buildPlace({ type: "COFFEE", ...at(i) }));
  const index = createMemoryIndex([...cafes, ...others]);
  const search = createPlaceSearch(index);
  await search.prepared;
  const refinements = { bounds: { west: 106, south: 10, east: 108, north: 12 } };
  const before = index.rounds.length;
  const { total } = await search.search(
    requestOf("cà phê", { refinements, sort: "distance", limit: 1, isCounted: true }),
  );
  expect(total).toBe(402);
  // What has the type is read at the edge of the rectangle only.
  const read = index.rounds
    .slice(before)
    .flat()
    .filter(({ order, limit }) => order === undefined && limit > 0);
  const leftOut = read.map(({ filter: { noneOf = [] } }) => noneOf.flatMap(Object.keys));
  expect(leftOut).toEqual([["inside"], ["types"]]);
});

test("a count of what is quiet reads each place, and ends at 300", async () => {
  const popular_times = Array.from({ length: 7 }, () => [{ hour: 12, occupancy_percent: 20 }]);
  const places = Array.from({ length: 700 }, (_, i) =>
    buildPlace({ popular_times: i % 2 === 0 ? popular_times : [], location: { ...pointAt(CENTRE, i, 90) } }),
  );
  const busy = { at: NOON, maxPercent: 30 };
  expect((await countAmong(places.slice(0, 500), { busy })).total).toBe(250);
  expect((await countAmong(places, { busy })).total).toBe(300);
});

const daily = (...ranges: OpeningHours["week"][number]): OpeningHours["week"] =>
  Array.from({ length: 7 }, () => ranges);

const placeIn = (
  timezone: string,
  week: OpeningHours["week"],
  special_days: OpeningHours["special_days"] = [],
): PlaceDocument =>
  buildPlace({ location: { ...pointAt(CENTRE, 500, 90), timezone }, opening_hours: { week, special_days } });

const HOME = "Asia/Ho_Chi_Minh";

describe("a count of what is open", () => {
  const usual = [placeIn(HOME, daily([480, 1320])), placeIn(HOME, daily([1080, 1320]))];

  test("reads no place with usual hours", async () => {
    const { total, lookups } = await countAmong(usual, { openAt: NOON });
    expect(total).toBe(1);
    const read = lookups.filter(({ limit }) => limit > 0);
    expect(read.length).toBeGreaterThan(0);
    expect(read.every(({ filter }) => filter.special !== undefined)).toBe(true);
  });

  test("is right on special days: of a place that is closed today, open today, or special on another day", async () => {
    const specials = [
      placeIn(HOME, daily([480, 1320]), [{ date: "2026-11-18", ranges: [] }]),
      placeIn(HOME, daily([1080, 1320]), [{ date: "2026-11-18", ranges: [[480, 1320]] }]),
      placeIn(HOME, daily(), [{ date: "2026-11-17", ranges: [[1080, 2200]] }]),
      placeIn(HOME, daily([480, 1320]), [{ date: "2026-12-24", ranges: [] }]),
    ];
    const open = specials.filter((place) => isOpenAt(place, NOON));
    expect(open).toHaveLength(3);
    expect((await countAmong([...usual, ...specials], { openAt: NOON })).total).toBe(1 + open.length);
  });

  test.each([
    // The clock in Berlin goes back from 3:00 to 2:00, and in spring forward from 2:00 to 3:00.
    { what: "put back", change: "2026-10-25T01:00:00Z" },
    { what: "put forward", change: "2026-03-29T01:00:00Z" },
  ])("is right around a clock that is $what, where hours are read again", async ({ change }) => {
    const places = [
      placeIn("Europe/Berlin", daily([1200, 1590])),
      placeIn("Europe/Berlin", daily([60, 130])),
      placeIn("Europe/Berlin", daily([150, 240])),
      placeIn("Europe/Berlin", daily([0, 1440])),
    ];
    for (let minutes = -180; minutes <= 1_800; minutes += 30) {
      const openAt = Temporal.Instant.from(change).add({ minutes });
      const { total } = await countAmong(places, { openAt });
      expect([minutes, total]).toStrictEqual([minutes, places.filter((one) => isOpenAt(one, openAt)).length]);
    }
  });

  test("is right for time zones whose parts of the week have the same names", async () => {
    const openAt = Temporal.Instant.from("2026-11-18T11:00:00Z");
    const places = [
      placeIn("Europe/Paris", daily([660, 840])),
      placeIn("Indian/Kerguelen", daily([660, 840])),
      placeIn("Indian/Kerguelen", daily([900, 1020])),
    ];
    const open = places.filter((place) => isOpenAt(place, openAt));
    expect(open).toHaveLength(2);
    expect((await countAmong(places, { openAt })).total).toBe(open.length);
  });
});

describe("a count in a circle and a rectangle", () => {
  const places = Array.from({ length: 200 }, (_, i) =>
    buildPlace({ location: { ...pointAt(CENTRE, (i * 37) % 3_000, i * 41) } }),
  );
  const bounds = { west: 106.69, south: 10.765, east: 106.715, north: 10.79 };

  test("has every place that lies in both, and none that does not", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4_000 }), fc.boolean(), async (radiusMeters, isBounded) => {
        const within = places.filter(
          ({ location }) =>
            distanceMeters(CENTRE, location) <= radiusMeters && (!isBounded || isInBounds(bounds, location)),
        );
        const { total } = await countAmong(places, { radiusMeters, ...(isBounded && { bounds }) });
        expect(total).toBe(within.length);
      }),
      { numRuns: 25 },
    );
  });

  test("reads only the places near the edge", async () => {
    const { lookups } = await countAmong(places, { radiusMeters: 2_000 });
    const read = lookups.filter(({ limit }) => limit > 0);
    expect(read.map(({ filter }) => filter.noneOf)).toMatchObject([[{ inside: {} }]]);
  });
});

test("a list of a way that few of the places around it lie beside reads them all at the second lookup", async () => {
  const route = { line: [CENTRE, pointAt(CENTRE, 9_000, 90)], radiusMeters: 10 };
  const places = Array.from({ length: 800 }, (_, i) =>
    buildPlace({ location: pointAt(pointAt(CENTRE, (i * 37) % 9_000, 90), i % 100 === 50 ? 5 : 60, 0) }),
  );
  const { places: found, rounds } = await searchAmong(places, "", {
    refinements: { route },
    sort: "prominence",
  });
  expect(found).toHaveLength(8);
  const limits = rounds.flat().map(({ limit }) => limit);
  expect(limits).toHaveLength(2);
  expect(limits[1]).toBeGreaterThan(800);
});

test("a list of a way with many places around it, the best known of which lie further off, reads four times as many at most", async () => {
  const route = { line: [CENTRE, pointAt(CENTRE, 9_000, 90)], radiusMeters: 10 };
  const places = Array.from({ length: 4_500 }, (_, i) =>
    buildPlace({
      location: pointAt(pointAt(CENTRE, (i * 37) % 9_000, 90), i < 90 ? 60 : 5, 0),
      ...(i < 90 && { rating: 5, reviews: 1_000 }),
    }),
  );
  const { places: found, rounds } = await searchAmong(places, "", {
    refinements: { route },
    sort: "prominence",
  });
  expect(found).toHaveLength(20);
  const [first = 0, second = 0, ...others] = rounds.flat().map(({ limit }) => limit);
  expect(second).toBe(4 * first);
  expect(others).toEqual([]);
});

test("what the count of a query found no place for, its list does not look up again", async () => {
  const index = createMemoryIndex([buildPlace({ title: "Phở Thìn Bờ Hồ" })]);
  const search = createPlaceSearch(index);
  await search.prepared;
  const countRounds = async (isCounted: boolean): Promise<number> => {
    const before = index.rounds.length;
    const { total = 0 } = await search.search(
      requestOf("phở thin nguyen trai", { sort: "distance", isCounted }),
    );
    expect(total).toBe(0);
    return index.rounds.length - before;
  };
  expect(await countRounds(true)).toBeLessThanOrEqual(await countRounds(false));
});
