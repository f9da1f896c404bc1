import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { acquireEngines, type Engines } from "../../../src/local-engines/acquire-engines.ts";
import { findMeilisearch } from "../../../src/local-engines/meilisearch-process.ts";
import { openIndexAdmin } from "../../../indexer/index/index-admin.ts";
import type { EngineAddress } from "../../../src/meilisearch/connection.ts";
import { toRedirectDocument } from "../../../src/meilisearch/manifest.ts";
import { openPlaceIndex } from "../../../src/partitions/open-place-index.ts";
import type { Topology } from "../../../src/partitions/topology.ts";
import { uidOf } from "../../support/test-index.ts";
import { withSearchKeys } from "../../../src/partitions/search-keys.ts";
import { findDeadPort } from "../../support/dead-servers.ts";
import { startTestApp } from "../../support/test-app.ts";
import { runIndex } from "../import/run-index.ts";
import { makeEngineFolder } from "../../support/engine-folder.ts";

// What docs/production.md tells an operator to do, done with the same programs; the containers around them are left out.

const folder = makeEngineFolder("backup");
const backup = join(folder, "backup");
const EXPORT = join(backup, "places.jsonl.zst");
/** Named after the folder of the database; in the container that is data.ms. */
const SNAPSHOT = "meilisearch.snapshot";
const OLD_ID = "0x1f:0xdead";
const NOW = Temporal.Instant.from("2026-11-20T05:00:00Z");

const PLACES = 200;

const start = (dataDir: string): Promise<Engines> =>
  acquireEngines({ dataDir, role: "server", needs: { redis: true }, onEvent: () => {} });

/** Engines on a data directory, until the test is over. */
async function startForTest(dataDir: string): Promise<Engines> {
  const engines = await start(dataDir);
  onTestFinished(() => engines.stop());
  return engines;
}

const SEARCHES = ["q=highlands", "q=ca+phe&type=full", "q=atm&limit=50", "q=benh+vien&include=distance"];

/** What callers see: the answers of an API on these engines at a fixed time. */
async function readAnswers(engines: Engines): Promise<unknown[]> {
  const index = openPlaceIndex(await withSearchKeys(engines.index));
  const app = await startTestApp({ index, redisUrl: "none", now: () => NOW });
  const answers: unknown[] = [];
  for (const search of SEARCHES) {
    const answer = await app.read<{ local_result: { data_id: string }[] }>(`/api/maps/search?${search}`);
    answers.push(answer);
    for (const { data_id } of answer.local_result.slice(0, 5))
      answers.push(await app.read(`/api/maps/place?data_id=${encodeURIComponent(data_id)}`));
  }
  answers.push(await app.read("/api/maps/autocomplete?q=ca+ph"));
  await app[Symbol.asyncDispose]();
  await index.close();
  return answers;
}

async function runToEnd(args: readonly string[], dataDir: string, input?: Buffer): Promise<void> {
  const { exitCode, stderr } = await runIndex(args, { DATA_DIR: dataDir }, input);
  if (exitCode !== 0) throw new Error(stderr);
}

async function readRedis(url: string): Promise<Record<string, unknown>> {
  const redis = new Redis(url);
  const keys = await redis.keys("test:*");
  const values = await Promise.all(keys.map((key) => redis.hgetall(key)));
  await redis.quit();
  return Object.fromEntries(keys.map((key, at) => [key, values[at]]));
}

/** Keys of callers as the `keys` command keeps them, in form: hashes that never expire. */
async function fillRedis(url: string): Promise<void> {
  const redis = new Redis(url);
  for (let number = 0; number < 500; number++)
    await redis.hset(`test:key:${number}`, { name: `caller ${number}`, secret: "ab".repeat(32) });
  await redis.quit();
}

/** As the guide has it: no rewrite of the log meanwhile, then a copy of it while Redis goes on writing. */
async function copyRedis(url: string, from: string, to: string): Promise<void> {
  const redis = new Redis(url);
  await redis.config("SET", "auto-aof-rewrite-percentage", "0");
  while ((await redis.info("persistence")).includes("aof_rewrite_in_progress:1")) await sleep(50);
  const traffic = setInterval(() => void redis.incr("traffic").catch(() => undefined), 1);
  cpSync(from, to, { recursive: true });
  clearInterval(traffic);
  await redis.config("SET", "auto-aof-rewrite-percentage", "100");
  await redis.quit();
}

