import type { PlaceCandidate } from "../meilisearch/place-index.ts";
import { distanceMeters, type Coordinates } from "../place/coordinates.ts";
import type { PlaceSummaryDocument } from "../place/place-document.ts";
import { isClosedForGood, prominenceShare } from "../place/prominence.ts";
import { joinWords } from "../place/text/fold.ts";
import { ONLY_NAMED_PENALTY, WHOLE_NAME, type ReadText, type TextQuality } from "./match.ts";
import type { Wishes } from "./reading/reading.ts";
import type { TypedWords } from "./reading/tokens.ts";
import type { SortOrder } from "./search-request.ts";

/** In which order candidates come: by how well they match (match.ts), how near and how well known they are. */

/** How much being near and being well known add at most to a text quality of 0 to 1. */
export interface Weights {
  readonly distance: number;
  readonly prominence: number;
  /** Being well known adds the less the further a place is: at most a fixed share of the way. */
  readonly isProminenceNear?: true;
  /** What is left of the weight of distance, 0 to 1; by default half at `HALF_DISTANCE_METERS`. */
  readonly nearness?: (meters: number) => number;
}

/** For a search. Words decide first. Being near is worth about a typo, being well known a quarter of that. */
export const SEARCH_WEIGHTS: Weights = { distance: 0.12, prominence: 0.03 };

/**
 * For a kind, which every place fits as well: being near decides. With a fixed weight, a well known place at eight kilometres came
 * before others at four, where both are far down the curve of distance.
 */
export const KIND_WEIGHTS: Weights = { ...SEARCH_WEIGHTS, isProminenceNear: true };

/**
 * For suggestions. A few letters say little, so the nearest names come first, and the best known count as if they were 1.7 times
 * as near. Measured with `eval` on 7,000 demo places, right among four after four letters, for any place and for popular ones: .84 and .81 with
 * half of the weight left at 1.5 km, .87 and .82 with these weights, .85 and .86 with 0.04 for prominence.
 */
export const SUGGESTION_WEIGHTS: Weights = {
  distance: 0.5,
  prominence: 0.02,
  nearness: (meters) => 1 - Math.log(Math.max(LEAST_METERS, meters) / LEAST_METERS) / LOG_OF_FURTHEST,
};

/** Below it, distances do not say which place is meant. */
const LEAST_METERS = 50;
/** From there to the other side of the earth. */
const LOG_OF_FURTHEST = Math.log(20_000_000 / LEAST_METERS);

/** For an area alone: the best known places. */
export const NOTABLE_WEIGHTS: Weights = { distance: 0.05, prominence: 1 };

/** For a point: what is there. */
export const NEAREST_WEIGHTS: Weights = { distance: 1, prominence: 0 };

/** At this distance, a walk or a short ride, half of the weight of distance is left. */
const HALF_DISTANCE_METERS = 1_500;

const halvingNearness = (meters: number): number => HALF_DISTANCE_METERS / (HALF_DISTANCE_METERS + meters);

/** A candidate with its score and the parts that add up to it (`text.quality`, `distance`, `prominence`). */
export interface ScoredPlace {
  readonly place: PlaceCandidate;
  readonly distanceMeters: number;
  readonly text: TextQuality;
  readonly distance: number;
  readonly prominence: number;
  readonly score: number;
}

interface RankingOptions {
  readonly centre: Coordinates;
  readonly weights: Weights;
  readonly readText: ReadText;
}

/** Collects candidates, each place once, and sorts them. */
export interface Ranking {
  readonly add: (candidates: readonly PlaceCandidate[]) => void;
  /** Best first; ties by id, so that a request always has the same order. */
  readonly inOrder: () => readonly ScoredPlace[];
}

export function createRanking(options: RankingOptions): Ranking {
  const seen = new Set<string>();
  const scored: ScoredPlace[] = [];
  let sorted: readonly ScoredPlace[] | undefined;
  return {
    add(candidates) {
      sorted = undefined;
      for (const place of candidates) {
        if (seen.has(place.id)) continue;
        seen.add(place.id);
        const text = options.readText(place);
        if (text) scored.push(scorePlace(place, text, options));
      }
    },
    inOrder: () => (sorted ??= scored.toSorted(byScore)),
  };
}

const byScore = (a: ScoredPlace, b: ScoredPlace): number =>
  b.score - a.score || (a.place.id < b.place.id ? -1 : 1);

/** More than nearness and prominence together: places that closed for good come after those that did not. */
const CLOSED_PENALTY = 0.2;
/** Who types the whole name of a closed place means it, unless another has the same. */
const CLOSED_NAME_PENALTY = 0.03;

/** A candidate with its score. */
export function scorePlace(
  place: PlaceCandidate,
  text: TextQuality,
  { centre, weights }: Pick<RankingOptions, "centre" | "weights">,
): ScoredPlace {
  const meters = distanceMeters(centre, place.location);
  const { nearness: nearnessAt = halvingNearness } = weights;
  const nearness = nearnessAt(meters);
  const distance = weights.distance * nearness;
  // A caller who types a whole name wants the nearest place of that name, however well known.
  const known = weights.prominence * prominenceShare(place.prominence);
  const ofOpen = text.isWholeName || text.isBegun ? 0 : known * (weights.isProminenceNear ? nearness : 1);
  const ofClosed = text.isWholeName ? -CLOSED_NAME_PENALTY : -CLOSED_PENALTY;
  const prominence = isClosedForGood(place.prominence) ? ofClosed : ofOpen;
  return {
    place,
    distanceMeters: meters,
    text,
    distance,
    prominence,
    score: text.quality + distance + prominence,
  };
}

