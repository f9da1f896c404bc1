import type { FoundPlace, LookupResult, PlaceCandidate, PlaceFilter } from "../meilisearch/place-index.ts";
import { isInArea } from "../place/areas.ts";
import type { Coordinates } from "../place/coordinates.ts";
import { isOpenThen, momentOf } from "../place/open-state.ts";
import type { PlaceSummaryDocument } from "../place/place-document.ts";
import { fold, joinWords, words } from "../place/text/fold.ts";
import { MINUTES_PER_DAY } from "../place/time-units.ts";
import { findNearest } from "./nearest.ts";
import {
  isWhole,
  placesOf,
  planAddress,
  planAddressTypos,
  planAlike,
  planAlikeAnywhere,
  planAlikeNearer,
  planKinds,
  planMoreNamesakes,
  planMoreOfName,
  planName,
  planNamedElsewhere,
  planNamesakes,
  planNotable,
  planNotableNear,
  planParentKinds,
  planTypos,
  planWholeName,
  planWholeNameNear,
  standInsFor,
  typesOfKinds,
  WHOLE_NAME_TYPO_LOOKUPS,
  type Wanted,
} from "./plan.ts";
import type { SearchContext, Where } from "./search-context.ts";
import {
  EVERY_PLACE,
  isInOneName,
  readAddressText,
  readBranchText,
  readKindText,
  readNameText,
  type ReadText,
} from "./match.ts";
import {
  asUnlikely,
  addOrderWishes,
  asWholeQuery,
  createRanking,
  hasNameAlike,
  KIND_WEIGHTS,
  outsideArea,
  SEARCH_WEIGHTS,
  NEAREST_WEIGHTS,
  NOTABLE_WEIGHTS,
  type ScoredPlace,
  type Weights,
} from "./rank.ts";
import type { AreaReading, KindReading, Reading } from "./reading/reading.ts";
import type { TypedWords } from "./reading/tokens.ts";

/** The places of one reading of a query, scored: every lookup of it, in the order in which the lookups run. */

/** One request under way, as the readings see it. */
export interface ReadingSearch {
  readonly centre: Coordinates;
  readonly now: Temporal.Instant | undefined;
  readonly contextAt: (where: Where) => SearchContext;
  readonly readSummaries: (
    places: readonly FoundPlace[],
  ) => Promise<ReadonlyMap<string, PlaceSummaryDocument>>;
}

/** What a reading found. */
export interface FoundByReading {
  readonly places: readonly ScoredPlace[];
  /** True when no place has the opening hours that the query wishes, and they were left out. */
  readonly isWishDropped: boolean;
}

/**
 * How thorough a search is: `quick` leaves out the typos of names, which take two more rounds; `regional` those of names further
 * away, for which a divided index asks every engine.
 */
export type Effort = "quick" | "regional" | "thorough";

/** The places of a reading with its wishes; without its opening wish where that leaves none. */
export async function findByReading(
  reading: Reading,
  search: ReadingSearch,
  effort: Effort,
): Promise<FoundByReading> {
  const centre = await centreOf(reading, search);
  const places = await findWished(reading, { ...search, centre }, effort);
  if (places.length > 0 || reading.wishes.opening === undefined) {
    return { places: await orderByWishes(places, reading, search), isWishDropped: false };
  }
  const others = await findIn(reading, { ...search, centre }, { centre }, effort);
  return { places: await orderByWishes(others, reading, search), isWishDropped: others.length > 0 };
}

/** The landmark of "khách sạn gần hồ gươm", the point that was typed, or the centre of the request. */
async function centreOf(reading: Reading, search: ReadingSearch): Promise<Coordinates> {
  if (reading.point) return reading.point;
  if (!reading.landmark || reading.landmark.joined === "") return search.centre;
  const areaCentre = reading.area?.centre;
  const context = search.contextAt(areaCentre ? { centre: areaCentre } : {});
  const [best] = await findByName(reading.landmark, context, "thorough");
  return best?.text.isComplete ? best.place.location : (areaCentre ?? search.centre);
}

