import { DESIGNATIONS, distinctAreaName, isInArea, type Area } from "../../place/geometry/areas.ts";
import { cellsCovering } from "../../place/geometry/cells.ts";
import { distanceMeters, type Coordinates } from "../../place/geometry/coordinates.ts";
import { typesUnder, type TypeCode } from "../../place/document/type-codes.ts";
import { fold, TONES } from "../../place/text/fold.ts";
import type { Census } from "../../meilisearch/place-index.ts";
import type { AreaName, Phrase, Vocabulary } from "../vocabulary/vocabulary.ts";
import { countTypes } from "../rings.ts";
import { AREA_LEVELS, findAreas, isOwn } from "./area-spans.ts";
import { kindsOf, label } from "./labels.ts";
import { isFunctionWord, isRelationWord } from "./relations.ts";
import type { KindReading } from "./reading.ts";
import { means, phrasesAt, toTokens, toTypedWords, type Asked, type Token } from "./tokens.ts";
import { AREAS, COMPLETIONS, READING } from "../numbers.ts";

/** A kind of place, an area, or a kind in an area that a half-typed query may become. */
export interface Completion {
  readonly kind?: TypeCode;
  readonly area?: Area;
  /** The area that contains `area`. */
  readonly parent?: Area;
  /** The words before the area, as they were typed: "cafe" in "cafe qu". Empty when the completion replaces all. */
  readonly typedBefore: string;
}

/** What completions are chosen by. */
interface Completing {
  readonly vocabulary: Vocabulary;
  readonly near: Coordinates;
  /** Leaves out kinds and areas without places; without it, kinds are not counted and areas are those near the caller. */
  readonly census: Census | undefined;
  readonly limit: number;
}

/** The kinds and areas that the last words of a query may become, likeliest first. */
export function completeQuery(text: string, options: Completing): readonly Completion[] {
  const tokens = toTokens(text);
  const { limit } = options;
  if (tokens.length === 0 || toTypedWords(tokens).joined.length < leastLetters(tokens)) return [];
  const kinds = completeKind(tokens, options);
  const areas = completeArea(tokens, options);
  if (kinds.length + areas.length > 0) return merge(kinds, areas, limit);
  return completeTail(text, tokens, options).slice(0, limit);
}

const leastLetters = (tokens: readonly Token[]): number =>
  tokens.some(({ word }) => /[^\p{Script=Latin}\d]/u.test(word)) ? 1 : COMPLETIONS.letters;

/** Kinds before areas, but both where there are both. */
function merge(
  kinds: readonly Completion[],
  areas: readonly Completion[],
  limit: number,
): readonly Completion[] {
  const kept = kinds.slice(0, Math.max(1, limit - Math.min(areas.length, limit >> 1)));
  return [...kept, ...areas].slice(0, limit);
}

/** "cafe qu", "quán ăn ở q", "tìm tiệm b": the words before are understood, the last ones are being typed. */
function completeTail(text: string, tokens: readonly Token[], options: Completing): readonly Completion[] {
  const { vocabulary } = options;
  for (let at = 1; at < tokens.length; at += 1) {
    const head = tokens.slice(0, at);
    const tail = tokens.slice(at);
    const found = isFiller({ tokens: head, vocabulary })
      ? completeKind(tail, options)
      : heads(head, vocabulary).flatMap((words) => completeInArea(text, { words, tail }, options));
    if (found.length > 0) return found;
  }
  return [];
}

/** The head, and without "ở", "in" or "gần" at its end, which only say that an area follows. */
function heads(head: readonly Token[], vocabulary: Vocabulary): (readonly Token[])[] {
  const shorter = [2, 1].flatMap((length) => {
    const start = head.length - length;
    const isRelation = start > 0 && isRelationWord({ tokens: head, vocabulary }, start, head.length);
    return isRelation ? [head.slice(0, start)] : [];
  });
  return [head, ...shorter.slice(0, 1)];
}

/** A kind, perhaps with wishes, in the areas that the tail may become. */
function completeInArea(
  text: string,
  { words, tail }: { readonly words: readonly Token[]; readonly tail: readonly Token[] },
  options: Completing,
): Completion[] {
  const kind = kindOf(words, options);
  if (kind === undefined) return [];
  const [code] = kind.codes;
  const typedBefore = textOf(text, words);
  return completeArea(tail, options).map((one) => ({ ...one, ...(code && { kind: code }), typedBefore }));
}

const isFiller = (head: Asked): boolean =>
  head.tokens.every((_, at) => isFunctionWord(head, at)) ||
  means(head, 0, head.tokens.length, { role: "filler" });

