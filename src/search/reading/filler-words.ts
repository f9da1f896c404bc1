import type { Phrase, Vocabulary } from "../vocabulary/vocabulary.ts";
import { isPhrase, phrasesAt, range, type PhraseSpan, type Span } from "./spans.ts";
import type { Token } from "./tokens.ts";

/**
 * The spans that apply, and the indexes of words that need not match. Filler counts at the edges of a query.
 * A single word of praise ("Sang", "Ngon", "hot") counts only beside a kind. Of two kinds, the second may be
 * a feature ("quán ăn giao hàng").
 */
export function dropNames(
  tokens: readonly Token[],
  found: readonly Span[],
  vocabulary: Vocabulary,
): { readonly spans: Span[]; readonly filler: number[]; readonly generic: ReadonlySet<number> } {
  const { kept, hasKind } = dropPraise(tokens, found, vocabulary);
  const holds = new Set(kept.filter(({ role }) => role !== "filler" && role !== "landmark"));
  const filler = fillerAtEdges(tokens, { kept, holds, hasKind });
  const spans = [...holds];
  const beside = new Set<number>();
  const beforeArea = new Set<number>();
  for (const span of spans) {
    const words = span.role === "area" ? beforeArea : beside;
    addNeighbours(span, { tokens, spans, filler: words, vocabulary });
  }
  // "quán" is also a kind, but adds nothing before "cà phê".
  const specific = spans.filter(
    (span) => span.role !== "kind" || !range(span.start, span.end).every((index) => beside.has(index)),
  );
  const all = [...filler.union(beside).union(beforeArea)].toSorted((a, b) => a - b);
  return { spans: specific, filler: all, generic: beside.difference(filler).difference(beforeArea) };
}

/** Drops words of praise that are more likely parts of names. */
function dropPraise(
  tokens: readonly Token[],
  found: readonly Span[],
  vocabulary: Vocabulary,
): { readonly kept: Span[]; readonly hasKind: boolean } {
  const hasKind = found.some(({ role }) => role === "kind");
  const covered = found.reduce((sum, { start, end }) => sum + end - start, 0);
  const isAllUnderstood = covered === tokens.length;
  const kept = found
    .map((span) => asModifier(span, found))
    .filter((span) => {
      if (span.role !== "wish" && span.role !== "feature") return true;
      const isOpening = isPhrase(span) && span.phrases[0]?.meaning.startsWith("open_") === true;
      // "Quán Ngon 138": a word after the praise makes it a name, but not the "ở" of "quán ngon ở Huế".
      const isBefore = ({ role, start }: Span): boolean =>
        start === span.end ||
        (role === "area" && isWordBefore("before_area", { tokens, vocabulary, start: span.end, end: start }));
      const isInName = span.end < tokens.length && !found.some(isBefore);
      const isOneWord = span.end - span.start === 1;
      if (isOneWord && isInName && !isOpening && span.start > 0) return false;
      return (
        hasKind ||
        isAllUnderstood ||
        span.end - span.start > 1 ||
        (isOpening && /\d/.test(tokens[span.start]!.word))
      );
    });
  return { kept, hasKind };
}

/** The words from one token of a query to another. */
interface WordsOfQuery {
  readonly tokens: readonly Token[];
  readonly vocabulary: Vocabulary;
  readonly start: number;
  readonly end: number;
}

function isWordBefore(role: Phrase["role"], { tokens, vocabulary, start, end }: WordsOfQuery): boolean {
  return start < end && phrasesAt(tokens, vocabulary, start, end).some((phrase) => phrase.role === role);
}

/** The indexes of filler words before the first and after the last word that was not understood. */
function fillerAtEdges(
  tokens: readonly Token[],
  {
    kept,
    holds,
    hasKind,
  }: { readonly kept: readonly Span[]; readonly holds: ReadonlySet<Span>; readonly hasKind: boolean },
): Set<number> {
  const filler = new Set<number>();
  const isTaken = (index: number): boolean =>
    filler.has(index) || [...holds].some(({ start, end }) => start <= index && index < end);
  const fillers = kept.filter(({ role }) => role === "filler");
  const isFiller = (index: number): boolean =>
    fillers.some(({ start, end }) => start <= index && index < end);
  if (hasKind && range(0, tokens.length).every((index) => isTaken(index) || isFiller(index))) {
    return new Set(range(0, tokens.length).filter((index) => !isTaken(index)));
  }
  for (const side of [kept, kept.toReversed()]) {
    for (const span of side) {
      if (
        !isPhrase(span) ||
        span.role !== "filler" ||
        (holds.size + filler.size === 0 && span.end - span.start === tokens.length)
      )
        continue;
      const isAfterKind = [...holds].some(({ role, end }) => role === "kind" && end <= span.start);
      const before = !isAfterKind && range(0, span.start).every(isTaken);
      const after = range(span.end, tokens.length).every(isTaken);
      // Without marks, a single word at the end is more likely the end of a name: "chu van an" does not
      // contain "ăn".
      const isDoubtful = !before && !hasKind && span.end - span.start === 1 && !isExact(span, tokens);
      if ((before || after) && !isDoubtful) range(span.start, span.end).forEach((index) => filler.add(index));
    }
  }
  return filler;
}

const isExact = ({ start, phrases }: PhraseSpan, tokens: readonly Token[]): boolean =>
  phrases.some(({ role, marked }) => role === "filler" && marked[0] === tokens[start]!.marked);

/** After a kind, the "dep" of "cat toc dep" praises it ("đẹp") and is no other kind ("dép", shoes). */
function asModifier(span: Span, all: readonly Span[]): Span {
  if (span.role !== "kind" || !isPhrase(span)) return span;
  const isSecond = all.some((other) => other.role === "kind" && other.start < span.start);
  const meant = span.phrases.find(({ role }) => role === "feature" || role === "wish" || role === "filler");
  return isSecond && meant ? { ...span, role: meant.role, phrases: [meant] } : span;
}

/** Marks "ở" before an area and "tiệm" before a kind as filler. */
function addNeighbours(
  span: Span,
  context: {
    readonly tokens: readonly Token[];
    readonly spans: readonly Span[];
    readonly filler: Set<number>;
    readonly vocabulary: Vocabulary;
  },
): void {
  const { tokens, spans, filler, vocabulary } = context;
  const addWhere = (start: number, end: number, role: string): void => {
    if (start < 0 || end > tokens.length) return;
    const isKind = spans.some((other) => other.role === "kind" && other.start === start && other.end === end);
    const isFree = !spans.some((other) => other.start < end && start < other.end);
    if (!isFree && !isKind) return;
    if (phrasesAt(tokens, vocabulary, start, end).some((phrase) => phrase.role === role)) {
      range(start, end).forEach((index) => filler.add(index));
    }
  };
  for (const length of [3, 2, 1]) {
    if (span.role === "kind") {
      addWhere(span.start - length, span.start, "before_kind");
      addWhere(span.end, span.end + length, "after_kind");
    }
    if (span.role === "area") addWhere(span.start - length, span.start, "before_area");
  }
}
