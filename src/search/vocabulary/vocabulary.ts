import { shortAreaName, type Area } from "../../place/geometry/areas.ts";
import { fold, joinWords, markedWords, words } from "../../place/text/fold.ts";
import { memoize } from "../../place/text/memoize.ts";
import { indexWords, type WordIndex } from "../../place/text/word-index.ts";
import {
  allTypes,
  isProjectType,
  TYPE_CODES,
  typesUnder,
  type TypeCode,
} from "../../place/document/type-codes.ts";

/**
 * What words mean: near, a wish or a kind. A `function` word is of a closed class (pronouns, particles, "find"): it says nothing by
 * itself. A `product` is a kind too: something that some places of the kind offer ("bánh tráng trộn"). A `head` stands before the words
 * of every kind under its own: "quán thái" is said as well as "đồ thái". A `brand` is a chain, whose kind stands in where it has no branch.
 */
export const ROLES = [
  "near",
  "landmark",
  "filler",
  "function",
  "before_area",
  "wish",
  "feature",
  "kind",
  "head",
  "product",
  "brand",
  "other_name",
  "address",
  "area_word",
  "area",
  "short_form",
  "surname",
] as const;

export type Role = (typeof ROLES)[number];

/** Roles whose words have no meaning by themselves. */
const NO_PHRASES = ["area", "short_form", "head", "brand", "other_name"] as const;
type NoPhrase = (typeof NO_PHRASES)[number];

const isOfPhrase = (role: Role): role is Exclude<Role, NoPhrase> =>
  !NO_PHRASES.some((other) => other === role);

/** One row of a vocabulary file. */
export interface VocabularyRow {
  readonly role: Role;
  /** A type, a feature, a wish, the id of an area or the words that are abbreviated; empty for roles that need none. */
  readonly meaning: string;
  readonly language: string;
  readonly words: readonly string[];
}

/** Words with marks, and folded for comparison with typed words. */
interface Spelling {
  readonly words: readonly string[];
  readonly marked: readonly string[];
}

/** The meaning of one or more words. */
export interface Phrase extends Spelling {
  readonly role: Exclude<Role, "product" | NoPhrase>;
  readonly meaning: string;
  readonly language: string;
  /** For a kind: its type codes, including child types. */
  readonly codes: readonly TypeCode[];
  /** The words name something that some places of the kind offer. */
  readonly isProduct: boolean;
  /** What else names of places say for the product: "cà phê trứng" for "cafe trứng". */
  readonly otherNames: readonly Spelling[];
}

/** The types that a word of OpenStreetMap's editors names, by its folded letters without spaces. */
export type BorrowedWords = (letters: string) => readonly TypeCode[] | undefined;

/** What a word, or two in a row, weighs for each type that a sentence with it may need. */
export type NeedWeights = (feature: string) => readonly (readonly [code: string, weight: number])[];

/** One name of an area. */
export interface AreaName {
  readonly spelling: Spelling;
  readonly area: Area;
  /** True for a curated name, which is trusted where a generated name is not. */
  readonly isKnown: boolean;
}

/** All known words and their meanings, by their folded letters without spaces. Built once, then read-only. */
export interface Vocabulary {
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>;
  /** Words for kinds from OpenStreetMap's editors, in fifty languages, for queries of nothing else. */
  readonly borrowed: BorrowedWords;
  /** What words say that a sentence needs, which names no kind. */
  readonly needWeights: NeedWeights;
  /** Chains by their names, folded and without spaces. */
  readonly chains: ReadonlyMap<string, Chain>;
  /** Other names of places of a kind, by what was typed, folded and without spaces: an embassy of "mỹ" is one of "hoa kỳ". */
  readonly otherNames: ReadonlyMap<string, readonly OtherName[]>;
  /** Words before kinds, by their letters, with the kinds that they begin: "quán" of places to eat and of places to drink. */
  readonly heads: ReadonlyMap<string, readonly string[]>;
  /** The kinds whose words begin with a word: "banh" begins those of "bánh mì" and of "bánh cuốn". */
  readonly firstWords: ReadonlyMap<string, ReadonlySet<TypeCode>>;
  readonly areaNames: ReadonlyMap<string, readonly AreaName[]>;
  /** The keys of `phrases` that name kinds, and those of `areaNames`: to complete what is being typed. */
  readonly kindKeys: WordIndex;
  readonly areaKeys: WordIndex;
  /** Whether a phrase, the name of a chain or that of an area begins with these letters, or is them. */
  readonly begins: (letters: string) => boolean;
  /** Every word of a phrase, a chain, another name or the name of an area, and every abbreviation. */
  readonly words: Pick<WordIndex, "of">;
  /** Those of them that are one letter away from a word, in order of the alphabet. */
  readonly wordsLike: (word: string) => readonly string[];
  readonly areas: ReadonlyMap<string, Area>;
  /** What the first words of a name may be short for: "nh" is "nhà hàng" and "ngân hàng". */
  readonly shortForms: ReadonlyMap<string, readonly Spelling[]>;
  /** Districts by their initials: "bt" is Bình Thạnh, and in another city Bắc Từ Liêm's neighbour. */
  readonly initials: ReadonlyMap<string, readonly Area[]>;
}

