import { afterAll, beforeAll, expect, test } from "vitest";
import { Redis } from "ioredis";
import { addCheck, addRun } from "../../../src/redis/run-history.ts";
import { addQueries, lastDates } from "../../../src/redis/query-log.ts";
import type { StatusAnswer } from "../../../src/answers/status.ts";
import { buildPlace } from "../../support/build-place.ts";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { startRedisServer, type RedisServer } from "../../support/redis-server.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";
import { readKeys } from "../keys/run-keys.ts";

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedisServer();
});
afterAll(() => redis[Symbol.asyncDispose]());

const index = createMemoryIndex([buildPlace({ title: "Phở Hòa" })]);

const createKey = async (...args: string[]): Promise<string> =>
  (await readKeys<{ key: string }>(["create", ...args], { REDIS_URL: redis.url })).key;

const startApp = (): Promise<TestApp> => startTestApp({ index, redisUrl: redis.url, logsQueries: true });

const readStatus = async (app: TestApp, key: string) => {
  const { status, body } = await app.ask("/api/status", { headers: { "x-api-key": key } });
  return { code: status, ...(body as Partial<StatusAnswer>) };
};

test("a key without the scope admin reads nothing of it", async () => {
  await using app = await startApp();
  for (const key of [app.key, await createKey("--name", "an app")])
    expect(await app.ask("/api/status", { headers: { "x-api-key": key } })).toMatchObject({
      status: 403,
      body: { code: "missing_scope" },
    });
  expect(await app.ask("/api/status", { headers: { "x-api-key": "" } })).toMatchObject({ status: 401 });
});

test("tells of the index, the runs, the keys with their use, and the queries, without secrets", async () => {
  await using app = await startApp();
  const key = await createKey("--name", "status page", "--scopes", "admin");
  const other = await createKey("--name", "a web page");
  const connection = new Redis(redis.url);
  await addRun(connection, {
    command: "import",
    outcome: "failed",
    error: "line 7 is broken",
    started_at: "2026-11-18T01:00:00Z",
    duration_seconds: 3,
    counts: { read: 7, rejected: 1 },
  });
  const [today = ""] = lastDates(Temporal.Now.instant(), 1);
  const callers = ["a", "b", "c", "d", "e"];
  await addQueries(connection, today, [{ query: "tram sac", searches: 9, empty: 8, callers }]);
  connection.disconnect();
  for (let request = 0; request < 3; request += 1)
    await app.ask("/api/maps/search?q=pho", { headers: { "x-api-key": other } });

  const { code, status } = await readStatus(app, key);
  expect(code).toBe(200);
  expect(status).toMatchObject({
    index: { state: "ready", form: expect.stringMatching(/^\d+\.\d+$/) as string },
    redis: { state: "up", memory_bytes: expect.any(Number) as number },
    runs: [
      { command: "import", outcome: "failed", error: "line 7 is broken", counts: { read: 7, rejected: 1 } },
    ],
    queries: {
      frequent: [{ query: "tram sac", searches: 9, empty: 8 }],
      empty: [{ query: "tram sac", searches: 9, empty: 8 }],
    },
  });
  expect(status?.checks.find(({ name }) => name === "runs")?.state).toBe("warning");
  expect(status?.coverage?.sampled).toBeGreaterThan(0);
  const listed = status?.keys?.list.find(({ name }) => name === "a web page");
  expect(listed).toMatchObject({ state: "active", scopes: ["search", "place", "autocomplete"] });
  expect(listed?.days.at(-1)).toEqual({ date: today, requests: 3 });
  expect(listed?.days).toHaveLength(7);
  const secret = other.split("_").at(-1) ?? "";
  expect(JSON.stringify(status)).not.toContain(secret);
  expect(JSON.stringify(status)).not.toMatch(/[0-9a-f]{64}/);
});

test("a part that cannot be read is null, and the others are still there", async () => {
  const busy = { ...index, readSample: () => Promise.reject(new Error("the engine is busy")) };
  await using app = await startTestApp({ index: busy, redisUrl: redis.url });
  const key = await createKey("--name", "status page", "--scopes", "admin");
  const { code, status } = await readStatus(app, key);
  expect(code).toBe(200);
  expect(status).toMatchObject({
    coverage: null,
    queries: null,
    index: { state: "ready", document_bytes: null },
  });
  expect(status?.keys?.list.length).toBeGreaterThan(0);
});

test("data is as old as its last check, and a check of another index does not count", async () => {
  await using app = await startApp();
  const key = await createKey("--name", "status page", "--scopes", "admin");
  const connection = new Redis(redis.url);
  const builtAt = "2026-11-20T00:00:00.000Z";
  await addCheck(connection, "2026-11-19T00:00:00.000Z");
  expect((await readStatus(app, key)).status?.index).toMatchObject({
    built_at: builtAt,
    checked_at: builtAt,
  });
  const beforeMs = Date.now();
  await addCheck(connection, builtAt);
  connection.disconnect();
  const { status } = await readStatus(app, key);
  expect(status?.index.built_at).toBe(builtAt);
  expect(Date.parse(status?.index.checked_at ?? "")).toBeGreaterThanOrEqual(beforeMs);
  expect(status?.checks.find(({ name }) => name === "age")).toEqual({
    name: "age",
    state: "ok",
    text: "The data was imported or compared with its sources less than a day ago.",
  });
});

test("reading it has the limit of /api/usage, and costs the key nothing else", async () => {
  await using app = await startApp();
  const key = await createKey("--name", "status page", "--scopes", "admin", "--per-minute", "1");
  for (let request = 0; request < 3; request += 1) expect((await readStatus(app, key)).code).toBe(200);
  const { body } = await app.ask("/api/usage", { headers: { "x-api-key": key } });
  expect(body).toMatchObject({ usage: { minute: { used: 0 } } });
});
