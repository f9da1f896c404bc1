import { getDocuments, toStoredPlace } from "../meilisearch/read-index.ts";
import { isRedirectTo, type FoundDocument } from "../meilisearch/outlines.ts";
import { dataIdIdentity } from "../place/document/data-id.ts";
import type { StoredPlace } from "../place/document/place-document.ts";
import { partitionLost, refuseOtherVersion, type ClusterReading } from "./cluster-reader.ts";
import { indexOf, type LiveGeneration } from "./live-generation.ts";
import { readPartitions } from "./read-partitions.ts";

type Reading = Pick<ClusterReading, "generation" | "watch">;

/** A document and the partition that is likely to hold it. */
interface Wanted {
  readonly id: string;
  readonly home: number | undefined;
}

interface Found {
  readonly document: FoundDocument;
  readonly partition: number;
}

/**
 * The places with these data ids, or those they were merged into. The location half of a data id says where to ask first; a place
 * that has moved further, and an id of another kind, is then asked for everywhere.
 */
export async function getPlacesFromPartitions(
  reading: Reading,
  dataIds: readonly string[],
  signal: AbortSignal,
): Promise<(StoredPlace | undefined)[]> {
  refuseOtherVersion(reading.generation);
  const ids = dataIds.map(dataIdIdentity);
  const homes = await Promise.all(dataIds.map((dataId) => homeOf(dataId, reading.generation)));
  const wanted = ids.map((id, index) => ({ id, home: homes[index] }));
  const found = await findDocuments(reading, wanted, signal);
  const targets = [...found.values()].flatMap(({ document, partition }) =>
    isRedirectTo(document) ? [{ id: document.redirect_to, home: partition }] : [],
  );
  // One step only: the indexer never writes a redirect to a redirect.
  const merged = await findDocuments(reading, targets, signal);
  return ids.map((id) => {
    const first = found.get(id)?.document;
    return toStoredPlace(first && isRedirectTo(first) ? merged.get(first.redirect_to)?.document : first);
  });
}

/** The partition that the location half of a data id names; `undefined` when it is no cell of S2. */
async function homeOf(
  dataId: string,
  { finder, partitions }: Pick<LiveGeneration, "finder"> & { readonly partitions: readonly unknown[] },
): Promise<number | undefined> {
  if (partitions.length === 1) return 0;
  // The library that reads S2 cells is needed only where there is a choice.
  const { s2 } = await import("s2js");
  const cell = BigInt(dataId.slice(0, dataId.indexOf(":")));
  if (!s2.cellid.valid(cell)) return undefined;
  const { lat, lng } = s2.cellid.latLng(cell);
  return finder.ofPoint({ latitude: toDegrees(lat), longitude: toDegrees(lng) });
}

const toDegrees = (radians: number): number => (radians * 180) / Math.PI;

/**
 * Each document from where it is likely to be, then those that were not there from everywhere else.
 * @throws engine_unavailable when a document that was not found may be in a partition that no engine can read.
 */
async function findDocuments(
  reading: Reading,
  wanted: readonly Wanted[],
  signal: AbortSignal,
): Promise<Map<string, Found>> {
  const numbers = reading.generation.partitions.map(({ number }) => number);
  const likely = wanted.flatMap(({ id, home }) => (home === undefined ? [] : [{ id, partition: home }]));
  const first = await readDocuments(reading, likely, signal);
  const elsewhere = wanted
    .filter(({ id }) => !first.found.has(id))
    .flatMap(({ id, home }) =>
      numbers.filter((number) => number !== home).map((partition) => ({ id, partition })),
    );
  const second = await readDocuments(reading, elsewhere, signal);
  const found = new Map([...first.found, ...second.found]);
  const unread = [...first.unread, ...second.unread].find(({ id }) => !found.has(id));
  if (unread !== undefined) throw partitionLost(reading.generation, unread.partition);
  return found;
}

interface InPartition {
  readonly id: string;
  readonly partition: number;
}

/** The documents that are where they are sought, and those that could not be read. */
async function readDocuments(
  { generation, watch }: Reading,
  wanted: readonly InPartition[],
  signal: AbortSignal,
): Promise<{ readonly found: ReadonlyMap<string, Found>; readonly unread: readonly InPartition[] }> {
  const wantedIn = Map.groupBy(wanted, ({ partition }) => partition);
  const idsOf = (partition: number): string[] => (wantedIn.get(partition) ?? []).map(({ id }) => id);
  const { values, lost } = await readPartitions(generation, watch, {
    partitions: [...wantedIn.keys()],
    signal,
    read: ({ ask }, partitions, limit) =>
      Promise.all(
        partitions.map((partition) => getDocuments(indexOf(partition, ask), idsOf(partition.number), limit)),
      ),
  });
  const found = [...values].flatMap(([partition, documents]) =>
    [...documents].map(([id, document]): [string, Found] => [id, { document, partition }]),
  );
  return { found: new Map(found), unread: wanted.filter(({ partition }) => lost.includes(partition)) };
}
