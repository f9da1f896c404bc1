import { isInArea, type Area } from "../../place/areas.ts";
import { distanceMeters, type Coordinates } from "../../place/coordinates.ts";
import { fold, markedWords, words } from "../../place/text/fold.ts";
import type { OpeningWish } from "../../place/open-state.ts";
import { memoize } from "../../place/text/memoize.ts";
import { TYPE_CODES, typesUnder, type TypeCode } from "../../place/type-codes.ts";
import type { Phrase, Vocabulary } from "../vocabulary/vocabulary.ts";
import { sameAreas, type AreaSpan } from "./area-spans.ts";
import { dropNames } from "./filler-words.ts";
import {
  toReading,
  type AreaReading,
  type KindReading,
  type NameWords,
  type Reading,
  type Wishes,
} from "./reading.ts";
import { isArea, isPhrase, phrasesAt, range, type PhraseSpan, type Span } from "./spans.ts";
import { toTypedWords, type Token } from "./tokens.ts";

/** The words of a query, and what is needed to take it apart. */
export interface Query {
  readonly tokens: readonly Token[];
  readonly vocabulary: Vocabulary;
  readonly near: Coordinates | undefined;
}

/** The parts of a query. `rest` holds the indexes of the words that were not understood. */
export interface Parts {
  readonly rest: readonly number[];
  /** `rest` and the words of kinds: "highlands coffee" is a name that contains a kind. */
  readonly name: readonly number[];
  readonly spans: readonly Span[];
  readonly kinds: readonly KindReading[];
  readonly kindSpans: readonly PhraseSpan[];
  readonly areaSpans: readonly AreaSpan[];
  readonly area: AreaReading | undefined;
  readonly wishes: Wishes;
  readonly isWishFirst: boolean;
  readonly isNear: boolean;
  readonly filler: readonly string[];
}

/** A query with all spans that were found in it, and its parts by them. */
export interface SpannedQuery extends Query {
  readonly spans: readonly Span[];
  readonly parts: Parts;
}

/** The parts of a query by some of its spans, which mostly are all of them. */
export const takeApartBy = (query: SpannedQuery, some: readonly Span[]): Parts =>
  some.length === query.spans.length ? query.parts : takeApart(query, some);

/** Takes a query apart, using the spans that were found in it. */
export function takeApart(query: Query, found: readonly Span[]): Parts {
  const { tokens, near } = query;
  const { spans, filler, generic } = dropNames(tokens, found, query.vocabulary);
  const kindSpans = withoutBroader(spans.filter(isPhrase).filter(({ role }) => role === "kind"));
  const areaSpans = spans.filter(isArea);
  const area = readArea(areaSpans, tokens, near);
  const wishSpans = spans.filter(isPhrase).filter(({ role }) => role === "wish" || role === "feature");
  const taken = new Set(spans.flatMap(({ start, end }) => range(start, end)).concat(filler));
  return {
    rest: range(0, tokens.length).filter((index) => !taken.has(index)),
    name: range(0, tokens.length).filter(
      (index) =>
        generic.has(index) ||
        (!filler.includes(index) &&
          !spans.some(({ role, start, end }) => role !== "kind" && start <= index && index < end)),
    ),
    spans,
    kinds: kindSpans.map(({ start, end, phrases }) => {
      const codes = [
        ...new Set(phrases.filter(({ role }) => role === "kind").flatMap((phrase) => phrase.codes)),
      ];
      const typed = tokens.slice(start, end).map(({ word }) => word);
      const ofKind = phrases.filter(({ role }) => role === "kind");
      const spellings = ofKind.map(({ marked }) => marked);
      if (ofKind.every(({ isProduct }) => isProduct)) {
        const inNames = [{ words: typed, marked: spellings.map((words) => words.join(" ")) }];
        return { codes, words: typed, inNames, isMistyped: false, isProduct: true };
      }
      const inNames = nameWordsOf({ typed, spellings, codes }, query.vocabulary);
      return { codes, words: typed, inNames, isMistyped: false };
    }),
    kindSpans,
    areaSpans,
    area,
    wishes: toWishes([...wishSpans, ...wishesInKinds(tokens, kindSpans, query.vocabulary)]),
    // In Vietnamese, a word of praise follows what it praises: "Rẻ Quán" is a name.
    isWishFirst:
      wishSpans[0]?.start === 0 &&
      (kindSpans.length === 0 ||
        (wishSpans[0].phrases[0]?.language === "vi" && !wishSpans[0].phrases[0].meaning.startsWith("open_"))),
    isNear: spans.some((span) => span.role === "near" && !isBeforeArea(span, areaSpans)),
    filler: filler.map((index) => tokens[index]!.word),
  };
}

