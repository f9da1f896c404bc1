import type {
  AutocompleteAnswer,
  Chosen,
  FullPlaceSummary,
  KindsAnswer,
  MatchAnswer,
  NearbyAnswer,
  NearbyFeatures,
  ReverseAnswer,
  ReverseFeatures,
  PlaceAnswer,
  PlaceDetail,
  PlaceFeature,
  PlacesAnswer,
  PlacesFeatures,
  PlaceSummary,
  QuerySuggestion,
  SearchAnswer,
  SearchFeatures,
  Suggestion,
  SuggestionFeatures,
  UsageAnswer,
  ProblemBody,
  WriteAnswer,
} from "./answers.ts";
import type {
  AutocompleteParameters,
  KindsParameters,
  MatchedRecord,
  NearbyParameters,
  PlaceParameters,
  PlacesParameters,
  ReverseParameters,
  SearchParameters,
} from "./parameters.ts";

export type * from "./answers.ts";
export type * from "./parameters.ts";

export interface ClientOptions {
  /** The address of the server, such as `https://places.example`; may contain a path. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** A replacement for the platform's `fetch`. */
  readonly fetch?: typeof fetch;
  /** How often a request is retried after a temporary failure; default 2. */
  readonly retries?: number;
  /** The longest wait before a retry; default 10 seconds. */
  readonly maxRetryWaitMs?: number;
  /** How long one try may take; default 10 seconds. */
  readonly timeoutMs?: number;
  /** `vi` or `en`: the language of requests without `lang`. */
  readonly language?: string;
  /** Called with every response, also with those that are retried. */
  readonly onExchange?: (exchange: Exchange) => void;
}

interface RequestOptions {
  /** Ends the request at any point, also while it waits for a retry. */
  readonly signal?: AbortSignal;
}

interface WriteOptions extends RequestOptions {
  /** Only if the place has this version; otherwise the error is `precondition_failed`. */
  readonly ifVersion?: string;
  /** The same key for the same request; by default a new one, so that retries do nothing twice. */
  readonly idempotencyKey?: string;
}

interface MatchOptions extends RequestOptions {
  /** A place with less confidence, from 0 to 1, is no match. */
  readonly minConfidence?: number;
}

/** The response is GeoJSON. */
interface AsGeoJson {
  readonly format: "geojson";
}

/** The places of the response have these fields and `data_id`. */
interface OnlyFields {
  readonly fields: readonly string[];
}

/** The parameters of all pages. */
type AllOf<Parameters> = Omit<Parameters, "limit" | "offset" | "format">;

type Places<Place> = AsyncGenerator<Place, void, void>;

/** The parameters say which fields the places have. */
interface ReadAllPages<Parameters> {
  (parameters: AllOf<Parameters> & OnlyFields, options?: RequestOptions): Places<Chosen<FullPlaceSummary>>;
  (
    parameters: AllOf<Parameters> & { readonly type: "full" },
    options?: RequestOptions,
  ): Places<FullPlaceSummary>;
  (parameters: AllOf<Parameters>, options?: RequestOptions): Places<PlaceSummary>;
}

/**
 * The operations of the API. Each rejects with a `HereaboutsError`, or with the reason of the aborted signal.
 */
