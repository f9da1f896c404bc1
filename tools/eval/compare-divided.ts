import { setTimeout as sleep } from "node:timers/promises";
import { openPlaceIndex } from "../../src/partitions/open-place-index.ts";
import { createPartitionFinder, type Generation } from "../../src/partitions/partition-map.ts";
import { readPartitionMap } from "../../src/partitions/stored-map.ts";
import { type Topology } from "../../src/partitions/topology.ts";
import type { Coordinates } from "../../src/place/geometry/coordinates.ts";
import type { LookupResult, PlaceLookup } from "../../src/meilisearch/place-index.ts";
import type { Ask } from "../../src/meilisearch/connection.ts";
import { createPlaceSearch } from "../../src/search/search-places.ts";
import { readCpuMs } from "../bench/process-usage.ts";
import { median } from "../../test/support/statistics.ts";
import { CONNECTIONS, PAGE, PATIENT_MS, SUGGESTIONS, type Workshop } from "./ask.ts";
import { isAutocomplete, type EvalCase } from "./cases.ts";
import { EVAL_MOMENT } from "./dataset.ts";
import { createLookupCounter, formatLookups, measureRoles, type LookupCounter } from "./lookup-costs.ts";

/** Asks an index in one engine and one that is divided among several the same, and compares what they return and what it costs. */

/** Of so many queries at most, one in a hundred, places that are equally well known may be cut differently. */
const ALLOWED_DIFFERENCES = 0.01;

/** What one query returned, in its order: the place and its score. */
interface Shown {
  readonly dataId: string;
  readonly location: Coordinates;
  readonly title: string;
  readonly score: number;
}

interface Measured {
  /** In the order of the cases. */
  readonly results: readonly (readonly Shown[])[];
  readonly engineMs: number;
  /** Of this process: the search and the exchange with the engines, without HTTP. */
  readonly searchMs: number;
  readonly requests: number;
  readonly partitionsAsked: number;
  readonly p50Ms: number;
  /** CPU time of the engines for one lookup of each role that the divided index was asked for. */
  readonly roleMs: ReadonlyMap<string, number>;
}

export interface Comparison {
  readonly cases: readonly EvalCase[];
  readonly whole: Measured;
  readonly divided: Measured;
  /** The numbers of the cases with other results. */
  readonly different: readonly number[];
  readonly isAlike: boolean;
  /** The lookups of the divided index. */
  readonly lookups: LookupCounter;
  readonly partitions: number;
  /** Partitions with a place that a query returned, over all queries: what had to be asked at least. */
  readonly partitionsShown: number;
}

interface CompareOptions {
  readonly whole: Workshop;
  readonly divided: Workshop;
  readonly signal: AbortSignal;
}

export async function compareDivided(
  cases: readonly EvalCase[],
  { whole, divided, signal }: CompareOptions,
): Promise<Comparison> {
  const lookups = createLookupCounter();
  const several = await measure(cases, { ...divided, lookups, signal });
  const one = await measure(cases, { ...whole, lookups, signal });
  const different = cases.flatMap((_, number) =>
    JSON.stringify(one.results[number]) === JSON.stringify(several.results[number]) ? [] : [number],
  );
  const isAlike = different.length <= ALLOWED_DIFFERENCES * cases.length;
  const partitions = await readPartitions(divided.index);
  const partitionsShown = countPartitions(several.results, partitions);
  return {
    cases,
    whole: one,
    divided: several,
    different,
    isAlike,
    lookups,
    partitions: partitions.length,
    partitionsShown,
  };
}

async function readPartitions(index: Topology): Promise<Generation["partitions"]> {
  const map = await readPartitionMap(index);
  if (map === undefined) throw new Error("The index is not divided.");
  return map.live.partitions;
}

