import * as v from "valibot";
import type { PlaceCandidate } from "../meilisearch/place-index.ts";
import { distanceMeters, type Coordinates } from "../place/geometry/coordinates.ts";
import { isOutOfBusiness, prominenceShare } from "../place/document/prominence.ts";
import { readTable } from "../place/read-table.ts";
import type { Reading } from "./reading/reading.ts";
import table from "./weights.json" with { type: "json" };
import { MATCHING } from "./numbers.ts";

/** The score of a place is the sum of its features, each times its weight (weights.json). `npm run -s fit` proposes other weights. */
export type FeatureName = keyof typeof table;

/** The features of a place for one reading; an absent one is 0. */
export type Features = Readonly<Record<FeatureName, number>>;

/** How a place matches a reading: features, most of them 0 to 1, that say what is there and what is not. The score weighs them. */
export interface Match {
  readonly features: Partial<Features>;
  /** Every word that says something is there, without a typo. */
  readonly isComplete: boolean;
  /** The words are one of its names. */
  readonly isWholeName: boolean;
  /** Every word is there, some with a typo. */
  readonly isNearlyComplete?: boolean;
  /** A word is a lone one of the address, where any word may stand by chance: another place may be meant, with a typo. */
  readonly isByChance?: boolean;
}

/** The format of weights.json. */
export const weightsSchema = v.record(
  v.string(),
  v.strictObject({
    weight: v.number(),
    /** What the feature says of a place. */
    means: v.string(),
    /** Which sign the weight must have, whatever the cases say. */
    sign: v.picklist(["positive", "negative", "any"]),
  }),
);

/** The weight of each feature. */
export type Weights = Readonly<Record<FeatureName, number>>;

/** The weights of weights.json. */
export const WEIGHTS: Weights = Object.fromEntries(
  Object.entries(readTable("src/search/weights.json", weightsSchema, table)).map(([name, { weight }]) => [
    name,
    weight,
  ]),
) as Weights;

export const FEATURE_NAMES = Object.keys(table) as FeatureName[];

/** 0 at the centre, and 1 more for each time that a place is 2.7 times as far. */
export const logDistance = (meters: number): number => Math.log1p(meters / MATCHING.leastMeters);

/** A candidate with its score and the parts that add up to it. */
export interface ScoredPlace {
  readonly place: PlaceCandidate;
  readonly distanceMeters: number;
  readonly reading: Reading;
  readonly match: Match;
  readonly features: Partial<Features>;
  readonly score: number;
}

/** Where a place was found, as far as it counts. */
export interface FoundAt {
  /** The caller, or the landmark or the area of the reading. */
  readonly centre: Coordinates;
  /** The houses of the street that is the landmark: the nearest of them counts instead of the centre. */
  readonly houses?: readonly Coordinates[] | undefined;
  /** The reading names an area, and the place lies outside. */
  readonly isOutside: boolean;
  /** How far the area of the reading is from the caller's city, as the logarithm of the distance. */
  readonly farArea?: number;
}

/** Whether a name is the words, or begins with them. Who types the name of a chain wants the nearest branch, however well known. */
export const isOfName = ({ isWholeName, features: { begins = 0, begun = 0 } }: Match): boolean =>
  isWholeName || begins + begun > 0;

/** Whether a name is meant, perhaps with a typo. Of places with the same name the nearest is wanted, however well known others are. */
export const isNamed = (match: Match): boolean => isOfName(match) || (match.features.alike ?? 0) > 0;

/** Scores a candidate for a reading that it matches. */
export function scorePlace(
  { place, match, reading }: Pick<ScoredPlace, "place" | "match" | "reading">,
  { centre, houses, isOutside, farArea = 0 }: FoundAt,
  weights: Weights = WEIGHTS,
): ScoredPlace {
  const metersTo = (one: Coordinates): number => distanceMeters(one, place.location);
  const meters = houses ? Math.min(...houses.map(metersTo)) : metersTo(centre);
  const known = prominenceShare(place.prominence);
  const { form, respelled } = reading;
  const isNotable = form === "area";
  const features: Partial<Features> = {
    ...match.features,
    ...(respelled && { mistyped: (match.features.mistyped ?? 0) + respelled.doubt }),
    ...(isNotable && !isOutside ? { notable: known } : { distance: logDistance(meters) }),
    ...(!isNotable && !isNamed(match) && { prominence: known }),
    ...(farArea > 0 && { far_area: farArea }),
    ...(isOutside && { outside_area: 1, area: 0 }),
    ...(isOutOfBusiness(place.prominence) && (match.isWholeName ? { closed_by_name: 1 } : { closed: 1 })),
  };
  return { place, distanceMeters: meters, reading, match, features, score: sumOf(features, weights) };
}

/** The weighted sum of features. */
export function sumOf(features: Partial<Features>, weights: Weights): number {
  let sum = 0;
  for (const name in features) sum += (features[name as FeatureName] ?? 0) * weights[name as FeatureName];
  return sum;
}

/** Best first; of an area, of which all score the same, the nearest; then by id, so that a request always has the same order. */
export const byScore = (a: ScoredPlace, b: ScoredPlace): number =>
  b.score - a.score || a.distanceMeters - b.distanceMeters || (a.place.id < b.place.id ? -1 : 1);

/** Each place once, as it scores best; best first. */
export function bestOfEach<One extends ScoredPlace>(places: Iterable<One>): One[] {
  const best = new Map<string, One>();
  for (const scored of places) {
    const known = best.get(scored.place.id);
    if (known === undefined || scored.score > known.score) best.set(scored.place.id, scored);
  }
  return [...best.values()].toSorted(byScore);
}

/** The places of a list, then those of another that it does not have. */
export function withOthers<One extends Pick<ScoredPlace, "place">>(
  list: readonly One[],
  others: readonly One[],
): readonly One[] {
  const known = new Set(list.map(({ place }) => place.id));
  return [...list, ...others.filter(({ place }) => !known.has(place.id))];
}
