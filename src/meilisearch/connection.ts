import { Meilisearch } from "meilisearch";
import { Pool, type Dispatcher } from "undici";
import * as v from "valibot";
import { chargeEngine, whileWaiting } from "../telemetry/request-cost.ts";

/** Where an engine is. */
export interface EngineAddress {
  readonly url: string;
  /** A key with the permissions that are needed; `undefined` for an engine that requires no key. */
  readonly key: string | undefined;
}

export interface EngineConnection {
  /** For settings, tasks and documents. */
  readonly client: Meilisearch;
  /** Sends a request without the client, whose own overhead is as large as a search. */
  readonly ask: Ask;
  /** Adds documents from lines of JSON. The client takes them as text only, which takes up to twice the memory. */
  addDocuments(uid: string, lines: Buffer): Promise<{ readonly taskUid: number }>;
  close(): Promise<void>;
}

/** An engine, and the name of one of its indexes. */
export interface IndexConnection extends EngineConnection {
  readonly uid: string;
}

/** What a response must be like, and what is read from it. */
type Outline<T> = v.GenericSchema<unknown, T>;

/** A request to the engine: a POST if it has a body, else a GET. */
export interface Question<T = unknown> {
  /** The kind of request in one fixed word, for metrics. */
  readonly operation: string;
  /** Begins with a slash. */
  readonly path: string;
  readonly body?: object;
  readonly signal: AbortSignal;
  readonly outline: Outline<T>;
}

/**
 * Sends a request. Rejects with an `EngineResponseError` when the engine refuses, with an `UnreadableResponseError` when it responds with
 * something else, and with the reason of an aborted signal.
 */
export type Ask = <T>(question: Question<T>) => Promise<T>;

/** 64 searches at once keep two to sixteen cores busy. More only queue in the engine, which drops some beyond 1,000. */
const MAX_SOCKETS = 64;

/** A response of the engine that is an error, with the engine's own code. */
export class EngineResponseError extends Error {
  override readonly name = "EngineResponseError";
  readonly status: number;
  readonly code: string;

  constructor(status: number, { code, message = "no message" }: { code: string; message?: string }) {
    super(`Meilisearch answered ${status} ${code}: ${message}`);
    this.status = status;
    this.code = code;
  }
}

const refusalSchema = v.object({ code: v.string(), message: v.string() });

/** A response that no engine in good health sends: another program is there, or the engine is broken. It counts as no response. */
class UnreadableResponseError extends Error {
  override readonly name = "UnreadableResponseError";
}

/** @throws {UnreadableResponseError} */
function readAs<T>(outline: Outline<T>, value: unknown, what: string): T {
  const { success, output, issues } = v.safeParse(outline, value, { abortEarly: true });
  if (success) return output;
  const [issue] = issues;
  // Without the value, which may be data.
  throw new UnreadableResponseError(
    `${what}: ${v.getDotPath(issue) ?? "all of it"} is not ${issue.expected}`,
  );
}

/** The engine's response behind an error of the client; `undefined` when the engine did not respond. */
export function engineResponseOf(error: unknown): EngineResponseError | undefined {
  if (error instanceof EngineResponseError) return error;
  return error instanceof Error && error.cause !== undefined ? engineResponseOf(error.cause) : undefined;
}

const toPlainHeaders = (headers: RequestInit["headers"]): Record<string, string> =>
  Object.fromEntries(new Headers(headers).entries());

/** A response, read to its end. */
interface Reply {
  readonly status: number;
  readonly text: string;
}

type Sent = Pick<Dispatcher.DispatchOptions, "path" | "method" | "headers"> & {
  readonly body: string | Buffer | null;
  readonly signal: AbortSignal | null;
};

/**
 * Sends a request and reads the whole response. `pool.request` makes a stream for each response, whose work nothing here needs.
 * Rejects with the reason of an aborted signal at once, and with undici's error when there is no whole response.
 */
const send = (pool: Pool, { signal, ...request }: Sent): Promise<Reply> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    let started: Dispatcher.DispatchController | undefined;
    let status = 0;
    const chunks: Buffer[] = [];
    const giveUp = (): void => {
      const reason = signal?.reason as Error;
      started?.abort(reason);
      reject(reason);
    };
    signal?.addEventListener("abort", giveUp, { once: true });
    const stopListening = (): void => signal?.removeEventListener("abort", giveUp);
    pool.dispatch(request, {
      onRequestStart(controller) {
        started = controller;
        // It was aborted while it waited for a socket.
        if (signal?.aborted === true) controller.abort(signal.reason as Error);
      },
      onResponseStart: (_controller, statusCode) => void (status = statusCode),
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd() {
        stopListening();
        const [only = Buffer.alloc(0)] = chunks;
        resolve({ status, text: (chunks.length > 1 ? Buffer.concat(chunks) : only).toString() });
      },
      onResponseError(_controller, error) {
        stopListening();
        reject(error);
      },
    });
  });

