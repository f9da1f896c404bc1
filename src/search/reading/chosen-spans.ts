import type { Area } from "../../place/geometry/areas.ts";
import { READING } from "../numbers.ts";
import { isOwn, liesIn, type AreaSpan } from "./area-spans.ts";
import {
  functionLanguages,
  isAskedFor,
  isBehindNear,
  isFunctionWord,
  isHas,
  isHead,
  isVagueHead,
  isStreetBehind,
  isStreetWord,
  relationAt,
  spokenLanguage,
} from "./relations.ts";
import { findSpans, isArea, isNarrower, type PhraseSpan, type Span } from "./spans.ts";
import { holds, range, type Asked } from "./tokens.ts";

/** The spans of a query that count beside each other. What is dropped may be part of a name, or filler. */
export function findChosenSpans(asked: Asked): readonly Span[] {
  const spans = findSpans(asked).filter((span) => !isForeign(span, asked));
  const areas = withoutAreasElsewhere(withFeatures(spans, asked));
  return withoutStreets(withoutShortKinds(areas, asked), asked);
}

/**
 * An area apart from the last one is part of a name: the "hội an" of "cà phê hội an hà nội". With a word such as "phường" it is one
 * wherever it lies in the same city. No ward lies in a ward: the "kim mã" of "kim mã phường ngọc hà" is a street.
 */
function withoutAreasElsewhere(spans: readonly Span[]): readonly Span[] {
  const last = spans.findLast(isArea);
  const isBeside = ({ certainty }: AreaSpan, area: Area, other: Area): boolean =>
    (certainty === "marked" && isOwn(area, other.centre)) ||
    ((certainty !== "weak" || area.level !== other.level) && (liesIn(area, other) || liesIn(other, area)));
  return spans.filter(
    (span) =>
      !isArea(span) ||
      !last ||
      span === last ||
      span.areas.some((area) => last.areas.some((other) => isBeside(span, area, other))),
  );
}

/**
 * Words that are both a kind and a feature are the feature beside another kind or chain, and behind another feature: "nhà hàng nhạc
 * sống" is no concert hall, but "hồ bơi cho trẻ em" is a pool.
 */
function withFeatures(spans: readonly Span[], asked: Asked): readonly Span[] {
  // "chỗ đậu xe gần chợ bến thành": the market is where it is.
  const others = spans.filter(({ start }) => !isBehindNear(start, asked));
  const isBoth = (span: Span): span is PhraseSpan =>
    isKind(span) && span.phrases.some(({ role }) => role === "feature") && others.includes(span);
  const isBeside = (other: Span, span: Span): boolean =>
    (other.role === "kind" ||
      other.role === "chain" ||
      (other.role === "feature" && other.start < span.start)) &&
    !isBoth(other);
  const isFacility = (span: PhraseSpan): boolean => others.some((other) => has(other, span, spans, asked));
  return spans.map((span) =>
    (isBoth(span) && others.some((other) => isBeside(other, span))) ||
    (isKind(span) && !isBehindNear(span.start, asked) && isFacility(span))
      ? toFeature(span)
      : span,
  );
}

/**
 * A word of a kind in one language that is a function word of the other, in which the query speaks: the "my" of "where can my dad sit" is no
 * noodle soup (mì).
 */
function isForeign(span: Span, asked: Asked): boolean {
  if (!isKind(span) || span.end - span.start > 1 || isHead(span, asked)) return false;
  const [language, ...more] = functionLanguages(span.start, asked);
  if (language === undefined || more.length > 0) return false;
  return span.phrases.every((phrase) => phrase.language !== language) && spokenLanguage(asked) === language;
}

const isKind = (span: Span): span is PhraseSpan => span.role === "kind";

const toFeature = (span: PhraseSpan): PhraseSpan => ({
  ...span,
  role: "feature",
  phrases: span.phrases.filter(({ role }) => role === "feature"),
});

/**
 * Whether a query says that places of one kind have the other: "cây xăng có nhà vệ sinh". A narrower kind says which they are: "quán ăn
 * có lẩu"; and behind a name something is there: "chợ bến thành có atm".
 */
function has(one: Span, other: PhraseSpan, spans: readonly Span[], asked: Asked): boolean {
  const between = range(one.end, other.start);
  const isSaid = between.some((at) => isHas(asked, at));
  if (!isSaid || !isKind(one) || isVagueHead(one, asked) || isNarrower(other, one)) return false;
  const isBeside = (span: Span, at: number): boolean =>
    holds(span, at) && (isArea(span) ? span.certainty === "marked" : span.role !== "chain");
  return (
    !isAskedFor(other, asked) &&
    between.every((at) => isFunctionWord(asked, at) || spans.some((span) => isBeside(span, at)))
  );
}

/**
 * Beside a longer kind, such a word is filler or part of a name; not where the longer one says what to be near: "ks gần sân bay". Beside a
 * wish it is filler before "nào" where it can be: "cho nao yen tinh" asks for a "chỗ", no "chợ".
 */
function withoutShortKinds(spans: readonly Span[], asked: Asked): readonly Span[] {
  const { tokens } = asked;
  const isShort = ({ start, end }: Span): boolean =>
    end - start === 1 &&
    !tokens[start]!.hasMarks &&
    tokens[start]!.word.length <= READING.lettersOfShortKind &&
    !(start > 0 && isHas(asked, start - 1) && !isFunctionWord(asked, start));
  const longer = spans.filter(
    (span): span is PhraseSpan => isKind(span) && !isShort(span) && !isBehindNear(span.start, asked),
  );
  // In English the kind of a landmark comes last: "pho near ben thanh market".
  const isOfLandmark = (other: Span, span: Span): boolean =>
    range(span.end, other.start).some((at) => isNear(at, spans, asked));
  const longerBeside = (span: Span): readonly PhraseSpan[] =>
    longer.filter((other) => !isOfLandmark(other, span));
  // The "spa" of "spa massage" asks for the same.
  const isSame = (span: Span): boolean =>
    isKind(span) && longer.some((other) => isNarrower(other, span) || isNarrower(span, other));
  const hasWish = spans.some(({ role }) => role === "wish" || role === "feature");
  const mayBeFiller = (span: Span): boolean => isFunctionWord(asked, span.start) && isAskedFor(span, asked);
  // "gần ga sài gòn": what stands behind "gần" is a place.
  const isFiller = (span: Span): boolean =>
    isShort(span) &&
    !isSame(span) &&
    !isBehindNear(span.start, asked) &&
    (longerBeside(span).length > 0 || (hasWish && mayBeFiller(span)));
  return spans.filter((span) => span.role !== "kind" || !isFiller(span));
}

/** Whether a word says that a place on the map follows; the "near" of "near me" does not. */
const isNear = (at: number, spans: readonly Span[], asked: Asked): boolean => {
  const span = spans.find((one) => holds(one, at));
  return relationAt(asked, at, span)?.relation === "near";
};

/** The bare name of an area behind a word such as "phố", or before "street", is a street. */
function withoutStreets(spans: readonly Span[], asked: Asked): readonly Span[] {
  const isBehindStreetWord = ({ start }: Span): boolean =>
    start > 0 && !spans.some(({ end }) => end === start) && isStreetWord(asked, start - 1, start);
  const isBeforeStreetWord = ({ end }: Span): boolean =>
    end < asked.tokens.length && isStreetBehind(asked, end);
  return spans.filter((span) => {
    // "đường D2" is no district.
    const isBare = isArea(span) && (span.certainty !== "marked" || span.end - span.start === 1);
    return !isBare || !(isBeforeStreetWord(span) || isBehindStreetWord(span));
  });
}
