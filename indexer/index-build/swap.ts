import { CommandError } from "../../src/cli/errors.ts";
import { formatCount } from "../../src/cli/format.ts";
import { engineResponseOf, type EngineConnection } from "../../src/meilisearch/connection.ts";
import {
  EngineTaskError,
  retryWhileUnreachable,
  runTask,
  waitForQueue,
  waitForTask,
} from "./engine-tasks.ts";
import {
  COUNT_DEADLINE_MS,
  countDocuments,
  PATIENT_DEADLINE_MS,
  readManifest,
  toManifestDocument,
  type Manifest,
} from "../../src/meilisearch/manifest.ts";

/**
 * Checks that an import deletes nothing that is not ours: it replaces the indexes of these names. Each has our manifest, has no
 * document yet, or does not exist.
 * @throws {CommandError} that names the index, and the engine's error.
 */
export async function checkOurs(connection: EngineConnection): Promise<void> {
  const { liveUid, nextUid, previousUid } = connection;
  for (const uid of [liveUid, nextUid, previousUid]) {
    const documents = await countForeign(connection, uid);
    if (documents === 0) continue;
    throw new CommandError(
      `The engine has an index "${uid}" that Hereabouts did not build, with ${formatCount(documents, "document")}. ` +
        "An import would replace it: give it another name first, or use another engine.",
    );
  }
}

/** The number of documents in an index without our manifest. */
async function countForeign(connection: EngineConnection, uid: string): Promise<number> {
  if ((await readManifest(connection, uid, PATIENT_DEADLINE_MS)) !== undefined) return 0;
  if (!(await hasIndex(connection, uid))) return 0;
  return (await countDocuments(connection, uid, COUNT_DEADLINE_MS)).documents;
}

/**
 * Makes the new index live, with its final manifest. Afterwards the replaced index has the name of the new
 * one.
 */
export async function swapIn(connection: EngineConnection, manifest: Manifest): Promise<void> {
  const { client, liveUid, nextUid } = connection;
  await ensureIndex(connection, liveUid);
  // Not awaited: the engine does this before the swap.
  const document = toManifestDocument(manifest);
  await retryWhileUnreachable(async () =>
    client.index(nextUid).addDocuments([document], { primaryKey: "id" }),
  );
  for (;;) {
    try {
      await runTask(connection, client.swapIndexes([{ indexes: [liveUid, nextUid], rename: false }]));
      return;
    } catch (error) {
      if (error instanceof EngineTaskError || engineResponseOf(error) !== undefined) throw error;
    }
    // The engine stopped during the request. If it had already accepted the swap, a second one would undo it.
    await waitForQueue(connection, { types: ["indexSwap"] });
    const live = await retryWhileUnreachable(() => readManifest(connection, liveUid));
    if (live?.built_at === manifest.built_at) return;
  }
}

/**
 * After the swap, "next" holds the replaced index. A second swap makes that the previous index and leaves the
 * older one to delete.
 */
export async function keepPrevious(connection: EngineConnection): Promise<void> {
  const { client, nextUid, previousUid } = connection;
  await ensureIndex(connection, previousUid);
  await runTask(connection, client.swapIndexes([{ indexes: [previousUid, nextUid], rename: false }]));
  await deleteIndex(connection, nextUid);
}

/**
 * Cancels waiting batches first: otherwise the engine would spend minutes indexing them, only to delete them.
 */
export async function removeBuild(connection: EngineConnection, signal?: AbortSignal): Promise<void> {
  const { client, nextUid } = connection;
  const unfinished = { indexUids: [nextUid], statuses: ["enqueued" as const, "processing" as const] };
  await runTask(connection, client.tasks.cancelTasks(unfinished), signal);
  await deleteIndex(connection, nextUid, signal);
}

async function ensureIndex(connection: EngineConnection, uid: string): Promise<void> {
  if (!(await hasIndex(connection, uid)))
    await runTask(connection, connection.client.createIndex(uid, { primaryKey: "id" }));
}

async function deleteIndex(connection: EngineConnection, uid: string, signal?: AbortSignal): Promise<void> {
  if (await hasIndex(connection, uid)) await runTask(connection, connection.client.deleteIndex(uid), signal);
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

/** Swaps the live and the previous index in one step. Searches always see exactly one of them. */
export async function swapWithPrevious(connection: EngineConnection): Promise<void> {
  const { client, liveUid, previousUid } = connection;
  const { taskUid } = await client.swapIndexes([{ indexes: [liveUid, previousUid], rename: false }]);
  await waitForTask(connection, taskUid);
}
