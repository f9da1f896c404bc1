import { distanceMeters, isInBounds, type Bounds } from "../place/geometry/coordinates.ts";
import type { PlaceSummaryDocument } from "../place/document/place-document.ts";
import { MAX_OFFSET, MAX_RESULTS } from "../place/request-defaults.ts";
import { fold, joinWords } from "../place/text/fold.ts";
import type { RankedSearch } from "./candidates.ts";
import { countMatches, findExactList, inOrder, type ExactList, type ExactOrder } from "./exact-list.ts";
import { SCOPES_METERS } from "./exact-matching.ts";
import { findRanked, type Ranked } from "./find-places.ts";
import { firstAtHours, hasHours, isAtItsHours } from "./hours.ts";
import { LOOKUPS, MATCHING, SUGGESTIONS } from "./numbers.ts";
import type { LandmarkReading, Reading } from "./reading/reading.ts";
import { readQueryWords, type TypedWords } from "./reading/tokens.ts";
import type { RequestReader } from "./request-reader.ts";
import { bestOfEach, withOthers, type FeatureName, type ScoredPlace, type Weights } from "./score.ts";
import { isInPart, isInside, type Where } from "./search-context.ts";
import type { FoundPlaces, RankedPlace, SearchRequest } from "./search-request.ts";

/** The list that a request asks for, by relevance or in another order, and the page that is cut from it. */

/** One request under way. All its lookups share one deadline. */
export interface Search extends Omit<RankedSearch, "centre" | "now" | "wanted">, RequestReader {
  readonly request: SearchRequest;
}

/** A place with its distance from the caller, and whether the opening wish of its reading was left out. */
interface ShownPlace extends ScoredPlace {
  readonly isWishDropped: boolean;
}

const DEEP_WANTED = MAX_OFFSET + MAX_RESULTS;

interface FoundList {
  readonly places: readonly ShownPlace[];
  readonly reading: Reading;
  readonly landmarkNotFound?: LandmarkReading;
}

/** The list that the page is cut from. The deep pool follows the first, so earlier pages stay the same however far a caller pages. */
async function findList(search: Search): Promise<FoundList> {
  const { sort, offset, limit } = search.request;
  if (sort !== undefined && sort !== "relevance") return findSorted(search, sort);
  const ranked = await findRelevant(search);
  const { refinements = {} } = search.request;
  const isRestricted = isInPart(refinements) || hasHours(refinements);
  if (!isRestricted || ranked.places.length >= offset + limit) return ranked;
  // Within a radius, a rectangle or a shape, and of what is open or quiet, the list is complete: what ranking did not come across
  // follows.
  const all = await findExactList(search, "distance", DEEP_WANTED);
  return { ...ranked, places: withOthers(ranked.places, all ? toShown(all) : []) };
}

const toShown = ({ places, isWishDropped }: ExactList): ShownPlace[] =>
  places.map((place) => ({ ...place, isWishDropped }));

/** By distance, rating or prominence: an exact list, or where no place matches exactly, the similar places in this order. */
async function findSorted(search: Search, sort: ExactOrder): Promise<FoundList> {
  const { query, offset, limit, refinements } = search.request;
  const reading = search.readings.readings[0] ?? search.readings.plain;
  const exact = await findExactList(search, sort, offset + limit);
  if (exact) return { places: toShown(exact), reading: exact.places[0]?.reading ?? reading };
  if (query === "") return { places: [], reading };
  const found = await findInPool(search, DEEP_WANTED);
  const isScoped = sort === "distance" || isInPart(refinements);
  const widest = isScoped ? Infinity : Math.max(...SCOPES_METERS);
  const relevant = found.places.filter(
    ({ features: { missing = 0 }, distanceMeters: meters }) =>
      missing <= MATCHING.mostMissingWhenSorted && meters <= widest,
  );
  const sorted = inOrder(relevant, sort, refinements?.route);
  return { ...found, places: await atTheirHours(sorted, offset + limit, search) };
}

/** By relevance, as far as the request pages. */
async function findRelevant(search: Search): Promise<FoundList> {
  const needed = search.request.offset + search.request.limit;
  const find = async (wanted: number, isDeeper = false): Promise<FoundInPool> => {
    const found = await findInPool(search, wanted, isDeeper);
    return { ...found, places: await atTheirHours(found.places, needed, search) };
  };
  const first = await find(LOOKUPS.page);
  if (needed <= LOOKUPS.page || !first.isCut || first.places.length >= needed) return first;
  const deep = await find(DEEP_WANTED, true);
  return { ...first, places: withOthers(first.places, deep.places) };
}

interface FoundInPool extends FoundList {
  readonly isCut: boolean;
}

/** Reads candidates for `wanted` places, whatever their hours. */
async function findInPool(search: Search, wanted: number, isDeeper = false): Promise<FoundInPool> {
  const { centre, now, refinements = {}, preferred } = search.request;
  const find = (limits: Where): Promise<Ranked> =>
    findRanked({
      ...search,
      ...(wanted > LOOKUPS.page && { mostInRound: LOOKUPS.mostInRound }),
      centre,
      now,
      wanted,
      isDeeper,
      contextAt: (where) => search.contextAt({ ...limits, ...where }),
    });
  const ranked = preferred
    ? preferring(preferred, await Promise.all([find({}), find({ bounds: preferred })]), search.weights)
    : await find({});
  const { reading, isCut, landmarkNotFound } = ranked;
  // A reading may look around another centre, such as that of an area.
  const found = ranked.places.map((scored) => ({
    isWishDropped: false,
    ...scored,
    distanceMeters: distanceMeters(centre, scored.place.location),
  }));
  const places = found.filter(({ place }) => isInside(refinements, centre, place.location));
  return { places, reading, isCut, ...(landmarkNotFound && { landmarkNotFound }) };
}

