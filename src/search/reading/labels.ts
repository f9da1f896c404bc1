import type { Coordinates } from "../../place/geometry/coordinates.ts";
import type { OpeningWish } from "../../place/time/open-state.ts";
import { NO_LEXICON, type Lexicon } from "../lexicon.ts";
import type { TypeCode } from "../../place/document/type-codes.ts";
import type { Vocabulary } from "../vocabulary/vocabulary.ts";
import { readKinds } from "./kind-reading.ts";
import { readArea } from "./area-spans.ts";
import { findChosenSpans } from "./chosen-spans.ts";
import { likelihoodsOf, type CountTypes } from "./needs.ts";
import type { KindReading, Reading, Wishes } from "./reading.ts";
import { isFunctionWord, isHas, relationAt, type Relation } from "./relations.ts";
import { isArea, type PhraseSpan, type Span } from "./spans.ts";
import {
  hasStop,
  holds,
  lettersOf,
  means,
  phrasesAt,
  pick,
  range,
  toTypedWords,
  type Asked,
  type Token,
  type TypedWords,
  type WordRange,
} from "./tokens.ts";
import { READING } from "../numbers.ts";

/** What besides the words helps to read a query. */
export interface ReadOptions {
  readonly near?: Coordinates | undefined;
  readonly lexicon?: Lexicon;
  /** How many places of the dataset have one of some types. */
  readonly countTypes?: CountTypes;
}

/** The words of a query with their labels. */
export interface LabelledQuery extends Asked {
  readonly lexicon: Lexicon;
  readonly countTypes: CountTypes;
  readonly spans: readonly Span[];
  readonly units: readonly Unit[];
  readonly wishes: Wishes;
  readonly isNear: boolean;
  /** The words that belong to no unit. */
  readonly filler: readonly number[];
  /** Those of them that are no part of a name for sure. */
  readonly light: readonly number[];
  /** Those that may well be part of a name, unless light ones say that the query is a sentence: the "huong" of "huong hotel". */
  readonly doubtful: readonly number[];
  /** Wishes beside a name that may be part of it: the "dat" of "nha thuoc dat duc" is "đắt" or a person. */
  readonly doubtfulWishes: readonly number[];
}

/** Words that belong together: a kind, an area, or words that are neither, such as a name. */
export interface Unit extends WordRange {
  readonly role: "kind" | "area" | "run" | "wish";
  /** What stands before it: a word such as "gần" or "ở", which says that it is a place on the map. */
  readonly relation: "none" | "near" | "in";
  /** With the words beside it that may be filler or part of a name: the "van an" of "chu van an". */
  readonly wide: WordRange;
  /** A word such as "có" follows, which says that something is there. */
  readonly isBeforeHas: boolean;
  /** The spans of a kind or an area. */
  readonly span?: Span;
  /** A run that is a chain has its kinds. */
  readonly chain?: readonly TypeCode[];
  /** The kind that a run begins with: the two are a landmark. */
  readonly kind?: Unit;
}

/** Labels the words of a query. */
export function label(
  tokens: readonly Token[],
  {
    vocabulary,
    near,
    lexicon = NO_LEXICON,
    countTypes = anyNumber,
  }: ReadOptions & { readonly vocabulary: Vocabulary },
): LabelledQuery {
  const asked = {
    tokens,
    vocabulary,
    near,
    lexicon,
    ...(isSentence({ tokens, vocabulary }) && { likelihoodOf: likelihoodsOf(tokens, vocabulary) }),
  };
  const spans = findChosenSpans(asked);
  const words = toWords(spans, asked);
  const { units, filler } = readUnits(words, asked);
  const hasName = units.some(({ role }) => role === "run");
  const doubtfulWishes = filler.filter((at) => hasName && isDoubtfulWish(words[at]!.span, asked));
  const light = filler.filter(
    (at) => !doubtfulWishes.includes(at) && (words[at]!.span !== undefined || words[at]!.filler === "surely"),
  );
  const doubtful = filler.filter(
    (at) => words[at]!.filler === "maybe" && !tokens[at]!.hasMarks && !words[at]!.span,
  );
  return {
    ...asked,
    countTypes,
    spans,
    units: joinLandmark(joinRuns(kindsAsNames(units, asked), asked), words, asked),
    wishes: readWishes(spans),
    isNear: spans.some((span) => span.role === "near" && !isRelationOf(span, units)),
    filler,
    light,
    doubtful: light.length > 0 ? [] : doubtful,
    doubtfulWishes,
  };
}

