import { editDistance } from "../../src/place/text/edit-distance.ts";
import { hasMarks, markedWords, fold, words } from "../../src/place/text/fold.ts";
import type { Signature } from "./signature-store.ts";
import { type TypeRelation, lineOf } from "./type-relation.ts";
import { isTypeCode, TYPE_CODES, type TypeCode } from "../../src/place/type-codes.ts";

/**
 * How alike two names are, the best first. `equal`: the same letters. `core`: the same words but for their order and for words
 * of kinds. `contained`: one says more. `similar`: a letter or two differ, or only the marks.
 */
export type NameLikeness = "equal" | "core" | "contained" | "similar";

/** Shorter than this a name without its kind words is hardly one: `24` of `Phở 24`. */
const MIN_CORE_LETTERS = 4;

/** Syllables of Vietnamese differ by one letter and are other words; only in a long name is one more likely a slip. */
const LETTERS_PER_SLIP = 10;

/** What is added by these is a part of the place, or stands beside it. */
const PART_WORDS: ReadonlySet<string> = new Set(
  (
    "khoa cong gate toa building phong tang floor khu bai parking gui xe can canteen cang atm san ky tuc vien " +
    "trung tam center doi dien gan canh sau opposite near kho bep"
  ).split(" "),
);

/** `undefined` when the names do not speak for one place. */
export function likenessOf(
  one: Signature,
  other: Signature,
  relation: TypeRelation,
): NameLikeness | undefined {
  if (areEqual(one, other)) return differInMarks(one, other) ? "similar" : "equal";
  // Beyond whole names the kind words are left out, which only says something of places of one kind.
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

/** `Nhà thuốc Giải Phóng` in the street of that name: many of its neighbours have it in their names. */
const isStreet = (core: readonly string[], one: Signature, other: Signature): boolean =>
  core.every((word) => one.streetWords.includes(word) || other.streetWords.includes(word));

function areEqual(one: Signature, other: Signature): boolean {
  if (one.name === "" || other.name === "") return false;
  return (
    one.name === other.name || one.otherNames.includes(other.name) || other.otherNames.includes(one.name)
  );
}

/** `Phở Hà` and `Phở Hạ`: both were written with care. */
const differInMarks = (one: Signature, other: Signature): boolean =>
  one.name === other.name &&
  hasMarks(one.title) &&
  hasMarks(other.title) &&
  markedWords(one.title).join("") !== markedWords(other.title).join("");

/** But for those that are of the address: `Phở Thìn 13` at number 13. */
function haveSameNumbers(one: Signature, other: Signature): boolean {
  const [ofOne, ofOther] = ownNumbers(one, other);
  return sorted(ofOne) === sorted(ofOther);
}

/** Both have a number, and not the same: `Cơ sở 1` and `Cơ sở 2`. */
export function haveOtherNumbers(one: Signature, other: Signature): boolean {
  const [ofOne, ofOther] = ownNumbers(one, other);
  return ofOne.length > 0 && ofOther.length > 0 && sorted(ofOne) !== sorted(ofOther);
}

function ownNumbers(one: Signature, other: Signature): [string[], string[]] {
  const isOwn = (word: string): boolean =>
    !one.streetWords.includes(word) && !other.streetWords.includes(word);
  return [one.numbers.filter(isOwn), other.numbers.filter(isOwn)];
}

const sorted = (words: readonly string[]): string => words.toSorted().join(" ");

const byLength = (one: readonly string[], other: readonly string[]) =>
  one.length <= other.length ? ([one, other] as const) : ([other, one] as const);

const contains = (longer: readonly string[], shorter: readonly string[]): boolean =>
  ` ${longer.join(" ")} `.includes(` ${shorter.join(" ")} `);

/** Words that say what kind of thing bears the name, and that one source writes and another leaves out. */
const KIND_WORDS: readonly string[] = words(
  "quan tiem cua hang nha chi nhanh cs cn branch the va and shop store restaurant cafe coffee",
);

const kindWordsOfType = new Map<TypeCode, ReadonlySet<string>>();

/** The words of a name that are its own: without those of its type (`Phở Thìn` is `thin`) and of kinds. In their order. */
export function coreWords(foldedName: string, type: string): string[] {
  const code = isTypeCode(type) ? type : "PLACE";
  const kinds = kindWordsOfType.getOrInsertComputed(code, kindWordsOf);
  return words(foldedName).filter((word) => !kinds.has(word));
}

/** Of a type the labels only: the words that searches know it by tell its places apart, as those of a children's hospital. */
const kindWordsOf = (type: TypeCode): ReadonlySet<string> =>
  new Set([
    ...KIND_WORDS,
    ...lineOf(type).flatMap((code) => words(fold(`${TYPE_CODES[code].vi} ${TYPE_CODES[code].en}`))),
  ]);

/** Number and branch: `2` of `Cơ sở 2`, `ii`, `4ps`. */
export const numberWords = (folded: string): string[] =>
  words(folded).filter((word) => /\d|^(?:i{2,3}|iv|vi{1,3})$/.test(word));
