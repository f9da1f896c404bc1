import { connectEngine, type EngineAddress } from "../../src/meilisearch/connection.ts";
import { createPlaceIndex } from "../../src/meilisearch/create-place-index.ts";
import { readManifest } from "../../src/meilisearch/manifest.ts";
import type { PlaceIndex } from "../../src/meilisearch/place-index.ts";
import { cellRange } from "../../src/partitions/partition-map.ts";
import type { Topology } from "../../src/partitions/topology.ts";
import type { Borders } from "./borders.ts";
import { connectGeneration } from "./connect-generation.ts";
import { createReplicaChoice } from "./read-partitions.ts";
import { readMap } from "./store-map.ts";

/** Cell ids of the finest resolution: the second digit is the resolution in hexadecimal. */
const FINEST = "9";

/**
 * Where the places of the live index are, or of the single index that one of the engines had before. `undefined` where there is none,
 * and for the demo's, which says nothing of other places.
 */
export async function readLastBorders(topology: Topology): Promise<Borders | undefined> {
  const indexes = await openLast(topology);
  try {
    if (indexes.length === 0 || (await areDemo(indexes))) return undefined;
    return await readBordersOf(indexes);
  } finally {
    await Promise.all(indexes.map((index) => index.close()));
  }
}

/** The partitions of the live index, each read by itself. */
async function openLast(topology: Topology): Promise<PlaceIndex[]> {
  const map = await readMap(topology);
  if (map === undefined) return openSingle(topology);
  const connected = connectGeneration(topology, map.live);
  try {
    const choice = createReplicaChoice(connected);
    const replicas = await Promise.all(
      connected.partitions.keys().map((partition) => choice.firstOf(partition)),
    );
    return replicas.map(({ engine: name, connection: { liveUid } }) =>
      createPlaceIndex({ ...topology.engines.find((engine) => engine.name === name)!, prefix: liveUid }),
    );
  } finally {
    await connected.close();
  }
}

async function openSingle(topology: Topology): Promise<PlaceIndex[]> {
  const single = await findSingleIndex(topology);
  return single ? [createPlaceIndex(single)] : [];
}

/** The single index that one of the engines had before they shared one; `undefined` when none that responds has any. */
export async function findSingleIndex({ engines, prefix }: Topology): Promise<EngineAddress | undefined> {
  for (const engine of engines) {
    const connection = connectEngine({ ...engine, prefix });
    try {
      const manifest = await readManifest(connection, connection.liveUid).catch(() => undefined);
      if (manifest) return { ...engine, prefix };
    } finally {
      await connection.close();
    }
  }
  return undefined;
}

/** Demo places name their source. Enough to tell them from others. */
const SAMPLE = 50;

async function areDemo(indexes: readonly PlaceIndex[]): Promise<boolean> {
  const samples = await Promise.all(indexes.map((index) => index.readSample(SAMPLE)));
  return samples.flatMap(({ places }) => places).every(({ source }) => source === "demo");
}

async function readBordersOf(indexes: readonly PlaceIndex[]): Promise<Borders> {
  const censuses = await Promise.all(indexes.map((index) => index.readCensus()));
  const cells = censuses
    .flatMap(({ density }) => [...density.entries()])
    .filter(([cell]) => cell[1] === FINEST)
    .map(([cell, places]) => [cellRange(cell)[0], places] as const)
    .toSorted(([one], [other]) => one - other);
  return { cells, places: censuses.reduce((sum, { places }) => sum + places, 0) };
}
