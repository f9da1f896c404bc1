import type {
  AutocompleteAnswer,
  FullPlaceSummary,
  PlaceAnswer,
  SearchAnswer,
  UsageAnswer,
  ProblemBody,
} from "./answers.ts";
import type * as v from "valibot";
import type { autocompleteParameters, placeParameters, searchParameters } from "../http/parameters.ts";

export interface ClientOptions {
  /** Where the service is, such as `https://places.example`; a path is kept. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The `fetch` of the platform when absent. */
  readonly fetch?: typeof fetch;
  /** How often a request that failed for a passing reason is repeated; 2 when absent. */
  readonly retries?: number;
  /** The longest wait before a repetition; 10 seconds when absent. */
  readonly maxRetryWaitMs?: number;
  /** How long one try may take; 10 seconds when absent. */
  readonly timeoutMs?: number;
  /** `vi` or `en`, for every request that says nothing else. */
  readonly language?: string;
  /** Told of every answer, also of those that are repeated. */
  readonly onExchange?: (exchange: Exchange) => void;
}

interface RequestOptions {
  /** Ends the request at any point, also while it waits to be repeated. */
  readonly signal?: AbortSignal;
}

/** The operations of the service. Each rejects with a `HereaboutsError`, or with the reason of the signal that aborted it. */
export interface Client {
  search(
    parameters: SearchParameters & { readonly type: "full" },
    options?: RequestOptions,
  ): Promise<SearchAnswer<FullPlaceSummary>>;
  search(parameters: SearchParameters, options?: RequestOptions): Promise<SearchAnswer>;
  place(parameters: PlaceParameters, options?: RequestOptions): Promise<PlaceAnswer>;
  autocomplete(parameters: AutocompleteParameters, options?: RequestOptions): Promise<AutocompleteAnswer>;
  /** What the key has used of its limits, and has left. It costs none of them. */
  usage(options?: RequestOptions): Promise<UsageAnswer>;
}

const RETRIES = 2;
const MAX_RETRY_WAIT_MS = 10_000;
const TIMEOUT_MS = 10_000;

/** Creates a client of a Hereabouts server, for browsers and Node alike. It holds no connection and needs no closing. */
export function createClient(options: ClientOptions): Client {
  const { language } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const get = (path: string, { signal }: RequestOptions = {}) =>
    askPatiently(`${baseUrl}/api/${path}`, options, signal);
  const getMaps = (operation: string, parameters: object, request?: RequestOptions) => {
    const query = toQueryString({ ...(language !== undefined && { lang: language }), ...parameters });
    return get(`maps/${operation}?${query}`, request);
  };
  return {
    search: async (parameters: SearchParameters, request?: RequestOptions) =>
      (await getMaps("search", parameters, request)) as SearchAnswer<FullPlaceSummary>,
    place: async (parameters, request) => (await getMaps("place", parameters, request)) as PlaceAnswer,
    autocomplete: async (parameters, request) =>
      (await getMaps("autocomplete", parameters, request)) as AutocompleteAnswer,
    usage: async (request) => (await get("usage", request)) as UsageAnswer,
  };
}

async function askPatiently(
  url: string,
  options: ClientOptions,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { retries = RETRIES, maxRetryWaitMs = MAX_RETRY_WAIT_MS, timeoutMs = TIMEOUT_MS } = options;
  // Browsers want `fetch` called as a function of the window, not of an object that holds it.
  const fetchOnce: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  const { apiKey, onExchange } = options;
  for (let repeated = 0; ; repeated++) {
    try {
      return await ask(url, { fetch: fetchOnce, apiKey, timeoutMs, onExchange, signal });
    } catch (error) {
      signal?.throwIfAborted();
      const waitMs = chooseWaitMs(error, repeated, { retries, maxRetryWaitMs });
      if (waitMs === undefined) throw error;
      await wait(waitMs, signal);
    }
  }
}

/** One request and how it ended, for who wants to show or log it. It never holds the key. */
export interface Exchange {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** The body as it came. */
  readonly text: string;
  readonly durationMs: number;
}

