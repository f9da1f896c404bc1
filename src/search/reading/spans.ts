import type { TypeCode } from "../../place/document/type-codes.ts";
import type { Phrase, Vocabulary } from "../vocabulary/vocabulary.ts";
import { findAreaSpans, type AreaSpan } from "./area-spans.ts";
import {
  agreement,
  lettersOf,
  phrasesAt,
  rangesBegun,
  respell,
  type Asked,
  type Token,
  type WordRange,
} from "./tokens.ts";
import { READING, SPANS } from "../numbers.ts";

/** Words of a query that match a phrase of the vocabulary. */
export interface PhraseSpan extends WordRange {
  /** All meanings of the words. The chosen role is that of the first. */
  readonly phrases: readonly Phrase[];
  readonly role: Phrase["role"];
  readonly score: number;
}

/** Words of a query that are the name of a chain. */
interface ChainSpan extends WordRange {
  readonly role: "chain";
  readonly score: number;
  /** The kinds of the chain. */
  readonly codes: readonly TypeCode[];
}

export type Span = PhraseSpan | ChainSpan | (AreaSpan & { readonly role: "area"; readonly score: number });

const ROLE_SCORE: Readonly<Partial<Record<Phrase["role"], number>>> = {
  near: SPANS.nearScore,
  kind: SPANS.kindScore,
  wish: SPANS.wishScore,
  filler: SPANS.fillerScore,
};

/** Roles that have a meaning anywhere. The others have one only beside another span. */
const FREE_ROLES: ReadonlySet<Phrase["role"]> = new Set([
  "near",
  "landmark",
  "filler",
  "wish",
  "feature",
  "kind",
]);

/** The best way to divide a query: spans that do not overlap, in order. Words outside of them are names. */
export function findSpans(asked: Asked): Span[] {
  const { tokens } = asked;
  const ranges = rangesBegun(asked);
  const areas = findAreaSpans(asked).map(scoreArea);
  const phrases = findPhraseSpans(asked, ranges);
  const chains = findChainSpans(asked, ranges);
  // After a kind or a chain, "th" is Tây Hồ rather than "tiểu học".
  const isInitials = ({ role, start, end }: PhraseSpan): boolean =>
    role === "kind" &&
    end - start === 1 &&
    tokens[start]!.word.length <= READING.lettersOfInitials &&
    [...phrases, ...chains].some(
      ({ role: before, end: at }) => at === start && (before === "kind" || before === "chain"),
    ) &&
    areas.some((area) => area.start === start && area.end === end);
  return chooseSpans(tokens.length, [...phrases.filter((span) => !isInitials(span)), ...areas, ...chains]);
}

/** Words typed with other marks than a chain has are none. */
function findChainSpans({ tokens, vocabulary }: Asked, ranges: readonly WordRange[]): ChainSpan[] {
  return ranges.flatMap(({ start, end }): ChainSpan[] => {
    const chain = vocabulary.chains.get(lettersOf(tokens, start, end));
    const isSpelledSo = chain?.spellings.some(
      (marked) => agreement(tokens.slice(start, end), marked, false, vocabulary) !== "none",
    );
    const score = scoreOfWords({ start, end }) + SPANS.chainScore;
    return chain && isSpelledSo ? [{ start, end, role: "chain", codes: chain.codes, score }] : [];
  });
}

function findPhraseSpans(asked: Asked, ranges: readonly WordRange[]): PhraseSpan[] {
  const { tokens, vocabulary } = asked;
  const isMarked = tokens.some((token) => token.hasMarks);
  return ranges.flatMap(({ start, end }): PhraseSpan[] => {
    const phrases = phrasesAt(asked, start, end).filter((phrase) => FREE_ROLES.has(phrase.role));
    return [...Map.groupBy(phrases, (phrase) => phrase.role)].map(([role, same]) => {
      const isExact = same.some(
        (phrase) => agreement(tokens.slice(start, end), phrase.marked, isMarked, vocabulary) === "exact",
      );
      const ofRole = (ROLE_SCORE[role] ?? 0) - (isExact ? 0 : SPANS.doubtfulCost);
      const others = phrases.filter((phrase) => phrase.role !== role);
      return {
        start,
        end,
        role,
        score: scoreOfWords({ start, end }) + ofRole,
        phrases: [...same, ...others],
      };
    });
  });
}

function scoreArea(span: AreaSpan): Span {
  const certainty = { marked: SPANS.markedAreaScore, strong: 0, weak: -SPANS.weakAreaCost }[span.certainty];
  return { ...span, role: "area", score: scoreOfWords(span) + certainty };
}

/** The more words a phrase explains the better, and one phrase is better than several. */
const scoreOfWords = ({ start, end }: WordRange): number =>
  SPANS.wordScore * (end - start) - SPANS.phraseCost;

/** Weighted interval scheduling, from the end: chooses the spans with the highest total score. */
function chooseSpans(length: number, spans: readonly Span[]): Span[] {
  const best = Array.from<number>({ length: length + 1 }).fill(0);
  const choice: (Span | undefined)[] = [];
  const byStart = Map.groupBy(spans, ({ start }) => start);
  for (let start = length - 1; start >= 0; start--) {
    best[start] = best[start + 1]!;
    for (const span of byStart.get(start) ?? []) {
      const score = span.score + best[span.end]!;
      if (score > best[start]!) {
        best[start] = score;
        choice[start] = span;
      }
    }
  }
  const chosen: Span[] = [];
  for (let index = 0; index < length;) {
    const span = choice[index];
    if (span) chosen.push(span);
    index = span?.end ?? index + 1;
  }
  return chosen;
}

/** Scripts that are written without spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Splits "近くのカフェ" into "近くの" and "カフェ": words for near, wishes and kinds stand at either end. */
export function splitUnspaced(tokens: readonly Token[], vocabulary: Vocabulary): readonly Token[] {
  const mayBeSeveral = ({ word }: Token): boolean =>
    word.length <= READING.lettersUnspaced && UNSPACED.test(word);
  if (!tokens.some(mayBeSeveral)) return tokens;
  return tokens.flatMap((token) => (mayBeSeveral(token) ? splitToken(token, vocabulary) : [token]));
}

function splitToken(token: Token, vocabulary: Vocabulary): Token[] {
  const { word, gap } = token;
  if (vocabulary.phrases.has(word) || vocabulary.borrowed(word)) return [token];
  const part = (text: string, before: string): Token => respell({ ...token, gap: before }, text);
  for (let length = word.length - 1; length > 0; length--) {
    const first = word.slice(0, length);
    if (vocabulary.phrases.has(first))
      return [part(first, gap), ...splitToken(part(word.slice(length), ""), vocabulary)];
    const last = word.slice(word.length - length);
    if (vocabulary.phrases.has(last)) {
      return [...splitToken(part(word.slice(0, word.length - length), gap), vocabulary), part(last, "")];
    }
  }
  return [token];
}

/** The types of the kinds that a phrase says. */
export const codesOf = ({ phrases }: PhraseSpan): readonly TypeCode[] =>
  phrases.filter(({ role }) => role === "kind").flatMap(({ codes }) => codes);

/** Whether every type of a kind is one of another kind too. */
export const isNarrower = (one: PhraseSpan, other: PhraseSpan): boolean =>
  codesOf(one).every((code) => codesOf(other).includes(code));

export const isArea = (span: Span): span is Extract<Span, { role: "area" }> => span.role === "area";