/** Builds the vocabulary. All meanings of a word count, from `rows` and from the types; `borrowed` only fills gaps. */
export function createVocabulary(source: {
  readonly rows: readonly VocabularyRow[];
  readonly borrowed: BorrowedWords;
  readonly needWeights: NeedWeights;
  readonly areas: readonly Area[];
}): Vocabulary {
  const phrases = new Map<string, Phrase[]>();
  for (const row of withoutTaken([...source.rows, ...rowsOfTypes(isProjectType)]))
    for (const { name, others } of row.words.flatMap(namesOfOne)) addPhrase(phrases, row, name, others);
  addPlurals(phrases, source.rows);
  addRepairs(phrases);
  for (const row of source.rows.filter(({ role }) => role === "head")) addHeads(phrases, row);
  const areas = new Map(source.areas.map((area) => [area.id, area]));
  const areaNames = readAreaNames(source.rows, areas);
  const chains = readChains(source.rows);
  const otherNames = readOtherNames(source.rows);
  const shortForms = readShortForms(source.rows);
  const initials = readInitials(source.areas);
  const all = [...phrases.values()].flat();
  const known = indexKeys([
    ...all.flatMap((phrase) => phrase.words),
    ...[...chains.values()].flatMap(({ spellings }) => spellings.flat().map(fold)),
    ...[...areaNames.values()].flatMap((names) => names.flatMap(({ spelling }) => spelling.words)),
    ...[...otherNames.values()].flat().flatMap((name) => name.words),
    ...shortForms.keys(),
    ...initials.keys(),
  ]);
  const said = indexKeys([...phrases.keys(), ...chains.keys(), ...areaNames.keys()]);
  return {
    phrases,
    borrowed: (letters) => (phrases.has(letters) ? undefined : source.borrowed(letters)),
    needWeights: source.needWeights,
    chains,
    otherNames,
    heads: readHeads(source.rows),
    firstWords: readFirstWords(all),
    areaNames,
    kindKeys: indexKeys(all.filter(({ role }) => role === "kind").map(({ words: said }) => said.join(""))),
    areaKeys: indexKeys(areaNames.keys()),
    begins: (letters) => said.beginningWith(letters) > 0,
    words: known,
    wordsLike: othersLike(known),
    areas,
    shortForms,
    initials,
  };
}

const othersLike = ({ within }: WordIndex) =>
  memoize((word) =>
    within(word, 1)
      .map((one) => one.word)
      .filter((one) => one !== word),
  );

const indexKeys = (keys: Iterable<string>): WordIndex =>
  indexWords(new Set(keys).values().map((key) => [key, 1] as const));

function listsOf<T>(entries: readonly (readonly [key: string, value: T])[]): Map<string, readonly T[]> {
  const byKey = Map.groupBy(entries, ([key]) => key);
  return new Map([...byKey].map(([key, some]) => [key, some.map(([, value]) => value)]));
}

function readFirstWords(all: readonly Phrase[]): Map<string, ReadonlySet<TypeCode>> {
  const kinds = all.filter(({ role, words: said }) => role === "kind" && said.length > 1);
  const byWord = Map.groupBy(kinds, ({ words: [first] }) => first!);
  return new Map([...byWord].map(([word, some]) => [word, new Set(some.flatMap(({ codes }) => codes))]));
}

/** The words of the rows with a role, one by one. */
const wordsWith = (rows: readonly VocabularyRow[], wanted: Role) =>
  rows
    .filter(({ role }) => role === wanted)
    .flatMap(({ meaning, words: texts }) => texts.map((text) => ({ text, meaning })));

const readHeads = (rows: readonly VocabularyRow[]): Map<string, readonly string[]> =>
  listsOf(wordsWith(rows, "head").map(({ text, meaning }) => [joinWords(fold(text)), meaning] as const));

