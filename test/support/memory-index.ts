import { NO_PAIRS } from "../../src/meilisearch/word-pairs.ts";
import { toCandidate, toIndexedPlace, type IndexedPlace } from "../../src/meilisearch/index-form.ts";
import { readFirstPhoto, toSummary, unpackOwn } from "../../src/meilisearch/packed-place.ts";
import {
  createDensity,
  formsOf,
  type LookupResult,
  type PlaceCandidate,
  type PlaceFilter,
  type PlaceIndex,
  type PlaceLookup,
} from "../../src/meilisearch/place-index.ts";
import { fullCell, shortCell } from "../../src/place/geometry/cells.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { distanceMeters, isInBounds, type Bounds } from "../../src/place/geometry/coordinates.ts";
import { editDistance } from "../../src/place/text/edit-distance.ts";
import { words } from "../../src/place/text/fold.ts";
import { buildPlace, type PlaceFacts } from "./build-place.ts";

/** A place as the index returns it to a search. */
export const buildCandidate = (facts: PlaceFacts = {}): PlaceCandidate =>
  toCandidate(toIndexedPlace(buildPlace(facts)));

interface MemoryIndex extends PlaceIndex {
  /** The lookups so far, round by round. */
  readonly rounds: readonly (readonly PlaceLookup[])[];
}

/** An index in memory that responds as the engine does, apart from details of its order. */
export function createMemoryIndex(places: readonly PlaceDocument[]): MemoryIndex {
  const indexed = places.map((place) => toIndexedPlace(place));
  const rounds: (readonly PlaceLookup[])[] = [];
  return {
    rounds,
    readSample: async (size) => ({ documentBytes: 1_000 * places.length, places: places.slice(0, size) }),
    findPlaces: async (lookups) => {
      rounds.push(lookups);
      return lookups.map((lookup) => answer(indexed, lookup));
    },
    // Not of this closure: a test may replace some of the methods.
    pin() {
      return {
        findPlaces: (lookups, signal) => this.findPlaces(lookups, signal),
        readSummaries: (found, signal, extras) => this.readSummaries(found, signal, extras),
        missingPartitions: () => [],
      };
    },
    readSummaries: async (found, _signal, extras = []) => {
      const ids = new Set(found.map(({ id }) => id));
      const known = indexed.filter(({ id }) => ids.has(id));
      return new Map(
        known.map((place) => [
          place.id,
          {
            ...toSummary(place),
            ...(extras.includes("busy_hours") && place.busy_hours && { busy_hours: place.busy_hours }),
            ...(extras.includes("indexed_at") && { indexed_at: place.indexed_at }),
            ...(extras.includes("first_photo") && readFirstPhoto(place)),
            ...unpackOwn({
              custom: extras.includes("custom") ? place.custom : undefined,
              names: extras.includes("names") ? place.names : undefined,
            }),
            ...(extras.includes("areas") && place.areas && { areas: [...place.areas] }),
          },
        ]),
      );
    },
    getPlace: async (dataId) => places.find((place) => place.data_id === dataId),
    getPlaces: async (dataIds) => dataIds.map((id) => places.find((place) => place.data_id === id)),
    readCensus: async () => ({
      isWhole: true,
      places: places.length,
      density: createDensity(
        Object.fromEntries(countEach(indexed.flatMap(({ cells }) => cells.map(fullCell)))),
      ),
      types: countEach(indexed.map(({ type }) => type)),
      timezones: [...new Set(places.map(({ location }) => location.timezone))],
      words: {
        inNames: Object.fromEntries(countEach(indexed.flatMap(({ name_words }) => name_words))),
        inAddresses: Object.fromEntries(countEach(indexed.flatMap(({ rest_words }) => rest_words))),
        pairs: NO_PAIRS,
      },
    }),
    readState: async () => ({ state: "ready", places: places.length, builtAt: "2026-11-20T00:00:00.000Z" }),
    readVocabulary: async () => undefined,
    readWords: async () => "",
    warmUp: async () => {},
    close: async () => {},
  };
}

function answer(indexed: readonly IndexedPlace[], lookup: PlaceLookup): LookupResult {
  const found = indexed.filter((place) => isLetThrough(place, lookup.filter) && hasText(place, lookup));
  // A count has no order.
  const shown = lookup.limit === 0 ? [] : found.toSorted(inOrder(lookup.order)).slice(0, lookup.limit);
  return { places: shown.map(toCandidate), total: found.length };
}

/** The same function, which computes once what it is asked again and again for each of thousands of places. */
function onceForEach<K extends object, T>(compute: (of: K) => T): (of: K) => T {
  const known = new WeakMap<K, { readonly value: T }>();
  return (of) => {
    const found = known.get(of) ?? { value: compute(of) };
    known.set(of, found);
    return found.value;
  };
}

