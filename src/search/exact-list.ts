import type { FoundPlace, PlaceCandidate, PlaceFilter, PlaceLookup } from "../meilisearch/place-index.ts";
import { boundsInside, distanceMeters, intersectBounds } from "../place/coordinates.ts";
import { MOST_COUNTED } from "../place/request-defaults.ts";
import { readBusyness } from "../place/busyness.ts";
import type { PlaceSummaryDocument } from "../place/place-document.ts";
import { isOpenAt, isOpenThen, momentOf, type MomentIn } from "../place/open-state.ts";
import { joinWords } from "../place/text/fold.ts";
import { idsOf } from "./intents.ts";
import { compareWith, typesOfKinds, type Compare, type Words } from "./match.ts";
import { numberWordsOf } from "./reading/address.ts";
import { spokenIn } from "./reading/kind-reading.ts";
import type { QueryReadings } from "./reading/read-query.ts";
import {
  hasWishes,
  type AddressReading,
  type KindReading,
  type NameWords,
  type Reading,
} from "./reading/reading.ts";
import type { TypedWords } from "./reading/tokens.ts";
import { isAlwaysOpen } from "./reading/wishes.ts";
import { type Circle, type Ring } from "./rings.ts";
import { scorePlace, withOthers, type ScoredPlace } from "./score.ts";
import {
  geometryOf,
  inRing,
  isInPart,
  isInside,
  type Geometry,
  type SearchContext,
  type Where,
} from "./search-context.ts";
import { cellsInShape, detourMeters, isInShape, type Route } from "../place/shapes.ts";
import { typesUnder } from "../place/type-codes.ts";
import type { Refinements, SearchRequest, SortOrder } from "./search-request.ts";
import { EXACT_LISTS, LOOKUPS, RINGS } from "./numbers.ts";

/**
 * Lists that equal sorting all places that match: by distance, by rating, by prominence, by detour, and the number of matches.
 *
 * A place matches a reading with kinds if its type is of a kind or a name says the kind (`compareWith`), and names, type
 * and address hold every other word. It matches a reading as a name if a name is the query, or names, type and address hold
 * every word. An area restricts to the places inside. Of the readings of a query, the first that any place matches counts.
 * Every place matches an empty query.
 * It matches an address if its address holds the street, without a typo, with the house number before it; if no place has the
 * number, every place of the street matches. Every place matches a point, which is the centre of the request.
 * Landmarks and kinds with a typo have no exact list: their order is that of relevance, sorted.
 */

/** What an exact list is made for. */
export interface ExactSearch {
  readonly request: SearchRequest;
  readonly readings: QueryReadings;
  readonly words: Words;
  readonly contextAt: (where: Where) => SearchContext;
  readonly readSummaries: (
    places: readonly FoundPlace[],
  ) => Promise<ReadonlyMap<string, PlaceSummaryDocument>>;
}

/** The first places of a list: as many as were wanted, or all there are. */
export interface ExactList {
  readonly places: readonly ScoredPlace[];
  /** True when no place has the opening hours that the query wishes, and they were left out. */
  readonly isWishDropped: boolean;
}

/**
 * Where the best rated and the most prominent places are sought without a radius, a rectangle or an area: a city, and where it
 * has none, its surroundings.
 */
export const SCOPES_METERS = [20_000, 100_000] as const;

/** The first `needed` places in the order; `undefined` when no place matches any reading exactly. */
export async function findExactList(
  search: ExactSearch,
  sort: Exclude<SortOrder, "relevance">,
  needed: number,
): Promise<ExactList | undefined> {
  for (const { matching, isWishDropped } of matchingsOf(search, sort)) {
    const places = await findSorted(matching, sort, needed);
    if (places.length > 0) return { places, isWishDropped };
  }
  return undefined;
}

function findSorted(
  matching: Matching,
  sort: Exclude<SortOrder, "relevance">,
  needed: number,
): Promise<readonly ScoredPlace[]> {
  const { route } = matching.geometry;
  if (sort === "detour" && route) return findInCorridor(matching, route, needed);
  if (sort === "distance" || sort === "detour") return findNearest(matching, needed);
  return findFirst(matching, sort, needed);
}

