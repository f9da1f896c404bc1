import { distanceMeters, type Coordinates } from "../../place/coordinates.ts";
import { typesUnder } from "../../place/type-codes.ts";
import { NO_LEXICON, type Lexicon } from "../lexicon.ts";
import type { Vocabulary } from "../vocabulary/vocabulary.ts";
import { findAddress } from "./address.ts";
import { OWN_CITY_METERS, readArea, withoutFarAreas, type AreaSpan } from "./area-spans.ts";
import { readKinds, readWholeKind } from "./kind-reading.ts";
import { locatePlusCode, readPlusCode, readPoint } from "./points.ts";
import {
  hasWishes,
  toReading,
  type AreaReading,
  type KindReading,
  type LandmarkReading,
  type Reading,
  type Wishes,
} from "./reading.ts";
import {
  findSpans,
  isArea,
  isPhrase,
  phrasesAt,
  pick,
  range,
  splitUnspaced,
  type PhraseSpan,
  type Span,
} from "./spans.ts";
import { toTokens, toTypedWords, type Token, type TypedWords } from "./tokens.ts";
import { readWishes } from "./wishes.ts";

/**
 * What a query may mean, read from its words, the vocabulary and the words of the dataset. The words get labels (kind, area, wish,
 * relation, filler, or none), and the ways in which the parts can belong together are the readings. Which of them is right the places
 * decide: all readings are looked up, and one score compares what they find.
 */
export interface QueryReadings {
  readonly text: string;
  /** All words as a name, which any words may be. Always one of `readings`. */
  readonly plain: Reading;
  /** Words that say nothing by themselves: function words, filler, "near me", wishes. */
  readonly light: ReadonlySet<string>;
  /** Likeliest first, as far as the words alone tell. */
  readonly readings: readonly Reading[];
}

/** More readings cost more lookups than they find. */
const MAX_READINGS = 8;

interface ReadOptions {
  readonly near?: Coordinates | undefined;
  readonly lexicon?: Lexicon;
}

/** Reads what a query means. Pure: does not look at places. Takes some ten microseconds. */
export function readQuery(
  text: string,
  vocabulary: Vocabulary,
  { near, lexicon = NO_LEXICON }: ReadOptions = {},
): QueryReadings {
  const typed = toTokens(text);
  const plain = toReading("plain", { name: toTypedWords(typed) });
  const onlyPoint = readPlace(text, vocabulary, near);
  if (onlyPoint) return { text, plain, readings: [onlyPoint, plain], light: NO_WORDS };
  if (typed.length === 0) return { text, plain, readings: [plain], light: NO_WORDS };
  const query = label(takeWordsApart(splitUnspaced(typed, vocabulary), lexicon), {
    vocabulary,
    near,
    lexicon,
  });
  const whole = toReading("plain", { name: toTypedWords(query.tokens) });
  const others = different([...readAddress(query), ...readParts(query), ...readNames(query)]).slice(
    0,
    MAX_READINGS - 1,
  );
  const readings = isOnlyKind(others, whole) ? others : different([...others, whole]);
  return { text, plain: whole, readings, light: new Set(wordsAt(query, query.light)) };
}

/** "cà phê" is a kind, and every other café is called so. */
const isOnlyKind = (readings: readonly Reading[], { name }: Reading): boolean =>
  readings.some(
    ({ kinds, isNear, wishes }) =>
      kinds.length === 1 &&
      !isNear &&
      !hasWishes(wishes) &&
      !kinds[0]!.isMistyped &&
      kinds[0]!.words.join("") === name.joined,
  );

const NO_WORDS: ReadonlySet<string> = new Set();

/** A point or a plus code says everything. */
function readPlace(text: string, vocabulary: Vocabulary, near: Coordinates | undefined): Reading | undefined {
  const point = readPoint(text);
  if (point) return toReading("point", { point });
  const plusCode = readPlusCode(text);
  if (!plusCode) return undefined;
  const area = readArea(findSpans(toTokens(plusCode.rest), vocabulary, near).filter(isArea), [], near);
  const place = locatePlusCode(plusCode.code, area?.centre ?? near);
  return place && toReading("point", { point: place, ...(area && { area }) });
}

