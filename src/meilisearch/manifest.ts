import { type EngineConnection, engineResponseOf } from "./connection.ts";
import { dataIdIdentity } from "../place/data-id.ts";

/**
 * What an index says of itself. It lies in the index as a document of its own, so a swap changes it in the same instant
 * as the places; without words and cells no search finds it.
 */
export interface Manifest {
  readonly version: string;
  readonly built_at: string;
  /** There only while the index is being filled. */
  readonly build?: BuildState;
}

/** How far a build has come. It is written with each batch of places, in one task of the engine: both are there or neither is. */
export interface BuildState {
  readonly id: string;
  readonly origin: BuildOrigin;
  /** Places handed over so far, over all files. */
  readonly added: number;
  /** The engine's task that made the index; a later one that failed has left a hole. */
  readonly first_task: number;
}

/** What a build is made from: with the same again it can be resumed. */
export interface BuildOrigin {
  readonly files: readonly FileMark[];
  /** The date (ISO 8601) that rules such as "closed on holidays" were read for. */
  readonly today: string;
}

/** Enough to know a file again. */
export interface FileMark {
  readonly name: string;
  /** Hash of its beginning. */
  readonly head: string;
  /** Absent when nobody can know, as with a pipe. */
  readonly size?: number;
  readonly modified_at?: string;
}

/** No identity of a place can be this word: those begin with `0x`. */
export const MANIFEST_ID = "manifest";

/** One document by its id: an engine that takes longer is not well. */
const MANIFEST_DEADLINE_MS = 500;

/** For a command that writes: the engine may be at work on what another has left. */
export const PATIENT_DEADLINE_MS = 10_000;

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

/** What an index holds, by the engine's own count. */
export interface DocumentCounts {
  /** All of them: places, redirects and the manifest. */
  readonly documents: number;
  /** Data ids that lead to another place. */
  readonly redirects: number;
  /** The size of what is stored, without what is made of it for searching. */
  readonly bytes: number;
}

interface Stats {
  readonly numberOfDocuments: number;
  readonly rawDocumentDbSize?: number;
  /** How many documents have a member. */
  readonly fieldDistribution?: Readonly<Record<string, number>>;
}

export async function countDocuments(
  { client }: EngineConnection,
  uid: string,
  deadlineMs = MANIFEST_DEADLINE_MS,
): Promise<DocumentCounts> {
  const extraRequestInit = { signal: AbortSignal.timeout(deadlineMs) };
  const stats = await client.httpRequest.get<Stats>({ path: `indexes/${uid}/stats`, extraRequestInit });
  return {
    documents: stats.numberOfDocuments,
    redirects: stats.fieldDistribution?.["redirect_to"] ?? 0,
    bytes: stats.rawDocumentDbSize ?? 0,
  };
}

/** All documents but the manifest and the redirects. */
export async function countPlaces(
  connection: EngineConnection,
  uid: string,
  deadlineMs = MANIFEST_DEADLINE_MS,
): Promise<number> {
  const { documents, redirects } = await countDocuments(connection, uid, deadlineMs);
  return Math.max(0, documents - redirects - 1);
}

export const toManifestDocument = (manifest: Manifest): object => ({ id: MANIFEST_ID, _manifest: manifest });

/** A data id that leads to another place: the one that took over the record it was given to. */
export interface Redirect {
  /** Data ids in their canonical form. */
  readonly from: string;
  readonly to: string;
}

/**
 * A redirect as the engine keeps it, in the same index as the places, so that a swap changes both in one instant. Without card,
 * words and cells no search finds it, and whatever counts or reads places passes it over.
 */
export interface RedirectDocument {
  readonly id: string;
  /** The data id itself: for an import that gives a record of this identity the id that callers hold. */
  readonly data_id: string;
  /** The identity of the place it leads to. */
  readonly redirect_to: string;
}

export const toRedirectDocument = ({ from, to }: Redirect): RedirectDocument => ({
  id: dataIdIdentity(from),
  data_id: from,
  redirect_to: dataIdIdentity(to),
});

/** Tells the redirects among documents; for those that were asked for with this member. */
export const isRedirect = (document: object): document is RedirectDocument => "redirect_to" in document;
