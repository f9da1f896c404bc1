import { engineUnavailable } from "../errors.ts";
import { readSummaries, searchIndexes } from "../meilisearch/read-index.ts";
import { INDEX_VERSION } from "../meilisearch/index-form.ts";
import { toEngineQuery, type EngineQuery } from "../meilisearch/lookup-query.ts";
import type { FoundHits } from "../meilisearch/outlines.ts";
import type { FoundPlace, LookupResult, PlaceLookup } from "../meilisearch/place-index.ts";
import type { PlaceExtra, PlaceSummaryDocument } from "../place/document/place-document.ts";
import type { ClusterEngine } from "./cluster-engines.ts";
import type { ClusterWatch } from "./cluster-watch.ts";
import { describeReplicas, indexOf, type LiveGeneration, type LivePartition } from "./live-generation.ts";
import { mergeResults, type PartResult } from "./merge-results.ts";
import { readPartitions } from "./read-partitions.ts";
import { routeLookup } from "./route-lookup.ts";

/** Reads for one request, all of the same generation. */
export interface ClusterReading {
  readonly generation: LiveGeneration;
  readonly watch: ClusterWatch;
  /** The partition around the caller: without it there is no honest response. */
  readonly home: number | undefined;
  /** The partitions asked so far. */
  readonly asked: Set<number>;
  /** Those that could not be asked. */
  readonly missing: Set<number>;
  /** The engines that failed a read. */
  readonly failed: Set<ClusterEngine>;
  readonly onRouted: (lookup: PlaceLookup, asked: RoutedLookup) => void;
}

/** Which partitions a lookup asked. */
export interface RoutedLookup {
  readonly partitions: readonly number[];
  /** How many of them have a match: with a perfect filter only these would have been asked. */
  readonly matching: number;
}

/** @throws engine_unavailable for an index of another version, which this program cannot read. */
export function refuseOtherVersion({ generation }: LiveGeneration): void {
  if (generation.index_version !== INDEX_VERSION)
    throw engineUnavailable(new Error("the index is of another version: import again"));
}

/** One request to each engine that has a partition which may hold a match. */
export async function findInPartitions(
  reading: ClusterReading,
  lookups: readonly PlaceLookup[],
  signal: AbortSignal,
): Promise<LookupResult[]> {
  const { generation, watch } = reading;
  refuseOtherVersion(generation);
  const routes = lookups.map(({ filter }) => routeLookup(filter, generation));
  const queries = lookups.map((lookup, position) =>
    toQuery(lookup, (routes[position]?.partitions.length ?? 0) > 1),
  );
  const wanted = Map.groupBy(
    routes.flatMap(({ partitions }, position) => partitions.map((number) => ({ number, position }))),
    ({ number }) => number,
  );
  const read = async (
    { ask }: ClusterEngine,
    partitions: readonly LivePartition[],
    limit: AbortSignal,
  ): Promise<readonly ReadonlyMap<number, PartResult>[]> => {
    const asked = partitions.map(({ number }) => (wanted.get(number) ?? []).map(({ position }) => position));
    const sent = asked.flatMap((positions, index) =>
      positions.map((position) => ({ indexUid: partitions[index]!.uid, ...queries[position]! })),
    );
    const results = (await searchIndexes(ask, sent, limit)).values();
    return asked.map(
      (positions) => new Map(positions.map((position) => [position, toPartResult(results.next().value!)])),
    );
  };
  const { values, lost } = await readPartitions(generation, watch, {
    partitions: [...wanted.keys()],
    read,
    signal,
    failed: reading.failed,
  });
  for (const number of wanted.keys()) reading.asked.add(number);
  noteLost(reading, lost, routes);
  return lookups.map((lookup, position) => {
    const { partitions } = routes[position]!;
    const parts = partitions.flatMap((number) => values.get(number)?.get(position) ?? []);
    reading.onRouted(lookup, { partitions, matching: parts.filter(({ total }) => total > 0).length });
    return mergeResults(lookup, parts);
  });
}

/** Far partitions may be missing, if the response says so. Those around the caller, and those that a lookup names, may not. */
function noteLost(
  { generation, missing, home }: ClusterReading,
  lost: readonly number[],
  routes: readonly { readonly partitions: readonly number[]; readonly isPlaced: boolean }[],
): void {
  for (const number of lost) {
    const isNeeded =
      number === home || routes.some(({ partitions, isPlaced }) => isPlaced && partitions.includes(number));
    if (isNeeded) throw partitionLost(generation, number);
    missing.add(number);
  }
}

/** Its cause says what is known of the engines: a caller learns nothing of it, the log all. */
export function partitionLost({ partitions }: LiveGeneration, number: number): Error {
  const known = describeReplicas(partitions[number]!);
  return engineUnavailable(new Error(`no engine can read partition ${number}: ${known}`));
}

/** The engine says how well words match only where several lists have to be merged. */
function toQuery(lookup: PlaceLookup, isDivided: boolean): EngineQuery {
  const query = toEngineQuery(lookup);
  if (!isDivided || lookup.limit === 0) return query;
  query.attributesToRetrieve = [...(query.attributesToRetrieve ?? []), "import_order"];
  return query.q === undefined ? query : { ...query, showRankingScore: true };
}

const toPartResult = ({ hits, estimatedTotalHits: total }: FoundHits): PartResult => ({
  places: hits.map(({ place }) => place),
  scores: hits.map(({ score = 0 }) => score),
  orders: hits.map(({ order }) => order),
  total,
});

/** The summaries of places, read where the places lie. */
export async function readSummariesInPartitions(
  { generation, watch, failed }: ClusterReading,
  places: readonly FoundPlace[],
  options: { readonly signal: AbortSignal; readonly extras: readonly PlaceExtra[] },
): Promise<ReadonlyMap<string, PlaceSummaryDocument>> {
  const { finder } = generation;
  const idsIn = Map.groupBy(places, ({ location }) => finder.ofPoint(location));
  const { values, lost } = await readPartitions(generation, watch, {
    partitions: [...idsIn.keys()],
    signal: options.signal,
    failed,
    read: ({ ask }, partitions, signal) =>
      Promise.all(
        partitions.map((partition) => {
          const ids = (idsIn.get(partition.number) ?? []).map(({ id }) => id);
          return readSummaries(indexOf(partition, ask), ids, { ...options, signal });
        }),
      ),
  });
  const [gone] = lost;
  if (gone !== undefined) throw partitionLost(generation, gone);
  return new Map([...values.values()].flatMap((summaries) => [...summaries]));
}
