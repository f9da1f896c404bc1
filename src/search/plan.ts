import {
  MAX_NAME_BEGINNING,
  MAX_WORD_BEGINNING,
  type LookupResult,
  type PlaceCandidate,
  type PlaceFilter,
  type PlaceLookup,
} from "../meilisearch/place-index.ts";
import { firstLetters, withoutFirstLetter, words } from "../place/text/fold.ts";
import { TYPE_CODES, typesUnder, type TypeCode } from "../place/type-codes.ts";
import type { AddressReading } from "./reading/address.ts";
import type { KindReading, NameWords } from "./reading/reading.ts";
import type { TypedWords } from "./reading/tokens.ts";
import type { Ring, Rings } from "./rings.ts";
import type { SearchContext } from "./search-context.ts";

/** Every lookup of a search: what is looked up, where, and how many. Nothing here waits for the engine or ranks. */

/** A filter whose nearest places are wanted (`findNearest`). */
export interface Wanted {
  readonly filter: PlaceFilter;
  /** Estimated share (0 to 1) of all places that match. Decides only where to look first. */
  readonly share: number;
  /** How far out to look; everywhere when absent. */
  readonly widest?: Ring;
  /** The share may be much too high: a lookup as far as `widest` goes along to see whether there are only a few. */
  readonly mayBeFew?: boolean;
}

/** One round of a search: the nearest places of `wanted`, and lookups in the same round trip. */
export interface NearestPlan {
  readonly wanted: readonly Wanted[];
  readonly along?: readonly PlaceLookup[];
  /** Whether the first round found enough: then there is no other. */
  readonly isEnough?: (nearest: readonly LookupResult[], along: readonly LookupResult[]) => boolean;
}

/** Restricts a filter to a ring. */
export const inRing = (filter: PlaceFilter, { cells, bounds }: Ring): PlaceFilter => ({
  ...filter,
  ...(cells && { cells }),
  ...(bounds && { bounds }),
});

/** Whether a lookup returned every place that matches. */
export const isWhole = ({ places, total }: LookupResult): boolean => total <= places.length;

/** The candidates of several lookups. */
export const placesOf = (results: readonly (LookupResult | undefined)[]): PlaceCandidate[] =>
  results.flatMap((result) => result?.places ?? []);

/** The share of the ring's places that match, if the lookup did not return all of them; else 0. */
function shareOfMore(result: LookupResult | undefined, ring: Ring): number {
  if (!result || isWhole(result)) return 0;
  return result.total / Math.max(1, ring.places);
}

/** The nearest places of a filter, if the ring holds more of them than the lookup returned. */
export function moreOf(
  filter: PlaceFilter,
  result: LookupResult | undefined,
  ring: Ring,
  widest: Ring = ring,
): Wanted[] {
  const share = shareOfMore(result, ring);
  return share > 0 ? [{ filter, share, widest }] : [];
}

/** How many neighbours may join the places of a type because their name is the type: a restaurant called "Cafe". */
const NAMED_LIKE_TYPE = 5;

/** Share of a common type, used before the places are counted. */
export const ASSUMED_SHARE = 0.02;

/**
 * The nearest places of the types, places around whose names say the kind, and places near by whose name is the kind alone. With
 * more words, only places that hold them in name or address.
 */
export function planKinds(
  kinds: readonly KindReading[],
  { words: others }: TypedWords,
  context: SearchContext,
): NearestPlan {
  const types = typesOfKinds(kinds);
  const holding: PlaceFilter = others.length > 0 ? { wordSets: [others] } : {};
  return {
    wanted: [{ filter: { types, ...holding }, share: context.shareOf(types) ?? ASSUMED_SHARE }],
    along: kinds.flatMap((kind) => lookupsOfSpoken(kind, { types, others, context })),
  };
}

interface SpokenKind {
  readonly types: readonly TypeCode[];
  readonly others: readonly string[];
  readonly context: SearchContext;
}

/** A type that one place in so many has fills a page from the neighbourhood: names from further away hardly matter. */
const COMMON_SHARE = 0.02;