/** "bvbachmai" is "bệnh viện bạch mai" where the dataset has no such word and has these. */
function takeWordsApart(tokens: readonly Token[], lexicon: Lexicon): readonly Token[] {
  return tokens.flatMap((token) => {
    const isKnown = lexicon.beginningIn(token.word) + lexicon.inAddresses(token.word) > 0;
    const parts = isKnown || token.hasMarks ? undefined : lexicon.takeApart(token.word);
    return parts ? toTokens(parts.join(" ")) : [token];
  });
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
}

/** Words that belong together: a kind, an area, or words that are neither, such as a name. */
interface Unit {
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
  const spans = withoutShortKinds(withoutFarAreas(findSpans(tokens, vocabulary, near)), tokens);
  const spanAt = (index: number): Span | undefined =>
    spans.find(({ start, end }) => start <= index && index < end);
  const fillerAt = (index: number): Filler => fillerOf(tokens, index, { vocabulary, lexicon });
  /** Whether a word may belong to a name beside it. */
  const mayBeName = (index: number): boolean =>
    index >= 0 &&
    index < tokens.length &&
    !spanAt(index) &&
    fillerAt(index) === "maybe" &&
    !relationAt(tokens, index, undefined, vocabulary);
  const units: Unit[] = [];
  const filler: number[] = [];
  let relation: Unit["relation"] = "none";
  const add = (unit: Pick<Unit, "role" | "start" | "end" | "span">): void => {
    let { start, end } = unit;
    if (unit.role === "run") {
      while (mayBeName(start - 1) && !units.some((other) => other.end >= start)) start -= 1;
      while (mayBeName(end)) end += 1;
    }
    units.push({ ...unit, relation, isBeforeHas: false, wide: { start, end } });
    relation = "none";
  };
  for (let at = 0; at < tokens.length;) {
    const span = spanAt(at);
    const before = relationAt(tokens, at, span, vocabulary);
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
      if (span.role !== "filler") relation = "none";
      if (span.role === "wish") add({ role: "wish", start: at, end: span.end });
      at = span.end;
    } else if (span) {
      const role = span.role === "kind" ? "kind" : "area";
      add({ role, start: at, end: span.end, span });
      at = span.end;
    } else if (fillerAt(at) !== "no") {
      filler.push(at);
      const isRunNext = at + 1 < tokens.length && !spanAt(at + 1) && fillerAt(at + 1) === "no";
      const mayBeOther = !tokens[at]!.hasMarks && isRunNext && last?.role === "run";
      if (last && isHas(tokens[at]!, vocabulary) && !mayBeOther)
        units[units.length - 1] = { ...last, isBeforeHas: true };
      at += 1;
    } else {
      let end = at + 1;
      const isPart = (index: number): boolean =>
        index < tokens.length &&
        !spanAt(index) &&
        fillerAt(index) === "no" &&
        !relationAt(tokens, index, undefined, vocabulary);
      for (let next = end; isPart(next) || mayBeName(next); next += 1) if (isPart(next)) end = next + 1;
      add({ role: "run", start: at, end });
      at = end;
    }
  }
  const isNear = spans.some((span) => span.role === "near" && !isRelationOf(span, units));
  const wishes = readWishes(tokens, spans, vocabulary);
  const light = filler.filter((at) => spanAt(at) !== undefined || fillerAt(at) === "surely");
  return {
    light,
    tokens,
    vocabulary,
    near,
    spans,
    units: joinRuns(units),
    wishes,
    isNear,
    filler,
    lexicon,
  };
}

/** A word of so few letters without marks means too much else: "cho" is "chỗ" and "cho" before it is "chợ". */
const LETTERS_OF_SHORT_KIND = 3;

/** Beside a longer kind, such a word is filler or part of a name. */
function withoutShortKinds(spans: readonly Span[], tokens: readonly Token[]): readonly Span[] {
  const isShort = ({ start, end }: Span): boolean =>
    end - start === 1 && !tokens[start]!.hasMarks && tokens[start]!.word.length <= LETTERS_OF_SHORT_KIND;
  const hasLonger = spans.some((span) => span.role === "kind" && !isShort(span));
  return hasLonger ? spans.filter((span) => span.role !== "kind" || !isShort(span)) : spans;
}

/** Whether a word is filler: it surely is none, surely is, or may be part of a name too. */
type Filler = "no" | "maybe" | "surely";

