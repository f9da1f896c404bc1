import type { LookupResult, PlaceLookup } from "../meilisearch/place-index.ts";
import { distanceMeters, type Coordinates } from "../place/geometry/coordinates.ts";
import { isCrowded, type Intent, type Want } from "./intents.ts";
import { namesOfArea, saysArea } from "./match-address.ts";
import { isCalled } from "./match-name.ts";
import { sumOfNumbers, type Compare, type Words } from "./match-words.ts";
import { AREAS, LOOKUPS, PLACES } from "./numbers.ts";
import type { QueryReadings } from "./reading/read-query.ts";
import type { Reading } from "./reading/reading.ts";
import type { TypedWords } from "./reading/tokens.ts";
import type { RequestReader } from "./request-reader.ts";
import type { Ring } from "./rings.ts";
import { bestOfEach, logDistance, scorePlace, type ScoredPlace, type Weights } from "./score.ts";
import { inRing, type SearchContext, type Where } from "./search-context.ts";

/** Where wants are looked up, and the places that the lookups of a search find, each with its best score. */

/** One request under way. */
export interface RankedSearch extends Pick<RequestReader, "findPlaces" | "readSummaries"> {
  readonly readings: QueryReadings;
  readonly words: Words;
  /** How a place matches a reading: worked out once, also when several rounds and pools find it. */
  readonly compareWith: (reading: Reading) => Compare;
  readonly centre: Coordinates;
  readonly now: Temporal.Instant | undefined;
  readonly wanted: number;
  /** How many candidates one round reads at most. */
  readonly mostInRound?: number;
  /** For a later page: its places follow those of a search that has looked for mistyped and unsaid landmarks. */
  readonly isDeeper?: boolean;
  readonly contextAt: (where: Where) => SearchContext;
  /** The words of a query that is still being typed: names that begin so are looked up too. */
  readonly suggesting?: TypedWords;
  readonly weights: Weights;
  /** Receives every place for every reading that it matches, for whoever fits the weights. */
  readonly onScored?: (scored: ScoredPlace) => void;
}

/** A want of an intent. */
export interface Asking {
  readonly intent: Intent;
  readonly want: Want;
  /** Finds a landmark, which is no result. */
  readonly isAnchor?: boolean;
  /** Finds it in another spelling, one letter away. */
  readonly isRespelled?: boolean;
  readonly ring?: Ring;
  readonly isOutside?: boolean;
}

export interface Answer extends Asking {
  readonly ring: Ring;
  readonly context: SearchContext;
  readonly result: LookupResult;
  /** Its round would have read more than it may. */
  readonly isBounded: boolean;
}

/** What an intent asks for first: where its landmark is, or its places. */
export const wantsOf = (intent: Intent): Asking[] =>
  intent.anchor
    ? intent.anchor.map((want) => ({ intent, want, isAnchor: true }))
    : intent.wants.map((want) => ({ intent, want }));

/** The ring in which a want is looked up first; for words of a street one that holds no more places than the engine sorts. */
export function firstRing(want: Want, context: SearchContext): Ring {
  const ring = ringFor(want, context);
  return isCrowded(want) && ring.places > LOOKUPS.mostSorted
    ? context.rings.holding(LOOKUPS.mostSorted)
    : ring;
}

/** The ring in which as many match as are wanted, if they are as many everywhere. */
export function ringFor(
  { expected, limit, where, order, within }: Want,
  { rings, places }: SearchContext,
): Ring {
  const { everywhere, holding } = rings;
  if (within !== undefined) return holding(within);
  if (order === "prominence") return everywhere;
  const inAll = expected * Math.min(1, everywhere.places / Math.max(1, places));
  if (inAll <= LOOKUPS.few) return everywhere;
  // An area has few of the places around its centre.
  const aimed = Math.min(LOOKUPS.mostSorted / 2, LOOKUPS.surplus * limit) * (where.areas ? 2 : 1);
  return holding((aimed * places) / expected);
}

/** The ring in which a want is looked up after one that held too few; `undefined` where that was everywhere. */
export function widerRing(want: Want, last: Ring, found: number, context: SearchContext): Ring | undefined {
  if (last.cells === undefined || want.order !== "distance") return undefined;
  // What the narrow ring held says more than what was expected.
  const expected = Math.min(want.expected, ((found + 1) * context.places) / Math.max(1, last.places));
  const { everywhere, holdingMoreThan } = context.rings;
  const wanted = want.expected <= LOOKUPS.mostSorted ? everywhere : ringFor({ ...want, expected }, context);
  const next = wanted.places > last.places ? wanted : holdingMoreThan(last.places);
  // Where nothing is near, all may be far away, and an area has few of them.
  if (found === 0 || want.where.areas) return next;
  const cheap = cheaplySorted(want.expected, expected, context);
  return cheap.places > last.places && cheap.places < next.places ? cheap : next;
}

/**
 * The widest ring in which the engine sorts a few thousand matches without the positions of all places; everywhere for fewer, and for more.
 * @param expected how many match at most
 * @param held how many match if they are as many everywhere as in the last ring
 */
function cheaplySorted(expected: number, held: number, { rings, places }: SearchContext): Ring {
  const isRare = (count: number): boolean => count <= LOOKUPS.rare * LOOKUPS.mostSorted;
  const most = LOOKUPS.sortedOfRare * LOOKUPS.mostSorted;
  const all = isRare(expected) ? expected : LOOKUPS.unsure * held;
  return all > most && isRare(all) ? rings.holding((most * places) / all) : rings.everywhere;
}

