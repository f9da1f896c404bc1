import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFileSync } from "node:fs";
import * as v from "valibot";
import type { PlaceCandidate } from "../../../src/meilisearch/place-index.ts";
import type { Match } from "../../../src/search/score.ts";
import { toReading, type Reading } from "../../../src/search/reading/reading.ts";
import {
  byScore,
  FEATURE_NAMES,
  logDistance,
  scorePlace,
  sumOf,
  WEIGHTS,
  weightsSchema,
  type FoundAt,
  type Weights,
} from "../../../src/search/score.ts";
import type { PlaceFacts } from "../../support/build-place.ts";
import { buildCandidate } from "../../support/memory-index.ts";
import { pointAt } from "../../support/points.ts";

const CENTRE = { latitude: 10.776, longitude: 106.7 };
const BEST_KNOWN = { rating: 5, reviews: 100_000 };
const CLOSED = { business_status: "closed_permanently" as const };

const placeAt = (meters: number, facts: PlaceFacts = {}): PlaceCandidate =>
  buildCandidate({ ...facts, location: pointAt(CENTRE, meters, 90) });

const EQUALLY_GOOD: Match = { features: { begins: 1 }, isComplete: true, isWholeName: false };
const WHOLE_NAME: Match = { features: { whole_name: 1, begins: 1 }, isComplete: true, isWholeName: true };
const HOLDING: Match = { features: { within: 1 }, isComplete: true, isWholeName: false };
const OF_KIND: Match = { features: { kind: 1 }, isComplete: true, isWholeName: false };

interface Scored {
  readonly match?: Match;
  readonly reading?: Reading;
  readonly found?: Partial<FoundAt>;
  readonly weights?: Weights;
}

const score = (
  place: PlaceCandidate,
  { match = EQUALLY_GOOD, reading = toReading("plain", {}), found = {}, weights }: Scored = {},
) => scorePlace({ place, match, reading }, { centre: CENTRE, isOutside: false, ...found }, weights);

const featuresAt = (meters: number, facts: PlaceFacts = {}, scored: Scored = {}) =>
  score(placeAt(meters, facts), scored).features;

/** Every weight 0 but these. */
const weigh = (some: Partial<Weights>): Weights =>
  ({ ...Object.fromEntries(FEATURE_NAMES.map((name) => [name, 0])), ...some }) as Weights;

test("words taken for others cost as much of a typo as there is doubt", () => {
  const features = (respelled: Reading["respelled"]) =>
    featuresAt(100, {}, { reading: toReading("kind", { respelled }) });
  expect(features({ isSure: false, doubt: 1 }).mistyped).toBe(1);
  expect(features({ isSure: true, doubt: 0.25 }).mistyped).toBe(0.25);
  expect(features(undefined).mistyped).toBeUndefined();
});

describe("the table of weights", () => {
  const table = v.parse(
    weightsSchema,
    JSON.parse(readFileSync(new URL("../../../src/search/weights.json", import.meta.url), "utf8")),
  );

  test("has for each feature a weight of the sign that it must have", () => {
    const wrong = Object.entries(table).filter(
      ([, { weight, sign }]) => (sign === "positive" && weight < 0) || (sign === "negative" && weight > 0),
    );
    expect(wrong).toStrictEqual([]);
  });

  test("says in a sentence what each feature means", () => {
    for (const { means } of Object.values(table)) expect(means).toMatch(/^[A-Z].{15,}\.$/);
  });

  test("refuses a feature without a meaning, and a sign that there is not", () => {
    const { begins } = table;
    expect(v.is(weightsSchema, { begins: { weight: 1, sign: "positive" } })).toBe(false);
    expect(v.is(weightsSchema, { begins: { ...begins, sign: "both" } })).toBe(false);
  });

  test("is the one that scores", () => {
    expect(WEIGHTS).toStrictEqual(
      Object.fromEntries(Object.entries(table).map(([name, { weight }]) => [name, weight])),
    );
  });
});