/** How many places match the query and the refinements, at most `MOST_COUNTED`. Similar names do not count. */
export async function countMatches(search: ExactSearch): Promise<number> {
  for (const { matching } of matchingsOf(search, search.request.sort)) {
    const total = await count(matching);
    if (total > 0) return total;
  }
  return 0;
}

/** What matches: a filter of the index that lets all matches through, and a check that keeps only matches. */
interface Matching {
  readonly filter: PlaceFilter;
  readonly share: number;
  readonly isShareGuessed: boolean;
  readonly context: SearchContext;
  /** The matches among the candidates, in their order. */
  readonly check: (places: readonly PlaceCandidate[]) => Promise<ScoredPlace[]>;
  /** The filter of the index lets matches through only. */
  readonly isFilterExact: boolean;
  readonly geometry: Geometry;
  /** Where the hours are asked for: of places without these special days the index alone says whether they are open. */
  readonly specialDates: readonly string[] | undefined;
  /** Nothing but its part of the Earth keeps the filter from being exact. */
  readonly isGeometryAll: boolean;
}

/** The meanings of a query, one after the other: each reading with its opening wish, then without, in each scope. */
function* matchingsOf(
  search: ExactSearch,
  sort: SortOrder = "relevance",
): Generator<{ readonly matching: Matching; readonly isWishDropped: boolean }> {
  const { request, readings } = search;
  for (const reading of request.query === "" ? [readings.plain] : readings.readings) {
    const opening = momentOf(reading.wishes.opening, request.now);
    for (const text of request.query === "" ? [ANYTHING] : textsOf(reading, search.words)) {
      for (const openAt of opening === undefined ? [undefined] : [opening, undefined]) {
        for (const radiusMeters of scopesOf(request, reading, sort)) {
          const matching = createMatching(text, { search, reading, openAt, radiusMeters });
          yield { matching, isWishDropped: opening !== undefined && openAt === undefined };
        }
      }
    }
  }
}

/** The radius of the request; by rating and prominence without radius, rectangle and area the scopes, first the narrow. */
function scopesOf(
  { refinements }: SearchRequest,
  { area }: Reading,
  sort: SortOrder,
): readonly (number | undefined)[] {
  const hasScope = isInPart(refinements) || area !== undefined;
  return hasScope || !NEEDS_SCOPE.has(sort) ? [refinements?.radiusMeters] : SCOPES_METERS;
}

const NEEDS_SCOPE: ReadonlySet<SortOrder> = new Set(["rating", "prominence"]);

/** The words of a reading as a filter and as a check. */
interface MatchingText {
  readonly filter: PlaceFilter;
  readonly compare: Compare;
  readonly isFilterExact: boolean;
  /** Estimated share (0 to 1) of all places that match. Decides only where to look first. */
  readonly share: (context: SearchContext) => number;
  /** The share may be much too high: there may be few matches. */
  readonly isShareGuessed?: boolean;
}

const EVERY_PLACE: Compare = () => ({ features: {}, isComplete: true, isWholeName: false });

/** The index holds other documents too, so without any condition its filter is not exact. */
const ANYTHING: MatchingText = { filter: {}, compare: EVERY_PLACE, isFilterExact: false, share: () => 1 };

/** What a reading may match, first what says most; none for readings without an exact list. */
function textsOf(reading: Reading, words: Words): MatchingText[] {
  const { form, kinds, name, address, landmark, unread } = reading;
  if (landmark || unread.length > 0 || kinds.some(({ isMistyped }) => isMistyped)) return [];
  if (address) return textsOfAddress(reading, address, words);
  if (form === "point") return [ANYTHING];
  if (kinds.length > 0) {
    // Words of a kind in a name must stand together, which the index does not know.
    const isFilterExact = kinds.flatMap(asTyped).every(({ words: one }) => one.length === 1);
    const compare = compareExactKind(reading, words);
    const share = ({ shareOf }: SearchContext): number => shareOf(typesOfKinds(kinds)) ?? RINGS.commonShare;
    return [{ filter: filterOfKinds(kinds, name), compare, isFilterExact, share }];
  }
  if (name.joined !== "") {
    const filter = { names: [name.joined], wordSets: [name.words] };
    const compare = compareWith(reading, words);
    return [{ filter, compare, isFilterExact: true, share: () => RINGS.commonShare, isShareGuessed: true }];
  }
  return saysNothing(reading) ? [] : [{ ...ANYTHING, isFilterExact: reading.area !== undefined }];
}

