import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { readMap, readSettledMap } from "../../../indexer/index/store-map.ts";
import { startThreeEngines, type ThreeEngines } from "../../support/three-engines.ts";
import { startIndexProcess } from "../import/run-index.ts";
import { startCountingProxy, type CountingProxy } from "./counting-proxy.ts";
import { readEverything, recordOf } from "./import-files.ts";

/** An import is killed at one of its writing requests; all of them go through these. */
let engines: ThreeEngines;
let proxies: readonly CountingProxy[];
let folder = "";
let mayWrite: (path: string) => boolean = () => true;

beforeAll(async () => {
  engines = await startThreeEngines({ partitions: 2, replicas: 2 });
  proxies = await Promise.all(
    engines.topology.engines.map(({ url }) => startCountingProxy(url, (path) => mayWrite(path))),
  );
  folder = mkdtempSync(join(tmpdir(), "hereabouts-killed-"));
  const { partitions, replicas } = engines.topology;
  const proxied = engines.topology.engines.map((engine, index) => ({ ...engine, url: proxies[index]!.url }));
  const described = proxied.map(({ name, url, key }) => ({ name, url, key }));
  writeFileSync(join(folder, "topology.json"), JSON.stringify({ engines: described, partitions, replicas }));
  return async () => {
    await Promise.all(proxies.map((proxy) => proxy[Symbol.asyncDispose]()));
    await engines[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  };
});

const PLACES = 12;

/** A request of an import, and the how-many-eth of its kind it is. */
interface KillPoint {
  readonly path: RegExp;
  readonly occurrence: number;
}

/** Each engine gets the generation that is begun, and at last the map. */
const MAP_WRITE = /^POST \/indexes\/places_map\/documents\?/;

const KILL_POINTS: readonly KillPoint[] = [
  // The settings make the index of each replica.
  { path: /^PATCH \/indexes\/places_[0-9a-z]+_\d\/settings$/, occurrence: 3 },
  { path: MAP_WRITE, occurrence: 4 },
  { path: MAP_WRITE, occurrence: 5 },
  { path: /^DELETE \/indexes\/places_[0-9a-z]+_\d$/, occurrence: 2 },
];

/** Imports places whose titles name the version. Kills the process before an engine gets that request. */
async function importVersion(version: number, killPoint?: KillPoint): Promise<void> {
  const file = join(folder, "places.jsonl");
  const lines = Array.from({ length: PLACES }, (_, id) => recordOf(id + 1, { title: `Version ${version}` }));
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  const env = { TOPOLOGY: join(folder, "topology.json"), DATA_DIR: join(folder, "data") };
  const index = startIndexProcess(["import", file, "--no-lease", "--force", "--workers", "1"], env);
  let met = 0;
  mayWrite = (path) => {
    if (killPoint?.path.test(path)) met += 1;
    if (killPoint === undefined || met < killPoint.occurrence) return true;
    index.child.kill("SIGKILL");
    return false;
  };
  const { exitCode, stderr } = await index.ended;
  if (exitCode !== (killPoint ? null : 0)) throw new Error(`it ended with ${exitCode}: ${stderr}`);
  mayWrite = () => true;
}

async function liveVersions(): Promise<string[]> {
  await readSettledMap(engines.topology);
  const places = await readEverything(engines.topology);
  expect(places).toHaveLength(PLACES);
  return [...new Set(places.map(({ title }) => title))];
}

async function listIndexes(): Promise<string[]> {
  const lists = engines.topology.engines.map(async ({ url, key }) => {
    const response = await fetch(`${url}/indexes?limit=100`, { headers: { authorization: `Bearer ${key}` } });
    const { results } = (await response.json()) as { results: { uid: string }[] };
    return results.map(({ uid }) => uid);
  });
  return [...new Set((await Promise.all(lists)).flat())].toSorted();
}

test("an import that is killed leaves the index as it was or as it was to be, and the next one removes what is left", async () => {
  await importVersion(1);
  await importVersion(2);
  let live = "Version 2";
  let version = 2;
  for (const killPoint of KILL_POINTS) {
    version += 1;
    await importVersion(version, killPoint);
    const [found = "", ...others] = await liveVersions();
    expect(others).toEqual([]);
    expect([live, `Version ${version}`]).toContain(found);
    live = found;
  }
  await importVersion((version += 1));
  expect(await liveVersions()).toEqual([`Version ${version}`]);
  const map = await readMap(engines.topology);
  const kept = [map?.live, map?.previous].flatMap((generation) =>
    [0, 1].map((partition) => `places_${generation?.generation}_${partition}`),
  );
  expect(await listIndexes()).toEqual(["places_map", ...kept].toSorted());
});
