import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { countBehind, lostIn } from "../meilisearch/place-index.ts";
import type { PartitionsState } from "../telemetry/telemetry.ts";
import type { ClusterEngine } from "./cluster-engines.ts";
import {
  healthyEngines,
  lostPartitions,
  openGeneration,
  toDivision,
  type LiveGeneration,
  type LivePartition,
} from "./live-generation.ts";
import {
  NAME_DOCUMENTS,
  namesOutline,
  openNames,
  withAdded,
  type NameDocuments,
  type Names,
} from "./name-filter.ts";
import type { PartitionMap } from "./partition-map.ts";
import { latestMap, readMapOf } from "./stored-map.ts";
import { highestWrites, readWrites } from "./writes.ts";

/** A new import, a lost engine and a replica that missed writes are noticed within this time. */
const CHECK_MS = 1_000;

/** An engine that takes longer to read one document is not well. */
const KNOWN_DEADLINE_MS = 500;

/** The same while nothing is known of what it has: requests wait for it, and both may be busy with their start. */
const UNKNOWN_DEADLINE_MS = 2_000;

/**
 * One check that gets no response in time says little: this process itself may have been busy for that long. What is known of an
 * engine holds until it has missed so many in a row, and longer where no other engine has what it has: it may respond to the next read.
 */
const MISSED_CHECKS = 2;

/** A new import of which less can be read than of the one before is put off, but for no more checks than this. */
const POSTPONED_CHECKS = 5;

/** The names of twelve million places are some 30 MB. No request waits for them. */
const NAMES_DEADLINE_MS = 30_000;

/** What a cluster reports of itself, each when it changes. */
export interface ClusterEvents {
  /** `problem`: why it is down, as far as is known. */
  readonly onEngine?: (engine: string, isUp: boolean, problem?: unknown) => void;
  readonly onPartitions?: (state: PartitionsState) => void;
}

/** Knows which import is live and which engines can be asked. */
export interface ClusterWatch {
  /** What the last check found; `undefined` before the first, and where there is no import. */
  latest(): LiveGeneration | undefined;
  /** Checks all engines now; resolves when the check that is under way has ended. Never rejects. */
  check(): Promise<void>;
  /** For a read that found an engine gone: it is not asked again before a check. */
  noteGone(engine: ClusterEngine): void;
  close(): void;
}

interface WatchOptions {
  readonly engines: readonly ClusterEngine[];
  readonly prefix: string;
  readonly events: ClusterEvents;
  /** Instead of the one that the engines have: for an import that is not live. */
  readonly map?: PartitionMap | undefined;
}

/** Checks all engines once a second, from the first call of `check` on. */
export function watchCluster(options: WatchOptions): ClusterWatch {
  const { engines, events } = options;
  const closing = new AbortController();
  const report = createReports(events);
  let generation: LiveGeneration | undefined;
  let underWay: Promise<void> | undefined;
  let isRepeating = false;
  const missed = new Map<ClusterEngine, number>();
  const isTooEarly = createPostponement();

  const checkOnce = async (): Promise<void> => {
    const deadlineMs = generation ? KNOWN_DEADLINE_MS : UNKNOWN_DEADLINE_MS;
    const { maps, late } = await readMaps(options, deadlineMs);
    for (const engine of engines) missed.set(engine, late.has(engine) ? (missed.get(engine) ?? 0) + 1 : 0);
    const isOnlyLate = (engine: ClusterEngine): boolean =>
      late.has(engine) &&
      ((missed.get(engine) ?? 0) < MISSED_CHECKS || isAlone(engine, generation?.partitions ?? []));
    const latest = chooseGeneration(generation, maps, options);
    const how = { responding: maps, isOnlyLate, deadlineMs };
    await Promise.all((latest?.partitions ?? []).map((partition) => checkWrites(partition, how)));
    if (closing.signal.aborted) return;
    // Only now: an engine that is back may have missed writes.
    for (const engine of engines) if (!isOnlyLate(engine)) engine.isUp = maps.has(engine);
    if (!isTooEarly(generation, latest)) generation = latest;
    if (generation) noteChecked(generation);
    report(engines, generation);
  };
  const repeat = async (): Promise<void> => {
    isRepeating = true;
    while (!closing.signal.aborted) {
      await sleep(CHECK_MS, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
      if (!closing.signal.aborted) await check();
    }
  };
  const check = (): Promise<void> => {
    if (!isRepeating) void repeat();
    return (underWay ??= checkOnce().finally(() => (underWay = undefined)));
  };
  return {
    latest: () => generation,
    check,
    noteGone(engine) {
      if (!engine.isUp) return;
      engine.isUp = false;
      report(engines, generation);
      void check();
    },
    close: () => closing.abort(),
  };
}

/**
 * Says whether to wait with a newer generation: right after an import engines are busy, and may be late to say that they have it. The
 * indexes before stay readable meanwhile.
 */
function createPostponement() {
  let postponed = 0;
  return (current: LiveGeneration | undefined, latest: LiveGeneration | undefined): boolean => {
    const isWorse =
      current !== undefined &&
      latest !== undefined &&
      latest !== current &&
      lostPartitions(latest).length > lostPartitions(current).length;
    postponed = isWorse ? postponed + 1 : 0;
    return isWorse && postponed <= POSTPONED_CHECKS;
  };
}

function noteChecked(generation: LiveGeneration): void {
  const lost = new Set(lostPartitions(generation));
  for (const partition of generation.partitions) {
    partition.isKnownLost = lost.has(partition.number);
    // One partition is asked for everything.
    if (generation.partitions.length > 1) void refreshNames(partition);
  }
}

/** Whether it is the only engine from which one of the partitions can be read. */
const isAlone = (engine: ClusterEngine, partitions: readonly LivePartition[]): boolean =>
  partitions.map(healthyEngines).some((healthy) => healthy.length === 1 && healthy[0] === engine);

/** The map of every engine that responds. */
type Maps = ReadonlyMap<ClusterEngine, PartitionMap | undefined>;

/** Also finds the engines that did not respond in time. */
async function readMaps({ engines, prefix }: WatchOptions, deadlineMs: number) {
  const maps = new Map<ClusterEngine, PartitionMap | undefined>();
  const late = new Set<ClusterEngine>();
  const read = async (engine: ClusterEngine): Promise<void> => {
    try {
      maps.set(engine, await readMapOf(engine, prefix, deadlineMs));
      engine.problem = undefined;
    } catch (error) {
      engine.problem = error;
      if (isTimeout(error)) late.add(engine);
    }
  };
  await Promise.all(engines.map(read));
  return { maps, late };
}

/** The deadline of `AbortSignal.timeout` has passed. The engine's client wraps the reason. */
const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === "TimeoutError" || isTimeout(error.cause));

