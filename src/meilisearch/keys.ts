import { createHash } from "node:crypto";
import { connectEngine, engineResponseOf, type EngineAddress, type EngineConnection } from "./connection.ts";

/** What a server needs: searches, documents (the manifest among them) and counts. `/health` needs no key. */
const ACTIONS = ["documents.get", "search", "stats.get"] as const;

/** Making a key is one small write; an engine that takes longer is not well. */
const DEADLINE_MS = 10_000;

interface EngineKey {
  readonly uid: string;
  readonly key: string;
  readonly actions: readonly string[];
  readonly indexes: readonly string[];
  readonly expiresAt: string | null;
}

/** The engine's patterns for our indexes: all partitions and the map, and the one index that an engine had before there was a map. */
const ourIndexes = (prefix: string): readonly string[] => [prefix, `${prefix}_*`];

/**
 * The uid of the search key, always the same. The engine derives the value of a key from its uid and the master
 * key (HMAC-SHA256), so a key that was lost with the disk is created again with the same value.
 * @param prefix of the names of our indexes.
 */
export function searchKeyUid(prefix: string): string {
  const hash = createHash("sha256")
    .update(`hereabouts search key of ${ourIndexes(prefix).join(" and ")}`)
    .digest("hex");
  // The engine requires the form of a UUID of version 4.
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/**
 * Returns the key of an engine that may search our indexes and do nothing else; creates it if needed. They need not exist yet, and an
 * import does not change the key.
 * @param engine with a key that may manage keys, such as the master key.
 * @throws {EngineResponseError} when the engine refuses (403: the key may not manage keys).
 */
export async function ensureSearchKey(engine: EngineAddress, prefix: string): Promise<string> {
  const connection = connectEngine(engine);
  try {
    const found = await readKey(connection, prefix);
    if (found !== undefined && isAsIntended(found, prefix)) return found.key;
    // The permissions of a key cannot be changed. A new key with this uid has the same value.
    if (found !== undefined) await request(connection, prefix, "delete");
    return await createKey(connection, prefix);
  } finally {
    await connection.close();
  }
}

function isAsIntended({ actions, indexes, expiresAt }: EngineKey, prefix: string): boolean {
  const isEqual = (left: readonly string[], right: readonly string[]): boolean =>
    left.toSorted().join() === right.toSorted().join();
  return isEqual(actions, ACTIONS) && isEqual(indexes, ourIndexes(prefix)) && expiresAt === null;
}

async function readKey(connection: EngineConnection, prefix: string): Promise<EngineKey | undefined> {
  try {
    return await request(connection, prefix, "get");
  } catch (error) {
    if (engineResponseOf(error)?.code === "api_key_not_found") return undefined;
    throw error;
  }
}

function request({ client }: EngineConnection, prefix: string, method: "get" | "delete"): Promise<EngineKey> {
  return client.httpRequest[method]<EngineKey>({
    path: `keys/${searchKeyUid(prefix)}`,
    extraRequestInit: { signal: AbortSignal.timeout(DEADLINE_MS) },
  });
}

async function createKey(connection: EngineConnection, prefix: string): Promise<string> {
  const body = {
    uid: searchKeyUid(prefix),
    name: "hereabouts search",
    description: `Searches the indexes of ${prefix} and may do nothing else. For the servers.`,
    actions: ACTIONS,
    indexes: ourIndexes(prefix),
    expiresAt: null,
  };
  const extraRequestInit = { signal: AbortSignal.timeout(DEADLINE_MS) };
  try {
    const { key } = await connection.client.httpRequest.post<EngineKey>({
      path: "keys",
      body,
      extraRequestInit,
    });
    return key;
  } catch (error) {
    // Another process created it at the same moment.
    if (engineResponseOf(error)?.code !== "api_key_already_exists") throw error;
    return (await request(connection, prefix, "get")).key;
  }
}

/** No caller waits for it, and at the start of a server the engine may be busy. */
const PERMISSIONS_DEADLINE_MS = 5_000;

interface Probe {
  /** The permission that the engine requires for this request. */
  readonly action: string;
  readonly method: "GET" | "POST";
  readonly path: string;
}

/**
 * Requests that change nothing, whatever the key permits. The engine checks the key before the body: with permission to write
 * it refuses the content type text/plain (415), and nothing is written.
 */
const buildProbes = (indexUid: string): readonly Probe[] => [
  { action: "keys.get", method: "GET", path: "/keys?limit=1" },
  { action: "tasks.get", method: "GET", path: "/tasks?limit=1" },
  { action: "settings.get", method: "GET", path: `/indexes/${indexUid}/settings` },
  { action: "documents.add", method: "POST", path: `/indexes/${indexUid}/documents` },
];

const REFUSALS = new Set([401, 403]);

/**
 * Permissions of a key that a server does not need, as actions of the engine. Empty for a key of `ensureSearchKey`. Each action
 * stands for similar ones: a key that may list keys is as powerful as the master key.
 * @throws when the engine does not respond.
 */
export async function findExcessPermissions(
  { url, key }: EngineAddress,
  indexUid: string,
): Promise<string[]> {
  const excess = await Promise.all(
    buildProbes(indexUid).map(async ({ action, method, path }) => {
      const status = await requestStatus(new URL(url).origin + path, method, key);
      return REFUSALS.has(status) ? [] : [action];
    }),
  );
  return excess.flat();
}

async function requestStatus(url: string, method: string, key: string | undefined): Promise<number> {
  const response = await fetch(url, {
    method,
    headers: {
      "content-type": "text/plain",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    ...(method === "POST" && { body: "" }),
    signal: AbortSignal.timeout(PERMISSIONS_DEADLINE_MS),
  });
  await response.body?.cancel();
  return response.status;
}
