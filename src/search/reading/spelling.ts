import { NO_LEXICON, withoutTelex, type Lexicon } from "../lexicon.ts";
import { READING, SPANS } from "../numbers.ts";
import type { Phrase, Vocabulary } from "../vocabulary/vocabulary.ts";
import { findSpans, range } from "./spans.ts";
import { lettersOf, type Asked, type Token } from "./tokens.ts";

/** How words were probably meant that are mistyped. */

type Known = Omit<Asked, "tokens"> & { readonly lexicon: Lexicon };

/** A query with the words that were probably meant. */
export interface Corrected {
  readonly tokens: readonly Token[];
  /** The dataset has none of the words as they were typed: no place is called so. */
  readonly isSure: boolean;
}

/**
 * The words of a query in the spelling that the vocabulary understands most of: those of a kind, an area, a wish or a relation may be one
 * letter away from what was typed. `undefined` where it understands most of the words as they are. The words of names are left to the
 * lookups, which know all of their forms.
 */
export function correctSpelling(tokens: readonly Token[], known: Known): Corrected | undefined {
  const plain = withoutKeys(tokens, known);
  const isAlone = tokens.length === 1;
  // Words of another language are no typos.
  const isForeign = plain.filter((token) => isUnknownWord(token, known)).length > READING.mostMistyped;
  const changes = (isForeign ? [] : changesOf(plain, known)).filter(
    ({ token }) => !isAlone || token.word.length >= READING.lettersForTypo,
  );
  if (plain === tokens && changes.length === 0) return undefined;
  let corrected: Corrected = { tokens: plain, isSure: true };
  for (let count = 0; count < READING.mostMistyped; count += 1) {
    const { tokens: before } = corrected;
    const said = saidBy(before, known);
    const [best] = changes
      .filter(({ at }) => before[at] === plain[at])
      .map((change) => ({ ...change, gain: saidBy(before.with(change.at, change.token), known) - said }))
      .filter(({ gain, least }) => gain > least)
      .toSorted((one, other) => other.gain - one.gain);
    if (!best) break;
    corrected = {
      tokens: before.with(best.at, best.token),
      isSure: corrected.isSure && best.isUnknown,
    };
  }
  // One word may be a name without its spaces.
  const mayBeSure = !isAlone && known.lexicon !== NO_LEXICON;
  return corrected.tokens === tokens ? undefined : { ...corrected, isSure: corrected.isSure && mayBeSure };
}

/** The words without the keys that Telex takes for marks, where no place has them as they are typed and the vocabulary understands more. */
function withoutKeys(tokens: readonly Token[], known: Known): readonly Token[] {
  const plain = tokens.map((token): Token => {
    const word = withoutTelex(token.word);
    const isTelex = isUnknownWord(token, known) && countOf(word, known.lexicon) > 0;
    return isTelex ? { ...token, word, marked: word, hasMarks: false } : token;
  });
  const isSame = plain.every((token, at) => token === tokens[at]);
  return !isSame && saidBy(plain, known) > saidBy(tokens, known) ? plain : tokens;
}

interface Change {
  readonly at: number;
  readonly token: Token;
  readonly isUnknown: boolean;
  /** How much more the vocabulary must understand. */
  readonly least: number;
}

/**
 * A word that no place has may be any word of the vocabulary that is not short; one that hardly any has, and that is long, perhaps. Other
 * words may be mistyped where the query has the rest of a phrase. Marks are typed on purpose.
 */
const changesOf = (tokens: readonly Token[], known: Known): Change[] =>
  tokens.flatMap((token, at) => {
    const isUnknown = isUnknownWord(token, known);
    if (!isUnknown && token.hasMarks) return [];
    const isRare =
      token.word.length >= READING.lettersForTypo &&
      countOf(token.word, known.lexicon) <= READING.placesMistyped;
    const isLong = (word: string): boolean =>
      Math.max(word.length, token.word.length) >= READING.lettersAlone;
    const isFree = (word: string): boolean =>
      isUnknown ? isLong(word) || isRelation(word, known.vocabulary) : isRare;
    const mayBeInPhrase = (word: string): boolean =>
      isUnknown || mayFollow(tokens, at, word, known.vocabulary);
    const least = isUnknown || isRare ? 0 : SPANS.wordScore;
    // Words without their spaces are taken apart.
    if (isUnknown && known.lexicon.takeApart(token.word)) return [];
    // Of those that say as much, the one that most places have is meant.
    return meantBy(token, known)
      .filter((word) => isFree(word) || mayBeInPhrase(word))
      .toSorted((one, other) => countOf(other, known.lexicon) - countOf(one, known.lexicon))
      .map((word) => ({ at, isUnknown, least, token: { ...token, word, marked: word, hasMarks: false } }))
      .filter(
        (change) =>
          isFree(change.token.word) || isInPhrase(tokens.with(at, change.token), change, known.vocabulary),
      );
  });

/** Short as it is, "gan" changes where the places are. */
const isRelation = (word: string, { phrases }: Vocabulary): boolean =>
  phrases.get(word)?.some(({ role }) => role === "landmark") === true;

/** Whether a word stands in some kind or wish beside the word before or behind. */
const mayFollow = (tokens: readonly Token[], at: number, word: string, { followers }: Vocabulary): boolean =>
  followers.get(tokens[at - 1]?.word ?? "")?.has(word) === true ||
  followers.get(word)?.has(tokens[at + 1]?.word ?? "") === true;

/** How much the vocabulary understands. */
const saidBy = (tokens: readonly Token[], known: Known): number =>
  findSpans({ ...known, tokens }).reduce((sum, { score }) => sum + score, 0);

const countOf = (word: string, { inNames, inAddresses }: Lexicon): number =>
  inNames(word) + inAddresses(word);

/** Whether the word means nothing, and no place has it or a word that begins so, as far as words are counted. */
const isUnknownWord = ({ word }: Token, { vocabulary, lexicon }: Known): boolean =>
  vocabulary.words.of(word) === 0 &&
  vocabulary.borrowed(word) === undefined &&
  (lexicon === NO_LEXICON || lexicon.beginningIn(word) + lexicon.inAddresses(word) === 0);

/** The words of the vocabulary that may be meant. */
const meantBy = ({ word }: Token, { vocabulary }: Known): readonly string[] =>
  word.length < READING.lettersMistyped || !/^[a-z]+$/.test(word) ? [] : vocabulary.wordsLike(word);

/**
 * Whether a word is part of a kind or a wish of several words, and of so many letters that it is no chance; one that no place has also of
 * a chain or an area.
 */
function isInPhrase(
  tokens: readonly Token[],
  { at, isUnknown }: Pick<Change, "at" | "isUnknown">,
  { phrases, chains, areaNames }: Vocabulary,
): boolean {
  const isSaid = (start: number, end: number): boolean => {
    const letters = lettersOf(tokens, start, end);
    const isOf = ({ role, words }: Phrase): boolean =>
      (role === "kind" || role === "wish") && words.length === end - start;
    const isName = isUnknown && (chains.has(letters) || areaNames.has(letters));
    return letters.length >= READING.lettersForTypo && (isName || phrases.get(letters)?.some(isOf) === true);
  };
  return range(Math.max(0, at - READING.wordsOfPhrase + 1), at + 1).some((start) =>
    range(Math.max(at, start + 1) + 1, Math.min(tokens.length, start + READING.wordsOfPhrase) + 1).some(
      (end) => isSaid(start, end),
    ),
  );
}
