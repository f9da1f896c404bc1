import type { Coordinates } from "../../place/geometry/coordinates.ts";
import { NO_LEXICON, type Lexicon } from "../lexicon.ts";
import type { Phrase, Vocabulary } from "../vocabulary/vocabulary.ts";
import { withoutAreasElsewhere } from "./area-spans.ts";
import type { Wishes } from "./reading.ts";
import { findSpans, isPhrase, phrasesAt, pick, range, type Span } from "./spans.ts";
import { lettersOf, toTypedWords, type Token, type TypedWords } from "./tokens.ts";
import { readWishes } from "./wishes.ts";
import { READING } from "../numbers.ts";

/** What besides the words helps to read a query. */
export interface ReadOptions {
  readonly near?: Coordinates | undefined;
  readonly lexicon?: Lexicon;
}

/** The words of a query with their labels. */
export interface LabelledQuery {
  readonly lexicon: Lexicon;
  readonly tokens: readonly Token[];
  readonly vocabulary: Vocabulary;
  readonly near: Coordinates | undefined;
  readonly spans: readonly Span[];
  readonly units: readonly Unit[];
  readonly wishes: Wishes;
  readonly isNear: boolean;
  /** The words that belong to no unit. */
  readonly filler: readonly number[];
  /** Those of them that are no part of a name for sure. */
  readonly light: readonly number[];
  /** Those that may well be part of a name: the "huong" of "huong hotel". */
  readonly doubtful: readonly number[];
  /** Wishes beside a name that may be part of it: the "dat" of "nha thuoc dat duc" is "đắt" or a person. */
  readonly doubtfulWishes: readonly number[];
}

/** Words that belong together: a kind, an area, or words that are neither, such as a name. */
export interface Unit {
  readonly role: "kind" | "area" | "run" | "wish";
  readonly start: number;
  readonly end: number;
  /** What stands before it: a word such as "gần" or "ở", which says that it is a place on the map. */
  readonly relation: "none" | "near" | "in";
  /** With the words beside it that may be filler or part of a name: the "van an" of "chu van an". */
  readonly wide: { readonly start: number; readonly end: number };
  /** A word such as "có" follows, which says that something is there. */
  readonly isBeforeHas: boolean;
  /** The spans of a kind or an area. */
  readonly span?: Span;
}

/** Labels the words of a query. */
export function label(
  tokens: readonly Token[],
  { vocabulary, near, lexicon = NO_LEXICON }: ReadOptions & { readonly vocabulary: Vocabulary },
): LabelledQuery {
  const areas = withoutAreasElsewhere(findSpans(tokens, vocabulary, near));
  const spans = withoutStreets(withoutShortKinds(areas, tokens, vocabulary), tokens, { vocabulary, lexicon });
  const words = toLabelledWords(tokens, spans, { vocabulary, lexicon });
  const { units, filler } = readUnits(words);
  const hasName = units.some(({ role }) => role === "run");
  const joined = joinRuns(units, tokens, vocabulary);
  const brands = joined.some(({ role }) => role === "kind") ? undefined : vocabulary.brands;
  const doubtfulWishes = filler.filter((at) => hasName && isDoubtfulWish(words.spanAt(at), tokens, lexicon));
  return {
    tokens,
    vocabulary,
    lexicon,
    near,
    spans,
    units: joined.flatMap((unit) => splitBehindBrand(unit, tokens, { lexicon, brands })),
    wishes: readWishes(tokens, spans, vocabulary),
    isNear: spans.some((span) => span.role === "near" && !isRelationOf(span, units)),
    filler,
    light: filler.filter(
      (at) =>
        !doubtfulWishes.includes(at) && (words.spanAt(at) !== undefined || words.fillerAt(at) === "surely"),
    ),
    doubtful: filler.filter(
      (at) => words.fillerAt(at) === "maybe" && !tokens[at]!.hasMarks && words.spanAt(at) === undefined,
    ),
    doubtfulWishes,
  };
}

/** A wish of one word that was typed without its marks, where names have the word. */
function isDoubtfulWish(span: Span | undefined, tokens: readonly Token[], lexicon: Lexicon): boolean {
  if (span === undefined || !isPhrase(span) || span.end - span.start > 1) return false;
  const { word, hasMarks } = tokens[span.start]!;
  const isSpelledSo = span.phrases.some(({ marked }) => marked.join(" ") === word);
  return span.role === "wish" && !hasMarks && !isSpelledSo && lexicon.inNames(word) > 0;
}