/**
 * A transport for the client over one pool of sockets. Node's fetch, the client's default, requests compressed responses, which
 * wait 44 ms on the socket (Nagle's algorithm and delayed acknowledgement). The pool also needs a third of the CPU.
 */
function createTransport(pool: Pool) {
  return async (input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<unknown> => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const reply = await send(pool, {
      path: pathname + search,
      method: (init.method ?? "GET") as "GET",
      headers: toPlainHeaders(init.headers),
      body: (init.body ?? null) as string | null,
      signal: init.signal ?? null,
    });
    return readReply(reply);
  };
}

function readReply({ status, text }: Reply): unknown {
  const parsed: unknown = text === "" ? undefined : JSON.parse(text);
  if (status >= 400)
    throw new EngineResponseError(status, readAs(refusalSchema, parsed, `The engine answered ${status}`));
  return parsed;
}

const keyHeader = (key: string | undefined): Readonly<Record<string, string>> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` };

function createAsk(pool: Pool, key: string | undefined) {
  const headers = { "content-type": "application/json", ...keyHeader(key) };
  return async <T>({ operation, path, body, signal, outline }: Question<T>): Promise<T> => {
    const method = body === undefined ? "GET" : "POST";
    const payload = body === undefined ? null : JSON.stringify(body);
    const sentAt = performance.now();
    const reply = await whileWaiting(() => send(pool, { path, method, headers, body: payload, signal }));
    const tookMs = performance.now() - sentAt;
    const response = readReply(reply);
    chargeEngine(Math.min(tookMs, engineTimeOf(response)));
    return readAs(outline, response, `The engine's response to ${operation} is unreadable`);
  };
}

interface Timed {
  readonly processingTimeMs?: number;
}

/** The engine reports whole milliseconds of each search, rounded down. */
const ROUNDED_DOWN_MS = 0.5;

/**
 * Documents that are read by id come without a time. Measured by the engine's processor time with 6,000 places: one takes 0.12 ms,
 * 50 take 0.6 ms, and 200 take 2.5 ms.
 */
const REQUEST_MS = 0.1;
const DOCUMENT_MS = 0.012;

/** How long the engine worked on a response, in milliseconds, about. */
function engineTimeOf(response: unknown): number {
  const timed = response as Timed & { readonly results?: readonly Timed[] };
  const parts: readonly Timed[] = timed.results ?? [timed];
  return parts.reduce(
    (sum, { processingTimeMs: ms }) => sum + (ms === undefined ? DOCUMENT_MS : ms + ROUNDED_DOWN_MS),
    REQUEST_MS,
  );
}

function createDocumentSender(pool: Pool, key: string | undefined): EngineConnection["addDocuments"] {
  const headers = { "content-type": "application/x-ndjson", ...keyHeader(key) };
  return async (uid, body) => {
    const path = `/indexes/${uid}/documents?primaryKey=id`;
    const reply = await send(pool, { path, method: "POST", headers, body, signal: null });
    return readReply(reply) as { readonly taskUid: number };
  };
}

/** The sockets to each engine, by its origin, and how many connections use them. */
const openPools = new Map<string, { readonly pool: Pool; users: number }>();

/**
 * Opens no socket before the first call; all connections to an engine share its sockets. When the last one of an engine closes, the
 * calls under way end, even if the engine hangs.
 */
export function connectEngine({ url, key }: EngineAddress): EngineConnection {
  const { origin } = new URL(url);
  const open = () => ({ pool: new Pool(origin, { connections: MAX_SOCKETS }), users: 0 });
  const shared = openPools.getOrInsertComputed(origin, open);
  const { pool } = shared;
  shared.users += 1;
  const close = async (): Promise<void> => {
    shared.users -= 1;
    if (shared.users > 0) return;
    openPools.delete(origin);
    await pool.destroy();
  };
  let closed: Promise<void> | undefined;
  return {
    client: new Meilisearch({
      host: url,
      ...(key !== undefined && { apiKey: key }),
      httpClient: createTransport(pool),
      // The library gives up after five seconds; on a busy machine the engine takes longer for a task, and whoever waits has a limit.
      defaultWaitOptions: { timeout: 0 },
    }),
    ask: createAsk(pool, key),
    addDocuments: createDocumentSender(pool, key),
    close: () => (closed ??= close()),
  };
}
