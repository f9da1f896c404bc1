import { expect, test } from "vitest";
import { distanceMeters } from "../../../src/place/geometry/coordinates.ts";
import { isInPolygon } from "../../../src/place/geometry/shapes.ts";
import { dataIdIdentity } from "../../../src/place/document/data-id.ts";
import { createPlaceSearch } from "../../../src/search/search-places.ts";
import { buildPlace } from "../../support/build-place.ts";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { pointAt } from "../../support/points.ts";
import { createRandom } from "../../support/random.ts";

/** A market hall: thousands of places in a few cells of the finest resolution. */
const CENTRE = { latitude: 10.776, longitude: 106.7 };
const random = createRandom(31);
const nearCentre = () => ({
  latitude: CENTRE.latitude + (random.fraction() - 0.5) * 0.004,
  longitude: CENTRE.longitude + (random.fraction() - 0.5) * 0.004,
});

const places = Array.from({ length: 6_000 }, (_, number) =>
  buildPlace({
    data_id: `0x1:0x${(number + 1).toString(16)}`,
    title: `Quầy ${number}`,
    type: number % 3 === 0 ? "COFFEE" : "RESTAURANT",
    location: nearCentre(),
  }),
);
const index = createMemoryIndex(places);
const search = createPlaceSearch(index);
await search.prepared;

const nearest = (centre: typeof CENTRE, type: string | undefined, limit: number): string[] =>
  places
    .filter((place) => type === undefined || place.type === type)
    .map((place) => ({ id: dataIdIdentity(place.data_id), meters: distanceMeters(centre, place.location) }))
    .toSorted((one, other) => one.meters - other.meters || (one.id < other.id ? -1 : 1))
    .slice(0, limit)
    .map(({ id }) => id);

test.each([
  ["of any kind", undefined, 20],
  ["of a kind", "COFFEE", 20],
  ["at great depth", undefined, 250],
] as const)("the nearest of thousands of neighbours %s are the nearest", async (_, type, limit) => {
  for (const centre of Array.from({ length: 8 }, nearCentre)) {
    const request = { query: "", centre, limit, offset: 0, sort: "distance" as const };
    const { places: found } = await search.search({
      ...request,
      ...(type && { refinements: { types: [type] } }),
    });
    expect(found.map(({ place }) => dataIdIdentity(place.data_id))).toEqual(nearest(centre, type, limit));
  }
});

/** The nearest places, and the most that one lookup sorted by distance for them. */
async function listNearest(centre: typeof CENTRE): Promise<{ ids: string[]; mostSorted: number }> {
  const before = index.rounds.length;
  const { places: found } = await search.search({
    query: "",
    centre,
    limit: 20,
    offset: 0,
    sort: "distance",
  });
  const lookups = index.rounds.slice(before).flat();
  const sorted = lookups.filter(({ order }) => order?.by === "distance");
  const counts = await index.findPlaces(
    sorted.map((lookup) => ({ ...lookup, limit: 0 })),
    new AbortController().signal,
  );
  const ids = found.map(({ place }) => dataIdIdentity(place.data_id));
  return { ids, mostSorted: Math.max(...counts.map(({ total }) => total)) };
}

test("few of them are sorted for a short list", async () => {
  expect((await listNearest(CENTRE)).mostSorted).toBeLessThan(1_000);
});

test.each([300, 450, 700, 1_500, 4_000])(
  "at %i m from the hall too, the list is right and at most half of the hall is sorted",
  async (meters) => {
    for (const bearing of [10, 100, 190, 280]) {
      const centre = pointAt(CENTRE, meters, bearing);
      const { ids, mostSorted } = await listNearest(centre);
      expect(ids).toEqual(nearest(centre, undefined, 20));
      expect(mostSorted).toBeLessThan(3_000);
    }
  },
);

test("a list in a narrow shape goes on around what it has read, instead of reading it again", async () => {
  const { latitude, longitude } = CENTRE;
  // Along a strip 20 m wide that leads 6 km to the east, which one place in thirty lies in.
  const alongStrip = Array.from({ length: 6_000 }, (_, number) =>
    buildPlace({
      data_id: `0x1:0x${(number + 1).toString(16)}`,
      location: {
        latitude: latitude + (random.fraction() - 0.5) * 0.0054,
        longitude: longitude + random.fraction() * 0.054,
      },
    }),
  );
  const stripIndex = createMemoryIndex(alongStrip);
  const inStrip = createPlaceSearch(stripIndex);
  await inStrip.prepared;
  const corners = [
    [-0.00009, 0],
    [-0.00009, 0.054],
    [0.00009, 0.054],
    [0.00009, 0],
    [-0.00009, 0],
  ];
  const ring = corners.map(([lat = 0, lng = 0]) => ({
    latitude: latitude + lat,
    longitude: longitude + lng,
  }));
  const polygon = { rings: [ring] };
  const before = stripIndex.rounds.length;
  const { places: found } = await inStrip.search({
    query: "",
    centre: CENTRE,
    limit: 50,
    offset: 0,
    sort: "distance",
    refinements: { polygon },
  });
  const expected = alongStrip
    .filter(({ location }) => isInPolygon(polygon, location))
    .map((place) => ({ id: dataIdIdentity(place.data_id), meters: distanceMeters(CENTRE, place.location) }))
    .toSorted((one, other) => one.meters - other.meters || (one.id < other.id ? -1 : 1))
    .slice(0, 50);
  expect(found.map(({ place }) => dataIdIdentity(place.data_id))).toEqual(expected.map(({ id }) => id));
  const results = await stripIndex.findPlaces(
    stripIndex.rounds.slice(before).flat(),
    new AbortController().signal,
  );
  const read = results.flatMap((result) => result.places.map(({ id }) => id));
  expect(read.length).toBeLessThan(1.5 * new Set(read).size);
});