/** Places of other types whose names say the kind. */
function lookupsOfSpoken(kind: KindReading, { types, others, context }: SpokenKind): PlaceLookup[] {
  const { pool, rings, shareOf } = context;
  const inNames = inNamesOf(kind).map(({ words: one }) => ({ nameWords: [...one, ...others] }));
  if (inNames.length === 0) {
    if (kind.words.length === 0) return [];
    const filter: PlaceFilter = { names: [kind.words.join("")], notTypes: types };
    return [{ filter: inRing(filter, rings.near), limit: NAMED_LIKE_TYPE }];
  }
  // The nearest places of the type seldom name the product.
  const filter: PlaceFilter = { anyOf: inNames, ...(!kind.isProduct && { notTypes: types }) };
  const withOtherSpaces = kind.isProduct
    ? [{ filter: inRing({ names: [kind.words.join("")] }, rings.region), limit: pool.enough }]
    : [];
  const isCommon = !kind.isProduct && others.length === 0 && (shareOf(types) ?? 0) >= COMMON_SHARE;
  const spoken = (isCommon ? [rings.near] : [rings.near, rings.region]).map((ring) => ({
    filter: inRing(filter, ring),
    limit: pool.enough,
  }));
  return [...spoken, ...withOtherSpaces];
}

/** The nearest places of the types one level up, as they are filed where nobody knew better: a pagoda as place of worship. */
export function planParentKinds(kinds: readonly KindReading[], { shareOf }: SearchContext): NearestPlan {
  const types = parentsOfKinds(kinds);
  return types.length === 0
    ? { wanted: [] }
    : { wanted: [{ filter: { types }, share: shareOf(types) ?? ASSUMED_SHARE }] };
}

/** The kinds that may stand in for these where there are none: hotels for guest houses. */
export function standInsFor(kinds: readonly KindReading[]): readonly KindReading[] {
  const parents = parentsOfKinds(kinds).filter((code) => TYPE_CODES[code].interchangeable);
  const codes = [...new Set(parents.flatMap(typesUnder))];
  return codes.length === 0 ? [] : [{ codes, words: [], inNames: [], isMistyped: false }];
}

export function parentsOfKinds(kinds: readonly KindReading[]): TypeCode[] {
  const types = new Set(typesOfKinds(kinds));
  const parents = [...types].map((code) => TYPE_CODES[code].parent).filter((code) => code !== undefined);
  return [...new Set(parents)].filter((code) => !types.has(code));
}

export const typesOfKinds = (kinds: readonly KindReading[]): TypeCode[] => [
  ...new Set(kinds.flatMap(({ codes }) => codes)),
];

/** Shorter words mean too much else without their marks: "pho" is a street ("phố"), "ga" a chicken ("gà"). */
const MIN_LETTERS_IN_NAMES = 4;

/** The words that say, in a name, that the place is of the kind. */
export const inNamesOf = ({ inNames, isMistyped, isProduct }: KindReading): readonly NameWords[] =>
  isMistyped
    ? []
    : inNames.filter(({ words: one }) => isProduct || one.join("").length >= MIN_LETTERS_IN_NAMES);

/** The house in the region, and the nearest houses of its street. */
export function planAddress(address: AddressReading, { pool, rings }: SearchContext): NearestPlan {
  const { words: street } = address.street;
  const numbers = numberWordsOf(address);
  const onStreet: Wanted = { filter: { wordSets: [street] }, share: STREET_SHARE, widest: rings.region };
  if (numbers.length === 0) return { wanted: [onStreet] };
  return {
    wanted: [onStreet],
    along: [{ filter: inRing({ wordSets: [[...numbers, ...street]] }, rings.region), limit: pool.most }],
    isEnough: ([onStreet], [houses]) =>
      (houses?.total ?? 0) > 0 && (onStreet?.places.length ?? 0) >= ENOUGH_NEIGHBOURS,
  };
}

/** Beside the house that was typed, any so many of its street will do: their numbers are not looked for. */
const ENOUGH_NEIGHBOURS = 8;

/** A long street of a large city has one of a thousand of its places. */
export const STREET_SHARE = 0.001;

/** The words of a house number as folded addresses hold them: "12/3" is "12 3". */
export const numberWordsOf = ({ number, alleys }: AddressReading): string[] =>
  [...(number === undefined ? [] : [number]), ...alleys.toReversed()].flatMap((part) =>
    words(part.replaceAll(/[^\p{L}\p{N}]+/gu, " ")),
  );

/** Streets of the region whose names are a typo away, and the house further away. */
export function planAddressTypos(address: AddressReading, { rings, pool }: SearchContext): PlaceLookup[] {
  const typed = [...numberWordsOf(address), ...address.street.words];
  const filter = inRing({}, rings.region);
  return [
    { filter, words: typed.join(" "), limit: pool.most },
    { filter, words: address.street.words.join(" "), limit: pool.most },
    ...further(rings, { filter: { wordSets: [typed] }, limit: pool.most }),
  ];
}

/** The best known places that the context allows. */
export const planNotable = ({ pool }: SearchContext): PlaceLookup[] => [{ filter: {}, limit: pool.most }];

