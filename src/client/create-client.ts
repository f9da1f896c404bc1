import type { AutocompleteAnswer, FullPlaceSummary, PlaceAnswer, SearchAnswer } from "./answers.ts";
import { ask, type Exchange } from "./ask.ts";
import {
  toQueryString,
  type AutocompleteParameters,
  type PlaceParameters,
  type SearchParameters,
} from "./parameters.ts";
import { chooseWaitMs, wait } from "./retry.ts";

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

export interface RequestOptions {
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
}

const RETRIES = 2;
const MAX_RETRY_WAIT_MS = 10_000;
const TIMEOUT_MS = 10_000;

/** Creates a client of a Hereabouts server, for browsers and Node alike. It holds no connection and needs no closing. */
export function createClient(options: ClientOptions): Client {
  const { language } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const get = async (operation: string, parameters: object, { signal }: RequestOptions = {}) => {
    const query = toQueryString({ ...(language !== undefined && { lang: language }), ...parameters });
    return askPatiently(`${baseUrl}/api/maps/${operation}?${query}`, options, signal);
  };
  return {
    search: async (parameters: SearchParameters, request?: RequestOptions) =>
      (await get("search", parameters, request)) as SearchAnswer<FullPlaceSummary>,
    place: async (parameters, request) => (await get("place", parameters, request)) as PlaceAnswer,
    autocomplete: async (parameters, request) =>
      (await get("autocomplete", parameters, request)) as AutocompleteAnswer,
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
