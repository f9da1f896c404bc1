import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PlaceCandidate } from "../../../src/meilisearch/place-index.ts";
import { type TextQuality } from "../../../src/search/match.ts";
import {
  addOrderWishes,
  asLastResort,
  asUnlikely,
  asWholeQuery,
  createRanking,
  hasNameAlike,
  hasWholeNameAlike,
  inSortOrder,
  KIND_WEIGHTS,
  NEAREST_WEIGHTS,
  NOTABLE_WEIGHTS,
  outsideArea,
  SEARCH_WEIGHTS,
  SUGGESTION_WEIGHTS,
  type ScoredPlace,
  type Weights,
} from "../../../src/search/rank.ts";
import type { Wishes } from "../../../src/search/reading/reading.ts";
import { readQueryWords } from "../../../src/search/reading/tokens.ts";
import { buildPlace, type PlaceFacts } from "../../support/build-place.ts";
import { buildCandidate } from "../../support/memory-index.ts";
import { pointAt } from "../../support/points.ts";

const CENTRE = { latitude: 10.776, longitude: 106.7 };

const placeAt = (meters: number, facts: PlaceFacts = {}) =>
  buildCandidate({ ...facts, location: pointAt(CENTRE, meters, 90) });

const EQUALLY_GOOD: TextQuality = { quality: 0.8, isWholeName: false, isComplete: true, likeness: 0 };
const WHOLE_NAME: TextQuality = { quality: 1, isWholeName: true, isComplete: true, likeness: 0 };
const BEST_KNOWN = { rating: 5, reviews: 100_000 };

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

test("of suggestions, a place that is e times as far has 0.04 less, and nobody is nearer than 50 m", () => {
  const distanceOf = (meters: number) =>
    rank([placeAt(meters)], { weights: SUGGESTION_WEIGHTS })[0]!.distance;
  expect(distanceOf(1_000) - distanceOf(1_000 * Math.E)).toBeCloseTo(0.039, 3);
  expect(distanceOf(50)).toBeCloseTo(SUGGESTION_WEIGHTS.distance, 3);
  expect(distanceOf(1)).toBe(SUGGESTION_WEIGHTS.distance);
});

test("for a kind, being well known adds less to a far place", () => {
  const prominenceAt = (meters: number, weights: Weights) =>
    rank([placeAt(meters, BEST_KNOWN)], { weights })[0]!.prominence;
  expect(prominenceAt(8_000, SEARCH_WEIGHTS)).toBe(prominenceAt(0, SEARCH_WEIGHTS));
  expect(prominenceAt(1_500, KIND_WEIGHTS)).toBeCloseTo(prominenceAt(0, KIND_WEIGHTS) / 2, 4);
});

test("for an area the best known comes first, for a point the nearest", () => {
  const [near, known] = [placeAt(10), placeAt(3_000, { rating: 4.5, reviews: 900 })];
  expect(idsOf(rank([near, known], { weights: NOTABLE_WEIGHTS }))).toStrictEqual([known.id, near.id]);
  expect(idsOf(rank([known, near], { weights: NEAREST_WEIGHTS }))).toStrictEqual([near.id, known.id]);
});

describe("a place that closed for good", () => {
  const closed = placeAt(0, { ...BEST_KNOWN, business_status: "closed_permanently" });

  test("comes after every open place that matches as well, however far and unknown", () => {
    const open = placeAt(500_000);
    expect(idsOf(rank([closed, open]))).toStrictEqual([open.id, closed.id]);
  });

  test("comes first for its whole name, unless an open place near it has the same", () => {
    const [similar, sameName] = [placeAt(0), placeAt(100)];
    const readText = ({ id }: { id: string }) => (id === similar.id ? EQUALLY_GOOD : WHOLE_NAME);
    expect(idsOf(rank([similar, closed], { readText }))).toStrictEqual([closed.id, similar.id]);
    expect(idsOf(rank([closed, sameName], { readText }))).toStrictEqual([sameName.id, closed.id]);
  });
});

