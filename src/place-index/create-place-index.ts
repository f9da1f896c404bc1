import type { MultiSearchParams } from "meilisearch";
import { engineUnavailable } from "../errors.ts";
import { dataIdIdentity } from "../place/data-id.ts";
import type { PlaceDocument, PlaceSummaryDocument } from "../place/place-document.ts";
import {
  connectEngine,
  EngineResponseError,
  type EngineAddress,
  type EngineConnection,
} from "./engine-connection.ts";
import { INDEX_VERSION, JOINED_NAME_FIELDS, NAME_FIELDS } from "./index-settings.ts";
import { SUMMARY_MEMBERS, type IndexedPlace } from "./indexed-place.ts";
import { readManifest } from "./manifest.ts";
import type { IndexState, PlaceIndex, PlaceLookup } from "./place-index.ts";

/** A caller is told of a dead engine within a second; what takes longer than this would come too late anyway. */
const DEADLINE_MS = 800;

/** The gazetteer of the live index. Opens its sockets with the first question. */
export function createPlaceIndex(address: EngineAddress): PlaceIndex {
  const connection = connectEngine(address);
  return {
    findPlaces: (lookups) => orUnavailable(() => findPlaces(connection, lookups)),
    getPlace: (dataId) => orUnavailable(() => getPlace(connection, dataId)),
    readState: () => readState(connection),
    close: connection.close,
  };
}

async function orUnavailable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw engineUnavailable(error);
  }
}

const deadline = (): RequestInit => ({ signal: AbortSignal.timeout(DEADLINE_MS) });

async function findPlaces(
  connection: EngineConnection,
  lookups: readonly PlaceLookup[],
): Promise<PlaceSummaryDocument[][]> {
  if (lookups.length === 0) return [];
  const params: MultiSearchParams = {
    queries: lookups.map((lookup) => toEngineQuery(connection.liveUid, lookup)),
  };
  const { results } = await connection.client.multiSearch<MultiSearchParams, PlaceSummaryDocument>(
    params,
    deadline(),
  );
  return results.map((result) => result.hits);
}

function toEngineQuery(indexUid: string, lookup: PlaceLookup): MultiSearchParams["queries"][number] {
  return {
    indexUid,
    q: lookup.words,
    limit: lookup.limit,
    attributesToRetrieve: [...SUMMARY_MEMBERS],
    attributesToSearchOn: lookup.field === "names" ? NAME_FIELDS : JOINED_NAME_FIELDS,
    filter: toFilter(lookup),
  };
}

/** Cells and type codes come from our own tables, never from a caller: they need no escaping. */
function toFilter({ cells, types }: PlaceLookup): string[] {
  const oneOf = (field: string, values: readonly string[]): string => `${field} IN [${values.join(", ")}]`;
  return [...(cells ? [oneOf("_cells", cells)] : []), ...(types ? [oneOf("type", types)] : [])];
}

async function getPlace(connection: EngineConnection, dataId: string): Promise<PlaceDocument | undefined> {
  const path = `indexes/${connection.liveUid}/documents/${dataIdIdentity(dataId)}`;
  try {
    const found = await connection.client.httpRequest.get<IndexedPlace>({
      path,
      extraRequestInit: deadline(),
    });
    return toPlaceDocument(found);
  } catch (error) {
    if (error instanceof EngineResponseError && error.code === "document_not_found") return undefined;
    throw error;
  }
}

function toPlaceDocument(indexed: IndexedPlace): PlaceDocument {
  const { id: _id, _geo, _cells, _joined_names, _type_words, _prominence, ...place } = indexed;
  return place;
}

async function readState(connection: EngineConnection): Promise<IndexState> {
  try {
    const manifest = await readManifest(connection, connection.liveUid);
    if (!manifest) return { state: "missing" };
    if (manifest.version !== INDEX_VERSION)
      return { state: "wrong_version", found: manifest.version, wanted: INDEX_VERSION };
    return { state: "ready", places: manifest.places, builtAt: manifest.built_at };
  } catch {
    return { state: "unreachable" };
  }
}