/** The nearest places of any kind. */
export const planNotableNear = (): NearestPlan => ({ wanted: [{ filter: {}, share: 1 }] });

const holdingWords = ({ words: typed, joined }: TypedWords): PlaceFilter => ({
  names: [joined],
  wordSets: [typed],
});

export const beginningLike = ({ joined }: TypedWords): PlaceFilter => ({
  nameBeginning: firstLetters(joined, MAX_NAME_BEGINNING),
});

/**
 * Names that begin with the query, as far as the index can filter: those that begin with its first letters, hold all its
 * words but the last, and a word that begins like the last.
 */
export function begunLike(query: TypedWords): PlaceFilter {
  const before = query.words.slice(0, -1);
  const last = query.words.at(-1);
  if (last === undefined || before.length === 0) return beginningLike(query);
  const wordBeginning = firstLetters(last, MAX_WORD_BEGINNING);
  return { ...beginningLike(query), nameWords: before, wordBeginning };
}

/** Lookups that would repeat those of the region where it is everywhere. */
const further = ({ region, everywhere }: Rings, ...lookups: readonly PlaceLookup[]): readonly PlaceLookup[] =>
  region === everywhere ? [] : lookups;

/**
 * The first round of a name, cheap and nearly always enough: places of the region with this name or with every word of it, names
 * near by that begin like it, how many of the region begin like it, and places further away with this very name. What is
 * looked up beyond the region costs a divided index a question to every engine, so it is only what few engines can have.
 */
export function planName(query: TypedWords, { pool, rings }: SearchContext): PlaceLookup[] {
  return [
    { filter: inRing(holdingWords(query), rings.region), limit: pool.first },
    { filter: inRing(begunLike(query), rings.near), limit: pool.first },
    { filter: inRing(begunLike(query), rings.region), limit: 0 },
    ...further(rings, { filter: { names: [query.joined] }, limit: pool.first }),
  ];
}

const named = ({ joined, words: typed }: TypedWords): PlaceFilter => ({ names: [joined], nameWords: typed });

/** Names anywhere with all words, where no place of the region is called so: a word may be missing in the query. */
export const planNamedElsewhere = (
  query: TypedWords,
  { pool, rings }: SearchContext,
): readonly PlaceLookup[] => further(rings, { filter: named(query), limit: pool.first });

/**
 * Places of the region with this very name or with a name that holds all its words, near by those that hold them half typed, and
 * places further away with this very name.
 */
export function planWholeName(query: TypedWords, { pool, rings }: SearchContext): PlaceLookup[] {
  return [
    { filter: inRing(named(query), rings.region), limit: pool.first },
    ...further(rings, { filter: { names: [query.joined] }, limit: pool.first }),
    ...halfTypedIn(rings.near, query, pool.enough),
  ];
}

/** Those near by, if the region has more than `planWholeName` returned. */
export const planWholeNameNear = (
  query: TypedWords,
  [inRegion]: readonly LookupResult[],
  { pool, rings }: SearchContext,
): PlaceLookup[] =>
  inRegion === undefined || isWhole(inRegion)
    ? []
    : [{ filter: inRing(named(query), rings.near), limit: pool.first }];

/** Names that hold all words, the last of them half typed. A query of one word is looked up as a beginning. */
function halfTypedIn(ring: Ring, { words: typed }: TypedWords, limit: number): PlaceLookup[] {
  const last = typed.at(-1);
  if (last === undefined || typed.length < 2) return [];
  const filter = { nameWords: typed.slice(0, -1), wordBeginning: firstLetters(last, MAX_WORD_BEGINNING) };
  return [{ filter: inRing(filter, ring), limit }];
}

/** What the first round of a name did not return in full. */
export interface MoreOfName {
  /** Places of the region whose name is the query or has all its words; without any more of them, those elsewhere of this name. */
  readonly named: readonly Wanted[];
  /** Places of the region with all words in name, type and address, and names that begin like the query. */
  readonly others: readonly Wanted[];
}

/** What to look for nearest first after `planName`, judged by its results. */
export function planMoreOfName(
  query: TypedWords,
  [holding, begunNear, begun, sameName]: readonly LookupResult[],
  { rings }: SearchContext,
): MoreOfName {
  const { region, everywhere } = rings;
  const isBegunFurther = (begun?.total ?? 0) > (begunNear?.places.length ?? 0);
  const isFew = holding === undefined || isWhole(holding);
  return {
    named: isFew
      ? moreOf({ names: [query.joined] }, sameName, everywhere)
      : moreNamed(query, holding, region),
    others: [
      ...moreOf(holdingWords(query), holding, region),
      ...(isBegunFurther ? moreOf(begunLike(query), begun, region) : []),
    ],
  };
}