/** A newer map begins a generation. An engine that was away may have an older one; engines that all forgot it lost the import. */
function chooseGeneration(
  current: LiveGeneration | undefined,
  maps: Maps,
  { engines, prefix, map }: WatchOptions,
): LiveGeneration | undefined {
  const latest = map ?? latestMap([...maps.values()]);
  if (latest === undefined) return maps.size === engines.length ? undefined : current;
  const isNewer = current === undefined || latest.sequence > current.map.sequence;
  return isNewer ? openGeneration(latest, { engines, prefix, before: current }) : current;
}

/**
 * Reads how many writes each replica has got. The replicas of engines that do not respond are unknown from then on; of those that are
 * late, the last number holds: it is too low as soon as the twin has a higher one.
 */
async function checkWrites(
  partition: LivePartition,
  {
    responding,
    isOnlyLate,
    deadlineMs,
  }: {
    readonly responding: Maps;
    readonly isOnlyLate: (engine: ClusterEngine) => boolean;
    readonly deadlineMs: number;
  },
): Promise<void> {
  const counts = await Promise.all(
    partition.replicas.map(async ({ engine, writes: known }) => {
      // Of the only one nothing can have been missed.
      const isKept = isOnlyLate(engine) || partition.replicas.length === 1;
      if (!responding.has(engine)) return isKept ? known : undefined;
      try {
        const deadline = AbortSignal.timeout(deadlineMs);
        return (await readWrites(engine.connection, partition.uid, deadline))?.count ?? partition.uncounted;
      } catch (error) {
        return isKept || isTimeout(error) ? known : undefined;
      }
    }),
  );
  // All at once: a replica that is ahead of the highest known number would not count as current for a moment.
  for (const [index, replica] of partition.replicas.entries()) replica.writes = counts[index];
  partition.writes = Math.max(partition.writes, highestWrites(partition.replicas));
}

/** Reads what a partition may hold after every write to it. Until then it is asked for everything. */
async function refreshNames(partition: LivePartition): Promise<void> {
  const { writes } = partition;
  const [engine] = healthyEngines(partition);
  if (partition.namesAt === writes || engine === undefined) return;
  partition.names = undefined;
  partition.namesAt = writes;
  try {
    const names = await readNames(partition, engine);
    if (partition.namesAt === writes) partition.names = names;
  } catch {
    partition.namesAt = -1;
  }
}

/** The filter is read once, and again when changes have rebuilt it; what was added since, each time. */
async function readNames(
  partition: LivePartition,
  { connection }: ClusterEngine,
): Promise<Names | undefined> {
  const { stored, added } = NAME_DOCUMENTS;
  const read = async (ids: readonly string[]) => {
    const { results } = await connection.ask({
      operation: "names",
      path: `/indexes/${partition.uid}/documents/fetch`,
      body: { ids, fields: ["_names", "_names_added", "_names_rebuilt_at"], limit: 2 },
      signal: AbortSignal.timeout(NAMES_DEADLINE_MS),
      outline: namesOutline,
    });
    return results;
  };
  const rebuiltAtOf = (results: NameDocuments["results"]): number | undefined =>
    results.find((found) => found._names_rebuilt_at !== undefined)?._names_rebuilt_at;
  const { builtNames: known } = partition;
  let results = await read(known ? [added] : [stored, added]);
  if (known && rebuiltAtOf(results) !== known.rebuiltAt) results = await read([stored, added]);
  const names = results.find(({ _names }) => _names !== undefined)?._names;
  const opened = names && openNames(names);
  if (names) partition.builtNames = opened && { ...opened, rebuiltAt: names.rebuilt_at };
  const hashes = results.flatMap(({ _names_added = [] }) => _names_added);
  return partition.builtNames && withAdded(partition.builtNames, hashes);
}

/** Reports engines and partitions when they change, and once at the start. */
function createReports({ onEngine, onPartitions }: ClusterEvents) {
  const known = new Map<ClusterEngine, boolean>();
  let reported: PartitionsState | undefined;
  return (engines: readonly ClusterEngine[], generation: LiveGeneration | undefined): void => {
    for (const engine of engines) {
      if (known.get(engine) !== engine.isUp) onEngine?.(engine.name, engine.isUp, engine.problem);
      known.set(engine, engine.isUp);
    }
    const division = toDivision(generation?.partitions ?? [], engines);
    const state = { lost: lostIn(division), behind: countBehind(division) };
    if (!isDeepStrictEqual(state, reported)) onPartitions?.(state);
    reported = state;
  };
}
