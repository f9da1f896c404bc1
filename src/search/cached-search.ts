import { LRUCache } from "lru-cache";
import { whileWaiting } from "../telemetry/request-cost.ts";
import { noTelemetry, type Telemetry } from "../telemetry/telemetry.ts";
import type { FoundPlaces, PlaceSearch, SearchRequest } from "./search-request.ts";

/** A result is reused for this long at most, also after the index changed. */
const MAX_AGE_MS = 5_000;

/** A ranked place takes about 4 kB of memory: at most 4 MB each for searches and for suggestions. */
const MAX_PLACES = 1_000;

interface CachedSearchOptions {
  readonly telemetry?: Telemetry;
  readonly freshMs?: number;
  /** Counts the writes of which callers have heard that they are done: what was asked before is not reused. */
  readonly writes?: () => number;
}

/** Equal requests share one search while it runs, then its result. Open states depend on the moment and are no part of it. */
export function cacheSearches(
  search: PlaceSearch,
  { telemetry = noTelemetry, freshMs = MAX_AGE_MS, writes = () => 0 }: CachedSearchOptions = {},
): PlaceSearch {
  const readEpoch = (): string => `${search.epoch()} ${writes()}`;
  const shared = (operation: "search" | "suggest"): Find =>
    shareResults(
      (request, signal) => search[operation](request, signal),
      readEpoch,
      (isHit) => telemetry.cacheAsked(operation, isHit),
      freshMs,
    );
  return { ...search, search: shared("search"), suggest: shared("suggest") };
}

type Find = PlaceSearch["search"];

/** One search under way and the number of callers that wait for it. */
interface SharedSearch {
  readonly result: Promise<FoundPlaces>;
  readonly abort: (reason: unknown) => void;
  waiting: number;
}

/** A caller that hangs up stops waiting; the search ends when no caller waits any more. Failures are not kept. */
function shareResults(
  find: Find,
  readEpoch: () => string,
  report: (isHit: boolean) => void,
  freshMs: number,
): Find {
  const results = new LRUCache<string, FoundPlaces>({
    ttl: freshMs,
    maxSize: MAX_PLACES,
    sizeCalculation: ({ places }) => places.length + 1,
  });
  // Never more entries than requests under way.
  const underWay = new Map<string, SharedSearch>();

  const begin = (key: string, request: SearchRequest): SharedSearch => {
    const controller = new AbortController();
    const remove = (): void => {
      if (underWay.get(key) === shared) underWay.delete(key);
    };
    const result = find(request, controller.signal)
      .then((found) => {
        // What was missing may be back with the next request.
        if (found.missingPartitions.length === 0) results.set(key, found);
        return found;
      })
      .finally(remove);
    const abort = (reason: unknown): void => {
      // A later caller begins a new search instead of waiting for this one.
      remove();
      controller.abort(reason);
    };
    const shared: SharedSearch = { result, abort, waiting: 0 };
    underWay.set(key, shared);
    return shared;
  };

  return (request, signal) => {
    // Words and places that were changed count at once.
    const key = `${readEpoch()} ${JSON.stringify(request)}`;
    const known = results.get(key);
    const shared = underWay.get(key);
    report(known !== undefined || shared !== undefined);
    if (known) return Promise.resolve(known);
    // What the search costs is charged to the caller that began it.
    if (shared) return whileWaiting(() => waitFor(shared, signal));
    return waitFor(begin(key, request), signal);
  };
}

function waitFor(shared: SharedSearch, signal: AbortSignal | undefined): Promise<FoundPlaces> {
  shared.waiting += 1;
  if (signal === undefined) return shared.result;
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      shared.waiting -= 1;
      if (shared.waiting === 0) shared.abort(signal.reason);
      reject(signal.reason as Error);
    };
    const stopListening = (): void => signal.removeEventListener("abort", leave);
    shared.result.finally(stopListening).then(resolve, reject);
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
  });
}
