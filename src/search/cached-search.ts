import { LRUCache } from "lru-cache";
import { noTelemetry, type Telemetry } from "../telemetry/telemetry.ts";
import type { PlaceSearch, RankedPlace, SearchRequest } from "./search-request.ts";

/** After a swap, and after a change, an old answer is given this long at most. */
const MAX_AGE_MS = 5_000;

/** A ranked place takes about 4 kB of memory: 4 MB at most for searches and for suggestions each. */
const MAX_PLACES = 1_000;

/**
 * Answers equal requests once: those under way at the same time share one, those that follow soon get it again. What depends
 * on the moment, the open state, is not in a ranked place but worked out for each response.
 */
export function cacheSearches(
  search: PlaceSearch,
  { telemetry = noTelemetry }: { readonly telemetry?: Telemetry } = {},
): PlaceSearch {
  return {
    search: shareAnswers(
      (request, unwanted) => search.search(request, unwanted),
      (hit) => telemetry.cacheAsked("search", hit),
    ),
    suggest: shareAnswers(
      (request, unwanted) => search.suggest(request, unwanted),
      (hit) => telemetry.cacheAsked("suggest", hit),
    ),
  };
}

type Ask = PlaceSearch["search"];

/** One search and those who wait for it. */
interface SharedSearch {
  readonly answer: Promise<RankedPlace[]>;
  /** Ends the search. */
  readonly giveUp: (reason: unknown) => void;
  waiting: number;
}

/** Who hangs up ends his own wait; the search itself ends with the last who waits for it. A failure is not kept. */
function shareAnswers(ask: Ask, tell: (hit: boolean) => void): Ask {
  const answers = new LRUCache<string, RankedPlace[]>({
    ttl: MAX_AGE_MS,
    maxSize: MAX_PLACES,
    sizeCalculation: (places) => places.length + 1,
  });
  // Holds no more than there are requests under way.
  const underWay = new Map<string, SharedSearch>();

  const begin = (key: string, request: SearchRequest): SharedSearch => {
    const unwanted = new AbortController();
    const remove = (): void => {
      if (underWay.get(key) === shared) underWay.delete(key);
    };
    const answer = ask(request, unwanted.signal)
      .then((places) => {
        answers.set(key, places);
        return places;
      })
      .finally(remove);
    const giveUp = (reason: unknown): void => {
      // Who comes now begins anew instead of waiting for what was given up.
      remove();
      unwanted.abort(reason);
    };
    const shared: SharedSearch = { answer, giveUp, waiting: 0 };
    underWay.set(key, shared);
    return shared;
  };

  return (request, unwanted) => {
    const key = JSON.stringify(request);
    const known = answers.get(key);
    const shared = underWay.get(key);
    tell(known !== undefined || shared !== undefined);
    if (known) return Promise.resolve(known);
    return waitFor(shared ?? begin(key, request), unwanted);
  };
}

function waitFor(shared: SharedSearch, unwanted: AbortSignal | undefined): Promise<RankedPlace[]> {
  shared.waiting += 1;
  if (unwanted === undefined) return shared.answer;
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      shared.waiting -= 1;
      if (shared.waiting === 0) shared.giveUp(unwanted.reason);
      reject(unwanted.reason as Error);
    };
    const stay = (): void => unwanted.removeEventListener("abort", leave);
    shared.answer.finally(stay).then(resolve, reject);
    if (unwanted.aborted) leave();
    else unwanted.addEventListener("abort", leave, { once: true });
  });
}
