import { designationOf } from "../../place/geometry/areas.ts";
import { isOwn } from "./area-spans.ts";
import { isOtherKind, kindsOf, mayBeSentence, wordsOf, type LabelledQuery, type Unit } from "./labels.ts";
import type { LandmarkReading } from "./reading.ts";
import { isHead } from "./relations.ts";
import { isArea, type Span } from "./spans.ts";
import { hasStop, range, toFoldedWords, type TypedWords } from "./tokens.ts";
import { READING } from "../numbers.ts";

/** Parts of a query that may be a place or a street to search near. */
export interface Landmark {
  readonly units: readonly Unit[];
  readonly words: LandmarkReading;
  /** Words behind it, such as "gần đó", refer to it. */
  readonly isReferredTo?: true;
}

/**
 * The parts of a query that may be a landmark or a street: those behind a word such as "gần" or "ở", those before "có", and words
 * beside a kind. A kind before a name belongs to it ("gần [chợ tân định]"), and so does an area behind a kind ("ga hà nội").
 */
export function findLandmarks(query: LabelledQuery): Landmark[] {
  const { units } = query;
  const found = units
    .flatMap((unit, at) => referredTo(unit, at, query) ?? landmarksAt(unit, at, query))
    .concat(whereThere(query))
    .filter(({ words }) => !isNumber(words));
  const said = found.filter(({ words }) => words.relation !== "none");
  return said.length > 0 ? said : found;
}

/** The parts but for those of a landmark that the query says to be one: its kind is not what is looked for. */
export const withoutSaid = (units: readonly Unit[], landmarks: readonly Landmark[]): readonly Unit[] =>
  units.filter((unit) => !landmarks.some((one) => one.words.relation !== "none" && one.units.includes(unit)));

/**
 * The same landmark with words left out at its end, the longest first: where a name ends, the places know ("gần ga sài gòn tôi mới xuống
 * tàu"). Each keeps its kind and a word of its name. None where the kind says where it ends: "near ben thanh market".
 */
export function beginningsOf(landmark: LandmarkReading): LandmarkReading[] {
  const { words, beside, kinds } = landmark;
  const ofKind = words.length - beside.words.length;
  if (words.slice(ofKind).join("") !== beside.joined) return [];
  const least = Math.max(READING.wordsOfLandmark, kinds.length > 0 ? ofKind + 1 : 0);
  return range(least, words.length)
    .toReversed()
    .map((length) => ({
      ...landmark,
      ...firstWords(landmark, length),
      beside: firstWords(beside, length - ofKind),
    }));
}

const firstWords = ({ words, markedWords }: TypedWords, length: number): TypedWords => ({
  ...toFoldedWords(words.slice(0, length)),
  markedWords: markedWords.slice(0, length),
});

/** A bare number is a house or part of a name. */
const isNumber = ({ words }: TypedWords): boolean => words.length === 1 && /^\d+[a-z]?$/.test(words[0]!);

