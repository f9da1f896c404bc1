import { isDeepStrictEqual } from "node:util";
import type { BuildOrigin } from "../../src/meilisearch/manifest.ts";
import {
  connectEngine,
  engineResponseOf,
  type EngineAddress,
  type EngineConnection,
} from "../../src/meilisearch/connection.ts";
import {
  isNamed,
  mapUid,
  partitionUid,
  type Generation,
  type PartitionMap,
} from "../../src/partitions/partition-map.ts";
import { readPartitionMap, toMapDocument } from "../../src/partitions/stored-map.ts";
import type { Topology } from "../../src/partitions/topology.ts";
import { runTask, waitForQueue } from "./engine-tasks.ts";

/** A healthy engine answers in milliseconds; one that writes gigabytes may take longer. */
const DEADLINE_MS = 5_000;

/** Writing one document takes longer while the engine indexes a large batch of another index. */
const TASK_DEADLINE_MS = 120_000;

/** The map, for commands. `undefined` when engines respond and none has one; rejects when none responds. */
export const readMap = (topology: Topology): Promise<PartitionMap | undefined> =>
  readPartitionMap(topology, DEADLINE_MS);

/** Waits until the engines have done what a process before this one may have asked of them: it may have written a map. */
export async function settleMap(topology: Topology): Promise<void> {
  await onEveryEngine(topology, (connection) => waitForQueue(connection, mapUid(topology.prefix)));
}

/** The map once it is settled. */
export async function readSettledMap(topology: Topology): Promise<PartitionMap | undefined> {
  await settleMap(topology);
  return readMap(topology);
}

/**
 * Makes the generations of the map the live and the previous one, in one step: servers switch as soon as they see it in any engine.
 * Resolves to the URLs of the engines that could not be told; they get the next one.
 * @throws when no engine could be told.
 */