/** Before the places of a dataset are counted, it may have any. */
const anyNumber = (): number => 1;

/** Of several opening wishes the one that fewer places meet counts. */
const STRICTEST_FIRST: readonly OpeningWish[] = ["24h", "late", "early", "sunday", "saturday", "now"];

/** What a query wishes besides the kind. */
function readWishes(spans: readonly Span[]): Wishes {
  const saidAs = (wanted: "wish" | "feature"): string[][] =>
    spans
      .filter((span): span is PhraseSpan => span.role === wanted)
      .map(({ phrases }) => phrases.filter(({ role }) => role === wanted).map(({ meaning }) => meaning));
  const meanings = new Set(saidAs("wish").flat());
  const opening = STRICTEST_FIRST.find((wish) => meanings.has(`open_${wish}`));
  const price = meanings.has("cheap") ? "cheap" : meanings.has("expensive") ? "expensive" : undefined;
  // Of words with several features the first is meant.
  const features = saidAs("feature").flatMap((some) => some.slice(0, 1));
  return {
    ...(opening && { opening }),
    ...(price && { price }),
    isWellRated: meanings.has("well_rated"),
    features: [...new Set(features)],
  };
}

/** A wish of one word that was typed without its marks, or a feature, where names have its words: "Kids Leaf", "Cơm gia đình Lộc". */
function isDoubtfulWish(span: Span | undefined, { tokens, lexicon }: Known): boolean {
  if (span?.role !== "wish" && span?.role !== "feature") return false;
  const typed = tokens.slice(span.start, span.end);
  const isInNames = typed.every(({ word }) => lexicon.inNames(word) > 0);
  if (span.role === "feature" || !isInNames) return isInNames;
  const isSpelledSo = span.phrases.some(({ marked }) => marked.join(" ") === typed[0]!.word);
  return typed.length === 1 && !typed[0]!.hasMarks && !isSpelledSo;
}

type Known = Asked & { readonly lexicon: Lexicon };

interface Word {
  readonly span: Span | undefined;
  readonly filler: Filler;
  /** Begins with it. */
  readonly relation: Relation | undefined;
  /** A comma or the end of a sentence stands before it. */
  readonly isBehindStop: boolean;
}

/** A surname and the words behind it that may be filler are a name: "le loi" is not "lẹ", and "nguyen thi minh khai" has a "thị". */
function toWords(spans: readonly Span[], asked: Known): Word[] {
  const words = asked.tokens.map((_, at): Word => {
    const span = spans.find((one) => holds(one, at));
    return {
      span,
      filler: fillerOf(asked, at),
      relation: relationAt(asked, at, span),
      isBehindStop: hasStop(asked.tokens, at, at),
    };
  });
  const isSurname = (at: number): boolean =>
    means(asked, at, at + 1, { role: "surname" }) && (isOfRun(words[at]) || isOfRun(words[at + 1]));
  let isPerson = false;
  return words.map((word, at) => {
    const mayBePart = mayBeOfRun(word);
    isPerson = (isOfRun(word) || mayBePart) && (isSurname(at) || (isPerson && mayBePart));
    return isPerson && mayBePart ? { ...word, filler: "no" } : word;
  });
}

const isFree = (word: Word | undefined): word is Word => word !== undefined && !word.span && !word.relation;

/** A word that belongs to a name for all that is known. */
const isOfRun = (word: Word | undefined): boolean => isFree(word) && word.filler === "no";

/** A word that may belong to a name beside it. */
const mayBeOfRun = (word: Word | undefined): boolean => isFree(word) && word.filler === "maybe";

