import { designationOf, DESIGNATIONS, isInArea, type Area } from "../../place/geometry/areas.ts";
import { distanceMeters, type Coordinates } from "../../place/geometry/coordinates.ts";
import type { AreaName, Vocabulary } from "../vocabulary/vocabulary.ts";
import type { AreaReading } from "./reading.ts";
import { agreement, lettersOf, type Asked, type Token, type WordRange } from "./tokens.ts";
import { AREAS } from "../numbers.ts";

/** Words of a query that name an area. */
export interface AreaSpan extends WordRange {
  /** All areas that the words may mean, likeliest first. */
  readonly areas: readonly Area[];
  /** `marked`: a word such as "quận" proves it. `weak`: the bare name of a ward, which is often that of a street or a person too. */
  readonly certainty: "marked" | "strong" | "weak";
}

/** Large ones first. */
export const AREA_LEVELS: readonly Area["level"][] = ["province", "district", "neighbourhood", "ward"];

/** All spans of a query that may name areas; they may overlap. */
export function findAreaSpans(asked: Asked): AreaSpan[] {
  const { tokens } = asked;
  const spans: AreaSpan[] = [];
  for (let start = 0; start < tokens.length; start++) {
    spans.push(...fusedSpans(asked, start));
    for (let end = start + 1; end <= Math.min(tokens.length, start + AREAS.wordsOfName); end++) {
      // "xa dan, phuong kim lien" is not Xã Đan Phượng.
      if (end > start + 1 && tokens[end - 1]!.gap.includes(",")) break;
      const named = { start, end, names: namesAt(asked, start, end) };
      if (named.names.length > 0) spans.push(...bareSpans(asked, named), ...designatedSpans(asked, named));
    }
    spans.push(...initialSpans(asked, start));
  }
  return spans;
}

/** The areas that words name, likeliest first: "Bình Thạnh", "quận 3", "q1", "sài gòn". None where they hold more than one name. */
export function findAreas(
  tokens: readonly Token[],
  vocabulary: Vocabulary,
  near: Coordinates | undefined,
): readonly Area[] {
  const whole = findAreaSpans({ tokens, vocabulary, near }).filter(
    ({ start, end }) => start === 0 && end === tokens.length,
  );
  return whole.find(({ certainty }) => certainty === "marked")?.areas ?? whole[0]?.areas ?? [];
}

interface Named extends WordRange {
  readonly names: readonly AreaName[];
}

function namesAt({ tokens, vocabulary }: Asked, start: number, end: number): readonly AreaName[] {
  const known = vocabulary.areaNames.get(lettersOf(tokens, start, end)) ?? [];
  const isMarked = known.length > 0 && tokens.some((token) => token.hasMarks);
  // Without marks, all of them agree: there are fifty wards of some names.
  if (!isMarked) return known;
  const typed = tokens.slice(start, end);
  return known.filter(({ spelling }) => agreement(typed, spelling.marked, isMarked, vocabulary) !== "none");
}

/** A name alone. A province or a city is recognized everywhere, a district or a ward only for callers near it. */
function bareSpans({ tokens, near }: Asked, { start, end, names }: Named): AreaSpan[] {
  const { length: letters } = lettersOf(tokens, start, end);
  const isWholeName = (name: AreaName): boolean =>
    name.isKnown
      ? letters >= AREAS.lettersAlone || start > 0
      : name.spelling.words.length > 1 || name.area.level === "province";
  const usable = names.filter((name) => isWholeName(name) && !/^\d+$/.test(name.spelling.words.join("")));
  const strong = usable.filter(
    ({ area, isKnown }) => isKnown || area.level === "province" || isTown(area, near),
  );
  const areas = order(strong.length > 0 ? usable : usable.filter(({ area }) => isOwn(area, near)), near);
  if (areas.length === 0) return [];
  // "nguyen hue" is a street and "khach san hue" is not: one short word after another may be either.
  const isShort =
    end - start === 1 && letters < AREAS.lettersSure && start > 0 && !tokens[start]!.gap.includes(",");
  return [{ start, end, areas, certainty: strong.length > 0 && !isShort ? "strong" : "weak" }];
}

