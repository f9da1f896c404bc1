import type { EngineConnection } from "../../src/meilisearch/connection.ts";
import { readManifest, type Manifest } from "../../src/meilisearch/manifest.ts";
import { EngineTaskError, REPLACED, retryWhileUnreachable, waitForTask } from "./engine-tasks.ts";

/**
 * Sends batches to the engine and tracks which of them are unfinished.
 * @param maxSilenceMs how long it waits for an engine that does not respond.
 */
export function createBatchQueue(connection: EngineConnection, signal: AbortSignal, maxSilenceMs?: number) {
  const index = connection.client.index(connection.nextUid);
  const waiting: number[] = [];
  return {
    async waitUntilUnder(batches: number): Promise<void> {
      while (waiting.length >= batches) {
        await waitForTask(connection, waiting[0]!, signal, maxSilenceMs);
        waiting.shift();
      }
    },
    /** Each document is given as JSON. */
    async post(documents: readonly string[]): Promise<void> {
      const lines = documents.join("\n");
      const enqueue = () => index.addDocumentsFromString(lines, "application/x-ndjson", { primaryKey: "id" });
      waiting.push((await retryWhileUnreachable(async () => enqueue(), signal, maxSilenceMs)).taskUid);
    },
    async remove(identities: readonly string[]): Promise<void> {
      if (identities.length === 0) return;
      const enqueue = async () => index.deleteDocuments([...identities]);
      waiting.push((await retryWhileUnreachable(enqueue, signal, maxSilenceMs)).taskUid);
    },
  };
}

/** Whether the index that is filled is the one of this manifest. */
export async function isStillOurs(connection: EngineConnection, manifest: Manifest): Promise<boolean> {
  const found = await readManifest(connection, connection.nextUid);
  return found?.built_at === manifest.built_at;
}

/**
 * Checks that no later import has replaced this build: it would have removed what this one built.
 * @throws {EngineTaskError} when a later import has taken its place.
 */
export async function checkStillOurs(
  connection: EngineConnection,
  manifest: Manifest,
  maxSilenceMs?: number,
): Promise<void> {
  if (await retryWhileUnreachable(() => isStillOurs(connection, manifest), undefined, maxSilenceMs)) return;
  throw new EngineTaskError(REPLACED);
}