/** Divides the words into units from the first to the last, and says which of them are filler. */
function readUnits(
  words: readonly Word[],
  asked: Asked,
): { readonly units: readonly Unit[]; readonly filler: readonly number[] } {
  const units: Unit[] = [];
  const filler: number[] = [];
  let relation: Unit["relation"] = "none";
  const add = (unit: Pick<Unit, "role" | "start" | "end" | "span" | "chain">): void => {
    units.push({ ...unit, relation, isBeforeHas: false, wide: widen(unit, words) });
    relation = "none";
  };
  for (let at = 0; at < words.length;) {
    const { span, relation: before, filler: ofWord } = words[at]!;
    const last = units.at(-1);
    if (before) {
      // "nguyen trai street": the word behind says that it is a street, as one before does.
      if (before.isBehind && last?.end === at) units[units.length - 1] = { ...last, relation: "in" };
      else relation = before.relation;
      filler.push(...range(at, before.end));
      at = before.end;
    } else if (span?.role === "chain") {
      add({ role: "run", start: at, end: span.end, chain: span.codes });
      at = span.end;
    } else if (span && span.role !== "kind" && span.role !== "area") {
      filler.push(...range(at, span.end));
      // "gần 24/7" is no place on the map.
      relation = "none";
      if (span.role === "wish") add({ role: "wish", start: at, end: span.end });
      at = span.end;
    } else if (span) {
      add({ role: span.role === "kind" ? "kind" : "area", start: at, end: span.end, span });
      at = span.end;
    } else if (ofWord !== "no") {
      filler.push(at);
      if (isHas(asked, at)) {
        if (last && !hasStop(asked.tokens, last.end, at))
          units[units.length - 1] = { ...last, isBeforeHas: true };
        // "xung quanh có công viên" means around the caller.
        relation = "none";
      }
      at += 1;
    } else {
      const end = endOfRun(at, words);
      add({ role: "run", start: at, end });
      at = end;
    }
  }
  return { units, filler };
}

/** The end of the words from `start` on that may belong to the name of a landmark. */
function endOfLandmark(start: number, words: readonly Word[]): number {
  const mayBelong = (word: Word | undefined): boolean =>
    mayBeOfRun(word) || word?.span?.role === "wish" || word?.span?.role === "feature";
  let end = start;
  while (mayBelong(words[end]) && !words[end]!.isBehindStop) end += 1;
  return end;
}

/** The end of the words that belong to a name from `start` on: filler may stand between them, and not at the end. */
function endOfRun(start: number, words: readonly Word[]): number {
  let end = start + 1;
  for (let next = end; isOfRun(words[next]) || mayBeOfRun(words[next]); next += 1) {
    if (words[next]!.isBehindStop) break;
    if (isOfRun(words[next])) end = next + 1;
  }
  return end;
}

/** A run with the words on both sides that may belong to it. */
function widen(
  { role, start, end }: Pick<Unit, "role" | "start" | "end">,
  words: readonly Word[],
): Unit["wide"] {
  const wide = { start, end };
  if (role !== "run" || words[start]!.span) return wide;
  while (mayBeOfRun(words[wide.start - 1])) wide.start -= 1;
  while (mayBeOfRun(words[wide.end]) && !words[wide.end]!.isBehindStop) wide.end += 1;
  return wide;
}

/** Whether a word is filler: it surely is none, surely is, or may be part of a name too. */
type Filler = "no" | "maybe" | "surely";

/** "50k": nobody is called like a price. */
const PRICE = /^\d+(?:k|tr|usd|vnd)$/;

/**
 * Words of a closed class. Typed with their marks, a particle is filler for sure; without marks it may be a syllable of a name: "minh"
 * is "mình" and Minh. English ones count in queries without marks only: the "an" of "nhà thuốc an khang" is Vietnamese.
 */
function fillerOf(asked: Known, at: number): Filler {
  const { tokens, lexicon } = asked;
  const { word, hasMarks } = tokens[at]!;
  if (PRICE.test(word)) return "surely";
  const isMarked = tokens.some((token) => token.hasMarks);
  const found = phrasesAt(asked, at, at + 1).filter(
    ({ role, language }) => role === "function" && (!isMarked || language === "vi"),
  );
  if (found.length === 0) return "no";
  const isParticle = found.some(({ meaning }) => meaning !== "");
  return isParticle && (hasMarks || lexicon.inNames(word) === 0) ? "surely" : "maybe";
}

/** The "gần" of "gần hồ gươm" does not mean the caller. */
const isRelationOf = (span: Span, units: readonly Unit[]): boolean =>
  units.some(({ start, relation }) => relation === "near" && start === span.end);

/** Whether so many of the words are function words that they are no name. */
function isSentence(asked: Asked): boolean {
  const { length } = asked.tokens;
  const found = range(0, length).filter((at) => isFunctionWord(asked, at)).length;
  return length >= READING.wordsOfSentence && found >= READING.functionWords * length;
}

