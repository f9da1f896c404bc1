import {
  MAX_NAME_BEGINNING,
  MAX_WORD_BEGINNING,
  type LookupResult,
  type PlaceFilter,
  type PlaceLookup,
} from "../meilisearch/place-index.ts";
import { firstLetters, fold, joinWords } from "../place/text/fold.ts";
import { readBeginningText } from "./match.ts";
import { findNearest } from "./nearest.ts";
import { alikeIn, beginningLike, begunLike, inRing, moreOf, placesOf, type Wanted } from "./plan.ts";
import type { Pool, SearchContext } from "./search-context.ts";
import { createRanking, SUGGESTION_WEIGHTS, type ScoredPlace } from "./rank.ts";
import type { TypedWords } from "./reading/tokens.ts";

/** The places whose names a caller may be typing: their lookups, and which of them a short list shows. */

/** Enough for a short list after the branches of a chain are taken together; the four nearest are certain. */
export const SUGGESTION_POOL: Pool = { first: 10, enough: 8, most: 24, sure: 4 };

/** The names that were found so far. */
interface BegunNames {
  /** Best first, each name once with its nearest place; may be more than the limit. */
  shown(): readonly ScoredPlace[];
  /** Looks up the names that are a typo away too. */
  addMistyped(): Promise<void>;
}

interface Shown {
  readonly limit: number;
  /** The index lets a few too many places through. */
  readonly isAllowed: (place: ScoredPlace) => boolean;
}

/** Shorter beginnings are like too many names to look for typos. */
const MIN_LETTERS_FOR_TYPO = 4;

/** Names that begin with what was typed. */
export async function findBegunNames(
  query: TypedWords,
  { limit, isAllowed }: Shown,
  context: SearchContext,
): Promise<BegunNames> {
  const readText = readBeginningText(query);
  const ranking = createRanking({ centre: context.centre, weights: SUGGESTION_WEIGHTS, readText });
  const first = await context.lookUp(planBegun(query, context));
  ranking.add(placesOf(first));
  const { nearest, wanted } = planMoreBegun(query, first, context);
  if (nearest.length > 0) ranking.add(placesOf(await context.lookUp(nearest)));
  if (wanted.length > 0) ranking.add((await findNearest({ wanted }, context)).places);
  return {
    shown: () => firstOfEachName(ranking.inOrder().filter(isAllowed), query, limit),
    async addMistyped() {
      if (query.joined.length < MIN_LETTERS_FOR_TYPO) return;
      ranking.add(placesOf(await context.lookUp(planTypos(query, context))));
    },
  };
}

/** One letter begins a word of most names. */
const MIN_LETTERS_FOR_WORD = 2;

/** The first round: the best known and the nearest names that begin so, and later words that do. */
function planBegun(query: TypedWords, context: SearchContext): PlaceLookup[] {
  const { rings, pool } = context;
  const lookups = [
    { filter: inRing(begunLike(query), rings.region), limit: pool.first },
    {
      filter: inRing(begunLike(query), rings.near),
      limit: pool.most,
      ...nearestFirst(rings.near.places, context),
    },
  ];
  if (query.joined.length < MIN_LETTERS_FOR_WORD) return lookups;
  const before = query.words.slice(0, -1);
  const filter: PlaceFilter = {
    wordBeginning: firstLetters(query.words.at(-1) ?? "", MAX_WORD_BEGINNING),
    ...(before.length > 0 && { wordSets: [before] }),
  };
  const ring = before.length > 0 ? rings.region : rings.around;
  // With other spaces than the name has: "congca" for "Cộng Cà Phê", and "highlandsco f" for "Highlands Coffee".
  const isSpacedAlike = before.length === 0 || query.joined.length < MAX_NAME_BEGINNING;
  const otherwise = isSpacedAlike
    ? []
    : [{ filter: inRing(beginningLike(query), rings.near), limit: pool.first }];
  return [...lookups, { filter: inRing(filter, ring), limit: pool.first }, ...otherwise];
}

/** With fewer matches the engine sorts by distance without reading the positions of all places. */
const FEW_TO_SORT = 1_000;

/** The order of a lookup with at most so many matches; by prominence where they may be too many to sort. */
const nearestFirst = (matches: number, { centre }: SearchContext): Pick<PlaceLookup, "order"> =>
  matches < FEW_TO_SORT ? { order: { by: "distance", from: centre } } : {};

/** The nearest names that begin so, where the first round did not return enough near by and the region has more. */
function planMoreBegun(
  query: TypedWords,
  [inRegion, nearBy]: readonly LookupResult[],
  context: SearchContext,
): { readonly nearest: readonly PlaceLookup[]; readonly wanted: readonly Wanted[] } {
  const { rings, pool } = context;
  const moreNear = rings.near.places < FEW_TO_SORT ? [] : moreOf(begunLike(query), nearBy, rings.near);
  const isEnoughNear = (nearBy?.places.length ?? 0) >= pool.first;
  if (moreNear.length > 0 || isEnoughNear) return { nearest: [], wanted: moreNear };
  const wanted = moreOf(begunLike(query), inRegion, rings.region);
  const matches = inRegion?.total ?? 0;
  if (wanted.length === 0 || matches >= FEW_TO_SORT) return { nearest: [], wanted };
  const filter = inRing(begunLike(query), rings.region);
  return { nearest: [{ filter, limit: pool.most, ...nearestFirst(matches, context) }], wanted: [] };
}

/** Names that a typo may have hidden. Short beginnings are looked up near by only: too many names are like them. */
function planTypos(query: TypedWords, context: SearchContext): PlaceLookup[] {
  const { rings } = context;
  const ring = query.joined.length > MAX_NAME_BEGINNING ? rings.region : rings.near;
  return [alikeIn(ring, query, context)];
}

/** A branch is often named after its street: "Highlands Coffee - Nguyễn Huệ". */
const BRANCH_SUFFIX = / [-–—|(].*/su;

/**
 * With so many letters the chain is clear, and the rest of the name is what is being typed. `eval` then finds 0.01 to 0.02 more right
 * names among four with the branches one by one.
 */
const LETTERS_OF_CHAIN = 5;

/**
 * The first place of each name, or kind where there is none: of a sorted list, the best place of a name. Of a chain whose branches
 * have different names, the nearest branch, until its name is typed far enough; other branches fill what is left of the list.
 */
function firstOfEachName(
  ranked: readonly ScoredPlace[],
  { joined }: TypedWords,
  limit: number,
): readonly ScoredPlace[] {
  const named = firstOfNames(ranked);
  if (joined.length >= LETTERS_OF_CHAIN) return named;
  const chains = firstOf(
    named,
    ({ place }) => joinWords(fold(place.title.replace(BRANCH_SUFFIX, ""))) || place.id,
  );
  if (chains.length >= limit) return chains;
  const shown = new Set(chains);
  const branches = named
    .filter((one) => !shown.has(one) && one.text.isComplete)
    .slice(0, limit - chains.length);
  const complete = chains.filter(({ text }) => text.isComplete);
  return [...complete, ...branches, ...chains.filter(({ text }) => !text.isComplete)];
}

/** The first place of each name, or of each kind of places without one. */
export const firstOfNames = (ranked: readonly ScoredPlace[]): readonly ScoredPlace[] =>
  firstOf(ranked, ({ place }) => joinWords(fold(place.title)) || place.type);

function firstOf(
  ranked: readonly ScoredPlace[],
  keyOf: (one: ScoredPlace) => string,
): readonly ScoredPlace[] {
  const seen = new Set<string>();
  return ranked.filter((one) => {
    const key = keyOf(one);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