/** All but a letter or two reach this. Other orders than relevance show only places that match this well. */
const RELEVANT_QUALITY = 0.6;

/** One typo in a name of five letters, two in one of ten. A name less like the query may not be what was meant. */
const ALIKE = 0.8;

/** Of a name that is the whole query over a kind that it names: as much as being near. */
const WHOLE_QUERY_BONUS = 0.1;

/** A name with a typo comes before a kind or an area that the words hardly say. */
const UNLIKELY_PENALTY = 0.15;

/** Any place of the kind comes after names that share half of their letters with the query: "phở lệ 999" is Phở Lệ. */
const LAST_RESORT_PENALTY = 0.6;

/** More than nearness and prominence together, less than a missing word. */
const OUTSIDE_AREA_PENALTY = 0.2;

/** With the wished price, rating and features, a place at 2 km is as good as one at 700 m without; no far place comes first. */
const ORDER_WISH_FACTOR = 0.6;
const NEUTRAL_RATING = 3;

/**
 * A place whose name is the whole query comes a little before places of the kind or area that the query also names. A name that
 * holds the query competes with them by distance, and comes first too where no area was named (`isRatherName`).
 */
export function asWholeQuery(place: ScoredPlace, isRatherName: boolean): ScoredPlace {
  const bonus = place.text.isWholeName || isRatherName ? WHOLE_QUERY_BONUS : -ONLY_NAMED_PENALTY;
  const quality = Math.max(place.text.quality, WHOLE_NAME) + bonus;
  return {
    ...place,
    text: { ...place.text, quality },
    score: place.score + quality - place.text.quality,
  };
}

/** A place that only a reading less likely than the plain words finds. */
export const asUnlikely = (place: ScoredPlace): ScoredPlace => lower(place, UNLIKELY_PENALTY);

/** A place of the kind that the query names beside words that no name is like. */
export const asLastResort = (place: ScoredPlace): ScoredPlace => lower(place, LAST_RESORT_PENALTY);

/** A place outside the area of the query comes after every place inside that matches about as well. */
export const outsideArea = (place: ScoredPlace): ScoredPlace => lower(place, OUTSIDE_AREA_PENALTY);

const lower = (place: ScoredPlace, penalty: number): ScoredPlace => ({
  ...place,
  text: { ...place.text, quality: place.text.quality - penalty },
  score: place.score - penalty,
});

/** Adds to the scores what the places have of the wished price, rating and features, and sorts again. */
export function addOrderWishes(
  places: readonly ScoredPlace[],
  wishes: Wishes,
  summaries: ReadonlyMap<string, PlaceSummaryDocument>,
): ScoredPlace[] {
  const prices = [...summaries.values()].flatMap(({ pricing }) => (pricing.max > 0 ? [pricing.max] : []));
  const median = prices.toSorted((a, b) => a - b)[prices.length >> 1] ?? 0;
  return places
    .map((place) => {
      const summary = summaries.get(place.place.id);
      const share = summary ? shareOfWishes(summary, wishes, median) : 0;
      return { ...place, score: place.score + ORDER_WISH_FACTOR * share * place.distance };
    })
    .toSorted(byScore);
}

/** Which share of the wishes a place meets, 0 to 1. An unknown price, rating or feature meets none. */
function shareOfWishes(
  { pricing, rating, reviews, features }: PlaceSummaryDocument,
  { price, isWellRated, features: wished }: Wishes,
  medianPrice: number,
): number {
  const has = new Set(Object.values(features).flat());
  const met = [
    ...(price === "cheap" ? [pricing.max > 0 && pricing.max <= medianPrice ? 1 : 0] : []),
    ...(price === "expensive" ? [pricing.max > medianPrice ? 1 : 0] : []),
    ...(isWellRated ? [reviews > 0 ? Math.max(0, (rating - NEUTRAL_RATING) / (5 - NEUTRAL_RATING)) : 0] : []),
    ...wished.map((code) => (has.has(code) ? 1 : 0)),
  ];
  return met.reduce((sum, one) => sum + one, 0) / Math.max(1, met.length);
}

/** Whether a place has a name like the query, or one that begins with it. */
export const hasNameAlike = (ranked: readonly ScoredPlace[]): boolean =>
  ranked.some(({ text }) => isAlike(text) || text.isComplete);

/** Whether the query is like a whole name of the place. */
export const isAlike = ({ likeness }: TextQuality): boolean => likeness >= ALIKE;

/** Whether a place has a name like the query and as long: not the name alone of "highlands coffee hk". */
export const hasWholeNameAlike = (ranked: readonly ScoredPlace[], { joined }: TypedWords): boolean =>
  ranked.some(
    ({ place, text }) =>
      text.likeness >= ALIKE && place.foldedNames.some((name) => joinWords(name).length >= joined.length - 1),
  );

/** The order that the request asks for. Orders other than relevance drop places that match badly. */
export function inSortOrder<Place extends ScoredPlace>(
  ranked: readonly Place[],
  sort: SortOrder = "relevance",
): Place[] {
  if (sort === "relevance") return [...ranked];
  const relevant = ranked.filter(({ text }) => text.quality >= RELEVANT_QUALITY);
  if (sort === "distance") return relevant.toSorted((a, b) => a.distanceMeters - b.distanceMeters);
  if (sort === "prominence") return relevant.toSorted((a, b) => b.place.prominence - a.place.prominence);
  return relevant.toSorted((a, b) => b.place.rating - a.place.rating);
}
