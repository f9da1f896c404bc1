import type { Random } from "../../test/support/random.ts";

const MARKS = /\p{M}+/gu;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** Letters before this one are hardly ever mistyped. */
const FIRST_TYPO_AT = 1;

/** As typed on a keyboard without Vietnamese letters: "Phở Hòa" → "pho hoa". */
export function withoutMarks(text: string): string {
  return text.normalize("NFD").replace(MARKS, "").toLowerCase().replaceAll("đ", "d");
}

const TELEX_TONES: Readonly<Record<string, string>> = {
  "\u0301": "s",
  "\u0300": "f",
  "\u0309": "r",
  "\u0303": "x",
  "\u0323": "j",
};

/** The keys that type a Vietnamese text in Telex, each tone at the end of its word: "Phở Hòa" → "phowr hoaf". */
export const toTelex = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replaceAll("đ", "dd")
    .replace(/\p{L}[\p{L}\p{M}]*/gu, (word) => {
      const tones = Array.from(word, (letter) => TELEX_TONES[letter] ?? "").join("");
      const keys = word
        .replace(/([aeo])(\p{M}*?)\u0302/gu, "$1$1$2")
        .replace(/([aou])(\p{M}*?)[\u0306\u031b]/gu, "$1w$2")
        .replace(MARKS, "");
      return keys + tones;
    });

/**
 * The text with one letter replaced, left out, added or swapped with the next; the first letter stays. Does
 * not change texts of one letter.
 */
export function withOneTypo(text: string, random: Random): string {
  const letters = Array.from(text);
  const candidates = letters.flatMap((letter, at) =>
    at >= FIRST_TYPO_AT && /\p{L}/u.test(letter) ? [at] : [],
  );
  if (candidates.length === 0) return text;
  const at = random.pick(candidates);
  const wrong = otherLetter(letters[at]!, random);
  const edits = [
    () => letters.with(at, wrong),
    () => letters.toSpliced(at, 1),
    () => letters.toSpliced(at, 0, wrong),
    () => swapWithPrevious(letters, at),
  ];
  return random.pick(edits)().join("");
}

function otherLetter(letter: string, random: Random): string {
  return random.pick(Array.from(LETTERS).filter((other) => other !== letter));
}

/** Swapping two equal letters would change nothing, so one is doubled instead. */
function swapWithPrevious(letters: readonly string[], at: number): string[] {
  const [previous, letter] = [letters[at - 1]!, letters[at]!];
  if (at <= FIRST_TYPO_AT || previous === letter) return letters.toSpliced(at, 0, letter);
  return letters.toSpliced(at - 1, 2, letter, previous);
}

/** The first 60 % of the letters, at least one: a name half typed. */
export function firstSixtyPercent(text: string): string {
  const letters = Array.from(text);
  return letters
    .slice(0, Math.max(1, Math.round(letters.length * 0.6)))
    .join("")
    .trim();
}
