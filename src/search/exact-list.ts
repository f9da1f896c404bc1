import {
  compareBy,
  type LookupResult,
  type PlaceCandidate,
  type PlaceFilter,
  type PlaceLookup,
} from "../meilisearch/place-index.ts";
import { boundsInside, distanceMeters, intersectBounds } from "../place/geometry/coordinates.ts";
import { MOST_BUSY_COUNTED, MOST_COUNTED } from "../place/request-defaults.ts";
import type { Circle, Ring } from "./rings.ts";
import { withOthers, type ScoredPlace } from "./score.ts";
import { inRing, partsOf } from "./search-context.ts";
import { detourMeters, isInShape, surelyInAll, toPart, type Route } from "../place/geometry/shapes.ts";
import type { SearchRequest, SortOrder } from "./search-request.ts";
import { firstAtHours } from "./hours.ts";
import { EXACT_LISTS, LOOKUPS } from "./numbers.ts";
import { matchingsOf, type ExactSearch, type Matching, type Meaning } from "./exact-matching.ts";

/**
 * Lists that equal sorting all places that match: by distance, by rating, by prominence, by detour, and the number of matches. What
 * matches is in exact-matching.ts. Of the readings of a query, the first that any place matches counts.
 */

/** An order that is exact. */
export type ExactOrder = Exclude<SortOrder, "relevance">;

/** The first places of a list: as many as were wanted, or all there are. */
export interface ExactList {
  readonly places: readonly ScoredPlace[];
  /** True when no place has the opening hours that the query wishes, and they were left out. */
  readonly isWishDropped: boolean;
}

/** What the count of a request found out about the meaning that it counted. */
interface Counted {
  readonly total: number;
  /** How many meanings no place matches before it. */
  readonly withoutMatch?: number;
  /** The places that it read, in the order of the index, and how many the filter of the meaning lets through. */
  readonly read?: LookupResult;
  /** The list itself, where it was counted instead. */
  readonly list?: readonly ScoredPlace[];
}

/** So that the list of a request does not read again what its count has read: the engine and we take 40 µs for each place. */
const countedOf = new WeakMap<SearchRequest, Counted>();

/** The first `needed` places in the order; `undefined` when no place matches any reading exactly. */
export async function findExactList(
  search: ExactSearch,
  sort: ExactOrder,
  needed: number,
): Promise<ExactList | undefined> {
  let { withoutMatch = 0, list, read } = countedOf.get(search.request) ?? {};
  for (const { matching, isWishDropped } of matchingsOf(search, sort).drop(withoutMatch)) {
    const places = list ?? (await findSorted(matching, sort, needed, read));
    if (places.length > 0) return { places, isWishDropped };
    // They are of the first of these meanings.
    [list, read] = [undefined, undefined];
  }
  return undefined;
}

function findSorted(
  matching: Matching,
  sort: ExactOrder,
  needed: number,
  read?: LookupResult,
): Promise<readonly ScoredPlace[]> {
  const { route } = matching.geometry;
  if (read && read.places.length === read.total)
    return firstAtHours(inOrder(matching.compare(read.places), sort, route), needed, matching.atHours);
  // The index has these orders.
  if (sort === "rating" || sort === "prominence") return findFirst(matching, sort, needed);
  return sort === "detour" && route ? findInCorridor(matching, route, needed) : findNearest(matching, needed);
}

/** By distance, by detour, or as the engine sorts by rating and by prominence. A list by detour without a route is one by distance. */
export function inOrder<One extends ScoredPlace>(
  places: readonly One[],
  sort: ExactOrder,
  route: Route | undefined,
): One[] {
  if (sort === "rating" || sort === "prominence")
    return places.toSorted((one, other) => compareBy(sort, one.place, other.place));
  return sort === "detour" && route ? inDetourOrder(places, route) : inDistanceOrder(places);
}

