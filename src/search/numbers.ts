import * as v from "valibot";
import { readTable } from "../place/read-table.ts";
import table from "./numbers.json" with { type: "json" };

/**
 * The numbers of a search that somebody judged. They stand in numbers.json, each with its reason; the weights of the score stand in
 * weights.json. A number that follows from a format or a clock stands where it is used.
 */

type Group = keyof typeof table;

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

const groups = readTable("src/search/numbers.json", numbersSchema, table);

const numbersOf = <Name extends Group>(name: Name) =>
  Object.fromEntries(Object.entries(groups[name] ?? {}).map(([key, { value }]) => [key, value])) as Readonly<
    Record<keyof (typeof table)[Name], number>
  >;

/** How long words, phrases and names are, and from which length on they mean something. */
export const READING = numbersOf("reading");

/** Which spans divide a query best: each has a score, and the highest sum wins. */
export const SPANS = numbersOf("spans");

/** The names of areas, and where they are meant. */
export const AREAS = numbersOf("areas");

/** The order of completions. */
export const COMPLETIONS = numbersOf("completions");

/** What a word of the dataset may be a typo of, and what joined words consist of. */
export const LEXICON = numbersOf("lexicon");

/** How much of what was typed a place has. */
export const MATCHING = numbersOf("matching");

/** How many places are looked up. */
export const LOOKUPS = numbersOf("lookups");

/** What places that were found say together. */
export const PLACES = numbersOf("places");

/** Queries that are still being typed. */
export const SUGGESTIONS = numbersOf("suggestions");

/** How many places the surroundings of a point hold. */
export const RINGS = numbersOf("rings");

/** The cells of polygons and of ways. */
export const SHAPES = numbersOf("shapes");

/** How exact lists grow until they are complete. */
export const EXACT_LISTS = numbersOf("exactLists");

/** What is looked up for a record that is matched with places. */
export const RECORDS = numbersOf("records");
