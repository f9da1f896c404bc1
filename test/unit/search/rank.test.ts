import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PlaceCandidate } from "../../../src/meilisearch/place-index.ts";
import { type TextQuality } from "../../../src/search/match.ts";
import {
  createRanking,
  hasNameAlike,
  inSortOrder,
  SEARCH_WEIGHTS,
  SUGGESTION_WEIGHTS,
  type Weights,
} from "../../../src/search/rank.ts";
import { buildCandidate } from "../../support/memory-index.ts";
import { pointAt } from "../../support/points.ts";

const CENTRE = { latitude: 10.776, longitude: 106.7 };

const placeAt = (meters: number, known: { rating?: number; reviews?: number; data_id?: string } = {}) =>
  buildCandidate({ location: pointAt(CENTRE, meters, 90), ...known });

const EQUALLY_GOOD: TextQuality = { quality: 0.8, isWholeName: false, isComplete: true, likeness: 0 };

interface RankOptions {
  readonly readText?: (place: PlaceCandidate) => TextQuality | undefined;
  readonly weights?: Weights;
}

function rank(
  places: readonly PlaceCandidate[],
  { readText = () => EQUALLY_GOOD, weights = SEARCH_WEIGHTS }: RankOptions = {},
) {
  const ranking = createRanking({ centre: CENTRE, weights, readText });
  ranking.add(places);
  return ranking.inOrder();
}

const idsOf = (ranked: readonly { place: PlaceCandidate }[]): string[] => ranked.map(({ place }) => place.id);

test("of equally good and equally known places the nearer comes first", () => {
  const [far, near, middle] = [placeAt(5_000), placeAt(50), placeAt(900)];
  expect(idsOf(rank([far, near, middle]))).toStrictEqual(
    idsOf([near, middle, far].map((place) => ({ place }))),
  );
});

test("of equally good and equally near places the better known comes first", () => {
  const [unknown, known] = [placeAt(100), placeAt(100, { rating: 4.6, reviews: 2_000 })];
  expect(idsOf(rank([unknown, known]))[0]).toBe(known.id);
});

test("words decide before nearness and fame", () => {
  const [named, famous] = [placeAt(20_000), placeAt(10, { rating: 5, reviews: 100_000 })];
  const readText = (place: PlaceCandidate): TextQuality =>
    place === named ? { quality: 1, isWholeName: true, isComplete: true, likeness: 0 } : EQUALLY_GOOD;
  expect(idsOf(rank([famous, named], { readText }))[0]).toBe(named.id);
});

test("of places that bear the whole name the nearest comes first, whatever is thought of it", () => {
  const [near, famous] = [placeAt(400), placeAt(600, { rating: 5, reviews: 100_000 })];
  const readText = (): TextQuality => ({ quality: 1, isWholeName: true, isComplete: true, likeness: 0 });
  expect(idsOf(rank([famous, near], { readText }))[0]).toBe(near.id);
});

test("among suggestions being near weighs more against the words than in a search", () => {
  const [near, far] = [placeAt(300), placeAt(3_000)];
  const readText = ({ id }: { id: string }) => ({ ...EQUALLY_GOOD, quality: id === near.id ? 0.93 : 1 });
  expect(idsOf(rank([near, far], { readText }))[0]).toBe(far.id);
  expect(idsOf(rank([near, far], { readText, weights: SUGGESTION_WEIGHTS }))[0]).toBe(near.id);
});

test("equal scores are in the order of the ids, in whatever order the places came", () => {
  const places = ["0x1:0xc", "0x1:0xa", "0x1:0xb"].map((data_id) => placeAt(100, { data_id }));
  expect(idsOf(rank(places))).toStrictEqual(idsOf(rank(places.toReversed())));
  expect(idsOf(rank(places))).toStrictEqual(["0xa", "0xb", "0xc"]);
});

test("a place that was found twice stands in the list once", () => {
  const place = placeAt(100);
  const ranking = createRanking({ centre: CENTRE, weights: SEARCH_WEIGHTS, readText: () => EQUALLY_GOOD });
  ranking.add([place, place]);
  ranking.add([place]);
  expect(ranking.inOrder()).toHaveLength(1);
});

test("a place that is no answer stands nowhere", () => {
  expect(rank([placeAt(1)], { readText: () => undefined })).toStrictEqual([]);
});

describe("another order", () => {
  const quality = (value: number) => (): TextQuality => ({ ...EQUALLY_GOOD, quality: value });
  const scored = (place: PlaceCandidate, value: number) => rank([place], { readText: quality(value) })[0]!;
  const good = scored(placeAt(900, { rating: 3, reviews: 9 }), 0.6);
  const better = scored(placeAt(500, { rating: 4, reviews: 9 }), 0.9);
  const poor = scored(placeAt(10, { rating: 5, reviews: 9 }), 0.59);
  const far = scored(placeAt(5_000, { rating: 4.5, reviews: 9 }), 1);
  const list = [far, better, good, poor];

  test("leaves out what matches badly, which would come first in it", () => {
    expect(inSortOrder(list, "distance")).toStrictEqual([better, good, far]);
    expect(inSortOrder(list, "rating")).toStrictEqual([far, better, good]);
  });

  test("is not that of relevance, which leaves nothing out", () => {
    expect(inSortOrder(list)).toStrictEqual(list);
    expect(inSortOrder(list, "relevance")).toStrictEqual(list);
  });
});

test("a name like the query is one with everything that was typed, or with a typo in five letters", () => {
  const withText = (text: Partial<TextQuality>) =>
    hasNameAlike(rank([placeAt(10)], { readText: () => ({ ...EQUALLY_GOOD, isComplete: false, ...text }) }));
  expect(withText({ isComplete: true })).toBe(true);
  expect(withText({ likeness: 0.8 })).toBe(true);
  expect(withText({ likeness: 0.79 })).toBe(false);
  expect(hasNameAlike([])).toBe(false);
});

describe("for any places", () => {
  const anyPlace = fc
    .record({
      meters: fc.integer({ min: 0, max: 2_000_000 }),
      rating: fc.constantFrom(0, 1, 3.5, 5),
      reviews: fc.nat(1_000_000),
    })
    .map(({ meters, ...known }) => placeAt(meters, known));

  test("the parts of a score add up to it, and the list goes down", () => {
    fc.assert(
      fc.property(fc.array(anyPlace, { maxLength: 20 }), (places) => {
        const ranked = rank(places);
        for (const { score, text, distance, prominence } of ranked) {
          expect(score).toBeCloseTo(text.quality + distance + prominence, 10);
          expect(distance).toBeGreaterThan(0);
          expect(distance).toBeLessThanOrEqual(SEARCH_WEIGHTS.distance);
          expect(prominence).toBeGreaterThanOrEqual(0);
          expect(prominence).toBeLessThanOrEqual(SEARCH_WEIGHTS.prominence);
        }
        const scores = ranked.map(({ score }) => score);
        expect(scores).toStrictEqual(scores.toSorted((a, b) => b - a));
      }),
    );
  });

  test("the order does not depend on the order in which they were found", () => {
    fc.assert(
      fc.property(fc.array(anyPlace, { maxLength: 20 }), (places) => {
        expect(idsOf(rank(places.toReversed()))).toStrictEqual(idsOf(rank(places)));
      }),
    );
  });
});
