import type { SearchParams } from "meilisearch";
import { SEARCHED_FIELDS, RANKED_FIELDS } from "./index-form.ts";
import { shortCell } from "../place/geometry/cells.ts";
import type { Bounds } from "../place/geometry/coordinates.ts";
import type { CustomCondition } from "../place/document/own-fields.ts";
import { filedUnder, NEVER_BY_WORDS } from "../place/document/rest-words.ts";
import {
  formsOf,
  NAME_BEGINNINGS,
  type LookupOrder,
  type PlaceFilter,
  type PlaceLookup,
  type WordForms,
} from "./place-index.ts";

/** The search parameters of a lookup. */
export type EngineQuery = SearchParams & { readonly limit: number };

/** A lookup as search parameters of the engine. */
export function toEngineQuery(lookup: PlaceLookup): EngineQuery {
  const { filter, limit, order, withoutNames = false } = lookup;
  return {
    ...toText(lookup),
    filter: [...toEngineFilter(filter), ...(isOfPlaces(filter) ? [] : [IS_PLACE])],
    ...(order && { sort: toSort(order) }),
    limit,
    attributesToRetrieve: withoutNames ? ["ranking_fields"] : [...RANKED_FIELDS],
  };
}

/** All that a request may have; without an exponent, which the engine does not read. */
const DEGREE_DIGITS = 12;

function toSort(order: LookupOrder): string[] {
  if (order.by === "rating") return ["rating:desc", "reviews:desc", "id:asc"];
  if (order.by === "prominence") return ["prominence:desc", "id:asc"];
  const { latitude, longitude } = order.from;
  return [`_geoPoint(${degrees(latitude)}, ${degrees(longitude)}):asc`];
}

const degrees = (value: number): string => value.toFixed(DEGREE_DIGITS);

/** Less than a millimetre: written digits are rounded, and a place on the edge must not be lost. */
const EDGE_DEGREES = 1e-9;

/** Takes the corners north-east and south-west; where west is greater than east, across the antimeridian. */
function inRectangle({ west, south, east, north }: Bounds): string {
  const northEast = [Math.min(90, north + EDGE_DEGREES), Math.min(180, east + EDGE_DEGREES)].map(degrees);
  const southWest = [Math.max(-90, south - EDGE_DEGREES), Math.max(-180, west - EDGE_DEGREES)].map(degrees);
  return `_geoBoundingBox([${northEast.join(", ")}], [${southWest.join(", ")}])`;
}

const toText = ({ joinedName }: PlaceLookup): SearchParams =>
  joinedName === undefined ? {} : { q: joinedName, attributesToSearchOn: SEARCHED_FIELDS };

/** No value needs escaping: cells, areas, types, slots and dates are our own, folded words hold letters and digits only. */
const quoted = (value: string): string => `"${value}"`;

const oneOf = (field: string, values: readonly string[]): string =>
  `${field} IN [${values.map(quoted).join(", ")}]`;

const inNames = (word: WordForms): string =>
  typeof word === "string" ? `name_words = ${quoted(word)}` : oneOf("name_words", word);

/** Its names, its address or the labels of its type have the word. */
function anywhere(word: WordForms): string {
  const filed = formsOf(word).map(filedUnder);
  const [values, types] = [filed.flatMap((one) => one.values), filed.flatMap((one) => one.types)];
  const inRest = `${inNames(word)} OR ${oneOf("rest_words", values)}`;
  if (types.length === 0) return `(${inRest})`;
  return `(${inRest} OR (${oneOf("type", types)} AND rest_words != ${quoted(NEVER_BY_WORDS)}))`;
}

const all = (conditions: readonly string[]): string => `(${conditions.join(" AND ")})`;

/**
 * Any of several sets of words. What all of them share is said once, and so for each half of them: the sets that leave out one of n words
 * take n log n conditions instead of n².
 */
function anyWordsOf(
  sets: readonly (readonly WordForms[])[],
  toCondition: (word: WordForms) => string,
): string {
  const [first = [], ...others] = sets;
  const shared = first.filter((word) => others.every((set) => set.includes(word)));
  const rest = sets.map((set) => set.filter((word) => !shared.includes(word)));
  const said = shared.map(toCondition);
  // A set that has no other words decides: the others hold more.
  if (rest.some((set) => set.length === 0)) return all(said);
  const middle = rest.length >> 1;
  const halves = middle === 0 ? [] : [rest.slice(0, middle), rest.slice(middle)];
  const either =
    halves.length === 0 ? [] : [`(${halves.map((half) => anyWordsOf(half, toCondition)).join(" OR ")})`];
  return all([...said, ...either]);
}