/** What is known of each word by its position. */
interface LabelledWords {
  readonly tokens: readonly Token[];
  readonly vocabulary: Vocabulary;
  readonly spanAt: (index: number) => Span | undefined;
  readonly fillerAt: (index: number) => Filler;
  readonly relationAt: (index: number, span?: Span) => Relation | undefined;
  /** A word that belongs to a name for all that is known. */
  readonly isOfRun: (index: number) => boolean;
  /** A word that may belong to a name beside it. */
  readonly mayBeOfRun: (index: number) => boolean;
}

function toLabelledWords(
  tokens: readonly Token[],
  spans: readonly Span[],
  known: { readonly vocabulary: Vocabulary; readonly lexicon: Lexicon },
): LabelledWords {
  const spanAt = (index: number): Span | undefined =>
    spans.find(({ start, end }) => start <= index && index < end);
  const fillerAt = (index: number): Filler => fillerOf(tokens, index, known);
  const findRelation = (index: number, span?: Span): Relation | undefined =>
    relationAt(tokens, index, span, known.vocabulary);
  const isFree = (index: number): boolean =>
    index >= 0 && index < tokens.length && !spanAt(index) && !findRelation(index);
  return {
    tokens,
    vocabulary: known.vocabulary,
    spanAt,
    fillerAt,
    relationAt: findRelation,
    isOfRun: (index) => isFree(index) && fillerAt(index) === "no",
    mayBeOfRun: (index) => isFree(index) && fillerAt(index) === "maybe",
  };
}

