import { isDeepStrictEqual } from "node:util";
import type { BuildOrigin } from "../../src/meilisearch/manifest.ts";
import {
  connectEngine,
  engineResponseOf,
  type EngineAddress,
  type EngineConnection,
} from "../../src/meilisearch/connection.ts";
import { mapUid, type Generation, type PartitionMap } from "../../src/partitions/partition-map.ts";
import { readPartitionMap, toMapDocument } from "../../src/partitions/stored-map.ts";
import type { Topology } from "../../src/partitions/topology.ts";
import { runTask, waitForQueue } from "../index-build/engine-tasks.ts";

/** A healthy engine answers in milliseconds; one that writes gigabytes may take longer. */
const DEADLINE_MS = 5_000;

/** Writing one document takes longer while the engine indexes a large batch of another index. */
const TASK_DEADLINE_MS = 120_000;

/** The map, for commands. `undefined` when engines respond and none has one; rejects when none responds. */
export const readMap = (topology: Topology): Promise<PartitionMap | undefined> =>
  readPartitionMap(topology, DEADLINE_MS);

/** The same, once the engines have done what a process before this one may have asked of them: it may have written a map. */
export async function readSettledMap(topology: Topology): Promise<PartitionMap | undefined> {
  await onEveryEngine(topology, (connection) =>
    waitForQueue(connection, { indexUids: [mapUid(topology.prefix)] }),
  );
  return readMap(topology);
}

/**
 * Makes the generations of the map the live and the previous one, in one step: servers switch as soon as they see it in any engine.
 * Resolves to the URLs of the engines that could not be told; they get the next one.
 * @throws when no engine could be told.
 */
export async function writePartitionMap(topology: Topology, map: PartitionMap): Promise<readonly string[]> {
  const results = await onEveryEngine(topology, (connection) =>
    addDocument(connection, mapUid(topology.prefix), toMapDocument(map)),
  );
  const failed = results.flatMap((result, index) =>
    result.status === "rejected" ? [topology.engines[index]!.url] : [],
  );
  const [first] = results;
  if (failed.length === results.length && first?.status === "rejected") throw first.reason;
  return failed;
}

/**
 * Says in the map which replicas of a generation are behind: those that `change` returns for each partition. The caller holds the
 * lease for writing. Writes nothing when nothing changes.
 */
export async function markBehind(
  topology: Topology,
  generation: string,
  change: (partition: number, behind: readonly string[]) => readonly string[],
): Promise<void> {
  const map = await readMap(topology);
  if (map === undefined) return;
  const marked = (one: Generation): Generation => {
    if (one.generation !== generation) return one;
    const partitions = one.partitions.map(({ behind, ...partition }, number) => {
      const now = change(number, behind ?? []);
      return { ...partition, ...(now.length > 0 && { behind: [...now] }) };
    });
    return { ...one, partitions };
  };
  const { live, previous } = map;
  const next = { live: marked(live), ...(previous && { previous: marked(previous) }) };
  if (isDeepStrictEqual(next, { live, ...(previous && { previous }) })) return;
  await writePartitionMap(topology, { sequence: map.sequence + 1, ...next });
}

/** The generation that an import is building, or left half built. */
export interface NextGeneration {
  readonly generation: Generation;
  readonly build: { readonly id: string; readonly origin: BuildOrigin };
}

const NEXT_ID = "next";

/** Stored beside the map before anything is built, so that what an import leaves behind is known. */
export async function writeNextGeneration(topology: Topology, next: NextGeneration): Promise<void> {
  const results = await onEveryEngine(topology, (connection) =>
    addDocument(connection, mapUid(topology.prefix), { id: NEXT_ID, _next: next }),
  );
  const [first] = results;
  if (first?.status === "rejected" && results.every(({ status }) => status === "rejected"))
    throw first.reason;
}

