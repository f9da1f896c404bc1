import type { PlaceDocument } from "../place/place-document.ts";
import { engineResponseOf, type EngineConnection } from "./engine-connection.ts";
import { insistently } from "./engine-tasks.ts";
import { toPlaceDocument, type IndexedPlace } from "./indexed-place.ts";
import { MANIFEST_ID } from "./manifest.ts";

/** What of a place tells whether it changed. */
export type HashedPlace = Pick<IndexedPlace, "id" | "data_id" | "content_hash">;

/** Some megabytes an answer, and some dozens of milliseconds of the engine that searches as well. */
const HASHES_AT_ONCE = 20_000;

/** Whole places may be long. */
const PLACES_AT_ONCE = 1_000;

interface FetchRequest {
  readonly fields: readonly (keyof IndexedPlace)[];
  readonly ids?: readonly string[];
  readonly offset?: number;
  readonly limit: number;
}

async function fetchDocuments<T>(
  { client }: EngineConnection,
  uid: string,
  body: FetchRequest,
): Promise<T[]> {
  const path = `indexes/${uid}/documents/fetch`;
  const { results } = await client.httpRequest.post<{ results: T[] }>({ path, body });
  return results;
}

/** The data ids under which the live index has these identities. Before the first import it has none. */
export async function readKnownDataIds(
  connection: EngineConnection,
  identities: readonly string[],
): Promise<Map<string, string>> {
  if (identities.length === 0) return new Map();
  const request = { ids: identities, fields: ["id", "data_id"], limit: identities.length } as const;
  try {
    const found = await fetchDocuments<HashedPlace>(connection, connection.liveUid, request);
    return new Map(found.map(({ id, data_id: dataId }) => [id, dataId]));
  } catch (error) {
    if (engineResponseOf(error)?.code === "index_not_found") return new Map();
    throw error;
  }
}

/** Those of the places that the live index has, in some order. */
export async function readPlaces(
  connection: EngineConnection,
  identities: readonly string[],
): Promise<PlaceDocument[]> {
  const places: PlaceDocument[] = [];
  for (let start = 0; start < identities.length; start += PLACES_AT_ONCE) {
    const ids = identities.slice(start, start + PLACES_AT_ONCE);
    const request = { ids, fields: ["summary", "detail"], limit: ids.length } as const;
    const found = await fetchDocuments<IndexedPlace>(connection, connection.liveUid, request);
    places.push(...found.map(toPlaceDocument));
  }
  return places;
}

/** The hashes of all places of the live index, some thousands at a time. */
export async function* readHashes(connection: EngineConnection): AsyncGenerator<HashedPlace[]> {
  yield* readAll<HashedPlace>(connection, ["id", "data_id", "content_hash"], HASHES_AT_ONCE);
}

/** Where a place of the index came from. */
export interface PlaceSource {
  readonly id: string;
  readonly source: string;
}

/** The sources of all places of the live index, some thousands at a time. */
export async function* readSources(connection: EngineConnection): AsyncGenerator<PlaceSource[]> {
  for await (const places of readAll<StoredSource>(connection, ["id", "detail"], PLACES_AT_ONCE))
    yield places.map(toPlaceSource);
}

/** The sources of those of the places that the live index has. */
export async function readSourcesOf(
  connection: EngineConnection,
  identities: readonly string[],
): Promise<PlaceSource[]> {
  const request = { ids: identities, fields: ["id", "detail"], limit: identities.length } as const;
  const found = await fetchDocuments<StoredSource>(connection, connection.liveUid, request);
  return found.map(toPlaceSource);
}

type StoredSource = Pick<IndexedPlace, "id" | "detail">;

const toPlaceSource = ({ id, detail }: StoredSource): PlaceSource => ({
  id,
  source: (JSON.parse(detail) as Pick<PlaceDocument, "source">).source,
});

async function* readAll<T extends Pick<IndexedPlace, "id">>(
  connection: EngineConnection,
  fields: readonly (keyof IndexedPlace)[],
  atOnce: number,
): AsyncGenerator<T[]> {
  for (let offset = 0; ; offset += atOnce) {
    const request = { fields, offset, limit: atOnce };
    const found = await insistently(() => fetchDocuments<T>(connection, connection.liveUid, request));
    if (found.length === 0) return;
    yield found.filter(({ id }) => id !== MANIFEST_ID);
  }
}
