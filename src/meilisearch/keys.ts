import { createHash } from "node:crypto";
import {
  connectEngine,
  engineResponseOf,
  type EngineAddress,
  type EngineConnection,
  DEFAULT_INDEX_PREFIX,
} from "./connection.ts";

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

/**
 * The uid of the search key of an index, always the same. The engine derives the value of a key from its uid and the master
 * key (HMAC-SHA256), so a key that was lost with the disk is created again with the same value.
 */
export function searchKeyUid(indexUid: string): string {
  const hash = createHash("sha256").update(`hereabouts search key of ${indexUid}`).digest("hex");
  // The engine requires the form of a UUID of version 4.
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/**
 * Returns the key that may search the live index and do nothing else; creates it if needed. The index need not exist yet.
 * Swaps do not change the key, since it is bound to the name of the index.
 * @param address with a key that may manage keys, such as the master key.
 * @throws {EngineResponseError} when the engine refuses (403: the key may not manage keys).
 */
export async function ensureSearchKey(address: EngineAddress): Promise<string> {
  const connection = connectEngine(address);
  try {
    const found = await readKey(connection);
    if (found !== undefined && isAsIntended(found, connection.liveUid)) return found.key;
    // The permissions of a key cannot be changed. A new key with this uid has the same value.
    if (found !== undefined) await request(connection, "delete");
    return await createKey(connection);
  } finally {
    await connection.close();
  }
}

function isAsIntended({ actions, indexes, expiresAt }: EngineKey, indexUid: string): boolean {
  const isEqual = (left: readonly string[], right: readonly string[]): boolean =>
    left.toSorted().join() === right.toSorted().join();
  return isEqual(actions, ACTIONS) && isEqual(indexes, [indexUid]) && expiresAt === null;
}

async function readKey(connection: EngineConnection): Promise<EngineKey | undefined> {
  try {
    return await request(connection, "get");
  } catch (error) {
    if (engineResponseOf(error)?.code === "api_key_not_found") return undefined;
    throw error;
  }
}

function request({ client, liveUid }: EngineConnection, method: "get" | "delete"): Promise<EngineKey> {
  return client.httpRequest[method]<EngineKey>({
    path: `keys/${searchKeyUid(liveUid)}`,
    extraRequestInit: { signal: AbortSignal.timeout(DEADLINE_MS) },
  });
}

async function createKey(connection: EngineConnection): Promise<string> {
  const { client, liveUid } = connection;
  const body = {
    uid: searchKeyUid(liveUid),
    name: "hereabouts search",
    description: `Searches ${liveUid} and may do nothing else. For the servers.`,
    actions: ACTIONS,
    indexes: [liveUid],
    expiresAt: null,
  };
  const extraRequestInit = { signal: AbortSignal.timeout(DEADLINE_MS) };
  try {
    const { key } = await client.httpRequest.post<EngineKey>({ path: "keys", body, extraRequestInit });
    return key;
  } catch (error) {
    // Another process created it at the same moment.
    if (engineResponseOf(error)?.code !== "api_key_already_exists") throw error;
    return (await request(connection, "get")).key;
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
export async function findExcessPermissions({
  url,
  key,
  prefix = DEFAULT_INDEX_PREFIX,
}: EngineAddress): Promise<string[]> {
  const excess = await Promise.all(
    buildProbes(prefix).map(async ({ action, method, path }) => {
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
