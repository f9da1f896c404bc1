import type { Coordinates } from "./geometry/coordinates.ts";
import type { Language } from "./document/localized-texts.ts";

/**
 * The centre of a request without coordinates. Each coordinate has a default, so a request may give only one.
 */
export const DEFAULT_CENTRE: Coordinates = { latitude: 10.801671, longitude: 106.61744 };

/** What a request leaves open. */
export interface RequestDefaults {
  readonly centre: Coordinates;
  /** For requests that name no language, or none that is supported. */
  readonly language: Language;
}

/** Those of the contract; an operator may set others (`DEFAULT_CENTER`, `DEFAULT_LANGUAGE`). */
export const REQUEST_DEFAULTS: RequestDefaults = { centre: DEFAULT_CENTRE, language: "vi" };

/** The longest query in characters: longer than any name and address together. */
export const MAX_QUERY_LENGTH = 256;

/** The most places in one response. The default page size is 20. */
export const MAX_RESULTS = 50;

/** The largest offset. A list is ranked as a whole, so a page costs as much as all pages before it. */
export const MAX_OFFSET = 200;

/** Counts of matches are exact up to this number, which also stands for all higher ones. */
export const MOST_COUNTED = 1_000;

/** The same with `busy_max`, where each place has to be read. More than the 250 places that a caller can page through. */
export const MOST_BUSY_COUNTED = 300;

/** The most suggestions in one response. An input field typically shows four. */
export const MAX_SUGGESTIONS = 10;

/** The most records that one request may match with places. */
export const MAX_MATCHED_RECORDS = 100;

/** As sure as a precision of .97 needs (docs/relevance.md#matching-records). */
export const DEFAULT_MIN_CONFIDENCE = 0.8;

/** The most places that one request may read by their ids: as many as a search may return. */
export const MAX_PLACES = 50;
