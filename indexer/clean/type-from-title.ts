import * as v from "valibot";
import { memoize } from "../../src/place/text/memoize.ts";
import { readTable, textSchema } from "../../src/place/read-table.ts";
import { fold, hasMarks, joinWords, markedWords } from "../../src/place/text/fold.ts";
import {
  isTypeCode,
  perKinds,
  TYPE_CODES,
  typeCodeSchema,
  typesUnder,
  type TypeCode,
} from "../../src/place/document/type-codes.ts";
import { loadVocabulary } from "../../src/search/vocabulary/read-vocabulary.ts";
import type { CleanStep } from "./place-draft.ts";
import titleWordsTable from "./title-words.json" with { type: "json" };

/** The form of `title-words.json`: where titles speak otherwise than queries do. */
export const titleWordsSchema = v.strictObject({
  /** Words that say a type in a title, whatever they mean in a query. */
  says: v.record(typeCodeSchema, v.array(textSchema)),
  /** Words that name a kind in a query and none in a title: every second restaurant calls itself a bistro. */
  silent: v.array(textSchema),
  /** Countries whose word begins many names: "Nhà hàng Thái Sơn" is not Thai. They count at the end of a part of the title. */
  begin_names: v.array(textSchema),
  /** Words that say the type of a place about which nothing is known, where they begin or end its title. */
  edges: v.record(typeCodeSchema, v.array(textSchema)),
  /** What a last part in brackets or behind a dash says of the place: it closed, or is not open yet. */
  closed: v.strictObject({
    closed_permanently: v.array(textSchema),
    closed_temporarily: v.array(textSchema),
  }),
});

const TITLE_WORDS = readTable("indexer/clean/title-words.json", titleWordsSchema, titleWordsTable);

/**
 * Gives a place the narrower type that its title says, and keeps the type of the source: a RESTAURANT "Nhà hàng Hàn Quốc Gogi" becomes a
 * KOREAN_RESTAURANT. A title that begins with a chain says the type of the chain: the COFFEE "Ding Tea" becomes a BUBBLE_TEA.
 */
export const refineType: CleanStep = (draft) => {
  const { type, title } = draft;
  const refined = isTypeCode(type) ? (typeOfChain(type, title) ?? typeFromTitle(type, title)) : undefined;
  return refined === undefined ? draft : { ...draft, type: refined, source_type: type };
};

/** The last part of a title, in brackets or behind a dash. A bracket may be left open. */
const LAST_PART = /(?:[([]|\s[-–—]\s)([^()[\]]+)[)\]]?$/u;

const CLOSED = new Map(
  (["closed_permanently", "closed_temporarily"] as const).flatMap((status) =>
    TITLE_WORDS.closed[status].map((text) => [fold(text), status]),
  ),
);

/** Closes a place whose title says that it is not in business: "Ga Ba Son (dự kiến)", "Quán Bụi - đã đóng cửa". */
export const readClosedTitle: CleanStep = (draft, { note }) => {
  const said = LAST_PART.exec(draft.title.trimEnd())?.[1];
  const status = said === undefined ? undefined : CLOSED.get(fold(said).trim());
  if (status === undefined || draft.business_status !== "operational") return draft;
  note("business_status", "closed, as the title says", draft.title);
  return { ...draft, business_status: status };
};

/** The type of the chain whose name begins a title, where the type of the source is broader or related; else `undefined`. */
function typeOfChain(type: TypeCode, title: string): TypeCode | undefined {
  const { chains } = loadVocabulary();
  const typed = title.match(WORD) ?? [];
  let key = "";
  let marked = "";
  let found: TypeCode[] | undefined;
  for (const [index, word] of typed.entries()) {
    for (const one of readWord(word)) {
      key += one.key;
      marked += ` ${one.marked}`;
    }
    if (!chainBeginnings().has(key)) break;
    const chain = key.length >= MIN_CHAIN_LETTERS || index === typed.length - 1 ? chains.get(key) : undefined;
    const isSpelling = (spelling: readonly string[]): boolean => ` ${spelling.join(" ")}` === marked;
    if (chain && (!hasMarks(title) || chain.spellings.some(isSpelling))) found = withoutNarrower(chain.codes);
  }
  const [code, ...others] = found ?? [];
  return code !== undefined && others.length === 0 && standsFor(type, code) ? code : undefined;
}