/** A reading that neither names nor wishes anything. */
const saysNothing = ({ area, isNear, wishes }: Reading): boolean => !area && !isNear && !hasWishes(wishes);

/** The house, then its street. */
function textsOfAddress(reading: Reading, address: AddressReading, words: Words): MatchingText[] {
  const street = { street: address.street, alleys: [] };
  return (numberWordsOf(address).length > 0 ? [address, street] : [street]).map((wanted) => {
    const compare = compareWith({ ...reading, address: wanted }, words);
    return {
      filter: { wordSets: [[...numberWordsOf(wanted), ...wanted.street.words, ...reading.name.words]] },
      compare: (place) => {
        const match = compare(place);
        return match?.isComplete ? match : undefined;
      },
      // The index does not know the order of words.
      isFilterExact: false,
      share: () => EXACT_LISTS.shareOfStreet,
      isShareGuessed: true,
    };
  });
}

/** Exact lists count names with the words that were typed, not with the labels of the type: their filter stays exact. */
const asTyped = (kind: KindReading): readonly NameWords[] =>
  spokenIn(kind).filter((one) => one === kind.inNames[0]);

/** How places whose type or name says the kind match. */
function compareExactKind(reading: Reading, words: Words): Compare {
  const { kinds } = reading;
  const types = new Set<string>(typesOfKinds(kinds));
  const phrases = kinds.flatMap(asTyped).map(({ words: one }) => ` ${one.join(" ")} `);
  const wholeNames = kinds.map(({ words: kindWords }) => kindWords.join(""));
  const compare = compareWith(reading, words);
  const saysKind = (name: string): boolean =>
    wholeNames.includes(joinWords(name)) || phrases.some((phrase) => ` ${name} `.includes(phrase));
  return (place) => (types.has(place.type) || place.foldedNames.some(saysKind) ? compare(place) : undefined);
}

function filterOfKinds(kinds: readonly KindReading[], { words: others }: TypedWords): PlaceFilter {
  return {
    anyOf: [
      { types: typesOfKinds(kinds) },
      { names: kinds.map(({ words }) => words.join("")) },
      ...kinds.flatMap(asTyped).map(({ words: nameWords }) => ({ nameWords })),
    ],
    ...(others.length > 0 && { wordSets: [others] }),
  };
}

interface MatchingOptions {
  readonly search: ExactSearch;
  readonly reading: Reading;
  /** The moment that the query wishes. */
  readonly openAt: MomentIn | undefined;
  readonly radiusMeters: number | undefined;
}

