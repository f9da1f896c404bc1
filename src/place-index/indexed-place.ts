import { cellsOf } from "../place/cells.ts";
import { dataIdIdentity } from "../place/data-id.ts";
import { openSlotsOf } from "../place/open-slots.ts";
import type { PlaceDocument, PlaceSummaryDocument } from "../place/place-document.ts";
import { isTypeCode, TYPE_CODES } from "../place/type-codes.ts";
import { firstLetters, fold, joinWords, withoutFirstLetter, words } from "../text/fold.ts";
import { contentHash } from "./content-hash.ts";
import { MAX_NAME_BEGINNING, MAX_WORD_BEGINNING, type PlaceCandidate } from "./place-index.ts";

/**
 * A place as the engine keeps it: what it is found by, in a form that needs no work at the search, and the rest as two texts
 * that the engine hands back without looking inside. That halves the time of a large answer and the work of an import.
 */
export interface IndexedPlace {
  /** The identity half of the data id: it stays when a place moves, so an old data id still leads to the place. */
  readonly id: string;
  readonly data_id: string;
  readonly title: string;
  /** Title and other names, folded. */
  readonly folded_names: readonly string[];
  /** The type's labels and the address, folded. */
  readonly folded_rest: string;
  /** Every name folded and without spaces: finds names whose spaces are missing or misplaced, and gives short syllables room for typos. */
  readonly joined_names: readonly string[];
  /** The same without their first letters. */
  readonly joined_tails: readonly string[];
  /** The folded words of its names, and of names, type and address. */
  readonly name_words: readonly string[];
  readonly words: readonly string[];
  /** The first letters of its names, from one to `MAX_NAME_BEGINNING`, and of the words of its names. */
  readonly name_beginnings: readonly string[];
  readonly word_beginnings: readonly string[];
  readonly type: string;
  readonly cells: readonly string[];
  readonly prominence: number;
  /** The same in a few steps: the engine walks down all values that there are. */
  readonly prominence_level: number;
  readonly rating: number;
  /** Absent when no price is known. */
  readonly max_price?: number;
  readonly timezone: string;
  readonly open_slots: readonly string[];
  readonly special_dates: readonly string[];
  readonly _geo: { readonly lat: number; readonly lng: number };
  /** JSON of the PlaceSummaryDocument. */
  readonly summary: string;
  /** JSON of what the PlaceDocument has beside it. */
  readonly detail: string;
  /** Tells whether a place changed without reading it; a test for equality in our own hands, never filtered on. */
  readonly content_hash: string;
}

/** Reviews that the average place is given before its own count: a rating of two reviews says little. */
const PRIOR_REVIEWS = 10;
const PRIOR_RATING = 4;

/** A Bayesian rating times the logarithm of the reviews: 0 for an unknown place, about 45 for the best known. */
export function prominence({ rating, reviews }: Pick<PlaceDocument, "rating" | "reviews">): number {
  const bayesianRating = (PRIOR_RATING * PRIOR_REVIEWS + rating * reviews) / (PRIOR_REVIEWS + reviews);
  return Math.round(bayesianRating * Math.log1p(reviews) * 100) / 100;
}

/** Fifteen levels from unknown to best known: enough for a first choice among hundreds, which the service puts in order exactly. */
const PROMINENCE_STEP = 3;

const distinct = (values: readonly string[]): string[] =>
  [...new Set(values)].filter((value) => value !== "");

const typeLabels = (type: string): string[] =>
  isTypeCode(type) ? [TYPE_CODES[type].vi, TYPE_CODES[type].en] : [];

const beginningsOf = (texts: readonly string[], maxLetters: number): string[] =>
  distinct(
    texts.flatMap((text) => Array.from({ length: maxLetters }, (_, last) => firstLetters(text, last + 1))),
  );

/** The two texts of a place. */
function toTexts(place: PlaceDocument): Pick<IndexedPlace, "summary" | "detail"> {
  const { description, popular_times, review_list, photos, source, source_id, ...summary } = place;
  return {
    summary: JSON.stringify(summary),
    detail: JSON.stringify({ description, popular_times, review_list, photos, source, source_id }),
  };
}

/** The content hash that the place would have in the index, without the work of indexing it. */
export function contentHashOf(place: PlaceDocument): string {
  const { summary, detail } = toTexts(place);
  return contentHash(summary, detail);
}

export function toIndexedPlace(place: PlaceDocument): IndexedPlace {
  const { summary, detail } = toTexts(place);
  const foldedNames = distinct([place.title, ...place.alternate_names].map(fold));
  const foldedRest = fold([...typeLabels(place.type), place.location.address.full].join(" "));
  const joinedNames = distinct(foldedNames.map(joinWords));
  return {
    id: dataIdIdentity(place.data_id),
    data_id: place.data_id,
    title: place.title,
    folded_names: foldedNames,
    folded_rest: foldedRest,
    joined_names: joinedNames,
    joined_tails: distinct(joinedNames.map(withoutFirstLetter)),
    name_words: distinct(foldedNames.flatMap(words)),
    words: distinct([...foldedNames, foldedRest].flatMap(words)),
    name_beginnings: beginningsOf(joinedNames, MAX_NAME_BEGINNING),
    word_beginnings: beginningsOf(foldedNames.flatMap(words), MAX_WORD_BEGINNING),
    type: place.type,
    cells: cellsOf(place.location),
    prominence: prominence(place),
    prominence_level: Math.round(prominence(place) / PROMINENCE_STEP),
    rating: place.rating,
    ...(place.pricing.max > 0 && { max_price: place.pricing.max }),
    timezone: place.location.timezone,
    open_slots: openSlotsOf(place),
    special_dates: (place.opening_hours?.special_days ?? []).map(({ date }) => date),
    _geo: { lat: place.location.latitude, lng: place.location.longitude },
    summary,
    detail,
    content_hash: contentHash(summary, detail),
  };
}

/** What a search reads of an indexed place. */
export const CANDIDATE_MEMBERS = [
  "id",
  "title",
  "folded_names",
  "folded_rest",
  "type",
  "prominence",
  "rating",
  "_geo",
  "summary",
] as const satisfies (keyof IndexedPlace)[];

export type IndexedCandidate = Pick<IndexedPlace, (typeof CANDIDATE_MEMBERS)[number]>;

export function toCandidate(indexed: IndexedCandidate): PlaceCandidate {
  return {
    id: indexed.id,
    title: indexed.title,
    foldedNames: indexed.folded_names,
    foldedRest: indexed.folded_rest,
    type: indexed.type,
    location: { latitude: indexed._geo.lat, longitude: indexed._geo.lng },
    prominence: indexed.prominence,
    rating: indexed.rating,
    readSummary: () => JSON.parse(indexed.summary) as PlaceSummaryDocument,
  };
}

/** Puts the two texts together again. */
export function toPlaceDocument({
  summary,
  detail,
}: Pick<IndexedPlace, "summary" | "detail">): PlaceDocument {
  return {
    ...(JSON.parse(summary) as PlaceSummaryDocument),
    ...(JSON.parse(detail) as Omit<PlaceDocument, keyof PlaceSummaryDocument>),
  };
}
