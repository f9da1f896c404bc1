import { createHash } from "node:crypto";
import {
  connectEngine,
  engineResponseOf,
  type EngineAddress,
  type EngineConnection,
  DEFAULT_INDEX_PREFIX,
} from "./connection.ts";

/**
 * All that a server asks of its engine: searches, documents (the manifest among them), and how many there are. `/health` asks
 * for no key.
 */
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
 * The uid of the search key of an index, the same each time. The engine makes a key's value of its uid and the master key
 * (HMAC-SHA256), so a key that was lost with the engine's disk comes back with the same value.
 */
export function searchKeyUid(indexUid: string): string {
  const hash = createHash("sha256").update(`hereabouts search key of ${indexUid}`).digest("hex");
  // The form of a UUID of version 4, which the engine insists on.
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/**
 * Makes the key with which a server may search the live index and nothing else, or finds it when it was made before. The index
 * need not be there yet; swaps leave the key as it is, since it is bound to the name.
 * @param address with a key that may manage keys, such as the master key.
 * @throws {EngineResponseError} when the engine refuses (403: the key may not manage keys).
 */
export async function ensureSearchKey(address: EngineAddress): Promise<string> {
  const connection = connectEngine(address);
  try {
    const found = await readKey(connection);
    if (found !== undefined && isAsMeant(found, connection.liveUid)) return found.key;
    // What a key may do cannot be changed. The new one has the same value.
    if (found !== undefined) await request(connection, "delete");
    return await createKey(connection);
  } finally {
    await connection.close();
  }
}

function isAsMeant({ actions, indexes, expiresAt }: EngineKey, indexUid: string): boolean {
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
    // Somebody else made it in this very moment.
    if (engineResponseOf(error)?.code !== "api_key_already_exists") throw error;
    return (await request(connection, "get")).key;
  }
}

/** Nobody waits for it; a server that has just started may find a busy engine. */
const RIGHTS_DEADLINE_MS = 5_000;

interface Probe {
  /** The action of the engine that a key needs for this request to get past its door. */
  readonly action: string;
  readonly method: "GET" | "POST";
  readonly path: string;
}

/**
 * Requests that change nothing whatever the key may do. The engine looks at the key before it looks at the body: one that may write
 * documents learns that text/plain is none of the kinds it takes (415), and nothing is written.
 */
const buildProbes = (indexUid: string): readonly Probe[] => [
  { action: "keys.get", method: "GET", path: "/keys?limit=1" },
  { action: "tasks.get", method: "GET", path: "/tasks?limit=1" },
  { action: "settings.get", method: "GET", path: `/indexes/${indexUid}/settings` },
  { action: "documents.add", method: "POST", path: `/indexes/${indexUid}/documents` },
];

const REFUSALS = new Set([401, 403]);

/**
 * What a key may do although a server needs it not. Empty for a key of `ensureSearchKey`. Actions stand for their like: a key that may
 * list keys is as good as the master key.
 * @throws when the engine does not answer.
 */
export async function findExcessRights({
  url,
  key,
  prefix = DEFAULT_INDEX_PREFIX,
}: EngineAddress): Promise<string[]> {
  const answers = await Promise.all(
    buildProbes(prefix).map(async ({ action, method, path }) => {
      const status = await askStatus(new URL(url).origin + path, method, key);
      return REFUSALS.has(status) ? [] : [action];
    }),
  );
  return answers.flat();
}

async function askStatus(url: string, method: string, key: string | undefined): Promise<number> {
  const response = await fetch(url, {
    method,
    headers: {
      "content-type": "text/plain",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    ...(method === "POST" && { body: "" }),
    signal: AbortSignal.timeout(RIGHTS_DEADLINE_MS),
  });
  await response.body?.cancel();
  return response.status;
}
