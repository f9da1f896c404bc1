import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { type IndexConnection, engineResponseOf } from "../../src/meilisearch/connection.ts";
import type { IndexedPlace } from "../../src/meilisearch/index-form.ts";
import {
  CONTENT_FIELDS,
  sourceOf,
  SUMMARY_FIELDS,
  toPlaceDocument,
  toSummary,
  type PackedSummary,
} from "../../src/meilisearch/packed-place.ts";
import { dataIdOf } from "../../src/place/document/data-id.ts";
import { isPlaceId, isRedirect } from "../../src/meilisearch/manifest.ts";
import { isPlace, readPage } from "../../src/meilisearch/read-index.ts";
import { retryWhileUnreachable } from "./engine-tasks.ts";

/** The index was removed while it was read, or changed too fast. What was read so far is useless. */
export class IndexChangedError extends Error {
  override readonly name = "IndexChangedError";
}

/**
 * A place takes one to five kB. Larger pages are hardly faster and need more memory: 309 MB with 500 places,
 * 253 MB with 250.
 */
const PAGE = 250;

/**
 * How far each page overlaps the one before. Deletions during the reading move later places forward. While a
 * page still contains a place seen before, none was skipped. Otherwise more were deleted, and the reader
 * looks further back.
 */
const OVERLAP = 50;
const FURTHER = 10;
/** One batch of deletions, which is also as many places as may be in memory at once. */
const MAX_OVERLAP = 5_000;

/**
 * Reads all places of an index in pages, in the engine's own order. A place that changes meanwhile comes in
 * its old or its new state.
 * @throws {IndexChangedError} when the index was removed meanwhile, or changed too fast.
 */
export async function* streamPlaces(
  index: IndexConnection,
  pageSize: number = PAGE,
): AsyncGenerator<PlaceDocument[]> {
  let hasBegun = false;
  const read: ReadRange<Awaited<ReturnType<typeof readPage>>[number]> = async (range) => {
    try {
      return await readPage(index, range);
    } catch (error) {
      if (hasBegun && engineResponseOf(error)?.code === "index_not_found")
        throw new IndexChangedError(REMOVED);
      throw error;
    }
  };
  for await (const page of streamPages(read, pageSize)) {
    hasBegun = true;
    yield page.filter(isPlace).map(toPlaceDocument);
  }
}

const REMOVED = "Later imports removed the index while it was read: begin again.";

/** Reads some documents, in the engine's own order. */
type ReadRange<T> = (range: { readonly offset: number; readonly limit: number }) => Promise<T[]>;

/**
 * All documents of an index that others may be writing to. None that is there all the time is skipped.
 * @throws {IndexChangedError} when too many were deleted meanwhile.
 */
export async function* streamPages<T extends { readonly id: string }>(
  read: ReadRange<T>,
  pageSize: number,
): AsyncGenerator<T[]> {
  let seen: ReadonlySet<string> = new Set();
  for (let position = 0; ;) {
    const { offset, page, first } = await readOn(read, { position, seen, pageSize });
    const fresh = page.slice(first);
    if (fresh.length === 0) return;
    position = offset + page.length;
    seen = new Set(page.slice(-OVERLAP).map(({ id }) => id));
    yield fresh;
  }
}

interface Reading {
  readonly position: number;
  /** The ids before the position. */
  readonly seen: ReadonlySet<string>;
  readonly pageSize: number;
}

/** Reads the next page and finds where its unseen places begin. */
async function readOn<T extends { readonly id: string }>(
  read: ReadRange<T>,
  { position, seen, pageSize }: Reading,
) {
  for (let overlap = OVERLAP; overlap <= MAX_OVERLAP; overlap *= FURTHER) {
    const offset = Math.max(0, position - overlap);
    const page = await read({ offset, limit: pageSize + position - offset });
    const last = page.findLastIndex(({ id }) => seen.has(id));
    if (last !== -1 || seen.size === 0) return { offset, page, first: last + 1 };
  }
  throw new IndexChangedError(
    "The index changed too fast to be read as a whole: try again when it is quiet.",
  );
}

/** What shows whether a place has changed. */
export interface HashedPlace extends Pick<IndexedPlace, "content_hash" | "draft_hash"> {
  readonly data_id: string;
}

/** What tells the data id of a document: a place has half of it, a redirect and a place of an older index all of it. */
type Identified = Pick<IndexedPlace, "id"> & { readonly location_half?: string; readonly data_id?: string };

const ID_FIELDS = ["id", "location_half", "data_id"] as const;

const readDataId = ({
  id,
  location_half = "",
  data_id = dataIdOf({ id, location_half }),
}: Identified): string => data_id;

/**
 * A response of some megabytes, which takes some dozens of milliseconds from an engine that also serves
 * searches.
 */
const HASHES_AT_ONCE = 20_000;

/** Whole places may be long. */
const PLACES_AT_ONCE = 1_000;

/** Some hundred letters each. */
const ADDRESSES_AT_ONCE = 5_000;

/** Some of the values at a time. */
export function* inChunks<T>(values: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < values.length; start += size) yield values.slice(start, start + size);
}

type StoredField = keyof IndexedPlace | "data_id" | "redirect_to";

