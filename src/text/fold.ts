const MARKS = /\p{M}+/gu;
/** Everything that is neither a letter nor a digit separates words. */
const SEPARATORS = /[^\p{L}\p{N}]+/gu;
/** An apostrophe inside a word joins it: "Pizza 4P's" is typed "pizza 4ps". */
const APOSTROPHES = /['’ʼ`]/g;

/**
 * The form in which names are compared: lower case, without marks, đ as d, words parted by one space.
 * "Phở Hòa – Pasteur" and "pho hoa pasteur" fold to the same. Empty when the text holds no letter and no digit.
 */
export function fold(text: string): string {
  return (
    text
      // Its compatibility form is a space with a mark.
      .replaceAll("´", "'")
      .normalize("NFKD")
      .replace(MARKS, "")
      .toLowerCase()
      .replaceAll("đ", "d")
      .replace(APOSTROPHES, "")
      .replace(SEPARATORS, " ")
      .trim()
  );
}

/** The words of a folded text; none of an empty one. */
export function words(folded: string): string[] {
  return folded === "" ? [] : folded.split(" ");
}

/** The folded text without its spaces, so that "cong caphe" and "Cộng Cà Phê" are the same. */
export function joinWords(folded: string): string {
  return folded.replaceAll(" ", "");
}

/** The first `count` letters. Counts code points: half a surrogate pair is no text, and the engine refuses it. */
export function firstLetters(folded: string, count: number): string {
  // A code point has two units at most: no more need be taken apart.
  return Array.from(folded.slice(0, 2 * count))
    .slice(0, count)
    .join("");
}

/** All letters but the first, by code points. */
export function withoutFirstLetter(folded: string): string {
  return Array.from(folded).slice(1).join("");
}
