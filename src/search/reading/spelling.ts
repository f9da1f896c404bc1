import { NO_LEXICON, withoutTelex, type Lexicon } from "../lexicon.ts";
import { READING, SPANS } from "../numbers.ts";
import type { Phrase, Vocabulary } from "../vocabulary/vocabulary.ts";
import { sumOfNumbers } from "../match-words.ts";
import type { Respelled } from "./reading.ts";
import { isFunctionWord } from "./relations.ts";
import { findSpans, type Span } from "./spans.ts";
import { holds, lettersOf, range, respell, type Asked, type Token } from "./tokens.ts";

/** How words were probably meant that are mistyped. */

type Known = Omit<Asked, "tokens"> & { readonly lexicon: Lexicon };

/** A query with the words that were probably meant. */
export interface Corrected extends Respelled {
  readonly tokens: readonly Token[];
}

/**
 * The words of a query in the spelling that the vocabulary understands most of: those of a kind, an area, a wish, a relation
 * or a particle may be one letter away from what was typed, unless names have another such word far more often. `undefined` where it understands most of the words as they are. The words of names are left to the
 * lookups, which know all of their forms.
 */
export function correctSpelling(tokens: readonly Token[], known: Known): Corrected | undefined {
  const plain = withoutKeys(tokens, known);
  const isAlone = tokens.length === 1;
  // Words of another language are no typos.
  const isForeign = plain.filter((token) => isUnknownWord(token, plain, known)).length > READING.mostMistyped;
  const changes = (isForeign ? [] : changesOf(plain, known)).filter(
    ({ token }) => !isAlone || token.word.length >= READING.lettersForTypo,
  );
  if (plain === tokens && changes.length === 0) return undefined;
  const said = saidBy(plain, known);
  const gains = changes
    .map((change) => weigh(change, { tokens: plain, said }, known))
    .filter(({ gain, isUnknown }) => gain > (isUnknown ? SPANS.leastGain : SPANS.wordScore))
    .toSorted((one, other) => other.gain - one.gain);
  // Beside words that no place has, which are surely mistyped, the others are as they were meant.
  const some = gains.some(({ isUnknown }) => isUnknown) ? gains.filter(({ isUnknown }) => isUnknown) : gains;
  // The best of each word.
  const best = some
    .filter((one, index) => some.findIndex(({ at }) => at === one.at) === index)
    .slice(0, READING.mostMistyped);
  let corrected: Corrected = { tokens: plain, doubt: 0, isSure: true };
  for (const { at, token, isUnknown, doubt } of best) {
    const next = corrected.tokens.with(at, token);
    if (saidBy(next, known) <= saidBy(corrected.tokens, known)) continue;
    corrected = {
      tokens: next,
      doubt: corrected.doubt + doubt,
      isSure: corrected.isSure && isUnknown,
    };
  }
  // One word may be a name without its spaces.
  const mayBeSure = !isAlone && known.lexicon !== NO_LEXICON;
  if (corrected.tokens === tokens) return undefined;
  return mayBeSure ? corrected : { ...corrected, isSure: false, doubt: Math.max(1, corrected.doubt) };
}

/** The words without the keys that Telex takes for marks, where no place has them as they are typed and the vocabulary understands more. */
function withoutKeys(tokens: readonly Token[], known: Known): readonly Token[] {
  const plain = tokens.map((token): Token => {
    const word = withoutTelex(token.word);
    const isTelex = isUnknownWord(token, tokens, known) && countOf(word, known.lexicon) > 0;
    return isTelex ? respell(token, word) : token;
  });
  const isSame = plain.every((token, at) => token === tokens[at]);
  return !isSame && saidByPhrases(plain, known) > saidByPhrases(tokens, known) ? plain : tokens;
}

/** What another word adds to what the vocabulary understands of a query, times how likely it is that it was meant. */
function weigh(
  change: Change,
  { tokens, said }: { readonly tokens: readonly Token[]; readonly said: number },
  known: Known,
): Change & { readonly gain: number; readonly doubt: number } {
  const { at, token, isUnknown } = change;
  const next = tokens.with(at, token);
  const gain = saidBy(next, known) - said;
  if (gain <= 0 || !isUnknown) return { ...change, gain, doubt: 1 };
  const doubt = doubtOf(tokens[at]!.word, { at, tokens: next }, known);
  return { ...change, gain: gain * (1 - doubt), doubt };
}

/** Another word in the place of one. */
interface Change {
  readonly at: number;
  readonly token: Token;
  /** Whether no place has the typed one. */
  readonly isUnknown: boolean;
  /** Whether it is long enough to be no chance. */
  readonly isClear: boolean;
}

/**
 * A word that no place has may be any word of the vocabulary that is not short. A word that places have may be mistyped where the query has
 * the rest of a kind or a wish. Marks are typed on purpose, and left out on purpose beside others: "mới qua việt nam" has no "quán".
 */