/** A word that so few names have is none of a name. */
const PLACES_OF_NAME_WORD = 3;
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
  return isParticle && (hasMarks || lexicon.inNames(word) < PLACES_OF_NAME_WORD) ? "surely" : "maybe";
}

/** The "gần" of "gần hồ gươm" does not mean the caller. */
const isRelationOf = (span: Span, units: readonly Unit[]): boolean =>
  isPhrase(span) &&
  span.phrases.some(({ role }) => role === "landmark") &&
  units.some(({ start, relation }) => relation === "near" && start >= span.end);

/**
 * A word right behind a name belongs to it although it is a kind too, where the query has another kind: the "bánh" of "Huỳnh Văn Bánh".
 */
function joinRuns(units: readonly Unit[]): Unit[] {
  const joined: Unit[] = [];
  for (const unit of units) {
    const last = joined.at(-1);
    const isNext = last?.role === "run" && unit.start === last.end && unit.relation === "none";
    const isShortKind = unit.role === "kind" && unit.end - unit.start === 1;
    const hasOther = units.some((other) => other !== unit && other.role === "kind");
    if (isNext && (unit.role === "run" || (isShortKind && hasOther))) {
      const wide = { start: last.wide.start, end: unit.wide.end };
      joined[joined.length - 1] = { ...last, end: unit.end, wide, isBeforeHas: unit.isBeforeHas };
    } else joined.push(unit);
  }
  return joined;
}

interface Relation {
  readonly relation: "near" | "in";
  readonly end: number;
  /** It follows what it says something about: the "street" of "nguyen trai street". */
  readonly isBehind?: true;
}

const LONGEST_RELATION = 3;

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
  for (let end = Math.min(at + LONGEST_RELATION, tokens.length - 1); end > at; end -= 1) {
    if (span && span.role !== "landmark" && span.end !== end) continue;
    const roles = phrasesAt(tokens, vocabulary, at, end);
    if (roles.some(({ role }) => role === "landmark")) return { relation: "near", end };
    // The "phố" of "nhà hát thành phố" is no street.
    const isInPhrase =
      at > 0 && phrasesAt(tokens, vocabulary, at - 1, end).some(({ role }) => role === "area_word");
    const isIn = roles.some(
      ({ role, meaning }) =>
        role === "before_area" ||
        (role === "address" && meaning === "street" && tokens[at]!.word.length > 1 && !isInPhrase),
    );
    if (isIn && !span) return { relation: "in", end };
  }
  return undefined;
}

/** English puts the word for a street behind its name. */
const isStreetBehind = (tokens: readonly Token[], at: number, vocabulary: Vocabulary): boolean =>
  tokens[at]!.word.length > 1 &&
  phrasesAt(tokens, vocabulary, at, at + 1).some(
    ({ role, meaning, language }) => role === "address" && meaning === "street" && language === "en",
  );

/** Words of a closed class (pronouns, particles, "tìm", "find"): no name consists of them alone. */
export const isFunctionWord = (tokens: readonly Token[], at: number, vocabulary: Vocabulary): boolean =>
  phrasesAt(tokens, vocabulary, at, at + 1).some(({ role }) => role === "function");

const isHas = (token: Token, { phrases }: Vocabulary): boolean =>
  phrases.get(token.word)?.some(({ role, meaning }) => role === "function" && meaning === "has") ?? false;

/** The address in a query, with the name before it and the areas after it. */
function readAddress({ tokens, vocabulary, near, spans, wishes, units, lexicon }: LabelledQuery): Reading[] {
  const found = findAddress(tokens, spans, vocabulary);
  if (found === undefined) return [];
  const isStreet = found.address.street.words.some(
    (word) => lexicon.inAddresses(word) + lexicon.inNames(word) > 0,
  );
  const isBesideKind = units.some(({ role, end }) => role === "kind" && end <= found.start);
  const inStreet = range(found.start, found.end).filter((at) =>
    found.address.street.words.includes(tokens[at]!.word),
  );
  const isCity = spans.some(
    (span) =>
      isArea(span) &&
      span.areas[0]?.level === "province" &&
      inStreet.every((at) => span.start <= at && at < span.end),
  );
  const isFiller = inStreet.every(
    (at) =>
      isFunctionWord(tokens, at, vocabulary) ||
      vocabulary.heads.has(tokens[at]!.word) ||
      phrasesAt(tokens, vocabulary, at, at + 1).some(({ role }) => role === "area_word"),
  );
  if (!isStreet || isCity || isFiller || (isBesideKind && found.address.number === undefined)) return [];
  const outside = spans.filter(({ start, end }) => end <= found.start || start >= found.end);
  const area = readArea(outside.filter(isArea), tokens, near);
  const before = range(0, found.start).filter(
    (index) =>
      !isFunctionWord(tokens, index, vocabulary) &&
      !outside.some(({ start, end, role }) => role !== "kind" && start <= index && index < end),
  );
  const name = toTypedWords(pick(tokens, before));
  return [toReading("address", { name, address: found.address, wishes, ...(area && { area }) })];
}

