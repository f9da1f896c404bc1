import type { PlaceDocument } from "../place/place-document.ts";
import type { EngineConnection } from "./engine-connection.ts";
import { toPlaceDocument, type IndexedPlace } from "./indexed-place.ts";
import { MANIFEST_ID, readManifest } from "./manifest.ts";
import { isRedirect } from "./redirect.ts";

/** The index became another one while it was read; what was read of it is of no use. */
export class IndexChangedError extends Error {
  override readonly name = "IndexChangedError";
}

/** A place has one to five kB. Larger pages are hardly faster and leave more to be collected: 309 MB of memory with 500, 253 with 250. */
const PAGE = 250;

/**
 * Each page begins with the end of the one before. Places that are deleted meanwhile move the later ones forward; as long as
 * one of these is seen again nothing was left out. Where none is, more were deleted: look further back.
 */
const OVERLAP = 50;
const FURTHER = 10;
/** A batch of deletions, and as many places as may be in memory at once. */
const MAX_OVERLAP = 5_000;

/** A page of large places, from a disk that is busy. */
const PAGE_DEADLINE_MS = 30_000;

type StoredPlace = Pick<IndexedPlace, "id" | "summary" | "detail">;

/** Not the manifest, and no redirect. */
const isPlace = (document: StoredPlace): boolean => document.id !== MANIFEST_ID && !isRedirect(document);

/**
 * All places of an index in pages, in the engine's own order. Places that are changed while they are read come as they were
 * or as they are.
 * @throws {IndexChangedError} when it was swapped meanwhile, or changed too fast to be followed.
 */
export async function* readPlaces(
  connection: EngineConnection,
  uid: string,
  pageSize: number = PAGE,
): AsyncGenerator<PlaceDocument[]> {
  const builtAt = (await readManifest(connection, uid, PAGE_DEADLINE_MS))?.built_at;
  let seen: ReadonlySet<string> = new Set();
  for (let position = 0; ;) {
    const { offset, page, first } = await readOn(connection, uid, { position, seen, pageSize });
    await checkNotSwapped(connection, uid, builtAt);
    const fresh = page.slice(first);
    if (fresh.length === 0) return;
    position = offset + page.length;
    seen = new Set(page.slice(-OVERLAP).map(({ id }) => id));
    yield fresh.filter(isPlace).map(toPlaceDocument);
  }
}

interface Reading {
  readonly position: number;
  /** The ids before the position. */
  readonly seen: ReadonlySet<string>;
  readonly pageSize: number;
}

/** The next page, and where in it the places begin that were not seen yet. */
async function readOn(connection: EngineConnection, uid: string, { position, seen, pageSize }: Reading) {
  for (let overlap = OVERLAP; overlap <= MAX_OVERLAP; overlap *= FURTHER) {
    const offset = Math.max(0, position - overlap);
    const page = await readPage(connection, uid, { offset, limit: pageSize + position - offset });
    const last = page.findLastIndex(({ id }) => seen.has(id));
    if (last !== -1 || seen.size === 0) return { offset, page, first: last + 1 };
  }
  throw new IndexChangedError(
    "The index changed too fast to be read as a whole: try again when it is quiet.",
  );
}

async function checkNotSwapped(
  connection: EngineConnection,
  uid: string,
  builtAt: string | undefined,
): Promise<void> {
  if ((await readManifest(connection, uid, PAGE_DEADLINE_MS))?.built_at === builtAt) return;
  throw new IndexChangedError("Another index took the place of this one while it was read: begin again.");
}

interface Page {
  readonly offset: number;
  readonly limit: number;
}

async function readPage({ client }: EngineConnection, uid: string, page: Page): Promise<StoredPlace[]> {
  const { results } = await client.httpRequest.post<{ results: StoredPlace[] }>({
    path: `indexes/${uid}/documents/fetch`,
    body: { ...page, fields: ["id", "summary", "detail", "redirect_to"] },
    extraRequestInit: { signal: AbortSignal.timeout(PAGE_DEADLINE_MS) },
  });
  return results;
}

/** Neighbours in the index are often of one town or one file: a sample takes few from any spot. */
const PER_SPOT = 2;

/** So many questions at once leave the engine room for searches. */
const SPOTS_AT_ONCE = 4;

/** About `size` places from evenly spread spots of an index; all when it holds no more. */
export async function samplePlaces(
  connection: EngineConnection,
  uid: string,
  size: number,
): Promise<PlaceDocument[]> {
  const stats = await connection.client.httpRequest.get<{ numberOfDocuments: number }>({
    path: `indexes/${uid}/stats`,
    extraRequestInit: { signal: AbortSignal.timeout(PAGE_DEADLINE_MS) },
  });
  const pages = spreadPages(stats.numberOfDocuments, size);
  const found: StoredPlace[] = [];
  for (let next = 0; next < pages.length; next += SPOTS_AT_ONCE) {
    const asked = pages.slice(next, next + SPOTS_AT_ONCE);
    found.push(...(await Promise.all(asked.map((page) => readPage(connection, uid, page)))).flat());
  }
  return found.filter(isPlace).map(toPlaceDocument);
}

/** The manifest is among the documents: one more is read than is asked for. */
export function spreadPages(documents: number, size: number): Page[] {
  if (documents <= size + 1) return documents === 0 ? [] : [{ offset: 0, limit: documents }];
  const lastOffset = documents - PER_SPOT;
  return spreadNumbers(documents, Math.ceil(size / PER_SPOT)).map((number) => ({
    offset: Math.min(number, lastOffset),
    limit: PER_SPOT,
  }));
}

/** Its multiples, without their whole parts, are spread evenly and never in step with anything. */
const GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2;

/** Numbers from 0 to below `total`, one somewhere in each of `count` spans of one length: data may repeat in any rhythm. */
export function spreadNumbers(total: number, count: number): number[] {
  return Array.from({ length: count }, (_, span) =>
    Math.floor(((span + ((span * GOLDEN_RATIO) % 1)) * total) / count),
  );
}