/** Whether the words outside of areas may be a sentence that says what somebody needs: neither a name nor a chain. */
export function mayBeSentence({
  tokens,
  units,
  light,
}: Pick<LabelledQuery, "tokens" | "units" | "light">): boolean {
  const inAreas = units.filter(({ role }) => role === "area");
  const words = inAreas.reduce((left, { start, end }) => left - (end - start), tokens.length);
  const least = light.length > 0 ? READING.wordsOfNeed : READING.wordsOfSentence;
  return words >= least && units.every(({ chain }) => chain === undefined);
}

/** A kind that is a name of the kind right beside it: a "japanese consulate" is no restaurant. */
const kindsAsNames = (units: readonly Unit[], asked: Asked): Unit[] =>
  units.map((unit, at) => {
    const next = units[at + 1];
    const isBeside = next?.role === "kind" && next.start === unit.end && next.relation === "none";
    if (unit.role !== "kind" || !isBeside) return unit;
    const names = asked.vocabulary.otherNames.get(lettersOf(asked.tokens, unit.start, unit.end)) ?? [];
    const isName = names.some(({ codes }) => !isOtherKind(asked, next, codes));
    if (!isName) return unit;
    const { span: _, ...run } = unit;
    return { ...run, role: "run" };
  });

/**
 * A word right behind a name belongs to it although it is a kind too, where the query has another kind: the "bánh" of "Huỳnh Văn Bánh";
 * or between a surname and more of the name: the "đình" of "Nguyễn Đình Chiểu". So does the bare name of an area right behind a surname:
 * "nguyen hue" is not the city of Huế.
 */
function joinRuns(units: readonly Unit[], asked: Asked): Unit[] {
  const isBehindSurname = ({ start }: Unit): boolean => means(asked, start - 1, start, { role: "surname" });
  const isMiddleName = (unit: Unit, next: Unit | undefined): boolean =>
    next?.role === "run" && next.start === unit.end && isBehindSurname(unit);
  const joined: Unit[] = [];
  for (const [at, unit] of units.entries()) {
    const last = joined.at(-1);
    const isNext =
      last?.role === "run" &&
      !last.chain &&
      unit.start === last.end &&
      unit.relation === "none" &&
      !hasStop(asked.tokens, last.end, unit.start);
    const isShortKind = unit.role === "kind" && unit.end - unit.start === 1;
    const hasOther = units.some((other) => other !== unit && other.role === "kind");
    const isBare =
      unit.span && isArea(unit.span) && unit.span.certainty !== "marked" && unit.end - unit.start === 1;
    const belongs = (): boolean =>
      (isShortKind && (hasOther || isMiddleName(unit, units[at + 1]))) ||
      (isBare === true && isBehindSurname(unit));
    if (isNext && !unit.chain && (unit.role === "run" || belongs())) {
      const wide = { start: last.wide.start, end: unit.wide.end };
      joined[joined.length - 1] = { ...last, end: unit.end, wide, isBeforeHas: unit.isBeforeHas };
    } else joined.push(unit);
  }
  return joined;
}

/**
 * Joins the units of a landmark to one. It begins with a kind behind "gần" or right behind a chain: "lotteria chợ bến thành". An area
 * that is said to be one is no part of it; a wish may be: "gia định" of "bệnh viện nhân dân gia định".
 */
function joinLandmark(units: readonly Unit[], words: readonly Word[], asked: Known): readonly Unit[] {
  const at = units.findIndex((unit, index) => beginsLandmark(unit, units[index - 1], asked));
  const parts = at < 0 ? [] : partsOfLandmark(units, at, words, asked);
  const [first] = parts;
  const last = parts.findLast(({ role }) => role !== "wish");
  if (!first || !last) return units;
  const end = endOfLandmark(last.end, words);
  if (last === first && end === first.end) return units;
  const whole: Unit = {
    role: "run",
    kind: first,
    relation: first.relation,
    start: first.start,
    end: last.end,
    wide: { start: first.start, end },
    isBeforeHas: parts.at(-1)!.isBeforeHas,
  };
  return [...units.slice(0, at), whole, ...units.slice(at + parts.length)];
}

const isKind = ({ role, chain }: Unit): boolean => role === "kind" || chain !== undefined;