/** Kinds, areas and wishes, each with the words beside them as name, as landmark and as words that nobody needs. */
function readParts(query: LabelledQuery): Reading[] {
  const { units, wishes, isNear } = query;
  const landmarks = findLandmarks(query);
  const areaUnits = units.filter(({ role }) => role === "area");
  const all = [...landmarks, undefined].flatMap((landmark) => {
    const others = units.filter((unit) => !landmark?.units.includes(unit));
    const ofOthers = readKinds(query, spansOf(landmark ? others : withoutSaid(units, landmarks), "kind"));
    const kinds = ofOthers.length > 0 ? ofOthers : readKinds(query, spansOf(others, "kind"));
    const runs = others.filter(({ role }) => role === "run");
    const area = areaOf(query, others);
    const ofLandmarks = landmark
      ? []
      : units
          .filter(({ role }) => role !== "run")
          .filter((unit) => !withoutSaid(units, landmarks).includes(unit));
    const base = {
      wishes,
      isNear: isNear || (landmark !== undefined && landmark.words.joined === ""),
      filler: wordsAt(query, query.filler),
      ...(area && { area }),
      ...(landmark && landmark.words.joined !== "" && { landmark: landmark.words }),
    };
    const left = wordsOf(query, runs);
    if (kinds.length > 0)
      return kindReadings({ query, others, kinds, left, notFound: wordsOf(query, ofLandmarks).words, base });
    if (left.words.length > 0)
      return landmark || areaUnits.length > 0 ? [toReading("name", { ...base, name: left })] : [];
    if (landmark || area === undefined) return [];
    return [toReading("area", base)];
  });
  const isKindless = units.every(({ role }) => role === "wish" || role === "run");
  if (
    isKindless &&
    (units.every(({ role }) => role === "wish") ? isNear || hasWishes(wishes) : hasWishes(wishes))
  ) {
    const unread = wordsOf(
      query,
      units.filter(({ role }) => role === "run"),
    ).words;
    all.push(
      toReading("wish", { kinds: [EATING], wishes, isNear, filler: wordsAt(query, query.filler), unread }),
    );
  }
  const whole = readWholeKind(query, units);
  const meant = whole.map((kind) =>
    toReading("kind", {
      kinds: [kind],
      wishes,
      isNear,
      filler: wordsAt(query, query.filler),
      ...withArea(areaOf(query, units)),
    }),
  );
  return [...all, ...meant];
}

/** The parts but for those of a landmark that the query says to be one: its kind is not what is looked for. */
const withoutSaid = (units: readonly Unit[], landmarks: readonly Landmark[]): readonly Unit[] =>
  units.filter((unit) => !landmarks.some((one) => one.words.relation !== "none" && one.units.includes(unit)));

/** Where people eat and drink: what a wish without a kind means. */
const EATING: KindReading = {
  codes: (["RESTAURANT", "COFFEE", "TEA_HOUSE", "BAR"] as const).flatMap(typesUnder),
  words: [],
  inNames: [],
  isMistyped: false,
};

const withArea = (area: AreaReading | undefined): { readonly area?: AreaReading } => (area ? { area } : {});

interface KindParts {
  readonly query: LabelledQuery;
  readonly others: readonly Unit[];
  readonly kinds: readonly KindReading[];
  readonly left: TypedWords;
  /** The words of landmarks that this reading leaves out. */
  readonly notFound: readonly string[];
  readonly base: Partial<Reading>;
}

