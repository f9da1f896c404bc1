/**
 * Forms in which texts of other scripts are compared. Each takes and returns text in lower case with its marks
 * (Unicode NFC), leaves other scripts as they are, and is meant to run before `fold`, which drops the marks.
 */

/** The distance between a katakana and its hiragana; ヷ to ヺ have no hiragana. */
const KANA_OFFSET = 0x60;
const KATAKANA = /[\u30A1-\u30F6\u30FD\u30FE]/g;

/** Katakana as hiragana, half-width letters too: "ラーメン", "ﾗｰﾒﾝ" and "らーめん" are the same. */
export function foldKana(text: string): string {
  return text
    .normalize("NFKC")
    .replace(KATAKANA, (letter) => String.fromCharCode(letter.charCodeAt(0) - KANA_OFFSET));
}

const HANGUL = /[\uAC00-\uD7A3]+/g;

/** Hangul syllables as their letters (jamo), so that one wrong letter is one difference: "카페" and "까페". */
export function splitHangul(text: string): string {
  return text.replace(HANGUL, (syllables) => syllables.normalize("NFD"));
}

/** Vowel marks, and the stroke that only stretches a word. */
const ARABIC_MARKS = /[\u064B-\u065F\u0670\u0640]/g;
const ARABIC_LETTERS: Readonly<Record<string, string>> = {
  أ: "ا",
  إ: "ا",
  آ: "ا",
  ٱ: "ا",
  ى: "ي",
  ی: "ي",
  ئ: "ي",
  ؤ: "و",
  ة: "ه",
  ک: "ك",
};
const ARABIC_VARIANTS = new RegExp(`[${Object.keys(ARABIC_LETTERS).join("")}]`, "g");
/** The article "ال" before three or more letters; a shorter word does not have an article. */
const ARABIC_ARTICLE = /(?<![\p{L}\p{M}])(?:و?ال)(?=\p{Script=Arabic}{3})/gu;

/** One form of alef, yeh and teh marbuta, and words without their article: "الصيدلية" and "صيدليه". */
export function foldArabic(text: string): string {
  return text
    .normalize("NFC")
    .replace(ARABIC_MARKS, "")
    .replace(ARABIC_VARIANTS, (letter) => ARABIC_LETTERS[letter] ?? letter)
    .replace(ARABIC_ARTICLE, "");
}

/** "str." or "straße" at the end of a word, or as a separate word after a name. */
const GERMAN_STREET = /(?<=\p{L})(\s?)str(?:\.|(?![\p{L}\p{M}]))/gu;

/** German ß as ss, and "Hauptstr." as "Hauptstrasse". */
export function foldGerman(text: string): string {
  return text.replaceAll("ß", "ss").replaceAll("ẞ", "ss").replace(GERMAN_STREET, "$1strasse");
}

/**
 * Words that come before the name of a Thai place and are often left out: shop, hotel, hospital, school,
 * temple.
 */
const THAI_LEADING = /^(?:ร้านอาหาร|ร้าน|โรงแรม|โรงพยาบาล|โรงเรียน|วัด|ตลาด|ห้าง|ธนาคาร|บริษัท)(?=\p{L}{3})/u;

/** A Thai name without the word for its kind. */
export function dropThaiLeading(text: string): string {
  return text.replace(THAI_LEADING, "");
}

/** True when a function in this file may change the text; most texts need none of them. */
export function hasOtherScript(text: string): boolean {
  return /[ßẞ]|str\b|[\p{Script=Arabic}\p{Script=Hangul}\p{Script=Katakana}\p{Script=Thai}\uFF66-\uFF9F]/u.test(
    text,
  );
}
