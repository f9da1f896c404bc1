import { FILED_FIELDS } from "../../src/meilisearch/index-form.ts";

/**
 * Documents that keep the pages of the engine full. It stores the values of a field in the order of the places, one field after the other.
 * Where a page has the end of one field and the beginning of the next, each place is written into the middle of a page, which splits it in
 * halves that are never filled. The long value of a border fills half a page, so that every field begins on a page of its own. They come
 * before all places and are removed after the last one.
 */

/** What a value of half a page leaves after the key: 2,038 bytes without the header of 8, field and document of 6, and 468 of the value. */
const LETTERS = 1_556;

/** No value of a place has it. */
const LETTER = "~";

const borders = FILED_FIELDS.map((field, index) => ({
  id: `border_${index}`,
  [field]: LETTER.repeat(LETTERS),
}));

/** As lines of JSON. They are written in their order. */
export const BORDERS: readonly string[] = borders.map((border) => JSON.stringify(border));

export const BORDER_IDS: readonly string[] = borders.map(({ id }) => id);