/** Whether a query asks for some kind or chain besides those in some of its units. */
const hasOtherKind = (units: readonly Unit[], some: readonly Unit[]): boolean =>
  units.some((unit) => isKind(unit) && !some.includes(unit));

function beginsLandmark(unit: Unit, before: Unit | undefined, asked: Known): boolean {
  if (unit.relation === "near") return unit.role === "kind";
  const { chain, end } = before ?? {};
  if (!chain || end !== unit.start || unit.relation !== "none") return false;
  return isOtherKind(asked, unit, chain);
}

/**
 * The units of the landmark that begins at one of them. Behind "gần" they end before another kind of several words, unless it stands right
 * behind the first, and is a product ("bệnh viện ung bướu") or has more of the name behind it ("bệnh viện đại học y dược"). Where they
 * have the only kinds, the last is what is asked for: "gần chợ bến thành atm nào".
 */
function partsOfLandmark(
  units: readonly Unit[],
  at: number,
  words: readonly Word[],
  asked: Known,
): readonly Unit[] {
  const isNear = units[at]!.relation === "near";
  const isProduct = (unit: Unit): boolean => kindsOf(asked, [unit]).every((kind) => kind.isProduct === true);
  const isNameNext = (unit: Unit, next: Unit | undefined): boolean =>
    next?.role === "run" && next.relation === "none" && next.start === unit.end;
  const isOther = (unit: Unit, index: number): boolean =>
    unit.role === "kind" &&
    unit.end - unit.start > 1 &&
    !(index === at + 1 && (isProduct(unit) || isNameNext(unit, units[index + 1])));
  // The "đàn" of "công viên tao đàn" is a kind of its own elsewhere, and "tao" a pronoun.
  const isApart = ({ start }: Unit, { end, isBeforeHas }: Unit): boolean =>
    isBeforeHas || !words.slice(end, start).every(mayBeOfRun);
  const isPart = (unit: Unit, index: number): boolean =>
    unit.relation === "none" &&
    !hasStop(asked.tokens, units[index - 1]!.end, unit.start) &&
    !(unit.span && isArea(unit.span) && unit.span.certainty === "marked") &&
    !(isNear && (isOther(unit, index) || isApart(unit, units[index - 1]!)));
  const end = units.findIndex((unit, index) => index > at && !isPart(unit, index));
  const parts = units.slice(at, end < 0 ? units.length : end);
  return hasOtherKind(units, parts) ? parts : parts.slice(0, Math.max(1, parts.findLastIndex(isKind)));
}

/** The words of some units. */
export const wordsOf = ({ tokens }: LabelledQuery, units: readonly Unit[]): TypedWords =>
  toTypedWords(
    pick(
      tokens,
      units.flatMap(({ start, end }) => range(start, end)),
    ),
  );

/** The folded words at some positions. */
export const wordsAt = ({ tokens }: LabelledQuery, indexes: readonly number[]): string[] =>
  pick(tokens, indexes).map(({ word }) => word);

/** The kinds among some units. */
export const kindsOf = (query: Asked, units: readonly Unit[]): KindReading[] =>
  readKinds(
    query,
    units.flatMap(({ span }) => (span?.role === "kind" ? [span] : [])),
  );

/** Whether a unit is a kind, and of none of some types. */
export const isOtherKind = (asked: Asked, unit: Unit, types: readonly TypeCode[]): boolean =>
  unit.role === "kind" &&
  !kindsOf(asked, [unit]).some(({ codes }) => codes.some((code) => types.includes(code)));

/** Words that are neither a kind nor an area. */
export const runsOf = (units: readonly Unit[]): readonly Unit[] => units.filter(({ role }) => role === "run");

/** What all readings of a query have, and the area in some of its parts. */
export function baseOf(query: LabelledQuery, units: readonly Unit[]): Partial<Reading> {
  const { wishes, isNear, filler, tokens } = query;
  const areas = units.flatMap(({ span }) => (span && isArea(span) ? [span] : []));
  const area = readArea(areas, tokens);
  const isParted = filler.some(
    (at) => units.some(({ end }) => end <= at) && units.some(({ start }) => at < start),
  );
  return {
    wishes,
    isNear,
    filler: wordsAt(query, filler),
    ...(isParted && { isParted }),
    ...(area && { area }),
  };
}
