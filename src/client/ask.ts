import { HereaboutsError, type Problem } from "./hereabouts-error.ts";

/** One request and how it ended, for who wants to show or log it. It never holds the key. */
export interface Exchange {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** The body as it came. */
  readonly text: string;
  readonly durationMs: number;
}

export interface AskOptions {
  readonly fetch: typeof fetch;
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks once and reads the whole answer.
 * @throws {HereaboutsError} for everything that is no success; the reason of the signal when the caller aborted.
 */
export async function ask(url: string, options: AskOptions): Promise<unknown> {
  const exchange = await exchangeWith(url, options);
  options.onExchange?.(exchange);
  const body = parseBody(exchange);
  if (exchange.status === 200 && body !== undefined) return body;
  throw toError(exchange, body);
}

async function exchangeWith(url: string, options: AskOptions): Promise<Exchange> {
  const { apiKey, timeoutMs, signal } = options;
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  const startMs = performance.now();
  try {
    const response = await options.fetch(url, {
      headers: { "x-api-key": apiKey },
      // The key belongs to this server: no redirect takes it elsewhere.
      redirect: "error",
      credentials: "omit",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await response.text();
    const { status, headers } = response;
    return { url, status, headers, text, durationMs: performance.now() - startMs };
  } catch (cause) {
    signal?.throwIfAborted();
    if (timeout.aborted)
      throw new HereaboutsError("timed_out", `There was no answer within ${timeoutMs} ms.`, { cause });
    throw new HereaboutsError("network_error", "The server cannot be reached.", { cause });
  }
}

/** JSON of one of our two types; undefined for what only a proxy or a login page can have sent. */
function parseBody({ headers, text }: Exchange): unknown {
  if (!/^application\/(?:problem\+)?json\b/.test(headers.get("content-type") ?? "")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toError({ status, headers }: Exchange, body: unknown): HereaboutsError {
  const retryAfterSeconds = parseRetryAfter(headers.get("retry-after"));
  if (isProblem(body) && status >= 400)
    return new HereaboutsError(body.code, body.detail, { status, problem: body, retryAfterSeconds });
  const message = `The answer (status ${status}) is not one of Hereabouts.`;
  const requestId = headers.get("x-request-id") ?? undefined;
  return new HereaboutsError("unexpected_answer", message, { status, requestId, retryAfterSeconds });
}

function isProblem(body: unknown): body is Problem {
  const { code, detail } = (body ?? {}) as Partial<Problem>;
  return typeof code === "string" && typeof detail === "string";
}

/** Seconds or, from a proxy, an HTTP date (RFC 9110 §10.2.3). */
function parseRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
