import { LRUCache } from "lru-cache";
import { noTelemetry } from "../telemetry/telemetry.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
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
      (request) => search.search(request),
      (hit) => telemetry.cacheAsked("search", hit),
    ),
    suggest: shareAnswers(
      (request) => search.suggest(request),
      (hit) => telemetry.cacheAsked("suggest", hit),
    ),
  };
}

type Ask = (request: SearchRequest) => Promise<RankedPlace[]>;

/** No caller can end the wait of another: nothing of a request but its words reaches the shared search. A failure is not kept. */
function shareAnswers(ask: Ask, tell: (hit: boolean) => void): Ask {
  const answers = new LRUCache<string, RankedPlace[]>({
    ttl: MAX_AGE_MS,
    maxSize: MAX_PLACES,
    sizeCalculation: (places) => places.length + 1,
  });
  const underWay = new Map<string, Promise<RankedPlace[]>>();

  return (request) => {
    const key = JSON.stringify(request);
    const known = answers.get(key);
    const shared = known ? Promise.resolve(known) : underWay.get(key);
    tell(shared !== undefined);
    if (shared) return shared;
    const answer = ask(request)
      .then((places) => {
        answers.set(key, places);
        return places;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, answer);
    return answer;
  };
}