/** How many places match exactly, at most `MOST_COUNTED`, or with `busy_max` `MOST_BUSY_COUNTED`. */
export async function countMatches(search: ExactSearch): Promise<number> {
  const { request } = search;
  const most = request.refinements?.busy ? MOST_BUSY_COUNTED : MOST_COUNTED;
  const sort = orderToCount(request, most);
  let [counted, withoutMatch]: [Counted, number] = [{ total: 0 }, 0];
  for (const meaning of matchingsOf(search, request.sort)) {
    const list = sort && (await findSorted(meaning.matching, sort, most));
    counted = list ? { total: list.length, list } : await countParts(meaning, most, readByList(request));
    if (counted.total > 0) break;
    withoutMatch += 1;
  }
  countedOf.set(request, { ...counted, withoutMatch });
  return Math.min(counted.total, most);
}

/** The order of a list that goes more than half as far as is counted: it is read to there, instead of other places to count them. */
function orderToCount({ sort, offset, limit }: SearchRequest, most: number): ExactOrder | undefined {
  if (sort === undefined || sort === "relevance" || sort === "detour") return undefined;
  return 2 * (offset + limit) > most ? sort : undefined;
}

/** About how many places of a shape the list of a request reads: those of a way to and fro all lie in its narrowest corridor. */
const readByList = ({ sort, offset, limit }: SearchRequest): number =>
  sort === "detour" ? EXACT_LISTS.mostReadWhole : EXACT_LISTS.areaSurplus * (offset + limit);

/** The matches among the candidates, in their order. */
const check = ({ compare, atHours }: Matching, places: readonly PlaceCandidate[]) => atHours(compare(places));

/** The engine's distances and ours differ by less, and so do places that it takes for equally far. */
const SORT_ERROR_METERS = 2;

/**
 * The nearest matches. The engine sorts those of an area, which surely holds every place up to its reach; the list is complete
 * when enough matches lie within this reach. What was read whole is not read again with a wider area. If there are few matches in all,
 * all of them are sorted.
 */
async function findNearest(matching: Matching, needed: number): Promise<readonly ScoredPlace[]> {
  const { share, context, geometry } = matching;
  const { radiusMeters = Infinity } = geometry;
  const { rings, centre } = context;
  let area = firstArea((EXACT_LISTS.areaSurplus * needed) / Math.max(share, Number.EPSILON), matching);
  let limit = needed + LOOKUPS.spare;
  let everywhere = Infinity;
  // Of a share that is known, the first area mostly holds enough; counting the matches of a whole index costs more.
  let isCounted = matching.isShareGuessed;
  let known: Known = { matches: [], places: 0 };
  for (let round = 1; ; round += 1) {
    if (round > EXACT_LISTS.mostAreas) area = rings.everywhere;
    const lookups = lookupsIn(area, known.area, limit, matching);
    const [result, all] = await context.lookUp(lookups.slice(0, isCounted ? 2 : 1));
    if (result === undefined) return [];
    if (isCounted) everywhere = all?.total ?? 0;
    const isWhole = result.total <= limit;
    const areaReach = area.cells === undefined ? Infinity : area.reachMeters();
    const last = result.places.at(-1);
    const listReach = isWhole || !last ? Infinity : distanceMeters(centre, last.location) - SORT_ERROR_METERS;
    const reach = Math.min(areaReach, listReach);
    // A place that was moved meanwhile is where it was read last.
    const matches = inDistanceOrder(withOthers(await check(matching, result.places), known.matches));
    const sure = matches.filter((place) => place.distanceMeters <= reach);
    if (sure.length >= needed || reach > radiusMeters || (isWhole && reach === Infinity)) return sure;
    const letThrough = known.places + result.total;
    if (isWhole && result.total >= EXACT_LISTS.keptFrom) known = { area, matches, places: letThrough };
    if (listReach < areaReach) {
      const growth = (EXACT_LISTS.limitSurplus * needed) / sure.length;
      limit = Math.ceil(limit * Math.min(EXACT_LISTS.limitGrowth, growth));
    } else if (everywhere <= LOOKUPS.mostSorted) {
      area = rings.everywhere;
      limit = LOOKUPS.mostSorted;
    } else {
      const furthest = matches[needed - 1]?.distanceMeters;
      const most = (known.places + LOOKUPS.mostSorted / 2) / Math.max(1, letThrough);
      area = nextArea(area, { needed, sure: sure.length, furthest, most }, matching);
      // Of a wider area as many match as of this one: a lookup that was cut short has to be sent again.
      const read = letThrough / Math.max(1, matches.length);
      const wanted = (needed + LOOKUPS.spare) * Math.min(EXACT_LISTS.limitGrowth, read);
      // Not to go through all positions again for a few places more.
      const enough = sortsAllPositions(area, matching)
        ? Math.min(EXACT_LISTS.limitGrowth * wanted, LOOKUPS.mostSorted)
        : wanted;
      limit = Math.max(limit, Math.ceil(wanted), Math.ceil(enough));
      // Where a ring held too few, there may be few in all.
      isCounted = everywhere === Infinity && !("placesInCells" in area);
    }
  }
}

