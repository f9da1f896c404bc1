import { TYPE_CODES, type TypeCode, typesUnder } from "../../src/place/document/type-codes.ts";
import { fold, joinWords } from "../../src/place/text/fold.ts";
import { type Dataset, type TruePlace, byDistance } from "./dataset.ts";
import type { Random } from "../../test/support/random.ts";
import { type EvalCase, centreNear, mistype } from "./cases.ts";

/** A category with fewer places may have none within reach of the caller. */
const MIN_PLACES = 30;
/** A page shows about twenty results; the first ten count. */
export const TOP = 10;
/** Shorter words are a letter away from too many others: "bar" from "bán". */
const MIN_LETTERS_FOR_TYPO = 6;
/** How many words of a category are used besides its two labels. */
const OTHER_WORDS = 2;
/** `PLACE` stands for unknown kinds, so nobody searches for it. */
const NO_CATEGORY: ReadonlySet<string> = new Set(["PLACE"]);

export interface Category {
  readonly code: TypeCode;
  readonly types: readonly TypeCode[];
  readonly places: readonly TruePlace[];
}

/** The kinds with so many open places that each caller has some of them around. */
export function categoriesOf({ places }: Dataset): Category[] {
  const codes = (Object.keys(TYPE_CODES) as TypeCode[]).filter((code) => !NO_CATEGORY.has(code));
  return codes
    .map((code) => {
      const types = typesUnder(code);
      const isOf = new Set<string>(types);
      return { code, types, places: places.filter(({ type, isClosed }) => isOf.has(type) && !isClosed) };
    })
    .filter(({ places: found }) => found.length >= MIN_PLACES);
}

/** Both labels, the Vietnamese one also without marks, and some of the other words. */
export function waysToType(code: TypeCode, random: Random): string[] {
  const { vi, en, words } = TYPE_CODES[code];
  return [vi, fold(vi), en, ...random.shuffle(words).slice(0, OTHER_WORDS)];
}

/** Every way of typing every category, repeated until there are `count` cases, each with another centre. */
export function makeCategoryCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const ways = waysOf(dataset, random, (word) => word);
  return fromEverywhere("category", ways, random, count);
}

/** The same with one letter mistyped in longer words. */
export function makeMistypedCategoryCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  const ways = waysOf(dataset, random, (word) => {
    const folded = fold(word);
    if (joinWords(folded).length < MIN_LETTERS_FOR_TYPO) return undefined;
    const query = mistype(folded, 1, random);
    return query === undefined || dataset.isTaken(joinWords(query)) ? undefined : query;
  });
  return fromEverywhere("category-typo", ways, random, count);
}

interface Way {
  readonly query: string;
  readonly category: Category;
}

function waysOf(dataset: Dataset, random: Random, type: (word: string) => string | undefined): Way[] {
  const ways = categoriesOf(dataset).flatMap((category) =>
    waysToType(category.code, random).flatMap((word) => {
      const query = type(word);
      return query === undefined ? [] : [{ query, category }];
    }),
  );
  return random.shuffle(ways);
}

function fromEverywhere(
  kind: EvalCase["kind"],
  ways: readonly Way[],
  random: Random,
  count: number,
): EvalCase[] {
  if (ways.length === 0) return [];
  return Array.from({ length: count }, (_, number) => {
    const { query, category } = ways[number % ways.length]!;
    const centre = centreNear(random.pick(category.places).location, random);
    const ideal = byDistance(category.places, centre).slice(0, TOP);
    const idealMeters = ideal.reduce((sum, { meters }) => sum + meters, 0) / ideal.length;
    return { kind, query, centre, expected: { dataIds: [], types: category.types, idealMeters } };
  });
}
