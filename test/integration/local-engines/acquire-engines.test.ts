import { oneEngine } from "../../../src/partitions/topology.ts";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { isMeilisearchHealthy } from "../../../src/local-engines/meilisearch-process.ts";
import { pingRedis } from "../../../src/local-engines/redis-process.ts";
import {
  acquire,
  isRunning,
  makeTemporaryFolder,
  nameDataDir,
  readPids,
  readRuntime,
  usePath,
} from "./data-dirs.ts";

const permissions = (path: string): string => (statSync(path).mode & 0o777).toString(8);

const isRedisHealthy = (url: string): Promise<boolean> => {
  const { port, password } = new URL(url);
  return pingRedis(Number(port), password);
};

test("each engine of the test run accepts only its key", async () => {
  expect(await isMeilisearchHealthy(inject("meilisearchUrl"), inject("meilisearchKey"))).toBe(true);
  expect(await isMeilisearchHealthy(inject("meilisearchUrl"), "0".repeat(48))).toBe(false);
  expect(await isRedisHealthy(inject("redisUrl"))).toBe(true);
  expect(await isRedisHealthy(inject("redisUrl").replace(/:[0-9a-f]+@/, ":wrong@"))).toBe(false);
});

test("without URLs both engines are started, and the runtime file has their addresses, readable only by the user", async () => {
  const dataDir = nameDataDir();
  const engines = await acquire(dataDir);
  expect(engines).toMatchObject({ isLocal: true, isOwner: true });
  expect(await isMeilisearchHealthy(engines.meilisearch.url, engines.meilisearch.key ?? "")).toBe(true);
  expect(await isRedisHealthy(engines.redis?.url ?? "")).toBe(true);
  expect(readRuntime(dataDir)).toMatchObject({
    state: "running",
    owner: { pid: process.pid, role: "server" },
    meilisearch: { url: engines.meilisearch.url, key: engines.meilisearch.key },
    redis: engines.redis,
  });
  expect(permissions(dataDir)).toBe("700");
  expect(permissions(join(dataDir, "runtime.json"))).toBe("600");
  expect(engines.events.map((event) => event.name)).toEqual(["engine_started", "engine_started"]);
});

test("no key or password is on a command line or in an event", async () => {
  const dataDir = nameDataDir();
  const { meilisearch, redis, events } = await acquire(dataDir);
  const commandLines = Object.values(readPids(dataDir)).map((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8"),
  );
  const visible = `${commandLines.join()} ${JSON.stringify(events)}`;
  expect(visible).toContain(join(dataDir, "redis"));
  expect(visible).not.toContain(meilisearch.key);
  expect(visible).not.toContain(new URL(redis?.url ?? "").password);
});

test("stop ends both engines, removes the runtime file and may be called twice", async () => {
  const dataDir = nameDataDir();
  const engines = await acquire(dataDir);
  const pids = readPids(dataDir);
  await Promise.all([engines.stop(), engines.stop()]);
  expect(Object.values(pids).map(isRunning)).toEqual([false, false]);
  expect(existsSync(join(dataDir, "runtime.json"))).toBe(false);
});

test("data survives a stop and a start", async () => {
  const dataDir = nameDataDir();
  const first = await acquire(dataDir);
  const headers = { authorization: `Bearer ${first.meilisearch.key}`, "content-type": "application/json" };
  const body = JSON.stringify({ uid: "kept" });
  await fetch(`${first.meilisearch.url}/indexes`, { method: "POST", headers, body });
  await expect
    .poll(async () => (await fetch(`${first.meilisearch.url}/indexes/kept`, { headers })).status)
    .toBe(200);
  await first.stop();

  const second = await acquire(dataDir);
  const answer = await fetch(`${second.meilisearch.url}/indexes/kept`, {
    headers: { authorization: `Bearer ${second.meilisearch.key}` },
  });
  expect(answer.status).toBe(200);
});

test("with both URLs nothing is started and no data directory is created", async () => {
  const dataDir = nameDataDir();
  const engines = await acquire(dataDir, {
    index: oneEngine({ url: "http://search.example:7700", key: "given" }),
    redisUrl: "redis://cache.example:6379",
  });
  expect(engines).toMatchObject({
    index: oneEngine({ url: "http://search.example:7700", key: "given" }),
    redis: { url: "redis://cache.example:6379" },
    isLocal: false,
    isOwner: false,
  });
  expect(existsSync(dataDir)).toBe(false);
});

test("with one URL only the other engine is started", async () => {
  const dataDir = nameDataDir();
  const engines = await acquire(dataDir, { redisUrl: "redis://cache.example:6379" });
  expect(engines.redis).toEqual({ url: "redis://cache.example:6379" });
  expect(readRuntime(dataDir).redis).toBeUndefined();
  expect(readPids(dataDir).meilisearch).toBeGreaterThan(0);
});

test("an indexer that needs no Redis starts none", async () => {
  const dataDir = nameDataDir();
  const engines = await acquire(dataDir, { role: "indexer", needs: { redis: false } });
  expect(engines.redis).toBeUndefined();
  expect(existsSync(join(dataDir, "redis"))).toBe(false);
  expect(engines.events).toHaveLength(1);
});

test("without a redis-server on the PATH, Meilisearch runs and the result says so", async () => {
  usePath(makeTemporaryFolder());
  const engines = await acquire(nameDataDir());
  expect(engines.redis).toBeUndefined();
  expect(engines.events.map((event) => event.name)).toEqual(["redis_unavailable", "engine_started"]);
});

test("a data directory with spaces and quotes in its name works", async () => {
  const dataDir = join(makeTemporaryFolder(), `Phở "của" tôi's`);
  const engines = await acquire(dataDir);
  expect(await isRedisHealthy(engines.redis?.url ?? "")).toBe(true);
  expect(existsSync(join(dataDir, "redis", "appendonlydir"))).toBe(true);
});