/** True where the engine goes through all positions of a large index to sort what matches. */
const sortsAllPositions = (area: Ring | Circle, { share, context }: Matching): boolean =>
  context.places >= EXACT_LISTS.manyPositions &&
  ("placesInCells" in area ? area.placesInCells : area.places) * share > LOOKUPS.mostSorted;

/** The nearest in an area but for what was read, and the number of all that the filter lets through anywhere. */
function lookupsIn(area: Ring, read: Ring | undefined, limit: number, matching: Matching): PlaceLookup[] {
  const { share, context, geometry, withoutNames } = matching;
  // Of a rectangle far from the centre, what lies just outside comes first, and the engine would return all of it.
  const isDense = area.places * share >= EXACT_LISTS.matchesForBounds;
  const { bounds } = geometry;
  const filter = bounds && isDense ? { ...matching.filter, inside: bounds } : matching.filter;
  const unread = read ? { ...filter, noneOf: [inRing({}, read)] } : filter;
  const order = { by: "distance", from: context.centre } as const;
  return [
    { filter: inRing(unread, area), order, limit, withoutNames },
    { filter, limit: 0 },
  ];
}

/** What was read whole: an area, its matches, and how many places the filter lets through there. */
interface Known {
  readonly area?: Ring;
  readonly matches: readonly ScoredPlace[];
  readonly places: number;
}

/** A ring, and where it holds many matches, a circle, which costs 0.3 ms to draw. */
function firstArea(places: number, matching: Matching): Ring {
  const { share, context } = matching;
  const { rings } = context;
  const ring = rings.holdingMoreThan(places);
  if (ring.places * share < EXACT_LISTS.matchesForBounds) return ring;
  const circle = rings.circleHolding(places);
  if (circle) return fit(circle, matching);
  return ring.places * share <= LOOKUPS.mostSorted ? ring : rings.holding(places);
}

interface Found {
  readonly needed: number;
  /** How many are the nearest for certain. */
  readonly sure: number;
  /** As far away as the last of those that are needed can be; `undefined` when fewer were found. */
  readonly furthest: number | undefined;
  /** By how much the area may grow: with what was not read, it should not hold more than the engine sorts cheaply. */
  readonly most: number;
}

/** A wider area than the last: at most as wide as the places that were found. */
function nextArea(last: Ring, { needed, sure, furthest = Infinity, most }: Found, matching: Matching): Ring {
  const { share, context } = matching;
  const { rings } = context;
  const wanted = Math.max(EXACT_LISTS.leastGrowth, (EXACT_LISTS.areaSurplus * needed) / Math.max(1, sure));
  const growth = Math.min(Math.max(EXACT_LISTS.leastGrowth, most), wanted);
  const places = Math.max(1, last.places);
  const whole = rings.circle(furthest);
  const isCheap = whole !== undefined && whole.placesInCells * share <= LOOKUPS.mostSorted;
  const guess = isCheap
    ? undefined
    : rings.circleHolding(Math.min(EXACT_LISTS.growthOfCircle, growth) * places);
  const isNarrower = guess !== undefined && guess.reachMeters() < furthest;
  const circle = isNarrower && guess.reachMeters() > last.reachMeters() ? guess : whole;
  if (circle && circle.reachMeters() > last.reachMeters()) return fit(circle, matching);
  const area = firstArea(Math.min(EXACT_LISTS.growthOfRing, growth) * places, matching);
  return area.places > last.places ? area : rings.holdingMoreThan(last.places);
}

