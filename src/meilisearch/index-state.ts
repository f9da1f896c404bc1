import { engineUnavailable } from "../errors.ts";
import { engineResponseOf, type Ask, type EngineConnection, type EngineResponseError } from "./connection.ts";
import { INDEX_VERSION } from "./index-form.ts";
import { countDocuments, readManifest } from "./manifest.ts";
import type { IndexState } from "./place-index.ts";

/** Whether an index can be read: it is there, has the version of this program, and its data is not damaged. */

/** How long the index counts as damaged after a response that says so: not every request reads what is damaged. */
const DAMAGE_KNOWN_MS = 30_000;

/** The engine's storage (LMDB) cannot be read, as the engine says it. */
const isDamage = (response: EngineResponseError | undefined): boolean =>
  response?.code === "internal" && response.message.includes("MDB_");

/** Notices responses that say that the engine cannot read its data. */
export function createDamageWatch(ask: Ask): { readonly ask: Ask; readonly isRecent: () => boolean } {
  let damagedAt = -Infinity;
  return {
    ask: (question) =>
      ask(question).catch((error: unknown) => {
        if (isDamage(engineResponseOf(error))) damagedAt = performance.now();
        throw error;
      }),
    isRecent: () => performance.now() - damagedAt < DAMAGE_KNOWN_MS,
  };
}

/** The state of the live index, for `/readyz` and the status page. Never rejects. */
export async function readIndexState(connection: EngineConnection): Promise<IndexState> {
  try {
    const manifest = await readManifest(connection, connection.liveUid);
    if (!manifest) return { state: "missing" };
    if (manifest.version !== INDEX_VERSION)
      return { state: "wrong_version", found: manifest.version, wanted: INDEX_VERSION };
    const { places } = await countDocuments(connection, connection.liveUid);
    return { state: "ready", places, builtAt: manifest.built_at };
  } catch (error) {
    return isDamage(engineResponseOf(error)) ? { state: "damaged", engine: "up" } : { state: "unreachable" };
  }
}

/** An index of another version that is swapped in is noticed within this time. The check takes a third of a millisecond. */
const CHECK_AGAIN_MS = 1_000;

/** Reads only while the index has the version of this program; otherwise rejects with `engine_unavailable`. */
type IfReadable = <T>(ask: () => Promise<T>) => Promise<T>;

/**
 * Protects callers from an index of another version, whose responses would be wrong in ways that are hard to see. The version
 * is checked along with the first request and then once a second; while it is wrong, before every request.
 * @param readVersion resolves to `undefined` when there is no index; may reject.
 */
export function createVersionWatch(
  readVersion: () => Promise<string | undefined>,
  clock: () => number = () => performance.now(),
): IfReadable {
  let isOther = false;
  let checkedAt = -Infinity;
  let checking: Promise<void> | undefined;

  const record = (version: string | undefined): void => {
    if (version === undefined) return;
    isOther = version !== INDEX_VERSION;
    checkedAt = clock();
  };
  // A failed check changes nothing: the request itself fails too.
  const check = (): Promise<void> =>
    (checking ??= readVersion()
      .then(record, () => undefined)
      .finally(() => (checking = undefined)));
  const refuseOther = (): void => {
    if (isOther) throw engineUnavailable(new Error("the index is of another version: import again"));
  };

  return async (ask) => {
    if (isOther) await check();
    refuseOther();
    if (clock() - checkedAt < CHECK_AGAIN_MS) return ask();
    const [result] = await Promise.all([ask(), check()]);
    refuseOther();
    return result;
  };
}
