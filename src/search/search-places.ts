import { isDeepStrictEqual } from "node:util";
import {
  compareBy,
  type LookupResult,
  type PlaceIndex,
  type PlaceLookup,
} from "../meilisearch/place-index.ts";
import type { StoredVocabulary } from "../meilisearch/stored-vocabulary.ts";
import { queryTooExpensive } from "../errors.ts";
import { within } from "../meilisearch/deadline.ts";
import type { PlaceExtra, PlaceSummaryDocument } from "../place/document/place-document.ts";
import { distanceMeters, isInBounds, type Bounds } from "../place/geometry/coordinates.ts";
import type { Route } from "../place/geometry/shapes.ts";
import { isInArea } from "../place/geometry/areas.ts";
import { MAX_OFFSET, MAX_RESULTS } from "../place/request-defaults.ts";
import { countMatches, findExactList, inDetourOrder, type ExactList } from "./exact-list.ts";
import type { RankedSearch } from "./candidates.ts";
import { findRanked, type Ranked } from "./find-places.ts";
import { compareOnce } from "./match.ts";
import type { AskedRecord } from "../same-place/likelihood.ts";
import { findCandidates, matchRecords, type MatchCandidate, type MatchContext } from "./match-records.ts";
import { firstOfEachName } from "./find-suggestions.ts";
import { completeQuery } from "./reading/complete-query.ts";
import { readQuery } from "./reading/read-query.ts";
import type { LandmarkReading, Reading } from "./reading/reading.ts";
import { readQueryWords } from "./reading/tokens.ts";
import { createCensusReader, type CensusReader } from "./census-reader.ts";
import { SCOPES_METERS, type ExactSearch } from "./exact-matching.ts";
import { hasHours, isAtItsHours } from "./hours.ts";
import { countTypes } from "./rings.ts";
import {
  bestOfEach,
  withOthers,
  WEIGHTS,
  type FeatureName,
  type ScoredPlace,
  type Weights,
} from "./score.ts";
import { createContexts, isInPart, isInside, type Where } from "./search-context.ts";
import type { FoundPlaces, PlaceSearch, RankedPlace, SearchRequest, SortOrder } from "./search-request.ts";
import { addressMeaningIn } from "./vocabulary/vocabulary.ts";
import { LOOKUPS, MATCHING, RINGS } from "./numbers.ts";

/**
 * How a place is found, from top to bottom:
 * 1. `readQuery` says what the query may mean (reading/, with the words of vocabulary/ and those of the dataset, lexicon.ts);
 * 2. `toIntent` says what to look up for each reading (intents.ts), and a context where (search-context.ts, rings.ts);
 * 3. `findRanked` looks it up in at most three rounds (find-places.ts);
 * 4. each candidate is compared with its reading (match.ts) and scored by one table of weights (score.ts, weights.json);
 * 5. the page is cut, and its places are read from the index.
 */

/** A search that works best once it knows how many places the index has where. */
interface PreparedSearch extends PlaceSearch {
  /** Settles when the places are counted, or cannot be. Searches before that guess, and may find other places. */
  readonly prepared: Promise<void>;
  /** All candidates of a query with their features, best first: what the weights are fitted to (`npm run -s fit`). */
  rank(request: SearchRequest): Promise<readonly Candidate[]>;
  /** The places that each record may be, with their features: what the weights of a match are fitted to. */
  candidatesOf(records: readonly AskedRecord[]): Promise<readonly (readonly MatchCandidate[])[]>;
}

/** A place with its features for each reading that it matches. Its score is the best of them. */
export interface Candidate extends Pick<ScoredPlace, "place"> {
  readonly ways: readonly ScoredPlace["features"][];
}

interface SearchOptions {
  /** Longer where only the results count, such as in evaluations. */
  readonly deadlineMs?: number;
  /** Others than those of weights.json, to fit them. */
  readonly weights?: Weights;
  /** Makes the kinds and fields of the index those of the process: for a server. Commands say themselves whose they use. */
  readonly useOwn?: (stored: StoredVocabulary | undefined) => void;
}