function createMatching(text: MatchingText, options: MatchingOptions): Matching {
  const { search, reading, openAt, radiusMeters } = options;
  const { request, readSummaries } = search;
  const { centre, refinements = {} } = request;
  const { types } = refinements;
  const geometry = geometryOf({ ...refinements, ...(radiusMeters !== undefined && { radiusMeters }) });
  const where: Where = {
    ...(openAt && { openAt }),
    ...(reading.area && { areas: idsOf(reading.area) }),
    ...(radiusMeters !== undefined && { radiusMeters }),
  };
  const mustCheckHours = openAt !== undefined || hasHours(refinements);
  const is24h = openAt !== undefined && reading.wishes.opening === "24h";
  const context = search.contextAt(where);
  const specialDates = datesInDoubt(context, { refinements, openAt, is24h });
  const readDoubtful = specialDates && once(() => readSpecial(text.filter, specialDates, context));
  return {
    filter: text.filter,
    specialDates,
    share: Math.min(text.share(context), (types && context.shareOf(types.flatMap(typesUnder))) ?? 1),
    isShareGuessed: text.isShareGuessed === true,
    context,
    geometry,
    // What is no place has no position.
    isGeometryAll:
      (text.isFilterExact || text.compare === EVERY_PLACE) && (!mustCheckHours || specialDates !== undefined),
    isFilterExact: text.isFilterExact && !isInPart(geometry) && !mustCheckHours,
    async check(places) {
      const scored = places.flatMap((place) => {
        const match = text.compare(place);
        return match ? scorePlace({ place, match, reading }, { centre, isOutside: false }) : [];
      });
      const inside = scored.filter(({ place }) => isInside(geometry, centre, place.location));
      if (!mustCheckHours || inside.length === 0) return inside;
      const doubtful = await readDoubtful?.();
      const unsure = doubtful ? inside.filter(({ place }) => doubtful.has(place.id)) : inside;
      const summaries = await readSummaries(unsure.map(({ place }) => place));
      return inside.filter(({ place }) => {
        if (doubtful?.has(place.id) === false) return true;
        const summary = summaries.get(place.id);
        if (summary === undefined || (is24h && !isAlwaysOpen(summary))) return false;
        return (openAt === undefined || isOpenThen(summary, openAt)) && isAtItsHours(summary, refinements);
      });
    },
  };
}

interface Hours {
  readonly refinements: Refinements;
  readonly openAt: MomentIn | undefined;
  readonly is24h: boolean;
}

/** The days for which the index does not decide who is open; `undefined` where it never does: for two moments, and for busyness. */
function datesInDoubt(
  { specialDates }: SearchContext,
  { refinements, openAt, is24h }: Hours,
): readonly string[] | undefined {
  const isOneMoment = (openAt === undefined) !== (refinements.openAt === undefined);
  return !isOneMoment || is24h || refinements.busy !== undefined ? undefined : specialDates;
}

/** The ids of the matches with special hours on these dates; `undefined` when there are too many. */
async function readSpecial(
  filter: PlaceFilter,
  special: readonly string[],
  { lookUp }: SearchContext,
): Promise<ReadonlySet<string> | undefined> {
  const [found] = await lookUp([{ filter: { ...filter, special }, limit: EXACT_LISTS.mostSpecial }]);
  if (found === undefined || found.total > found.places.length) return undefined;
  return new Set(found.places.map(({ id }) => id));
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => (value ??= read());
}

/** Whether the index lets places through that are closed or too busy, so that `isAtItsHours` has to check each. */
export const hasHours = ({ openAt, busy }: Refinements): boolean =>
  openAt !== undefined || busy !== undefined;

/** Whether a place is open and quiet enough at the moments of the request. */
export function isAtItsHours(place: PlaceSummaryDocument, { openAt, busy }: Refinements): boolean {
  if (openAt && !isOpenAt(place, openAt)) return false;
  if (busy === undefined) return true;
  const percent = readBusyness(place, busy.at)?.occupancy_percent;
  return percent !== undefined && percent <= busy.maxPercent;
}

/** The limit that should hold all that is needed, by the share of the places that matched. */
const nextLimit = (
  limit: number,
  { needed, matched }: { readonly needed: number; readonly matched: number },
): number =>
  Math.ceil(
    limit *
      Math.min(
        EXACT_LISTS.limitGrowth,
        Math.max(EXACT_LISTS.limitSurplus, (EXACT_LISTS.limitSurplus * needed) / matched),
      ),
  );

/** The engine's distances and ours differ by less, and so do places that it takes for equally far. */
const SORT_ERROR_METERS = 2;

/**
 * The nearest matches. The engine sorts those of an area, which surely holds every place up to its reach; the list is complete
 * when enough matches lie within this reach. If there are few matches in all, all of them are sorted.
 */