/** The kind that the words are, perhaps with wishes; none where they are or hold a name or an area. */
function kindOf(head: readonly Token[], { vocabulary, near }: Completing): KindReading | undefined {
  const query = label(head, { vocabulary, near });
  const isMore = query.units.some(({ role }) => role === "run" || role === "area");
  return isMore ? undefined : kindsOf(query, query.units)[0];
}

/** The typed text of the first tokens. */
function textOf(text: string, head: readonly Token[]): string {
  const typed = text.trim().split(/\s+/);
  // Tokens and white space agree, but for marks such as hyphens inside a word.
  return typed.length >= head.length ? typed.slice(0, head.length).join(" ") : text.trim();
}

// --- Kinds ------------------------------------------------------------------------------------------------------------

function completeKind(tokens: readonly Token[], { vocabulary, census, limit }: Completing): Completion[] {
  const { words, joined } = toTypedWords(tokens);
  const best = new Map<TypeCode, number>();
  for (const key of vocabulary.kindKeys.startingWith(joined)) {
    for (const phrase of vocabulary.phrases.get(key) ?? []) {
      // A product says little about its kind: "bánh tráng trộn" is no "quán ăn bình dân".
      if (phrase.role !== "kind" || phrase.isProduct || !agrees(tokens, phrase)) continue;
      const isSpacedAlike = phrase.words.join(" ").startsWith(words.join(" "));
      if (!isSpacedAlike && joined.length < READING.lettersWithoutSpaces) continue;
      for (const code of broadest(phrase.codes)) {
        const places = census ? countTypes(census, typesUnder(code)) : 1;
        if (places === 0) continue;
        const score =
          Math.log1p(places) +
          (key === joined ? COMPLETIONS.wholeWord : 0) +
          (isSpacedAlike ? COMPLETIONS.sameSpaces : 0);
        best.set(code, Math.max(best.get(code) ?? 0, score));
      }
    }
  }
  return [...best]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, limit)
    .map(([kind]) => ({ kind, typedBefore: "" }));
}

/** Those that are under no other of the codes. */
const broadest = (codes: readonly TypeCode[]): TypeCode[] =>
  codes.filter((code) => !codes.some((other) => other !== code && typesUnder(other).includes(code)));

// --- Areas ------------------------------------------------------------------------------------------------------------

/** Larger areas and nearer ones first, own ones before all others; an own one hides those elsewhere. Of namesakes one is enough. */
function completeArea(tokens: readonly Token[], options: Completing): Completion[] {
  const { vocabulary, near, limit } = options;
  const [whole] = findAreas(tokens, vocabulary, near);
  const begun = [...begunAreas(tokens, options)].map((area) => ({
    area,
    isOwn: isAround(area, near),
    meters: distanceMeters(area.centre, near),
  }));
  const shown = begun.some((one) => one.isOwn) ? begun.filter((one) => one.isOwn) : begun;
  const sorted = shown.toSorted((a, b) => compareLevels(a.area, b.area) || a.meters - b.meters);
  const candidates = [...(whole ? [whole] : []), ...sorted.map((one) => one.area)];
  const completions: Completion[] = [];
  for (const candidate of candidates) {
    if (completions.length === limit) break;
    if (completions.some(({ area }) => area && areNamesakes(area, candidate))) continue;
    const [area] = candidates
      .filter((one) => areNamesakes(one, candidate) && hasPlaces(one, options))
      .toSorted((a, b) => compareLevels(a, b) || Number(a.valid === "old") - Number(b.valid === "old"));
    if (area === undefined) continue;
    const parent = vocabulary.areas.get(area.parent ?? "");
    completions.push({ area, ...(parent && { parent }), typedBefore: "" });
  }
  return completions;
}

const compareLevels = (one: Area, other: Area): number =>
  AREA_LEVELS.indexOf(one.level) - AREA_LEVELS.indexOf(other.level);

/** Whether two areas share a name and lie one over the other, as today's ward, the former one, and the former district may. */
const areNamesakes = (one: Area, other: Area): boolean =>
  distinctAreaName(one.name) === distinctAreaName(other.name) &&
  (isInArea(one, other.centre) || isInArea(other, one.centre));

const isAround = (area: Area, near: Coordinates): boolean => isInArea(area, near) || isOwn(area, near);