/** Without the rectangle where that costs more than it saves; of smaller cells where large ones hold too many beyond the circle. */
function fit(circle: Circle, { share, context }: Matching): Ring {
  const { bounds, ...withoutBounds } = circle;
  const matches = circle.placesInCells * share;
  if (matches < EXACT_LISTS.matchesForBounds) return withoutBounds;
  if (matches <= LOOKUPS.mostSorted) return { ...withoutBounds, bounds };
  const close = context.rings.circle(circle.reachMeters(), { isClose: true });
  return { ...(close ?? circle), places: circle.places };
}

const inDistanceOrder = <One extends ScoredPlace>(places: readonly One[]): One[] =>
  places.toSorted((a, b) => a.distanceMeters - b.distanceMeters || (a.place.id < b.place.id ? -1 : 1));

/**
 * The matches with the least detour, from narrow corridors to wider ones, of which only the rest is read. Of one that holds too many to
 * read, its most prominent follow.
 */
async function findInCorridor(
  matching: Matching,
  route: Route,
  needed: number,
): Promise<readonly ScoredPlace[]> {
  const { filter, context, compare, atHours, withoutNames } = matching;
  const { mostReadWhole, mostInCorridor, narrowestCorridor, leastGrowth, growthOfRing } = EXACT_LISTS;
  const { places: inAll } = context.rings.everywhere;
  const wanted = EXACT_LISTS.areaSurplus * needed;
  // Those that are let through, of all places.
  const [counted = { total: 0 }] = await context.lookUp([{ filter, limit: 0, withoutNames }]);
  const limit = counted.total <= mostReadWhole ? counted.total : mostInCorridor;
  let share = counted.total / Math.max(1, inAll);
  let [sure, sureMeters]: [readonly ScoredPlace[], number] = [[], -1];
  let [matches, read, noneOf]: [readonly ScoredPlace[], number, readonly PlaceFilter[]] = [[], 0, []];
  let radiusMeters = counted.total > LOOKUPS.few ? (route.radiusMeters * wanted) / counted.total : Infinity;
  for (;;) {
    const least = Math.max(narrowestCorridor, sureMeters);
    radiusMeters = Math.max(least, radiusMeters);
    const part = radiusMeters < route.radiusMeters ? { line: route.line, radiusMeters } : route;
    const { cells, places } =
      part === route ? { cells: undefined, places: inAll } : context.coverOf([toPart(part)]);
    if (places * share > limit && radiusMeters > leastGrowth * least) {
      radiusMeters = Math.sqrt(least * Math.min(radiusMeters, route.radiusMeters));
      continue;
    }
    const [rest = { places: [], total: 0 }] = await context.lookUp([
      { filter: { ...filter, ...(cells && { cells }), noneOf }, limit: limit - read, withoutNames },
    ]);
    const total = read + rest.total;
    read += rest.places.length;
    if (cells) noneOf = [...noneOf, { cells }];
    matches = inDetourOrder([...matches, ...compare(rest.places)], route);
    if (total > limit || part === route) {
      const others = matches.filter(({ place }) => detourMeters(route, place.location) > 2 * sureMeters);
      return [...sure, ...(await firstAtHours(others, needed - sure.length, atHours))];
    }
    const inPart = matches.filter(({ place }) => isInShape(part, place.location));
    sureMeters = radiusMeters;
    sure = await firstAtHours(inPart, needed, atHours);
    if (sure.length >= needed) return sure;
    share = total / Math.max(1, places);
    radiusMeters *= Math.min(growthOfRing, Math.max(leastGrowth, wanted / Math.max(1, sure.length)));
  }
}

