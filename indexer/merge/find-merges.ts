import { countMerged, type MergeTally } from "./merge-tally.ts";
import {
  type StoredSignature,
  type SignatureStore,
  CELL_RESOLUTION,
  type NumberedSignature,
  type Pair,
} from "./signature-store.ts";
import type { Commonness } from "../../src/same-place/signature.ts";
import { setImmediate as breathe } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { cellsAround } from "../../src/place/geometry/cells.ts";
import { matchPlaces, reachOf, areOther } from "../../src/same-place/same-place.ts";

export interface FindOptions {
  /**
   * Sources in the order in which they were read. Of equally complete records, the one of the earlier source
   * is kept.
   */
  readonly sources: readonly string[];
  readonly merges: MergeTally;
  readonly signal: AbortSignal;
}

/** The signatures of the records of one place. The first is the one that is kept. */
export type Merge = readonly StoredSignature[];

/** Finds the records that describe the same place, and counts the reasons. */
export async function* findMerges(
  store: SignatureStore,
  { sources, merges, signal }: FindOptions,
): AsyncGenerator<Merge> {
  await findPairs(store, signal);
  const byFullness = createOrder(sources);
  const onJoined: OnJoined = (one, other, { evidence, distanceMeters }) => {
    const [kept, merged] = [one, other].toSorted(byFullness).map(toRecord);
    if (!kept || !merged) return;
    countMerged(merges, { kept, merged, reason: evidence, distance_meters: Math.round(distanceMeters) });
  };
  for await (const group of joinPairs(store, onJoined, signal)) yield group.toSorted(byFullness);
}

const toRecord = ({ data_id, source, title }: StoredSignature) => ({ data_id, source, title });

/**
 * The more complete record first, then the earlier source. Ordering by identity last makes the result
 * repeatable.
 */
function createOrder(sources: readonly string[]) {
  const rankOf = (source: string): number => {
    const rank = sources.indexOf(source);
    return rank === -1 ? sources.length : rank;
  };
  return (one: StoredSignature, other: StoredSignature): number =>
    other.filled - one.filled ||
    rankOf(one.source) - rankOf(other.source) ||
    (one.identity < other.identity ? -1 : 1);
}

/** One ring of cells reaches 200 m from any point of the middle cell; three rings reach 700 m. */
const NEAR_STEPS = 1;
const LARGE_STEPS = 3;
const NEAR_REACH_METERS = 150;

/** Keeps the cells around the current one in some dozens of megabytes. */
const KEPT_PLACES = 10_000;

/**
 * Ten times the densest streets. So many places in one block have the point of their town, or a meaningless
 * one. Their distance says nothing, and comparing all of them would never end.
 */
const MAX_PLACES_OF_CELL = 5_000;

/**
 * A degree has 111 km. A slightly smaller value makes this quick test before the exact distance a little
 * generous.
 */
const METERS_PER_DEGREE = 110_000;

/** Compares each place with those around it. Keeps the pairs that are the same place. */
async function findPairs(store: SignatureStore, signal: AbortSignal): Promise<void> {
  const common = store.findCommon();
  const load = createLoader(store);
  for (const { cell } of store.cells()) {
    signal.throwIfAborted();
    for (const place of load(cell)) comparePlace(place, store, common, load);
    await breathe();
  }
}

function comparePlace(
  place: NumberedSignature,
  store: SignatureStore,
  common: Commonness,
  load: LoadCell,
): void {
  const isNear = createBox(place);
  for (const cell of cellsAround(place, CELL_RESOLUTION, stepsOf(place))) {
    for (const other of load(cell)) {
      if (other.source === place.source || !isNear(other) || !isSeenFrom(place, other)) continue;
      const match = matchPlaces(place, other, common);
      if (!match) continue;
      const { score, distanceMeters } = match;
      const evidence = match.evidence.join(" + ");
      store.putPair({ one: place.number, other: other.number, evidence, distanceMeters, score });
    }
  }
}

/** Ignores the 180th meridian, where longitudes wrap around: it affects only a few islands. */
function createBox({ latitude, longitude, type }: NumberedSignature) {
  const height = reachOf(type) / METERS_PER_DEGREE;
  const width = height / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
  return (other: NumberedSignature): boolean =>
    Math.abs(other.latitude - latitude) <= height && Math.abs(other.longitude - longitude) <= width;
}

const stepsOf = ({ type }: NumberedSignature): number =>
  reachOf(type) > NEAR_REACH_METERS ? LARGE_STEPS : NEAR_STEPS;

/**
 * Compares each pair once: from the place with the larger radius, or from the earlier one when they are
 * equal.
 */
function isSeenFrom(place: NumberedSignature, other: NumberedSignature): boolean {
  const [steps, otherSteps] = [stepsOf(place), stepsOf(other)];
  return steps === otherSteps ? place.number < other.number : steps > otherSteps;
}

type LoadCell = (cell: string) => readonly NumberedSignature[];

function createLoader(store: SignatureStore): LoadCell {
  const kept = new LRUCache<string, readonly NumberedSignature[]>({
    maxSize: KEPT_PLACES,
    sizeCalculation: (places) => places.length + 1,
  });
  return (cell) => {
    const known = kept.get(cell);
    if (known) return known;
    const places = store.inCell(cell);
    const compared = places.length > MAX_PLACES_OF_CELL ? [] : places;
    kept.set(cell, compared);
    return compared;
  };
}

/** Called for every pair that was joined. */
type OnJoined = (one: NumberedSignature, other: NumberedSignature, pair: Pair) => void;

/** Some hundredths of a second. The process must get a chance to renew its lease in between. */
const PAIRS_PER_BREATH = 500;

/**
 * Joins pairs into groups, the surest first. A group has at most one place of each source, and no two of its
 * places may contradict each other, even when a third matches both. Returns the groups of two and more.
 */
async function* joinPairs(
  store: SignatureStore,
  onJoined: OnJoined,
  signal: AbortSignal,
): AsyncGenerator<NumberedSignature[]> {
  const rings = createRings(store.last());
  const read = (numbers: readonly number[]): NumberedSignature[] =>
    numbers.map((number) => store.get(number)).filter((signature) => signature !== undefined);
  let looked = 0;
  for (const pair of store.pairs()) {
    const { one, other } = pair;
    if (++looked % PAIRS_PER_BREATH === 0) await breathe();
    signal.throwIfAborted();
    if (rings.areJoined(one, other)) continue;
    const [left, right] = [read(rings.of(one)), read(rings.of(other))];
    if (left.some((place) => right.some((candidate) => areOther(place, candidate)))) continue;
    rings.join(one, other);
    const [first, second] = read([one, other]);
    if (first && second) onJoined(first, second, pair);
  }
  for (const numbers of rings.groups()) yield read(numbers);
}

/** Groups of the numbers from 1, stored as rings in an array: four bytes for each number. */
function createRings(last: number) {
  const next = Uint32Array.from({ length: last + 1 }, (_, number) => number);
  const of = (number: number): number[] => {
    const ring = [number];
    for (let at = next[number]!; at !== number; at = next[at]!) ring.push(at);
    return ring;
  };
  return {
    of,
    areJoined: (one: number, other: number): boolean => of(one).includes(other),
    /** Two rings become one when two of their elements swap successors. */
    join(one: number, other: number): void {
      [next[one], next[other]] = [next[other]!, next[one]!];
    },
    /** The groups of two and more. */
    *groups(): Generator<number[]> {
      for (let number = 1; number <= last; number += 1) {
        const ring = of(number);
        if (ring.length > 1 && Math.min(...ring) === number) yield ring;
      }
    },
  };
}
