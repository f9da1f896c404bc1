import { readFileSync, writeFileSync } from "node:fs";
import { NO_LEXICON, type Lexicon } from "../../../../src/search/lexicon.ts";
import { loadVocabulary } from "../../../../src/search/vocabulary/read-vocabulary.ts";

/** Set to `write`, the run records how each phrase is read instead of comparing with the record. Read the differences. */
export const isRewriting = process.env["PHRASES"] === "write";

/** A line of a file. */
export interface Phrase {
  /** Where the caller is: HN or SG. */
  readonly caller: string;
  readonly text: string;
  /** How it was read when it was recorded. */
  readonly readings: string;
}

const isRow = (line: string): boolean => line !== "" && !line.startsWith("#") && !line.startsWith("caller;");

const toPhrase = (line: string): Phrase => {
  const [caller = "", text = "", readings = ""] = line.split(";");
  return { caller, text, readings };
};

/** The phrases of a file, in its order. */
export const readPhrases = (file: URL): Phrase[] =>
  readFileSync(file, "utf8").split("\n").filter(isRow).map(toPhrase);

/** Records how the phrases of a file are read now. */
export function rewritePhrases(file: URL, toReadings: (phrase: Phrase) => string): void {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .map((line) => {
      if (!isRow(line)) return line;
      const phrase = toPhrase(line);
      return [phrase.caller, phrase.text, toReadings(phrase)].join(";");
    });
  writeFileSync(file, lines.join("\n"));
}

const vocabulary = loadVocabulary();

/** Any syllable of Vietnamese, without its marks. */
const SYLLABLE =
  /^(?:b|ch?|d|gh?|gi|h|kh?|l|m|n|ngh?|nh|p|ph|qu|r|s|t|th|tr|v|x)?[aeiouy]{1,3}(?:ch?|m|n|ng|nh|p|t)?$/;
const OTHER_WORDS = new Set(["dame", "keangnam"]);
const ofSyllable =
  (count: number) =>
  (word: string): number =>
    SYLLABLE.test(word) || OTHER_WORDS.has(word) || vocabulary.words.of(word) > 0 || !/^[a-z]+$/.test(word)
      ? count
      : 0;

/** As in a large city, where names have every syllable. */
export const EVERY_WORD_KNOWN: Lexicon = {
  ...NO_LEXICON,
  inNames: ofSyllable(5),
  inAddresses: ofSyllable(1),
  beginningIn: ofSyllable(5),
};