function landmarksAt(unit: Unit, at: number, query: LabelledQuery): Landmark[] {
  const { units } = query;
  const kinds = units.filter(({ role }) => role === "kind");
  const [before, next] = [units[at - 1], units[at + 1]];
  const isSaid = unit.relation !== "none" || isBeforeHas(units, at);
  const isBehind = (end: number): boolean =>
    next?.start === end && next.relation === "none" && !hasStop(query.tokens, end, end);
  const isAdjacent = next !== undefined && isBehind(unit.end);
  if (unit.role === "wish") return [];
  if (unit.role === "kind") {
    // "lotteria chợ bến thành" asks for the chain.
    const hasChain = units.some((other) => other.chain && other !== next);
    if (next === undefined || !isAdjacent || next.role === "kind" || next.role === "wish") {
      // "gần khách sạn mình có nhà hàng hải sản", "vietcombank gần bệnh viện": the nearest hotel or hospital.
      const isOther = kinds.length > 1 || (before?.role === "run" && isKnown(query, [before]));
      // Where a query begins with "gần", what it asks for comes behind the landmark: "xung quanh bảo tàng có gì ăn".
      const isFirst = at === 0 && next !== undefined && !isHead(next, query);
      const isNearKind = unit.relation === "near" && (!isAdjacent || isFirst) && !isHead(unit, query);
      return isOther && isNearKind ? [toLandmark(query, [unit])] : [];
    }
    // "cấp cứu bệnh viện từ dũ" asks for the hospital, "cà phê bệnh viện từ dũ" for what is near it.
    const codes = kindsOf(query, [unit]).flatMap((kind) => kind.codes);
    const isOnlyKind = !kinds.some((other) => isOtherKind(query, other, codes));
    const isTarget = unit.relation === "none" && isOnlyKind && !hasChain;
    return isTarget ? [] : variantsOf(query, [unit, next]);
  }
  // English puts the kind behind the name: "near ben thanh market".
  const wide = { ...unit, end: unit.wide.end };
  const withKind =
    isSaid && next?.role === "kind" && isBehind(wide.end)
      ? [{ ...toLandmark(query, [wide, next]), units: [unit, next] }]
      : [];
  if (unit.role === "area")
    return [...withKind, ...(mayBeStreet(unit, query) ? [toLandmark(query, [unit])] : [])];
  const isOfKind =
    before?.role === "kind" && before.end === unit.start && (before.relation !== "none" || kinds.length > 1);
  // The first chain is asked for: "circle k chợ bến thành". Behind another kind it may be a street: "nhà thuốc nguyễn kim".
  const isTarget =
    !isSaid &&
    unit.chain &&
    unit === units.find(({ chain }) => chain) &&
    !units.slice(0, at).some((one) => isOtherKind(query, one, unit.chain!));
  if (isOfKind || isTarget) return [];
  const withArea = isSaid && isAdjacent && next.role === "area" ? [toLandmark(query, [unit, next])] : [];
  if (isSaid) return [...withKind, ...variantsOf(query, [unit]), ...withArea];
  const isBehindName = before?.role === "run" && before.end === unit.start;
  const isBeforeName = isAdjacent && next.role === "run";
  const isBeside = (kinds.length > 0 && !isBeforeName) || isBehindName;
  // One word of a sentence says nothing of a place: the "kim" of "kim xăng chỉ vạch đỏ".
  const { light } = query;
  const words = range(unit.wide.start, unit.wide.end).filter((word) => !light.includes(word));
  const isWord = words.length === 1 && light.length > 0 && mayBeSentence(query);
  const isPossible = isBeside && !isWord && isKnown(query, [unit]) && !isFor(unit, query);
  return isPossible ? variantsOf(query, [unit]) : [];
}

/** The landmark that was named before in full: "xem chợ hoa quảng bá về, quanh [chợ] có cà phê không". */
function referredTo(unit: Unit, at: number, query: LabelledQuery): Landmark[] | undefined {
  const { units } = query;
  if (unit.relation !== "near") return undefined;
  const said = wordsOf(query, [unit]).words;
  const isSame = (one: Unit): boolean => {
    const { words } = wordsOf(query, [one]);
    return said.every((word, index) => words[index] === word);
  };
  const before = units.findLastIndex(
    (one, index) => index < at && isSame(one) && nameAt(index, query) !== undefined,
  );
  return before < 0 ? undefined : near(nameAt(before, query)!, [unit], query);
}

/** The place that was named last, with its kind, before words such as "gần đó": "bến xe miền đông, [gần đó] có phòng trọ không". */
function whereThere(query: LabelledQuery): Landmark[] {
  const { units, spans } = query;
  return spans.filter(isThere).flatMap(({ start }) => {
    const before = units.findLastIndex(
      (one, index) => one.end <= start && nameAt(index, query) !== undefined,
    );
    return before < 0 ? [] : near(nameAt(before, query)!, [], query);
  });
}

const isThere = (span: Span): boolean =>
  span.role === "filler" && "phrases" in span && span.phrases.some(({ meaning }) => meaning === "there");