/** Memoized: most queries name one of a few hundred types. */
const readLabel = memoize((label) => ({ words: words(fold(label)), spellings: [markedWords(label)] }));

/** The words of a kind as names say them: as they were typed, and the labels of the type in both languages. */
export function nameWordsOf(
  kind: {
    readonly typed: readonly string[];
    readonly spellings: readonly (readonly string[])[];
    readonly codes: readonly TypeCode[];
  },
  vocabulary: Vocabulary,
): NameWords[] {
  const { typed, spellings, codes } = kind;
  const [code] = codes;
  const isOneType = code !== undefined && typesUnder(code).length === codes.length;
  const labels = isOneType ? [TYPE_CODES[code].vi, TYPE_CODES[code].en] : [];
  const named = [{ words: typed, spellings }, ...labels.map(readLabel)].map((one) => {
    const inName = withoutGeneric(one.words, codes, vocabulary);
    const marked = one.spellings.map((spelling) => spelling.slice(-inName.length).join(" "));
    return { words: inName, marked: [...new Set(marked)] };
  });
  const isNew = ({ words: one }: NameWords, at: number): boolean =>
    named.findIndex(({ words: other }) => other.join(" ") === one.join(" ")) === at;
  return named.filter(isNew);
}

/** One word shorter than this says a kind only if it begins no other: "bánh" is more than a bakery, "chay" is not. */
const MIN_LETTERS_OF_ONE_WORD = 5;

/** "ca phe" from "quan ca phe": names leave out the words that only say that it is a shop. */
function withoutGeneric(
  typed: readonly string[],
  codes: readonly TypeCode[],
  { phrases, firstWords }: Vocabulary,
): readonly string[] {
  const isOfKind = (code: TypeCode): boolean => codes.includes(code);
  for (let start = 1; start < typed.length; start += 1) {
    const rest = typed.slice(start);
    const [first = ""] = rest;
    const isTooShort = rest.length === 1 && first.length < MIN_LETTERS_OF_ONE_WORD;
    if (isTooShort && firstWords.get(first)?.values().every(isOfKind) === false) continue;
    const meanings = phrases.get(rest.join("")) ?? [];
    if (meanings.some(({ role, codes: ofRest }) => role === "kind" && ofRest.every(isOfKind))) return rest;
  }
  return typed;
}

/** The "gần" of "gần hồ gươm" does not mean the caller. */
const isBeforeArea = (span: Span, areas: readonly AreaSpan[]): boolean =>
  isPhrase(span) &&
  span.phrases.some(({ role }) => role === "landmark") &&
  areas.some(({ start }) => start === span.end);

/** The words of "nhà hàng hải sản" name two kinds; the narrower one is meant. Those of "đau răng, nha khoa" name one twice. */
function withoutBroader(spans: readonly PhraseSpan[]): PhraseSpan[] {
  const codesOf = ({ phrases }: PhraseSpan): readonly TypeCode[] =>
    phrases.filter(({ role }) => role === "kind").flatMap(({ codes }) => codes);
  return spans.filter((span, at) => {
    const codes = codesOf(span);
    const isSame = (other: PhraseSpan): boolean => codesOf(other).join() === codes.join();
    if (spans.findIndex(isSame) < at) return false;
    const isNarrower = (other: PhraseSpan): boolean => {
      const others = codesOf(other);
      return others.length < codes.length && others.every((code) => codes.includes(code));
    };
    return !spans.some(isNarrower);
  });
}

/** "Night market" is no market that is open at night: only wishes that say how dear or how good count inside a kind. */
const INNER_WISHES: ReadonlySet<string> = new Set(["cheap", "expensive", "well_rated", "open_24h"]);

/** A late meal is no kind of restaurant: "chỗ ăn khuya" wishes a late hour too. */
const isLateMeal = ({ meaning, language }: Phrase, { phrases }: PhraseSpan): boolean =>
  meaning === "open_late" && language === "vi" && phrases.some(({ codes }) => codes[0] === "RESTAURANT");