/** Applies the opening wish: the index filters roughly, the hours themselves decide. */
async function findWished(
  reading: Reading,
  search: ReadingSearch,
  effort: Effort,
): Promise<readonly ScoredPlace[]> {
  const { centre } = search;
  const openAt = momentOf(reading.wishes.opening, search.now);
  if (openAt === undefined) return findIn(reading, search, { centre }, effort);
  const found = await findIn(reading, search, { centre, openAt }, effort);
  const summaries = await search.readSummaries(found.map(({ place }) => place));
  const is24h = reading.wishes.opening === "24h";
  return found.filter(({ place }) => {
    const summary = summaries.get(place.id);
    return summary !== undefined && isOpenThen(summary, openAt) && (!is24h || isAlwaysOpen(summary));
  });
}

export const isAlwaysOpen = ({ opening_hours: hours }: PlaceSummaryDocument): boolean =>
  hours !== null &&
  hours.week.every((ranges) => ranges.some(([opens, closes]) => opens === 0 && closes >= MINUTES_PER_DAY));

/** So many of the best are compared by price, rating and features: more than a page, and read in two milliseconds. */
const MOST_ORDERED_BY_WISHES = 60;

async function orderByWishes(
  places: readonly ScoredPlace[],
  { wishes }: Reading,
  { readSummaries }: ReadingSearch,
): Promise<readonly ScoredPlace[]> {
  if (wishes.price === undefined && !wishes.isWellRated && wishes.features.length === 0) return places;
  const first = places.slice(0, MOST_ORDERED_BY_WISHES);
  const summaries = await readSummaries(first.map(({ place }) => place));
  return [...addOrderWishes(first, wishes, summaries), ...places.slice(MOST_ORDERED_BY_WISHES)];
}

/** With an area: the places inside, around the caller if the caller is inside, and the places outside after them. */
async function findIn(
  reading: Reading,
  search: ReadingSearch,
  where: Where & { readonly centre: Coordinates },
  effort: Effort,
): Promise<readonly ScoredPlace[]> {
  const { area, landmark } = reading;
  if (!area || landmark) return findParts(reading, search.contextAt(where), effort);
  const isInside = area.areas.some((one) => isInArea(one, where.centre));
  const centre = isInside ? where.centre : area.centre;
  const inside = search.contextAt({ ...where, centre, areas: idsOf(area) });
  const findInside = () => findParts(reading, inside, "quick");
  const findAround = () => findParts(reading, search.contextAt({ ...where, centre }), effort);
  // An area has a few places of a name, and often enough of a kind.
  const isSequence = isAreaAlone(reading) || reading.kinds.length > 0;
  const [found, around] = await Promise.all([findInside(), isSequence ? undefined : findAround()]);
  const isEnough = found.filter(({ text }) => text.isComplete).length >= inside.pool.enough;
  if (isSequence && (isEnough || isAreaAlone(reading))) return found;
  const others = around ?? (await findAround());
  const known = new Set(found.map(({ place }) => place.id));
  return [...found, ...others.filter(({ place }) => !known.has(place.id)).map(outsideArea)];
}

export const idsOf = ({ areas }: AreaReading): string[] => areas.map(({ id }) => id);

const isAreaAlone = ({ name, kinds, address }: Reading): boolean =>
  name.joined === "" && kinds.length === 0 && address === undefined;

/** The part of a reading that says most: an address, a point, kinds, a name, or nothing but a place on the map. */
async function findParts(
  reading: Reading,
  context: SearchContext,
  effort: Effort,
): Promise<readonly ScoredPlace[]> {
  const { address, point, kinds, name } = reading;
  if (address) return findByAddress(reading, context);
  if (point) return findNotable(NEAREST_WEIGHTS, context, true);
  if (kinds.length > 0) return findByKinds(reading, context);
  if (name.joined !== "" && reading.isNear) return findBranches(name, context, effort);
  if (name.joined !== "") return findByName(name, context, effort);
  if (saysNothing(reading)) return [];
  return findNotable(NOTABLE_WEIGHTS, context, reading.area === undefined);
}

