import type { PlaceDocument } from "../place/place-document.ts";
import { engineResponseOf, type EngineConnection } from "./engine-connection.ts";
import { insistently } from "./engine-tasks.ts";
import { toPlaceDocument, type IndexedPlace } from "./indexed-place.ts";
import { MANIFEST_ID } from "./manifest.ts";
import { isRedirect } from "./redirect.ts";

/** What of a place tells whether it changed. */
export type HashedPlace = Pick<IndexedPlace, "id" | "data_id" | "content_hash">;

/** Some megabytes an answer, and some dozens of milliseconds of the engine that searches as well. */
const HASHES_AT_ONCE = 20_000;

/** Whole places may be long. */
const PLACES_AT_ONCE = 1_000;

interface FetchRequest {
  readonly fields: readonly (keyof IndexedPlace | "redirect_to")[];
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

/** The data ids under which the live index has these identities, redirects among them. Before the first import it has none. */
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

/** Those of the places that an index has, in some order. Redirects are none. */
export async function readPlaces(
  connection: EngineConnection,
  identities: readonly string[],
  uid: string = connection.liveUid,
): Promise<PlaceDocument[]> {
  const places: PlaceDocument[] = [];
  for (let start = 0; start < identities.length; start += PLACES_AT_ONCE) {
    const ids = identities.slice(start, start + PLACES_AT_ONCE);
    const request = { ids, fields: ["summary", "detail", "redirect_to"], limit: ids.length } as const;
    const found = await fetchDocuments<IndexedPlace>(connection, uid, request);
    places.push(...found.filter(isPlace).map(toPlaceDocument));
  }
  return places;
}

const isPlace = (document: object): boolean => !isRedirect(document);

/** Smaller than an answer of the hashes: these are whole places, and what is read of them at once is to be collected. */
const WHOLE_PLACES_AT_ONCE = 250;

/** All places of an index that nobody writes to, in pages. */
export async function* readAllPlaces(
  connection: EngineConnection,
  uid: string,
): AsyncGenerator<PlaceDocument[]> {
  const fields = ["id", "summary", "detail"] as const;
  for await (const places of readAll<IndexedPlace>(connection, { fields, atOnce: WHOLE_PLACES_AT_ONCE, uid }))
    yield places.map(toPlaceDocument);
}

/** The hashes of all places of the live index, some thousands at a time. */
export async function* readHashes(connection: EngineConnection): AsyncGenerator<HashedPlace[]> {
  yield* readAll<HashedPlace>(connection, {
    fields: ["id", "data_id", "content_hash"],
    atOnce: HASHES_AT_ONCE,
  });
}

/** Where a place of the index came from. */
export interface PlaceSource {
  readonly id: string;
  readonly source: string;
}

/** The sources of all places of the live index, some thousands at a time. */
export async function* readSources(connection: EngineConnection): AsyncGenerator<PlaceSource[]> {
  for await (const places of readAll<StoredSource>(connection, {
    fields: ["id", "detail"],
    atOnce: PLACES_AT_ONCE,
  }))
    yield places.map(toPlaceSource);
}

/** The sources of those of the places that the live index has. */
export async function readSourcesOf(
  connection: EngineConnection,
  identities: readonly string[],
): Promise<PlaceSource[]> {
  const fields = ["id", "detail", "redirect_to"] as const;
  const request = { ids: identities, fields, limit: identities.length };
  const found = await fetchDocuments<StoredSource>(connection, connection.liveUid, request);
  return found.filter(isPlace).map(toPlaceSource);
}

type StoredSource = Pick<IndexedPlace, "id" | "detail">;

const toPlaceSource = ({ id, detail }: StoredSource): PlaceSource => ({
  id,
  source: (JSON.parse(detail) as Pick<PlaceDocument, "source">).source,
});

interface ReadAllOptions {
  readonly fields: readonly (keyof IndexedPlace)[];
  readonly atOnce: number;
  readonly uid?: string;
}

async function* readAll<T extends Pick<IndexedPlace, "id">>(
  connection: EngineConnection,
  { fields, atOnce, uid = connection.liveUid }: ReadAllOptions,
): AsyncGenerator<T[]> {
  for (let offset = 0; ; offset += atOnce) {
    const request = { fields: [...fields, "redirect_to"] as const, offset, limit: atOnce };
    const found = await insistently(() => fetchDocuments<T>(connection, uid, request));
    if (found.length === 0) return;
    yield found.filter((document) => document.id !== MANIFEST_ID && isPlace(document));
  }
}
