import type { Coordinates } from "./coordinates.ts";

/** The centre of a request without coordinates. Each coordinate has its own default, so a request may give only one. */
export const DEFAULT_CENTRE: Coordinates = { latitude: 10.801671, longitude: 106.61744 };

/** The longest query in characters: longer than any name and address together. */
export const MAX_QUERY_LENGTH = 256;

/** The most places that one response holds; a page has 20 unless asked otherwise. */
export const MAX_RESULTS = 50;

/** The deepest page: a list is ranked as a whole, so a page costs as much as all before it. */
export const MAX_OFFSET = 200;

/** Numbers of matches are exact up to here; above, this is the number. */
export const MOST_COUNTED = 1_000;

/** The most suggestions; an input field shows four. */
export const MAX_SUGGESTIONS = 10;
