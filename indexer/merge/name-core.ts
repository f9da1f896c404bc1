import { isTypeCode, TYPE_CODES, type TypeCode } from "../../src/place/type-codes.ts";
import { fold, words } from "../../src/text/fold.ts";
import { lineOf } from "./type-relation.ts";

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