type Compare = (one: IndexedPlace, other: IndexedPlace) => number;

const isAt = ({ _geo: { lat: latitude, lng: longitude } }: IndexedPlace, bounds: Bounds): boolean =>
  isInBounds(bounds, { latitude, longitude });

function inOrder(order: PlaceLookup["order"]): Compare {
  if (order === undefined) return (one, other) => (other.prominence_level ?? 0) - (one.prominence_level ?? 0);
  if (order.by === "rating")
    return (one, other) =>
      (other.rating ?? 0) - (one.rating ?? 0) ||
      (other.reviews ?? 0) - (one.reviews ?? 0) ||
      (one.id < other.id ? -1 : 1);
  if (order.by === "prominence")
    return (one, other) => other.prominence - one.prominence || (one.id < other.id ? -1 : 1);
  const metersTo = onceForEach(({ _geo: { lat, lng } }: IndexedPlace) =>
    distanceMeters(order.from, { latitude: lat, longitude: lng }),
  );
  return (one, other) => metersTo(one) - metersTo(other);
}

function isLetThrough(place: IndexedPlace, filter: PlaceFilter): boolean {
  const isOneOf = (values: readonly string[], wanted: readonly string[] | undefined): boolean =>
    wanted === undefined || wanted.some((value) => values.includes(value));
  const mayBeOpen =
    filter.openSlots === undefined ||
    isOneOf(place.open_slots ?? [], filter.openSlots) ||
    isOneOf(place.special_dates ?? [], filter.specialDates ?? []);
  return (
    isInCells(place, filter.cells) &&
    (filter.within ?? []).every((cells) => isInCells(place, cells)) &&
    isOneOf(place.special_dates ?? [], filter.special) &&
    [filter.bounds, filter.inside].every((bounds) => bounds === undefined || isAt(place, bounds)) &&
    isOneOf([place.type], filter.types) &&
    isOneOf(place.areas ?? [], filter.areas) &&
    holdsWords(place, filter) &&
    beginsWith(place.joined_names, filter.nameBeginning) &&
    beginsWith(place.name_words, filter.wordBeginning) &&
    mayBeOpen &&
    isOneOf(place.busy_slots ?? [], filter.busySlots) &&
    isOneOf(place.contact_keys ?? [], filter.contacts) &&
    (filter.noneOf ?? []).every((one) => !isLetThrough(place, one)) &&
    (filter.anyOf === undefined || filter.anyOf.some((one) => isLetThrough(place, one))) &&
    (filter.custom ?? []).every((condition) =>
      "values" in condition
        ? isOneOf(place.custom_values ?? [], condition.values)
        : (place.custom_numbers?.[condition.number] ?? Number.NaN) >= (condition.min ?? -Infinity) &&
          (place.custom_numbers?.[condition.number] ?? Number.NaN) <= (condition.max ?? Infinity),
    ) &&
    (place.rating ?? 0) >= (filter.minRating ?? 0) &&
    (filter.maxPrice === undefined || (place.max_price ?? Infinity) <= filter.maxPrice)
  );
}

const shortCells = onceForEach((cells: readonly string[]) => new Set(cells.map(shortCell)));

function isInCells(place: IndexedPlace, cells: readonly string[] | undefined): boolean {
  if (cells === undefined) return true;
  const wanted = shortCells(cells);
  return place.cells.some((cell) => wanted.has(cell));
}

const beginsWith = (texts: readonly string[], beginning = ""): boolean =>
  beginning === "" || texts.some((text) => text.startsWith(beginning));

const wordsOf = onceForEach(
  ({ name_words, folded_rest }: IndexedPlace) => new Set([...name_words, ...words(folded_rest)]),
);

function holdsWords(place: IndexedPlace, { names, nameWords, wordSets }: PlaceFilter): boolean {
  if (names === undefined && nameWords === undefined && wordSets === undefined) return true;
  const bearsName = names?.some((name) => place.joined_names.includes(name)) ?? false;
  const inName =
    nameWords?.every((word) => formsOf(word).some((form) => place.name_words.includes(form))) ?? false;
  if (bearsName || inName || wordSets === undefined) return bearsName || inName;
  const known = wordsOf(place);
  return wordSets.some((set) => set.every((word) => formsOf(word).some((form) => known.has(form))));
}

const hasText = (place: IndexedPlace, { joinedName }: PlaceLookup): boolean =>
  joinedName === undefined ||
  place.joined_names.some((name) => name.startsWith(joinedName) || editDistance(joinedName, name).whole <= 2);

function countEach(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
