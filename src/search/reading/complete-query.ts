import { DESIGNATIONS, distinctAreaName, isInArea, type Area } from "../../place/geometry/areas.ts";
import { cellsCovering } from "../../place/geometry/cells.ts";
import { distanceMeters, type Coordinates } from "../../place/geometry/coordinates.ts";
import { typesUnder, type TypeCode } from "../../place/document/type-codes.ts";
import { fold, TONES } from "../../place/text/fold.ts";
import type { Census } from "../../meilisearch/place-index.ts";
import type { Phrase, Vocabulary } from "../vocabulary/vocabulary.ts";
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
  // A long sentence is the beginning of no kind and no area.
  if (
    tokens.length === 0 ||
    tokens.length > READING.wordsOfName ||
    toTypedWords(tokens).joined.length < leastLetters(tokens)
  )
    return [];
  const kinds = completeKind(tokens, options);
  const areas = completeArea(tokens, options);
  if (kinds.length + areas.length === 0) return completeTail(text, tokens, options).slice(0, limit);
  // Kinds before areas, but both where there are both.
  const mostKinds = Math.max(1, limit - Math.min(areas.length, limit >> 1));
  return [...kinds.slice(0, mostKinds), ...areas].slice(0, limit);
}

const leastLetters = (tokens: readonly Token[]): number =>
  tokens.some(({ word }) => /[^\p{Script=Latin}\d]/u.test(word)) ? 1 : COMPLETIONS.letters;

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
  const asked = { tokens: head, vocabulary };
  const end = [head.length - 2, head.length - 1].find(
    (at) => at > 0 && isRelationWord(asked, at, head.length),
  );
  return end === undefined ? [head] : [head, head.slice(0, end)];
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

function textOf(text: string, head: readonly Token[]): string {
  const typed = text.trim().split(/\s+/);
  // Tokens and white space agree, but for marks such as hyphens inside a word.
  return typed.length >= head.length ? typed.slice(0, head.length).join(" ") : text.trim();
}

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

/** Larger areas and nearer ones first, own ones before all others; an own one hides those elsewhere. Of namesakes one is enough. */
function completeArea(tokens: readonly Token[], options: Completing): Completion[] {
  const { vocabulary, near, limit } = options;
  const [whole] = findAreas(tokens, vocabulary, near);
  const metersTo = (area: Area): number => distanceMeters(area.centre, near);
  const begun = [...new Set(begunAreas(tokens, options))];
  const own = begun.filter((area) => isAround(area, near));
  const shown = own.length > 0 ? own : begun;
  const sorted = shown.toSorted((a, b) => compareLevels(a, b) || metersTo(a) - metersTo(b));
  const candidates = [...(whole ? [whole] : []), ...sorted];
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
function begunAreas(tokens: readonly Token[], { vocabulary, near }: Completing): readonly Area[] {
  const own = (isMeant: (area: Area) => boolean): Area[] =>
    [...vocabulary.areas.values()].filter((area) => isMeant(area) && isAround(area, near));
  const designated = [1, 2].flatMap((length) => {
    const levels =
      length > tokens.length ? NO_LEVELS : levelsOf(phrasesAt({ tokens, vocabulary }, 0, length));
    if (levels.size === 0) return [];
    const designation = wholeDesignation(tokens.slice(0, length));
    const isMeant = ({ level, name }: Area): boolean =>
      designation === undefined ? levels.has(level) : name.startsWith(`${designation} `);
    const rest = tokens.slice(length);
    return rest.length === 0 ? own(isMeant) : areasFrom(rest, vocabulary).filter(isMeant);
  });
  if (designated.length > 0) return designated;
  const levels = tokens.length === 1 ? begunLevels(tokens[0]!, vocabulary) : NO_LEVELS;
  const ofLevel = own(({ level }) => levels.has(level));
  const isLong = toTypedWords(tokens).joined.length >= AREAS.lettersBegun;
  if (ofLevel.length > 0 || !isLong) return ofLevel;
  return areasFrom(tokens, vocabulary).filter((area) => area.level === "province" || isAround(area, near));
}

const NO_LEVELS: ReadonlySet<string> = new Set();

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
  if (token.word.length < COMPLETIONS.letters) return NO_LEVELS;
  const begun = LEVEL_WORDS.filter((word) => word.startsWith(token.word)).flatMap(
    (word) => phrases.get(word) ?? [],
  );
  return levelsOf(begun.filter((phrase) => agrees([token], phrase)));
}

const areasFrom = (tokens: readonly Token[], { areaKeys, areaNames }: Vocabulary): readonly Area[] =>
  areaKeys
    .startingWith(toTypedWords(tokens).joined)
    .slice(0, AREAS.mostCompared)
    .flatMap((key) => areaNames.get(key) ?? [])
    .filter(({ spelling }) => agrees(tokens, spelling))
    .map(({ area }) => area);

/** Whether the dataset has places around the centre of an area; before they are counted, whether the caller is near. */
function hasPlaces({ centre, bounds }: Area, { near, census }: Completing): boolean {
  if (census === undefined) return distanceMeters(centre, near) <= AREAS.ownCityMeters;
  const corner = { latitude: bounds.north, longitude: bounds.east };
  const reach = Math.min(AREAS.reachMeters, distanceMeters(centre, corner));
  return (cellsCovering(centre, reach) ?? []).some((cell) => census.density.placesIn(cell) > 0);
}

/** Whether words being typed may become a spelling. Typed marks count, but the last word may lack its tone, which is often typed last. */
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
