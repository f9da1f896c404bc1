/** The five tone marks of Vietnamese, decomposed; the marks that make another vowel (â, ă, ê, ô, ơ, ư) are not among them. */
const TONES = /[\u0300\u0301\u0303\u0309\u0323]/g;
const MARKS = /\p{M}/u;
const LETTERS = /[\p{L}\p{N}\p{M}]+/gu;

/** True when the text was typed with marks or đ: then they are meant. */
export function hasMarks(text: string): boolean {
  return /đ/i.test(text) || MARKS.test(text.normalize("NFD"));
}

/**
 * The words of a text in lower case with their marks, each with its tone at the end: "hoà" and "hòa", the old and the new
 * place of the tone, become the same.
 */
export function markedWords(text: string): string[] {
  const words = text.normalize("NFD").toLowerCase().match(LETTERS) ?? [];
  return words.map((word) => word.replace(TONES, "") + (word.match(TONES) ?? []).join(""));
}