/** As many first letters of each chain as one may read before it is clear that a title begins with none. */
const chainBeginnings = perKinds(
  () =>
    new Set(
      [...loadVocabulary().chains.keys()].flatMap((key) =>
        Array.from(key, (_, index) => key.slice(0, index + 1)),
      ),
    ),
);

/** Whether sources use a type for places of another, as they file every shop for drinks as a café: it is broader, or related. */
const standsFor = (type: TypeCode, code: TypeCode): boolean =>
  type === "PLACE" || isBelow(code, type) || TYPE_CODES[code].related?.includes(type) === true;

/** Shorter names of chains begin other names too: "Nem", "Koi". */
const MIN_CHAIN_LETTERS = 5;

/** The narrower type that a title says; `undefined` where it says none, or several. */
export function typeFromTitle(type: TypeCode, title: string): TypeCode | undefined {
  if (type !== "PLACE" && typesUnder(type).length === 1) return undefined;
  const read = readTitle(title);
  if (type !== "PLACE") return narrowerType(type, read);
  const begun = typeOfBeginning(read) ?? typeOfEdge(read.words);
  return begun && (narrowerType(begun, read) ?? begun);
}

/** Words that name a kind. */
interface Naming {
  readonly marked: readonly string[];
  readonly codes: readonly TypeCode[];
  /** Something that some places of the kind offer. */
  readonly isProduct: boolean;
  /** The words are in our table of titles. */
  readonly isOwn: boolean;
}

const HALF_NAMES: ReadonlySet<string> = new Set(TITLE_WORDS.begin_names.flatMap(markedWords));

const keyOf = (text: string): string => joinWords(fold(text));

/** A million titles of a country have some thousand words. */
const MOST_WORDS = 10_000;

const readWord = memoize(
  (typed) => markedWords(typed).map((marked) => ({ marked, key: keyOf(marked) })),
  MOST_WORDS,
);

function readOwnNamings(): Map<string, Naming[]> {
  const namings = new Map<string, Naming[]>(TITLE_WORDS.silent.map((text) => [keyOf(text), []]));
  for (const [code, texts] of Object.entries(TITLE_WORDS.says) as [TypeCode, string[]][]) {
    for (const text of texts) {
      const naming = { marked: markedWords(text), codes: [code], isProduct: false, isOwn: true };
      namings.getOrInsert(keyOf(text), []).push(naming);
    }
  }
  return namings;
}

/** By the letters of their words: of `title-words.json`, else of the vocabulary of queries. */
const allNamings = perKinds((): ReadonlyMap<string, readonly Naming[]> => {
  const ofQueries = [...loadVocabulary().phrases].map(([key, phrases]): [string, Naming[]] => [
    key,
    phrases
      .filter(({ role }) => role === "kind")
      .map(({ marked, codes, isProduct }) => ({
        marked,
        codes: withoutNarrower(codes),
        isProduct,
        isOwn: false,
      })),
  ]);
  return new Map([...ofQueries, ...readOwnNamings()]);
});

/** A phrase for restaurants has the codes of all kinds of restaurants. */
const withoutNarrower = (codes: readonly TypeCode[]): TypeCode[] =>
  codes.filter((code) => !codes.some((other) => isBelow(code, other)));

const isBelow = (type: TypeCode, broad: TypeCode): boolean =>
  type !== broad && typesUnder(broad).includes(type);

/** A kind that a title names, from its word `from` to before `to`. */
interface Named {
  readonly from: number;
  readonly to: number;
  readonly types: readonly TypeCode[];
  readonly isProduct: boolean;
  readonly isOwn: boolean;
  /** Written without marks also where the kind is written with care. */
  readonly isEnglish: boolean;
}