/** Says the kinds under that of the row with each of its words where they are said with one of them. */
function addHeads(phrases: Map<string, Phrase[]>, { meaning, language, words: heads }: VocabularyRow): void {
  const spelled = heads.map((head) => markedWords(head).join(" "));
  const under = new Set<string>(typesUnder(meaning as TypeCode).slice(1));
  const said = [...phrases.values()]
    .flat()
    .filter((phrase) => phrase.role === "kind" && under.has(phrase.codes[0] ?? ""));
  for (const phrase of said) {
    const marked = phrase.marked.join(" ");
    const head = spelled
      .filter((one) => marked.startsWith(`${one} `))
      .toSorted((a, b) => b.length - a.length)[0];
    if (head === undefined) continue;
    const rest = marked.slice(head.length + 1);
    const codes = typesUnder(phrase.meaning as TypeCode);
    for (const other of heads) sayAlso(phrases, { ...phrase, language, codes }, `${other} ${rest}`);
  }
}

/** Says a phrase in other words, where they mean nothing else. */
function sayAlso(phrases: Map<string, Phrase[]>, phrase: Phrase, text: string): void {
  const spelling = toSpelling(text);
  phrases.getOrInsert(spelling.words.join(""), [{ ...phrase, ...spelling }]);
}

interface Chain {
  /** Its kinds, for datasets that lack it. */
  readonly codes: readonly TypeCode[];
  readonly spellings: readonly (readonly string[])[];
  /** What else it is called: its branches may still have an old name. */
  readonly otherNames: readonly Spelling[];
}

/** "winmart = vinmart" are names of one chain, and "cà phê trứng = cafe trứng" of one product: each with the others. */
function namesOfOne(text: string): { readonly name: string; readonly others: readonly string[] }[] {
  const names = text.split("=").map((name) => name.trim());
  return names.map((name) => ({ name, others: names.filter((other) => other !== name) }));
}

function readChains(rows: readonly VocabularyRow[]): Map<string, Chain> {
  const named = wordsWith(rows, "brand").flatMap(({ text, meaning }) =>
    namesOfOne(text).map((one) => ({ ...one, meaning })),
  );
  const toChain = (some: typeof named): Chain => ({
    codes: [...new Set(some.flatMap(({ meaning }) => typesUnder(meaning as TypeCode)))],
    spellings: some.map(({ name }) => markedWords(name)),
    otherNames: [...new Set(some.flatMap(({ others }) => others))].map(toSpelling),
  });
  const byName = Map.groupBy(named, ({ name }) => joinWords(fold(name)));
  return new Map([...byName].map(([name, some]) => [name, toChain(some)]));
}

/** Another name of places of a kind: "hoa kỳ" of the embassy that is asked for as "mỹ". */
interface OtherName extends Spelling {
  readonly codes: readonly TypeCode[];
}

const readOtherNames = (rows: readonly VocabularyRow[]): Map<string, readonly OtherName[]> =>
  listsOf(
    wordsWith(rows, "other_name").flatMap(({ text, meaning }) => {
      const codes = typesUnder(meaning as TypeCode);
      return namesOfOne(text).flatMap(({ name, others }) =>
        others.map((other) => [joinWords(fold(name)), { ...toSpelling(other), codes }] as const),
      );
    }),
  );

const readShortForms = (rows: readonly VocabularyRow[]): Map<string, readonly Spelling[]> =>
  listsOf(
    wordsWith(rows, "short_form").map(({ text, meaning }) => [fold(text), toSpelling(meaning)] as const),
  );

/** Few of the thousands of names of areas are ever compared with their marks: to keep all takes 1.4 MB. */
const toSpelling = (text: string): Spelling => ({
  words: words(fold(text)),
  get marked() {
    return markedWords(text);
  },
});

function addPhrase(
  phrases: Map<string, Phrase[]>,
  row: VocabularyRow,
  text: string,
  others: readonly string[] = [],
): void {
  const { role: ofRow, meaning, language } = row;
  if (!isOfPhrase(ofRow)) return;
  const isProduct = ofRow === "product";
  const role = ofRow === "product" ? "kind" : ofRow;
  const spelling = toSpelling(text);
  const key = spelling.words.join("");
  if (key === "") return;
  const known = phrases.getOrInsert(key, []);
  const codes = role === "kind" ? typesUnder(meaning as TypeCode) : [];
  const otherNames = others.map(toSpelling);
  const same = known.findIndex(
    (phrase) =>
      phrase.role === role &&
      (role === "kind" || phrase.meaning === meaning) &&
      phrase.marked.join(" ") === spelling.marked.join(" "),
  );
  const before = known[same];
  if (before === undefined)
    known.push({ ...spelling, role, meaning, language, codes, isProduct, otherNames });
  // "nh" means a restaurant and a bank: one phrase with both meanings.
  else if (role === "kind") {
    known[same] = {
      ...before,
      codes: [...new Set([...before.codes, ...codes])],
      isProduct: before.isProduct || isProduct,
      otherNames: [...before.otherNames, ...otherNames],
    };
  }
}