describe("a score", () => {
  test("is the sum of the features, each times its weight", () => {
    const weights = weigh({ begins: 2, missing: -4, distance: 100 });
    expect(sumOf({ begins: 0.5, missing: 0.25 }, weights)).toBe(0);
    expect(sumOf({ begins: 1, within: 1 }, weights)).toBe(2);
    expect(sumOf({}, weights)).toBe(0);
  });

  test("is that of the features that it shows", () => {
    const anyPlace = fc.record({
      meters: fc.integer({ min: 0, max: 2_000_000 }),
      rating: fc.constantFrom(0, 1, 3.5, 5),
      reviews: fc.nat(1_000_000),
    });
    fc.assert(
      fc.property(anyPlace, ({ meters, ...known }) => {
        const { features, score: total } = score(placeAt(meters, known));
        expect(total).toBeCloseTo(sumOf(features, WEIGHTS), 10);
      }),
    );
  });

  test("puts equals in the order of their ids, in whatever order they came", () => {
    const places = ["0x1:0xc", "0x1:0xa", "0x1:0xb"].map((data_id) => score(placeAt(100, { data_id })));
    const idsOf = (list: typeof places): string[] => list.toSorted(byScore).map(({ place }) => place.id);
    expect(idsOf(places)).toStrictEqual(["0xa", "0xb", "0xc"]);
    expect(idsOf(places.toReversed())).toStrictEqual(["0xa", "0xb", "0xc"]);
  });

  test("goes up the list", () => {
    const [low, high] = [score(placeAt(9_000)), score(placeAt(10))];
    expect([low, high].toSorted(byScore)).toStrictEqual([high, low]);
  });
});

describe("the distance", () => {
  test("counts by its logarithm, and hardly within 150 metres", () => {
    expect(logDistance(0)).toBe(0);
    expect(logDistance(150)).toBeCloseTo(Math.LN2, 10);
    expect(logDistance(100_000 * Math.E) - logDistance(100_000)).toBeCloseTo(1, 2);
  });

  test("is that from the centre of the reading", () => {
    const centre = pointAt(CENTRE, 3_000, 90);
    const scored = score(placeAt(3_000), { found: { centre } });
    expect(scored.distanceMeters).toBeCloseTo(0, 3);
    expect(scored.features.distance).toBeCloseTo(0, 3);
    expect(score(placeAt(3_000)).features.distance).toBeCloseTo(logDistance(3_000), 5);
  });

  test("of a branch at 300 metres is better than that of the bare name far away", () => {
    const [branch, chain] = [score(placeAt(300)), score(placeAt(600_000), { match: WHOLE_NAME })];
    expect([chain, branch].toSorted(byScore)[0]).toBe(branch);
  });
});

describe("how well known a place is", () => {
  test("counts from 0 to 1", () => {
    const [unknown, known] = [{}, BEST_KNOWN].map((facts) => featuresAt(10, facts, { match: HOLDING }));
    expect(unknown?.prominence).toBe(0);
    expect(known?.prominence).toBeGreaterThan(0.9);
    expect(known?.prominence).toBeLessThanOrEqual(1);
  });

  test("does not count where a name is the words, or begins with them: the nearest branch is meant", () => {
    expect(featuresAt(10, BEST_KNOWN, { match: WHOLE_NAME })).not.toHaveProperty("prominence");
    expect(featuresAt(10, BEST_KNOWN, { match: EQUALLY_GOOD })).not.toHaveProperty("prominence");
  });

  test("is what counts for an area", () => {
    const reading = toReading("area", {});
    const match: Match = { features: {}, isComplete: true, isWholeName: false };
    const known = featuresAt(10, BEST_KNOWN, { match, reading });
    expect(known.notable).toBeGreaterThan(0.9);
    expect(known).not.toHaveProperty("prominence");
    expect(featuresAt(10, {}, { match, reading }).notable).toBe(0);
  });
});

describe("a place that closed for good", () => {
  test("counts as closed, and less so where it was asked for by its name", () => {
    expect(featuresAt(10, CLOSED)).toMatchObject({ closed: 1 });
    expect(featuresAt(10, CLOSED, { match: WHOLE_NAME })).toMatchObject({ closed_by_name: 1 });
    expect(featuresAt(10)).not.toHaveProperty("closed");
    expect(featuresAt(10, {}, { match: WHOLE_NAME })).not.toHaveProperty("closed_by_name");
  });

  test("comes after an open one of the same name some hundred metres further", () => {
    const [closed, open] = [score(placeAt(50, CLOSED)), score(placeAt(400))];
    expect([closed, open].toSorted(byScore)[0]).toBe(open);
  });
});

describe("where a place was found", () => {
  test("is outside of the area that was named, which then says nothing for it", () => {
    const match: Match = { ...OF_KIND, features: { kind: 1, area: 2 } };
    expect(featuresAt(10, {}, { match, found: { isOutside: true } })).toMatchObject({
      outside_area: 1,
      area: 0,
    });
    expect(featuresAt(10, {}, { match })).toMatchObject({ area: 2 });
    expect(featuresAt(10, {}, { match })).not.toHaveProperty("outside_area");
  });
});

describe("other weights", () => {
  test("can be tried", () => {
    const weights = weigh({ begins: 3 });
    expect(score(placeAt(9_000, BEST_KNOWN), { weights }).score).toBe(3);
  });
});
