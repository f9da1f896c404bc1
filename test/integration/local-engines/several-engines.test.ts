import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LocalEnginesError } from "../../../src/local-engines/engine-process.ts";
import { isMeilisearchHealthy } from "../../../src/local-engines/meilisearch-process.ts";
import type { EngineAddress } from "../../../src/meilisearch/connection.ts";
import { DEFAULT_INDEX_PREFIX, oneEngine } from "../../../src/partitions/topology.ts";
import { buildPlace } from "../../support/build-place.ts";
import { listIndexFiles } from "../../support/meilisearch-server.ts";
import { importInto } from "../../support/divided-index.ts";
import { acquire, isRunning, nameDataDir, readRuntime } from "./data-dirs.ts";
import { startOwner } from "./owners.ts";

const THREE = { division: { engines: 3 } };

const isHealthy = ({ url, key }: EngineAddress): Promise<boolean> => isMeilisearchHealthy(url, key ?? "");

const pidsOf = (dataDir: string): number[] =>
  (readRuntime(dataDir).topology?.engines ?? []).flatMap(({ pid }) => pid ?? []);

const putPlace = (engine: EngineAddress): Promise<void> =>
  importInto(oneEngine(engine), [buildPlace({ title: "Phở Thìn" })]);

test("three engines run on one data directory, and an indexer gets the same ones", async () => {
  const dataDir = nameDataDir();
  const { index, isLocal } = await acquire(dataDir, THREE);
  expect(isLocal).toBe(true);
  expect(index).toMatchObject({ partitions: 3, replicas: 2, prefix: DEFAULT_INDEX_PREFIX });
  const engines = index.engines;
  expect(new Set(engines.map(({ url }) => url)).size).toBe(3);
  expect(new Set(engines.map(({ key }) => key)).size).toBe(3);
  expect(await Promise.all(engines.map(isHealthy))).toEqual([true, true, true]);
  const borrowed = await acquire(dataDir, { role: "indexer" });
  expect(borrowed).toMatchObject({ index, isOwner: false });
});

test("the folder remembers its engines, their names and its data; the addresses are new", async () => {
  const dataDir = nameDataDir();
  const first = await acquire(dataDir, { division: { engines: 3, partitions: 2, replicas: 1 } });
  await putPlace(first.index.engines[1]!);
  await first.stop();
  const second = await acquire(dataDir);
  expect(second.index).toMatchObject({ partitions: 2, replicas: 1 });
  expect(second.isNew).toBe(false);
  const named = second.index.engines;
  expect(named.map(({ name }) => name)).toEqual(["engine-1", "engine-2", "engine-3"]);
  const headers = { authorization: `Bearer ${named[1]!.key}` };
  expect((await fetch(`${named[1]!.url}/indexes/places_map`, { headers })).status).toBe(200);
});

test("another number of partitions and replicas may be set at any time", async () => {
  const dataDir = nameDataDir();
  const first = await acquire(dataDir, { division: { engines: 3, partitions: 1 } });
  await putPlace(first.index.engines[0]!);
  await first.stop();
  const second = await acquire(dataDir, { division: { partitions: 12, replicas: 3 } });
  expect(second.index).toMatchObject({ partitions: 12, replicas: 3 });
});

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true }).map(String).toSorted();

test.each([
  { held: 1, wanted: 3, message: "holds an index on one engine, and ENGINES is 3" },
  { held: 3, wanted: 1, message: "holds an index on 3 engines, and ENGINES is 1" },
  { held: 3, wanted: 4, message: "holds an index on 3 engines, and ENGINES is 4" },
])(
  "a folder of $held is not opened with $wanted, and nothing in it changes",
  async ({ held, wanted, message }) => {
    const dataDir = nameDataDir();
    for (const folder of held === 1
      ? [dataDir]
      : [1, 2, 3].map((number) => join(dataDir, `engine-${number}`)))
      mkdirSync(join(folder, "meilisearch", "indexes", "some"), { recursive: true });
    if (held === 3)
      writeFileSync(join(dataDir, "engines.json"), '{"engines":3,"partitions":6,"replicas":2}\n');
    const before = listFiles(dataDir);
    const opened = acquire(dataDir, { division: { engines: wanted } });
    await expect(opened).rejects.toThrow(LocalEnginesError);
    await expect(opened).rejects.toThrow(message);
    await expect(opened).rejects.toThrow("import your places again");
    expect(listFiles(dataDir).filter((file) => !file.startsWith("lock.sqlite"))).toEqual(before);
  },
);

test("more replicas than engines, and a broken engines.json, are refused with what to fix", async () => {
  const dataDir = nameDataDir();
  await expect(acquire(dataDir, { division: { engines: 3, replicas: 4 } })).rejects.toThrow(
    "Set REPLICAS to 3 or less",
  );
  writeFileSync(join(dataDir, "engines.json"), "{");
  await expect(acquire(dataDir)).rejects.toThrow("engines.json is broken");
});

test("a killed engine restarts alone, where its name and address stay", async () => {
  const dataDir = nameDataDir();
  const { index, events } = await acquire(dataDir, THREE);
  const [one, killed, three] = pidsOf(dataDir);
  process.kill(killed!, "SIGKILL");
  await expect
    .poll(() => events, { timeout: 10_000 })
    .toContainEqual(expect.objectContaining({ name: "engine_restarted", engine: "engine-2" }));
  expect(await isHealthy(index.engines[1]!)).toBe(true);
  const after = pidsOf(dataDir);
  expect([after[0], after[2]]).toEqual([one, three]);
  expect(after[1]).not.toBe(killed);
});

test("the next start ends the engines of a killed owner", async () => {
  const dataDir = nameDataDir();
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(join(dataDir, "engines.json"), '{"engines":3,"partitions":6,"replicas":2}\n');
  const owner = await startOwner(dataDir);
  const orphans = pidsOf(dataDir);
  await owner.kill();
  expect(orphans.map(isRunning)).toEqual([true, true, true]);
  await acquire(dataDir);
  expect(orphans.map(isRunning)).toEqual([false, false, false]);
});

test("truncated data of one engine is not opened, and with a replica elsewhere it may be deleted", async () => {
  const dataDir = nameDataDir();
  const { index, events, isDataDamaged, stop } = await acquire(dataDir, THREE);
  await putPlace(index.engines[2]!);
  const folder = join(dataDir, "engine-3");
  const [file = ""] = listIndexFiles(folder);
  truncateSync(file, 0);
  process.kill(pidsOf(dataDir)[2]!, "SIGKILL");
  const advice = `delete ${join(folder, "meilisearch")}, and it is filled again`;
  await expect
    .poll(() => events, { timeout: 10_000 })
    .toContainEqual({
      name: "engine_restart_failed",
      engine: "engine-3",
      isDataDamaged: true,
      reason: expect.stringContaining(advice) as string,
    });
  expect(isDataDamaged?.()).toBe(false);
  rmSync(join(folder, "meilisearch"), { recursive: true });
  await expect.poll(() => events.map(({ name }) => name), { timeout: 20_000 }).toContain("engine_restarted");
  await stop();
  expect(existsSync(join(dataDir, "runtime.json"))).toBe(false);
  expect(readFileSync(join(dataDir, "engines.json"), "utf8")).toContain('"engines":3');
});
