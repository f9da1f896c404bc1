import type { Coordinates } from "../../place/coordinates.ts";
import type { Vocabulary } from "../vocabulary/vocabulary.ts";
import type { AreaSpan } from "./area-spans.ts";
import { addressReadings } from "./landmark-readings.ts";
import { readArea, takeApart, takeApartBy, toPartsReading, type Query, type SpannedQuery } from "./parts.ts";
import { locatePlusCode, readPlusCode, readPoint } from "./points.ts";
import { toReading, type AreaReading, type RankedReading, type Reading } from "./reading.ts";
import { findSpans, isArea, phrasesAt, pick, splitUnspaced, type Span } from "./spans.ts";
import { toTokens, toTypedWords, type TypedWords } from "./tokens.ts";
import { withoutFarAreas, wordReadings } from "./word-readings.ts";

/** One to three readings of a query, likeliest first. */
export interface QueryReadings {
  readonly text: string;
  /**
   * All words as a name: the fallback when no other reading finds anything. Usually also one of `readings`.
   */
  readonly plain: Reading;
  readonly readings: readonly Reading[];
  /**
   * The kind without the words that were not understood: what a sentence such as "xe bị thủng lốp cần vá" asks for,
   * when no name is like it.
   */
  readonly kindAlone?: KindAlone;
  /** Words that were understood and may still be a name: "the coffee house", "ca phe family" in "quan long bien". */
  readonly names: readonly NameInArea[];
}

/** Words that may be the whole name of a place, and the area that is named after them. */
interface NameInArea {
  readonly name: TypedWords;
  readonly area?: AreaReading;
}

/** A reading that leaves out words. */
interface KindAlone {
  readonly reading: Reading;
  /** Other words of the query say that it asks for a kind: "gần đây", "tìm", "ngon". */
  readonly isSentence: boolean;
}

/** More readings cost more lookups than they find. */
const MAX_READINGS = 3;

/**
 * Reads what a query means from its words alone. Pure: does not look at places. Takes some ten microseconds.
 */
export function readQuery(
  text: string,
  vocabulary: Vocabulary,
  { near }: { readonly near?: Coordinates } = {},
): QueryReadings {
  const typed = toTokens(text);
  const plain = toReading({ name: toTypedWords(typed) });
  const point = readPoint(text);
  if (point) return { text, plain, readings: [toReading({ point }), plain], names: [] };
  const plusCode = readPlusCode(text);
  if (plusCode) {
    const named = readArea(findSpans(toTokens(plusCode.rest), vocabulary, near).filter(isArea), [], near);
    const place = locatePlusCode(plusCode.code, named?.centre ?? near);
    if (place)
      return {
        text,
        plain,
        readings: [toReading({ point: place, ...(named && { area: named }) }), plain],
        names: [],
      };
  }
  if (typed.length === 0) return { text, plain, readings: [plain], names: [] };
  const tokens = splitUnspaced(typed, vocabulary);
  const spans = findSpans(tokens, vocabulary, near);
  const asked: Query = { tokens, vocabulary, near };
  const query: SpannedQuery = { ...asked, spans, parts: takeApart(asked, spans) };
  const readings = choose([...addressReadings(asked, spans), ...wordReadings(query)], plain);
  const kindAlone = readKindAlone(query);
  const typedNames = readNames(query);
  const names = [...typedNames, ...readNamesInFull(query, spans, typedNames)].filter((one) =>
    isNewName(one, readings),
  );
  return { text, plain, readings, names, ...(kindAlone && { kindAlone }) };
}

/** The first reading finds what it says, and a kind what names say it. */
const isNewName = ({ name, area }: NameInArea, readings: readonly Reading[]): boolean =>
  name.joined !== "" &&
  !(name.joined === readings[0]?.name.joined && area?.areas[0]?.id === readings[0].area?.areas[0]?.id) &&
  !readings.some(({ kinds }) => kinds.length === 1 && name.joined === kinds[0]!.words.join(""));

/** Where a name before an area ends: before the "tại" of "thư viện tại hà nội". */
function endOfName({ tokens, vocabulary }: Query, { start }: AreaSpan): number {
  const isBefore = (length: number): boolean =>
    length < start &&
    phrasesAt(tokens, vocabulary, start - length, start).some(({ role }) => role === "before_area");
  return start - ([3, 2, 1].find(isBefore) ?? 0);
}

/**
 * The words before the areas at the end of a query. An unmarked area may belong to the name: "công viên long biên" in "q lb". Without
 * an area, the words of a kind with the generic ones beside it.
 */