export function createPlaceSearch(
  index: PlaceIndex,
  { deadlineMs, weights = WEIGHTS, useOwn }: SearchOptions = {},
): PreparedSearch {
  const census = createCensusReader(index, undefined, useOwn);
  // Starts to read it.
  census.latest();
  const begin = (asked: SearchRequest, signal: AbortSignal): Search => {
    const [known, lexicon, vocabulary] = [census.latest(), census.lexicon(), census.vocabulary()];
    const readings = readQuery(asked.query, vocabulary, { near: asked.centre, lexicon });
    const request = { ...asked, centre: readings.readings[0]?.point ?? asked.centre };
    const reader = index.pin(request.centre);
    const findPlaces = refusingShapes(asked, rememberWhole(reader, signal));
    const places = known?.places ?? RINGS.assumedPlaces;
    const words = { lexicon, light: readings.light, places, addressMeaning: addressMeaningIn(vocabulary) };
    const asking = { request, readings, findPlaces, weights, words };
    return {
      ...asking,
      compareWith: compareOnce(words),
      typesCount: (types) => (known ? countTypes(known, types) : RINGS.commonShare * places),
      contextAt: createContexts({ findPlaces, request, census: known }),
      ...readersOf(request, (found, extras) => reader.readSummaries(found, signal, extras)),
      missingPartitions: () => reader.missingPartitions(),
    };
  };
  const run = <T>(
    request: SearchRequest,
    callerSignal: AbortSignal | undefined,
    find: (search: Search) => Promise<T>,
  ): Promise<T> =>
    within({ deadlineMs, dearest: dearestParameter(request) }, callerSignal, (signal) =>
      find(begin(request, signal)),
    );
  const find = againWithNewWords(census, run);
  return {
    prepared: census.settled(),
    complete: (query, near, limit) =>
      completeQuery(query, { vocabulary: census.vocabulary(), near, census: census.latest(), limit }),
    ...createFacts(index, census),
    epoch: () => (census.latest(), census.epoch()),
    rank: (request) => run(request, undefined, rankAllWays),
    search: (request, signal) => find(request, signal, findPlacesOfPage),
    suggest: (request, signal) => find(request, signal, findSuggested),
    ...createMatcher(index, census, deadlineMs),
  };
}

async function rankAllWays(search: Search): Promise<Candidate[]> {
  const ways = new Map<string, ScoredPlace["features"][]>();
  const onScored = ({ place, features }: ScoredPlace): void =>
    void ways.getOrInsertComputed(place.id, () => []).push(features);
  const { places } = await findInPool({ ...search, onScored }, LOOKUPS.page);
  return places.map(({ place, features: { wishes } }) => ({
    place,
    ways: (ways.get(place.id) ?? []).map((way) => (wishes === undefined ? way : { ...way, wishes })),
  }));
}

/** What is known of areas and kinds without a search. */
const createFacts = (
  index: PlaceIndex,
  census: CensusReader,
): Pick<PlaceSearch, "areasAt" | "districtOf" | "countTypes"> => ({
  areasAt: (point) => [...census.vocabulary().areas.values()].filter((area) => isInArea(area, point)),
  districtOf(areaIds = []) {
    const { areas } = census.vocabulary();
    const found = areaIds.flatMap((id) => areas.get(id) ?? []).find(({ level }) => level === "district");
    return found?.name ?? "";
  },
  async countTypes() {
    // The first census may be under way.
    if (!census.latest()) await census.settled();
    return (census.latest() ?? (await index.readCensus())).types;
  },
});

/** Matches records with places, those of one request together. */
function createMatcher(
  index: PlaceIndex,
  census: CensusReader,
  deadlineMs: number | undefined,
): Pick<PreparedSearch, "match" | "candidatesOf"> {
  type Match<T> = (records: readonly AskedRecord[], context: MatchContext) => Promise<T>;
  const run = <T>(records: readonly AskedRecord[], callerSignal: AbortSignal | undefined, match: Match<T>) =>
    within({ deadlineMs, dearest: "records" }, callerSignal, (signal) => {
      // Records of one request may lie anywhere.
      const reader = index.pin();
      const places = census.latest()?.places ?? RINGS.assumedPlaces;
      return match(records, { reader, lexicon: census.lexicon(), places, signal });
    });
  return {
    match: (records, signal) => run(records, signal, matchRecords),
    candidatesOf: (records) => run(records, undefined, findCandidates),
  };
}

