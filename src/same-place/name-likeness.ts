import { editDistance } from "../place/text/edit-distance.ts";
import { hasMarks, markedWords, fold, words } from "../place/text/fold.ts";
import { type TypeRelation, lineOf } from "./type-relation.ts";
import { isTypeCode, perKinds, TYPE_CODES, type TypeCode } from "../place/document/type-codes.ts";

/** The names of a place, prepared for comparison. */
export interface ComparedName {
  readonly title: string;
  /** The title, folded and without spaces. The alternate names have the same form. */
  readonly name: string;
  readonly otherNames: readonly string[];
  /** The distinctive words of the title. */
  readonly core: readonly string[];
  /** The words of the title that contain numbers. */
  readonly numbers: readonly string[];
  /** The words of house and street. A title may take its number from them, and even part of its name. */
  readonly streetWords: readonly string[];
}

/**
 * How alike two names are, the best first. `equal`: the same letters. `core`: the same words, except for
 * their order and category words. `contained`: one name has more words. `similar`: they differ in a letter or
 * two, or only in marks.
 */
export type NameLikeness = "equal" | "core" | "contained" | "similar";

/** Without its category words, a shorter name is hardly a name: `24` of `Phở 24`. */
const MIN_CORE_LETTERS = 4;

/**
 * Vietnamese syllables that differ by one letter are different words. Only in a long name is one letter more
 * likely a typing error.
 */
const LETTERS_PER_SLIP = 10;

/** Names that differ by these words are a part of the place, or another place beside it. */
const PART_WORDS: ReadonlySet<string> = new Set(
  (
    "khoa cong gate toa building phong tang floor khu bai parking gui xe can canteen cang atm san ky tuc vien " +
    "trung tam center doi dien gan canh sau opposite near kho bep"
  ).split(" "),
);

/** `undefined` when the names do not suggest that it is one place. */
export function likenessOf(
  one: ComparedName,
  other: ComparedName,
  relation: TypeRelation,
): NameLikeness | undefined {
  if (areEqual(one, other)) return differInMarks(one, other) ? "similar" : "equal";
  // Except for equal names, category words are ignored. That is only sound for places of related types.
  if (relation !== "line" || !haveSameNumbers(one, other)) return undefined;
  const [shorter, longer] = byLength(one.core, other.core);
  const [short, long] = [shorter.join(""), longer.join("")];
  if (short.length < MIN_CORE_LETTERS) return undefined;
  if (sorted(shorter) === sorted(longer)) return "core";
  if (contains(longer, shorter))
    return isPart(longer, shorter) || isStreet(shorter, one, other) ? undefined : "contained";
  const slips = Math.floor(short.length / LETTERS_PER_SLIP);
  return slips > 0 && editDistance(short, long).whole <= slips ? "similar" : undefined;
}

const isPart = (longer: readonly string[], shorter: readonly string[]): boolean =>
  longer.some((word) => PART_WORDS.has(word) && !shorter.includes(word));

/**
 * A name that is only the street, as in `Nhà thuốc Giải Phóng`: many neighbours have it in their names too.
 */
const isStreet = (core: readonly string[], one: ComparedName, other: ComparedName): boolean =>
  core.every((word) => one.streetWords.includes(word) || other.streetWords.includes(word));

function areEqual(one: ComparedName, other: ComparedName): boolean {
  if (one.name === "" || other.name === "") return false;
  return (
    one.name === other.name || one.otherNames.includes(other.name) || other.otherNames.includes(one.name)
  );
}

/** `Phở Hà` and `Phở Hạ`: both names have marks, and the marks differ. */
const differInMarks = (one: ComparedName, other: ComparedName): boolean =>
  one.name === other.name &&
  hasMarks(one.title) &&
  hasMarks(other.title) &&
  markedWords(one.title).join("") !== markedWords(other.title).join("");

/** Ignores numbers that are part of the address: `Phở Thìn 13` at number 13. */
export function haveSameNumbers(one: ComparedName, other: ComparedName): boolean {
  const [ofOne, ofOther] = ownNumbers(one, other);
  return sorted(ofOne) === sorted(ofOther);
}

/** True when both names have numbers, and different ones: `Cơ sở 1` and `Cơ sở 2`. */
export function haveOtherNumbers(one: ComparedName, other: ComparedName): boolean {
  const [ofOne, ofOther] = ownNumbers(one, other);
  return ofOne.length > 0 && ofOther.length > 0 && sorted(ofOne) !== sorted(ofOther);
}

function ownNumbers(one: ComparedName, other: ComparedName): [string[], string[]] {
  const isOwn = (word: string): boolean =>
    !one.streetWords.includes(word) && !other.streetWords.includes(word);
  return [one.numbers.filter(isOwn), other.numbers.filter(isOwn)];
}

const sorted = (words: readonly string[]): string => words.toSorted().join(" ");

const byLength = (one: readonly string[], other: readonly string[]) =>
  one.length <= other.length ? ([one, other] as const) : ([other, one] as const);

const contains = (longer: readonly string[], shorter: readonly string[]): boolean =>
  ` ${longer.join(" ")} `.includes(` ${shorter.join(" ")} `);

/** Words for the type of place. Some sources include them in names and others leave them out. */
const KIND_WORDS: readonly string[] = words(
  "quan tiem cua hang nha chi nhanh cs cn branch the va and shop store restaurant cafe coffee",
);

const kindWordsOfType = perKinds(() => new Map<TypeCode, ReadonlySet<string>>());

/**
 * The distinctive words of a name, in their order: without those of its type (`Phở Thìn` is `thin`) and
 * without category words.
 */
export function coreWords(foldedName: string, type: string): string[] {
  const code = isTypeCode(type) ? type : "PLACE";
  const kinds = kindWordsOfType().getOrInsertComputed(code, kindWordsOf);
  return words(foldedName).filter((word) => !kinds.has(word));
}

/**
 * Uses only the labels of a type. Its search words may distinguish places, as in the name of a children's
 * hospital.
 */
const kindWordsOf = (type: TypeCode): ReadonlySet<string> =>
  new Set([
    ...KIND_WORDS,
    ...lineOf(type).flatMap((code) => words(fold(`${TYPE_CODES[code].vi} ${TYPE_CODES[code].en}`))),
  ]);

/** Words with a number or a branch: `2` of `Cơ sở 2`, `ii`, `4ps`. */
export const numberWords = (folded: string): string[] =>
  words(folded).filter((word) => /\d|^(?:i{2,3}|iv|vi{1,3})$/.test(word));