/** Has the engine do something, and waits until it has. */
async function runEngineTask({ url, key }: EngineAddress, path: string, body?: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const asked = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) ?? null });
  const { taskUid } = (await asked.json()) as { taskUid: number };
  let status = "enqueued";
  while (["enqueued", "processing"].includes(status)) {
    await sleep(200);
    const task = await fetch(`${url}/tasks/${taskUid}`, { headers });
    ({ status } = (await task.json()) as { status: string });
  }
  if (status !== "succeeded") throw new Error(`the task of ${path} has ${status}`);
}

async function redirectOneMore(topology: Topology): Promise<void> {
  const admin = openIndexAdmin(topology);
  const [place] = await admin.samplePlaces("live", 1);
  await admin.close();
  const redirect = toRedirectDocument({ from: OLD_ID, to: place?.data_id ?? "" });
  await runEngineTask(topology.engines[0]!, `/indexes/${await uidOf(topology)}/documents`, [redirect]);
}

let before: unknown[];
let keysBefore: Record<string, unknown>;

beforeAll(async () => {
  mkdirSync(backup);
  const dataDir = join(folder, "lost");
  const engines = await start(dataDir);
  const demo = execFileSync(process.execPath, [
    "indexer/demo/main.ts",
    "--places",
    String(PLACES),
    "--seed",
    "8",
  ]);
  await runToEnd(["import", "-", "--format", "native"], dataDir, demo);
  await redirectOneMore(engines.index);
  const redisUrl = engines.redis?.url ?? "";
  await fillRedis(redisUrl);
  before = await readAnswers(engines);
  keysBefore = await readRedis(redisUrl);

  await runToEnd(["export", "--output", EXPORT], dataDir);
  await copyRedis(redisUrl, join(dataDir, "redis"), join(backup, "redis"));
  await runEngineTask(engines.meilisearch, "/snapshots");
  cpSync(join(dataDir, "meilisearch-snapshots"), join(backup, "snapshots"), { recursive: true });
  await engines.stop();
  rmSync(dataDir, { recursive: true });
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true }));

test("the data existed before the loss", () => {
  expect(JSON.stringify(before)).toContain("Highlands");
  expect(Object.keys(keysBefore)).toHaveLength(500);
});

test("fresh engines return the same after importing the export, and all keys exist", async () => {
  const dataDir = join(folder, "restored");
  mkdirSync(dataDir);
  cpSync(join(backup, "redis"), join(dataDir, "redis"), { recursive: true });
  const engines = await startForTest(dataDir);
  await runToEnd(["import", EXPORT, "--format", "native"], dataDir);
  expect(await readAnswers(engines)).toEqual(before);
  expect(await readRedis(engines.redis?.url ?? "")).toEqual(keysBefore);
});

test("a backup of Redis that was truncated during a write still has the keys", async () => {
  const dataDir = join(folder, "cut");
  const redisDir = join(dataDir, "redis");
  mkdirSync(dataDir);
  cpSync(join(backup, "redis"), redisDir, { recursive: true });
  appendFileSync(join(redisDir, "appendonlydir", "appendonly.aof.1.incr.aof"), "*2\r\n$4\r\nIN");
  const engines = await startForTest(dataDir);
  expect(await readRedis(engines.redis?.url ?? "")).toEqual(keysBefore);
});

/** Lets the engine unpack a snapshot into an empty folder, and ends it when it listens. */
async function importSnapshot(dataDir: string): Promise<void> {
  const port = await findDeadPort();
  const child = spawn(
    findMeilisearch(dataDir),
    [
      `--import-snapshot=${join(backup, "snapshots", SNAPSHOT)}`,
      "--db-path",
      join(dataDir, "meilisearch"),
      `--http-addr=127.0.0.1:${port}`,
      "--no-analytics",
    ],
    { cwd: dataDir, stdio: "ignore", env: { MEILI_MASTER_KEY: "k".repeat(32), MEILI_ENV: "production" } },
  );
  const isListening = async (): Promise<boolean> =>
    (await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined))?.ok === true;
  await expect.poll(isListening, { timeout: 60_000 }).toBe(true);
  child.kill("SIGTERM");
  await once(child, "close");
}

test("a snapshot also restores redirects of merged places and the engine's keys", async () => {
  const dataDir = join(folder, "unpacked");
  mkdirSync(dataDir);
  await importSnapshot(dataDir);
  const engines = await startForTest(dataDir);
  const admin = openIndexAdmin(engines.index);
  const live = await admin.readIndex("live");
  await admin.close();
  expect(live).toMatchObject({ places: PLACES, redirects: 1 });
  expect(await readAnswers(engines)).toEqual(before);
});
