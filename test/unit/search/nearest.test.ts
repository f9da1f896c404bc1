import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cellsOf } from "../../../src/place/cells.ts";
import { distanceMeters } from "../../../src/place/coordinates.ts";
import type { PlaceDocument } from "../../../src/place/place-document.ts";
import { findNearest } from "../../../src/search/nearest.ts";
import { createSearchContext, PAGE_POOL } from "../../../src/search/search-context.ts";
import { buildPlace } from "../../support/build-place.ts";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { pointAt } from "../../support/points.ts";

const CENTRE = { latitude: 10.776, longitude: 106.7 };
const COFFEE = { filter: { types: ["COFFEE"] }, share: 0.02 };

const cafe = (meters: number, bearing: number): PlaceDocument =>
  buildPlace({ title: `Quán ${meters}`, type: "COFFEE", location: pointAt(CENTRE, meters, bearing) });
const shop = (meters: number, bearing: number): PlaceDocument =>
  buildPlace({ title: "Shop", type: "PLACE", location: pointAt(CENTRE, meters, bearing) });

/** Without a census the rings are those of the middle of a large city. */
async function contextOver(places: readonly PlaceDocument[], refinements = {}, isCounted = true) {
  const index = createMemoryIndex(places);
  const request = { query: "", centre: CENTRE, limit: 20, offset: 0, refinements };
  const context = createSearchContext({
    findPlaces: (lookups) => index.findPlaces(lookups, AbortSignal.timeout(10_000)),
    request,
    census: isCounted ? await index.readCensus() : undefined,
    pool: PAGE_POOL,
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
    // The index has the far ones first.
    const crowd = Array.from({ length: 2_000 }, (_, i) => cafe(i * 5, i * 7)).toReversed();
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

  test("that may be few are looked for further only where they are not", async () => {
    const banks = Array.from({ length: 30 }, (_, i) =>
      buildPlace({ title: "Bank", type: "BANK", location: pointAt(CENTRE, 15_000 + i * 10, i * 7) }),
    );
    const shops = Array.from({ length: 900 }, (_, i) => shop(i * 20, i * 7));
    const { index, context } = await contextOver([...shops, ...banks, cafe(15_000, 0)]);
    const [cafes, others] = [COFFEE, { filter: { types: ["BANK"] } }].map((wanted) => ({
      ...wanted,
      share: 0.9,
      mayBeFew: true,
    }));
    const { places } = await findNearest({ wanted: [cafes!, others!] }, context);
    expect(metersOf(places).slice(0, 3)).toStrictEqual([15_000, 15_010, 15_020]);
    expect(
      new Set(index.rounds.slice(1).flatMap((round) => round.map(({ filter }) => filter.types))),
    ).toStrictEqual(new Set([["BANK"]]));
  });

  test("are looked for in the region and then everywhere in the last rounds, if no ring held too many", async () => {
    const { index, context } = await contextOver([cafe(150_000, 0)], {}, false);
    const { places } = await findNearest({ wanted: [{ ...COFFEE, share: 1 }] }, context);
    expect(metersOf(places)).toStrictEqual([150_000]);
    const [, , inRegion, everywhere] = index.rounds.map(([lookup]) => lookup?.filter.cells);
    expect(inRegion).toEqual(context.rings.region.cells);
    expect(everywhere).toBeUndefined();
    expect(index.rounds).toHaveLength(4);
  });

  test("are looked for between a ring with too few and one with too many", async () => {
    const crowd = Array.from({ length: 600 }, (_, i) => cafe(1_000 + i * 20, i * 7)).toReversed();
    const shops = Array.from({ length: 2_000 }, (_, i) => shop(i * 2, i * 7));
    const { index, context } = await contextOver([...crowd, ...shops]);
    const { places } = await findNearest({ wanted: [{ ...COFFEE, share: 0.1 }] }, context);
    expect(metersOf(places).slice(0, 3)).toStrictEqual([1_000, 1_020, 1_040]);
    expect(index.rounds).toHaveLength(3);
  });

  test("of several filters are looked up in no greater number than those of one", async () => {
    const { index, context } = await contextOver([cafe(100, 0), shop(200, 0)]);
    const filters = ["COFFEE", "BANK", "BAR"].map((type) => ({ filter: { types: [type] }, share: 1 }));
    await findNearest({ wanted: filters }, context);
    expect(index.rounds[0]?.map(({ limit }) => limit)).toStrictEqual([20, 20, 20]);
  });

  test("are enough when there are as many as a page has", async () => {
    const cafes = (count: number) => Array.from({ length: count }, (_, i) => cafe(i, i * 7));
    const roundsFor = async (count: number): Promise<number> => {
      const shops = Array.from({ length: 5_000 }, (_, i) => shop(i * 10, i * 7));
      const { index, context } = await contextOver([...cafes(count), ...shops]);
      await findNearest({ wanted: [{ ...COFFEE, share: 0.1 }] }, context);
      return index.rounds.length;
    };
    expect(await roundsFor(PAGE_POOL.enough)).toBe(1);
    expect(await roundsFor(PAGE_POOL.enough - 1)).toBeGreaterThan(1);
  });

  describe("in the corners of a ring of hexagons", () => {
    const SHOPS = Array.from({ length: 3_000 }, (_, i) => shop(i * 4, i * 7));

    /** A ring that holds some places beyond its reach, and the nearest spot outside of it. */
    async function ringWithCorners() {
      const { context } = await contextOver(SHOPS);
      const ring = context.rings.holding(400);
      const reach = Math.floor(ring.reachMeters());
      const spotsAt = (meters: number, isWithin: boolean) =>
        Array.from({ length: 360 }, (_, bearing) => bearing).filter(
          (bearing) =>
            cellsOf(pointAt(CENTRE, meters, bearing)).some((cell) => ring.cells?.includes(cell)) === isWithin,
        );
      const outside = Array.from({ length: 1_000 }, (_, i) => reach + i).find(
        (meters) => spotsAt(meters, false).length > 0,
      )!;
      const corner = spotsAt(outside + 20, true).map((bearing) => cafe(outside + 20, bearing));
      return {
        reach,
        outside: cafe(outside, spotsAt(outside, false)[0]!),
        outsideMeters: outside,
        corner: corner.slice(0, 25),
        share: (0.8 * PAGE_POOL.most) / 400,
      };
    }

    test("places do not hide a nearer one outside of it", async () => {
      const { outside, outsideMeters, corner, share } = await ringWithCorners();
      const { context } = await contextOver([...SHOPS, ...corner, outside]);
      const { places } = await findNearest({ wanted: [{ ...COFFEE, share }] }, context);
      expect(metersOf(places).slice(0, 2)).toStrictEqual([outsideMeters, outsideMeters + 20]);
    });

    test("further places are not needed when three are within reach", async () => {
      const { reach, corner, share } = await ringWithCorners();
      const roundsWith = async (within: number): Promise<number> => {
        const near = Array.from({ length: within }, (_, i) => cafe(reach - 10, i * 90));
        const { index, context } = await contextOver([...SHOPS, ...corner, ...near]);
        await findNearest({ wanted: [{ ...COFFEE, share }] }, context);
        return index.rounds.length;
      };
      expect(await roundsWith(2)).toBeGreaterThan(1);
      expect(await roundsWith(3)).toBe(1);
    });
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

test("accompanying lookups return results in the same order", async () => {
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
