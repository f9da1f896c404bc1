import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRuntimeFile } from "../../../src/local-engines/data-dir.ts";
import { endOrphans } from "../../../src/local-engines/own-engines.ts";
import { findDifferentReplicas } from "../../support/compare-replicas.ts";
import { keepAsking } from "../../support/keep-asking.ts";
import { runIndex } from "../import/run-index.ts";
import { API_KEY, startServerProcess, type ServerProcess } from "../process/server-process.ts";
import { makeEngineFolder } from "../../support/engine-folder.ts";

/*
 * A server of two processes with three engines of its own, two of which have each place, as `script/server --engines 3` starts it. One
 * engine is killed again and again while places change and callers search.
 */

const dataDir = makeEngineFolder("three-engines");
const env = { DATA_DIR: dataDir };

const settings = {
  ...env,
  MEILISEARCH_URL: "",
  MEILISEARCH_KEY: "",
  REDIS_URL: "",
  ENGINES: "3",
  WORKERS: "2",
  DEMO_PLACES: "300",
};

let server: ServerProcess;

beforeAll(async () => {
  server = await startServerProcess(settings);
  while (!server.output().includes("Stop: Ctrl-C")) await sleep(50);
});

afterAll(async () => {
  server.kill("SIGTERM");
  await server.ended();
  await endOrphans(dataDir, () => {});
  rmSync(dataDir, { recursive: true });
});

const ask = async <T>(path: string): Promise<T> =>
  (await (await fetch(server.url + path, { headers: { "x-api-key": API_KEY } })).json()) as T;

const titlesOf = async (query: string): Promise<string[]> => {
  const path = `/api/maps/search?q=${encodeURIComponent(query)}&lat=10.77&lng=106.7`;
  return (await ask<{ local_result: { title: string }[] }>(path)).local_result.map(({ title }) => title);
};

/** The process of an engine, also while it starts. */
const findEngine = (name: string): number | undefined =>
  readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .find((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(`${join(dataDir, name)}/`);
      } catch {
        return false;
      }
    });

/** Kills an engine whenever it runs, until the work is done. */
async function keepDead<T>(name: string, work: Promise<T>): Promise<T> {
  let isDone = false;
  void work.finally(() => (isDone = true)).catch(() => undefined);
  while (!isDone) {
    const pid = findEngine(name);
    if (pid !== undefined) process.kill(pid, "SIGKILL");
    await sleep(20);
  }
  return work;
}

const location = (number: number) => ({ latitude: 10.7 + number / 500, longitude: 106.6 + number / 400 });

const placeLine = (number: number, title: string): string =>
  `${JSON.stringify({ data_id: `0x3175000000000000:0x${(number + 1).toString(16)}`, title, location: location(number) })}\n`;

const linesOf = (count: number, title: string): string =>
  Array.from({ length: count }, (_, number) => placeLine(number, `${title} ${number}`)).join("");

const apply = async (lines: string): Promise<void> => {
  const { exitCode, stderr } = await runIndex(["apply", "-"], env, lines);
  expect(stderr).toContain("applied");
  expect(exitCode).toBe(0);
};

/** Waits until the server has made all replicas equal. */
async function expectEqualReplicas(): Promise<void> {
  const engines = readRuntimeFile(dataDir)?.topology?.engines ?? [];
  expect(engines).toHaveLength(3);
  const compare = () => findDifferentReplicas(engines).catch((error: unknown) => [String(error)]);
  await expect.poll(compare, { timeout: 60_000, interval: 250 }).toEqual([]);
}

test("an engine that is killed under load costs no request but those in flight, and catches up by itself", async () => {
  await apply(linesOf(40, "Zum Alten Krug"));
  const paths = ["pho", "cafe", "nha+thuoc", "khach+san"].map(
    (query, index) => `/api/maps/search?q=${query}&lat=${10.72 + index / 40}&lng=106.68`,
  );
  const asking = keepAsking(server.url, paths, { connections: 1, key: API_KEY });
  const changes = apply(
    linesOf(30, "Zum Neuen Krug") +
      [38, 39]
        .map((number) => `{"op":"delete","data_id":"0x3175000000000000:0x${(number + 1).toString(16)}"}\n`)
        .join(""),
  );
  await keepDead("engine-2", changes);
  // Servers learn within a second which partitions have new names, and return a result again for five.
  await expect.poll(() => titlesOf("Zum Neuen Krug 7"), { timeout: 15_000 }).toContain("Zum Neuen Krug 7");
  await expectEqualReplicas();
  const { lost } = await asking.end();
  expect(asking.answered()).toBeGreaterThan(50);
  expect(lost.length).toBeLessThanOrEqual(3);
  expect(server.output()).toMatch(/Brought up to date: partition \d on engine-2/);
});

test("an engine that lost its data is filled again, and then alone has what its twins had", async () => {
  const before = await titlesOf("Zum Alten Krug 37");
  const pid = findEngine("engine-3");
  if (pid === undefined) throw new Error("engine-3 does not run");
  process.kill(pid, "SIGKILL");
  // At once: the server starts it again a quarter of a second after its end, and must not find the data that are being removed.
  rmSync(join(dataDir, "engine-3", "meilisearch"), { recursive: true, maxRetries: 5 });
  await expectEqualReplicas();
  await keepDead("engine-1", expect.poll(() => titlesOf("Zum Alten Krug 37")).toEqual(before));
});