type Run = (
  request: SearchRequest,
  signal: AbortSignal | undefined,
  find: (search: Search) => Promise<FoundPlaces>,
) => Promise<FoundPlaces>;

/** What was looked up by the words of an index that was replaced meanwhile, and not found, is looked up by those of the new one. */
const againWithNewWords =
  (census: CensusReader, run: Run): Run =>
  async (...asked) => {
    const known = census.latest();
    const found = await run(...asked);
    const isOld = found.places.length === 0 && (await census.isNewerThan(known));
    return isOld ? run(...asked) : found;
  };

/** What to change of a request that takes too long. */
function dearestParameter({ query, offset, sort, refinements }: SearchRequest): string {
  if (offset > 0) return "offset";
  if (query !== "") return "q";
  if (refinements && hasHours(refinements)) return refinements.busy ? "busy_max" : "open_at";
  // Nearby places come by distance without being asked for.
  if (sort === "rating" || sort === "prominence") return "sort";
  if (refinements?.route) return "route";
  if (refinements?.polygon) return "polygon";
  return refinements?.bounds ? "bbox" : "radius";
}

const DEEP_WANTED = MAX_OFFSET + MAX_RESULTS;

/** What is read of each place: what the response shows, and what decides whether it matches. */
const extrasOf = ({ extras = [], refinements }: SearchRequest): readonly PlaceExtra[] =>
  refinements?.busy && !extras.includes("busy_hours") ? [...extras, "busy_hours"] : extras;

type ReadSummaries = RankedSearch["readSummaries"];

/**
 * Read summaries: to decide whether places match, and for the page. Photos lie in the longest text of a place, so they are read of
 * the places that are shown and of no other.
 */
function readersOf(
  request: SearchRequest,
  read: (...args: [...Parameters<ReadSummaries>, readonly PlaceExtra[]]) => ReturnType<ReadSummaries>,
): Pick<Search, "readSummaries" | "readPage"> {
  const extras = extrasOf(request);
  const light = extras.filter((extra) => extra !== "first_photo");
  const readSummaries = rememberSummaries((places) => read(places, light));
  const readPage =
    light.length < extras.length
      ? (places: Parameters<ReadSummaries>[0]) => read(places, extras)
      : readSummaries;
  return { readSummaries, readPage };
}

type FindPlaces = RankedSearch["findPlaces"];

/** Asks for each list once that came whole, from all partitions: a later page and a count look up the same as the first page. */
function rememberWhole(reader: ReturnType<PlaceIndex["pin"]>, signal: AbortSignal): FindPlaces {
  const whole = new Map<string, { readonly lookup: PlaceLookup; readonly result: LookupResult }>();
  const keyOf = (lookup: PlaceLookup): string =>
    JSON.stringify({ ...lookup, limit: undefined, order: undefined });
  return async (lookups) => {
    const keyed = lookups.map((lookup) => {
      const key = keyOf(lookup);
      const known = whole.get(key);
      return { lookup, key, result: known && inItsOrder(lookup, known) };
    });
    const missing = keyed.filter(({ result }) => result === undefined);
    const found =
      missing.length === 0
        ? []
        : await reader.findPlaces(
            missing.map(({ lookup }) => lookup),
            signal,
          );
    const fresh = new Map(missing.map((one, index) => [one, found[index]!]));
    for (const [{ lookup, key }, result] of fresh)
      if (result.places.length < lookup.limit && reader.missingPartitions().length === 0)
        whole.set(key, { lookup, result });
    return keyed.map((one) => one.result ?? fresh.get(one)!);
  };
}

/** The first places of a whole list, as the engine would return them; `undefined` for an order that it has otherwise. */
function inItsOrder(
  { order, limit }: PlaceLookup,
  { lookup, result }: { readonly lookup: PlaceLookup; readonly result: LookupResult },
): LookupResult | undefined {
  const { places, total } = result;
  if (isDeepStrictEqual(order, lookup.order)) return { places: places.slice(0, limit), total };
  if (order?.by !== "rating" && order?.by !== "prominence") return undefined;
  return { places: places.toSorted((one, other) => compareBy(order.by, one, other)).slice(0, limit), total };
}