test("of names that begin with the query the nearest comes first, whatever is thought of it", () => {
  const [near, known] = [placeAt(400), placeAt(600, BEST_KNOWN)];
  const readText = () => ({ ...EQUALLY_GOOD, isBegun: true as const });
  expect(idsOf(rank([known, near], { readText }))).toStrictEqual([near.id, known.id]);
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

  test("by prominence, a good rating counts more with more reviews", () => {
    const few = scored(placeAt(10, { rating: 5, reviews: 1 }), 1);
    const many = scored(placeAt(10, { rating: 4.5, reviews: 900 }), 1);
    expect(inSortOrder([few, many, poor], "prominence")).toStrictEqual([many, few]);
    expect(inSortOrder([many, few, poor], "rating")).toStrictEqual([few, many]);
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

test("a whole name alike is as long as the query, give or take a letter", () => {
  const isAlike = (query: string, likeness = 0.8) =>
    hasWholeNameAlike(
      rank([placeAt(10, { title: "Highlands Coffee" })], { readText: () => ({ ...EQUALLY_GOOD, likeness }) }),
      readQueryWords(query),
    );
  expect(isAlike("highlands cofee")).toBe(true);
  expect(isAlike("highlands coffees")).toBe(true);
  expect(isAlike("highlands coffee hk")).toBe(false);
  expect(isAlike("highlands cofee", 0.79)).toBe(false);
  expect(hasWholeNameAlike([], readQueryWords("highlands"))).toBe(false);
});

describe("a place that fits the query less surely", () => {
  const scored = (meters: number, text = EQUALLY_GOOD) =>
    rank([placeAt(meters, BEST_KNOWN)], { readText: () => text })[0]!;
  const bestOf = (...places: ScoredPlace[]) => places.toSorted((a, b) => b.score - a.score)[0];

  test.each<[string, (place: ScoredPlace) => ScoredPlace, number]>([
    ["of an unlikely reading comes after a typo next door", asUnlikely, 0.03],
    ["outside the area comes after any that matches as well inside", outsideArea, 0],
    ["of a kind beside words that no name is like comes after half a name", asLastResort, 0.4],
  ])("%s", (_, lowered, lessQuality) => {
    const far = scored(500_000, { ...EQUALLY_GOOD, quality: EQUALLY_GOOD.quality - lessQuality });
    const near = scored(10);
    expect(bestOf(far, near)).toBe(near);
    expect(bestOf(far, lowered(near))).toBe(far);
  });

  test("keeps a score that is the sum of its parts", () => {
    for (const change of [
      asUnlikely,
      outsideArea,
      asLastResort,
      (place: ScoredPlace) => asWholeQuery(place, true),
    ]) {
      const { score, text, distance, prominence } = change(scored(700));
      expect(score).toBeCloseTo(text.quality + distance + prominence, 10);
    }
  });

  test("comes first if its name is the whole query, and after if its name only holds it", () => {
    const kind = scored(400, { ...EQUALLY_GOOD, quality: 1 });
    const wholeName = scored(1_000, WHOLE_NAME);
    const holds = scored(1_000, EQUALLY_GOOD);
    expect(bestOf(kind, asWholeQuery(wholeName, false))).not.toBe(kind);
    expect(bestOf(kind, asWholeQuery(holds, false))).toBe(kind);
    expect(bestOf(kind, asWholeQuery(holds, true))).not.toBe(kind);
  });
});

describe("wishes that change the order", () => {
  const NONE: Wishes = { isWellRated: false, features: [] };
  const NO_FEATURES = { accessibility: [], parking: [], payments: [], service_options: [], other: [] };
  const FACTS = {
    cheap: { pricing: { min: 20_000, max: 30_000 }, rating: 3, reviews: 9 },
    middle: { pricing: { min: 40_000, max: 60_000 }, rating: 4, reviews: 9 },
    dear: {
      pricing: { min: 90_000, max: 200_000 },
      rating: 5,
      reviews: 9,
      features: { ...NO_FEATURES, other: ["has_wifi"] },
    },
    unknown: {},
  } satisfies Record<string, PlaceFacts>;

  /** The names in their order. All places are as far and as well known; equals stay as they are named. */
  function order(wishes: Partial<Wishes>, names: readonly (keyof typeof FACTS)[]): string[] {
    const named = names.map((name, index) => {
      const data_id = `0x1:0x${index + 1}`;
      const [scored] = rank([placeAt(300, { data_id })]);
      return { name, scored: scored!, document: buildPlace({ ...FACTS[name], data_id }) };
    });
    const summaries = new Map(named.map(({ scored, document }) => [scored.place.id, document]));
    const sorted = addOrderWishes(
      named.map(({ scored }) => scored),
      { ...NONE, ...wishes },
      summaries,
    );
    return idsOf(sorted).map((id) => named.find(({ scored }) => scored.place.id === id)!.name);
  }

  test("without wishes the order stays", () => {
    expect(order({}, ["unknown", "cheap", "dear"])).toStrictEqual(["unknown", "cheap", "dear"]);
  });

  test("cheap is up to the middle of all prices; an unknown price is not", () => {
    expect(order({ price: "cheap" }, ["unknown", "dear", "middle", "cheap"])).toStrictEqual([
      "middle",
      "cheap",
      "unknown",
      "dear",
    ]);
  });

  test("expensive is above the middle", () => {
    expect(order({ price: "expensive" }, ["unknown", "middle", "cheap", "dear"])[0]).toBe("dear");
  });

  test("well rated counts from three stars on, the more the better", () => {
    expect(order({ isWellRated: true }, ["unknown", "cheap", "middle", "dear"])).toStrictEqual([
      "dear",
      "middle",
      "unknown",
      "cheap",
    ]);
  });

  test("a feature counts if the place has it", () => {
    expect(order({ features: ["has_wifi"] }, ["cheap", "dear"])).toStrictEqual(["dear", "cheap"]);
  });

  test("of two wishes each is worth half", () => {
    const wishes: Partial<Wishes> = { price: "expensive", features: ["has_parking_lot_free"] };
    expect(order(wishes, ["middle", "dear", "cheap"])[0]).toBe("dear");
  });
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
