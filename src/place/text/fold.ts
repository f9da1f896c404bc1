import abbreviations from "./abbreviations.json" with { type: "json" };

const MARKS = /\p{M}+/gu;
/** Everything that is neither a letter nor a digit separates words. */
const SEPARATORS = /[^\p{L}\p{N}]+/gu;
/** Katakana and the same sounds in hiragana lie this far apart: "ラーメン" and "らーめん" are the same name. */
const KANA_OFFSET = 0x60;
const KATAKANA = /[\u30A1-\u30F6]/g;
/** The Vietnamese letter, and the Icelandic one that older fonts and keyboards put in its place: "Nguyễn Ðình Chiểu". */
const OTHER_D = /[đð]/g;
/** An apostrophe inside a word joins it: "Pizza 4P's" is typed "pizza 4ps". */
const APOSTROPHES = /['’ʼ`]/g;

/** Scripts and letters with special spellings; most texts have none. */
const OTHER_SPELLINGS = /[ß\u0600-\u06FF\u0E00-\u0E7F]/;
/** Letters that people type for each other: alef with and without its wasla, yeh and alef maksura, teh marbuta and heh. */
const ARABIC_LETTERS: Readonly<Record<string, string>> = { ٱ: "ا", ى: "ي", ی: "ي", ة: "ه", ک: "ك", ـ: "" };
const ARABIC_VARIANTS = /[ٱىیةکـ]/g;
/** The article, and the Thai words for a shop and a restaurant, before at least three letters. Marks are gone by now. */
const LEADING_WORDS =
  /(?<![\p{L}\p{N}])(?:(?:ال)+(?=\p{Script=Arabic}{3})|(?:รานอาหาร|ราน)+(?=\p{Script=Thai}{3}))/gu;
/** "Hauptstr." is "Hauptstraße"; "industr" is a word half typed. */
const SHORT_STREET = /(?<=\p{L}{2})str(?=\.)/gu;

/** "BV Bạch Mai" is "Bệnh viện Bạch Mai": the short forms, folded, that stand for the same words in names and in queries. */
const LONG_FORMS: ReadonlyMap<string, string> = new Map(Object.entries(abbreviations));
const SHORT_FORMS = new RegExp(`(?<![^ ])(?:${[...LONG_FORMS.keys()].join("|")})(?![^ ])`, "g");

/** True for a word that folds to the words it is short for. */
export const isAbbreviation = (word: string): boolean => LONG_FORMS.has(withoutMarks(word));

const unifySpellings = (text: string): string =>
  text
    .replaceAll("ß", "ss")
    .replace(ARABIC_VARIANTS, (letter) => ARABIC_LETTERS[letter] ?? letter)
    .replace(LEADING_WORDS, "");

/**
 * The form in which names are compared: lower case, no marks, đ as d, katakana as hiragana, one spelling of Arabic
 * letters and German streets, Vietnamese abbreviations in full, without the Arabic article, words separated by one space. "Phở Hòa – Pasteur" and "pho
 * hoa pasteur" fold to the same text. Empty when the text has no letter or digit.
 */
export const fold = (text: string): string =>
  withoutMarks(text).replace(SHORT_FORMS, (word) => withoutMarks(LONG_FORMS.get(word) ?? word));

/** Letter by letter, which takes a quarter of the time; other texts together. */
function withoutMarks(text: string): string {
  let folded = "";
  let isBetween = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = LATIN_LETTERS[text.charCodeAt(at)];
    if (letter === undefined) return withoutMarksTogether(text);
    if (letter === " ") isBetween = true;
    else if (letter !== "") {
      folded += isBetween && folded !== "" ? ` ${letter}` : letter;
      isBetween = false;
    }
  }
  return folded.includes("str") && text.includes(".") ? withoutMarksTogether(text) : folded;
}

function withoutMarksTogether(text: string): string {
  // The compatibility form of ´ is a space with a mark.
  const plain = text.replaceAll("´", "'").normalize("NFKD").replace(MARKS, "").toLowerCase();
  return (OTHER_SPELLINGS.test(plain) ? unifySpellings(plain) : plain)
    .replace(SHORT_STREET, "strasse")
    .replace(OTHER_D, "d")
    .replace(KATAKANA, (letter) => String.fromCharCode(letter.charCodeAt(0) - KANA_OFFSET))
    .replace(APOSTROPHES, "")
    .replace(SEPARATORS, " ")
    .trim();
}

/** Latin letters, dashes and quotes. */
const LATIN = /[\0-\u024F\u1E00-\u1EFF\u2010-\u201F]/;

/** By the code of each, what it folds to wherever it stands: a letter or digit, a space or nothing. */
const LATIN_LETTERS = Array.from({ length: 0x2020 }, (_, code) => {
  const letter = String.fromCharCode(code);
  const folded = LATIN.test(letter) ? withoutMarksTogether(`x${letter}x`).slice(1, -1) : undefined;
  return folded === undefined || folded.length > 1 ? undefined : folded;
});

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

/**
 * The five Vietnamese tone marks, decomposed. Marks that make another vowel (â, ă, ê, ô, ơ, ư) are not
 * included.
 */
export const TONES = /[\u0300\u0301\u0303\u0309\u0323]/g;
const ANY_MARK = /\p{M}/u;
/** Texts without marks, and most of their folded forms. */
const PLAIN = /^[ -~]*$/;
const LETTERS = /[\p{L}\p{N}\p{M}]+/gu;

/** True when the text was typed with marks or đ, which then matter. */
export function hasMarks(text: string): boolean {
  return !PLAIN.test(text) && (/[đð]/i.test(text) || ANY_MARK.test(text.normalize("NFD")));
}

/**
 * The words of a text in lower case with their marks, each with its tone mark moved to the end. "hoà" and
 * "hòa", the old and the new place of the tone mark, become the same. Abbreviations are written in full, as `fold` does.
 */
export function markedWords(text: string): string[] {
  const words = text.normalize("NFD").toLowerCase().replaceAll("ð", "đ").match(LETTERS) ?? [];
  return words.flatMap(toMarkedWords);
}

/** The words of one word in lower case, decomposed. */
function toMarkedWords(word: string): string | readonly string[] {
  const long = LONG_FORMS.get(word.replaceAll("đ", "d"));
  if (long !== undefined) return markedWords(long);
  const tones = word.match(TONES);
  return tones === null ? word : word.replace(TONES, "") + tones.join("");
}
