import { cellsOf } from "../place/cells.ts";
import { dataIdIdentity } from "../place/data-id.ts";
import { openSlotsOf } from "../place/open-slots.ts";
import type { PlaceDocument, PlaceSummaryDocument } from "../place/place-document.ts";
import { isTypeCode, TYPE_CODES } from "../place/type-codes.ts";
import { fold, joinWords, withoutFirstLetter, words } from "../place/text/fold.ts";
import { remembered } from "../place/text/memoize.ts";
import { contentHash } from "./index-form.ts";
import { MAX_NAME_BEGINNING, MAX_WORD_BEGINNING, type PlaceCandidate } from "./place-index.ts";

/**
 * A place as the engine keeps it: what it is found by, in a form that needs no work at the search, and the rest as two texts
 * that the engine hands back without looking inside. That halves the time of a large answer and the work of an import.
 */
export interface IndexedPlace {
  /** The identity half of the data id: it stays when a place moves, so an old data id still leads to the place. */
  readonly id: string;
  readonly data_id: string;
  /** What a search reads of it (`toCandidate`): one short text, since the engine takes time for every member it hands out. */
  readonly card: string;
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
  /** The prominence in a few steps: the engine walks down all values that there are. */
  readonly prominence_level: number;
  readonly rating: number;
  /** Absent when no price is known. */
  readonly max_price?: number;
  readonly timezone: string;
  readonly open_slots: readonly string[];
  readonly special_dates: readonly string[];
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

/** Of a name's or an address's few words, which a set would take longer for. */
const distinct = (values: readonly string[]): string[] =>
  values.length > MANY
    ? [...new Set(values)].filter((value) => value !== "")
    : values.filter((value, index) => value !== "" && values.indexOf(value) === index);

const MANY = 20;

const typeLabels = remembered((type) =>
  isTypeCode(type) ? fold(`${TYPE_CODES[type].vi} ${TYPE_CODES[type].en}`) : "",
);

const LAST_OF_ONE_UNIT = 0xffff;

/** The first one, two, three … letters of the texts. A plain loop: no other list of a place is as long. */
function beginningsOf(texts: readonly string[], maxLetters: number): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    let end = 0;
    for (let letters = 0; letters < maxLetters && end < text.length; letters += 1) {
      end += (text.codePointAt(end) ?? 0) > LAST_OF_ONE_UNIT ? 2 : 1;
      found.add(text.slice(0, end));
    }
  }
  return [...found];
}

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

const joinNonEmpty = (one: string, other: string): string =>
  one === "" || other === "" ? one + other : `${one} ${other}`;

export function toIndexedPlace(place: PlaceDocument): IndexedPlace {
  const { summary, detail } = toTexts(place);
  const foldedNames = distinct([place.title, ...place.alternate_names].map(fold));
  const foldedRest = joinNonEmpty(typeLabels(place.type), fold(place.location.address.full));
  const joinedNames = distinct(foldedNames.map(joinWords));
  return {
    id: dataIdIdentity(place.data_id),
    data_id: place.data_id,
    card: toCard(place, foldedNames, foldedRest),
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
    prominence_level: Math.round(prominence(place) / PROMINENCE_STEP),
    rating: place.rating,
    ...(place.pricing.max > 0 && { max_price: place.pricing.max }),
    timezone: place.location.timezone,
    open_slots: openSlotsOf(place),
    special_dates: (place.opening_hours?.special_days ?? []).map(({ date }) => date),
    summary,
    detail,
    content_hash: contentHash(summary, detail),
  };
}

/** No folded text, code or number holds them, and a title that does loses nothing by a space. */
const CARD_SEPARATOR = "\t";
const NAME_SEPARATOR = "|";

function toCard(place: PlaceDocument, foldedNames: readonly string[], foldedRest: string): string {
  const { latitude, longitude } = place.location;
  return [
    dataIdIdentity(place.data_id),
    place.title.replaceAll(CARD_SEPARATOR, " "),
    foldedNames.join(NAME_SEPARATOR),
    foldedRest,
    place.type,
    prominence(place),
    place.rating,
    latitude,
    longitude,
  ].join(CARD_SEPARATOR);
}

/** The place of a card, as `toIndexedPlace` wrote it. */
export function toCandidate({ card }: Pick<IndexedPlace, "card">): PlaceCandidate {
  const [id = "", title = "", names = "", foldedRest = "", type = "", ...numbers] =
    card.split(CARD_SEPARATOR);
  const [prominence = 0, rating = 0, latitude = 0, longitude = 0] = numbers.map(Number);
  return {
    id,
    title,
    foldedNames: names === "" ? [] : names.split(NAME_SEPARATOR),
    foldedRest,
    type,
    location: { latitude, longitude },
    prominence,
    rating,
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