/** "qu" and "quận b": a designation, half typed or before the first letters of a name; and names alone. */
function begunAreas(tokens: readonly Token[], options: Completing): ReadonlySet<Area> {
  const { vocabulary, near } = options;
  const areas = new Set<Area>();
  const addOwn = (
    levels: ReadonlySet<string>,
    isMeant = ({ level }: Area): boolean => levels.has(level),
  ): void => {
    if (levels.size === 0) return;
    for (const area of vocabulary.areas.values()) if (isMeant(area) && isAround(area, near)) areas.add(area);
  };
  for (let at = 1; at <= Math.min(2, tokens.length); at += 1) {
    const levels = levelsOf(phrasesAt({ tokens, vocabulary }, 0, at));
    const rest = tokens.slice(at);
    const designation = wholeDesignation(tokens.slice(0, at));
    const isMeant = ({ level, name }: Area): boolean =>
      designation === undefined ? levels.has(level) : name.startsWith(`${designation} `);
    if (rest.length === 0) addOwn(levels, isMeant);
    else if (levels.size > 0)
      for (const { area } of namesFrom(rest, vocabulary)) if (isMeant(area)) areas.add(area);
  }
  if (tokens.length === 1 && areas.size === 0) addOwn(begunLevels(tokens[0]!, vocabulary));
  const isLong = toTypedWords(tokens).joined.length >= AREAS.lettersBegun;
  if (areas.size > 0 || !isLong) return areas;
  for (const { area } of namesFrom(tokens, vocabulary)) {
    if (area.level === "province" || isAround(area, near)) areas.add(area);
  }
  return areas;
}

const levelsOf = (phrases: readonly Phrase[]): ReadonlySet<string> =>
  new Set(phrases.filter(({ role }) => role === "area_word").map(({ meaning }) => meaning));

/** "Quận" for "quan": a whole designation means only areas that have it; a short one, such as "q", the level. */
const wholeDesignation = (tokens: readonly Token[]): string | undefined =>
  DESIGNATIONS.find(({ vi }) => fold(vi) === tokens.map(({ word }) => word).join(" "))?.vi;

/** Words for a level that may be typed half: "qu" and "phườ". */
const LEVEL_WORDS = DESIGNATIONS.filter(({ isCompleted }) => isCompleted).flatMap(({ vi, en }) => [
  fold(vi),
  fold(en),
]);

function begunLevels(token: Token, { phrases }: Vocabulary): ReadonlySet<string> {
  if (token.word.length < COMPLETIONS.letters) return new Set();
  const begun = LEVEL_WORDS.filter((word) => word.startsWith(token.word)).flatMap(
    (word) => phrases.get(word) ?? [],
  );
  return levelsOf(begun.filter((phrase) => agrees([token], phrase)));
}

function* namesFrom(tokens: readonly Token[], { areaKeys, areaNames }: Vocabulary): Generator<AreaName> {
  let compared = 0;
  for (const key of areaKeys.startingWith(toTypedWords(tokens).joined)) {
    for (const name of areaNames.get(key) ?? []) if (agrees(tokens, name.spelling)) yield name;
    compared += 1;
    if (compared === AREAS.mostCompared) return;
  }
}

/** Whether the dataset has places around the centre of an area; before they are counted, whether the caller is near. */
function hasPlaces({ centre, bounds }: Area, { near, census }: Completing): boolean {
  if (census === undefined) return distanceMeters(centre, near) <= AREAS.ownCityMeters;
  const corner = { latitude: bounds.north, longitude: bounds.east };
  const reach = Math.min(AREAS.reachMeters, distanceMeters(centre, corner));
  return (cellsCovering(centre, reach) ?? []).some((cell) => census.density.placesIn(cell) > 0);
}

// --- Comparing ----------------------------------------------------------------------------------------------------------

/**
 * Whether words that are being typed may become a spelling. Marks that were typed count, but the last word may still lack its tone
 * mark, which is often typed last.
 */
function agrees(typed: readonly Token[], { words, marked }: Pick<Phrase, "words" | "marked">): boolean {
  return typed.every(({ word, marked: typedMarks, hasMarks }, index) => {
    const expected = marked[index];
    // With other spaces than the spelling has, only the letters are compared.
    if (!hasMarks || expected === undefined || words[index]?.startsWith(word) !== true) return true;
    if (index < typed.length - 1) return expected === typedMarks;
    const tones = typedMarks.match(TONES)?.join("") ?? "";
    const hasTone = tones === "" || (expected.match(TONES)?.join("") ?? "") === tones;
    return hasTone && expected.replace(TONES, "").startsWith(typedMarks.replace(TONES, ""));
  });
}
