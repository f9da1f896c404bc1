import { Pool } from "undici";

/** One request to send. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The client hangs up after this time. */
  readonly hangUpAfterMs?: number;
}

/** The result of a request: a response, or why there is none. */
export type Reply =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: Headers;
      readonly text: string;
    }
  /** `afterHeaders`: the response had begun. */
  | { readonly kind: "broken"; readonly error: string; readonly afterHeaders: boolean }
  | { readonly kind: "hung_up" }
  | { readonly kind: "too_late" };

export type Ask = (request: Request) => Promise<Reply>;

/** A client of one server. */
export interface Line {
  readonly ask: Ask;
  readonly close: () => Promise<void>;
}

/** Twenty times the server's worst case; the client waits no longer. */
const TOO_LATE_MS = 20_000;

/** Opens a client with at most this many connections, which stay open. */
export function openLine(origin: string, connections: number): Line {
  const pool = new Pool(origin, { connections, headersTimeout: 0, bodyTimeout: 0, connectTimeout: 5_000 });
  return { ask: (request) => ask(pool, request), close: () => pool.destroy() };
}

async function ask(pool: Pool, { method, path, headers, hangUpAfterMs }: Request): Promise<Reply> {
  const hangUp = new AbortController();
  const wait = hangUpAfterMs ?? TOO_LATE_MS;
  const timer = setTimeout(() => hangUp.abort(), wait);
  let hasBegun = false;
  try {
    const response = await pool.request({ method: method as "GET", path, headers, signal: hangUp.signal });
    hasBegun = true;
    const text = await response.body.text();
    return { kind: "answer", status: response.statusCode, headers: toHeaders(response.headers), text };
  } catch (error) {
    if (hangUp.signal.aborted) return { kind: hangUpAfterMs === undefined ? "too_late" : "hung_up" };
    const { code, message } = error as { code?: string; message?: string };
    return { kind: "broken", error: `${code ?? ""} ${message ?? ""}`.trim(), afterHeaders: hasBegun };
  } finally {
    clearTimeout(timer);
  }
}

function toHeaders(fields: NodeJS.Dict<string | string[]>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) headers.append(name, one);
  }
  return headers;
}
