import * as v from "valibot";
import { readTable } from "../place/read-table.ts";
import table from "./numbers.json" with { type: "json" };

/**
 * The numbers of a search that somebody judged. They stand in numbers.json, each with its reason; the weights of the score stand in
 * weights.json. A number that follows from a format or a clock stands where it is used.
 */

/** The format of numbers.json: groups of numbers. */
export const numbersSchema = v.record(
  v.string(),
  v.record(
    v.string(),
    v.strictObject({
      value: v.number(),
      /** Why it is this number, and no other. */
      why: v.pipe(v.string(), v.nonEmpty("is empty")),
    }),
  ),
);

type Numbers = {
  readonly [Group in keyof typeof table]: Readonly<Record<keyof (typeof table)[Group], number>>;
};

const groups = Object.entries(readTable("src/search/numbers.json", numbersSchema, table));

export const {
  /** How long words, phrases and names are, and from which length on they mean something. */
  reading: READING,
  /** Which spans divide a query best: each has a score, and the highest sum wins. */
  spans: SPANS,
  /** The names of areas, and where they are meant. */
  areas: AREAS,
  /** The order of completions. */
  completions: COMPLETIONS,
  /** What a word of the dataset may be a typo of, and what joined words consist of. */
  lexicon: LEXICON,
  /** How much of what was typed a place has. */
  matching: MATCHING,
  /** How many places are looked up. */
  lookups: LOOKUPS,
  /** What places that were found say together. */
  places: PLACES,
  /** Queries that are still being typed. */
  suggestions: SUGGESTIONS,
  /** How many places the surroundings of a point hold. */
  rings: RINGS,
  /** The cells of polygons and of ways. */
  shapes: SHAPES,
  /** How exact lists grow until they are complete. */
  exactLists: EXACT_LISTS,
  /** What is looked up for a record that is matched with places. */
  records: RECORDS,
} = Object.fromEntries(
  groups.map(([group, numbers]) => [
    group,
    Object.fromEntries(Object.entries(numbers).map(([name, { value }]) => [name, value])),
  ]),
) as Numbers;
