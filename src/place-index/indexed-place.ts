import { dataIdIdentity } from "../place/data-id.ts";
import { cellsOf } from "../place/cells.ts";
import type { PlaceDocument, PlaceSummaryDocument } from "../place/place-document.ts";
import { isTypeCode, TYPE_CODES } from "../place/type-codes.ts";
import { fold, joinWords } from "../text/fold.ts";

/** A place document with what the engine needs to find it. Members that begin with `_` never leave this folder. */
export interface IndexedPlace extends PlaceDocument {
  /** The identity half of the data id: it stays when a place moves, so an old data id still leads to the place. */
  readonly id: string;
  readonly _geo: { readonly lat: number; readonly lng: number };
  readonly _cells: readonly string[];
  /** Every name folded and without spaces: finds names whose spaces are missing or misplaced, and gives short syllables room for typos. */
  readonly _joined_names: readonly string[];
  readonly _type_words: readonly string[];
  readonly _prominence: number;
}

/** What a search reads of a document. */
export const SUMMARY_MEMBERS = [
  "data_id",
  "place_id",
  "title",
  "alternate_names",
  "type",
  "rating",
  "reviews",
  "pricing",
  "contacts",
  "location",
  "business_status",
  "opening_hours",
  "features",
] as const satisfies (keyof PlaceSummaryDocument)[];

/** Places the average place starts with before its own reviews count: a rating of two reviews says little. */
const PRIOR_REVIEWS = 10;
const PRIOR_RATING = 4;

/** A Bayesian rating times the logarithm of the reviews: 0 for an unknown place, about 45 for the best known. */
export function prominence({ rating, reviews }: Pick<PlaceDocument, "rating" | "reviews">): number {
  const bayesianRating = (PRIOR_RATING * PRIOR_REVIEWS + rating * reviews) / (PRIOR_REVIEWS + reviews);
  return Math.round(bayesianRating * Math.log1p(reviews) * 100) / 100;
}

const typeWords = (type: string): string[] =>
  isTypeCode(type) ? [TYPE_CODES[type].vi, TYPE_CODES[type].en] : [];

export function toIndexedPlace(place: PlaceDocument): IndexedPlace {
  const joinedNames = [place.title, ...place.alternate_names].map((name) => joinWords(fold(name)));
  return {
    id: dataIdIdentity(place.data_id),
    ...place,
    _geo: { lat: place.location.latitude, lng: place.location.longitude },
    _cells: cellsOf(place.location),
    _joined_names: [...new Set(joinedNames)].filter((name) => name !== ""),
    _type_words: typeWords(place.type),
    _prominence: prominence(place),
  };
}