/** Divides the words into units from the first to the last, and says which of them are filler. */
function readUnits(words: LabelledWords): {
  readonly units: readonly Unit[];
  readonly filler: readonly number[];
} {
  const { tokens, spanAt, fillerAt } = words;
  const units: Unit[] = [];
  const filler: number[] = [];
  let relation: Unit["relation"] = "none";
  const add = (unit: Pick<Unit, "role" | "start" | "end" | "span">): void => {
    units.push({ ...unit, relation, isBeforeHas: false, wide: widen(unit, units, words) });
    relation = "none";
  };
  for (let at = 0; at < tokens.length;) {
    const span = spanAt(at);
    const before = words.relationAt(at, span);
    const last = units.at(-1);
    if (before) {
      // "nguyen trai street": the word behind says that it is a street, as one before does.
      if (before.isBehind && last?.end === at) units[units.length - 1] = { ...last, relation: "in" };
      else relation = before.relation;
      filler.push(...range(at, before.end));
      at = before.end;
    } else if (span && span.role !== "kind" && span.role !== "area") {
      filler.push(...range(at, span.end));
      // "gần 24/7" is no place on the map.
      relation = "none";
      if (span.role === "wish") add({ role: "wish", start: at, end: span.end });
      at = span.end;
    } else if (span) {
      add({ role: span.role === "kind" ? "kind" : "area", start: at, end: span.end, span });
      at = span.end;
    } else if (fillerAt(at) !== "no") {
      filler.push(at);
      if (isHas(tokens[at]!, words.vocabulary)) {
        if (last) units[units.length - 1] = { ...last, isBeforeHas: true };
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

/** The end of the words that belong to a name from `start` on: filler may stand between them, and not at the end. */
function endOfRun(start: number, { isOfRun, mayBeOfRun }: LabelledWords): number {
  let end = start + 1;
  for (let next = end; isOfRun(next) || mayBeOfRun(next); next += 1) if (isOfRun(next)) end = next + 1;
  return end;
}

/** A run with the words on both sides that may belong to it, as far as the unit before it. */
function widen(
  { role, start, end }: Pick<Unit, "role" | "start" | "end">,
  before: readonly Unit[],
  { mayBeOfRun }: LabelledWords,
): Unit["wide"] {
  const wide = { start, end };
  if (role !== "run") return wide;
  while (mayBeOfRun(wide.start - 1) && !before.some((other) => other.end >= wide.start)) wide.start -= 1;
  while (mayBeOfRun(wide.end)) wide.end += 1;
  return wide;
}

/** Beside a longer kind, such a word is filler or part of a name; not where the longer one says what to be near: "ks gần sân bay". */
function withoutShortKinds(
  spans: readonly Span[],
  tokens: readonly Token[],
  vocabulary: Vocabulary,
): readonly Span[] {
  const isShort = ({ start, end }: Span): boolean =>
    end - start === 1 && !tokens[start]!.hasMarks && tokens[start]!.word.length <= READING.lettersOfShortKind;
  const isLandmark = ({ start }: Span): boolean =>
    range(Math.max(0, start - READING.wordsOfRelation), start).some((at) => {
      const before = relationAt(tokens, at, undefined, vocabulary);
      return before?.relation === "near" && before.end === start;
    });
  const hasLonger = spans.some((span) => span.role === "kind" && !isShort(span) && !isLandmark(span));
  return hasLonger ? spans.filter((span) => span.role !== "kind" || !isShort(span)) : spans;
}

/** The bare name of an area behind a word such as "phố", or before "street", is a street, if addresses have its words. */
function withoutStreets(
  spans: readonly Span[],
  tokens: readonly Token[],
  { vocabulary, lexicon }: { readonly vocabulary: Vocabulary; readonly lexicon: Lexicon },
): readonly Span[] {
  return spans.filter((span) => {
    // "đường D2" is no district.
    const isSure = !isPhrase(span) && span.certainty === "marked" && span.end - span.start > 1;
    if (isPhrase(span) || isSure) return true;
    const isBehind = span.end < tokens.length && isStreetBehind(tokens, span.end, vocabulary);
    const isStreet =
      isBehind ||
      (span.start > 0 &&
        !spans.some(({ end }) => end === span.start) &&
        isStreetWord(tokens, span.start - 1, span.start, vocabulary));
    return (
      !isStreet || tokens.slice(span.start, span.end).some(({ word }) => lexicon.inAddresses(word) === 0)
    );
  });
}

/** Whether the words from `start` to `end` say that a street follows. The "phố" of "nhà hát thành phố" does not. */
export const isStreetWord = (
  tokens: readonly Token[],
  start: number,
  end: number,
  vocabulary: Vocabulary,
): boolean =>
  tokens[start]!.word.length > 1 &&
  phrasesAt(tokens, vocabulary, start, end).some(
    ({ role, meaning }) => role === "address" && meaning === "street",
  ) &&
  (start === 0 || !phrasesAt(tokens, vocabulary, start - 1, end).some(({ role }) => role === "area_word"));

/** Whether a word is filler: it surely is none, surely is, or may be part of a name too. */
type Filler = "no" | "maybe" | "surely";

/** "50k": nobody is called like a price. */
const PRICE = /^\d+(?:k|tr|usd|vnd)$/;

/**
 * Words of a closed class. Typed with their marks, a particle is filler for sure; without marks it may be a syllable of a name: "minh"
 * is "mình" and Minh. English ones count in queries without marks only: the "an" of "nhà thuốc an khang" is Vietnamese.
 */
function fillerOf(
  tokens: readonly Token[],
  at: number,
  { vocabulary, lexicon }: { readonly vocabulary: Vocabulary; readonly lexicon: Lexicon },
): Filler {
  const { word, hasMarks } = tokens[at]!;
  if (PRICE.test(word)) return "surely";
  const isMarked = tokens.some((token) => token.hasMarks);
  const found = phrasesAt(tokens, vocabulary, at, at + 1).filter(
    ({ role, language }) => role === "function" && (!isMarked || language === "vi"),
  );
  if (found.length === 0) return "no";
  const isParticle = found.some(({ meaning }) => meaning !== "");
  return isParticle && (hasMarks || lexicon.inNames(word) === 0) ? "surely" : "maybe";
}

/** The "gần" of "gần hồ gươm" does not mean the caller. */
const isRelationOf = (span: Span, units: readonly Unit[]): boolean =>
  units.some(({ start, relation }) => relation === "near" && start === span.end);

/**
 * A word right behind a name belongs to it although it is a kind too, where the query has another kind: the "bánh" of "Huỳnh Văn Bánh";
 * or between a surname and more of the name: the "đình" of "Nguyễn Đình Chiểu".
 */
function joinRuns(units: readonly Unit[], tokens: readonly Token[], vocabulary: Vocabulary): Unit[] {
  const isMiddleName = ({ start, end, relation }: Unit, next: Unit | undefined): boolean =>
    relation === "none" &&
    next?.role === "run" &&
    next.start === end &&
    phrasesAt(tokens, vocabulary, start - 1, start).some(({ role }) => role === "surname");
  const joined: Unit[] = [];
  for (const [at, unit] of units.entries()) {
    const last = joined.at(-1);
    const isNext = last?.role === "run" && unit.start === last.end && unit.relation === "none";
    const isShortKind = unit.role === "kind" && unit.end - unit.start === 1;
    const hasOther = units.some((other) => other !== unit && other.role === "kind");
    const belongs = (): boolean => isShortKind && (hasOther || isMiddleName(unit, units[at + 1]));
    if (isNext && (unit.role === "run" || belongs())) {
      const wide = { start: last.wide.start, end: unit.wide.end };
      joined[joined.length - 1] = { ...last, end: unit.end, wide, isBeforeHas: unit.isBeforeHas };
    } else joined.push(unit);
  }
  return joined;
}

/**
 * "highlands thái hà": behind words that names have and addresses have not, such as those of a brand, two words or more of addresses may
 * be a street; behind a chain, and without a kind, any words that the dataset has may be a place ("cgv vincom").
 */
function splitBehindBrand(
  unit: Unit,
  tokens: readonly Token[],
  { brands, lexicon }: { readonly brands: Vocabulary["brands"] | undefined; readonly lexicon: Lexicon },
): readonly Unit[] {
  const { role, start, end } = unit;
  if (role !== "run") return [unit];
  const isOfBrand = (at: number): boolean => {
    const { word } = tokens[at]!;
    return lexicon.inNames(word) > READING.brandShare * lexicon.inAddresses(word);
  };
  const chain = range(start + 1, end).findLast((at) => brands?.has(lettersOf(tokens, start, at)));
  const cut = chain ?? 1 + (range(start, end).findLast(isOfBrand) ?? end);
  const isOfAddress = (at: number): boolean => lexicon.inAddresses(tokens[at]!.word) > 0;
  const mayBePlace = (at: number): boolean => isOfAddress(at) || lexicon.inNames(tokens[at]!.word) > 0;
  const isPlace = range(cut, end).every(chain === undefined ? isOfAddress : mayBePlace);
  if (cut > end - (chain === undefined ? READING.wordsBehindBrand : 1) || !isPlace) return [unit];
  return [
    { ...unit, end: cut, wide: { start: unit.wide.start, end: cut }, isBeforeHas: false },
    { ...unit, start: cut, wide: { start: cut, end: unit.wide.end }, relation: "none" },
  ];
}

interface Relation {
  readonly relation: "near" | "in";
  readonly end: number;
  /** It follows what it says something about: the "street" of "nguyen trai street". */
  readonly isBehind?: true;
}

/** A word or two such as "gần", "đối diện", "ở" or "đường" that something follows. */
function relationAt(
  tokens: readonly Token[],
  at: number,
  span: Span | undefined,
  vocabulary: Vocabulary,
): Relation | undefined {
  if (span && (span.role === "kind" || span.role === "area" || span.role === "filler" || span.start < at))
    return undefined;
  if (!span && at > 0 && isStreetBehind(tokens, at, vocabulary))
    return { relation: "in", end: at + 1, isBehind: true };
  for (let end = Math.min(at + READING.wordsOfRelation, tokens.length - 1); end > at; end -= 1) {
    if (span && span.role !== "landmark" && span.end !== end) continue;
    const roles = phrasesAt(tokens, vocabulary, at, end);
    // "ở gần" means the caller, and before a name what is near that.
    const isLandmark = (phrases: readonly Phrase[]): boolean =>
      phrases.some(({ role }) => role === "landmark");
    const last = span?.role === "near" ? phrasesAt(tokens, vocabulary, end - 1, end) : [];
    if (isLandmark(roles) || isLandmark(last)) return { relation: "near", end };
    const isIn =
      roles.some(({ role }) => role === "before_area") || isStreetWord(tokens, at, end, vocabulary);
    if (isIn && !span) return { relation: "in", end };
  }
  return undefined;
}

/** English puts the word for a street behind its name. */
const isStreetBehind = (tokens: readonly Token[], at: number, vocabulary: Vocabulary): boolean =>
  phrasesAt(tokens, vocabulary, at, at + 1).some(
    ({ role, meaning, language }) => role === "address" && meaning === "street" && language === "en",
  );

/** Words of a closed class (pronouns, particles, "tìm", "find"): no name consists of them alone. */
export const isFunctionWord = (tokens: readonly Token[], at: number, vocabulary: Vocabulary): boolean =>
  phrasesAt(tokens, vocabulary, at, at + 1).some(({ role }) => role === "function");

const isHas = (token: Token, { phrases }: Vocabulary): boolean =>
  phrases.get(token.word)?.some(({ role, meaning }) => role === "function" && meaning === "has") ?? false;

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