export async function writePartitionMap(topology: Topology, map: PartitionMap): Promise<readonly string[]> {
  const results = await onEveryEngine(topology, (connection) =>
    addDocuments(connection, mapUid(topology.prefix), [
      toMapDocument(map),
      ...toRecords(topology, [map.live, map.previous]),
    ]),
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
export async function writeNextGeneration(
  topology: Topology,
  next: NextGeneration,
  map: PartitionMap | undefined,
): Promise<void> {
  const records = toRecords(topology, [next.generation, map?.live, map?.previous]);
  const results = await onEveryEngine(topology, (connection) =>
    addDocuments(connection, mapUid(topology.prefix), [{ id: NEXT_ID, _next: next }, ...records]),
  );
  const [first] = results;
  if (first?.status === "rejected" && results.every(({ status }) => status === "rejected"))
    throw first.reason;
}

/** The generation that was begun after all that were ever live; `undefined` when there is none. */
export async function readNextGeneration(topology: Topology): Promise<NextGeneration | undefined> {
  const [map, results] = await Promise.all([
    readMap(topology),
    onEveryEngine(topology, (connection) => readRecords(connection, topology)),
  ]);
  // An engine that was away may still tell of an import that has ended since.
  const builtAt = [map?.live, map?.previous]
    .map((generation) => generation?.built_at ?? "")
    .toSorted()
    .at(-1)!;
  return results
    .flatMap((result) => (result.status === "fulfilled" ? (result.value.next ?? []) : []))
    .filter(({ generation }) => generation.built_at > builtAt)
    .toSorted((one, other) => (one.generation.built_at < other.generation.built_at ? 1 : -1))[0];
}

/**
 * Deletes the indexes of all generations but those to keep, on every engine that responds: the ones before the previous, and what
 * imports left half built. Batches of theirs that still wait are cancelled. Other indexes in the engine are not ours, whatever their
 * names.
 */
export function removeOtherGenerations(
  topology: Topology,
  keep: readonly (Generation | undefined)[],
): Promise<void> {
  const kept = new Set(keep.map((generation) => generation?.generation));
  return removeGenerations(topology, (generation) => !kept.has(generation));
}

/** Deletes the indexes of one generation, as `removeOtherGenerations` does. */
export const removeGeneration = (topology: Topology, { generation }: Generation): Promise<void> =>
  removeGenerations(topology, (other) => other === generation);

async function removeGenerations(
  topology: Topology,
  isRemoved: (generation: string) => boolean,
): Promise<void> {
  await onEveryEngine(topology, async (connection) => {
    const uids = new Set(await listIndexes(connection));
    const { records, next } = await readRecords(connection, topology);
    const others = records.filter(({ generation }) => isRemoved(generation));
    const removed = others.flatMap(({ indexes }) => indexes).filter((uid) => uids.has(uid));
    if (removed.length > 0) {
      const { client } = connection;
      // The engine does this first.
      await client.tasks.cancelTasks({ indexUids: removed, statuses: ["enqueued", "processing"] });
      await Promise.all(removed.map((uid) => runTask(connection, client.deleteIndex(uid))));
    }
    // A record stays until none of its indexes is found: a process that still copies to one makes it anew.
    const gone = others.filter(({ indexes }) => !indexes.some((uid) => uids.has(uid)));
    const documents = [
      ...(next && isRemoved(next.generation.generation) ? [NEXT_ID] : []),
      ...gone.map(({ generation }) => recordId(generation)),
    ];
    if (documents.length === 0) return;
    await runTask(connection, connection.client.index(mapUid(topology.prefix)).deleteDocuments(documents));
  });
}

/** Deletes all generations and the map, and waits until they are gone: for an index that was made for a check or a test. */
export async function removeAllIndexes(topology: Topology): Promise<void> {
  await removeOtherGenerations(topology, []);
  await onEveryEngine(topology, (connection) =>
    runTask(
      connection,
      connection.client.deleteIndex(mapUid(topology.prefix)),
      AbortSignal.timeout(TASK_DEADLINE_MS),
    ),
  );
}

/**
 * Which indexes of an engine are ours: one document beside the map for each generation, there before its indexes. The map names the
 * last two generations only.
 */
interface GenerationRecord {
  readonly generation: string;
  readonly indexes: readonly string[];
}

const recordId = (generation: string): string => `generation_${generation}`;

const toRecord = ({ prefix }: Topology, { generation, partitions }: Generation): GenerationRecord => ({
  generation,
  indexes: isNamed(generation)
    ? partitions.map((_, partition) => partitionUid(prefix, generation, partition))
    : [prefix, ...UNNAMED_ENDINGS.map((ending) => prefix + ending)],
});

/** Before there was a map, an import filled one index and kept the one that it replaced, by these names. */
const UNNAMED_ENDINGS = ["_next", "_previous"];

const toRecords = (topology: Topology, generations: readonly (Generation | undefined)[]): object[] =>
  generations
    .filter((generation) => generation !== undefined)
    .map((one) => ({ id: recordId(one.generation), _generation: toRecord(topology, one) }));

/** Many times what an engine has that was away for a hundred imports. */
const MAX_RECORDS = 1_000;

interface MapDocument {
  readonly _generation?: GenerationRecord;
  readonly _next?: NextGeneration;
}

interface Records {
  readonly records: readonly GenerationRecord[];
  readonly next?: NextGeneration | undefined;
}

/** The generations that may have indexes in this engine. A build from before there were records is known as the next one only. */
async function readRecords({ client }: EngineConnection, topology: Topology): Promise<Records> {
  try {
    const { results } = await client.httpRequest.get<{ results: MapDocument[] }>({
      path: `indexes/${mapUid(topology.prefix)}/documents`,
      params: { fields: "_generation,_next", limit: String(MAX_RECORDS) },
      extraRequestInit: { signal: AbortSignal.timeout(DEADLINE_MS) },
    });
    const next = results.find(({ _next }) => _next)?._next;
    const known = results.flatMap(({ _generation: record }) => record ?? []);
    const all = next ? [toRecord(topology, next.generation), ...known] : known;
    return { next, records: [...new Map(all.map((record) => [record.generation, record])).values()] };
  } catch (error) {
    if (engineResponseOf(error)?.status === 404) return { records: [] };
    throw error;
  }
}

/** More than any engine has. */
const MAX_INDEXES = 10_000;

/** The names of all indexes in an engine. */
async function listIndexes({ client }: EngineConnection): Promise<string[]> {
  const { results } = await client.httpRequest.get<{ results: { uid: string }[] }>({
    path: "indexes",
    params: { limit: String(MAX_INDEXES) },
    extraRequestInit: { signal: AbortSignal.timeout(DEADLINE_MS) },
  });
  return results.map(({ uid }) => uid);
}

const addDocuments = (
  connection: EngineConnection,
  uid: string,
  documents: readonly object[],
): Promise<void> =>
  runTask(
    connection,
    connection.client.index(uid).addDocuments([...documents] as Record<string, unknown>[], {
      primaryKey: "id",
    }),
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
