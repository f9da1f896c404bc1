import { isInArea } from "../../place/areas.ts";
import { editDistance } from "../../place/text/edit-distance.ts";
import { halvesOf, MIN_LETTERS_FOR_TYPO, type Phrase, type Vocabulary } from "../vocabulary/vocabulary.ts";
import { readStreet } from "./address.ts";
import { landmarkReadings } from "./landmark-readings.ts";
import {
  nameWordsOf,
  takeApartBy,
  toPartsReading,
  type Parts,
  type Query,
  type SpannedQuery,
} from "./parts.ts";
import type { KindReading, RankedReading } from "./reading.ts";
import { isArea, pick, range, type Span } from "./spans.ts";
import { toTypedWords, type Token } from "./tokens.ts";

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

/** Kinds, wishes and areas, and what is left of a name. */
export function wordReadings(query: SpannedQuery): RankedReading[] {
  const found = withoutFarAreas(query.spans);
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
export function withoutFarAreas(spans: readonly Span[]): readonly Span[] {
  const last = spans.findLast(isArea);
  return spans.filter((span) => {
    if (!isArea(span) || span === last || last === undefined) return true;
    return span.areas.some((one) =>
      last.areas.some((other) => isInArea(other, one.centre) || isInArea(one, other.centre)),
    );
  });
}

function partsReadings(query: SpannedQuery, found: readonly Span[]): RankedReading[] {
  const parts = takeApartBy(query, found);
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

function nameReadings(query: Query, parts: Parts): RankedReading[] {
  const { name, kinds, areaSpans, isWishFirst } = parts;
  const isUnmarked = areaSpans.some(({ certainty }) => certainty !== "marked");
  const isDoubtful = isWishFirst || (isUnmarked && (areaSpans[0]?.start === 0 || isNamedAfterArea(parts)));
  const asName = toPartsReading(parts, pick(query.tokens, name), []);
  return [
    { reading: asName, likelihood: isDoubtful ? -1 : 2 },
    ...(kinds.length > 0 ? kindAndNameReadings(query, parts, isDoubtful) : wholeKindReadings(query, parts)),
  ];
}

/** A kind and the words beside it: a name, a street, or the rest of a kind with a typo. */
function kindAndNameReadings(query: Query, parts: Parts, isDoubtful: boolean): RankedReading[] {
  const { tokens, vocabulary } = query;
  const { rest, name, kinds, kindSpans } = parts;
  const isBefore = kindSpans[0]!.start < rest[0]!;
  // The kind comes first, and a second kind belongs to the name: the "chợ" in "bệnh viện chợ rẫy".
  const ofKind = range(kindSpans[0]!.start, kindSpans[0]!.end);
  const beside = name.filter((index) => !ofKind.includes(index));
  const readings: RankedReading[] = [
    {
      reading: toPartsReading(parts, pick(tokens, beside), kinds.slice(0, 1)),
      likelihood: isDoubtful || !isBefore ? -1.5 : 1,
    },
  ];
  // "cây xăng trên đường Nguyễn Trãi": addresses may write the street without "đường".
  const street = isBefore ? readStreet(pick(tokens, rest), vocabulary) : undefined;
  // A street of one word, such as "phố Huế", is too much like other names without "phố".
  if (street && street.length > 1) {
    const reading = toPartsReading(parts, street, kinds.slice(0, 1));
    readings.push({ reading, likelihood: isDoubtful ? -0.8 : 2.2 });
  }
  // "post offiec" and "nh thuoc": a kind with a typo may contain another kind.
  const isLong = pick(tokens, rest).some(({ word }) => word.length >= MIN_LETTERS_BESIDE_KIND);
  const whole = wholeKind(pick(tokens, name), vocabulary);
  if (whole?.isMistyped && (isLong || isBefore)) {
    readings.push({ reading: toPartsReading(parts, [], [whole]), likelihood: -0.6 });
  }
  return readings;
}

/** All words as one kind, in another language or with a typo. */
function wholeKindReadings({ tokens, vocabulary }: Query, parts: Parts): RankedReading[] {
  // A word that is also filler may be part of a kind with a typo: the "nha" in "nha thuoc".
  const understood = parts.spans.flatMap(({ start, end }) => range(start, end));
  const others = range(0, tokens.length).filter((index) => !understood.includes(index));
  const isSame = others.length === parts.rest.length;
  const whole =
    wholeKind(pick(tokens, parts.rest), vocabulary) ??
    (isSame ? undefined : wholeKind(pick(tokens, others), vocabulary));
  if (whole === undefined) return [];
  return [{ reading: toPartsReading(parts, [], [whole]), likelihood: wholeLikelihood(whole, parts) }];
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