function readNames(query: SpannedQuery): NameInArea[] {
  const { tokens, near, parts } = query;
  const spans = withoutFarAreas(query.spans);
  const isAside = ({ role }: Span): boolean => role === "near" || role === "wish";
  const last = spans.findLastIndex((span) => !isAside(span));
  const first = spans.findLastIndex((span, at) => at <= last && !isArea(span)) + 1;
  const areas = spans.slice(first, last + 1).filter(isArea);
  const { kinds, rest, spans: used, name } = parts;
  if (areas.length === 0) {
    const isKind = kinds.length > 0 && rest.length === 0 && !used.some(isArea);
    return isKind ? [{ name: toTypedWords(pick(tokens, name)) }] : [];
  }
  return areas.flatMap((span, at) => {
    const isInName = areas.slice(0, at).every(({ certainty }) => certainty !== "marked");
    const area = readArea(areas.slice(at), tokens, near);
    return isInName && area ? [{ name: toTypedWords(tokens.slice(0, endOfName(query, span))), area }] : [];
  });
}

/** A name begins with what is abbreviated, or with one generic word: "nt long châu", "trường th kim đồng". */
const MOST_WORDS_BEFORE_SHORT_FORM = 1;

/** The name with the words that its abbreviation may stand for: "nh" may be "nhà hàng" or "ngân hàng". */
function readNamesInFull(
  { tokens, vocabulary }: Query,
  spans: readonly Span[],
  typedNames: readonly NameInArea[],
): NameInArea[] {
  const asides = spans.filter(({ role }) => role === "near" || role === "wish");
  const name = tokens.filter((_, index) => !asides.some(({ start, end }) => start <= index && index < end));
  const names = [{ name: toTypedWords(name) }, ...typedNames];
  return names.flatMap(({ name: short, ...where }) =>
    namesInFull(short, vocabulary).map((full) => ({ name: full, ...where })),
  );
}

function namesInFull(name: TypedWords, { shortForms }: Vocabulary): TypedWords[] {
  const at = name.words.findIndex((word) => shortForms.has(word));
  if (at < 0 || at > MOST_WORDS_BEFORE_SHORT_FORM || name.words.length < at + 2) return [];
  return shortForms.get(name.words[at]!)!.map((long) => {
    const words = name.words.toSpliced(at, 1, ...long.words);
    const markedWords = name.markedWords.length > 0 ? name.markedWords.toSpliced(at, 1, ...long.marked) : [];
    return { words, joined: words.join(""), markedWords };
  });
}

/** A kind with more types, such as "tiệm", says little. */
const MOST_TYPES_OF_HEAD = 20;

function readKindAlone(query: SpannedQuery): KindAlone | undefined {
  const certain = query.spans.filter((span) => !isArea(span) || span.certainty !== "weak");
  const parts = takeApartBy(query, certain);
  const { kinds, rest, filler, isNear, wishes } = parts;
  if (kinds.length === 0 || rest.length === 0) return undefined;
  const left = pick(query.tokens, rest).map(({ word }) => word);
  const { opening, price, isWellRated, features } = wishes;
  const isWishing = opening !== undefined || price !== undefined || isWellRated || features.length > 0;
  const isSentence = isNear || isWishing || filler.length > 0;
  // "tiệm" beside "nhuộm tóc" adds nothing.
  const [head = kinds[0]!] = kinds.filter(({ codes }) => codes.length <= MOST_TYPES_OF_HEAD);
  return { reading: toPartsReading({ ...parts, filler: [...filler, ...left] }, [], [head]), isSentence };
}

function choose(ranked: readonly RankedReading[], plain: Reading): Reading[] {
  const all = [...ranked, { reading: plain, likelihood: 0 }].toSorted((a, b) => b.likelihood - a.likelihood);
  const different = new Map<string, Reading>();
  for (const { reading } of all) {
    const key = keyOf(reading);
    if (!different.has(key)) different.set(key, reading);
  }
  const chosen = [...different].slice(0, MAX_READINGS);
  // The plain words stay as the fallback when nothing else finds anything.
  const plainKey = keyOf(plain);
  if (!chosen.some(([key]) => key === plainKey)) chosen[chosen.length - 1] = [plainKey, plain];
  return chosen.map(([, reading]) => reading);
}

/** The same key for readings that look up and rank the same. */
function keyOf({ name, kinds, wishes, area, address, landmark, isNear }: Reading): string {
  const { opening, price, isWellRated, features } = wishes;
  return [
    name.words.join(" "),
    ...kinds.map(({ words }) => words.join(" ")),
    `${opening} ${price} ${isWellRated} ${features.join(" ")} ${isNear}`,
    area?.areas[0]?.id,
    address && `${address.number} ${address.alleys.join(" ")} ${address.street.joined}`,
    landmark?.joined,
  ].join("|");
}