/** The wishes in words that are known as a whole: "khách sạn giá rẻ" is a kind, and wishes a low price too. */
function wishesInKinds(
  tokens: readonly Token[],
  kindSpans: readonly PhraseSpan[],
  vocabulary: Vocabulary,
): PhraseSpan[] {
  const meaningsAt = (start: number, end: number, role: Span["role"]) =>
    phrasesAt(tokens, vocabulary, start, end).filter((phrase) => phrase.role === role);
  return kindSpans.flatMap((kind) => {
    const { start, end } = kind;
    return range(start + 1, end).flatMap((cut): PhraseSpan[] => {
      const phrases = meaningsAt(cut, end, "wish").filter(
        (phrase) => INNER_WISHES.has(phrase.meaning) || isLateMeal(phrase, kind),
      );
      if (phrases.length === 0 || meaningsAt(start, cut, "kind").length === 0) return [];
      return [{ start: cut, end, role: "wish", score: 0, phrases }];
    });
  });
}

/** Of several opening wishes the one that fewer places meet counts. */
const STRICTEST_FIRST: readonly OpeningWish[] = ["24h", "late", "early", "sunday", "saturday", "now"];

function toWishes(spans: readonly PhraseSpan[]): Wishes {
  const meanings = new Set(
    spans.flatMap(({ role, phrases }) =>
      phrases.filter((phrase) => phrase.role === role).map(({ meaning }) => meaning),
    ),
  );
  const opening = STRICTEST_FIRST.find((wish) => meanings.has(`open_${wish}`));
  const price = meanings.has("cheap") ? "cheap" : meanings.has("expensive") ? "expensive" : undefined;
  const features = spans
    .filter(({ role }) => role === "feature")
    .map(({ phrases }) => phrases[0]?.meaning ?? "");
  return {
    ...(opening && { opening }),
    ...(price && { price }),
    isWellRated: meanings.has("well_rated"),
    features: [...new Set(features)],
  };
}

/** The most exact of the named areas that lies inside the larger ones: "p1 q3" is ward 1 of district 3. */
export function readArea(
  spans: readonly AreaSpan[],
  tokens: readonly Token[],
  near: Coordinates | undefined,
): AreaReading | undefined {
  if (spans.length === 0) return undefined;
  const order: readonly Area["level"][] = ["province", "district", "neighbourhood", "ward"];
  const levelOf = ({ areas }: AreaSpan): number => order.indexOf(areas[0]?.level ?? "province");
  const within: Area[] = [];
  let chosen: readonly Area[] = [];
  for (const { areas } of spans.toSorted((a, b) => levelOf(a) - levelOf(b))) {
    const inside = insideOf(areas, chosen);
    if (chosen.length > 0) within.push(chosen[0]!);
    const centre = chosen[0]?.centre ?? near;
    const nearest = centre
      ? areas.toSorted((a, b) => distanceMeters(a.centre, centre) - distanceMeters(b.centre, centre))
      : areas;
    chosen = sameAreas(inside.length > 0 || chosen.length === 0 ? inside : nearest);
  }
  const [area] = chosen;
  if (area === undefined) return undefined;
  const words = spans.flatMap(({ start, end }) => tokens.slice(start, end).map(({ word }) => word));
  return { areas: chosen, name: area.name, level: area.level, centre: area.centre, within, words };
}

/**
 * The areas that belong to one of the outer areas. When none does, as before and after the reform, those
 * within its bounds.
 */
function insideOf(areas: readonly Area[], outers: readonly Area[]): readonly Area[] {
  if (outers.length === 0) return areas;
  const ids = new Set<string | undefined>(outers.map(({ id }) => id));
  const belonging = areas.filter(({ parent }) => ids.has(parent));
  if (belonging.length > 0) return belonging;
  return areas.filter(({ centre }) => outers.some((outer) => isInArea(outer, centre)));
}

/** The reading of the parts of a query with these name words and kinds. */
export function toPartsReading(parts: Parts, name: readonly Token[], kinds: readonly KindReading[]): Reading {
  const { wishes, area, isNear, filler } = parts;
  return toReading({ name: toTypedWords(name), kinds, wishes, ...(area && { area }), isNear, filler });
}