/** A reading that neither names nor wishes anything. */
export const saysNothing = ({ area, isNear, wishes }: Reading): boolean =>
  !area && !isNear && !wishes.opening && !wishes.price && !wishes.isWellRated && wishes.features.length === 0;

const rankingOf = (readText: ReadText, context: SearchContext, weights: Weights = SEARCH_WEIGHTS) =>
  createRanking({ centre: context.centre, weights, readText });

/** The nearest places of the types and the nearest whose names say the kind, in one to three rounds. */
async function findByKinds(
  { kinds, name }: Reading,
  context: SearchContext,
): Promise<readonly ScoredPlace[]> {
  const ranking = rankingOf(readKindText(kinds, name), context, KIND_WEIGHTS);
  const { places, along } = await findNearest(planKinds(kinds, name, context), context);
  ranking.add([...places, ...placesOf(along)]);
  const types = new Set<string>(typesOfKinds(kinds));
  if (
    !ranking
      .inOrder()
      .some(({ place, distanceMeters }) => types.has(place.type) && distanceMeters <= NEAR_KIND_METERS)
  ) {
    ranking.add((await findNearest(planParentKinds(kinds, context), context)).places);
  }
  const found = ranking.inOrder();
  return found.length > 0 ? found : findStandIns(kinds, name, context);
}

async function findStandIns(
  kinds: readonly KindReading[],
  name: TypedWords,
  context: SearchContext,
): Promise<readonly ScoredPlace[]> {
  const standIns = standInsFor(kinds);
  if (standIns.length === 0) return [];
  const ranking = rankingOf(readKindText(standIns, name), context, KIND_WEIGHTS);
  ranking.add((await findNearest(planKinds(standIns, name, context), context)).places);
  return ranking.inOrder().map(asUnlikely);
}

/** Without a place of the kind so near, places that are filed less exactly are looked for: half an hour on foot. */
const NEAR_KIND_METERS = 3_000;

/** A house, the nearest numbers of its street, then streets that are a typo away. */
async function findByAddress(reading: Reading, context: SearchContext): Promise<readonly ScoredPlace[]> {
  const { address, name } = reading;
  if (!address) return [];
  const ranking = rankingOf(readAddressText(address, name), context);
  const { places, along } = await findNearest(planAddress(address, context), context);
  ranking.add([...places, ...placesOf(along)]);
  if (!ranking.inOrder().some(({ text }) => text.isComplete)) {
    ranking.add(placesOf(await context.lookUp(planAddressTypos(address, context))));
  }
  return ranking.inOrder();
}

/** Places of any kind: the best known of an area, the nearest of a point. */
async function findNotable(
  weights: Weights,
  context: SearchContext,
  isNear: boolean,
): Promise<readonly ScoredPlace[]> {
  const ranking = rankingOf(EVERY_PLACE, context, weights);
  if (isNear) ranking.add((await findNearest(planNotableNear(), context)).places);
  else ranking.add(placesOf(await context.lookUp(planNotable(context))));
  return ranking.inOrder();
}

/** Places by name, type and address, round by round: each round only if those before have not settled what was meant. */
async function findByName(
  query: TypedWords,
  context: SearchContext,
  effort: Effort,
): Promise<readonly ScoredPlace[]> {
  const ranking = rankingOf(readNameText(query), context);

  const first = await context.lookUp(planName(query, context));
  ranking.add(placesOf(first));
  const { named, others } = planMoreOfName(query, first, context);
  const found = ranking.inOrder();
  if (found.some(({ text }) => text.isComplete)) {
    const isNamed = found.some(({ text }) => text.isWholeName);
    const wanted = isNamed ? named : [...named, ...others];
    const elsewhere = isNamed ? [] : planNamedElsewhere(query, context);
    if (wanted.length + elsewhere.length > 0) {
      const { places, along } = await findNearest({ wanted, along: elsewhere }, context);
      ranking.add([...places, ...placesOf(along)]);
    }
    return ranking.inOrder();
  }

  // No place has everything that was typed: the query is half typed or mistyped.
  const alike = await findAlike(query, others, context);
  ranking.add(alike.places);
  let complete = alike.complete;
  if (!hasNameAlike(ranking.inOrder())) {
    if (effort === "quick") return ranking.inOrder();
    const typos = await findTypos(query, context);
    ranking.add(typos.places);
    complete = [...complete, ...typos.complete];
    if (effort === "thorough" && !hasNameAlike(ranking.inOrder()))
      ranking.add(placesOf(await context.lookUp(planAlikeAnywhere(query, context))));
  }

  // The name that was probably meant may have nearer places than the one that a typo led to.
  const [best] = ranking.inOrder();
  const isNearest = complete.some(({ id }) => id === best?.place.id);
  if (best && !isNearest) {
    const title = fold(best.place.title);
    ranking.add(await findNamesakes(words(title), context, { names: [joinWords(title)] }));
  }
  return ranking.inOrder();
}

