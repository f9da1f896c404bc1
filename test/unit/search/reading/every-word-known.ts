import { NO_LEXICON, type Lexicon } from "../../../../src/search/lexicon.ts";
import { loadVocabulary } from "../../../../src/search/vocabulary/read-vocabulary.ts";

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