/** Lengths that are not stored are looked up as the beginnings of those that are. */
const beginsWith = (beginning: string): string =>
  NAME_BEGINNINGS.includes(Array.from(beginning).length)
    ? `name_beginnings = ${quoted(beginning)}`
    : `name_beginnings STARTS WITH ${quoted(beginning)}`;

const wordBeginsWith = (beginning: string): string => `name_words STARTS WITH ${quoted(beginning)}`;

/** Several lookups of a search share the cells of a ring, and all of them those of its part of the Earth. */
const conditionsOfCells = new WeakMap<readonly string[], string>();

const inCells = (cells: readonly string[]): string =>
  conditionsOfCells.getOrInsertComputed(cells, () => oneOf("cells", cells.map(shortCell)));

/** Every place has a type, which redirects and what describes the index have not. */
const IS_PLACE = "type EXISTS";

/** Whether only places can match: some condition asks for something that a place has. */
const isOfPlaces = (filter: PlaceFilter): boolean =>
  Object.entries(filter).some(
    ([field, value]) => value !== undefined && field !== "noneOf" && field !== "anyOf",
  ) || filter.anyOf?.every(isOfPlaces) === true;

/** Places that nobody rated have no rating in the index. */
const hasRating = (atLeast: number): string => (atLeast > 0 ? `rating >= ${atLeast}` : IS_PLACE);

function anyOf(conditions: readonly (string | undefined)[]): string | undefined {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? undefined : given.join(" OR ");
}

const allOf = (conditions: readonly string[]): string =>
  `(${conditions.map((condition) => `(${condition})`).join(" AND ")})`;

/** Names of fields are letters and digits, and filed values have nothing to escape. */
function holds(condition: CustomCondition): string {
  if ("values" in condition) return oneOf("custom_values", condition.values);
  const { number, min, max } = condition;
  return [
    ...(min === undefined ? [] : [`custom_numbers.${number} >= ${min}`]),
    ...(max === undefined ? [] : [`custom_numbers.${number} <= ${max}`]),
  ].join(" AND ");
}

function anyAlternative(alternatives: readonly PlaceFilter[]): string {
  const ofNames = alternatives.flatMap(({ nameWords, ...others }) =>
    nameWords && Object.keys(others).length === 0 ? [nameWords] : [],
  );
  if (ofNames.length === alternatives.length) return anyWordsOf(ofNames, inNames);
  return alternatives.map((one) => allOf(toEngineFilter(one))).join(" OR ");
}

const toPosition = ({ cells, within = [], bounds, inside, areas }: PlaceFilter) => [
  cells && inCells(cells),
  ...within.map(inCells),
  bounds && inRectangle(bounds),
  inside && inRectangle(inside),
  areas && oneOf("areas", areas),
];

/**
 * Conditions that must all hold, one for each given field of the filter. Words come first: the engine goes through the conditions in
 * their order and ends where no place is left, and most words that may be mistyped are in no name.
 */
function toEngineFilter(filter: PlaceFilter): string[] {
  const {
    types,
    names,
    nameWords,
    wordSets,
    nameBeginning,
    wordBeginning,
    openSlots,
    specialDates = [],
    special,
    busySlots,
    minRating,
    maxPrice,
    custom = [],
    contacts,
    anyOf: alternatives,
    noneOf = [],
  } = filter;
  const mayBeOpen =
    openSlots && `${oneOf("open_slots", openSlots)} OR ${oneOf("special_dates", specialDates)}`;
  return [
    anyOf([
      names && oneOf("joined_names", names),
      nameWords && all(nameWords.map(inNames)),
      wordSets && wordSets.length > 0 ? anyWordsOf(wordSets, anywhere) : undefined,
    ]),
    nameBeginning && beginsWith(nameBeginning),
    alternatives && anyAlternative(alternatives),
    contacts && oneOf("contact_keys", contacts),
    ...toPosition(filter),
    special && oneOf("special_dates", special),
    types && oneOf("type", types),
    wordBeginning && wordBeginsWith(wordBeginning),
    mayBeOpen,
    busySlots && oneOf("busy_slots", busySlots),
    minRating === undefined ? undefined : hasRating(minRating),
    maxPrice === undefined ? undefined : `max_price <= ${maxPrice}`,
    ...custom.map(holds),
    ...noneOf.map((one) => `NOT ${allOf(toEngineFilter(one))}`),
  ].filter((condition) => condition !== undefined);
}