/** The generation that was begun after all that were ever live; `undefined` when there is none. */
export async function readNextGeneration(topology: Topology): Promise<NextGeneration | undefined> {
  const [map, results] = await Promise.all([
    readMap(topology),
    onEveryEngine(topology, (connection) => readNext(connection, mapUid(topology.prefix))),
  ]);
  // An engine that was away may still tell of an import that has ended since.
  const builtAt = [map?.live, map?.previous]
    .map((generation) => generation?.built_at ?? "")
    .toSorted()
    .at(-1)!;
  return results
    .flatMap((result) => (result.status === "fulfilled" && result.value ? [result.value] : []))
    .filter(({ generation }) => generation.built_at > builtAt)
    .toSorted((one, other) => (one.generation.built_at < other.generation.built_at ? 1 : -1))[0];
}

async function readNext({ client }: EngineConnection, uid: string): Promise<NextGeneration | undefined> {
  try {
    const { _next: next } = await client.httpRequest.get<{ _next: NextGeneration }>({
      path: `indexes/${uid}/documents/${NEXT_ID}`,
      extraRequestInit: { signal: AbortSignal.timeout(DEADLINE_MS) },
    });
    return next;
  } catch (error) {
    if (engineResponseOf(error)?.status === 404) return undefined;
    throw error;
  }
}

/**
 * Deletes the indexes of all generations but those to keep, on every engine that responds: the ones before the previous, and what
 * imports left half built. Batches of theirs that still wait are cancelled.
 */
export async function removeOtherGenerations(
  topology: Topology,
  keep: readonly (Generation | undefined)[],
): Promise<void> {
  const kept = new Set(keep.map((generation) => generation?.generation));
  await onEveryEngine(topology, async (connection) => {
    const uids = await listPartitionIndexes(connection, topology.prefix);
    const removed = uids.filter(({ generation }) => !kept.has(generation)).map(({ uid }) => uid);
    if (removed.length > 0) {
      const waiting = { indexUids: removed, statuses: ["enqueued" as const, "processing" as const] };
      await runTask(connection, connection.client.tasks.cancelTasks(waiting));
      for (const uid of removed) await runTask(connection, connection.client.deleteIndex(uid));
    }
    // Its generation is live, or gone.
    await runTask(connection, connection.client.index(mapUid(topology.prefix)).deleteDocument(NEXT_ID)).catch(
      ignoreMissing,
    );
  });
}

/** There is no map yet. */
const ignoreMissing = (): void => undefined;

interface PartitionIndex {
  readonly uid: string;
  readonly generation: string;
}

/** More than any engine has. */
const MAX_INDEXES = 10_000;

/** The indexes of partitions in an engine, of any generation. */
async function listPartitionIndexes({ client }: EngineConnection, prefix: string): Promise<PartitionIndex[]> {
  const { results } = await client.httpRequest.get<{ results: { uid: string }[] }>({
    path: "indexes",
    params: { limit: String(MAX_INDEXES) },
    extraRequestInit: { signal: AbortSignal.timeout(DEADLINE_MS) },
  });
  return results.flatMap(({ uid }) => {
    const [, generation] = uid.startsWith(`${prefix}_`)
      ? (/^([0-9a-z]+)_\d+$/.exec(uid.slice(prefix.length + 1)) ?? [])
      : [];
    return generation === undefined ? [] : [{ uid, generation }];
  });
}

const addDocument = (connection: EngineConnection, uid: string, document: object): Promise<void> =>
  runTask(
    connection,
    connection.client.index(uid).addDocuments([document as Record<string, unknown>], { primaryKey: "id" }),
    AbortSignal.timeout(TASK_DEADLINE_MS),
  );

/** Does the same in all engines at once. The results are in the order of the engines. */
function onEveryEngine<T>(
  { engines }: Topology,
  run: (connection: EngineConnection) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  return Promise.allSettled(engines.map((engine) => onEngine(engine, run)));
}

async function onEngine<T>(
  engine: EngineAddress,
  run: (connection: EngineConnection) => Promise<T>,
): Promise<T> {
  const connection = connectEngine(engine);
  try {
    await connection.client.httpRequest.get({
      path: "health",
      extraRequestInit: { signal: AbortSignal.timeout(DEADLINE_MS) },
    });
    return await run(connection);
  } finally {
    await connection.close();
  }
}