/**
 * Places whose name is the whole query, or holds all its words, among the best known and the nearest of the region. They compete with what the
 * likelier reading finds: any words may be a name.
 */
export async function findNamesakesOf(
  query: TypedWords,
  context: SearchContext,
  isRatherName: boolean,
): Promise<readonly ScoredPlace[]> {
  if (query.joined === "") return [];
  const ranking = rankingOf(readNameText(query), context);
  const first = await context.lookUp(planWholeName(query, context));
  ranking.add(placesOf(first));
  const nearBy = planWholeNameNear(query, first, context);
  if (nearBy.length > 0) ranking.add(placesOf(await context.lookUp(nearBy)));
  return ranking
    .inOrder()
    .filter(({ place, text }) => text.isWholeName || isInOneName(query.words, place))
    .map((place) => asWholeQuery(place, isRatherName));
}

/** The nearest places with a name or of a chain, the nearest first: "kfc gần đây". */
async function findBranches(
  query: TypedWords,
  context: SearchContext,
  effort: Effort,
): Promise<readonly ScoredPlace[]> {
  const ranking = rankingOf(readBranchText(query), context, KIND_WEIGHTS);
  ranking.add(await findNamesakes(query.words, context, { nameWords: query.words }));
  const found = ranking.inOrder();
  return found.some(({ text }) => text.isComplete) ? found : findByName(query, context, effort);
}

/** What lookups of similar names found. */
interface FoundAlike {
  readonly places: readonly PlaceCandidate[];
  /** Those of lookups that returned every match: no other place of the same name is nearer. */
  readonly complete: readonly PlaceCandidate[];
}

async function findAlike(
  query: TypedWords,
  others: readonly Wanted[],
  context: SearchContext,
): Promise<FoundAlike> {
  const results = await context.lookUp(planAlike(query, context));
  const [alike] = results;
  if (!alike || isWhole(alike)) return { places: placesOf(results), complete: placesOf([alike]) };
  const nearer = await findNearest(planAlikeNearer(query, others, context), context);
  return { places: [...placesOf(results), ...nearer.places, ...placesOf(nearer.along)], complete: [] };
}

async function findTypos(query: TypedWords, context: SearchContext): Promise<FoundAlike> {
  const results: readonly LookupResult[] = await context.lookUp(planTypos(query, context));
  const wholeNames = results.slice(0, WHOLE_NAME_TYPO_LOOKUPS);
  return { places: placesOf(results), complete: placesOf(wholeNames.filter(isWhole)) };
}

/**
 * The places of the region whose names hold all these words; if there are many, the best known and the nearest; if there are none, the
 * nearest that match `elsewhere`.
 */
async function findNamesakes(
  nameWords: readonly string[],
  context: SearchContext,
  elsewhere: PlaceFilter,
): Promise<PlaceCandidate[]> {
  // A title without letters has no words to look for.
  if (nameWords.length === 0) return [];
  const results = await context.lookUp(planNamesakes(nameWords, context));
  const wanted = planMoreNamesakes(nameWords, results, { context, elsewhere });
  const nearest = wanted.length > 0 ? (await findNearest({ wanted }, context)).places : [];
  return [...placesOf(results), ...nearest];
}
