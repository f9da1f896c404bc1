import { isInArea } from "../../place/areas.ts";
import type { Coordinates } from "../../place/coordinates.ts";
import { editDistance } from "../../place/text/edit-distance.ts";
import { halvesOf, MIN_LETTERS_FOR_TYPO, type Phrase, type Vocabulary } from "../vocabulary/vocabulary.ts";
import { findAddress, readStreet, type AddressReading, type AddressSpan } from "./address.ts";
import {
  isArea,
  isPhrase,
  nameWordsOf,
  NO_WISHES,
  pick,
  range,
  readArea,
  takeApart,
  type AreaReading,
  type KindReading,
  type Parts,
  type Query,
  type Wishes,
} from "./parts.ts";
import type { AreaSpan } from "./area-spans.ts";
import { locatePlusCode, readPlusCode, readPoint } from "./points.ts";
import { findSpans, phrasesAt, splitUnspaced, type Span } from "./spans.ts";
import { toTokens, toTypedWords, type Token, type TypedWords } from "./tokens.ts";

/** One plausible meaning of a query. */
export interface Reading {
  /**
   * The words that must match names or, with a kind, the address. Empty when the kind or the area says
   * everything.
   */
  readonly name: TypedWords;
  readonly kinds: readonly KindReading[];
  readonly wishes: Wishes;
  readonly area?: AreaReading;
  readonly address?: AddressReading;
  readonly point?: Coordinates;
  /** The words after "gần": a place or a street that results should be near. */
  readonly landmark?: TypedWords;
  /** True when the query asks for places near the caller. */
  readonly isNear: boolean;
  /** Words that were understood and need not match. */
  readonly filler: readonly string[];
}

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
 * Kinds that are named after the area they are in: "Chợ Bến Thành", "Bệnh viện Quận 1". The reading as a name
 * comes first.
 */