async function findNearest(matching: Matching, needed: number): Promise<ScoredPlace[]> {
  const { filter, share, context, check, geometry } = matching;
  const { radiusMeters = Infinity } = geometry;
  const { rings, centre } = context;
  const order = { by: "distance", from: centre } as const;
  let area = firstArea((EXACT_LISTS.areaSurplus * needed) / Math.max(share, Number.EPSILON), matching);
  let limit = needed + LOOKUPS.spare;
  let everywhere = Infinity;
  // Of a share that is known, the first area mostly holds enough; counting the matches of a whole index costs more.
  let isCounted = matching.isShareGuessed;
  for (let round = 1; ; round += 1) {
    if (round > EXACT_LISTS.mostAreas) area = rings.everywhere;
    const lookup: PlaceLookup = { filter: inRing(filter, area), order, limit };
    const [result, all] = await context.lookUp(isCounted ? [lookup, { filter, limit: 0 }] : [lookup]);
    if (result === undefined) return [];
    if (isCounted) everywhere = all?.total ?? 0;
    const isWhole = result.total <= limit;
    const areaReach = area.cells === undefined ? Infinity : area.reachMeters();
    const last = result.places.at(-1);
    const listReach = isWhole || !last ? Infinity : distanceMeters(centre, last.location) - SORT_ERROR_METERS;
    const reach = Math.min(areaReach, listReach);
    const matches = inDistanceOrder(await check(result.places));
    const sure = matches.filter((place) => place.distanceMeters <= reach);
    if (sure.length >= needed || reach > radiusMeters || (isWhole && reach === Infinity)) return sure;
    if (listReach < areaReach) {
      limit = nextLimit(limit, { needed, matched: sure.length });
    } else if (everywhere <= LOOKUPS.mostSorted) {
      area = rings.everywhere;
      limit = LOOKUPS.mostSorted;
    } else {
      const furthest = matches[needed - 1]?.distanceMeters;
      area = nextArea(area, { needed, sure: sure.length, furthest }, matching);
      // Where a ring held too few, there may be few in all.
      isCounted = everywhere === Infinity && !("placesInCells" in area);
    }
  }
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
}