/** Of the places that hold the words, those that have them in their name. */
function moreNamed(query: TypedWords, holding: LookupResult | undefined, ring: Ring): Wanted[] {
  const share = shareOfNamed(query.words, holding?.places ?? []);
  return moreOf({ names: [query.joined], nameWords: query.words }, holding, ring).map((wanted) =>
    share > 0 ? { ...wanted, share: wanted.share * share } : { ...wanted, mayBeFew: true },
  );
}

/** The share of these places, which all hold the words, that have them in their name. */
function shareOfNamed(typed: readonly string[], places: readonly PlaceCandidate[]): number {
  const named = places.filter(({ foldedNames }) => {
    const nameWords = new Set(foldedNames.flatMap(words));
    return typed.every((word) => nameWords.has(word));
  });
  return named.length / Math.max(1, places.length);
}

export const alikeIn = (ring: Ring, { joined }: TypedWords, { pool }: SearchContext): PlaceLookup => ({
  filter: inRing({}, ring),
  joinedName: joined,
  limit: pool.most,
});

/**
 * Lookups that forgive a word or a typo use the first dozen words: their cost grows with the square of the words. The others only
 * rank what is found.
 */
const MAX_FORGIVEN_WORDS = 12;

const forgivenWords = ({ words: typed }: TypedWords): readonly string[] => typed.slice(0, MAX_FORGIVEN_WORDS);

/** One word too many must not hide a place. A query of one word would have none left. */
function holdingAllButOne(query: TypedWords, ring: Ring, limit: number): PlaceLookup[] {
  const typed = forgivenWords(query);
  if (typed.length < 2) return [];
  const wordSets = typed.map((_, left) => typed.filter((_word, index) => index !== left));
  return [{ filter: inRing({ wordSets }, ring), limit }];
}

/**
 * Similar names: first the names of the region that begin with the query or are a typo or two away, then places around with
 * all words but one, and places further away with all words.
 */
export function planAlike(query: TypedWords, context: SearchContext): PlaceLookup[] {
  const { pool, rings } = context;
  return [
    alikeIn(rings.region, query, context),
    ...holdingAllButOne(query, rings.around, pool.enough),
    ...further(rings, { filter: holdingWords(query), limit: pool.first }),
  ];
}

/** Where similar names are too many to return: those near by, and the nearest of `others`. */
export const planAlikeNearer = (
  query: TypedWords,
  others: readonly Wanted[],
  context: SearchContext,
): NearestPlan => ({ wanted: others, along: [alikeIn(context.rings.near, query, context)] });

/** How many of the first lookups of `planTypos` compare whole names. */
export const WHOLE_NAME_TYPO_LOOKUPS = 2;

/** The last resort: a wrong first letter, one word too many further out, typos in single words. */
export function planTypos(query: TypedWords, { pool, rings }: SearchContext): PlaceLookup[] {
  const inRegion = { filter: inRing({}, rings.region), limit: pool.enough };
  return [
    { ...inRegion, joinedTail: query.joined },
    { ...inRegion, joinedTail: withoutFirstLetter(query.joined) },
    ...holdingAllButOne(query, rings.region, pool.most),
    { ...inRegion, words: forgivenWords(query).join(" ") },
  ];
}

/** Similar names beyond the region: a divided index asks every engine for them. */
export const planAlikeAnywhere = (query: TypedWords, context: SearchContext): readonly PlaceLookup[] =>
  further(context.rings, alikeIn(context.rings.everywhere, query, context));

/** Places of the region whose names hold all these words. */
export const planNamesakes = (
  nameWords: readonly string[],
  { pool, rings }: SearchContext,
): PlaceLookup[] => [{ filter: inRing({ nameWords }, rings.region), limit: pool.first }];

/** The nearest of them, if there are more than `planNamesakes` returned; if the region has none, the nearest of `elsewhere`. */
export function planMoreNamesakes(
  nameWords: readonly string[],
  [namesakes]: readonly LookupResult[],
  { context, elsewhere }: { readonly context: SearchContext; readonly elsewhere: PlaceFilter },
): Wanted[] {
  const { region, everywhere } = context.rings;
  if (namesakes?.total === 0 && region !== everywhere)
    return [{ filter: elsewhere, share: 1 / Math.max(1, region.places), mayBeFew: true }];
  return moreOf({ nameWords }, namesakes, region);
}