/** Reads no more for a request with a shape than it may. Rejects with 422 `query_too_expensive` where that is not enough. */
function refusingShapes({ refinements }: SearchRequest, findPlaces: FindPlaces): FindPlaces {
  const shape = refinements?.route ? "route" : refinements?.polygon && "polygon";
  if (shape === undefined) return findPlaces;
  let left = LOOKUPS.mostForShape;
  return async (lookups) => {
    const mayRead = lookups.reduce((sum, { limit }) => sum + limit, 0);
    // Counting costs next to nothing.
    const counts = mayRead > left ? await findPlaces(lookups.map((lookup) => ({ ...lookup, limit: 0 }))) : [];
    const willRead = counts.reduce(
      (sum, { total }, index) => sum + Math.min(total, lookups[index]!.limit),
      0,
    );
    if (willRead > left) throw queryTooExpensive(shape);
    const found = await findPlaces(lookups);
    left -= found.reduce((sum, { places }) => sum + places.length, 0);
    return found;
  };
}

/** Reads each summary once: wishes need those of places that the page shows, and two searches of a request may need the same at once. */
function rememberSummaries(read: ReadSummaries): ReadSummaries {
  const known = new Map<string, PlaceSummaryDocument>();
  const reads = new Map<string, Promise<void>>();
  const remember = async (places: Parameters<ReadSummaries>[0]): Promise<void> => {
    for (const [id, summary] of await read(places)) known.set(id, summary);
  };
  return async (places) => {
    const missing = places.filter(({ id }) => !reads.has(id));
    const reading = missing.length > 0 ? remember(missing) : undefined;
    if (reading) for (const { id } of missing) reads.set(id, reading);
    await Promise.all(places.map(({ id }) => reads.get(id)!));
    return known;
  };
}

/** One request under way. All its lookups share one deadline. */
interface Search extends Omit<RankedSearch, "centre" | "now" | "wanted">, Pick<ExactSearch, "withoutMatch"> {
  readonly request: SearchRequest;
  /** Reads what the response shows of places. */
  readonly readPage: ReadSummaries;
  readonly missingPartitions: () => readonly number[];
}

/** A place with its distance from the caller, and whether the opening wish of its reading was left out. */
interface ShownPlace extends ScoredPlace {
  readonly isWishDropped: boolean;
}

/** The list that a page is cut from. */
interface FoundList {
  readonly places: readonly ShownPlace[];
  readonly reading: Reading;
  readonly landmarkNotFound?: LandmarkReading;
}

/**
 * The whole list that the requested page is cut from. Places of the deep pool follow those of the first pool, so the order
 * of earlier pages does not depend on how far a caller pages.
 */
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
async function findSorted(search: Search, sort: Exclude<SortOrder, "relevance">): Promise<FoundList> {
  const { query, offset, limit, refinements } = search.request;
  const reading = search.readings.readings[0] ?? search.readings.plain;
  const exact = await findExactList(search, sort, offset + limit);
  if (exact) return { places: toShown(exact), reading: exact.places[0]?.reading ?? reading };
  if (query === "") return { places: [], reading };
  const found = await findInPool(search, DEEP_WANTED, 0);
  const isScoped = sort === "distance" || isInPart(refinements);
  const widest = isScoped ? Infinity : Math.max(...SCOPES_METERS);
  const sorted = inSortOrder(found.places, sort, refinements?.route).filter(
    (place) => place.distanceMeters <= widest,
  );
  return { ...found, places: await atTheirHours(sorted, offset + limit, search) };
}

/** The order that the request asks for, without places that match badly. */
function inSortOrder(
  ranked: readonly ShownPlace[],
  sort: Exclude<SortOrder, "relevance">,
  route: Route | undefined,
): readonly ShownPlace[] {
  const relevant = ranked.filter(
    ({ features: { missing = 0 } }) => missing <= MATCHING.mostMissingWhenSorted,
  );
  if (sort === "detour" && route) return inDetourOrder(relevant, route);
  if (sort === "distance" || sort === "detour")
    return relevant.toSorted((a, b) => a.distanceMeters - b.distanceMeters);
  if (sort === "prominence") return relevant.toSorted((a, b) => b.place.prominence - a.place.prominence);
  return relevant.toSorted((a, b) => b.place.rating - a.place.rating);
}