/** A wider area than the last: at most as wide as the places that were found. */
function nextArea(last: Ring, { needed, sure, furthest = Infinity }: Found, matching: Matching): Ring {
  const { share, context } = matching;
  const { rings } = context;
  const growth = Math.max(EXACT_LISTS.leastGrowth, (EXACT_LISTS.areaSurplus * needed) / Math.max(1, sure));
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

const inDistanceOrder = (places: readonly ScoredPlace[]): ScoredPlace[] =>
  places.toSorted((a, b) => a.distanceMeters - b.distanceMeters || (a.place.id < b.place.id ? -1 : 1));

/** A corridor that holds more is cut to parts of its width, down to about that of the finest cells. */
const PARTS_OF_CORRIDOR = [1, 0.4, 0.15, 0.05];

/**
 * The matches with the least detour: all of the widest part of the corridor that holds no more than can be read, then, if that
 * is too few, the most prominent of the next wider part. Where even the narrowest holds more, its most prominent.
 */
async function findInCorridor(
  { filter, context, check }: Matching,
  route: Route,
  needed: number,
): Promise<readonly ScoredPlace[]> {
  const parts = PARTS_OF_CORRIDOR.map((share): Route => ({
    line: route.line,
    radiusMeters: share * route.radiusMeters,
  }));
  const lookupIn = (part: Route, limit: number): PlaceLookup => ({
    filter: { ...filter, cells: cellsInShape(part) },
    limit,
  });
  const counts = await context.lookUp(parts.map((part) => lookupIn(part, 0)));
  const whole = counts.findIndex(({ total }) => total <= EXACT_LISTS.mostInCorridor);
  const part = parts.at(whole)!;
  const read = async (wanted: Route): Promise<ScoredPlace[]> => {
    const [found] = await context.lookUp([lookupIn(wanted, EXACT_LISTS.mostInCorridor)]);
    return inDetourOrder(await check(found?.places ?? []), route);
  };
  const nearest = await read(part);
  if (whole <= 0) return nearest;
  const sure = nearest.filter(({ place }) => isInShape(part, place.location));
  if (sure.length >= needed) return sure;
  return withOthers(sure, await read(parts[whole - 1]!));
}

/** Of equal detours, by id. */
export function inDetourOrder<Place extends Pick<ScoredPlace, "place">>(
  places: readonly Place[],
  route: Route,
): Place[] {
  const measured = places.map((one) => ({ one, meters: detourMeters(route, one.place.location) }));
  return measured
    .toSorted((a, b) => a.meters - b.meters || (a.one.place.id < b.one.place.id ? -1 : 1))
    .map(({ one }) => one);
}

/** The best rated or the most prominent matches, in the order of the engine. */
const findFirst = (
  matching: Matching,
  by: "rating" | "prominence",
  needed: number,
): Promise<readonly ScoredPlace[]> =>
  readMatches(matching, needed, {
    order: { by },
    limit: Math.ceil(EXACT_LISTS.inOrderSurplus * needed) + LOOKUPS.spare,
  });

/** Reads more and more of what the filter lets through, until enough of it matches. */
async function readMatches(
  { filter, context, check }: Matching,
  needed: number,
  lookup: Pick<PlaceLookup, "order" | "limit">,
): Promise<readonly ScoredPlace[]> {
  let { limit } = lookup;
  for (;;) {
    const [result] = await context.lookUp([{ ...lookup, filter, limit }]);
    const { places, total } = result ?? { places: [], total: 0 };
    const matches = await check(places);
    if (matches.length >= needed || total <= limit) return matches;
    limit = nextLimit(limit, { needed, matched: matches.length });
  }
}

/** Far more than the engine's rectangles are larger than ours, and far less than places lie apart. */
const INSET_DEGREES = 1e-8;

/** Where the index alone decides what matches: a rectangle, or everywhere; `undefined` when that is nowhere. */
function surelyInside({ geometry, context }: Matching): Pick<PlaceFilter, "inside"> | undefined {
  const { radiusMeters, bounds, polygon, route } = geometry;
  if (polygon || route) return undefined;
  if (radiusMeters === undefined && bounds === undefined) return {};
  const inCircle = radiusMeters === undefined ? bounds : boundsInside(context.centre, radiusMeters);
  const both = bounds && inCircle && intersectBounds(bounds, inCircle);
  const most = bounds ? both : inCircle;
  if (most === undefined) return undefined;
  const [west, south] = [most.west + INSET_DEGREES, most.south + INSET_DEGREES];
  const [east, north] = [most.east - INSET_DEGREES, most.north - INSET_DEGREES];
  return west < east && south < north ? { inside: { west, south, east, north } } : undefined;
}

/** The engine counts what surely matches, by place and by hours, and only the others are read. */
async function count(matching: Matching): Promise<number> {
  const { filter, context, specialDates, isGeometryAll } = matching;
  const { bounds } = matching.geometry;
  const sure = isGeometryAll ? surelyInside(matching) : undefined;
  if (sure === undefined) return countRead(matching);
  const usual = specialDates ? { ...filter, notSpecial: specialDates } : filter;
  const [counted] = await context.lookUp([{ filter: { ...usual, ...sure }, limit: 0 }]);
  const total = counted?.total ?? 0;
  if (total >= MOST_COUNTED) return MOST_COUNTED;
  const others: PlaceFilter[] = [
    ...(sure.inside ? [{ ...usual, outside: sure.inside, ...(bounds && { inside: bounds }) }] : []),
    ...(specialDates ? [{ ...filter, special: specialDates }] : []),
  ];
  const counts = await Promise.all(others.map((one) => countRead({ ...matching, filter: one })));
  return Math.min(
    MOST_COUNTED,
    counts.reduce((sum, one) => sum + one, total),
  );
}

async function countRead(matching: Matching): Promise<number> {
  const { filter, context, isFilterExact } = matching;
  const matches = isFilterExact
    ? (await context.lookUp([{ filter, limit: 0 }]))[0]?.total
    : (await readMatches(matching, MOST_COUNTED, { limit: MOST_COUNTED })).length;
  return Math.min(matches ?? 0, MOST_COUNTED);
}