/** In how many partitions the places of each page lie; with none, the one around the caller was asked all the same. */
function countPartitions(pages: Measured["results"], partitions: Generation["partitions"]): number {
  const { ofPoint } = createPartitionFinder(partitions);
  const counts = pages.map((page) =>
    Math.max(1, new Set(page.map(({ location }) => ofPoint(location))).size),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

interface MeasureOptions extends Pick<Workshop, "index" | "enginePids"> {
  readonly lookups: LookupCounter;
  readonly signal: AbortSignal;
}

/** So many cases, from all kinds, warm up this process and the engines before all are measured. */
const WARMING_CASES = 500;

const warmingOf = (cases: readonly EvalCase[]): readonly EvalCase[] => {
  const step = Math.ceil(cases.length / WARMING_CASES);
  return cases.filter((_, number) => number % step === 0);
};

async function measure(
  cases: readonly EvalCase[],
  { index: address, enginePids, lookups, signal }: MeasureOptions,
): Promise<Measured> {
  const isDivided = address.partitions > 1;
  let requests = 0;
  let partitionsAsked = 0;
  const count = (ask: Ask): Ask =>
    ((question) => {
      requests += 1;
      return ask(question);
    }) as Ask;
  const index = openPlaceIndex(address, {
    guard: count,
    onAsked: (partitions) => void (partitionsAsked += partitions),
    onRouted: (lookup, asked) => lookups.note(lookup, asked),
  });
  try {
    await index.warmUp();
    const search = createPlaceSearch(index, { deadlineMs: PATIENT_MS });
    await search.prepared;
    await runAll(warmingOf(cases), { search, signal });
    [requests, partitionsAsked] = [0, 0];
    const [engineBefore, before] = [readCpuMs(enginePids), process.cpuUsage()];
    const { results, durations } = await runAll(cases, {
      search,
      signal,
      say: (text) => void process.stderr.write(`${isDivided ? "Divided" : "One"}: ${text}\n`),
      ...(isDivided && { lookups }),
    });
    const { user, system } = process.cpuUsage(before);
    const measured = {
      results,
      engineMs: readCpuMs(enginePids) - engineBefore,
      searchMs: (user + system) / 1_000,
      requests,
      partitionsAsked,
      p50Ms: median(durations),
    };
    const ask = (sent: readonly PlaceLookup[]): Promise<LookupResult[]> => index.findPlaces(sent, signal);
    return { ...measured, roleMs: await measureRoles(lookups.roles(), ask, enginePids) };
  } finally {
    await index.close();
  }
}

interface RunOptions {
  readonly search: ReturnType<typeof createPlaceSearch>;
  readonly signal: AbortSignal;
  readonly lookups?: LookupCounter;
  /** Gets progress. */
  readonly say?: (text: string) => void;
}

const SHOWN_EVERY = 500;

async function runAll(
  cases: readonly EvalCase[],
  { search, signal, lookups, say }: RunOptions,
): Promise<{ readonly results: readonly (readonly Shown[])[]; readonly durations: number[] }> {
  const results = Array.from(cases, (): readonly Shown[] => []);
  const durations: number[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < cases.length) {
      signal.throwIfAborted();
      const number = next++;
      if (number > 0 && number % SHOWN_EVERY === 0) say?.(`${number} of ${cases.length} queries`);
      const { kind, query, centre } = cases[number]!;
      const isTyped = isAutocomplete(kind);
      const request = { query, centre, offset: 0, limit: isTyped ? SUGGESTIONS : PAGE, now: EVAL_MOMENT };
      const startedAt = performance.now();
      const ask = () => (isTyped ? search.suggest(request) : search.search(request));
      const { places } = await retrying(() => (lookups ? lookups.inSearch(kind, ask) : ask()));
      durations.push(performance.now() - startedAt);
      results[number] = places.map(({ place, explanation }) => ({
        dataId: place.data_id,
        location: place.location,
        title: place.title,
        score: explanation.score,
      }));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return { results, durations };
}

/** On a busy machine an engine may be taken for lost for a moment. Only results and cost are measured here. */
const TRIES = 3;
const PAUSE_MS = 2_000;

async function retrying<T>(ask: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await ask();
    } catch (error) {
      if (tried === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/** Up to so many differences are printed without `--show-misses`. */
const SHOWN_DIFFERENCES = 5;

export function formatComparison(comparison: Comparison, showMisses: number): string {
  const { cases, whole, divided, different, lookups } = comparison;
  const each = (value: number): string => (value / cases.length).toFixed(2);
  const row = (name: string, one: number, several: number): string =>
    `${name.padEnd(34)}${each(one).padStart(10)}${each(several).padStart(10)}${(several / one).toFixed(2).padStart(8)}`;
  const share = ((100 * different.length) / Math.max(1, cases.length)).toFixed(2);
  return [
    `${cases.length} queries, ${comparison.partitions} partitions; ${different.length} with other results (${share} %): ${inKinds(comparison)}`,
    "",
    `${"for each query".padEnd(34)}${"one".padStart(10)}${"divided".padStart(10)}${"ratio".padStart(8)}`,
    row("CPU of the engines, ms", whole.engineMs, divided.engineMs),
    row("CPU of the search, ms", whole.searchMs, divided.searchMs),
    row("requests to engines", whole.requests, divided.requests),
    `${"partitions asked".padEnd(34)}${"1.00".padStart(10)}${each(divided.partitionsAsked).padStart(10)}`,
    `${"partitions with a result".padEnd(34)}${"1.00".padStart(10)}${each(comparison.partitionsShown).padStart(10)}`,
    `${"p50, ms".padEnd(34)}${whole.p50Ms.toFixed(1).padStart(10)}${divided.p50Ms.toFixed(1).padStart(10)}${(divided.p50Ms / whole.p50Ms).toFixed(2).padStart(8)}`,
    formatLookups({ counter: lookups, whole: whole.roleMs, divided: divided.roleMs }),
    ...different.slice(0, showMisses || SHOWN_DIFFERENCES).flatMap((number) => describe(comparison, number)),
    "",
  ].join("\n");
}

function inKinds({ cases, different }: Comparison): string {
  const kinds = Map.groupBy(different, (number) => cases[number]!.kind);
  return [...kinds].map(([kind, numbers]) => `${kind} ${numbers.length}`).join(", ") || "none";
}

/** The first place that differs. */
function describe({ cases, whole, divided }: Comparison, number: number): string[] {
  const { kind, query, centre } = cases[number]!;
  const [one, several] = [whole.results[number]!, divided.results[number]!];
  const at = one.findIndex((shown, index) => JSON.stringify(shown) !== JSON.stringify(several[index]));
  const position = at < 0 ? one.length : at;
  const show = (shown: Shown | undefined): string =>
    shown === undefined ? "nothing" : `${shown.title} (${shown.dataId}, ${shown.score.toFixed(4)})`;
  return [
    "",
    `${kind}: "${query}" at ${centre.latitude.toFixed(4)}, ${centre.longitude.toFixed(4)}; place ${position + 1} of ${one.length}`,
    `  one:     ${show(one[position])}`,
    `  divided: ${show(several[position])}`,
  ];
}
