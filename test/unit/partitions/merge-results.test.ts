import { expect, test } from "vitest";
import type { LookupOrder, PlaceCandidate } from "../../../src/meilisearch/place-index.ts";
import { mergeResults, type PartResult } from "../../../src/partitions/merge-results.ts";
import { pointAt } from "../../support/points.ts";

const CENTRE = { latitude: 10.7769, longitude: 106.7009 };

const place = (id: string, facts: Partial<PlaceCandidate> = {}): PlaceCandidate => ({
  id,
  title: id,
  foldedNames: [],
  foldedRest: "",
  type: "PLACE",
  location: CENTRE,
  prominence: 0,
  rating: 0,
  reviews: 0,
  ...facts,
});

const merged = (parts: readonly PartResult[], order?: LookupOrder, limit = 10): string =>
  mergeResults({ filter: {}, limit, ...(order && { order }) }, parts)
    .places.map(({ id }) => id)
    .join(" ");

test("the better known come first, of those alike the ones that were imported first, then by id", () => {
  const parts = [
    { places: [place("a", { prominence: 9 }), place("d"), place("z")], orders: [4, 3, undefined], total: 3 },
    {
      places: [place("b", { prominence: 30 }), place("c"), place("e"), place("y")],
      orders: [5, 1, 7, undefined],
      total: 4,
    },
  ];
  expect(merged(parts)).toBe("b a c d e y z");
});

test("words count before all else, as the engine says", () => {
  const parts = [
    { places: [place("a"), place("b")], scores: [0.9, 0.5], total: 2 },
    { places: [place("c", { prominence: 30 })], scores: [0.7], total: 1 },
  ];
  expect(merged(parts)).toBe("a c b");
});

test("lists by rating, prominence and distance keep their order", () => {
  const rated = [
    { places: [place("b", { rating: 5, reviews: 3 }), place("c", { rating: 4 })], total: 2 },
    {
      places: [place("a", { rating: 5, reviews: 9 }), place("d", { rating: 5, reviews: 3 })],
      total: 2,
    },
  ];
  expect(merged(rated, { by: "rating" })).toBe("a b d c");
  const known = [
    { places: [place("c", { prominence: 8.04 })], total: 1 },
    { places: [place("b", { prominence: 9 }), place("a", { prominence: 8 })], total: 2 },
  ];
  expect(merged(known, { by: "prominence" })).toBe("b a c");
  const at = (id: string, meters: number) => place(id, { location: pointAt(CENTRE, meters, 90) });
  const near = [
    { places: [at("far", 900), at("farther", 950)], total: 2 },
    { places: [at("near", 10)], total: 1 },
  ];
  expect(merged(near, { by: "distance", from: CENTRE })).toBe("near far farther");
});

test("the limit holds for all parts together, their totals add up, and a place that moves shows once", () => {
  const parts = [
    { places: [place("a"), place("b")], orders: [1, 4], total: 20 },
    { places: [place("a"), place("c")], orders: [1, 3], total: 5 },
  ];
  expect(merged(parts, undefined, 2)).toBe("a c");
  expect(mergeResults({ filter: {}, limit: 2 }, parts).total).toBe(25);
  expect(mergeResults({ filter: {}, limit: 2 }, [])).toEqual({ places: [], total: 0 });
});
