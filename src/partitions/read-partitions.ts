import { CallerGoneError, ProblemError } from "../errors.ts";
import { once } from "node:events";
import { engineResponseOf } from "../meilisearch/connection.ts";
import { isInvalidRequest } from "../meilisearch/read-index.ts";
import type { ClusterEngine } from "./cluster-engines.ts";
import type { ClusterWatch } from "./cluster-watch.ts";
import { enginesToAsk, healthyEngines, type LiveGeneration, type LivePartition } from "./live-generation.ts";

/**
 * An engine with a twin is given up after this time, so that the twin can still respond within the deadline of a request (800 ms).
 * A healthy engine takes some milliseconds.
 */
const ATTEMPT_MS = 350;

/** The first attempt, and one on another engine. */
const ATTEMPTS = 2;

interface ReadOptions<T> {
  /** The numbers of the partitions to read. */
  readonly partitions: readonly number[];
  /** Reads some partitions from one engine; resolves to their values in this order. */
  readonly read: (
    engine: ClusterEngine,
    partitions: readonly LivePartition[],
    signal: AbortSignal,
  ) => Promise<readonly T[]>;
  readonly signal: AbortSignal;
  /** The engines that failed a read of the same request before: a request waits for each of them once. Grows. */
  readonly failed?: Set<ClusterEngine>;
}

export interface ReadPartitions<T> {
  readonly values: ReadonlyMap<number, T>;
  /** The partitions that no engine could read. */
  readonly lost: readonly number[];
}

/**
 * Reads partitions, each from the engine with the least to do, and once more from another where an engine fails. A partition that was
 * readable a moment ago is given up only after another check of all engines.
 * @throws what the engine says of a wrong request, `overloaded`, and the reason of the signal.
 */
export async function readPartitions<T>(
  { partitions }: LiveGeneration,
  watch: Watch,
  { partitions: numbers, read, signal, failed = new Set() }: ReadOptions<T>,
): Promise<ReadPartitions<T>> {
  const values = new Map<number, T>();
  const lost: number[] = [];
  let open: readonly LivePartition[] = numbers.map((number) => partitions[number]!);
  for (let attempt = 1; open.length > 0 && attempt <= ATTEMPTS; attempt += 1) {
    const { assigned, left } = await assignKnown(open, failed, { watch, signal });
    lost.push(...left);
    const again = [...assigned].map(async ([engine, wanted]): Promise<readonly LivePartition[]> => {
      const hasTwin = wanted.every((partition) => isElsewhere(partition, engine, failed));
      const limit = hasTwin ? AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]) : signal;
      try {
        const found = await read(engine, wanted, limit);
        wanted.forEach(({ number }, index) => values.set(number, found[index]!));
        return [];
      } catch (error) {
        if (signal.aborted) throw error;
        noteFailure(error, { engine, wanted, watch, hasTwin, isLate: limit.aborted });
        failed.add(engine);
        return wanted;
      }
    });
    open = (await Promise.all(again)).flat();
  }
  return { values, lost: [...lost, ...open.map(({ number }) => number)] };
}

type Watch = Pick<ClusterWatch, "noteGone" | "check">;

/** Assigns again after a check where a partition seems to be lost that the last check did not know to be. */
async function assignKnown(
  open: readonly LivePartition[],
  failed: ReadonlySet<ClusterEngine>,
  { watch, signal }: { readonly watch: Pick<Watch, "check">; readonly signal: AbortSignal },
): Promise<Assignment> {
  const { assigned, left } = assign(open, failed);
  if (!open.some(({ number, isKnownLost }) => left.includes(number) && !isKnownLost))
    return { assigned, left };
  signal.throwIfAborted();
  await Promise.race([watch.check(), once(signal, "abort")]);
  signal.throwIfAborted();
  return assign(open, failed);
}

const isElsewhere = (
  partition: LivePartition,
  engine: ClusterEngine,
  failed: ReadonlySet<ClusterEngine>,
): boolean => healthyEngines(partition).some((other) => other !== engine && !failed.has(other));

interface Assignment {
  readonly assigned: ReadonlyMap<ClusterEngine, LivePartition[]>;
  /** The numbers of the partitions that no engine can read. */
  readonly left: readonly number[];
}

/**
 * Each partition to the engine with the fewest reads under way; another partition on the same engine adds no read. An engine that failed is
 * asked again only where there is no other: it may have been late with another partition.
 */
function assign(open: readonly LivePartition[], failed: ReadonlySet<ClusterEngine>): Assignment {
  const assigned = new Map<ClusterEngine, LivePartition[]>();
  const left: number[] = [];
  const loadOf = (engine: ClusterEngine): number => engine.load + (assigned.has(engine) ? 0 : 1);
  for (const partition of open) {
    const healthy = enginesToAsk(partition);
    const untried = healthy.filter((engine) => !failed.has(engine));
    const [first, ...others] = untried.length > 0 ? untried : healthy;
    if (first === undefined) {
      left.push(partition.number);
      continue;
    }
    const chosen = others.reduce((best, engine) => (loadOf(engine) < loadOf(best) ? engine : best), first);
    assigned.getOrInsert(chosen, []).push(partition);
  }
  return { assigned, left };
}

interface Failure {
  readonly engine: ClusterEngine;
  readonly wanted: readonly LivePartition[];
  readonly watch: Watch;
  readonly hasTwin: boolean;
  /** It took too long, which does not mean that it is gone: it may be busy. */
  readonly isLate: boolean;
}

/** Remembers what a failure says about an engine. Throws the errors that another engine would not help with. */
function noteFailure(error: unknown, { engine, wanted, watch, hasTwin, isLate }: Failure): void {
  // One that rests after failures in a row is asked again in a moment, and may be the only one left.
  if (isLate || (error as Error).name === "EngineRestingError") return;
  // An engine that hangs has a full queue; its twin may be idle.
  if (error instanceof ProblemError && error.code === "overloaded" && hasTwin) return;
  if (error instanceof ProblemError || error instanceof CallerGoneError) throw error;
  const response = engineResponseOf(error);
  if (response === undefined) {
    watch.noteGone(engine);
  } else if (response.code === "index_not_found") {
    for (const partition of wanted) forget(partition, engine);
    void watch.check();
  } else if (isInvalidRequest(response)) {
    throw error;
  }
}

/** The engine has lost this index. */
function forget({ replicas }: LivePartition, engine: ClusterEngine): void {
  for (const replica of replicas) if (replica.engine === engine) replica.writes = undefined;
}
