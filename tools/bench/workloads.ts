import type { DatasetSample } from "./dataset.ts";
import {
  type AutocompleteRequest,
  type BenchRequest,
  REALISTIC_MIX,
  SEARCH_KINDS,
  SENTENCE_KINDS,
  drawKind,
  makeNearby,
  makeSearch,
  pointWithin,
} from "./requests.ts";
import { type Random, createRandom, seedOf } from "../../test/support/random.ts";
import { withoutMarks } from "./typed-text.ts";

/** The requests of a run. `--only` selects it by `part`. */
export interface Workload {
  readonly name: string;
  readonly part: "mix" | "kinds" | "geography" | "detail" | "autocomplete";
  /** Creates a different request on each call. */
  readonly make: (random: Random) => BenchRequest;
}

/**
 * The number of requests that the Zipf mix draws from: some thousand callers who repeat the same requests.
 * The most frequent one is one request in nine.
 */
const ZIPF_UNIVERSE = 5_000;
const ZIPF_EXPONENT = 1;

/** The numbers of typed letters after which suggestions are requested. */
const TYPED_LETTERS = [1, 2, 4, 8];

/** A caller who types is near the place. */
const NEAR_METERS = 3_000;

/**
 * All workloads on one dataset. Except in the Zipf mix every request is new, because the caller's position
 * changes.
 */
export function listWorkloads(sample: DatasetSample): Workload[] {
  const cold = (random: Random): BenchRequest => makeSearch(drawKind(REALISTIC_MIX, random), sample, random);
  return [
    { name: "mix, cold", part: "mix", make: cold },
    { name: "mix, Zipf", part: "mix", make: repeating(cold) },
    ...[...SEARCH_KINDS, ...SENTENCE_KINDS].map((kind): Workload => {
      const make = (random: Random): BenchRequest => makeSearch(kind, sample, random);
      return { name: kind, part: "kinds", make };
    }),
    {
      name: "by distance",
      part: "geography",
      make: (random) => ({ ...makeSearch("category", sample, random), sort: "distance" }),
    },
    {
      name: "nearby",
      part: "geography",
      make: (random) => makeNearby("distance", sample, random),
    },
    {
      name: "best known",
      part: "geography",
      make: (random) => makeNearby("prominence", sample, random),
    },
    {
      name: "detail",
      part: "detail",
      make: (random) => ({ operation: "detail", dataId: random.pick(sample.places).dataId }),
    },
    ...TYPED_LETTERS.map((letters): Workload => {
      const make = (random: Random): BenchRequest => makeAutocomplete(letters, sample, random);
      return { name: `${letters} ${letters === 1 ? "letter" : "letters"}`, part: "autocomplete", make };
    }),
  ];
}

/** Repeats the same few thousand requests in different orders. */
function repeating(make: Workload["make"]): Workload["make"] {
  const random = createRandom(seedOf("zipf"));
  const universe = Array.from({ length: ZIPF_UNIVERSE }, () => make(random));
  const draw = createZipf(ZIPF_UNIVERSE, ZIPF_EXPONENT);
  return (chance) => universe[draw(chance)]!;
}

/** The beginning of a name near the caller. Shorter names are typed in full. */
function makeAutocomplete(letters: number, sample: DatasetSample, random: Random): AutocompleteRequest {
  const place = random.pick(sample.places);
  const typed = Array.from(withoutMarks(place.title)).slice(0, letters).join("").trim();
  return { operation: "autocomplete", text: typed, centre: pointWithin(place, NEAR_METERS, random) };
}

/**
 * Draws ranks 0 … `size` − 1, rank r with a probability proportional to 1 / (r + 1)^exponent (Zipf's law).
 * Computes the cumulative sums once; a draw is a binary search in them.
 */
export function createZipf(size: number, exponent: number): (random: Random) => number {
  const sums = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank += 1) {
    sum += 1 / (rank + 1) ** exponent;
    sums[rank] = sum;
  }
  return (random) => firstAbove(sums, random.fraction() * sum);
}

/** The first place in the ascending list whose value is above the target. */
function firstAbove(ascending: Float64Array, target: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! > target) high = middle;
    else low = middle + 1;
  }
  return low;
}
