import { MAX_PREFIX_LENGTH, type PlaceCandidate, type PlaceLookup } from "../place-index/place-index.ts";
import { fold, joinWords } from "../text/fold.ts";
import { nearestIn, type Scope } from "./find-candidates.ts";
import { createRanking, SUGGESTION_WEIGHTS, type ScoredPlace } from "./rank.ts";
import { readTextQuality } from "./text-quality.ts";
import type { TypedQuery } from "./typed-query.ts";

/** Enough that some names are left when the branches of chains are taken together. */
const PER_LOOKUP = 30;

/** What somebody may be typing, best first, each name once with its nearest place. */
export async function suggestPlaces(query: TypedQuery, scope: Scope): Promise<ScoredPlace[]> {
  if (query.joined === "") return [];
  const readText = (place: PlaceCandidate) => readTextQuality(query, place);
  const ranking = createRanking({ centre: scope.centre, weights: SUGGESTION_WEIGHTS, readText });
  const answers = await scope.ask(suggestionLookups(query, scope));
  ranking.add(answers.flatMap(({ places }) => places));
  return firstOfEachName(ranking.inOrder());
}

/**
 * Short beginnings are the slowest thing to ask the engine for, so up to three letters they are looked up as values that
 * every place is filed under. What is longer is completed by the engine, with typos.
 */
function suggestionLookups({ words, joined }: TypedQuery, { rings, centre }: Scope): PlaceLookup[] {
  const last = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const limit = PER_LOOKUP;
  const near = { filter: { cells: rings.near.cells }, ...nearestIn(rings.near, centre), limit };
  const around = { filter: { cells: rings.around.cells }, limit };
  const region = { filter: { cells: rings.region.cells }, limit };
  const lookups = [near, around, region];
  if (Array.from(last).length > MAX_PREFIX_LENGTH) {
    return [
      ...lookups.map((lookup) => ({ ...lookup, joinedName: joined })),
      { ...region, words: words.join(" ") },
    ];
  }
  const begun = { prefix: last, ...(before.length > 0 && { wordSets: [before] }) };
  const filed = lookups.map((lookup) => ({ ...lookup, filter: { ...lookup.filter, ...begun } }));
  return before.length > 0
    ? [...filed, { ...near, joinedName: joined }, { ...region, joinedName: joined }]
    : filed;
}

/** A branch is often named after its street: "Highlands Coffee - Nguyễn Huệ". */
const BRANCH_SUFFIX = / [-–—|(].*$/u;

/** The list is in order, so the first of a name is its best, and of a chain its nearest branch. */
function firstOfEachName(ranked: readonly ScoredPlace[]): ScoredPlace[] {
  const names = new Set<string>();
  return ranked.filter(({ place }) => {
    const name = joinWords(fold(place.title.replace(BRANCH_SUFFIX, "")));
    const isNew = !names.has(name);
    names.add(name);
    return isNew;
  });
}
