import type { EngineConnection } from "./engine-connection.ts";

/** The engine itself in numbers. */
export interface EngineSummary {
  readonly version: string;
  /** All its indexes on disk, also those that are not ours. */
  readonly databaseBytes: number;
  /** Tasks that wait, and those being worked on. */
  readonly queue: { readonly enqueued: number; readonly processing: number };
}

/** An engine that is writing gigabytes answers late. */
const ENGINE_DEADLINE_MS = 10_000;

/** @throws when the engine does not answer, or does not know the key. */
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
