import { READING } from "../numbers.ts";
import type { Span } from "./spans.ts";
import { lettersOf, means, range, type Asked, type WordRange } from "./tokens.ts";

/** Words of closed classes: those that say where something is, and function words. */

/** A word or two that say where something is. */
export interface Relation {
  readonly relation: "near" | "in";
  readonly end: number;
  /** It follows what it says something about: the "street" of "nguyen trai street". */
  readonly isBehind?: true;
}

/** A word or two such as "gần", "đối diện", "ở" or "đường" that something follows. */
export function relationAt(asked: Asked, at: number, span: Span | undefined): Relation | undefined {
  const { tokens } = asked;
  if (span && (span.role === "kind" || span.role === "area" || span.start < at)) return undefined;
  if (at > 0 && isStreetBehind(asked, at)) return { relation: "in", end: at + 1, isBehind: true };
  for (let end = Math.min(at + READING.wordsOfRelation, tokens.length - 1); end > at; end -= 1) {
    if (span && span.role !== "landmark" && span.end !== end) continue;
    // "ở gần" means the caller, and before a name what is near that.
    const isLandmark =
      means(asked, at, end, { role: "landmark" }) ||
      (span?.role === "near" && means(asked, end - 1, end, { role: "landmark" }));
    if (isLandmark) return { relation: "near", end };
    if (means(asked, at, end, { role: "before_area" }) || isStreetWord(asked, at, end))
      return { relation: "in", end };
  }
  return undefined;
}

/** Whether the words from `start` to `end` say that a place on the map follows. */
export const isRelationWord = (asked: Asked, start: number, end: number): boolean =>
  means(asked, start, end, { role: "before_area" }) || means(asked, start, end, { role: "landmark" });

/** English puts the word for a street behind its name. */
export const isStreetBehind = (asked: Asked, at: number): boolean =>
  means(asked, at, at + 1, { role: "address", meaning: "street", language: "en" });

/** Words of a closed class (pronouns, particles, "tìm", "find"): no name consists of them alone. */
export const isFunctionWord = (asked: Asked, at: number): boolean =>
  means(asked, at, at + 1, { role: "function" });

/** The languages in which a word is a function word. */
export const functionLanguages = (at: number, { tokens, vocabulary }: Asked): readonly string[] => [
  ...new Set(
    (vocabulary.phrases.get(tokens[at]!.word) ?? [])
      .filter(({ role }) => role === "function")
      .map(({ language }) => language),
  ),
];

/** A folded Vietnamese syllable: consonants, vowels, consonants. */
const VIETNAMESE_SYLLABLE =
  /^(?:ngh?|[ckpt]h|nh|gh?|gi|qu|tr|[bcdhklmnprstvx])?[aeiouy]{1,3}(?:ng|nh|ch|[cmnpt])?$/;

/** The language in which a query is written, as far as its function words, marks and syllables tell. */
export function spokenLanguage(asked: Asked): "vi" | "en" {
  const { tokens } = asked;
  if (tokens.some(({ hasMarks }) => hasMarks)) return "vi";
  const ofEach = tokens.map(({ word }, at) => {
    const [language, ...more] = functionLanguages(at, asked);
    if (language !== undefined && more.length === 0) return language;
    return VIETNAMESE_SYLLABLE.test(word) || !/[aeiouy]/.test(word) ? undefined : "en";
  });
  const count = (language: string): number => ofEach.filter((one) => one === language).length;
  return count("en") > count("vi") ? "en" : "vi";
}

/** Whether a word is "có" or "with": something is there, or places have it. */
export const isHas = (asked: Asked, at: number): boolean =>
  means(asked, at, at + 1, { role: "function", meaning: "has" });

/** Whether "nào" stands right behind: what is before it is asked for. */
export const isAskedFor = ({ end }: WordRange, asked: Asked): boolean =>
  end < asked.tokens.length && means(asked, end, end + 1, { meaning: "asked" });

/** Whether words say only that it is a shop or a place to eat, such as "tiệm" and "shop". */
export const isHead = (words: WordRange, asked: Asked): boolean => kindsOfHead(words, asked).length > 0;

/** Whether they may be either, as "tiệm" is: what such a place has says what it is. */
export const isVagueHead = (words: WordRange, asked: Asked): boolean => kindsOfHead(words, asked).length > 1;

const kindsOfHead = ({ start, end }: WordRange, { tokens, vocabulary }: Asked): readonly string[] =>
  vocabulary.heads.get(lettersOf(tokens, start, end)) ?? [];

/** Whether a word such as "gần" stands right before: what follows is a place on the map. */
export const isBehindNear = (start: number, asked: Asked): boolean =>
  range(Math.max(0, start - READING.wordsOfRelation), start).some((at) => {
    const before = relationAt(asked, at, undefined);
    return before?.relation === "near" && before.end === start;
  });

/** Whether the words from `start` to `end` say that a street follows. The "phố" of "nhà hát thành phố" does not. */
export const isStreetWord = (asked: Asked, start: number, end: number): boolean =>
  asked.tokens[start]!.word.length > 1 &&
  means(asked, start, end, { role: "address", meaning: "street" }) &&
  (start === 0 || !means(asked, start - 1, end, { role: "area_word" }));