export interface Client {
  search(parameters: SearchParameters & AsGeoJson, options?: RequestOptions): Promise<SearchFeatures>;
  search(
    parameters: SearchParameters & OnlyFields,
    options?: RequestOptions,
  ): Promise<SearchAnswer<Chosen<FullPlaceSummary>>>;
  search(
    parameters: SearchParameters & { readonly type: "full" },
    options?: RequestOptions,
  ): Promise<SearchAnswer<FullPlaceSummary>>;
  search(parameters: SearchParameters, options?: RequestOptions): Promise<SearchAnswer>;
  /** The places of all pages of a search, at most 250. */
  readonly searchAll: ReadAllPages<SearchParameters>;
  /** The places around a point, without words. */
  nearby(parameters: NearbyParameters & AsGeoJson, options?: RequestOptions): Promise<NearbyFeatures>;
  nearby(
    parameters: NearbyParameters & OnlyFields,
    options?: RequestOptions,
  ): Promise<NearbyAnswer<Chosen<FullPlaceSummary>>>;
  nearby(
    parameters: NearbyParameters & { readonly type: "full" },
    options?: RequestOptions,
  ): Promise<NearbyAnswer<FullPlaceSummary>>;
  nearby(parameters: NearbyParameters, options?: RequestOptions): Promise<NearbyAnswer>;
  /** The address of a point and the nearest places. */
  reverse(parameters: ReverseParameters & AsGeoJson, options?: RequestOptions): Promise<ReverseFeatures>;
  reverse(
    parameters: ReverseParameters & OnlyFields,
    options?: RequestOptions,
  ): Promise<ReverseAnswer<Chosen<FullPlaceSummary>>>;
  reverse(
    parameters: ReverseParameters & { readonly type: "full" },
    options?: RequestOptions,
  ): Promise<ReverseAnswer<FullPlaceSummary>>;
  reverse(parameters: ReverseParameters, options?: RequestOptions): Promise<ReverseAnswer>;
  /** The places of all pages of `nearby`, at most 250. */
  readonly nearbyAll: ReadAllPages<NearbyParameters>;
  place(parameters: PlaceParameters & AsGeoJson, options?: RequestOptions): Promise<PlaceFeature>;
  place(
    parameters: PlaceParameters & OnlyFields,
    options?: RequestOptions,
  ): Promise<{ readonly place_result: Chosen<PlaceDetail> }>;
  place(parameters: PlaceParameters, options?: RequestOptions): Promise<PlaceAnswer>;
  /** Several places at once, as many as `data_id` has elements. */
  places(parameters: PlacesParameters & AsGeoJson, options?: RequestOptions): Promise<PlacesFeatures>;
  places(
    parameters: PlacesParameters & OnlyFields,
    options?: RequestOptions,
  ): Promise<PlacesAnswer<Chosen<PlaceDetail>>>;
  places(parameters: PlacesParameters, options?: RequestOptions): Promise<PlacesAnswer>;
  autocomplete(
    parameters: AutocompleteParameters & AsGeoJson,
    options?: RequestOptions,
  ): Promise<SuggestionFeatures>;
  /** With `include: ["queries"]` some suggestions are kinds and areas instead of places. */
  autocomplete<const Parameters extends AutocompleteParameters>(
    parameters: Parameters,
    options?: RequestOptions,
  ): Promise<AutocompleteAnswer<SuggestionFor<Parameters>>>;
  /** The kinds that the dataset has: values of `type` and `category`. */
  kinds(parameters?: KindsParameters, options?: RequestOptions): Promise<KindsAnswer>;
  /** The place that each of up to 100 records is, with a confidence. */
  match(records: readonly MatchedRecord[], options?: MatchOptions): Promise<MatchAnswer>;
  /** Adds or replaces a place. The record has the fields of the native format. */
  putPlace(dataId: string, record: object, options?: WriteOptions): Promise<WriteAnswer>;
  /** Changes the fields of a place that the patch names (JSON merge patch). */
  patchPlace(dataId: string, patch: object, options?: WriteOptions): Promise<WriteAnswer>;
  deletePlace(dataId: string, options?: WriteOptions): Promise<WriteAnswer>;
  /** Applies up to 1,000 records in their order; `results` has the outcome of each. */
  writePlaces(records: readonly object[], options?: WriteOptions): Promise<WriteAnswer>;
  /** The state of a write that was not done at once. */
  write(id: string, options?: RequestOptions): Promise<WriteAnswer>;
  /** How much of its limits the key has used. The request counts against neither limit. */
  usage(options?: RequestOptions): Promise<UsageAnswer>;
}

/** What a suggestion is: a place, or with `include: ["queries"]` perhaps a kind or an area. */
type SuggestionFor<Parameters extends AutocompleteParameters> = "include" extends keyof Parameters
  ? "queries" extends NonNullable<Parameters["include"]>[number]
    ? Suggestion | QuerySuggestion
    : Suggestion
  : Suggestion;

const RETRIES = 2;
const MAX_RETRY_WAIT_MS = 10_000;
const TIMEOUT_MS = 10_000;

