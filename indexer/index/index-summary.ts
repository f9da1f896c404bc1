import {
  type EngineConnection,
  type IndexConnection,
  engineResponseOf,
} from "../../src/meilisearch/connection.ts";
import { INDEX_SETTINGS } from "../../src/meilisearch/index-form.ts";
import { countDocuments, readManifest, type InputMark } from "../../src/meilisearch/manifest.ts";
import { isDeepStrictEqual } from "node:util";
import type { Settings } from "meilisearch";

/** Figures about the engine. */
export interface EngineSummary {
  readonly version: string;
  /** The disk space of all its indexes, including those that are not ours. */
  readonly databaseBytes: number;
  /** Tasks that wait, and tasks in progress. */
  readonly queue: { readonly enqueued: number; readonly processing: number };
}

/** An engine that writes gigabytes responds slowly. */
const ENGINE_DEADLINE_MS = 10_000;

/** @throws when the engine does not respond, or refuses the key. */
export async function readEngineSummary({ client }: EngineConnection): Promise<EngineSummary> {
  const extraRequestInit = { signal: AbortSignal.timeout(ENGINE_DEADLINE_MS) };
  const get = <T>(path: string, params: Record<string, string> = {}): Promise<T> =>
    client.httpRequest.get<T>({ path, params, extraRequestInit });
  const countTasks = async (statuses: string): Promise<number> =>
    (await get<{ total: number }>("tasks", { statuses, limit: "1" })).total;
  const { pkgVersion } = await get<{ pkgVersion: string }>("version");
  const [{ databaseSize }, enqueued, processing] = await Promise.all([
    get<{ databaseSize: number }>("stats"),
    countTasks("enqueued"),
    countTasks("processing"),
  ]);
  return { version: pkgVersion, databaseBytes: databaseSize, queue: { enqueued, processing } };
}

/** Figures about one index of an engine. */
interface IndexFigures {
  readonly places: number;
  /** Data ids that redirect to one of these places, because their records were merged into it. */
  readonly redirects: number;
  /** What it was made from; `undefined` when that is not known. */
  readonly mark?: InputMark | undefined;
  /** When anything in it was last written. ISO 8601. */
  readonly updatedAt: string;
  /** The size of the documents. The search structures take several times as much. */
  readonly documentBytes: number;
}

/** Figures about the index of an import, of all its partitions together. */
export interface IndexSummary extends IndexFigures {
  /** The version of its form. */
  readonly version: string;
  /** Whether this program can read it. */
  readonly isReadable: boolean;
  /** When the import that built it began; its data is at least that old. ISO 8601. */
  readonly builtAt: string;
}

/** An engine that writes gigabytes responds slowly. */
const SUMMARY_DEADLINE_MS = 10_000;

/** Reads the figures of an index; `undefined` when there is none. */
export async function readIndexFigures(connection: IndexConnection): Promise<IndexFigures | undefined> {
  const { uid } = connection;
  try {
    const [manifest, stats, index] = await Promise.all([
      readManifest(connection, uid, SUMMARY_DEADLINE_MS),
      countDocuments(connection, uid, SUMMARY_DEADLINE_MS),
      get<{ updatedAt: string }>(connection, `indexes/${uid}`),
    ]);
    const { places, redirects, bytes } = stats;
    return {
      places,
      redirects,
      mark: manifest?.mark,
      updatedAt: index.updatedAt,
      documentBytes: bytes,
    };
  } catch (error) {
    if (engineResponseOf(error)?.code === "index_not_found") return undefined;
    throw error;
  }
}

const get = <T>({ client }: EngineConnection, path: string): Promise<T> =>
  client.httpRequest.get<T>({
    path,
    extraRequestInit: { signal: AbortSignal.timeout(SUMMARY_DEADLINE_MS) },
  });

/** Settings that we leave at their defaults. Other values would change the results. */
const UNTOUCHED_SETTINGS: Settings = {
  displayedAttributes: ["*"],
  stopWords: [],
  synonyms: {},
  distinctAttribute: null,
  dictionary: [],
  separatorTokens: [],
  nonSeparatorTokens: [],
};

const SETTINGS_DEADLINE_MS = 10_000;

/** The names of the settings of an index that differ from those of a build. */
export async function readSettingsDrift({ client, uid }: IndexConnection): Promise<string[]> {
  const extraRequestInit = { signal: AbortSignal.timeout(SETTINGS_DEADLINE_MS) };
  const found = await client.httpRequest.get<Settings>({ path: `indexes/${uid}/settings`, extraRequestInit });
  return findDrift(found);
}

/** The names of the settings that differ from ours; nested names contain a dot. */
export const findDrift = (found: Settings): string[] =>
  differences({ ...UNTOUCHED_SETTINGS, ...INDEX_SETTINGS }, found, "");

/** Lists are compared as one value, objects by the wanted fields only, since the engine adds defaults. */
function differences(wanted: object, found: object, path: string): string[] {
  return Object.entries(wanted).flatMap(([name, value]: [string, unknown]) => {
    const other: unknown = (found as Record<string, unknown>)[name];
    if (isObject(value) && isObject(other) && Object.keys(value).length > 0)
      return differences(value, other, `${path}${name}.`);
    return isDeepStrictEqual(value, other) ? [] : [path + name];
  });
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
