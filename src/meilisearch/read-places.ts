import * as v from "valibot";
import type { PlaceDocument } from "../place/place-document.ts";
import type { EngineConnection } from "./connection.ts";
import type { IndexedPlace } from "./index-form.ts";
import { CONTENT_FIELDS, toPlaceDocument } from "./packed-place.ts";
import { isPlaceId, isRedirect, readStats } from "./manifest.ts";

/** Allows for a page of large places from a busy disk. */
export const PAGE_DEADLINE_MS = 30_000;

type StoredPlace = Pick<IndexedPlace, (typeof CONTENT_FIELDS)[number]>;

/** Whether a document is a place, not the manifest or a redirect. */
export const isPlace = (document: StoredPlace): boolean => isPlaceId(document.id) && !isRedirect(document);

/** Places, redirects and what describes the index: only the id is sure. Whoever reads a place checks it. */
const pageSchema = v.object({
  results: v.array(v.custom<StoredPlace>((value) => v.is(v.object({ id: v.string() }), value))),
});

interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** Reads documents in the engine's own order. */
export async function readPage(
  { ask }: Pick<EngineConnection, "ask">,
  uid: string,
  page: Page,
): Promise<StoredPlace[]> {
  const { results } = await ask({
    operation: "page",
    path: `/indexes/${uid}/documents/fetch`,
    body: { ...page, fields: [...CONTENT_FIELDS, "redirect_to"] },
    signal: AbortSignal.timeout(PAGE_DEADLINE_MS),
    outline: pageSchema,
  });
  return results;
}

/** Neighbours in an index often come from one town or one file, so a sample takes few from each spot. */
const PER_SPOT = 2;

/** This many requests at once leave the engine room for searches. */
const SPOTS_AT_ONCE = 4;

/** Samples about `size` places from evenly spread spots of an index; all when there are no more. */
export async function samplePlaces(
  connection: EngineConnection,
  uid: string,
  size: number,
): Promise<PlaceDocument[]> {
  const stats = await readStats(connection, uid, PAGE_DEADLINE_MS);
  const pages = spreadPages(stats.numberOfDocuments, size);
  const found: StoredPlace[] = [];
  for (let next = 0; next < pages.length; next += SPOTS_AT_ONCE) {
    const asked = pages.slice(next, next + SPOTS_AT_ONCE);
    found.push(...(await Promise.all(asked.map((page) => readPage(connection, uid, page)))).flat());
  }
  return found.filter(isPlace).map(toPlaceDocument);
}

/** Each page reads one document more than needed, since the manifest may be among them. */
export function spreadPages(documents: number, size: number): Page[] {
  if (documents <= size + 1) return documents === 0 ? [] : [{ offset: 0, limit: documents }];
  const lastOffset = documents - PER_SPOT;
  return spreadNumbers(documents, Math.ceil(size / PER_SPOT)).map((number) => ({
    offset: Math.min(number, lastOffset),
    limit: PER_SPOT,
  }));
}

/** The fractional parts of its multiples are spread evenly and do not follow the rhythm of any data. */
const GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2;

/**
 * Picks `count` numbers below `total`, one in each of `count` equal spans. The position varies, since data
 * may repeat in any rhythm.
 */
export function spreadNumbers(total: number, count: number): number[] {
  return Array.from({ length: count }, (_, span) =>
    Math.floor(((span + ((span * GOLDEN_RATIO) % 1)) * total) / count),
  );
}
