import { DEFAULT_INDEX_PREFIX } from "./engine-connection.ts";
import type { EngineAddress } from "./engine-connection.ts";

/** Nobody waits for it; a server that has just started may find a busy engine. */
const DEADLINE_MS = 5_000;

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
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  await response.body?.cancel();
  return response.status;
}
