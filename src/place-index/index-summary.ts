import { engineResponseOf, type EngineConnection } from "./engine-connection.ts";
import { INDEX_VERSION } from "./index-settings.ts";
import { countDocuments, readManifest } from "./manifest.ts";

/** One index in numbers. */
export interface IndexSummary {
  readonly places: number;
  /** Data ids that lead to one of these places, which took over their records. */
  readonly redirects: number;
  /** What its manifest says; `undefined` for an index that no build of ours has made. */
  readonly version: string | undefined;
  /** Whether this program can read it. */
  readonly isReadable: boolean;
  /** When the import that made it began: its data is at least that old. ISO 8601. */
  readonly builtAt: string | undefined;
  /** When anything in it was last written. ISO 8601. */
  readonly updatedAt: string;
  /** Its documents alone; what is made of them for searching is a multiple of it. */
  readonly documentBytes: number;
}

/** An engine that is writing gigabytes answers late. */
const SUMMARY_DEADLINE_MS = 10_000;

/** Reads an index in numbers; `undefined` when there is none, or only an empty one that stands in for it. */
export async function readIndexSummary(
  connection: EngineConnection,
  uid: string,
): Promise<IndexSummary | undefined> {
  try {
    const [manifest, stats, index] = await Promise.all([
      readManifest(connection, uid, SUMMARY_DEADLINE_MS),
      countDocuments(connection, uid, SUMMARY_DEADLINE_MS),
      get<{ updatedAt: string }>(connection, `indexes/${uid}`),
    ]);
    const { documents, redirects, bytes } = stats;
    if (!manifest && documents === 0) return undefined;
    return {
      places: documents - redirects - (manifest ? 1 : 0),
      redirects,
      version: manifest?.version,
      isReadable: manifest?.version === INDEX_VERSION,
      builtAt: manifest?.built_at,
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