/** A kind alone; with words beside it also those words as part of its name or address, and as a name that holds the kind. */
function kindReadings({ query, others, kinds, left, notFound, base }: KindParts): Reading[] {
  const alone = toReading("kind", { ...base, kinds, unread: [...left.words, ...notFound] });
  if (left.words.length === 0) return [alone];
  const inOrder = others.filter(({ role }) => role === "kind" || role === "run");
  const ofKinds = inOrder.filter(({ role }) => role === "kind");
  const isAny = ofKinds.every(({ start, end }) => end - start === 1);
  const isSaidOfName = isAny && inOrder.some(({ isBeforeHas, role }) => isBeforeHas && role === "run");
  const unread = isSaidOfName ? [] : wordsOf(query, ofKinds).words;
  return [
    toReading("kind", { ...base, kinds: kinds.slice(0, 1), name: left }),
    alone,
    toReading("name", { ...base, name: wordsOf(query, inOrder) }),
    // "trung nguyên có quán nào": the kind says no more of the name.
    toReading("name", { ...base, name: left, unread }),
  ];
}

interface Landmark {
  readonly units: readonly Unit[];
  /** Empty where no name says which: "gần khách sạn mình". */
  readonly words: LandmarkReading;
}

/**
 * The parts of a query that may be a landmark or a street: those behind a word such as "gần" or "ở", those before "có", and words
 * beside a kind. A kind before a name belongs to it ("gần [chợ tân định]"), and so does an area behind a kind ("ga hà nội").
 */
function findLandmarks(query: LabelledQuery): Landmark[] {
  const { units } = query;
  const found = units
    .flatMap((unit, at) => landmarksAt(unit, at, query))
    .filter(({ words }) => !isNumber(words));
  const said = found.filter(({ words }) => words.relation !== "none");
  const some = said.length > 0 ? said : found;
  return some.toSorted((a, b) => strengthOf(b, units) - strengthOf(a, units)).slice(0, MOST_LANDMARKS);
}

/** A bare number is a house or part of a name. */
const isNumber = ({ words }: TypedWords): boolean => words.length === 1 && /^\d+[a-z]?$/.test(words[0]!);

function landmarksAt(unit: Unit, at: number, query: LabelledQuery): Landmark[] {
  const { units } = query;
  const kinds = units.filter(({ role }) => role === "kind");
  const [before, next] = [units[at - 1], units[at + 1]];
  const isSaid = unit.relation !== "none" || isBeforeHas(units, at);
  const isAdjacent = next?.start === unit.end && next.relation === "none";
  if (unit.role === "wish") return [];
  if (unit.role === "kind") {
    // "gần bệnh viện bình dân": a wish behind a kind may be its name.
    const isName = next?.role !== "wish" || (unit.relation === "near" && kinds.length > 1);
    if (next === undefined || !isAdjacent || next.role === "kind" || !isName) {
      // "gần khách sạn mình có nhà hàng hải sản": which hotel does not matter.
      return unit.relation === "near" && kinds.length > 1 && !isAdjacent
        ? [toLandmark(query, [unit], true)]
        : [];
    }
    const isOther = kinds.some((kind) => kind !== unit);
    const isTarget = unit.relation === "none" && !isOther && !isBeforeHas(units, at + 1);
    return (next.role === "run" || unit.relation === "near" || isOther) && !isTarget
      ? variantsOf(query, [unit, next])
      : [];
  }
  // English puts the kind behind the name: "near ben thanh market".
  const withKind =
    isSaid && isAdjacent && next.role === "kind" && kinds.length > 1 ? [toLandmark(query, [unit, next])] : [];
  if (unit.role === "area")
    return [...withKind, ...(isFarArea(unit, query) ? [toLandmark(query, [unit])] : [])];
  const isOfKind =
    before?.role === "kind" && before.end === unit.start && (before.relation !== "none" || kinds.length > 1);
  if (isOfKind) return [];
  const withArea = isSaid && isAdjacent && next.role === "area" ? [toLandmark(query, [unit, next])] : [];
  if (isSaid) return [...withKind, ...variantsOf(query, [unit]), ...withArea];
  const isPossible = kinds.length > 0 && units.length > 1 && isKnown(query, [unit]) && !isFor(unit, query);
  return isPossible ? variantsOf(query, [unit]) : [];
}