/** Of equal detours, by id. */
function inDetourOrder<One extends ScoredPlace>(places: readonly One[], route: Route): One[] {
  const measured = places.map((one) => ({ one, meters: detourMeters(route, one.place.location) }));
  return measured
    .toSorted((a, b) => a.meters - b.meters || (a.one.place.id < b.one.place.id ? -1 : 1))
    .map(({ one }) => one);
}

/** The best rated or the most prominent matches, in the order of the engine. */
async function findFirst(
  matching: Matching,
  by: "rating" | "prominence",
  needed: number,
): Promise<readonly ScoredPlace[]> {
  const limit = Math.ceil(EXACT_LISTS.inOrderSurplus * needed) + LOOKUPS.spare;
  const matchesAmong = (places: readonly PlaceCandidate[]) => check(matching, places);
  return (await readMatches(matching, needed, { order: { by }, limit }, matchesAmong)).matches;
}

/** Reads more and more of what the filter lets through, until enough of it matches. */
async function readMatches<Found>(
  { filter, context, withoutNames }: Matching,
  needed: number,
  lookup: Omit<PlaceLookup, "filter">,
  matchesAmong: (places: readonly PlaceCandidate[]) => Promise<readonly Found[]>,
): Promise<{ readonly matches: readonly Found[]; readonly read: LookupResult }> {
  let { limit } = lookup;
  for (;;) {
    const [read = { places: [], total: 0 }] = await context.lookUp([
      { withoutNames, ...lookup, filter, limit },
    ]);
    const { places, total } = read;
    const matches = await matchesAmong(places);
    if (matches.length >= needed || total <= limit) return { matches, read };
    // Where none matched, as if one had.
    const wanted = (EXACT_LISTS.limitSurplus * needed) / Math.max(1, matches.length);
    // In an order, the next places may match more often.
    const isBounded = lookup.order !== undefined && total > LOOKUPS.mostForShape;
    const next = Math.ceil(limit * (isBounded ? Math.min(EXACT_LISTS.limitGrowth, wanted) : wanted));
    limit = next > EXACT_LISTS.readWhole * total ? total + 1 : next;
  }
}

/** Far more than the engine's rectangles are larger than ours, and far less than places lie apart. */
const INSET_DEGREES = 1e-8;

/** Where every place matches, for all that the index knows, and where some of the others do. Together they hold all matches. */
interface Split {
  readonly sure: PlaceFilter;
  readonly unsure?: PlaceFilter;
}

const splitsOfCells = new WeakMap<readonly string[], Split | undefined>();

/** By the cells of its shape, which all readings share. */
function splitShape({ geometry, context }: Matching): Split | undefined {
  const cells = context.restrict({ filter: {}, limit: 0 }).filter.within?.[0] ?? [];
  return splitsOfCells.getOrInsertComputed(cells, () => {
    const sure = surelyInAll(partsOf(geometry, context.centre), cells);
    const unsure = cells.filter((cell) => !sure.includes(cell));
    return sure.length === 0 ? undefined : { sure: { cells: sure }, unsure: { cells: unsure } };
  });
}

/** A shape by its cells, a circle by the rectangle in it; `undefined` where no place is sure to match. */
function splitGeometry(matching: Matching): Split | undefined {
  const { geometry, context } = matching;
  const { radiusMeters, bounds } = geometry;
  if (geometry.polygon || geometry.route) return splitShape(matching);
  if (radiusMeters === undefined && bounds === undefined) return { sure: {} };
  const inCircle = radiusMeters === undefined ? bounds : boundsInside(context.centre, radiusMeters);
  const both = bounds && inCircle && intersectBounds(bounds, inCircle);
  const most = bounds ? both : inCircle;
  if (most === undefined) return undefined;
  const [west, south] = [most.west + INSET_DEGREES, most.south + INSET_DEGREES];
  const [east, north] = [most.east - INSET_DEGREES, most.north - INSET_DEGREES];
  if (west >= east || south >= north) return undefined;
  const inside = { west, south, east, north };
  return { sure: { inside }, unsure: bounds ? { inside: bounds } : {} };
}

