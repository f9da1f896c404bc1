import { words } from "../../place/text/fold.ts";
import type { AddressReading } from "./reading.ts";
import { isHas } from "./relations.ts";
import type { Span } from "./spans.ts";
import { holds, means, range, toTypedWords, type Asked, type Token, type WordRange } from "./tokens.ts";
import { READING } from "../numbers.ts";

/** An address and the words that belong to it. */
interface AddressSpan extends WordRange {
  readonly address: AddressReading;
}

/** The words of a house number as folded addresses hold them: "12/3" is "12 3". */
export const numberWordsOf = ({ number, alleys }: AddressReading): string[] =>
  [...(number === undefined ? [] : [number]), ...alleys.toReversed()].flatMap((part) =>
    words(part.replaceAll(/[^\p{L}\p{N}]+/gu, " ")),
  );

const HOUSE_NUMBER = /^[a-z]{0,2}\d{1,5}[a-z]{0,2}$/;
/** "24h" is a wish; "5p", "1k" and "2nd" are not house numbers either. */
const NO_HOUSE_NUMBER = /^\d+(h|hrs?|k|km|p|m|st|nd|rd|th|am|pm)$/;
const STREET_ENDING = /(strasse|straße|str|weg|platz|gasse|allee)$/;

/** Finds the first address in a query. `spans` are its areas and wishes, which end the name of a street. */
export function findAddress(asked: Asked, spans: readonly Span[]): AddressSpan | undefined {
  const known = { ...asked, spans };
  const found = range(0, asked.tokens.length)
    .values()
    .map((start) => addressAt(known, start));
  return found.find((address) => address !== undefined) ?? numberAfterStreet(known);
}

interface Known extends Asked {
  readonly spans: readonly Span[];
}

function addressAt(known: Known, start: number): AddressSpan | undefined {
  const { tokens } = known;
  let at = start;
  const numberWord = wordsEnd(known, at, "number");
  if (numberWord !== undefined && isNumber(tokens[numberWord])) at = numberWord;
  const hasNumberWord = at > start;
  const house = isFreeNumber(known, at) ? readNumber(tokens, at) : undefined;
  at = house?.end ?? at;
  const alleys = readAlleys(known, at);
  at = alleys.end;
  if (house === undefined && alleys.numbers.length === 0) return streetAlone(known, start);
  const streetWord = wordsEnd(known, at, "street");
  const streetStart = streetWord ?? at;
  const end = streetEnd(known, streetStart);
  if (end === streetStart) return undefined;
  const street = tokens.slice(streetStart, end);
  const [number, lastNumber] = house?.numbers ?? [];
  return {
    start,
    end,
    address: {
      ...(number !== undefined && { number }),
      ...(lastNumber !== undefined && { lastNumber }),
      alleys: alleys.numbers,
      street: toTypedWords(street),
      isSaid: hasNumberWord || streetWord !== undefined || alleys.numbers.length > 0,
    },
  };
}

/** "phố Huế" or "đường Lê Lợi", from the beginning of the query to its end or its area. */
function streetAlone(known: Known, start: number): AddressSpan | undefined {
  const { tokens } = known;
  const after = start === 0 ? wordsEnd(known, 0, "street") : undefined;
  // One letter ("p", "đ") or "tl" has too many other meanings.
  if (after === undefined || tokens[0]!.word.length < 3) return undefined;
  // "phố cổ", "phố đi bộ" and "đường sắt" are more than a street.
  if (known.spans.some((span) => span.start === 0 && span.end > after)) return undefined;
  const end = streetEnd(known, after);
  if (end === after) return undefined;
  return {
    start,
    end,
    address: { alleys: [], street: toTypedWords(tokens.slice(after, end)), isSaid: true },
  };
}