interface Title {
  readonly words: readonly string[];
  /** The numbers of the words that begin a new part, after a comma, a dash or a bracket. The end is one, too. */
  readonly breaks: ReadonlySet<number>;
  /** The numbers of the words that belong to what stands before: "THCS-THPT", "Tiểu học, Trung học". */
  readonly joined: ReadonlySet<number>;
  /** From left to right, the longest first, none over another. */
  readonly named: readonly Named[];
}

const JOINING = /^(?:[-–]|, ?| ?[&+/] ?)$/;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** The longest kinds: "cửa hàng vật liệu xây dựng". */
const MAX_WORDS = 6;

function readTitle(title: string): Title {
  const words: string[] = [];
  const keys: string[] = [];
  const breaks = new Set<number>();
  const joined = new Set<number>();
  let end = 0;
  for (const { 0: word, index } of title.matchAll(WORD)) {
    const between = title.slice(end, index);
    if (between !== " ") breaks.add(words.length);
    if (JOINING.test(between)) joined.add(words.length);
    for (const { marked, key } of readWord(word)) {
      words.push(marked);
      keys.push(key);
    }
    end = index + word.length;
  }
  breaks.add(words.length);
  const isPlain = !hasMarks(title);
  const named: Named[] = [];
  for (let from = 0; from < words.length;) {
    const found = findNamed({ words, keys, isPlain }, from);
    if (found) named.push(found);
    from = found?.to ?? from + 1;
  }
  return { words, breaks, joined, named };
}

interface TitleWords {
  readonly words: readonly string[];
  /** Each word folded: joined, the key of several. */
  readonly keys: readonly string[];
  /** The title has no marks. */
  readonly isPlain: boolean;
}

/** The longest words from `from` that name a kind. */
function findNamed({ words, keys, isPlain }: TitleWords, from: number): Named | undefined {
  for (let to = Math.min(words.length, from + MAX_WORDS); to > from; to -= 1) {
    const key = keys.slice(from, to).join("");
    const namings = allNamings().get(key);
    if (namings === undefined) continue;
    const text = words.slice(from, to).join(" ");
    const says = namings.filter(
      (naming) =>
        (naming.marked.join(" ") === text || (isPlain && naming.marked.length === to - from)) &&
        (!isPlain || naming.isOwn || key.length >= minPlainLetters(to - from)),
    );
    if (says.length === 0) continue;
    return {
      from,
      to,
      types: [...new Set(says.flatMap(({ codes }) => codes))],
      isProduct: says.every(({ isProduct }) => isProduct),
      isOwn: says.every(({ isOwn }) => isOwn),
      isEnglish: says.some((naming) => !hasMarks(naming.marked.join(" "))),
    };
  }
  return undefined;
}

/** Shorter words without marks are many words: "pho" is also "phố", "cua" is "của" and "cửa", "com ga" is Spanish. */
const minPlainLetters = (words: number): number => (words === 1 ? 5 : 6);

/** Places that are called after what they serve, wherever in the title. */
const isFood = (type: TypeCode): boolean =>
  typesUnder("RESTAURANT").includes(type) || typesUnder("DESSERT_SHOP").includes(type);

function narrowerType(broad: TypeCode, title: Title): TypeCode | undefined {
  const said = title.named.flatMap((one) => {
    const type = narrowest(one.types.filter((code) => isBelow(code, broad)));
    return type === undefined || (one.isProduct && !isTellingProduct(type)) ? [] : [{ ...one, type }];
  });
  const telling = said.filter((one) => isTelling(one, broad, title));
  const [first] = telling;
  if (first === undefined) return undefined;
  const only = narrowest((isFood(broad) ? telling : said).map(({ type }) => type));
  if (only !== undefined) return only;
  // "Nhà hàng Hàn Quốc … BBQ" is a Korean restaurant: it says so with the word for a restaurant.
  return isFood(broad) && first.from === 0 && first.to > 2 ? first.type : undefined;
}

/** A house of one dish ("chả cá") is no local eatery because some eateries offer it; nor is a milk shop a supermarket. */
const isTellingProduct = (type: TypeCode): boolean => isFood(type) && type !== "EATERY";

