import type { EngineConnection } from "./engine-connection.ts";
import { engineResponseOf } from "./engine-connection.ts";

/**
 * What an index says of itself. It lies in the index as a document of its own, so a swap changes it in the same instant
 * as the places; without words and cells no search finds it.
 */
export interface Manifest {
  readonly version: string;
  readonly built_at: string;
}

/** No identity of a place can be this word: those begin with `0x`. */
export const MANIFEST_ID = "manifest";

/** One document by its id: an engine that takes longer is not well. */
const MANIFEST_DEADLINE_MS = 500;

/** `undefined` when there is no index. */
export async function readManifest(
  connection: EngineConnection,
  uid: string,
  deadlineMs = MANIFEST_DEADLINE_MS,
): Promise<Manifest | undefined> {
  try {
    const path = `indexes/${uid}/documents/${MANIFEST_ID}`;
    const extraRequestInit = { signal: AbortSignal.timeout(deadlineMs) };
    const document = await connection.client.httpRequest.get<{ _manifest: Manifest }>({
      path,
      extraRequestInit,
    });
    return document._manifest;
  } catch (error) {
    if (engineResponseOf(error)?.status === 404) return undefined;
    throw error;
  }
}

/** All documents but the manifest. */
export async function countPlaces(
  { client }: EngineConnection,
  uid: string,
  deadlineMs = MANIFEST_DEADLINE_MS,
): Promise<number> {
  const extraRequestInit = { signal: AbortSignal.timeout(deadlineMs) };
  const stats = await client.httpRequest.get<{ numberOfDocuments: number }>({
    path: `indexes/${uid}/stats`,
    extraRequestInit,
  });
  return Math.max(0, stats.numberOfDocuments - 1);
}

export const toManifestDocument = (manifest: Manifest): object => ({ id: MANIFEST_ID, _manifest: manifest });
