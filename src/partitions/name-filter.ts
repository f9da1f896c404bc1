import * as v from "valibot";
import type { IndexedPlace } from "../meilisearch/index-form.ts";
import { formsOf, NAME_BEGINNINGS, type PlaceFilter, type WordForms } from "../meilisearch/place-index.ts";
import { shortCell } from "../place/geometry/cells.ts";
import { filedUnder } from "../place/document/rest-words.ts";
import { firstLetters } from "../place/text/fold.ts";

/**
 * Says what a partition surely does not hold: most names occur in one partition only, so a lookup anywhere need not ask all of them. A Bloom
 * filter over all that lookups filter by, as the index stores it: names, words, beginnings of names, areas, types and cells. It says
 * "no" for certain, and "maybe" by mistake for few. It is our own page of code because a lookup is hashed once for all partitions, which
 * the libraries cannot.
 */

/** Each field of the index whose values are tokens, with the mark that keeps equal texts of different fields apart. */
const MARKS = {
  joined_names: "n",
  name_words: "w",
  rest_words: "r",
  name_beginnings: "b",
  areas: "a",
  type: "t",
  // Twenty to forty places share one of the finest, so these add little.
  cells: "c",
} as const satisfies Partial<Record<keyof IndexedPlace, string>>;

type NameField = keyof typeof MARKS;

/** The fields of the index whose facet distribution `buildNames` reads. */
export const NAME_FIELDS = Object.keys(MARKS) as NameField[];

/** As the engine stores it, beside the places of a partition. */
export interface StoredNames {
  /** Which fields it knows of: `NAMES_FORM`. */
  readonly form?: number;
  readonly tokens: number;
  /** Base64. */
  readonly bits: string;
  /** The writes that a rebuilt one covers; absent in that of an import. */
  readonly rebuilt_at?: number;
}

/** A partition with a name has about 1.6 tokens for it: two bytes for each name, and 0.8 % of the tokens mistaken for others. */
const BITS_PER_TOKEN = 10;

/** The best number for these bits: 0.69 times as many. */
const HASHES_PER_TOKEN = 7;

/** Raise it with every change of `MARKS`: a partition with a filter of another form is asked for everything. */
const NAMES_FORM = 2;

const NAMES_ID = "names";
const ADDED_NAMES_ID = "names_added";

export const toNamesDocument = (names: StoredNames): object => ({ id: NAMES_ID, _names: names });

/**
 * What was added to a partition since its filter was built: hashes of tokens (`hashesOfPlace`).
 * @param rebuiltAt that of the filter: both belong together.
 */
export const toAddedNamesDocument = (hashes: readonly number[], rebuiltAt?: number): object => ({
  id: ADDED_NAMES_ID,
  _names_added: hashes,
  ...(rebuiltAt !== undefined && { _names_rebuilt_at: rebuiltAt }),
});

/** Documents of a partition's index: the filter of its import, and what was added since. */
export const NAME_DOCUMENTS = { stored: NAMES_ID, added: ADDED_NAMES_ID } as const;

/** What the engine returns of both documents. */
export const namesOutline = v.object({
  results: v.array(
    v.object({
      _names: v.exactOptional(
        v.object({
          form: v.exactOptional(v.number()),
          tokens: v.number(),
          bits: v.string(),
          rebuilt_at: v.exactOptional(v.number()),
        }),
      ),
      _names_added: v.exactOptional(v.array(v.number())),
      _names_rebuilt_at: v.exactOptional(v.number()),
    }),
  ),
});

export type NameDocuments = v.InferOutput<typeof namesOutline>;

/** The filter of a partition. @param facets the facet distribution of its index, with at least `NAME_FIELDS`. */
export function buildNames(facets: Readonly<Record<string, Readonly<Record<string, number>>>>): StoredNames {
  const values = NAME_FIELDS.map((field) => [field, Object.keys(facets[field] ?? {})] as const);
  const tokens = values.reduce((count, [, texts]) => count + texts.length, 0);
  const bits = Buffer.alloc(Math.ceil((tokens * BITS_PER_TOKEN) / 8) + 1);
  for (const [field, texts] of values) {
    for (const text of texts) {
      const hash = hashOf(field, text);
      for (let index = 0; index < HASHES_PER_TOKEN; index += 1) {
        const position = positionOf(hash, index, bits);
        bits[position >>> 3]! |= 1 << (position & 7);
      }
    }
  }
  return { form: NAMES_FORM, tokens, bits: bits.toString("base64") };
}

/** The hashes of all tokens of a place. */
export const hashesOfPlace = (place: Pick<IndexedPlace, NameField>): number[] =>
  NAME_FIELDS.flatMap((field) => [place[field] ?? []].flat().map((text) => hashOf(field, text)));