/** By relevance, as far as the request pages. */
async function findRelevant(search: Search): Promise<FoundList> {
  const { offset, limit } = search.request;
  const first = await findInPool(search, LOOKUPS.page, offset + limit);
  const isFirstPage = offset + limit <= LOOKUPS.page;
  if (isFirstPage || !first.isCut || first.places.length >= offset + limit) return first;
  const deep = await findInPool(search, DEEP_WANTED, offset + limit);
  return { ...first, places: withOthers(first.places, deep.places) };
}

interface FoundInPool extends FoundList {
  readonly isCut: boolean;
}

/** With limits that leave no round more to read than it may. */
const readingAtMost =
  (most: number, findPlaces: Search["findPlaces"]): Search["findPlaces"] =>
  (lookups) => {
    const all = lookups.reduce((sum, { limit }) => sum + limit, 0);
    if (all <= most) return findPlaces(lookups);
    return findPlaces(
      lookups.map((lookup) => ({ ...lookup, limit: Math.ceil((lookup.limit * most) / all) })),
    );
  };

/** Reads candidates for `wanted` places. Checks the hours of the first `needed`; with 0, the caller does. */
async function findInPool(search: Search, wanted: number, needed = Infinity): Promise<FoundInPool> {
  const { centre, now, refinements = {}, preferred } = search.request;
  const find = (limits: Where): Promise<Ranked> =>
    findRanked({
      ...search,
      ...(wanted > LOOKUPS.page && { findPlaces: readingAtMost(LOOKUPS.mostInRound, search.findPlaces) }),
      centre,
      now,
      wanted,
      contextAt: (where) => search.contextAt({ ...limits, ...where }),
    });
  const ranked = preferred
    ? preferring(preferred, await Promise.all([find({}), find({ bounds: preferred })]), search.weights)
    : await find({});
  const { reading, isCut, isWishDropped, landmarkNotFound } = ranked;
  // A reading may look around another centre, such as that of an area.
  const found = ranked.places.map((scored) => ({
    ...scored,
    isWishDropped,
    distanceMeters: distanceMeters(centre, scored.place.location),
  }));
  const inside = found.filter(({ place }) => isInside(refinements, centre, place.location));
  const places = needed === 0 ? inside : await atTheirHours(inside, needed, search);
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
    isWishDropped: first.isWishDropped && second.isWishDropped,
    isCut: first.isCut || second.isCut,
  };
}

/** The index filters opening hours and busyness roughly; the hours themselves decide. Returns the first places, `needed` at least. */
async function atTheirHours(
  places: readonly ShownPlace[],
  needed: number,
  { readSummaries, request: { refinements = {} } }: Search,
): Promise<ShownPlace[]> {
  if (!hasHours(refinements)) return [...places];
  const isThen = async (some: readonly ShownPlace[]): Promise<ShownPlace[]> => {
    const summaries = await readSummaries(some.map(({ place }) => place));
    return some.filter(({ place }) => {
      const summary = summaries.get(place.id);
      return summary !== undefined && isAtItsHours(summary, refinements);
    });
  };
  const first = await isThen(places.slice(0, needed + LOOKUPS.spare));
  return first.length >= needed ? first : [...first, ...(await isThen(places.slice(needed + LOOKUPS.spare)))];
}

async function findPlacesOfPage(search: Search): Promise<FoundPlaces> {
  const { offset, limit, isCounted } = search.request;
  // First: what it has read, and that nothing matches, the list need not find out again.
  const { total, ...known } = isCounted ? await countMatches(search) : {};
  const { places, ...understood } = await findList({ ...search, ...known });
  const found = await toFound(places.slice(offset, offset + limit), search);
  return { ...found, ...understood, ...(total !== undefined && { total }) };
}

/** What a caller may be typing: names that begin so, and what the words mean as a search does. */
async function findSuggested(search: Search): Promise<FoundPlaces> {
  const { query, limit } = search.request;
  const typed = readQueryWords(query);
  if (typed.joined === "") return toFound([], search);
  const suggesting = { ...search, suggesting: typed };
  const { places } = await findInPool(suggesting, Math.max(LOOKUPS.suggestions, 2 * limit));
  return toFound(firstOfEachName(places, typed, limit).slice(0, limit), search);
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

const OF_PROMINENCE: ReadonlySet<string> = new Set<FeatureName>([
  "prominence",
  "notable",
  "closed",
  "closed_by_name",
]);

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