/** Two lists in one, where a place in the rectangle scores as if it were at the centre. */
function preferring(bounds: Bounds, [first, second]: readonly [Ranked, Ranked], weights: Weights): Ranked {
  const prefer = (scored: ScoredPlace): ScoredPlace => {
    if (!isInBounds(bounds, scored.place.location)) return scored;
    const { distance = 0, ...features } = scored.features;
    return { ...scored, features, score: scored.score - distance * weights.distance };
  };
  const places = bestOfEach([...first.places, ...second.places].map(prefer));
  return {
    ...first,
    places,
    reading: places[0]?.reading ?? first.reading,
    isCut: first.isCut || second.isCut,
  };
}

/** The index filters opening hours and busyness roughly; the hours themselves decide. Returns the first places, `needed` at least. */
async function atTheirHours(
  places: readonly ShownPlace[],
  needed: number,
  { readSummaries, request: { refinements = {} } }: Search,
): Promise<readonly ShownPlace[]> {
  if (!hasHours(refinements)) return places;
  return firstAtHours(places, needed, async (some) => {
    const summaries = await readSummaries(some.map(({ place }) => place));
    return some.filter(({ place }) => {
      const summary = summaries.get(place.id);
      return summary !== undefined && isAtItsHours(summary, refinements);
    });
  });
}

/** The page that a request asks for. */
export async function findPlacesOfPage(search: Search): Promise<FoundPlaces> {
  const { offset, limit, isCounted } = search.request;
  // First: what it has read, and that nothing matches, the list need not find out again.
  const total = isCounted ? await countMatches(search) : undefined;
  const { places, ...understood } = await findList(search);
  const found = await toFound(places.slice(offset, offset + limit), search);
  return { ...found, ...understood, ...(total !== undefined && { total }) };
}

/** What a caller may be typing: names that begin so, and what the words mean as a search does. */
export async function findSuggested(search: Search): Promise<FoundPlaces> {
  const { query, limit } = search.request;
  const typed = readQueryWords(query);
  if (typed.joined === "") return toFound([], search);
  const suggesting = { ...search, suggesting: typed };
  const { places } = await findInPool(suggesting, Math.max(LOOKUPS.suggestions, 2 * limit));
  return toFound(firstOfEachName(places, typed, limit).slice(0, limit), search);
}

/** A branch is often named after its street: "Highlands Coffee - Nguyễn Huệ". */
const BRANCH_SUFFIX = / [-–—|(].*/su;

/**
 * The first place of each name, or kind where there is none. Of a chain whose branches have different names, the nearest branch, until
 * its name is typed far enough; other branches fill what is left of the list.
 */
function firstOfEachName(
  ranked: readonly ScoredPlace[],
  { joined }: TypedWords,
  limit: number,
): readonly ScoredPlace[] {
  const named = firstOf(ranked, ({ place }) => joinWords(fold(place.title)) || place.type);
  if (joined.length >= SUGGESTIONS.lettersOfChain) return named;
  const chains = firstOf(
    named,
    ({ place }) => joinWords(fold(place.title.replace(BRANCH_SUFFIX, ""))) || place.id,
  );
  const shown = new Set(chains.slice(0, limit));
  return [...shown, ...named.filter((one) => !shown.has(one))];
}

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

/** Reads the places of a page. A place that was deleted since it was found is left out. */
async function toFound(
  page: readonly (ScoredPlace & Partial<ShownPlace>)[],
  { readPage, missingPartitions, weights }: Search,
): Promise<FoundPlaces> {
  const summaries = await readPage(page.map(({ place }) => place));
  const places = page.flatMap((scored) => {
    const place = summaries.get(scored.place.id);
    return place ? toRankedPlace(scored, place, weights) : [];
  });
  return { places, missingPartitions: missingPartitions() };
}

const OF_PROMINENCE = new Set<FeatureName>(["prominence", "notable", "closed", "closed_by_name"]);

function toRankedPlace(
  { features, score, distanceMeters: meters, isWishDropped }: ScoredPlace & Partial<ShownPlace>,
  place: PlaceSummaryDocument,
  weights: Weights,
): RankedPlace {
  const parts = (Object.entries(features) as [FeatureName, number][])
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => [name, value * weights[name]] as const);
  const ofPlace = parts.filter(([name]) => OF_PROMINENCE.has(name));
  const prominence = ofPlace.reduce((sum, [, part]) => sum + part, 0);
  const distance = (features.distance ?? 0) * weights.distance;
  return {
    place,
    distanceMeters: meters,
    explanation: {
      text: score - distance - prominence,
      distance,
      prominence,
      score,
      parts: Object.fromEntries(parts),
      ...(isWishDropped && { isWishDropped: true }),
    },
  };
}

/** A place with its features for each reading that it matches. Its score is the best of them. */
export interface Candidate extends Pick<ScoredPlace, "place"> {
  readonly ways: readonly ScoredPlace["features"][];
}

/** Every candidate of a query with its features, best first. */
export async function rankAllWays(search: Search): Promise<Candidate[]> {
  const ways = new Map<string, ScoredPlace["features"][]>();
  const onScored = ({ place, features }: ScoredPlace): void =>
    void ways.getOrInsertComputed(place.id, () => []).push(features);
  const { places } = await findInPool({ ...search, onScored }, LOOKUPS.page);
  return places.map(({ place, features: { wishes } }) => ({
    place,
    ways: (ways.get(place.id) ?? []).map((way) => (wishes === undefined ? way : { ...way, wishes })),
  }));
}
