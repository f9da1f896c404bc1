import {
  compareBy,
  type LookupResult,
  type PlaceCandidate,
  type PlaceLookup,
} from "../meilisearch/place-index.ts";
import { distanceMeters } from "../place/geometry/coordinates.ts";
import { prominenceLevel } from "../place/document/prominence.ts";

/** What one partition returned of a lookup. */
export interface PartResult extends LookupResult {
  /** With words: how well each place matches them. */
  readonly scores?: readonly number[];
  /** The position of each place in the import; absent for one that was added later. */
  readonly orders?: readonly (number | undefined)[];
}

interface Hit {
  readonly place: PlaceCandidate;
  /** How well it matches words, as the engine says; for the nearest first the distance below zero. */
  readonly key: number;
  readonly order: number;
}

/** The result of a lookup over several partitions, in the order in which one engine would have it. */
export function mergeResults(lookup: PlaceLookup, parts: readonly PartResult[]): LookupResult {
  const [only = NOTHING, ...others] = parts;
  if (others.length === 0) return only;
  const keyOf = (place: PlaceCandidate, given = 0): number =>
    lookup.order?.by === "distance" ? -distanceMeters(lookup.order.from, place.location) : given;
  const hits = parts.flatMap(({ places, scores = [], orders = [] }) =>
    places.map((place, index): Hit => ({
      place,
      key: keyOf(place, scores[index]),
      order: orders[index] ?? Infinity,
    })),
  );
  const sorted = hits.toSorted(orderOf(lookup)).map(({ place }) => place);
  return {
    places: withoutRepeated(sorted).slice(0, lookup.limit),
    total: parts.reduce((sum, { total }) => sum + total, 0),
  };
}

const NOTHING: LookupResult = { places: [], total: 0 };

/** A place that moves across a border is in two partitions for a moment. */
function withoutRepeated(places: readonly PlaceCandidate[]): PlaceCandidate[] {
  const seen = new Set<string>();
  return places.filter(({ id }) => !seen.has(id) && seen.add(id));
}

type Compare = (one: Hit, other: Hit) => number;

const byId: Compare = ({ place: one }, { place: other }) => (one.id < other.id ? -1 : 1);

const byLevel: Compare = ({ place: one }, { place: other }) =>
  prominenceLevel(other.prominence) - prominenceLevel(one.prominence);

/** The engine returns places that it ranks alike in the order in which it got them. */
const byImport: Compare = ({ order: one }, { order: other }) => (one === other ? 0 : one - other);

const byKey: Compare = (one, other) => other.key - one.key;

/** As the settings of the index and `toEngineQuery` tell the engine. Without words and order all keys are alike. */
function orderOf({ order }: PlaceLookup): Compare {
  if (order?.by === "rating" || order?.by === "prominence")
    return (one, other) => compareBy(order.by, one.place, other.place);
  return (one, other) => byKey(one, other) || byLevel(one, other) || byImport(one, other) || byId(one, other);
}
