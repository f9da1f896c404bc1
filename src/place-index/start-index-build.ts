import type { PlaceDocument } from "../place/place-document.ts";
import {
  connectEngine,
  engineResponseOf,
  type EngineAddress,
  type EngineConnection,
} from "./engine-connection.ts";
import { createPlaceIndex } from "./create-place-index.ts";
import { EngineTaskError, REPLACED, waitForTask } from "./engine-tasks.ts";
import type { IndexBuild } from "./index-build.ts";
import { INDEX_SETTINGS, INDEX_VERSION } from "./index-settings.ts";
import { toIndexedPlace, type IndexedPlace } from "./indexed-place.ts";
import { countPlaces, readManifest, toManifestDocument, type Manifest } from "./manifest.ts";

/**
 * Batches handed over and not yet indexed. The engine joins waiting batches into one write, so a few keep it busy; each
 * lies on its disk until then.
 */
const MAX_WAITING_BATCHES = 8;

/** Right after writing gigabytes the engine answers late. */
const COUNT_DEADLINE_MS = 30_000;

/**
 * Begins a new index beside the live one. What an import that was killed left behind is removed first.
 * @throws when the engine does not answer or refuses the settings.
 */
export async function startIndexBuild(address: EngineAddress): Promise<IndexBuild> {
  const connection = connectEngine(address);
  try {
    await removeBuild(connection);
    await runTask(connection, connection.client.createIndex(connection.nextUid, { primaryKey: "id" }));
    const index = connection.client.index(connection.nextUid);
    await runTask(connection, index.updateSettings(INDEX_SETTINGS));
    const manifest = { version: INDEX_VERSION, built_at: new Date().toISOString() };
    await runTask(connection, index.addDocuments([toManifestDocument(manifest)], { primaryKey: "id" }));
    return createIndexBuild(address, connection, manifest);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function createIndexBuild(
  address: EngineAddress,
  connection: EngineConnection,
  manifest: Manifest,
): IndexBuild {
  const index = connection.client.index(connection.nextUid);
  const waiting: number[] = [];

  const waitUntilUnder = async (batches: number): Promise<void> => {
    while (waiting.length >= batches) {
      await waitForTask(connection, waiting[0]!);
      waiting.shift();
    }
  };

  return {
    knownDataIds: (identities) => readKnownDataIds(connection, identities),
    async add(places) {
      await waitUntilUnder(MAX_WAITING_BATCHES);
      await checkStillOurs(connection, manifest);
      const task = await index.addDocumentsFromString(toJsonLines(places), "application/x-ndjson", {
        primaryKey: "id",
      });
      waiting.push(task.taskUid);
    },
    async finish() {
      await waitUntilUnder(1);
      await checkStillOurs(connection, manifest);
      return countPlaces(connection, connection.nextUid, COUNT_DEADLINE_MS);
    },
    createReader: () => createPlaceIndex({ ...address, prefix: connection.nextUid }),
    async swap() {
      await checkStillOurs(connection, manifest);
      await swapIn(connection);
      const isPreviousKept = await keepPrevious(connection).then(
        () => true,
        () => false,
      );
      await connection.close();
      return isPreviousKept;
    },
    async discard() {
      try {
        if (await isStillOurs(connection, manifest)) await removeBuild(connection);
      } finally {
        await connection.close();
      }
    },
  };
}

async function isStillOurs(connection: EngineConnection, manifest: Manifest): Promise<boolean> {
  const found = await readManifest(connection, connection.nextUid);
  return found?.built_at === manifest.built_at;
}

/**
 * Two imports on one engine fill the same index, the later one having removed what the earlier had built.
 * @throws {EngineTaskError} for the earlier one.
 */
async function checkStillOurs(connection: EngineConnection, manifest: Manifest): Promise<void> {
  if (await isStillOurs(connection, manifest)) return;
  throw new EngineTaskError(REPLACED);
}

async function readKnownDataIds(
  { client, liveUid }: EngineConnection,
  identities: readonly string[],
): Promise<Map<string, string>> {
  const path = `indexes/${liveUid}/documents/fetch`;
  const body = { ids: identities, fields: ["id", "data_id"], limit: identities.length };
  try {
    const { results } = await client.httpRequest.post<{ results: Pick<IndexedPlace, "id" | "data_id">[] }>({
      path,
      body,
    });
    return new Map(results.map(({ id, data_id: dataId }) => [id, dataId]));
  } catch (error) {
    // Before the first import there is no live index.
    if (engineResponseOf(error)?.code === "index_not_found") return new Map();
    throw error;
  }
}

const toJsonLines = (places: readonly PlaceDocument[]): string =>
  places.map((place) => JSON.stringify(toIndexedPlace(place))).join("\n");

async function runTask(
  connection: EngineConnection,
  enqueued: PromiseLike<{ taskUid: number }>,
): Promise<void> {
  const { taskUid } = await enqueued;
  await waitForTask(connection, taskUid);
}

async function swapIn(connection: EngineConnection): Promise<void> {
  const { client, liveUid, nextUid } = connection;
  await ensureIndex(connection, liveUid);
  await runTask(connection, client.swapIndexes([{ indexes: [liveUid, nextUid], rename: false }]));
}

/** After the swap "next" holds the replaced index; a second one makes it the previous and leaves the one before to delete. */
async function keepPrevious(connection: EngineConnection): Promise<void> {
  const { client, nextUid, previousUid } = connection;
  await ensureIndex(connection, previousUid);
  await runTask(connection, client.swapIndexes([{ indexes: [previousUid, nextUid], rename: false }]));
  await deleteIndex(connection, nextUid);
}

async function ensureIndex(connection: EngineConnection, uid: string): Promise<void> {
  if (!(await hasIndex(connection, uid)))
    await runTask(connection, connection.client.createIndex(uid, { primaryKey: "id" }));
}

async function deleteIndex(connection: EngineConnection, uid: string): Promise<void> {
  if (await hasIndex(connection, uid)) await runTask(connection, connection.client.deleteIndex(uid));
}

/** Batches that still wait would be indexed first, for minutes, only to be deleted. */
async function removeBuild(connection: EngineConnection): Promise<void> {
  const { client, nextUid } = connection;
  await runTask(
    connection,
    client.tasks.cancelTasks({ indexUids: [nextUid], statuses: ["enqueued", "processing"] }),
  );
  await deleteIndex(connection, nextUid);
}

async function hasIndex({ client }: EngineConnection, uid: string): Promise<boolean> {
  try {
    await client.httpRequest.get({ path: `indexes/${uid}` });
    return true;
  } catch (error) {
    if (engineResponseOf(error)?.code === "index_not_found") return false;
    throw error;
  }
}