/** A want as a lookup in a ring. */
export const toLookup = (
  { filter, limit, order, joinedName }: Want,
  ring: Ring,
  { centre }: SearchContext,
): PlaceLookup => ({
  filter: inRing(filter, ring),
  limit,
  ...(joinedName !== undefined && { joinedName }),
  ...(order === "distance" && { order: { by: "distance", from: centre } }),
});

/** A want whose ring held too few, in a wider one. */
export function widen({ intent, want, isAnchor, ring, context, result, isBounded }: Answer): Asking[] {
  const { places, total } = result;
  // Of a ring that the bound of a round left unread in part, a wider one has the same places.
  if (total >= want.limit || (isBounded && places.length < total) || isAnchor) return [];
  const wider = widerRing(want, ring, total, context);
  return wider ? [{ intent, want, ring: wider }] : [];
}

/** An asking with its lookup. */
interface Prepared extends Asking {
  readonly context: SearchContext;
  readonly ring: Ring;
  readonly lookup: PlaceLookup;
  readonly key: string;
}

export type Candidates = ReturnType<typeof createCandidates>;

/** Collects candidates in rounds, each one request, and ranks them. */
export function createCandidates(search: RankedSearch) {
  /** How many places each lookup has asked for. */
  const asked = new Map<string, number>();
  let ranked: readonly ScoredPlace[] = [];
  let isCut = false;

  // The wants of a reading are looked up in one place, and so are those of many readings.
  const contexts = new Map<Where, SearchContext>();
  const prepare = (asking: Asking): Prepared => {
    const context = contexts.getOrInsertComputed(asking.want.where, search.contextAt);
    // What the first round finds too few of is looked up again in a wider ring; a landmark is not.
    const mayWiden = asked.size === 0 && !asking.isAnchor;
    const ring = asking.ring ?? (mayWiden ? firstRing : ringFor)(asking.want, context);
    const lookup = context.restrict(toLookup(asking.want, ring, context));
    return { ...asking, context, ring, lookup, key: JSON.stringify({ ...lookup, limit: 0 }) };
  };

  return {
    /** @param isLast the last round may send `LOOKUPS.inLastRound` lookups, whatever was sent before. */
    collect: async (askings: readonly Asking[], isLast = false): Promise<Answer[]> => {
      // Readings of the same words have the same lookups. Those of a round come in the order of their use.
      const prepared = askings.map(prepare).filter(({ key, lookup }) => lookup.limit > (asked.get(key) ?? 0));
      const all = new Map<string, Prepared>();
      for (const one of prepared)
        if (one.lookup.limit > (all.get(one.key)?.lookup.limit ?? 0)) all.set(one.key, one);
      const left = LOOKUPS.mostInSearch - asked.size;
      const fresh = [...all.values()].slice(0, isLast ? Math.max(left, LOOKUPS.inLastRound) : left);
      if (fresh.length === 0) return [];
      const share = Math.min(
        1,
        (search.mostInRound ?? Infinity) / sumOfNumbers(fresh.map(({ lookup }) => lookup.limit)),
      );
      const results = await search.findPlaces(
        fresh.map(({ lookup }) => ({ ...lookup, limit: Math.ceil(share * lookup.limit) })),
      );
      const byKey = new Map(fresh.map(({ key }, index) => [key, results[index]!]));
      for (const { key, lookup } of fresh) asked.set(key, lookup.limit);
      const answers = prepared.flatMap((one): Answer[] => {
        const result = byKey.get(one.key);
        if (!result) return [];
        const places = result.places.slice(0, one.lookup.limit);
        return [{ ...one, result: { ...result, places }, isBounded: share < 1 }];
      });
      isCut ||= answers.some(({ result: { total, places } }) => total > places.length);
      const found = answers.filter(({ isAnchor }) => !isAnchor).flatMap((answer) => scoreAll(answer, search));
      found.forEach((scored) => search.onScored?.(scored));
      ranked = bestOfEach([...ranked, ...found]);
      return answers;
    },
    /** Best first: each place once, with the reading that it matches best. */
    ranked: () => ranked,
    /** More places may match than were looked up. */
    isCut: () => isCut,
  };
}

function scoreAll({ intent, result, isOutside = false }: Answer, search: RankedSearch): ScoredPlace[] {
  const { reading, centre, houses } = intent;
  const farArea = reading.area && !reading.landmark ? farFrom(search.centre, reading.area.centre) : 0;
  const compare = search.compareWith(reading);
  const names = isOutside ? namesOfArea(reading.area) : [];
  const found = result.places.flatMap((place) => {
    const match = compare(place);
    return match ? [{ place, match }] : [];
  });
  return withoutKindByType(found, reading).map(({ place, match }) => {
    const at = { centre, houses, isOutside: isOutside && !saysArea(place, names), farArea };
    return scorePlace({ place, match, reading }, at, search.weights);
  });
}

/** Of a chain it does not matter which branches say the kind: who types "ngân hàng vietinbank" wants the nearest "VietinBank". */
function withoutKindByType<One extends Pick<ScoredPlace, "place" | "match">>(
  found: readonly One[],
  { name }: Reading,
): readonly One[] {
  const isBranch = ({ match, place }: One): boolean =>
    match.features.kind_by_type === 1 && isCalled(place, name.joined);
  if (found.filter(isBranch).length < PLACES.branchesOfChain) return found;
  return found.map((one) => {
    const { kind_by_type: _, ...features } = one.match.features;
    return { ...one, match: { ...one.match, features } };
  });
}

/** An area of the caller's own city is no further than any other. */
const farFrom = (caller: Coordinates, area: Coordinates): number =>
  Math.max(0, logDistance(distanceMeters(caller, area)) - logDistance(AREAS.ownCityMeters));
