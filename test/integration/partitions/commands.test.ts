import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { startThreeEngines, type ThreeEngines } from "../../support/three-engines.ts";
import { runIndex } from "../import/run-index.ts";
import { recordOf, records } from "./import-files.ts";

/** One story of an operator, each test a step that goes on from the one before. */
let engines: ThreeEngines;
let folder = "";
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  engines = await startThreeEngines({ partitions: 3, replicas: 2 });
  folder = mkdtempSync(join(tmpdir(), "hereabouts-commands-"));
  env = { TOPOLOGY: engines.topologyFile, DATA_DIR: join(folder, "data") };
  return async () => {
    await engines[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  };
});

function write(name: string, lines: readonly object[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join("\n"));
  return path;
}

const run = (...args: string[]) => runIndex(args, env);

const PLACES = 30;

test("before the first import, status and check say that there is no index", async () => {
  expect((await run("status")).stdout).toContain("live       none: import places");
  const { exitCode, stdout } = await run("check");
  expect(exitCode).toBe(1);
  expect(stdout).toContain("there is no live index");
});

test("after an import, status shows each engine and each partition, and check is content", async () => {
  const { exitCode, stderr } = await run("import", write("all.jsonl", records(PLACES)), "--no-lease");
  expect(stderr).toContain("indexed     30 places");
  expect(exitCode).toBe(0);
  const { stdout } = await run("status");
  for (const engine of ["engine-1", "engine-2", "engine-3"])
    expect(stdout).toMatch(new RegExp(`  ${engine} \\(http.*\\): Meilisearch 1`));
  expect(stdout).toContain("live       30 places; built");
  expect(stdout).toContain("  0: 10 places; engine-1 current, engine-2 current");
  expect(stdout).toContain("  2: 10 places; engine-3 current, engine-1 current");
  const check = await run("check");
  expect(check.stdout).toContain("all replicas of 3 partitions have all changes");
  expect(check.stdout).not.toContain("problem");
  expect(check.exitCode).toBe(0);
});

test("an export has every place once, and an equal snapshot changes nothing", async () => {
  const file = join(folder, "exported.jsonl");
  expect((await run("export", "-o", file)).exitCode).toBe(0);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  expect(new Set(lines.map((line) => (JSON.parse(line) as { title: string }).title)).size).toBe(PLACES);
  const { stderr } = await run("sync", file, "--dry-run", "--no-lease");
  expect(stderr).toMatch(/unchanged\s+30/);
});

test("a sync moves a place to another partition, deletes one and adds one", async () => {
  const list = records(PLACES).slice(1);
  const snapshot = [...list, recordOf(99, { latitude: 11 }), recordOf(2, { latitude: 12 })];
  const { exitCode } = await run("sync", write("snapshot.jsonl", snapshot), "--no-lease");
  expect(exitCode).toBe(0);
  const { stdout } = await run("status", "--json");
  const { indexes, partitions } = JSON.parse(stdout) as {
    indexes: { live: { places: number } };
    partitions: { places: number; replicas: { state: string }[] }[];
  };
  expect(indexes.live.places).toBe(PLACES);
  expect(partitions.reduce((sum, { places }) => sum + places, 0)).toBe(PLACES);
  const states = partitions.flatMap(({ replicas }) => replicas.map(({ state }) => state));
  expect(new Set(states)).toEqual(new Set(["current"]));
});

test("after another import, a rollback makes the one before live", async () => {
  expect((await run("import", write("more.jsonl", records(40)), "--no-lease")).exitCode).toBe(0);
  const { exitCode, stderr } = await run("rollback");
  expect(stderr).toContain("Live now: 30 places");
  expect(exitCode).toBe(0);
});

test("what the live index was synced from is unchanged, unless the engines share it in another way", async () => {
  const args = ["import", join(folder, "snapshot.jsonl"), "--if-changed", "--no-lease"];
  const { exitCode, stderr } = await run(...args);
  expect(stderr).toMatch(/^Nothing to import: unchanged since /);
  expect(exitCode).toBe(0);
  const topology = JSON.parse(readFileSync(engines.topologyFile, "utf8")) as object;
  const wider = write("wider.json", [{ ...topology, replicas: 3 }]);
  const asked = await runIndex(args, { ...env, TOPOLOGY: wider });
  expect(asked.stderr).toContain("Importing: the topology changed.");
  expect(asked.exitCode).toBe(0);
  expect((await runIndex(["rollback"], env)).exitCode).toBe(0);
});

test("without an engine, status and check say which, and without all of a partition that it is a problem", async () => {
  await engines.servers[0]!.kill();
  const status = await run("status");
  expect(status.stdout).toContain(`engine-1 (${engines.topology.engines[0]!.url}): not known`);
  expect(status.stdout).toContain("engine-1 away, engine-2 current");
  const check = await run("check");
  expect(check.stdout).toContain("warning engine     engine-1");
  expect(check.stdout).toContain("partition 0 on engine-1 is away; partition 2 on engine-1 is away");
  await engines.servers[1]!.kill();
  const lost = await run("check");
  expect(lost.exitCode).toBe(1);
  expect(lost.stdout).toContain("no engine has partition 0 with all changes");
});