const NAMED_AFTER_AREAS: ReadonlySet<string> = new Set(
  [
    "MARKET HOSPITAL SCHOOL PRIMARY_SCHOOL SECONDARY_SCHOOL HIGH_SCHOOL KINDERGARTEN UNIVERSITY COLLEGE PARK STADIUM BRIDGE",
    "AIRPORT TRAIN_STATION BUS_STATION METRO_STATION PAGODA TEMPLE CHURCH MUSEUM PEOPLES_COMMITTEE POLICE POST_OFFICE LAKE",
    "GOVERNMENT_OFFICE COURTHOUSE HEALTH_STATION SQUARE THEATER LIBRARY PORT FERRY_TERMINAL RESIDENTIAL_AREA FACTORY TAX_OFFICE",
  ].flatMap((line) => line.split(" ")),
);

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
  const query: Query = { tokens, vocabulary, near };
  const readings = choose([...addressReadings(query, spans), ...wordReadings(query, spans)], plain);
  const kindAlone = readKindAlone(query, spans);
  const names = readNames(query, spans).filter((one) => isNewName(one, readings));
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
function readNames(query: Query, all: readonly Span[]): NameInArea[] {
  const { tokens, near } = query;
  const spans = withoutFarAreas(all);
  const isAside = ({ role }: Span): boolean => role === "near" || role === "wish";
  const last = spans.findLastIndex((span) => !isAside(span));
  const first = spans.findLastIndex((span, at) => at <= last && !isArea(span)) + 1;
  const areas = spans.slice(first, last + 1).filter(isArea);
  const { kinds, rest, spans: used, name } = takeApart(query, all);
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

/** A kind with more types, such as "tiệm", says little. */
const MOST_TYPES_OF_HEAD = 20;

function readKindAlone(query: Query, spans: readonly Span[]): KindAlone | undefined {
  const certain = spans.filter((span) => !isArea(span) || span.certainty !== "weak");
  const parts = takeApart(query, certain);
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

/** A reading and its likelihood. Those below 0 come after the plain reading. */
interface Ranked {
  readonly reading: Reading;
  readonly likelihood: number;
}

const toReading = (parts: Partial<Reading>): Reading => ({
  name: toTypedWords([]),
  kinds: [],
  wishes: NO_WISHES,
  isNear: false,
  filler: [],
  ...parts,
});

function choose(ranked: readonly Ranked[], plain: Reading): Reading[] {
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

// --- Words: kinds, wishes, areas, and what is left of a name -------------------------------------------------------------

function wordReadings(query: Query, all: readonly Span[]): Ranked[] {
  const found = withoutFarAreas(all);
  const certain = found.filter((span) => !isArea(span) || span.certainty !== "weak");
  const atLandmark = landmarkReadings(query, certain);
  if (atLandmark.length > 0) return atLandmark;
  const readings = partsReadings(query, found);
  if (certain.length === found.length) return readings;
  // The bare name of a ward is often also that of a street or a person, so the reading as a name is added and
  // comes first.
  const isWard = found.some(
    (span) => isArea(span) && span.certainty === "weak" && span.areas[0]?.level === "ward",
  );
  return [
    ...readings.map(({ reading, likelihood }) => ({
      reading,
      likelihood: likelihood - (isWard ? 1.5 : 0.5),
    })),
    ...partsReadings(query, certain),
  ];
}

/** The "hội an" of "cà phê hội an hà nội" is part of a name: it does not lie in Hà Nội. */
function withoutFarAreas(spans: readonly Span[]): readonly Span[] {
  const last = spans.findLast(isArea);
  return spans.filter((span) => {
    if (!isArea(span) || span === last || last === undefined) return true;
    return span.areas.some((one) =>
      last.areas.some((other) => isInArea(other, one.centre) || isInArea(one, other.centre)),
    );
  });
}

function partsReadings(query: Query, found: readonly Span[]): Ranked[] {
  const parts = takeApart(query, found);
  const { rest, name, kinds, wishes } = parts;
  if (rest.length > 0) return nameReadings(query, parts);
  if (kinds.length > 0) {
    // "nh thuoc" is "nha thuoc" rather than a bank and a chemist.
    const whole = kinds.length > 1 ? wholeKind(pick(query.tokens, name), query.vocabulary) : undefined;
    const meant = whole?.isMistyped ? [whole] : kinds;
    return [{ reading: toPartsReading(parts, [], meant), likelihood: kindLikelihood(parts) }];
  }
  const isAsking = parts.area !== undefined || parts.isNear || wishes.opening !== undefined;
  const says = isAsking || wishes.isWellRated || wishes.price !== undefined || wishes.features.length > 0;
  const isLikely = isAsking && !isBareArea(parts);
  return says ? [{ reading: toPartsReading(parts, [], []), likelihood: isLikely ? 1 : -1 }] : [];
}

/** "Hai Bà Trưng" without "quận" is a street of every city, and "Hồ Gươm" a place: the name comes first. Cities are meant. */
const isBareArea = ({ area, areaSpans, isNear }: Parts): boolean =>
  !isNear &&
  area !== undefined &&
  area.level !== "province" &&
  !area.name.startsWith("Thành phố") &&
  areaSpans.some(({ certainty }) => certainty !== "marked");

/** The likelihood of a query that is nothing but a kind and its wishes. */
function kindLikelihood(parts: Parts): number {
  const { areaSpans, kinds, isWishFirst, wishes } = parts;
  const isUnmarkedArea = areaSpans.some(({ certainty }) => certainty !== "marked");
  // "Bệnh viện tốt nhất Sài Gòn" is no name.
  if (areaSpans.length > 0 && isNamedAfterArea(parts) && !wishes.isWellRated) return -1;
  if (areaSpans[0] && isUnmarkedArea && areaSpans[0].start === 0) return -1;
  // "bakery cafe" and "công viên cầu" are more likely names, or parts of names, than places of either kind.
  if (kinds.length > 1) return -0.5;
  return isWishFirst || kinds.some(({ isMistyped }) => isMistyped) ? -0.5 : 3;
}

const isNamedAfterArea = ({ kinds }: Parts): boolean =>
  kinds.some(({ codes }) => codes[0] !== undefined && NAMED_AFTER_AREAS.has(codes[0]));

/** A shorter word before a kind belongs to a name: "cong ca phe" is not "uống cà phê" with a typo. */
const MIN_LETTERS_BESIDE_KIND = 3;

function nameReadings(query: Query, parts: Parts): Ranked[] {
  const { tokens, vocabulary } = query;
  const { rest, name, kinds, kindSpans, areaSpans, isWishFirst } = parts;
  const isUnmarked = areaSpans.some(({ certainty }) => certainty !== "marked");
  const isDoubtful = isWishFirst || (isUnmarked && (areaSpans[0]?.start === 0 || isNamedAfterArea(parts)));
  const readings: Ranked[] = [
    { reading: toPartsReading(parts, pick(tokens, name), []), likelihood: isDoubtful ? -1 : 2 },
  ];
  if (kinds.length > 0) {
    const isBefore = kindSpans[0]!.start < rest[0]!;
    // The kind comes first, and a second kind belongs to the name: the "chợ" in "bệnh viện chợ rẫy".
    const ofKind = range(kindSpans[0]!.start, kindSpans[0]!.end);
    readings.push({
      reading: toPartsReading(
        parts,
        pick(
          tokens,
          name.filter((index) => !ofKind.includes(index)),
        ),
        kinds.slice(0, 1),
      ),
      likelihood: isDoubtful || !isBefore ? -1.5 : 1,
    });
    // "cây xăng trên đường Nguyễn Trãi": addresses may write the street without "đường".
    const street = isBefore ? readStreet(pick(tokens, rest), vocabulary) : undefined;
    // A street of one word, such as "phố Huế", is too much like other names without "phố".
    if (street && street.length > 1) {
      readings.push({
        reading: toPartsReading(parts, street, kinds.slice(0, 1)),
        likelihood: isDoubtful ? -0.8 : 2.2,
      });
    }
    // "post offiec" and "nh thuoc": a kind with a typo may contain another kind.
    const isLong = pick(tokens, rest).some(({ word }) => word.length >= MIN_LETTERS_BESIDE_KIND);
    const whole = wholeKind(pick(tokens, name), vocabulary);
    if (whole?.isMistyped && (isLong || isBefore)) {
      readings.push({
        reading: toPartsReading(parts, [], [whole]),
        likelihood: -0.6,
      });
    }
    return readings;
  }
  // A word that is also filler may be part of a kind with a typo: the "nha" in "nha thuoc".
  const understood = parts.spans.flatMap(({ start, end }) => range(start, end));
  const others = range(0, tokens.length).filter((index) => !understood.includes(index));
  const whole = wholeKind(pick(tokens, rest), vocabulary) ?? wholeKind(pick(tokens, others), vocabulary);
  if (whole) {
    readings.push({
      reading: toPartsReading(parts, [], [whole]),
      likelihood: wholeLikelihood(whole, parts),
    });
  }
  return readings;
}

/**
 * A kind in another script is certain. In Latin script it may be a name, and with a typo it usually is,
 * unless the query says more.
 */
function wholeLikelihood({ words, isMistyped }: KindReading, { isNear, wishes, area }: Parts): number {
  if (!isMistyped) return words.some((word) => /[^\p{Script=Latin}\d]/u.test(word)) ? 3 : 1.9;
  return isNear || area !== undefined || wishes.opening !== undefined ? 2.5 : -0.5;
}

/** A query whose words, apart from its marked parts, are a kind in another language or a kind with a typo. */
function wholeKind(tokens: readonly Token[], vocabulary: Vocabulary): KindReading | undefined {
  const { borrowed } = vocabulary;
  const { words, joined } = toTypedWords(tokens);
  const codes = borrowed(joined);
  if (codes) {
    const inNames = nameWordsOf({ typed: words, spellings: [], codes }, vocabulary);
    return { codes, words, inNames, isMistyped: false };
  }
  const meant = kindsOneLetterAway(joined, vocabulary);
  // "quan c phe" is "quan ca phe" rather than "quan che": a space is seldom left out by mistake.
  const [kind] = [...meant.filter((one) => one.words.length === words.length), ...meant];
  return (
    kind && {
      codes: kind.codes,
      words: kind.words,
      inNames: [{ words: kind.words, marked: [] }],
      isMistyped: true,
    }
  );
}

function kindsOneLetterAway(letters: string, { phrases, halves }: Vocabulary): Phrase[] {
  if (letters.length < MIN_LETTERS_FOR_TYPO - 1) return [];
  const keys = [letters.length, letters.length - 1, letters.length + 1].flatMap((length) =>
    halvesOf(letters, length).flatMap((half) => halves.get(half) ?? []),
  );
  return keys
    .filter((key) => editDistance(letters, key).whole <= 1)
    .flatMap((key) => phrases.get(key)?.find(({ role }) => role === "kind") ?? []);
}

function toPartsReading(parts: Parts, name: readonly Token[], kinds: readonly KindReading[]): Reading {
  const { wishes, area, isNear, filler } = parts;
  return toReading({ name: toTypedWords(name), kinds, wishes, ...(area && { area }), isNear, filler });
}

// --- Landmarks and addresses ---------------------------------------------------------------------------------------------

/** "khách sạn gần hồ gươm": the words before "gần", near what the words after it name. */
function landmarkReadings(query: Query, found: readonly Span[]): Ranked[] {
  const { tokens } = query;
  const split = found.find(
    (span) => isPhrase(span) && span.start > 0 && span.phrases.some(({ role }) => role === "landmark"),
  );
  if (split === undefined || split.end === tokens.length) return [];
  const tail = found.filter(({ start }) => start >= split.end);
  // "gần quận 3" means the area itself; no name follows "quanh đây".
  const isNothingToFind = range(split.end, tokens.length).every((index) =>
    tail.some(({ role, start, end }) => role !== "kind" && start <= index && index < end),
  );
  const head = takeApart(
    { ...query, tokens: tokens.slice(0, split.start) },
    found.filter(({ end }) => end <= split.start),
  );
  if (isNothingToFind || (head.kinds.length === 0 && head.rest.length === 0)) return [];
  const areaSpans = tail.filter(isArea);
  const first = areaSpans.find((span) => !isOfLandmark(span, tail))?.start ?? tokens.length;
  const isAround = (span: AreaSpan): boolean =>
    !isOfLandmark(span, tail) || ["province", "district"].includes(span.areas[0]?.level ?? "");
  const area = readArea(areaSpans.filter(isAround), tokens, query.near);
  const landmark = toTypedWords(tokens.slice(split.end, first > split.end ? first : tokens.length));
  const reading = toPartsReading(head, pick(tokens, head.rest), head.kinds);
  return [
    { reading: { ...reading, ...(area && { area }), landmark }, likelihood: 3 },
    { reading: { ...reading, isNear: true }, likelihood: 1 },
  ];
}

/** The "hà nội" of "ga hà nội" and the "bách khoa" of "trường đại học bách khoa" belong to the name: a kind stands before them. */
const isOfLandmark = (span: AreaSpan, tail: readonly Span[]): boolean =>
  span.certainty !== "marked" && tail.some(({ role, end }) => role === "kind" && end === span.start);

function addressReadings(query: Query, spans: readonly Span[]): Ranked[] {
  const { tokens, near } = query;
  const found = findAddress(tokens, spans, query.vocabulary);
  if (found === undefined) return [];
  const outside = spans.filter(({ start, end }) => end <= found.start || start >= found.end);
  const area = readArea(outside.filter(isArea), tokens, near);
  const before = nameBefore(query, found, outside);
  const reading = toReading({ ...before, address: found.address, ...(area && { area }) });
  return [{ reading, likelihood: found.isCertain ? 4 : found.address.number === undefined ? 2.5 : -1 }];
}

/** The name of the place in "phở thìn 13 lò đúc"; words such as "địa chỉ" are not a name. */
function nameBefore(query: Query, { start }: AddressSpan, outside: readonly Span[]): Partial<Reading> {
  const head = { ...query, tokens: query.tokens.slice(0, start) };
  const parts = takeApart(
    head,
    outside.filter(({ end, role }) => end <= start && role !== "area" && role !== "kind"),
  );
  return { name: toTypedWords(pick(head.tokens, parts.rest)), filler: parts.filler };
}
