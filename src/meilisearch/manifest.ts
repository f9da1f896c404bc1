import * as v from "valibot";
import { type EngineConnection, engineResponseOf } from "./connection.ts";
import { dataIdIdentity } from "../place/document/data-id.ts";

/**
 * What an index says about itself. It is a document of the index, so a swap changes it together with the places. Without words
 * and cells no search finds it.
 */
export interface Manifest {
  readonly version: string;
  readonly built_at: string;
  /** What it was made from. Absent when that cannot be recognized, as with a pipe, and while a sync writes. */
  readonly mark?: InputMark;
  /** Present only while the index is being filled. */
  readonly build?: BuildState;
}

const inputMarkSchema = v.object({
  /** When it was read; ISO 8601. */
  at: v.string(),
  /** Hash of the bytes of all files, in their order. */
  files: v.string(),
  /** Of each file that was downloaded: hashes of its address and of its bytes, and how the server names this version. */
  downloads: v.array(v.object({ address: v.string(), version: v.string(), bytes: v.string() })),
  /** Hash of the options that change what is imported, and of the files that they name. */
  options: v.string(),
  /** The version of the program that read it. */
  program: v.string(),
});

/** Recognizes the input of an import or a sync. */
export type InputMark = v.InferOutput<typeof inputMarkSchema>;

/** The progress of a build. Each batch of places carries it in the same task of the engine, so both are stored or neither. */
interface BuildState {
  readonly id: string;
  readonly origin: BuildOrigin;
  /** Places sent to the engine so far, from all files. */
  readonly added: number;
}

/** The manifest of an index that is being filled. */
export type UnfinishedManifest = Manifest & { readonly build: BuildState };

/** The input of a build. A build can be resumed with the same input only. */
export interface BuildOrigin {
  readonly files: readonly FileMark[];
  /** The date (ISO 8601) for which rules such as "closed on holidays" are read. */
  readonly today: string;
}

/** Recognizes a file. */
export interface FileMark {
  readonly name: string;
  /** Hash of the beginning of the file. */
  readonly head: string;
  /** Absent when unknown, as for a pipe. */
  readonly size?: number;
  readonly modified_at?: string;
}

const fileMarkSchema = v.object({
  name: v.string(),
  head: v.string(),
  size: v.exactOptional(v.number()),
  modified_at: v.exactOptional(v.string()),
});

const manifestSchema = v.object({
  version: v.string(),
  built_at: v.string(),
  mark: v.exactOptional(inputMarkSchema),
  build: v.exactOptional(
    v.object({
      id: v.string(),
      origin: v.object({ files: v.array(fileMarkSchema), today: v.string() }),
      added: v.number(),
    }),
  ),
});

/** No place has this id. */
export const MANIFEST_ID = "manifest";

/** Whether an id is that of a place or a redirect; all other documents of an index describe it. */
export const isPlaceId = (id: string): boolean => id.startsWith("0x");

/** Reading one document by id takes a healthy engine less than this. */
const MANIFEST_DEADLINE_MS = 500;

/** For commands that write: the engine may still be busy with earlier tasks. */
export const PATIENT_DEADLINE_MS = 10_000;

/** A document that describes an index: its id, and the field that has what it says. */
interface Description<Schema extends v.GenericSchema> {
  readonly operation: string;
  readonly id: string;
  readonly field: string;
  readonly schema: Schema;
  readonly deadlineMs: number;
}

/** What a document says that describes an index; `undefined` without it, and when there is no index. Rejects with the error of the engine. */
export async function readDescription<Schema extends v.GenericSchema>(
  { ask }: Pick<EngineConnection, "ask">,
  uid: string,
  { operation, id, field, schema, deadlineMs }: Description<Schema>,
): Promise<v.InferOutput<Schema> | undefined> {
  try {
    const found = await ask({
      operation,
      // The engine shows what is stored, also what is no displayed attribute.
      path: `/indexes/${uid}/documents/${id}?fields=${field}`,
      signal: AbortSignal.timeout(deadlineMs),
      outline: v.record(v.string(), schema),
    });
    return found[field];
  } catch (error) {
    if (engineResponseOf(error)?.status === 404) return undefined;
    throw error;
  }
}

