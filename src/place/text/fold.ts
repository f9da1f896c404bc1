const MARKS = /\p{M}+/gu;
/** Everything that is neither a letter nor a digit separates words. */
const SEPARATORS = /[^\p{L}\p{N}]+/gu;
/** Katakana and the same sounds in hiragana lie this far apart: "ラーメン" and "らーめん" are the same name. */
const KANA_OFFSET = 0x60;
const KATAKANA = /[\u30A1-\u30F6]/g;
/** An apostrophe inside a word joins it: "Pizza 4P's" is typed "pizza 4ps". */
const APOSTROPHES = /['’ʼ`]/g;

/**
 * The form in which names are compared: lower case, no marks, đ as d, katakana as hiragana, words separated by
 * one space. "Phở Hòa – Pasteur" and "pho hoa pasteur" fold to the same text. Empty when the text has no letter
 * or digit.
 */
export function fold(text: string): string {
  return (
    text
      // The compatibility form of ´ is a space with a mark.
      .replaceAll("´", "'")
      .normalize("NFKD")
      .replace(MARKS, "")
      .toLowerCase()
      .replaceAll("đ", "d")
      .replace(KATAKANA, (letter) => String.fromCharCode(letter.charCodeAt(0) - KANA_OFFSET))
      .replace(APOSTROPHES, "")
      .replace(SEPARATORS, " ")
      .trim()
  );
}

/** The words of a folded text; an empty list for an empty one. */
export function words(folded: string): string[] {
  return folded === "" ? [] : folded.split(" ");
}

/** The folded text without its spaces, so that "cong caphe" and "Cộng Cà Phê" are the same. */
export function joinWords(folded: string): string {
  return folded.replaceAll(" ", "");
}

/**
 * The first `count` letters, in code points: half a surrogate pair is not text, and the engine refuses it.
 */
export function firstLetters(folded: string, count: number): string {
  // A code point has at most two units, so no more need to be split.
  return Array.from(folded.slice(0, 2 * count))
    .slice(0, count)
    .join("");
}

/** All letters but the first, by code points. */
export function withoutFirstLetter(folded: string): string {
  return Array.from(folded).slice(1).join("");
}

/**
 * The five Vietnamese tone marks, decomposed. Marks that make another vowel (â, ă, ê, ô, ơ, ư) are not
 * included.
 */
const TONES = /[\u0300\u0301\u0303\u0309\u0323]/g;
const ANY_MARK = /\p{M}/u;
const LETTERS = /[\p{L}\p{N}\p{M}]+/gu;

/** True when the text was typed with marks or đ, which then matter. */
export function hasMarks(text: string): boolean {
  return /đ/i.test(text) || ANY_MARK.test(text.normalize("NFD"));
}

/**
 * The words of a text in lower case with their marks, each with its tone mark moved to the end. "hoà" and
 * "hòa", the old and the new place of the tone mark, become the same.
 */
export function markedWords(text: string): string[] {
  const words = text.normalize("NFD").toLowerCase().match(LETTERS) ?? [];
  return words.map((word) => word.replace(TONES, "") + (word.match(TONES) ?? []).join(""));
}
