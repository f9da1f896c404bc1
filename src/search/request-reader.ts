import type {
  FoundPlace,
  LookupResult,
  PinnedReader,
  PlaceIndex,
  PlaceLookup,
} from "../meilisearch/place-index.ts";
import type { PlaceExtra, PlaceSummaryDocument } from "../place/document/place-document.ts";
import type { SearchRequest } from "./search-request.ts";

/** What one request reads from the index, each of it once. */

/** Sends lookups to the index in one round trip. */
export type FindPlaces = (lookups: readonly PlaceLookup[]) => Promise<LookupResult[]>;

type ReadSummaries = (places: readonly FoundPlace[]) => Promise<ReadonlyMap<string, PlaceSummaryDocument>>;

export type RequestReader = ReturnType<typeof createRequestReader>;

/** Photos are read only of the places that are shown: they lie in the longest text of a place. All reads end with the signal. */
export function createRequestReader(index: PlaceIndex, request: SearchRequest, signal: AbortSignal) {
  const reader = index.pin(request.centre);
  const extras = extrasOf(request);
  const light = extras.filter((extra) => extra !== "first_photo");
  const readSummaries = rememberSummaries((places) => reader.readSummaries(places, signal, light));
  const readPage: ReadSummaries =
    light.length < extras.length ? (places) => reader.readSummaries(places, signal, extras) : readSummaries;
  return {
    findPlaces: rememberWhole(reader, signal),
    /** Reads what decides whether places match. */
    readSummaries,
    /** Reads what the response shows of places. */
    readPage,
    missingPartitions: () => reader.missingPartitions(),
  };
}

/** What is read of each place: what the response shows, and what decides whether it matches. */
const extrasOf = ({ extras = [], refinements }: SearchRequest): readonly PlaceExtra[] =>
  refinements?.busy && !extras.includes("busy_hours") ? [...extras, "busy_hours"] : extras;

/** Asks for each list once that came whole, from all partitions: a later page looks up the same as the first page. */
function rememberWhole(reader: PinnedReader, signal: AbortSignal): FindPlaces {
  const whole = new Map<string, LookupResult>();
  const keyOf = (lookup: PlaceLookup): string => JSON.stringify({ ...lookup, limit: undefined });
  return async (lookups) => {
    const keys = lookups.map(keyOf);
    const missing = lookups.filter((_, at) => !whole.has(keys[at]!));
    const results = missing.length === 0 ? [] : await reader.findPlaces(missing, signal);
    const fresh = new Map(missing.map((lookup, index) => [lookup, results[index]!]));
    const found = lookups.map((lookup, at) => fresh.get(lookup) ?? firstOf(whole.get(keys[at]!)!, lookup));
    if (reader.missingPartitions().length > 0) return found;
    for (const [at, result] of found.entries())
      if (result.places.length < lookups[at]!.limit) whole.set(keys[at]!, result);
    return found;
  };
}

const firstOf = ({ places, total }: LookupResult, { limit }: PlaceLookup): LookupResult => ({
  places: places.slice(0, limit),
  total,
});

/** Reads each summary once: wishes need those of places that the page shows, and two searches of a request may need the same at once. */
function rememberSummaries(read: ReadSummaries): ReadSummaries {
  const known = new Map<string, PlaceSummaryDocument>();
  const reads = new Map<string, Promise<void>>();
  const remember = async (places: Parameters<ReadSummaries>[0]): Promise<void> => {
    for (const [id, summary] of await read(places)) known.set(id, summary);
  };
  return async (places) => {
    const missing = places.filter(({ id }) => !reads.has(id));
    const reading = missing.length > 0 ? remember(missing) : undefined;
    if (reading) for (const { id } of missing) reads.set(id, reading);
    await Promise.all(places.map(({ id }) => reads.get(id)!));
    return known;
  };
}