/** The one that is also each of the others; `undefined` when they differ. */
const narrowest = (types: readonly TypeCode[]): TypeCode | undefined =>
  types.find((type) => types.every((other) => typesUnder(other).includes(type)));

/** Vietnamese kinds begin a title, English ones end it or its first part; food is told anywhere. */
function isTelling(one: Named, broad: TypeCode, title: Title): boolean {
  const text = title.words.slice(one.from, one.to).join(" ");
  const [last = ""] = title.words.slice(one.to - 1);
  if (isOneOfTwo(one, title)) return false;
  if (HALF_NAMES.has(last) && one.to - one.from > 1 && !title.breaks.has(one.to)) return false;
  if (isBeginning(one, broad, title)) return isFood(broad) || !title.joined.has(one.to);
  if (one.isEnglish && title.breaks.has(one.to)) return true;
  return (
    isFood(broad) &&
    (one.to - one.from > 1 || (one.isEnglish && (one.isOwn || text.length >= MIN_TELLING_LETTERS)))
  );
}

/** "Gà rán & Burger" sells both. */
const isOneOfTwo = (one: Named, { joined, named }: Title): boolean =>
  named.some(
    (other) =>
      ((joined.has(one.from) && other.to === one.from) || (joined.has(one.to) && other.from === one.to)) &&
      narrowest([...one.types, ...other.types]) === undefined,
  );

/** "Chay" and "sushi" tell a restaurant anywhere, "bia" and "cua" only at the beginning. */
const MIN_TELLING_LETTERS = 4;

/** True when nothing but words for the broad type stands before. */
function isBeginning(one: Named, broad: TypeCode, { named }: Title): boolean {
  let reached = 0;
  for (const before of named) {
    if (before.from !== reached) return false;
    if (before.from === one.from) return true;
    if (!before.types.some((type) => type === broad || isBelow(broad, type))) return false;
    reached = before.to;
  }
  return false;
}

/** Short forms without a vowel, such as "KTX", are no other word. */
const SHORT_FORM = /^[bcdđghklmnpqrstvx]{3,}$/;

/** The type that a title says with its first words, for a place about which nothing is known. */
function typeOfBeginning({ words, joined, named }: Title): TypeCode | undefined {
  const first = named.find(({ from }) => from === 0);
  if (first === undefined) return typeOfEnd(words, named.at(-1));
  const type = narrowest(first.types);
  // The words of our own are for restaurants: an unknown place "Thái Lan" need not be one.
  if (type === undefined || first.isProduct || first.isOwn) return undefined;
  const next = named.find(({ from }) => from === first.to);
  const contradicts = next !== undefined && narrowest([type, ...next.types]) === undefined;
  if (contradicts || (joined.has(first.to) && !isFood(type))) return undefined;
  const isOneWord = first.to === 1;
  const [word = ""] = words;
  const isDish = isFood(type) && type !== "RESTAURANT" && !first.isEnglish;
  return !isOneWord || isDish || SHORT_FORM.test(word) ? type : undefined;
}

const EDGES = Object.entries(TITLE_WORDS.edges).flatMap(([code, texts]) =>
  texts.map((text) => ({ code: code as TypeCode, key: markedWords(text).join(" ") })),
);

/** "Highlands Coffee", "Cafe Sách". A title of nothing else says no more than its word. */
function typeOfEdge(titleWords: readonly string[]): TypeCode | undefined {
  const title = ` ${titleWords.join(" ")} `;
  return EDGES.find(({ key }) => title.startsWith(` ${key} `) || title.endsWith(` ${key} `))?.code;
}

/** "… Korean Restaurant": one word ends too many names, such as those of towns and towers. */
function typeOfEnd(words: readonly string[], last: Named | undefined): TypeCode | undefined {
  if (last === undefined || last.to !== words.length || last.to - last.from < 2) return undefined;
  const isLong = words.slice(last.from).join("").length >= minPlainLetters(2);
  return isLong && last.isEnglish && !last.isProduct ? narrowest(last.types) : undefined;
}
