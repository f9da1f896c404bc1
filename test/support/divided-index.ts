import { createEmptyIndex, startIndexBuild } from "../../indexer/index/start-build.ts";
import { connectEngine, type EngineAddress } from "../../src/meilisearch/connection.ts";
import { INDEX_VERSION, toIndexedPlace } from "../../src/meilisearch/index-form.ts";
import { toManifestDocument } from "../../src/meilisearch/manifest.ts";
import { buildNames, NAME_FIELDS, toNamesDocument } from "../../src/partitions/name-filter.ts";
import {
  cellNumber,
  createPartitionFinder,
  mapUid,
  partitionUid,
  type Generation,
  type PartitionMap,
} from "../../src/partitions/partition-map.ts";
import { toMapDocument } from "../../src/partitions/stored-map.ts";
import { enginesOfPartition, type Topology } from "../../src/partitions/topology.ts";
import { toWritesDocument } from "../../src/partitions/writes.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";

/** Puts documents into an index, and waits until the engine has them. */
export async function putDocuments(
  address: EngineAddress,
  uid: string,
  documents: readonly object[],
): Promise<void> {
  const connection = connectEngine(address);
  try {
    const index = connection.client.index(uid);
    const task = await index
      .addDocuments(documents as Record<string, unknown>[], { primaryKey: "id" })
      .waitTask();
    if (task.status !== "succeeded")
      throw new Error(`The engine did not take the documents: ${JSON.stringify(task.error)}`);
  } finally {
    await connection.close();
  }
}

/** Makes an index of these places the live one, without reading files or checking anything. */
export async function importInto(topology: Topology, places: readonly PlaceDocument[]): Promise<void> {
  const build = await startIndexBuild(topology);
  await build.add(places);
  await build.completeForSearch();
  await build.swap();
}

/** Cuts the places into partitions of equal size, and puts each on its engines. The map is not written (`putMap`). */
export async function buildGeneration(
  topology: Topology,
  places: readonly PlaceDocument[],
  generation: string,
): Promise<Generation> {
  const numbers = places.map(({ location }) => cellNumber(location)).toSorted((one, other) => one - other);
  const partitions = Array.from({ length: topology.partitions }, (_, partition) => ({
    first_cell:
      partition === 0 ? 0 : (numbers[Math.floor((partition * numbers.length) / topology.partitions)] ?? 0),
    engines: enginesOfPartition(topology, partition).map(({ name }) => name),
  }));
  const { ofPoint } = createPartitionFinder(partitions);
  const placesIn = Map.groupBy(places, ({ location }) => ofPoint(location));
  await Promise.all(
    partitions.flatMap((_, partition) =>
      enginesOfPartition(topology, partition).map((engine) =>
        buildPartition(
          engine,
          partitionUid(topology.prefix, generation, partition),
          placesIn.get(partition) ?? [],
        ),
      ),
    ),
  );
  return { generation, index_version: INDEX_VERSION, built_at: new Date().toISOString(), partitions };
}

/** Fills an index with places, as a complete partition. */
export async function buildPartition(
  engine: EngineAddress,
  uid: string,
  places: readonly PlaceDocument[],
): Promise<void> {
  const connection = { ...connectEngine(engine), uid };
  await createEmptyIndex(connection);
  const manifest = toManifestDocument({ version: INDEX_VERSION, built_at: new Date().toISOString() });
  await putDocuments(engine, uid, [...places.map(toIndexedPlace), manifest]);
  const { facetDistribution = {} } = await connection.client
    .index(uid)
    .search("", { facets: [...NAME_FIELDS], limit: 0 });
  await connection.close();
  const names = toNamesDocument(buildNames(facetDistribution));
  await putDocuments(engine, uid, [names, toWritesDocument({ count: 0 })]);
}

/** Makes a generation live: writes the map to every engine that is given. */
export async function putMap(
  topology: Topology,
  map: PartitionMap,
  engines = topology.engines,
): Promise<void> {
  await Promise.all(
    engines.map((engine) => putDocuments(engine, mapUid(topology.prefix), [toMapDocument(map)])),
  );
}
