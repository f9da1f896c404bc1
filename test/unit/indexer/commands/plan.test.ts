import { writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runIndexer } from "../../../../indexer/main.ts";
import { runInProcess } from "../../../support/run-in-process.ts";

const folder = mkdtempSync(join(tmpdir(), "hereabouts-plan-"));
afterAll(() => rmSync(folder, { recursive: true }));

const CITIES = [
  { latitude: 21.03, longitude: 105.85 },
  { latitude: 10.77, longitude: 106.7 },
];

const file = join(folder, "places.jsonl");
const lines = Array.from({ length: 400 }, (_, id) => {
  const { latitude, longitude } = CITIES[id % 2]!;
  const location = { latitude: latitude + (id % 20) / 500, longitude: longitude + id / 20_000 };
  return JSON.stringify({ title: `Quán ${id}`, source: "test", source_id: String(id), location });
});
writeFileSync(file, lines.join("\n"));

const plan = (args: readonly string[], env = {}, input = "") =>
  runInProcess(runIndexer, ["plan", ...args], { DATA_DIR: join(folder, "data"), ...env }, input);

test("a plan needs engines, enough of them, and places", async () => {
  expect((await plan([file])).stderr).toContain("--engines, or TOPOLOGY");
  const tooMany = await plan([file, "--engines", "2", "--replicas", "3"]);
  expect(tooMany.stderr).toContain("3 replicas need 3 engines");
  expect(tooMany.exitCode).toBe(1);
  const empty = join(folder, "empty.jsonl");
  writeFileSync(empty, '{"title":"Nowhere","source":"test","source_id":"1","location":{}}');
  expect((await plan([empty, "--engines", "2", "--format", "native"])).exitCode).toBe(1);
});

test("each partition has its share of the places, in regions that a person knows", async () => {
  const { stdout, exitCode } = await plan([file, "--engines", "2", "--replicas", "2"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("About 400 places in 2 partitions, each on 2 engines.");
  expect(stdout).toMatch(/^0 +2\d\d +engine-1, engine-2 +Hà Nội \d+ %/m);
  expect(stdout).toMatch(/^1 +(?:1\d\d|2\d\d) +engine-2, engine-1 +Hồ Chí Minh 100 %; 10\.7/m);
});

test("as JSON it has the disk and memory of each engine of the topology, also for what comes from a pipe", async () => {
  const topology = join(folder, "topology.json");
  const engines = ["south", "north", "spare"].map((name, port) => ({
    name,
    url: `http://127.0.0.1:${port + 1}`,
  }));
  writeFileSync(topology, JSON.stringify({ engines, partitions: 2, replicas: 1 }));
  const { stdout } = await plan(["-", "--json"], { TOPOLOGY: topology }, lines.join("\n"));
  const planned = JSON.parse(stdout) as {
    places: number;
    engines: { engine: string; places: number; disk_bytes: number; memory_bytes: number }[];
  };
  expect(planned.places).toBe(400);
  expect(planned.engines.map(({ engine }) => engine)).toEqual(["south", "north", "spare"]);
  expect(planned.engines.reduce((sum, { places }) => sum + places, 0)).toBe(400);
  expect(planned.engines[2]).toMatchObject({ places: 0, disk_bytes: 0 });
  expect(planned.engines[0]!.disk_bytes).toBeGreaterThan(100_000);
});
