import { engineUnavailable } from "../errors.ts";
import type { Ask } from "../meilisearch/connection.ts";
import { orUnavailable, withDeadline } from "../meilisearch/read-index.ts";
import type { PinnedReader, PlaceIndex } from "../meilisearch/place-index.ts";
import type { Coordinates } from "../place/geometry/coordinates.ts";
import type { StoredPlace } from "../place/document/place-document.ts";
import { getPlacesFromPartitions } from "./cluster-details.ts";
import { connectEngines, type ClusterEngine } from "./cluster-engines.ts";
import {
  readClusterCensus,
  readClusterSample,
  readClusterState,
  readClusterVocabulary,
  readClusterWords,
  warmUpEngines,
} from "./cluster-overview.ts";
import { findInPartitions, readSummariesInPartitions, type ClusterReading } from "./cluster-reader.ts";
import { watchCluster, type ClusterEvents, type ClusterWatch } from "./cluster-watch.ts";
import type { LiveGeneration } from "./live-generation.ts";
import type { PartitionMap } from "./partition-map.ts";
import type { Topology } from "./topology.ts";

export interface OpenOptions extends ClusterEvents {
  /** Wraps every request that a caller waits for (`createEngineGate`); each engine has its own, by its name. */
  readonly guard?: (ask: Ask, engine: string) => Ask;
  /** Whether an engine that does not respond was not started because its data is damaged. */
  readonly isDataDamaged?: (() => boolean) | undefined;
  /** Instead of the partition map that the engines have: for an import that is not live. */
  readonly map?: PartitionMap;
  /** A search asked so many partitions that it had not asked before; `isFirst` for the first time. */
  readonly onAsked?: (partitions: number, isFirst: boolean) => void;
  readonly onRouted?: ClusterReading["onRouted"];
}

/** The places of the live index, in one engine or divided among several. Opens its sockets with the first request. */
export function openPlaceIndex(
  topology: Topology,
  {
    guard = (ask) => ask,
    isDataDamaged = () => false,
    onAsked = () => undefined,
    onRouted = () => undefined,
    map,
    ...events
  }: OpenOptions = {},
): PlaceIndex {
  const engines = connectEngines(topology, guard);
  const watch = watchCluster({ engines, prefix: topology.prefix, events, map });
  const begin = async () => ({ watch, generation: await currentGeneration(watch) });
  const pin = (centre?: Coordinates): PinnedReader => pinReader(watch, centre, { onAsked, onRouted });

  const getPlaces = (
    dataIds: readonly string[],
    signal?: AbortSignal,
  ): Promise<(StoredPlace | undefined)[]> =>
    orUnavailable(() =>
      withDeadline(signal, (deadline) =>
        readLive(watch, (generation) => getPlacesFromPartitions({ watch, generation }, dataIds, deadline)),
      ),
    );

  return {
    pin,
    findPlaces: (lookups, signal) => pin().findPlaces(lookups, signal),
    readSummaries: (places, signal, extras) => pin().readSummaries(places, signal, extras),
    getPlace: async (dataId, signal) => (await getPlaces([dataId], signal))[0],
    getPlaces,
    readCensus: () => orUnavailable(async () => readClusterCensus(await begin())),
    readVocabulary: () => orUnavailable(async () => readClusterVocabulary(await begin())),
    readWords: () => orUnavailable(async () => readClusterWords(await begin())),
    async readState() {
      await watch.check();
      return readClusterState(watch, engines, isDataDamaged);
    },
    readSample: (size) => orUnavailable(async () => readClusterSample(await begin(), size)),
    async warmUp() {
      await watch.check();
      await warmUpEngines(watch.latest());
    },
    async close() {
      watch.close();
      await Promise.all(engines.map(({ connection }) => connection.close()));
    },
  };
}

/** The live import, as of the last check. @throws engine_unavailable when there is none. */
async function currentGeneration(watch: ClusterWatch): Promise<LiveGeneration> {
  if (watch.latest() === undefined) await watch.check();
  const generation = watch.latest();
  if (generation === undefined) throw engineUnavailable(new Error("no engine has a partition map"));
  return generation;
}

/**
 * Reads of the live import. One that was replaced and removed meanwhile is read no more: the read begins again with the new one, as
 * the checks of a failed read have found it.
 */
async function readLive<T>(
  watch: ClusterWatch,
  read: (generation: LiveGeneration) => Promise<T>,
  pinned?: LiveGeneration,
): Promise<T> {
  const known = pinned ?? (await currentGeneration(watch));
  try {
    return await read(known);
  } catch (error) {
    const latest = watch.latest();
    if (latest === undefined || nameOf(latest) === nameOf(known)) throw error;
    return read(latest);
  }
}

const nameOf = ({ generation }: LiveGeneration): string => generation.generation;

/** All reads of one request: they see one generation, whatever is imported meanwhile, as long as it is there. */
function pinReader(
  watch: ClusterWatch,
  centre: Coordinates | undefined,
  { onAsked, onRouted }: Required<Pick<OpenOptions, "onAsked" | "onRouted">>,
): PinnedReader {
  const asked = new Set<number>();
  const missing = new Set<number>();
  const failed = new Set<ClusterEngine>();
  let pinned = currentGeneration(watch);
  // Each read waits for it, and rejects with it.
  pinned.catch(() => undefined);
  const reading = async <T>(read: (now: ClusterReading) => Promise<T>): Promise<T> => {
    const first = await pinned;
    return readLive(
      watch,
      (generation) => {
        if (generation !== first) {
          pinned = Promise.resolve(generation);
          for (const known of [asked, missing, failed]) known.clear();
        }
        const home = centre && generation.finder.ofPoint(centre);
        return read({ generation, watch, home, asked, missing, failed, onRouted });
      },
      first,
    );
  };
  return {
    findPlaces: (lookups, signal) =>
      orUnavailable(async () => {
        const before = asked.size;
        const results = await reading((now) => findInPartitions(now, lookups, signal));
        if (asked.size > before) onAsked(asked.size - before, before === 0);
        return results;
      }),
    readSummaries: (places, signal, extras = []) =>
      orUnavailable(() => reading((now) => readSummariesInPartitions(now, places, { signal, extras }))),
    missingPartitions: () => [...missing].toSorted((one, other) => one - other),
  };
}
