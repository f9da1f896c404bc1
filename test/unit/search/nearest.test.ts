import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { distanceMeters } from "../../../src/place/coordinates.ts";
import type { PlaceDocument } from "../../../src/place/place-document.ts";
import { findNearest } from "../../../src/search/nearest.ts";
import { createSearchContext, PAGE_POOL } from "../../../src/search/plan.ts";
import { buildPlace } from "../../support/build-place.ts";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { pointAt } from "../../support/points.ts";

const CENTRE = { latitude: 10.776, longitude: 106.7 };
const COFFEE = { filter: { types: ["COFFEE"] }, share: 0.02 };

const cafe = (meters: number, bearing: number): PlaceDocument =>
  buildPlace({ title: `Quán ${meters}`, type: "COFFEE", location: pointAt(CENTRE, meters, bearing) });
const shop = (meters: number, bearing: number): PlaceDocument =>
  buildPlace({ title: "Shop", type: "PLACE", location: pointAt(CENTRE, meters, bearing) });

async function contextOver(places: readonly PlaceDocument[], refinements = {}) {
  const index = createMemoryIndex(places);
  const request = { query: "", centre: CENTRE, limit: 20, offset: 0, refinements };
  const signal = AbortSignal.timeout(10_000);
  const context = createSearchContext({
    index,
    request,
    census: await index.readCensus(),
    pool: PAGE_POOL,
    signal,
  });
  return { index, context };
}

const metersOf = (places: readonly { location: typeof CENTRE }[]): number[] =>
  [...new Set(places.map(({ location }) => Math.round(distanceMeters(CENTRE, location))))].toSorted(
    (a, b) => a - b,
  );

describe("the nearest places", () => {
  const spots = fc.array(
    fc.record({ meters: fc.integer({ min: 1, max: 200_000 }), bearing: fc.integer({ min: 0, max: 359 }) }),
    // From a spot with more places than a lookup returns, the best known are returned.
    { maxLength: PAGE_POOL.most },
  );

  test("are found wherever they lie, however badly their share was guessed", async () => {
    await fc.assert(
      fc.asyncProperty(spots, fc.double({ min: 0.001, max: 1, noNaN: true }), async (found, share) => {
        const places = [
          ...found.map(({ meters, bearing }) => cafe(meters, bearing)),
          ...Array.from({ length: 50 }, (_, i) => shop(i * 900, i * 40)),
        ];
        const { context } = await contextOver(places);
        const nearest = await findNearest({ wanted: [{ ...COFFEE, share }] }, context);
        const wanted = metersOf(places.filter(({ type }) => type === "COFFEE")).slice(0, 3);
        expect(metersOf(nearest.places).slice(0, 3)).toStrictEqual(wanted);
      }),
      { numRuns: 60 },
    );
  });

  test("take one round where their share was guessed well", async () => {
    const { index, context } = await contextOver(
      Array.from({ length: 3_000 }, (_, i) => (i % 50 === 0 ? cafe(i, i * 7) : shop(i, i * 7))),
    );
    const { places } = await findNearest({ wanted: [COFFEE] }, context);
    expect(index.rounds).toHaveLength(1);
    expect(metersOf(places).slice(0, 3)).toStrictEqual([0, 50, 100]);
  });

  test("take at most three rounds where it was guessed badly", async () => {
    const crowd = Array.from({ length: 2_000 }, (_, i) => cafe(i * 5, i * 7));
    const { index, context } = await contextOver(crowd);
    const { places } = await findNearest({ wanted: [{ ...COFFEE, share: 0.000_1 }] }, context);
    expect(index.rounds.length).toBeLessThanOrEqual(3);
    expect(metersOf(places).slice(0, 20)).toStrictEqual(Array.from({ length: 20 }, (_, i) => i * 5));
  });

  test("of a filter that no place matches are none, after a lookup everywhere", async () => {
    const { index, context } = await contextOver(Array.from({ length: 500 }, (_, i) => shop(i * 100, i)));
    expect((await findNearest({ wanted: [COFFEE] }, context)).places).toStrictEqual([]);
    expect(index.rounds.length).toBeLessThanOrEqual(3);
    expect(index.rounds.at(-1)?.[0]?.filter).not.toHaveProperty("cells");
  });

  test("that may be few take one round where they are few", async () => {
    const shops = Array.from({ length: 900 }, (_, i) => shop(i * 20, i * 7));
    const { index, context } = await contextOver([...shops, cafe(15_000, 0)]);
    const { places } = await findNearest({ wanted: [{ ...COFFEE, share: 0.9, mayBeFew: true }] }, context);
    expect(metersOf(places)).toStrictEqual([15_000]);
    expect(index.rounds).toHaveLength(1);
  });

  test("are not looked for outside the widest ring", async () => {
    const { index, context } = await contextOver([
      cafe(90_000, 0),
      ...Array.from({ length: 900 }, (_, i) => shop(i, i)),
    ]);
    const widest = context.rings.holding(100);
    expect((await findNearest({ wanted: [{ ...COFFEE, widest }] }, context)).places).toStrictEqual([]);
    expect(index.rounds.flat().every(({ filter }) => filter.cells !== undefined)).toBe(true);
  });

  test("in a radius are looked for in the whole circle at once", async () => {
    const places = Array.from({ length: 40 }, (_, i) => cafe(i * 1_000, i * 9));
    const { index, context } = await contextOver(places, { radiusMeters: 3_000 });
    const { places: found } = await findNearest({ wanted: [{ ...COFFEE, share: 1 }] }, context);
    expect(metersOf(found)).toEqual(expect.arrayContaining([0, 1_000, 2_000, 3_000]));
    expect(index.rounds).toHaveLength(1);
  });
});

test("lookups that go along have their results in the same order", async () => {
  const { index, context } = await contextOver([cafe(100, 0), shop(200, 0)]);
  const named = (name: string) => ({ filter: { names: [name] }, limit: 5 });
  const { places, along } = await findNearest(
    { wanted: [COFFEE], along: [named("shop"), named("nobody")] },
    context,
  );
  expect(places.map(({ title }) => title)).toStrictEqual(["Quán 100"]);
  expect(along.map(({ total }) => total)).toStrictEqual([1, 0]);
  expect(index.rounds).toHaveLength(1);
});
