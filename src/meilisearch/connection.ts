import { Meilisearch } from "meilisearch";
import { Pool, type Dispatcher } from "undici";

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
  /** For settings, tasks and documents. */
  readonly client: Meilisearch;
  /**
   * Asks the engine without the client, whose way through URLs, headers and requests takes as long as the question of a search.
   * @throws {EngineResponseError} when the engine refuses.
   */
  readonly ask: Ask;
  /** The index that is searched. */
  readonly liveUid: string;
  /** The one that a build fills; it lives only while an import runs. */
  readonly nextUid: string;
  /** What was live before the last swap. */
  readonly previousUid: string;
  close(): Promise<void>;
}

/** A path begins with a slash. With a body it is a POST. */
export interface Question {
  /** What is asked for in one of few fixed words, for those who count. */
  readonly operation: string;
  readonly path: string;
  readonly body?: object;
  readonly signal: AbortSignal;
}

/** Rejects with an `EngineResponseError` when the engine refuses, and with the signal's reason when that is aborted. */
export type Ask = <T>(question: Question) => Promise<T>;

/**
 * More searches at once only queue up inside the engine, which drops some at random beyond 1,000; 64 keeps two to sixteen
 * cores busy.
 */
export const MAX_SOCKETS = 64;

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
    return readBody(response);
  };
}

async function readBody({ statusCode, body }: Dispatcher.ResponseData): Promise<unknown> {
  const text = await body.text();
  const answer: unknown = text === "" ? undefined : JSON.parse(text);
  if (statusCode >= 400) throw new EngineResponseError(statusCode, answer);
  return answer;
}

function createAsk(pool: Pool, key: string | undefined) {
  const headers = {
    "content-type": "application/json",
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };
  return async ({ path, body, signal }: Question): Promise<unknown> => {
    const method = body === undefined ? "GET" : "POST";
    const payload = body === undefined ? null : JSON.stringify(body);
    return readBody(await pool.request({ path, method, headers, body: payload, signal }));
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
    ask: createAsk(pool, key) as Ask,
    liveUid: prefix,
    nextUid: `${prefix}_next`,
    previousUid: `${prefix}_previous`,
    close: () => pool.destroy(),
  };
}