const changesOf = (tokens: readonly Token[], known: Known): Change[] => {
  const hasMarks = tokens.some((token) => token.hasMarks);
  return tokens.flatMap((token, at) => {
    const { vocabulary, lexicon } = known;
    const isUnknown = isUnknownWord(token, tokens, known);
    if (!isUnknown && hasMarks) return [];
    // In a sentence, a word that other sentences have is no typo by itself: "my back is killing me" asks for no bank.
    const isStrange = isUnknown && vocabulary.needWeights(token.word).length === 0;
    const isClear = (word: string): boolean =>
      isStrange &&
      (Math.max(word.length, token.word.length) >= READING.lettersAlone || isRelation(word, vocabulary));
    const beginnings = beginningsAt(tokens, at, vocabulary);
    // Of those that say as much, the one that most places have is meant.
    return meantBy(token, known)
      .toSorted((one, other) => countOf(other, lexicon) - countOf(one, lexicon))
      .flatMap((word) => {
        const plain = respell(token, word);
        const tokensOfWord = hasMarks ? [plain, ...withMarks(plain, vocabulary)] : [plain];
        return tokensOfWord.map((one) => ({ at, isUnknown, isClear: isClear(word), token: one }));
      })
      .filter((change) => saysSomething(tokens, beginnings, change, vocabulary));
  });
};

/** A function word as it is spelled: beside words with marks, one without them is another word. */
const withMarks = (token: Token, { phrases }: Vocabulary): Token[] =>
  (phrases.get(token.word) ?? [])
    .filter(({ role }) => role === "function")
    .map(({ marked }) => ({ ...token, marked: marked.join(" "), hasMarks: true }))
    .filter(({ marked }) => marked !== token.word);

/** Short as it is, "gan" changes where the places are. */
const isRelation = (word: string, { phrases }: Vocabulary): boolean =>
  phrases.get(word)?.some(({ role }) => role === "landmark") === true;

/** How much the vocabulary understands: phrases, and a little the function words between them. */
function saidBy(tokens: readonly Token[], known: Known): number {
  const asked = { ...known, tokens };
  const spans = findSpans(asked);
  const isFunction = (at: number): boolean =>
    isFunctionWord(asked, at) && !spans.some((span) => holds(span, at));
  return scoreOf(spans) + SPANS.functionScore * range(0, tokens.length).filter(isFunction).length;
}

/** How much it understands without function words: "tos" is "tous" rather than "tớ" with the key for its mark. */
const saidByPhrases = (tokens: readonly Token[], known: Known): number =>
  scoreOf(findSpans({ ...known, tokens }));

const scoreOf = (spans: readonly Span[]): number => sumOfNumbers(spans.map(({ score }) => score));

const countOf = (word: string, { inNames, inAddresses }: Lexicon): number =>
  inNames(word) + inAddresses(word);

/** How likely it is that another word than the one at `at` was meant: one that names have, by how many. In a phrase there is no doubt. */
function doubtOf(
  typed: string,
  { at, tokens }: { readonly at: number; readonly tokens: readonly Token[] },
  known: Known,
): number {
  const span = findSpans({ ...known, tokens }).find((one) => holds(one, at));
  if (span && span.end - span.start > 1) return 0;
  const { lexicon } = known;
  const meant = tokens[at]!.word;
  const others = lexicon.oneTypoAway(typed).filter((word) => word !== meant);
  const ofOthers = sumOfNumbers(others.map(lexicon.inNames));
  return ofOthers / Math.max(1, ofOthers + countOf(meant, lexicon));
}

/** Whether a word means nothing and no place has it, as far as words are counted. The last may be half typed: places have words that begin so. */
function isUnknownWord(token: Token, tokens: readonly Token[], { vocabulary, lexicon }: Known): boolean {
  const { word } = token;
  const inNames = token === tokens.at(-1) ? lexicon.beginningIn : lexicon.inNames;
  return (
    vocabulary.words.of(word) === 0 &&
    (lexicon === NO_LEXICON || inNames(word) + lexicon.inAddresses(word) === 0)
  );
}

/** The words of the vocabulary that may be meant. */
const meantBy = ({ word }: Token, { vocabulary }: Known): readonly string[] =>
  word.length < READING.lettersMistyped || !/^[a-z]+$/.test(word) ? [] : vocabulary.wordsLike(word);

/** The letters before a word, from each start with which a phrase or a name may begin: once for all words that may stand there. */
const beginningsAt = (tokens: readonly Token[], at: number, { begins }: Vocabulary) =>
  range(Math.max(0, at - READING.wordsOfPhrase + 1), at + 1)
    .map((start) => ({ start, letters: lettersOf(tokens, start, at) }))
    .filter(({ letters }) => begins(letters));

/** Whether the other word says something, alone or with those around it. */
function saysSomething(
  tokens: readonly Token[],
  beginnings: ReturnType<typeof beginningsAt>,
  { at, token, isUnknown, isClear }: Change,
  { phrases, chains, areaNames, begins }: Vocabulary,
): boolean {
  const isSaid = (letters: string, count: number): boolean => {
    if (!isClear && (count === 1 || letters.length < READING.lettersForTypo)) return false;
    const isPhrase = ({ role, words }: Phrase): boolean =>
      (isUnknown || role === "kind" || role === "wish") && words.length === count;
    const isName = isUnknown && (chains.has(letters) || areaNames.has(letters));
    return isName || phrases.get(letters)?.some(isPhrase) === true;
  };
  return beginnings.some(({ start, letters: before }) => {
    let letters = before + token.word;
    const last = Math.min(tokens.length, start + READING.wordsOfPhrase);
    for (let end = at + 1; end <= last && begins(letters); end += 1) {
      if (isSaid(letters, end - start)) return true;
      letters += tokens[end]?.word ?? "";
    }
    return false;
  });
}