/** `undefined` when there is no index, or one that this program did not build. */
export async function readManifest(
  { ask }: Pick<EngineConnection, "ask">,
  uid: string,
  deadlineMs = MANIFEST_DEADLINE_MS,
): Promise<Manifest | undefined> {
  try {
    const { _manifest: manifest } = await ask({
      operation: "manifest",
      path: `/indexes/${uid}/documents/${MANIFEST_ID}`,
      signal: AbortSignal.timeout(deadlineMs),
      outline: v.object({ id: v.literal(MANIFEST_ID), _manifest: v.exactOptional(manifestSchema) }),
    });
    return manifest;
  } catch (error) {
    if (engineResponseOf(error)?.status === 404) return undefined;
    throw error;
  }
}

/** What an index holds, as the engine counts it. */
export interface DocumentCounts {
  readonly places: number;
  /** Data ids that redirect to another place. */
  readonly redirects: number;
  /** Size of the stored documents, without the structures for searching. */
  readonly bytes: number;
}

const statsSchema = v.object({
  numberOfDocuments: v.number(),
  rawDocumentDbSize: v.exactOptional(v.number()),
  /** For each field, the number of documents that have it. */
  fieldDistribution: v.exactOptional(v.record(v.string(), v.number())),
});

/** What the engine counts of an index, by itself. */
export const readStats = ({ ask }: Pick<EngineConnection, "ask">, uid: string, deadlineMs: number) =>
  ask({
    operation: "stats",
    path: `/indexes/${uid}/stats`,
    signal: AbortSignal.timeout(deadlineMs),
    outline: statsSchema,
  });

/**
 * The field of each document that describes an index, apart from the manifest: the vocabulary of the data team, words that were added since, pairs of words, and what is known
 * of a partition (names, names that came later, the number of writes, and what the last of them changed).
 */
const DESCRIPTIONS = [
  "_vocabulary",
  "_words",
  "_word_pairs",
  "_names",
  "_names_added",
  "_writes",
  "_changed_by",
];

/** An engine that writes gigabytes, or has just done so, responds slowly. */
export const COUNT_DEADLINE_MS = 30_000;

export async function countDocuments(
  connection: Pick<EngineConnection, "ask">,
  uid: string,
  deadlineMs = MANIFEST_DEADLINE_MS,
): Promise<DocumentCounts> {
  const stats = await readStats(connection, uid, deadlineMs);
  const countOf = (field: string): number => stats.fieldDistribution?.[field] ?? 0;
  const documents = DESCRIPTIONS.reduce((count, field) => count - countOf(field), stats.numberOfDocuments);
  const redirects = countOf("redirect_to");
  const places = Math.max(0, documents - redirects - 1);
  return { places, redirects, bytes: stats.rawDocumentDbSize ?? 0 };
}

export const toManifestDocument = (manifest: Manifest): object => ({ id: MANIFEST_ID, _manifest: manifest });

/** A data id that leads to another place, because its record was merged into that place. */
export interface Redirect {
  /** Data ids in their canonical form. */
  readonly from: string;
  readonly to: string;
}

/**
 * A redirect as the engine stores it: a document of the same index, so that a swap changes both together. Without ranking
 * fields, words and cells no search finds it. Everything that counts or reads places skips it.
 */
export interface RedirectDocument {
  readonly id: string;
  /** The data id that callers know. An import gives it to a record with this identity. */
  readonly data_id: string;
  /** The id of the place it leads to. */
  readonly redirect_to: string;
}

export const toRedirectDocument = ({ from, to }: Redirect): RedirectDocument => ({
  id: dataIdIdentity(from),
  data_id: from,
  redirect_to: dataIdIdentity(to),
});

/** Whether a document is a redirect. The document must have been read with the field `redirect_to`. */
export const isRedirect = (document: object): document is RedirectDocument => "redirect_to" in document;