/** Behind "cho" and "for" stands who it is for. */
const isFor = ({ start }: Unit, { tokens }: LabelledQuery): boolean =>
  start > 0 && ["cho", "for"].includes(tokens[start - 1]!.marked);

/** The parts of a landmark, and with the words beside it that may belong to its name. */
function variantsOf(query: LabelledQuery, units: readonly Unit[]): Landmark[] {
  const last = units.at(-1)!;
  const wide = { ...last, end: last.wide.end, ...(units.length === 1 && { start: last.wide.start }) };
  const isWider = wide.end !== last.end || wide.start !== last.start;
  const narrow = toLandmark(query, units);
  if (!isWider) return [narrow];
  const wider = toLandmark(query, [...units.slice(0, -1), wide]);
  return [{ ...wider, units }, narrow];
}

const MOST_LANDMARKS = 3;

/** "gần Hai Bà Trưng" in Saigon is a street there rather than a district of Hanoi. */
function isFarArea({ relation, span }: Unit, { near }: LabelledQuery): boolean {
  if (relation === "none" || near === undefined || !span || !isArea(span) || span.certainty === "marked")
    return false;
  return span.areas.every(
    ({ centre, name }) =>
      /^(Quận|Huyện|Phường|Xã)/.test(name) && distanceMeters(centre, near) > OWN_CITY_METERS,
  );
}

/** Whether names or addresses of the dataset have every word of these parts. */
const isKnown = ({ tokens, lexicon }: LabelledQuery, units: readonly Unit[]): boolean =>
  units.every(({ start, end }) =>
    tokens
      .slice(start, end)
      .every(({ word }) => lexicon.inNames(word) + lexicon.inAddresses(word) > 0 || /\d/.test(word)),
  );

/** "chợ bến thành có atm": something is there. */
const isBeforeHas = (units: readonly Unit[], at: number): boolean =>
  units[at]?.isBeforeHas === true && units.slice(at + 1).some(({ role }) => role === "kind");

const strengthOf = ({ units: [first, second] }: Landmark, units: readonly Unit[]): number => {
  if (first === undefined) return 0;
  const last = second ?? first;
  if (first.relation === "near") return 4;
  if (isBeforeHas(units, units.indexOf(last))) return 3;
  if (first.relation === "in") return 2;
  return 1;
};

function relationOf({ units: all }: LabelledQuery, units: readonly Unit[]): LandmarkReading["relation"] {
  const said = units.find(({ relation }) => relation !== "none")?.relation;
  const last = all.findIndex(({ wide }) => wide.end >= (units.at(-1)?.end ?? 0));
  return said ?? (isBeforeHas(all, last) ? "has" : "none");
}

const toLandmark = (query: LabelledQuery, units: readonly Unit[], isAny = false): Landmark => ({
  units,
  words: {
    ...(isAny ? toTypedWords([]) : wordsOf(query, units)),
    hasKind: units[0]?.role === "kind",
    relation: relationOf(query, units),
  },
});

/**
 * Some of the words as a name: without function words, relations, wishes and areas; with the function words between and before them,
 * as in "The Coffee House"; and abbreviations in full.
 */
function readNames(query: LabelledQuery): Reading[] {
  const { units, tokens, wishes, isNear, vocabulary, lexicon } = query;
  const named = units.filter(({ role }) => role === "kind" || role === "run");
  const [first, last] = [named[0], named.at(-1)];
  if (!first || !last) return [];
  const base = { wishes, isNear, filler: wordsAt(query, query.filler), ...withArea(areaOf(query, units)) };
  const core = wordsOf(query, named);
  const isInRow = named.every(({ relation }, at) => at === 0 || relation === "none");
  const isArticle =
    first.start > 0 &&
    query.filler.includes(first.start - 1) &&
    !query.spans.some(({ end }) => end === first.start);
  const starts = new Set([first.start, first.wide.start, ...(isArticle ? [first.start - 1] : [])]);
  const rows = isInRow
    ? [...starts].flatMap((start) =>
        [...new Set([last.end, last.wide.end])].map((end) => toTypedWords(tokens.slice(start, end))),
      )
    : [];
  const end = endOfName(query);
  const variants = [core, ...rows, ...(end > 0 ? [toTypedWords(tokens.slice(0, end))] : [])];
  const isKindOnly = named.every(({ role }) => role === "kind");
  const readings = variants
    .filter(
      ({ words }) =>
        words.length < tokens.length &&
        words.every(
          (word) =>
            lexicon.inNames(word) > 0 ||
            lexicon.inAddresses(word) > 0 ||
            lexicon.alike(word).length > 0 ||
            lexicon.beginningIn(word) > 0,
        ),
    )
    .filter(({ joined }) => !isKindOnly || joined !== core.joined)
    .map((name) =>
      toReading("name", { ...base, name, dropped: droppedBy(name, query, first.start, last.end) }),
    );
  return [...readings, ...namesInFull(core, vocabulary).map((name) => toReading("name", { ...base, name }))];
}

