import { afterAll, beforeAll, expect, test } from "vitest";
import { readAddedNames } from "../../../indexer/index/added-names.ts";
import { connectGeneration } from "../../../indexer/index/connect-generation.ts";
import { toIndexedPlace } from "../../../src/meilisearch/index-form.ts";
import { connectEngines } from "../../../src/partitions/cluster-engines.ts";
import { watchCluster } from "../../../src/partitions/cluster-watch.ts";
import { hashesOfPlace } from "../../../src/partitions/name-filter.ts";
import { partitionUid, type Generation } from "../../../src/partitions/partition-map.ts";
import type { Topology } from "../../../src/partitions/topology.ts";
import { toWritesDocument } from "../../../src/partitions/writes.ts";
import { buildPlace } from "../../support/build-place.ts";
import { buildGeneration, putDocuments, putMap } from "../../support/divided-index.ts";
import { startMeilisearchServer, type MeilisearchServer } from "../../support/meilisearch-server.ts";

let server: MeilisearchServer;
let topology: Topology;
let generation: Generation;
beforeAll(async () => {
  server = await startMeilisearchServer();
  const engines = [{ name: "one", ...server.address }];
  topology = { engines, partitions: 2, replicas: 1, prefix: "places" };
  const imported = Array.from({ length: 30 }, (_, number) => buildPlace({ title: `Quán ăn ${number}` }));
  generation = await buildGeneration(topology, imported, "a");
  await putMap(topology, { sequence: 1, live: generation });
});
afterAll(() => server[Symbol.asyncDispose]());

test("names that changes added are folded into the filter once there are many, and servers notice", async () => {
  const uid = partitionUid("places", "a", 0);
  const connected = connectGeneration(topology, generation);
  const replica = connected.partitions[0]![0]!;
  const write = (count: number, documents: readonly string[], places: readonly object[] = []) =>
    putDocuments(topology.engines[0]!, uid, [
      toWritesDocument({ count }),
      ...documents.map((document) => JSON.parse(document) as object),
      ...places,
    ]);
  const engines = connectEngines(topology, (ask) => ask);
  const watch = watchCluster({ engines, prefix: "places", events: {} });
  /** Once the server has read the names after its last check. */
  const mayHold = async (hashes: readonly number[]): Promise<boolean[]> => {
    await watch.check();
    const partition = watch.latest()!.partitions[0]!;
    await expect.poll(() => partition.names).toBeDefined();
    return hashes.map((hash) => partition.names!.mayHold(hash));
  };
  const place = toIndexedPlace(buildPlace({ title: "Zwölfter Pflaumenhof" }));
  const later = toIndexedPlace(buildPlace({ title: "Dreizehnter Birnenhof" }));
  const hashes = hashesOfPlace(place);
  expect(await mayHold(hashes)).toContain(false);

  const first = (await readAddedNames({ ...replica, writes: 0 })).add([place]);
  expect(first.join()).not.toContain("bits");
  await write(1, first, [place]);
  expect(await mayHold(hashes)).not.toContain(false);

  const rebuilt = (await readAddedNames({ ...replica, writes: 1 }, 0)).add([later]);
  const [names, added] = rebuilt.map((text) => JSON.parse(text) as Record<string, object>);
  expect(names).toHaveProperty("_names.bits");
  const own = hashesOfPlace(later).filter((hash) => !hashes.includes(hash));
  expect(own).toEqual(expect.arrayContaining(added!["_names_added"] as unknown as number[]));
  await write(2, rebuilt, [later]);
  expect(await mayHold([...hashes, ...hashesOfPlace(later)])).not.toContain(false);

  const nothingNew = (await readAddedNames({ ...replica, writes: 2 })).add([place, later]);
  expect(nothingNew).toEqual([]);
  watch.close();
  await Promise.all([connected.close(), ...engines.map(({ connection }) => connection.close())]);
});