interface AskOptions {
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
async function ask(url: string, options: AskOptions): Promise<unknown> {
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

function isProblem(body: unknown): body is ProblemBody {
  const { code, detail } = (body ?? {}) as Partial<ProblemBody>;
  return typeof code === "string" && typeof detail === "string";
}

/** Seconds or, from a proxy, an HTTP date (RFC 9110 §10.2.3). */
function parseRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

/** The first wait; each further one is twice as long. An engine that is restarted answers again within some seconds. */
const FIRST_WAIT_MS = 250;

/** On top of what a server asks for, so that all who were turned away at once do not come back at once. */
const MAX_EXTRA_MS = 250;

interface RetryPolicy {
  /** How often a request is repeated at most. */
  readonly retries: number;
  /** A wait that would be longer than this is not begun: the error says how long it would have been. */
  readonly maxRetryWaitMs: number;
}

/** How long to wait before the next try; undefined for a failure that a repetition cannot mend or that would take too long. */
function chooseWaitMs(
  error: unknown,
  repeated: number,
  { retries, maxRetryWaitMs }: RetryPolicy,
): number | undefined {
  if (repeated >= retries || !(error instanceof HereaboutsError) || !isPassing(error)) return undefined;
  const wait = waitMs(error.retryAfterSeconds, repeated);
  return wait <= maxRetryWaitMs ? wait : undefined;
}

/** Full minutes of a limit, a busy or restarting server, an engine or a line that is down: they pass. Everything else stays wrong. */
function isPassing({ code, status }: HereaboutsError): boolean {
  return (
    [429, 502, 503, 504].includes(status) ||
    code === "engine_unavailable" ||
    code === "network_error" ||
    code === "timed_out"
  );
}

function waitMs(retryAfterSeconds: number | undefined, repeated: number): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000 + Math.random() * MAX_EXTRA_MS;
  // Between half and all of it: together with others, and never at once.
  return FIRST_WAIT_MS * 2 ** repeated * (0.5 + Math.random() / 2);
}

/** Resolves after the wait. Rejects with the reason of the signal, at once, when it is aborted meanwhile. */
async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a signal's reason is what its owner says it is
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** A list where the server reads a comma list, a point in time in any form where it reads one. */
type Given<Read> =
  Read extends ReadonlySet<infer Item>
    ? readonly Item[]
    : Read extends Temporal.Instant
      ? Temporal.Instant | Date | string
      : Read;

/** The parameters of an operation, from the schema that the server checks them with: the same names, those with a default optional. */
type ParametersOf<Schema extends v.GenericSchema> = {
  readonly [Name in keyof v.InferInput<Schema>]: Name extends keyof v.InferOutput<Schema>
    ? Given<v.InferOutput<Schema>[Name]> | (undefined extends v.InferInput<Schema>[Name] ? undefined : never)
    : never;
};

export type SearchParameters = ParametersOf<typeof searchParameters>;
type PlaceParameters = ParametersOf<typeof placeParameters>;
type AutocompleteParameters = ParametersOf<typeof autocompleteParameters>;

/** Writes parameters as a query string; those that are undefined are left out. */
function toQueryString(parameters: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, toText(value));
  }
  return query.toString();
}

function toText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.join(",") : String(value);
}

type ProblemCode = ProblemBody["code"];
type ParameterProblem = NonNullable<ProblemBody["errors"]>[number];

/**
 * What went wrong without an answer of Hereabouts: no connection or a cut one, no answer in time, an answer of somebody else (a
 * proxy, a login page).
 */
export type ClientCode = "network_error" | "timed_out" | "unexpected_answer";

interface Circumstances {
  readonly status?: number;
  readonly problem?: ProblemBody;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** A request that did not succeed, after all its retries. A request that the caller aborted throws the reason of the signal instead. */
export class HereaboutsError extends Error {
  override readonly name = "HereaboutsError";
  /** Decide by it: the code of the problem body, or what stood in its way. */
  readonly code: ProblemCode | ClientCode;
  /** 0 where there was no answer. */
  readonly status: number;
  /** Every bad parameter, for `invalid_parameter`. */
  readonly errors: readonly ParameterProblem[];
  /** What the server's log knows the request by. */
  readonly requestId: string | undefined;
  /** How long the server asks to wait. */
  readonly retryAfterSeconds: number | undefined;
  /** The whole body, where the server sent one. */
  readonly problem: ProblemBody | undefined;

  constructor(code: ProblemCode | ClientCode, message: string, circumstances: Circumstances = {}) {
    super(message, { cause: circumstances.cause });
    const { problem, status = 0, requestId, retryAfterSeconds } = circumstances;
    this.code = code;
    this.status = status;
    this.errors = problem?.errors ?? [];
    this.requestId = problem?.request_id ?? requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.problem = problem;
  }
}