/** The rows of the data team's kinds, and the others without the words for kinds that the team uses for its own. */
function withoutTaken(rows: readonly VocabularyRow[]): VocabularyRow[] {
  const own = rowsOfTypes((code) => !isProjectType(code));
  const spelled = (text: string): string => markedWords(text).join(" ");
  const taken = new Set(own.flatMap(({ words: texts }) => texts.map(spelled)));
  if (taken.size === 0) return [...rows];
  const withoutOwn = (text: string): string =>
    namesOfOne(text)
      .flatMap(({ name }) => (taken.has(spelled(name)) ? [] : [name]))
      .join(" = ");
  const others = rows.map((row) =>
    row.role === "kind" || row.role === "product"
      ? { ...row, words: row.words.map(withoutOwn).filter((text) => text !== "") }
      : row,
  );
  return [...own, ...others];
}

/** The labels and words of some type codes. "Place" has no meaning in a query. */
function rowsOfTypes(isWanted: (code: string) => boolean): VocabularyRow[] {
  return allTypes()
    .filter((code) => code !== "PLACE" && isWanted(code))
    .map((code) => {
      const { vi, en, words } = TYPE_CODES[code];
      return { role: "kind", meaning: code, language: "vi", words: [vi, en, ...words] };
    });
}

function addPlurals(phrases: Map<string, Phrase[]>, rows: readonly VocabularyRow[]): void {
  const english = rows.filter(({ role, language }) => role === "kind" && language === "en");
  const labels = allTypes().map((code) => ({
    role: "kind" as const,
    meaning: code as string,
    language: "en",
    words: [TYPE_CODES[code].en.toLowerCase()],
  }));
  for (const row of [...english, ...labels]) {
    for (const text of row.words) {
      const plural = toPlural(text);
      if (!phrases.has(joinWords(fold(plural)))) addPhrase(phrases, row, plural);
    }
  }
}

/** Says "phone repair" in other words as well: "fix my phone". */
function addRepairs(phrases: Map<string, Phrase[]>): void {
  for (const phrase of [...phrases.values()].flat()) {
    if (phrase.role !== "kind" || phrase.words.at(-1) !== "repair") continue;
    const thing = phrase.words.slice(0, -1).join(" ");
    for (const one of [thing, toPlural(thing)])
      for (const text of [
        `fix ${one}`,
        `fix my ${one}`,
        `repair my ${one}`,
        `${one} fixed`,
        `${one} repaired`,
      ])
        sayAlso(phrases, phrase, text);
  }
}

function toPlural(text: string): string {
  if (/[^aeiou]y$/.test(text)) return `${text.slice(0, -1)}ies`;
  return /(s|x|ch|sh)$/.test(text) ? `${text}es` : `${text}s`;
}

/** The names of areas. Curated names come first; an area has each once. */
function readAreaNames(
  rows: readonly VocabularyRow[],
  areas: ReadonlyMap<string, Area>,
): Map<string, readonly AreaName[]> {
  const spellings = new Map<string, Spelling>();
  const toName = (area: Area, text: string, isKnown: boolean): AreaName => ({
    spelling: spellings.getOrInsertComputed(text, () => toSpelling(text)),
    area,
    isKnown,
  });
  const curated = wordsWith(rows, "area").map(({ text, meaning }) => {
    const area = areas.get(meaning);
    if (!area) throw new Error(`The vocabulary names the area "${meaning}", which no area file has.`);
    return toName(area, text, true);
  });
  const generated = [...areas.values()].map((area) => toName(area, shortAreaName(area.name), false));
  const names = listsOf([...curated, ...generated].map((name) => [name.spelling.words.join(""), name]));
  const isFirst = ({ area }: AreaName, at: number, list: readonly AreaName[]): boolean =>
    list.findIndex((one) => one.area === area) === at;
  return new Map([...names].map(([key, list]) => [key, list.filter(isFirst)]));
}

const readInitials = (areas: readonly Area[]): Map<string, readonly Area[]> =>
  listsOf(
    areas
      .filter(({ level }) => level === "district")
      .map((area) => ({ area, parts: words(fold(shortAreaName(area.name))) }))
      .filter(({ parts }) => parts.length > 1)
      .map(({ area, parts }) => [parts.map((word) => word.charAt(0)).join(""), area]),
  );

/** What a folded word says in an address: that a number, an alley or a street follows; `undefined` for other words. */
export const addressMeaningIn =
  ({ phrases }: Vocabulary) =>
  (word: string): string | undefined =>
    phrases.get(word)?.find(({ role }) => role === "address")?.meaning;
