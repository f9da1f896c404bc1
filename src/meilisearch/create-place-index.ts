import { CallerGoneError, engineUnavailable, ProblemError } from "../errors.ts";
import { dataIdIdentity } from "../place/data-id.ts";
import type { PlaceDocument, PlaceSummaryDocument } from "../place/place-document.ts";
import {
  connectEngine,
  engineResponseOf,
  type EngineResponseError,
  type Ask,
  type EngineAddress,
  type EngineConnection,
} from "./connection.ts";
import { toEngineQuery } from "./lookup-query.ts";
import { INDEX_VERSION } from "./index-form.ts";
import {
  createDensity,
  type Census,
  type IndexState,
  type PlaceAnswer,
  type PlaceIndex,
  type PlaceLookup,
} from "./place-index.ts";
import { toCandidate, toPlaceDocument, type IndexedPlace } from "./indexed-place.ts";
import { countPlaces, readManifest, isRedirect, type RedirectDocument } from "./manifest.ts";

/** A caller is told of a dead engine within a second; what takes longer than this would come too late anyway. */
const DEADLINE_MS = 800;

/** The counts of a million places take a quarter of a second to read, of ten million some seconds; no request waits for them. */
const CENSUS_DEADLINE_MS = 30_000;

/**
 * The gazetteer of the live index. Opens its sockets with the first question.
 * @param guard puts something between the questions of callers and the engine (`createEngineGate`); nothing when absent.
 */
export function createPlaceIndex(
  address: EngineAddress,
  guard: (ask: Ask) => Ask = (ask) => ask,
): PlaceIndex {
  const connection = connectEngine(address);
  const guarded = { ...connection, ask: guard(connection.ask) };
  const watch = createVersionWatch(async () => (await readManifest(connection, connection.liveUid))?.version);
  const ifReadable = <T>(ask: () => Promise<T>): Promise<T> => orUnavailable(() => watch(ask));
  return {
    findPlaces: (lookups, signal) => ifReadable(() => findPlaces(guarded, lookups, signal)),
    readSummaries: (ids, signal) => ifReadable(() => readSummaries(guarded, ids, signal)),
    getPlace: (dataId, signal) => ifReadable(() => getPlace(guarded, dataId, withDeadline(signal))),
    readCensus: () => orUnavailable(() => readCensus(connection)),
    readState: () => readIndexState(connection),
    warmUp: () => warmUp(connection),
    close: () => connection.close(),
  };
}

/** Ends the wait for the engine when nobody waits for the answer any more, or when it would come too late anyway. */
function withDeadline(signal: AbortSignal | undefined): AbortSignal {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  return signal ? AbortSignal.any([signal, deadline]) : deadline;
}

async function orUnavailable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    // Turned away before the engine was asked, or nobody waits any more: the engine has no part in that.
    if (error instanceof ProblemError || error instanceof CallerGoneError) throw error;
    if (isMistake(engineResponseOf(error))) throw error;
    throw engineUnavailable(error);
  }
}

/** A question that the engine refuses; asking again would not help. To several questions at once it says so of a missing index too. */
const isMistake = (response: EngineResponseError | undefined): boolean =>
  response?.status === 400 && response.code !== "index_not_found";

interface MultiSearchResponse {
  readonly results: readonly {
    readonly hits: readonly Partial<IndexedPlace>[];
    readonly estimatedTotalHits?: number;
  }[];
}

async function findPlaces(
  { ask, liveUid }: EngineConnection,
  lookups: readonly PlaceLookup[],
  signal: AbortSignal,
): Promise<PlaceAnswer[]> {
  const queries = lookups.map((lookup) => ({ indexUid: liveUid, ...toEngineQuery(lookup) }));
  const { results } = await ask<MultiSearchResponse>({
    operation: "search",
    path: "/multi-search",
    body: { queries },
    signal,
  });
  return results.map(({ hits, estimatedTotalHits }) => ({
    // A lookup without words and without conditions also meets the manifest, which has no card.
    places: hits.flatMap(({ card }) => (card === undefined ? [] : toCandidate({ card }))),
    total: estimatedTotalHits ?? 0,
  }));
}

