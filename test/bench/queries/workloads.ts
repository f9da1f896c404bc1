import type { GazetteerSample } from "../data/gazetteer-sample.ts";
import { SEARCH_KINDS, type AutocompleteRequest, type BenchRequest } from "./bench-request.ts";
import { pointWithin } from "./nearby-point.ts";
import { createRandom, seedOf, type Random } from "./random.ts";
import { drawKind, makeSearch, REALISTIC_MIX } from "./search-requests.ts";
import { withoutMarks } from "./typed-text.ts";
import { createZipf } from "./zipf.ts";

/** What a run asks for; `part` is what `--only` chooses it by. */
export interface Workload {
  readonly name: string;
  readonly part: "mix" | "kinds" | "detail" | "autocomplete";
  /** Each call makes another request. */
  readonly make: (random: Random) => BenchRequest;
}

/**
 * The Zipf mix draws from this many requests: some thousand callers who ask the same things again and again, the first of them in
 * one request of nine.
 */
const ZIPF_UNIVERSE = 5_000;
const ZIPF_EXPONENT = 1;

/** Keystrokes after which suggestions are asked for. */
const TYPED_LETTERS = [1, 2, 4, 8];

/** Who types is near what he looks for. */
const NEAR_METERS = 3_000;

/** All workloads over one gazetteer. Requests of all but the Zipf mix are new each time: the caller stands elsewhere. */
export function listWorkloads(sample: GazetteerSample): Workload[] {
  const cold = (random: Random): BenchRequest => makeSearch(drawKind(REALISTIC_MIX, random), sample, random);
  return [
    { name: "mix, cold", part: "mix", make: cold },
    { name: "mix, Zipf", part: "mix", make: repeating(cold) },
    ...SEARCH_KINDS.map((kind): Workload => {
      const make = (random: Random): BenchRequest => makeSearch(kind, sample, random);
      return { name: kind, part: "kinds", make };
    }),
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

/** Always the same few thousand requests, in other orders. */
function repeating(make: Workload["make"]): Workload["make"] {
  const random = createRandom(seedOf("zipf"));
  const universe = Array.from({ length: ZIPF_UNIVERSE }, () => make(random));
  const draw = createZipf(ZIPF_UNIVERSE, ZIPF_EXPONENT);
  return (chance) => universe[draw(chance)]!;
}

/** The beginning of a name near the caller. Shorter names are typed in full. */
function makeAutocomplete(letters: number, sample: GazetteerSample, random: Random): AutocompleteRequest {
  const place = random.pick(sample.places);
  const typed = Array.from(withoutMarks(place.title)).slice(0, letters).join("").trim();
  return { operation: "autocomplete", text: typed, centre: pointWithin(place, NEAR_METERS, random) };
}