interface FetchRequest {
  readonly fields: readonly StoredField[];
  readonly ids?: readonly string[];
  readonly offset?: number;
  readonly limit: number;
}

async function fetchDocuments<T>({ client, uid }: IndexConnection, body: FetchRequest): Promise<T[]> {
  const path = `indexes/${uid}/documents/fetch`;
  const { results } = await client.httpRequest.post<{ results: T[] }>({ path, body });
  return results;
}

/** The data ids by which an index knows these identities, including redirects. */
export async function readKnownDataIds(
  index: IndexConnection,
  identities: readonly string[],
): Promise<Map<string, string>> {
  if (identities.length === 0) return new Map();
  const request = { ids: identities, fields: ID_FIELDS, limit: identities.length };
  const found = await fetchDocuments<Identified>(index, request);
  return new Map(found.map((document) => [document.id, readDataId(document)]));
}

/**
 * Reads the given places, in no particular order. Leaves out redirects and places that the index does not
 * have.
 */
export async function readPlacesById(
  index: IndexConnection,
  identities: readonly string[],
): Promise<PlaceDocument[]> {
  const places: PlaceDocument[] = [];
  for (const ids of inChunks(identities, PLACES_AT_ONCE)) {
    const request = { ids, fields: [...CONTENT_FIELDS, "redirect_to"], limit: ids.length } as const;
    const found = await fetchDocuments<IndexedPlace>(index, request);
    places.push(...found.filter(isNoRedirect).map(toPlaceDocument));
  }
  return places;
}

const isNoRedirect = (document: object): boolean => !isRedirect(document);

/** Smaller than a page of hashes: these are whole places, which take more memory at once. */
const WHOLE_PLACES_AT_ONCE = 250;

/** Reads all places of an index that is not being written to, in pages. */
export async function* readAllPlaces(index: IndexConnection): AsyncGenerator<PlaceDocument[]> {
  const fields = CONTENT_FIELDS;
  for await (const places of readAll<IndexedPlace>(index, { fields, atOnce: WHOLE_PLACES_AT_ONCE }))
    yield places.map(toPlaceDocument);
}

/** The hashes of all places of an index, some thousands at a time. */
export async function* readHashes(index: IndexConnection): AsyncGenerator<HashedPlace[]> {
  const fields = [...ID_FIELDS, "content_hash", "draft_hash"] as const;
  type Hashed = Identified & Pick<IndexedPlace, "content_hash" | "draft_hash">;
  for await (const places of readAll<Hashed>(index, { fields, atOnce: HASHES_AT_ONCE }))
    yield places.map(({ content_hash, draft_hash, ...ids }) => ({
      data_id: readDataId(ids),
      content_hash,
      ...(draft_hash !== undefined && { draft_hash }),
    }));
}

/** A place with what says where addresses are. */
export type AddressedPlace = Pick<PlaceDocument, "location" | "areas" | "source">;

/** The addresses of all places of an index, some thousands at a time. */
export async function* readAddresses(index: IndexConnection): AsyncGenerator<AddressedPlace[]> {
  const fields = [...SUMMARY_FIELDS, "areas", "source"] as const;
  type Addressed = PackedSummary & Pick<IndexedPlace, "areas" | "source">;
  for await (const places of readAll<Addressed>(index, { fields, atOnce: ADDRESSES_AT_ONCE }))
    yield places.map((place) => ({
      location: toSummary(place).location,
      source: sourceOf(place),
      ...(place.areas && { areas: [...place.areas] }),
    }));
}

/** The source of a place in the index. */
export interface PlaceSource {
  readonly id: string;
  readonly source: string;
}

/** The sources of all places of an index, some thousands at a time. */
export async function* readSources(index: IndexConnection): AsyncGenerator<PlaceSource[]> {
  for await (const places of readAll<StoredSource>(index, {
    fields: ["id", "source"],
    atOnce: PLACES_AT_ONCE,
  }))
    yield places.map(toPlaceSource);
}

/** The sources of the given places, as far as the index has them. */
export async function readSourcesOf(
  index: IndexConnection,
  identities: readonly string[],
): Promise<PlaceSource[]> {
  const fields = ["id", "source", "redirect_to"] as const;
  const request = { ids: identities, fields, limit: identities.length };
  const found = await fetchDocuments<StoredSource>(index, request);
  return found.filter(isNoRedirect).map(toPlaceSource);
}

type StoredSource = Pick<IndexedPlace, "id" | "source">;

const toPlaceSource = (place: StoredSource): PlaceSource => ({ id: place.id, source: sourceOf(place) });

interface ReadAllOptions {
  readonly fields: readonly StoredField[];
  readonly atOnce: number;
}

async function* readAll<T extends Pick<IndexedPlace, "id">>(
  index: IndexConnection,
  { fields, atOnce }: ReadAllOptions,
): AsyncGenerator<T[]> {
  for (let offset = 0; ; offset += atOnce) {
    const request = { fields: [...fields, "redirect_to"] as const, offset, limit: atOnce };
    const found = await retryWhileUnreachable(() => fetchDocuments<T>(index, request));
    if (found.length === 0) return;
    yield found.filter((document) => isPlaceId(document.id) && isNoRedirect(document));
  }
}