/** "Lê Lợi street 12", "Hauptstraße 12". */
function numberAfterStreet(known: Known): AddressSpan | undefined {
  const { tokens } = known;
  const last = tokens.length - 1;
  const number = tokens[last]?.word ?? "";
  if (last < 1 || !/^\d{1,4}[a-z]?$/.test(number) || !isFreeNumber(known, last)) return undefined;
  const hasWordAfter = wordsEnd(known, last - 1, "street") === last && last > 1;
  const isGerman = STREET_ENDING.test(tokens[last - 1]!.word) && tokens[last - 1]!.word.length > 5;
  const from = (tokens[0]!.word.length > 2 && wordsEnd(known, 0, "street")) || 0;
  if (from === 0 && !hasWordAfter && !isGerman) return undefined;
  const street = tokens.slice(from, hasWordAfter ? last - 1 : last);
  if (street.length === 0) return undefined;
  return {
    start: 0,
    end: tokens.length,
    address: { number, alleys: [], street: toTypedWords(street), isSaid: true },
  };
}

const isNumber = (token: Token | undefined): boolean =>
  token !== undefined && HOUSE_NUMBER.test(token.word) && !NO_HOUSE_NUMBER.test(token.word);

/** The number in "quận 3" is not a house number. */
const isFreeNumber = ({ tokens, spans }: Known, at: number): boolean =>
  isNumber(tokens[at]) && !spans.some((span) => holds(span, at));

interface Numbers {
  readonly numbers: readonly string[];
  readonly end: number;
}

/** Reads "12", "12/3/5b", "12-14" or "12 - 14". Parts joined by slashes are one number. */
function readNumber(tokens: readonly Token[], start: number): Numbers {
  let number = tokens[start]!.word;
  let end = start + 1;
  // "260 c pasteur": the letter belongs to the number when a street follows.
  if (isLetterOfNumber(tokens[end], tokens[end + 1])) number += tokens[end++]!.word;
  while (tokens[end]?.gap.trim() === "/" && isNumber(tokens[end])) number += `/${tokens[end++]!.word}`;
  const isRange = /^\s*[-–]\s*$/.test(tokens[end]?.gap ?? "") && isNumber(tokens[end]);
  return isRange ? { numbers: [number, tokens[end]!.word], end: end + 1 } : { numbers: [number], end };
}

/** The "đ" or "d." before a street is short for "đường". */
const isLetterOfNumber = (token: Token | undefined, next: Token | undefined): boolean =>
  token !== undefined &&
  next !== undefined &&
  /^[a-h]$/.test(token.word) &&
  !token.hasMarks &&
  !next.gap.startsWith(".");

function readAlleys(asked: Asked, start: number): Numbers {
  const numbers: string[] = [];
  let end = start;
  for (;;) {
    const after = wordsEnd(asked, end, "alley");
    if (after === undefined || !isNumber(asked.tokens[after])) return { numbers, end };
    const alley = readNumber(asked.tokens, after);
    numbers.push(...alley.numbers.slice(0, 1));
    end = alley.end;
  }
}

/** The end of an address word with this meaning that begins at `start`. */
const wordsEnd = (asked: Asked, start: number, meaning: "number" | "alley" | "street"): number | undefined =>
  [start + 2, start + 1].find(
    (end) => end <= asked.tokens.length && means(asked, start, end, { role: "address", meaning }),
  );

/** A street ends at a comma, a certain area or a word such as "gần". The bare name of an area right after the number is the street. */
function streetEnd(known: Known, start: number): number {
  const { tokens, spans } = known;
  let end = start;
  while (end < tokens.length && end - start < READING.wordsOfStreet) {
    const token = tokens[end]!;
    if (end > start && (/[,;(\n]/.test(token.gap) || /\s[-–]\s/.test(token.gap))) break;
    const span = spans.find((other) => holds(other, end));
    const isStop =
      (span?.start === end && isStopSpan(span, end > start)) ||
      // "Cô Bắc" without its marks begins like "có".
      (end > start && isHas(known, end));
    if (isStop) break;
    // Generic words after the name: "Nguyen Hue street".
    if (end > start && wordsEnd(known, end, "street") === end + 1 && token.word.length > 1) break;
    end += 1;
  }
  return Math.min(end, tokens.length);
}

function isStopSpan(span: Span, hasStreet: boolean): boolean {
  if (span.role === "near" || span.role === "wish" || span.role === "filler") return true;
  if (!("certainty" in span)) return false;
  const mayBeOfName = span.certainty === "weak" && span.end - span.start === 1;
  return span.certainty === "marked" || (hasStreet && !mayBeOfName);
}
