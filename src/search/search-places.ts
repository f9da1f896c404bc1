import type { Census, PlaceIndex, PlaceLookup } from "../meilisearch/place-index.ts";
import type { StoredVocabulary } from "../meilisearch/stored-vocabulary.ts";
import { queryTooExpensive } from "../errors.ts";
import { within } from "../meilisearch/deadline.ts";
import { isInArea } from "../place/geometry/areas.ts";
import type { AskedRecord } from "../same-place/likelihood.ts";
import { createCensusReader, type CensusReader } from "./census-reader.ts";
import { findPlacesOfPage, findSuggested, rankAllWays, type Candidate, type Search } from "./find-page.ts";
import { hasHours } from "./hours.ts";
import { compareOnce } from "./match.ts";
import { findCandidates, matchRecords, type MatchCandidate, type MatchContext } from "./match-records.ts";
import { LOOKUPS, RINGS } from "./numbers.ts";
import { completeQuery } from "./reading/complete-query.ts";
import { readQuery } from "./reading/read-query.ts";
import { createRequestReader, type FindPlaces } from "./request-reader.ts";
import { countTypes } from "./rings.ts";
import { WEIGHTS, type Weights } from "./score.ts";
import { createContexts } from "./search-context.ts";
import type { FoundPlaces, PlaceSearch, SearchRequest } from "./search-request.ts";
import { addressMeaningIn } from "./vocabulary/vocabulary.ts";

/**
 * How a place is found, from top to bottom:
 * 1. `readQuery` says what the query may mean (reading/, with the words of vocabulary/ and those of the dataset, lexicon.ts);
 * 2. `toIntent` says what to look up for each reading (intents.ts), and a context where (search-context.ts, rings.ts);
 * 3. `findRanked` looks it up in at most three rounds (find-places.ts);
 * 4. each candidate is compared with its reading (match.ts) and scored by one table of weights (score.ts, weights.json);
 * 5. the list is made in its order, and the page cut from it (find-page.ts); all reads of a request are in request-reader.ts.
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
    const places = known?.places ?? RINGS.assumedPlaces;
    const counted = { lexicon, countTypes: countTypesIn(known) };
    const readings = readQuery(asked.query, vocabulary, { near: asked.centre, ...counted });
    const request = { ...asked, centre: readings.readings[0]?.point ?? asked.centre };
    const reader = createRequestReader(index, request, signal);
    const findPlaces = refusingShapes(asked, reader.findPlaces);
    const words = { ...counted, light: readings.light, places, addressMeaning: addressMeaningIn(vocabulary) };
    return {
      ...reader,
      request,
      readings,
      findPlaces,
      weights,
      words,
      compareWith: compareOnce(words),
      contextAt: createContexts(findPlaces, request, known),
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
  const again = (find: (search: Search) => Promise<FoundPlaces>): PlaceSearch["search"] =>
    againWithNewWords(census, (request, signal) => run(request, signal, find));
  return {
    prepared: census.settled(),
    complete: (query, near, limit) =>
      completeQuery(query, { vocabulary: census.vocabulary(), near, census: census.latest(), limit }),
    ...createFacts(index, census),
    epoch: () => (census.latest(), census.epoch()),
    rank: (request) => run(request, undefined, rankAllWays),
    search: again(findPlacesOfPage),
    suggest: again(findSuggested),
    ...createMatcher(index, census, deadlineMs),
  };
}

/** How many places have one of some types; before they are counted, as many as have a common kind. */
const countTypesIn =
  (known: Census | undefined) =>
  (types: readonly string[]): number =>
    known ? countTypes(known, types) : RINGS.commonShare * RINGS.assumedPlaces;

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

/** What was looked up by the words of an index that was replaced meanwhile, and not found, is looked up by those of the new one. */
const againWithNewWords =
  (census: CensusReader, find: PlaceSearch["search"]): PlaceSearch["search"] =>
  async (request, signal) => {
    const known = census.latest();
    const found = await find(request, signal);
    const isOld = found.places.length === 0 && (await census.isNewerThan(known));
    return isOld ? find(request, signal) : found;
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

/** Without an order: to sort what is only counted takes the engine as long. */
function toCount({ filter, joinedName }: PlaceLookup): PlaceLookup {
  return { filter, limit: 0, ...(joinedName !== undefined && { joinedName }) };
}

/** Reads no more for a request with a shape than it may. Rejects with 422 `query_too_expensive` where that is not enough. */
function refusingShapes({ refinements }: SearchRequest, findPlaces: FindPlaces): FindPlaces {
  const shape = refinements?.route ? "route" : refinements?.polygon && "polygon";
  if (shape === undefined) return findPlaces;
  let left = LOOKUPS.mostForShape;
  return async (lookups) => {
    const mayRead = lookups.reduce((sum, { limit }) => sum + limit, 0);
    const counts = mayRead > left ? await findPlaces(lookups.map(toCount)) : [];
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