/** What a partition may hold. */
export interface Names {
  /** False for a hash of a token that the partition surely does not hold. */
  readonly mayHold: (hash: number) => boolean;
}

/** @returns `undefined` for a filter of another form, which says nothing about some fields. */
export function openNames({ form, bits: text }: StoredNames): Names | undefined {
  if (form !== NAMES_FORM) return undefined;
  const bits = Buffer.from(text, "base64");
  const mayHold = (hash: number): boolean => {
    for (let index = 0; index < HASHES_PER_TOKEN; index += 1) {
      const position = positionOf(hash, index, bits);
      if ((bits[position >>> 3]! & (1 << (position & 7))) === 0) return false;
    }
    return true;
  };
  return { mayHold };
}

/** The same, with what was added since the filter was built. */
export function withAdded({ mayHold }: Names, hashes: readonly number[]): Names {
  const added = new Set(hashes);
  return { mayHold: (hash) => mayHold(hash) || added.has(hash) };
}

/**
 * Whether a partition may hold a match of the filter, as a question that is worked out once for all partitions. Fields of which
 * the filter knows nothing are left out.
 */
export function askNames(filter: PlaceFilter): (names: Names) => boolean {
  const { names, nameWords, wordSets, nameBeginning, areas, types, cells, within, anyOf } = filter;
  const inWords = nameWords && allOf(nameWords.map((word) => oneOf("name_words", formsOf(word))));
  const oneOfNames = [names && oneOf("joined_names", names), inWords, ...(wordSets ?? []).map(holdsWords)];
  const given = oneOfNames.filter((question) => question !== undefined);
  return allOf(
    [
      given.length > 0 ? someOf(given) : undefined,
      nameBeginning === undefined ? undefined : begins(nameBeginning),
      areas && oneOf("areas", areas),
      types && oneOf("type", types),
      cells && inCells(cells),
      ...(within ?? []).map(inCells),
      anyOf && someOf(anyOf.map(askNames)),
    ].filter((question) => question !== undefined),
  );
}

type Question = (names: Names) => boolean;

const allOf =
  (questions: readonly Question[]): Question =>
  (names) =>
    questions.every((question) => question(names));

const someOf =
  (questions: readonly Question[]): Question =>
  (names) =>
    questions.some((question) => question(names));

function oneOf(field: NameField, texts: readonly string[]): Question {
  const hashes = texts.map((text) => hashOf(field, text));
  return ({ mayHold }) => hashes.some(mayHold);
}

/** The lookups of a search name the same few rings again and again. */
const questionsOfCells = new WeakMap<readonly string[], Question>();

const inCells = (cells: readonly string[]): Question =>
  questionsOfCells.getOrInsertComputed(cells, () => {
    const inAny = oneOf("cells", cells.map(shortCell));
    const known = new WeakMap<Names, boolean>();
    return (names) => known.getOrInsertComputed(names, () => inAny(names));
  });

const holdsWords = (set: readonly WordForms[]): Question => allOf(set.map(holdsWord));

function holdsWord(word: WordForms): Question {
  const forms = formsOf(word);
  const filed = forms.map(filedUnder);
  return someOf([
    oneOf("name_words", forms),
    ...filed.map(({ values }) => oneOf("rest_words", values)),
    ...filed.map(({ types }) => oneOf("type", types)),
  ]);
}

/** A beginning of a length that is not stored is found by the next shorter one that is. */
function begins(beginning: string): Question {
  const letters = Array.from(beginning).length;
  const stored = NAME_BEGINNINGS.filter((length) => length <= letters);
  return oneOf("name_beginnings", [firstLetters(beginning, Math.max(...stored))]);
}

const LOW_BITS = 2 ** 32;
const HIGH_MASK = 2 ** 21 - 1;

/** A hash of 53 bits, which a number and JSON hold exactly: the public-domain function cyrb53. */
function hashOf(field: NameField, text: string): number {
  const token = MARKS[field] + text;
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let index = 0; index < token.length; index += 1) {
    const unit = token.charCodeAt(index);
    one = Math.imul(one ^ unit, 2_654_435_761);
    other = Math.imul(other ^ unit, 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
  other = Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  return LOW_BITS * (HIGH_MASK & other) + (one >>> 0);
}

/** One of the bits of a token: the two parts of its hash make as many positions as needed (Kirsch and Mitzenmacher). */
function positionOf(hash: number, index: number, { length }: Buffer): number {
  const first = hash % LOW_BITS;
  const step = Math.floor(hash / LOW_BITS) | 1;
  return (first + index * step) % (8 * length);
}