/** A district is meant only when the caller is near it; a town or a city district also from far away. */
const isTown = (area: Area, near: Coordinates | undefined): boolean =>
  area.level === "district" && (designationOf(area.name)?.isTown === true || isOwn(area, near));

/** Whether an area belongs to the caller's city. Compares latitudes first: there are fourteen thousand areas. */
export const isOwn = ({ centre }: Area, near: Coordinates | undefined): boolean =>
  near !== undefined &&
  Math.abs(centre.latitude - near.latitude) <= AREAS.ownCityDegrees &&
  distanceMeters(centre, near) <= AREAS.ownCityMeters;

/** "quận 3", "p. bến nghé", "tp hồ chí minh"; "district 1"; "hoan kiem district". */
function designatedSpans(asked: Asked, { start, end, names }: Named): AreaSpan[] {
  const { tokens, near } = asked;
  const before = [1, 2]
    .filter((length) => length <= start)
    .flatMap((length) =>
      markedSpans({ start: start - length, end, names }, levelsOf(asked, start - length, start), near),
    );
  const isBehind = end < tokens.length && tokens[end]!.word.length > 1 && !tokens[end]!.gap.includes(",");
  if (!isBehind) return before;
  const levels = levelsOf(asked, end, end + 1, "en");
  return [...before, ...markedSpans({ start, end: end + 1, names }, levels, near)];
}

/** The span of those areas that have one of the levels, which a word such as "quận" says. */
function markedSpans(
  { start, end, names }: Named,
  levels: ReadonlySet<string>,
  near: Coordinates | undefined,
): AreaSpan[] {
  const fitting = names.filter(({ area }) => levels.has(area.level));
  return fitting.length === 0 ? [] : [{ start, end, areas: order(fitting, near), certainty: "marked" }];
}

/** The levels that words such as "quận" and "tp" stand for. */
function levelsOf(
  { tokens, vocabulary }: Asked,
  start: number,
  end: number,
  onlyLanguage?: string,
): ReadonlySet<string> {
  const typed = tokens.slice(start, end);
  const known = vocabulary.phrases.get(lettersOf(typed)) ?? [];
  const levels = known
    .filter(({ language }) => onlyLanguage === undefined || language === onlyLanguage)
    .filter(
      ({ role, marked }) => role === "area_word" && agreement(typed, marked, false, vocabulary) !== "none",
    )
    .map(({ meaning }) => meaning);
  return new Set(levels);
}

/** The designations with each way in which they are written together with a name. */
const JOINED = DESIGNATIONS.flatMap((one) => (one.joined ?? []).map((word) => ({ ...one, word })));

/** "q1", "p13", "qbt", "qgovap", "tpvinh". */
function fusedSpans({ tokens, vocabulary, near }: Asked, start: number): AreaSpan[] {
  const end = start + 1;
  const letters = tokens[start]!.word;
  const fused = JOINED.find(
    ({ word }) => letters.startsWith(word) && /^(\d{1,2}|[a-z]{2,})$/.test(letters.slice(word.length)),
  );
  if (fused === undefined) return [];
  const { word, level, beforeInitials } = fused;
  const name = letters.slice(word.length);
  const names = vocabulary.areaNames.get(name) ?? [];
  const found = markedSpans({ start, end, names }, new Set([level]), near);
  const isNumber = /^\d/.test(name);
  if (found.length > 0) {
    const isKnown = isNumber || (name.length >= 4 && found[0]!.areas.some((area) => isOwn(area, near)));
    return isKnown ? found : [];
  }
  if (isNumber || word !== beforeInitials) return [];
  const areas = ownDistricts(name, vocabulary, near);
  return areas.length === 0 ? [] : [{ start, end, areas, certainty: "marked" }];
}

/** Such letters are a syllable: the "tu" of "hớt tóc nam hàn mặc tử" is not Tân Uyên. */
const SYLLABLE = /[aeiouy]/;