/** In so short a query, a word at the edge is rather part of a name than filler. */
const FEW_WORDS = 3;

/** How many words from the first to the last part of a name it leaves out. Those typed with marks are filler for sure. */
function droppedBy(
  { words }: TypedWords,
  { tokens, filler }: LabelledQuery,
  start: number,
  end: number,
): number {
  const isShort = tokens.length <= FEW_WORDS;
  const within = filler.filter((at) => !tokens[at]!.hasMarks && (isShort || (start < at && at < end)));
  return within.filter((at) => !words.includes(tokens[at]!.word)).length;
}

/** Where all words before the areas at the end of a query end: a name may hold function words ("The Coffee House quận 3"). */
function endOfName({ units, tokens, vocabulary }: LabelledQuery): number {
  const areas = units.filter(({ role }) => role === "area");
  const first = areas.find((unit) =>
    units.every((other) => other.start < unit.start || other.role === "area"),
  );
  if (first === undefined) return 0;
  const isBefore = (length: number): boolean =>
    length < first.start &&
    phrasesAt(tokens, vocabulary, first.start - length, first.start).some(
      ({ role }) => role === "before_area" || role === "landmark",
    );
  return first.start - ([3, 2, 1].find(isBefore) ?? 0);
}

/** A name begins with what is abbreviated, or with one generic word: "nt long châu", "trường th kim đồng". */
const MOST_WORDS_BEFORE_SHORT_FORM = 1;

/** The name with the words that its abbreviation may stand for: "nh" may be "nhà hàng" or "ngân hàng". */
function namesInFull(name: TypedWords, { shortForms }: Vocabulary): TypedWords[] {
  const at = name.words.findIndex((word) => shortForms.has(word));
  if (at < 0 || at > MOST_WORDS_BEFORE_SHORT_FORM || name.words.length < at + 2) return [];
  return shortForms.get(name.words[at]!)!.map((long) => {
    const words = name.words.toSpliced(at, 1, ...long.words);
    const markedWords = name.markedWords.length > 0 ? name.markedWords.toSpliced(at, 1, ...long.marked) : [];
    return { words, joined: words.join(""), markedWords };
  });
}

const spansOf = (units: readonly Unit[], role: Unit["role"]): PhraseSpan[] =>
  units.flatMap((unit) => (unit.role === role && unit.span && isPhrase(unit.span) ? [unit.span] : []));

const areaOf = (query: LabelledQuery, units: readonly Unit[]): AreaReading | undefined =>
  readArea(
    units.flatMap(({ span }): AreaSpan[] => (span && isArea(span) ? [span] : [])),
    query.tokens,
    query.near,
  );

const wordsOf = ({ tokens }: LabelledQuery, units: readonly Unit[]): TypedWords =>
  toTypedWords(
    pick(
      tokens,
      units.flatMap(({ start, end }) => range(start, end)),
    ),
  );

const wordsAt = ({ tokens }: LabelledQuery, indexes: readonly number[]): string[] =>
  pick(tokens, indexes).map(({ word }) => word);

/** Each reading once: those that look up and compare the same are the same. */
function different(readings: readonly Reading[]): Reading[] {
  const seen = new Set<string>();
  return readings.filter((reading) => {
    const { form, name, kinds, wishes, area, address, landmark, isNear } = reading;
    const key = JSON.stringify([
      form === "plain" ? "name" : form,
      name.words,
      kinds.map(({ words, codes }) => [words, codes[0]]),
      wishes,
      area?.areas[0]?.id,
      address && [address.number, address.alleys, address.street.joined],
      landmark?.joined,
      isNear,
    ]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