/** The units of the name whose last kind is one of them: with what follows, and the kinds right before it ("bệnh viện chợ rẫy"). */
function nameAt(at: number, { units, tokens }: LabelledQuery): readonly Unit[] | undefined {
  const isBehind = (one: Unit | undefined, other: Unit | undefined): boolean =>
    one !== undefined &&
    other?.start === one.end &&
    other.relation === "none" &&
    !hasStop(tokens, other.start, other.start);
  const [unit, next] = [units[at]!, units[at + 1]];
  if (unit.kind) return [unit];
  const isName = next?.role === "run" || next?.role === "area";
  if (unit.role !== "kind" || !isName || !isBehind(unit, next)) return undefined;
  let first = at;
  while (units[first - 1]?.role === "kind" && isBehind(units[first - 1], units[first])) first -= 1;
  return units.slice(first, at + 2);
}

/** The landmark of a name that was said before. Words right behind the name may belong to it, those before it do not. */
function near(named: readonly Unit[], others: readonly Unit[], query: LabelledQuery): Landmark[] {
  const [first, ...rest] = named as readonly [Unit, ...Unit[]];
  const begin = { ...first, wide: { ...first.wide, start: first.start } };
  return variantsOf(query, [begin, ...rest]).map(({ words }) => ({
    units: [...named, ...others],
    words: { ...words, relation: "near" },
    isReferredTo: true,
  }));
}

/** Behind "cho" and "for" stands who it is for; without marks, "cho" may be "chợ". */
function isFor({ start }: Unit, { tokens }: LabelledQuery): boolean {
  const before = tokens[start - 1]?.marked;
  return before === "for" || (before === "cho" && tokens.some(({ hasMarks }) => hasMarks));
}

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

/** Beside a kind the bare name of a ward may be a street; so may "hai bà trưng" in Saigon, a district of Hanoi, beside anything. */
function mayBeStreet({ span, relation, start, end }: Unit, { near, units }: LabelledQuery): boolean {
  const isSure = !span || !isArea(span) || span.certainty === "marked";
  if (isSure || near === undefined) return false;
  const isElsewhere = span.areas.every(
    (area) => designationOf(area.name)?.isStreetLike && !isOwn(area, near),
  );
  const isBesideKind =
    relation === "none" && end - start > 1 && units.some(({ role, chain }) => role === "kind" || chain);
  return isElsewhere || (span.certainty === "weak" && isBesideKind);
}

/** Whether names or addresses of the dataset have every word of these parts, one of them perhaps with a typo. */
function isKnown({ tokens, lexicon }: LabelledQuery, units: readonly Unit[]): boolean {
  const unknown = units
    .flatMap(({ start, end }) => tokens.slice(start, end))
    .filter(({ word }) => lexicon.inNames(word) + lexicon.inAddresses(word) === 0 && !/\d/.test(word));
  return unknown.length === 0 || (unknown.length === 1 && lexicon.oneTypoAway(unknown[0]!.word).length > 0);
}

/** "chợ bến thành có atm": something is there. */
const isBeforeHas = (units: readonly Unit[], at: number): boolean =>
  units[at]?.isBeforeHas === true && units.slice(at + 1).some(({ role }) => role === "kind");

function relationOf({ units: all }: LabelledQuery, units: readonly Unit[]): LandmarkReading["relation"] {
  const said = units.find(({ relation }) => relation !== "none")?.relation;
  const last = all.findIndex(({ wide }) => wide.end >= (units.at(-1)?.end ?? 0));
  return said ?? (isBeforeHas(all, last) ? "has" : "none");
}

function toLandmark(query: LabelledQuery, units: readonly Unit[]): Landmark {
  const [first, ...others] = units as readonly [Unit, ...Unit[]];
  const last = units.at(-1)!;
  const behind = first !== last && last.role === "kind" ? last : undefined;
  const kind = behind ?? first.kind ?? (first.role === "kind" ? first : undefined);
  return {
    units,
    words: {
      ...wordsOf(query, units),
      kinds: kind ? kindsOf(query, [kind]) : [],
      beside: behind
        ? wordsOf(query, units.slice(0, -1))
        : wordsOf(query, [{ ...first, start: kind?.end ?? first.start }, ...others]),
      relation: relationOf(query, units),
    },
  };
}