/** Creates a client for a Hereabouts server, in browsers and Node. It needs no closing. */
export function createClient(options: ClientOptions): Client {
  const { language } = options;
  const baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, "");
  const get = (path: string, { signal }: RequestOptions = {}) =>
    requestWithRetries(`${baseUrl}/api/${path}`, options, signal);
  const write = async (
    method: string,
    path: string,
    { ifVersion, idempotencyKey = makeKey(), signal }: WriteOptions = {},
    body?: object,
  ): Promise<WriteAnswer> => {
    const headers = {
      "idempotency-key": idempotencyKey,
      ...(ifVersion !== undefined && { "if-match": `"${ifVersion}"` }),
      ...(body && JSON_BODY),
    };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await requestWithRetries(`${baseUrl}/api/${path}`, options, signal, init)) as WriteAnswer;
  };
  const getMaps = (operation: string, parameters: object, request?: RequestOptions) => {
    const query = toQueryString({ ...(language !== undefined && { lang: language }), ...parameters });
    return get(`maps/${operation}?${query}`, request);
  };
  /** The overloads of `Client` say which response belongs to which parameters. */
  const operation = (name: string) => (parameters: object, request?: RequestOptions) =>
    getMaps(name, parameters, request) as Promise<never>;
  const all = (name: string) => (parameters: object, request?: RequestOptions) =>
    readAllPages((page) => getMaps(name, { ...parameters, ...page }, request)) as Places<never>;
  return {
    search: operation("search"),
    searchAll: all("search"),
    nearby: operation("nearby"),
    reverse: operation("reverse"),
    nearbyAll: all("nearby"),
    place: operation("place"),
    places: operation("places"),
    autocomplete: operation("autocomplete"),
    kinds: (parameters = {}, request) => getMaps("kinds", parameters, request) as Promise<KindsAnswer>,
    match: (...asked) => match(`${baseUrl}/api/maps/match`, options, ...asked),
    putPlace: (dataId, record, request) => write("PUT", toPlacePath(dataId), request, record),
    patchPlace: (dataId, patch, request) => write("PATCH", toPlacePath(dataId), request, patch),
    deletePlace: (dataId, request) => write("DELETE", toPlacePath(dataId), request),
    writePlaces: (places, request) => write("POST", "maps/places", request, { places }),
    write: async (id, request) =>
      (await get(`maps/writes/${encodeURIComponent(id)}`, request)) as WriteAnswer,
    usage: async (request) => (await get("usage", request)) as UsageAnswer,
  };
}

const JSON_BODY = { "content-type": "application/json" };

const match = (
  url: string,
  options: ClientOptions,
  ...[records, { minConfidence: min_confidence, signal } = {}]: Parameters<Client["match"]>
): Promise<MatchAnswer> => {
  const body = JSON.stringify({ records, min_confidence });
  const sent = requestWithRetries(url, options, signal, { method: "POST", headers: JSON_BODY, body });
  return sent as Promise<MatchAnswer>;
};

const toPlacePath = (dataId: string): string => `maps/places/${encodeURIComponent(dataId)}`;

/** Node 18 has no global `crypto`. Nobody has to be unable to guess it. */
const makeKey = (): string =>
  [Date.now(), Math.random(), Math.random()].map((part) => part.toString(36)).join("-");