async function readSummaries(
  { ask, liveUid }: EngineConnection,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, PlaceSummaryDocument>> {
  if (ids.length === 0) return new Map();
  const { results } = await ask<{ results: (Pick<IndexedPlace, "id"> & { summary?: string })[] }>({
    operation: "summaries",
    path: `/indexes/${liveUid}/documents/fetch`,
    body: { ids, fields: ["id", "summary"], limit: ids.length },
    signal,
  });
  // A place that became another one's record since it was found has no summary any more.
  const kept = results.flatMap(({ id, summary }) => (summary === undefined ? [] : [{ id, summary }]));
  return new Map(kept.map(({ id, summary }) => [id, JSON.parse(summary) as PlaceSummaryDocument]));
}

/** The place of the data id, or the one that took over its record. */
async function getPlace(
  connection: EngineConnection,
  dataId: string,
  signal: AbortSignal,
): Promise<PlaceDocument | undefined> {
  const found = await getDocument(connection, dataIdIdentity(dataId), signal);
  // One step only: what leads on from there is of no import of ours.
  const place = found && isRedirect(found) ? await getDocument(connection, found.redirect_to, signal) : found;
  return place && !isRedirect(place) ? toPlaceDocument(place) : undefined;
}

async function getDocument(
  { ask, liveUid }: EngineConnection,
  id: string,
  signal: AbortSignal,
): Promise<IndexedPlace | RedirectDocument | undefined> {
  const path = `/indexes/${liveUid}/documents/${id}?fields=summary,detail,redirect_to`;
  try {
    return await ask<IndexedPlace | RedirectDocument>({ operation: "document", path, signal });
  } catch (error) {
    if (engineResponseOf(error)?.code === "document_not_found") return undefined;
    throw error;
  }
}

async function readCensus({ ask, liveUid }: EngineConnection): Promise<Census> {
  const { facetDistribution } = await ask<{ facetDistribution: Record<string, Record<string, number>> }>({
    operation: "census",
    path: `/indexes/${liveUid}/search`,
    body: { facets: ["cells", "timezone", "type"], limit: 0 },
    signal: AbortSignal.timeout(CENSUS_DEADLINE_MS),
  });
  const { cells = {}, timezone = {}, type = {} } = facetDistribution;
  const types = new Map(Object.entries(type));
  return {
    places: [...types.values()].reduce((sum, count) => sum + count, 0),
    density: createDensity(cells),
    types,
    timezones: Object.keys(timezone),
  };
}

/** Chinese, Japanese and Korean: with the first text of each the engine loads a dictionary, which takes 0.3 to 2.3 seconds. */
const DICTIONARY_WORDS = "咖啡カフェ카페";

async function warmUp({ ask, liveUid }: EngineConnection): Promise<void> {
  await ask({
    operation: "warm_up",
    path: `/indexes/${liveUid}/search`,
    body: { q: DICTIONARY_WORDS, limit: 0 },
    signal: AbortSignal.timeout(CENSUS_DEADLINE_MS),
  }).catch(() => undefined);
}

async function readIndexState(connection: EngineConnection): Promise<IndexState> {
  try {
    const manifest = await readManifest(connection, connection.liveUid);
    if (!manifest) return { state: "missing" };
    if (manifest.version !== INDEX_VERSION)
      return { state: "wrong_version", found: manifest.version, wanted: INDEX_VERSION };
    const places = await countPlaces(connection, connection.liveUid);
    return { state: "ready", places, builtAt: manifest.built_at };
  } catch {
    return { state: "unreachable" };
  }
}

/** An index of another version that is swapped in serves no answer later than this. The look takes a third of a millisecond. */
const LOOK_AGAIN_MS = 1_000;

/** Asks only while the index is of the version that this program reads. Rejects with `engine_unavailable` while it is not. */
export type IfReadable = <T>(ask: () => Promise<T>) => Promise<T>;

/**
 * Answers made from documents of another form would be wrong in ways nobody sees. The version is looked at along with the first
 * question and then once in a second; when it is another one, before every question until it is right again.
 * @param readVersion `undefined` when there is no index; may reject.
 */
export function createVersionWatch(
  readVersion: () => Promise<string | undefined>,
  clock: () => number = () => performance.now(),
): IfReadable {
  let isOther = false;
  let lookedAt = -Infinity;
  let looking: Promise<void> | undefined;

  const note = (version: string | undefined): void => {
    if (version === undefined) return;
    isOther = version !== INDEX_VERSION;
    lookedAt = clock();
  };
  // Without an answer nothing is known that was not before, and the question itself finds no engine either.
  const look = (): Promise<void> =>
    (looking ??= readVersion()
      .then(note, () => undefined)
      .finally(() => (looking = undefined)));
  const refuseOther = (): void => {
    if (isOther) throw engineUnavailable(new Error("the index is of another version: import again"));
  };

  return async (ask) => {
    if (isOther) await look();
    refuseOther();
    if (clock() - lookedAt < LOOK_AGAIN_MS) return ask();
    const [answer] = await Promise.all([ask(), look()]);
    refuseOther();
    return answer;
  };
}
