import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { readMap, removeAllIndexes } from "../../indexer/index/store-map.ts";
import type { PlaceIndex } from "../../src/meilisearch/place-index.ts";
import { openPlaceIndex } from "../../src/partitions/open-place-index.ts";
import { partitionUid } from "../../src/partitions/partition-map.ts";
import { oneEngine, type Topology } from "../../src/partitions/topology.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { importInto } from "./divided-index.ts";

export interface TestIndex extends AsyncDisposable {
  readonly index: PlaceIndex;
  readonly topology: Topology;
  readonly prefix: string;
}

export const createTestPrefix = (): string => `test_${randomBytes(6).toString("hex")}`;

/** An index in the test run's engine. */
export const testTopology = (prefix: string): Topology =>
  oneEngine({ url: inject("meilisearchUrl"), key: inject("meilisearchKey") }, prefix);

/** Puts the places into a separate index in the test run's engine. `await using` removes it. */
export async function createTestIndex(places: readonly PlaceDocument[]): Promise<TestIndex> {
  const prefix = createTestPrefix();
  const topology = testTopology(prefix);
  await importInto(topology, places);
  const index = openPlaceIndex(topology);
  return {
    index,
    topology,
    prefix,
    async [Symbol.asyncDispose]() {
      await index.close();
      await removeTestIndex(prefix);
    },
  };
}

/** The name that an index of one partition has in the engine. @throws when there is none. */
export async function uidOf(topology: Topology, role: "live" | "previous" = "live"): Promise<string> {
  const generation = (await readMap(topology))?.[role]?.generation;
  if (generation === undefined) throw new Error(`there is no ${role} index`);
  return partitionUid(topology.prefix, generation, 0);
}

/** Removes all indexes that a test may have created under its prefix. */
export async function removeTestIndex(prefix: string): Promise<void> {
  // Only indexes that tests created may be deleted, wherever the engine's address came from.
  if (!/^test_[0-9a-f]{12}$/.test(prefix)) throw new Error(`${prefix} is not an index of a test`);
  await removeAllIndexes(testTopology(prefix));
}
