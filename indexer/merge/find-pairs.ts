import { setImmediate as breathe } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { cellsAround } from "../../src/place/cells.ts";
import { matchPlaces, reachOf, type Commonness } from "./same-place.ts";
import { CELL_RESOLUTION } from "./signature.ts";
import type { NumberedSignature, SignatureStore } from "./signature-store.ts";

/** A disk of one ring of cells reaches 200 m from any point of its middle cell, three rings reach 700 m. */
const NEAR_STEPS = 1;
const LARGE_STEPS = 3;
const NEAR_REACH_METERS = 150;

/** Some dozens of megabytes: the cells around the one in hand. */
const KEPT_PLACES = 10_000;

/**
 * Ten times the densest streets. So many places of one block share the point of their town, or of nothing: their distance
 * says nothing, and to compare all with all would never end.
 */
const MAX_PLACES_OF_CELL = 5_000;

/** A degree has 111 km: a quick look before the distance is calculated. A little more than is needed. */
const METERS_PER_DEGREE = 110_000;

/** Compares each place with those around it and keeps the pairs that are one place. */
export async function findPairs(store: SignatureStore, signal: AbortSignal): Promise<void> {
  const common = store.findCommon();
  const load = createLoader(store);
  for (const { cell } of store.cells()) {
    signal.throwIfAborted();
    for (const place of load(cell)) comparePlace(place, { store, common, load });
    await breathe();
  }
}

interface Comparing {
  readonly store: SignatureStore;
  readonly common: Commonness;
  readonly load: (cell: string) => readonly NumberedSignature[];
}

function comparePlace(place: NumberedSignature, { store, common, load }: Comparing): void {
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

/** Across the line where the degrees of longitude begin anew nothing is near: no more than a few islands lose by that. */
function createBox({ latitude, longitude, type }: NumberedSignature) {
  const height = reachOf(type) / METERS_PER_DEGREE;
  const width = height / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
  return (other: NumberedSignature): boolean =>
    Math.abs(other.latitude - latitude) <= height && Math.abs(other.longitude - longitude) <= width;
}

const stepsOf = ({ type }: NumberedSignature): number =>
  reachOf(type) > NEAR_REACH_METERS ? LARGE_STEPS : NEAR_STEPS;

/** Each pair is looked at once: from the place that sees further, of equals from the earlier one. */
function isSeenFrom(place: NumberedSignature, other: NumberedSignature): boolean {
  const [steps, otherSteps] = [stepsOf(place), stepsOf(other)];
  return steps === otherSteps ? place.number < other.number : steps > otherSteps;
}

function createLoader(store: SignatureStore): Comparing["load"] {
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