/** What a request that is no GET has besides its address. */
interface Writing {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The largest page, and the last one, that the API has. */
const PAGE = 50;
const LAST_OFFSET = 200;

async function* readAllPages(readPage: (page: object) => Promise<unknown>): Places<unknown> {
  for (let offset = 0; offset <= LAST_OFFSET; offset += PAGE) {
    const { local_result: places } = (await readPage({ limit: PAGE, offset })) as SearchAnswer;
    yield* places;
    if (places.length < PAGE) return;
  }
}

async function requestWithRetries(
  url: string,
  options: ClientOptions,
  signal: AbortSignal | undefined,
  writing?: Writing,
): Promise<unknown> {
  const { retries = RETRIES, maxRetryWaitMs = MAX_RETRY_WAIT_MS, timeoutMs = TIMEOUT_MS } = options;
  // Browsers require `fetch` to be called as a function of the window, not as a method.
  const fetchOnce: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  const { apiKey, onExchange } = options;
  for (let repeated = 0; ; repeated++) {
    try {
      return await send(url, { fetch: fetchOnce, apiKey, timeoutMs, onExchange, signal, writing });
    } catch (error) {
      signal?.throwIfAborted();
      const waitMs = chooseWaitMs(error, repeated, { retries, maxRetryWaitMs });
      if (waitMs === undefined) throw error;
      await wait(waitMs, signal);
    }
  }
}

/** A request and its response, to show or log. It never contains the key. */
export interface Exchange {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** The body, unparsed. */
  readonly text: string;
  readonly durationMs: number;
}

interface SendOptions {
  readonly fetch: typeof fetch;
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly writing?: Writing | undefined;
}

/**
 * Sends one request and reads the whole response.
 * @throws {HereaboutsError} for every failure; the signal's reason when the caller aborted.
 */
async function send(url: string, options: SendOptions): Promise<unknown> {
  const exchange = await exchangeWith(url, options);
  options.onExchange?.(exchange);
  const body = parseBody(exchange);
  const isDone = options.writing ? [200, 201, 202].includes(exchange.status) : exchange.status === 200;
  if (isDone && body !== undefined) return body;
  throw toError(exchange, body);
}

async function exchangeWith(url: string, options: SendOptions): Promise<Exchange> {
  const { apiKey, timeoutMs, signal, writing } = options;
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  const startMs = performance.now();
  try {
    const response = await options.fetch(url, {
      ...writing,
      headers: { ...writing?.headers, "x-api-key": apiKey },
      // A redirect could send the key to another server.
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
      throw new HereaboutsError("timed_out", `The server did not respond within ${timeoutMs} ms.`, { cause });
    throw new HereaboutsError("network_error", "The server cannot be reached.", { cause });
  }
}

/** The parsed JSON; undefined for a body that does not come from the API, such as a proxy's page. */
function parseBody({ headers, text }: Exchange): unknown {
  if (!/^application\/(?:(?:problem|geo)\+)?json\b/.test(headers.get("content-type") ?? "")) return undefined;
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
  const message = `The response (status ${status}) does not come from Hereabouts.`;
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

/** The first wait; each further wait is twice as long. A restarted engine is back within seconds. */
const FIRST_WAIT_MS = 250;

/** Random time on top of `Retry-After`, so that refused clients do not all come back at once. */
const MAX_EXTRA_MS = 250;

interface RetryPolicy {
  /** How often a request is retried at most. */
  readonly retries: number;
  /** A longer wait rejects at once; the error has `retryAfterSeconds`. */
  readonly maxRetryWaitMs: number;
}

/** The wait before the next try; undefined when a retry cannot help or the wait would be too long. */
function chooseWaitMs(
  error: unknown,
  repeated: number,
  { retries, maxRetryWaitMs }: RetryPolicy,
): number | undefined {
  if (repeated >= retries || !(error instanceof HereaboutsError) || !isPassing(error)) return undefined;
  const wait = waitMs(error.retryAfterSeconds, repeated);
  return wait <= maxRetryWaitMs ? wait : undefined;
}

/**
 * Temporary failures: a limit per minute, a busy or restarting server, an engine or connection that is down.
 */
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
  // Between half and all of it, so that clients do not retry at the same moment.
  return FIRST_WAIT_MS * 2 ** repeated * (0.5 + Math.random() / 2);
}

/** Resolves after the wait. Rejects with the signal's reason as soon as it is aborted. */
async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a signal's reason is what its
      // owner says it is
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** Writes parameters as a query string without the undefined ones. */
function toQueryString(parameters: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    // Only ids and conditions are repeated; other lists are separated by commas.
    const values = (name === "data_id" || name === "custom") && Array.isArray(value) ? value : [value];
    for (const one of values) query.append(name, toText(one));
  }
  return query.toString();
}

function toText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.join(",");
  // A shape of GeoJSON.
  return isPlain(value) ? JSON.stringify(value) : String(value);
}

/** An object that is no moment of `Temporal`, which has text of its own. */
const isPlain = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "coordinates" in value;

type ProblemCode = ProblemBody["code"];

/**
 * Failures without a response from Hereabouts: no connection, a timeout, a response from something in between
 * (a proxy, a login page).
 */
export type ClientCode = "network_error" | "timed_out" | "unexpected_answer";

interface Circumstances {
  readonly status?: number;
  readonly problem?: ProblemBody;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/**
 * A request that failed after all its retries. An aborted request rejects with the signal's reason instead.
 */
export class HereaboutsError extends Error {
  override readonly name = "HereaboutsError";
  /** Decide by this code: that of the problem body, or one of the client's own. */
  readonly code: ProblemCode | ClientCode;
  /** 0 without a response. */
  readonly status: number;
  /** Every invalid parameter, for `invalid_parameter`. */
  readonly errors: NonNullable<ProblemBody["errors"]>;
  /** The id of the request in the server's log. */
  readonly requestId: string | undefined;
  /** The server's `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** The whole problem body, if the server sent one. */
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
