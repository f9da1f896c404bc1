import { randomUUID } from "node:crypto";
import {
  connectEngine,
  type EngineAddress,
  type EngineConnection,
} from "../../src/meilisearch/connection.ts";
import { createIndexBuild, type IndexBuild, type UnfinishedManifest } from "./create-index-build.ts";
import { retryWhileUnreachable, lastFailedTask, runTask, waitForQueue, waitForTask } from "./engine-tasks.ts";
import { INDEX_SETTINGS, INDEX_VERSION } from "../../src/meilisearch/index-form.ts";
import {
  PATIENT_DEADLINE_MS,
  readManifest,
  toManifestDocument,
  type BuildOrigin,
  type Manifest,
} from "../../src/meilisearch/manifest.ts";
import { checkOurs, removeBuild } from "./swap.ts";

interface StartOptions {
  /** Without it the build cannot be resumed. */
  readonly origin?: BuildOrigin;
  readonly signal?: AbortSignal;
}

const NO_ORIGIN: BuildOrigin = { files: [], today: "" };

/**
 * Begins a new index beside the live one. First removes what an interrupted import left behind.
 * @throws {CommandError} when an index that is not ours has one of its names, the engine's error when it does not respond or refuses
 *   the settings, and the signal's reason.
 */
export async function startIndexBuild(
  address: EngineAddress,
  { origin = NO_ORIGIN, signal }: StartOptions = {},
): Promise<IndexBuild> {
  return withConnection(address, async (connection) => {
    await checkOurs(connection);
    await removeBuild(connection, signal);
    const beginning = { id: randomUUID(), origin, builtAt: new Date().toISOString() };
    return createIndexBuild(address, connection, await createEmptyIndex(connection, beginning, signal));
  });
}

interface Beginning {
  readonly id: string;
  readonly origin: BuildOrigin;
  readonly builtAt: string;
}

/** Creates the index that is to be filled, with its settings and its manifest. */
export async function createEmptyIndex(
  connection: EngineConnection,
  { id, origin, builtAt }: Beginning,
  signal?: AbortSignal,
): Promise<UnfinishedManifest> {
  const { client, nextUid } = connection;
  const { taskUid } = await client.createIndex(nextUid, { primaryKey: "id" });
  await waitForTask(connection, taskUid, signal);
  const index = client.index(nextUid);
  await runTask(connection, index.updateSettings(INDEX_SETTINGS), signal);
  const build = { id, origin, added: 0, first_task: taskUid };
  const manifest = { version: INDEX_VERSION, built_at: builtAt, build };
  await runTask(connection, index.addDocuments([toManifestDocument(manifest)], { primaryKey: "id" }), signal);
  return manifest;
}

/**
 * Reads what an interrupted import left behind; `undefined` when nothing can be resumed. The engine may still
 * be processing its last batches.
 */
export async function readUnfinished(address: EngineAddress): Promise<UnfinishedManifest | undefined> {
  return withConnection(address, async (connection) => {
    // This is the first request, so an unreachable engine should be reported at once.
    const manifest = await readManifest(connection, connection.nextUid, PATIENT_DEADLINE_MS);
    await connection.close();
    return manifest && isResumable(manifest) ? manifest : undefined;
  });
}

/**
 * Resumes an interrupted import once the engine has finished its batches. `undefined` when there is none, or
 * when a batch failed and places are missing.
 */
export async function resumeIndexBuild(
  address: EngineAddress,
  signal?: AbortSignal,
): Promise<IndexBuild | undefined> {
  return withConnection(address, async (connection) => {
    await checkOurs(connection);
    await waitForQueue(connection, { indexUids: [connection.nextUid] }, signal);
    const manifest = await retryWhileUnreachable(() => readManifest(connection, connection.nextUid), signal);
    if (manifest && isResumable(manifest) && !(await hasHole(connection, manifest)))
      return createIndexBuild(address, connection, manifest);
    await connection.close();
    return undefined;
  });
}

const isResumable = (manifest: Manifest): manifest is UnfinishedManifest =>
  manifest.version === INDEX_VERSION &&
  manifest.build !== undefined &&
  manifest.build.origin.files.length > 0;

async function hasHole(connection: EngineConnection, { build }: UnfinishedManifest): Promise<boolean> {
  return (await lastFailedTask(connection, connection.nextUid)) > build.first_task;
}

async function withConnection<T>(
  address: EngineAddress,
  run: (connection: EngineConnection) => Promise<T>,
): Promise<T> {
  const connection = connectEngine(address);
  try {
    return await run(connection);
  } catch (error) {
    await connection.close();
    throw error;
  }
}