/** Part by part, up to as many as are counted; a list of few is read at once, and not again for its places. */
async function countParts({ matching, toParts }: Meaning, most: number, inList: number): Promise<Counted> {
  const parts = toParts();
  if (parts.length === 1) return count(matching, most, inList);
  const { filter, context } = matching;
  const [all] = await context.lookUp([{ filter, limit: 0 }]);
  if ((all?.total ?? 0) <= EXACT_LISTS.countedFirst) return count(matching, most, inList);
  let total = 0;
  for (const part of parts) if (total < most) total += (await count(part, most - total, inList)).total;
  return { total };
}

/** The engine counts what surely matches, by place and by hours, and only the others are read. */
async function count(matching: Matching, most: number, inList: number): Promise<Counted> {
  const { filter, context, specialDates, isGeometryAll, withoutNames } = matching;
  const split = isGeometryAll ? splitGeometry(matching) : undefined;
  if (split === undefined) return isGeometryAll ? countAt(matching, most) : countRead(matching, most);
  const few = matching.isShareGuessed ? await countFew(matching) : undefined;
  if (few) return few;
  const special: PlaceFilter[] = specialDates ? [{ special: specialDates }] : [];
  const usual = { ...filter, noneOf: special };
  const isShape = split.unsure?.cells !== undefined;
  const [counted, all] = await context.lookUp([
    { filter: { ...usual, ...split.sure }, limit: 0 },
    ...(isShape ? [{ filter, limit: 0 }] : []),
  ]);
  const total = counted?.total ?? 0;
  if (total >= most) return { total };
  const inShape = all?.total ?? Infinity;
  // Where its list would read as many again as are sure, all are read, and the list is made of them; unless it needs names.
  if (withoutNames && total <= inList && inShape <= EXACT_LISTS.mostReadWhole)
    return countAt(matching, most, inShape);
  const others: PlaceFilter[] = [
    ...(split.unsure ? [{ ...usual, ...split.unsure, noneOf: [...special, split.sure] }] : []),
    ...special.map((one) => ({ ...filter, ...one })),
  ];
  const left = most - total;
  // What cannot be more than is counted is read whole.
  const first = inShape - total <= left ? left : undefined;
  const counts = await Promise.all(others.map((one) => countAt({ ...matching, filter: one }, left, first)));
  return { total: counts.reduce((sum, one) => sum + one.total, total) };
}

/** Most names are those of few places, a long text that of none: these are read at once, for the list too, and nothing is counted in parts. */
async function countFew({
  filter,
  context,
  isAt,
  atHours,
  withoutNames,
}: Matching): Promise<Counted | undefined> {
  const limit = EXACT_LISTS.fewOfName;
  const [read = { places: [], total: 0 }] = await context.lookUp([{ filter, limit, withoutNames }]);
  if (read.total > limit) return undefined;
  const matches = await atHours(read.places.filter(isAt).map((place) => ({ place })));
  return { total: matches.length, read };
}

/** Where all that is let through has the words, the positions and the hours decide: no names are read. */
async function countAt(
  matching: Matching,
  most: number,
  limit: number = EXACT_LISTS.countedFirst,
): Promise<Counted> {
  const { isAt, atHours, withoutNames } = matching;
  const lookup = { limit, withoutNames: true };
  const { matches, read } = await readMatches(matching, most, lookup, (places) =>
    atHours(places.filter(isAt).map((place) => ({ place }))),
  );
  return { total: matches.length, ...(withoutNames && { read }) };
}

async function countRead(matching: Matching, most: number): Promise<Counted> {
  const { filter, context, isFilterExact } = matching;
  if (isFilterExact) return { total: (await context.lookUp([{ filter, limit: 0 }]))[0]?.total ?? 0 };
  const { matches, read } = await readMatches(matching, most, { limit: EXACT_LISTS.countedFirst }, (places) =>
    check(matching, places),
  );
  return { total: matches.length, read };
}