/** Initials such as "bt" and "gv" of districts in the caller's city: after "q", or as the last of several words. */
function initialSpans(asked: Asked, start: number): AreaSpan[] {
  const { tokens, vocabulary, near } = asked;
  const areas = ownDistricts(tokens[start]!.word, vocabulary, near);
  if (areas.length === 0 || start === 0) return [];
  if (levelsOf(asked, start - 1, start).has("district"))
    return [{ start: start - 1, end: start + 1, areas, certainty: "marked" }];
  const isAlone = start === tokens.length - 1 && !SYLLABLE.test(tokens[start]!.word);
  return isAlone ? [{ start, end: start + 1, areas, certainty: "weak" }] : [];
}

const ownDistricts = (
  letters: string,
  { initials }: Vocabulary,
  near: Coordinates | undefined,
): readonly Area[] => {
  const own = (initials.get(letters) ?? []).filter((area) => isOwn(area, near));
  const urban = own.filter(({ name }) => designationOf(name)?.isUrban);
  return urban.length > 0 ? urban : own;
};

/** Areas in the caller's city first, then larger ones, then nearer ones. */
function order(names: readonly AreaName[], near: Coordinates | undefined): readonly Area[] {
  const rank = ({ area }: AreaName): number =>
    (near !== undefined && (isOwn(area, near) || isInArea(area, near)) ? 0 : AREA_LEVELS.length) +
    AREA_LEVELS.indexOf(area.level);
  const distance = ({ area }: AreaName): number => (near ? distanceMeters(area.centre, near) : 0);
  const sorted = names.toSorted((a, b) => rank(a) - rank(b) || distance(a) - distance(b));
  return sorted.map(({ area }) => area);
}

/** The likeliest area with the same area before or after the reform: those near it with the same name. */
function sameAreas(areas: readonly Area[]): readonly Area[] {
  const first = areas[0]!;
  const isSame = ({ level, valid, centre }: Area): boolean =>
    (level !== first.level || valid !== first.valid) &&
    distanceMeters(centre, first.centre) <= AREAS.sameMeters;
  return areas.filter((area) => area === first || isSame(area));
}

/** The smallest of the named areas that lies in the larger ones: "p1 q3" is ward 1 of district 3. One outside is left out ("p13 q3"). */
export function readArea(spans: readonly AreaSpan[], tokens: readonly Token[]): AreaReading | undefined {
  const heightOf = ({ areas: [first] }: AreaSpan): number =>
    first ? first.bounds.north - first.bounds.south : 0;
  const read: AreaSpan[] = [];
  const within: Area[] = [];
  let chosen: readonly Area[] = [];
  for (const span of spans.toSorted((a, b) => heightOf(b) - heightOf(a))) {
    const inside = insideOf(span.areas, chosen);
    if (inside.length === 0) continue;
    read.push(span);
    if (chosen.length > 0) within.push(chosen[0]!);
    chosen = sameAreas(inside);
  }
  const [area] = chosen;
  if (area === undefined) return undefined;
  const words = spans
    .filter((span) => read.includes(span))
    .flatMap(({ start, end }) => tokens.slice(start, end).map(({ word }) => word));
  const isWeak = read.every(({ certainty }) => certainty === "weak");
  const { name, level, centre } = area;
  return { areas: chosen, name, level, centre, within, words, isWeak };
}

/** The areas that belong to one of the outer areas; where none does, those within its bounds. */
function insideOf(areas: readonly Area[], outers: readonly Area[]): readonly Area[] {
  if (outers.length === 0) return areas;
  const ids = new Set<string | undefined>(outers.map(({ id }) => id));
  const belonging = areas.filter(({ parent }) => ids.has(parent));
  return belonging.length > 0
    ? belonging
    : areas.filter((area) => outers.some((outer) => liesIn(area, outer)));
}

/** Whether an area is part of another. The bounds tell where no parent does: no ward of today has a district of before. */
export function liesIn({ parent, level, valid, centre }: Area, outer: Area): boolean {
  const hasSuchParent = level === "ward" && outer.level === "district" && valid === outer.valid;
  return parent === outer.id || (!hasSuchParent && isInArea(outer, centre));
}
