import { Meilisearch } from "meilisearch";
import { Pool } from "undici";

/** Begins the names of the indexes that the server searches. */
export const DEFAULT_INDEX_PREFIX = "places";

/** Where the engine is, and which of its indexes are ours. */
export interface EngineAddress {
  readonly url: string;
  /** A key that may do what is asked; absent for an engine that wants none. */
  readonly key: string | undefined;
  /** Begins the name of every index; tests take their own. */
  readonly prefix?: string;
}

export interface EngineConnection {
  readonly client: Meilisearch;
  /** The index that is searched. */
  readonly liveUid: string;
  /** The one that a build fills; it lives only while an import runs. */
  readonly nextUid: string;
  /** What was live before the last swap. */
  readonly previousUid: string;
  close(): Promise<void>;
}

/**
 * More searches at once only queue up inside the engine, which drops some at random beyond 1,000; 64 keeps two to sixteen
 * cores busy.
 */
const MAX_SOCKETS = 64;

/** An answer of the engine that is not a success, with the engine's own code. */
export class EngineResponseError extends Error {
  override readonly name = "EngineResponseError";
  readonly status: number;
  readonly code: string;

  constructor(status: number, body: unknown) {
    const { code = "unknown", message = "no message" } = (body ?? {}) as { code?: string; message?: string };
    super(`Meilisearch answered ${status} ${code}: ${message}`);
    this.status = status;
    this.code = code;
  }
}

/** The engine's answer behind an error of the client, which wraps it; `undefined` when the engine did not answer. */
export function engineResponseOf(error: unknown): EngineResponseError | undefined {
  if (error instanceof EngineResponseError) return error;
  return error instanceof Error && error.cause !== undefined ? engineResponseOf(error.cause) : undefined;
}

const toPlainHeaders = (headers: RequestInit["headers"]): Record<string, string> =>
  Object.fromEntries(new Headers(headers).entries());

/**
 * The client's transport over one pool of sockets. The client's own, Node's fetch, asks for compressed answers, and those
 * wait 44 ms on the socket (Nagle's algorithm against delayed acknowledgement); a plain pool also costs a third of its CPU.
 */
function createTransport(pool: Pool) {
  return async (input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<unknown> => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const response = await pool.request({
      path: pathname + search,
      method: (init.method ?? "GET") as "GET",
      headers: toPlainHeaders(init.headers),
      body: (init.body ?? null) as string | null,
      signal: init.signal ?? null,
    });
    const text = await response.body.text();
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    if (response.statusCode >= 400) throw new EngineResponseError(response.statusCode, body);
    return body;
  };
}

/** Opens nothing yet: the first call does. `close` ends the calls under way: an engine that hangs holds nobody up. */
export function connectEngine({ url, key, prefix = DEFAULT_INDEX_PREFIX }: EngineAddress): EngineConnection {
  const pool = new Pool(new URL(url).origin, { connections: MAX_SOCKETS });
  return {
    client: new Meilisearch({
      host: url,
      ...(key !== undefined && { apiKey: key }),
      httpClient: createTransport(pool),
    }),
    liveUid: prefix,
    nextUid: `${prefix}_next`,
    previousUid: `${prefix}_previous`,
    close: () => pool.destroy(),
  };
}
