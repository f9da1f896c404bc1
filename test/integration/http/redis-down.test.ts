import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { findDeadPort } from "../../support/dead-servers.ts";
import { fakePlaces } from "../../support/fake-places.ts";
import { createTelemetryRecord } from "../../support/telemetry-record.ts";
import { startRedisServer } from "../../support/redis-server.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";
import { readKeys } from "../keys/run-keys.ts";
import { REDIS_FAULTS } from "./redis-faults.ts";

const SEARCH = "/api/maps/search?q=pho";
/** Ten times what a real server waits, so that a machine that is busy with other tests does not look like a Redis that hangs. */
const redisTimeoutMs = 500;
/** So long that Redis is tried anew, more than once. */
const OUTAGE_MS = 2_300;

const createKey = (): string => `other-${randomBytes(12).toString("hex")}`;

async function readStatuses(app: TestApp, times: number): Promise<number[]> {
  const statuses = [];
  for (let i = 0; i < times; i += 1) statuses.push((await app.ask(SEARCH)).status);
  return statuses;
}

/** Asks some times in a row; every answer must be whole. */
async function expectToBeServed(app: TestApp, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    const { status, headers } = await app.ask(SEARCH);
    expect(status).toBe(200);
    expect(headers.get("x-ratelimit-limit")).toBe("500");
    expect(headers.get("x-ratelimit-remaining")).toMatch(/^4\d\d$/);
    expect(headers.get("x-ratelimit-reset")).toMatch(/^\d{10}$/);
    expect(headers.get("ratelimit-policy")).toBe('"minute";q=500;w=60, "day";q=9000;w=86400');
    expect(headers.get("ratelimit")).toMatch(/^"minute";r=4\d\d;t=\d+, "day";r=8\d\d\d;t=\d+$/);
  }
}

/** Asks on behalf of a caller who has something left, for who has nothing left does not need Redis. */
async function untilRedisIsUsed(app: TestApp, key = app.key): Promise<void> {
  const isUsed = async (): Promise<boolean> => {
    await app.ask(SEARCH, { headers: { "x-api-key": key } });
    return app.logBook.lines("rate_limiter_recovered").length > 0;
  };
  await vi.waitUntil(isUsed, { timeout: 20_000, interval: 200 });
}

// They wait most of the time, each for a Redis of its own.
test.concurrent.each(REDIS_FAULTS)(
  "while Redis $name, requests are served within limits, the fault is logged once, and the server recovers",
  async ({ start }) => {
    const { telemetry, heard } = createTelemetryRecord();
    await using redis = await start();
    await using app = await startTestApp({
      ...fakePlaces(),
      redisUrl: redis.url,
      redisTimeoutMs,
      telemetry,
      perMinute: 500,
      perDay: 9_000,
    });
    await expectToBeServed(app, 3);
    expect(heard("limitHeldLocally")).toHaveLength(0);

    await redis.breakDown();
    await expectToBeServed(app, 20);
    await sleep(OUTAGE_MS / 2);
    await expectToBeServed(app, 5);
    await sleep(OUTAGE_MS / 2);
    await expectToBeServed(app, 5);
    expect(app.logBook.lines("rate_limiter_unavailable")).toHaveLength(1);
    expect(app.logBook.lines("rate_limiter_recovered")).toHaveLength(0);
    expect(heard("limitHeldLocally")).toHaveLength(30);
    expect(heard("breakerChanged")[0]).toEqual(["redis", "open"]);
    expect(heard("breakerChanged")).not.toContainEqual(["redis", "closed"]);

    await redis.mend();
    await untilRedisIsUsed(app);
    await expectToBeServed(app, 3);
    expect(app.logBook.lines("rate_limiter_unavailable")).toHaveLength(1);
    expect(app.logBook.lines("rate_limiter_recovered")).toHaveLength(1);
    expect(app.logBook.lines("redis_unavailable").length).toBeLessThanOrEqual(1);
    expect(heard("breakerChanged").at(-1)).toEqual(["redis", "closed"]);
    expect(heard("callEnded").at(-1)).toMatchObject([{ dependency: "redis", outcome: "ok" }]);
  },
);

test("without Redis from the start, requests cost nothing extra and this process enforces the limits", async () => {
  const redisUrl = `redis://127.0.0.1:${await findDeadPort()}`;
  await using app = await startTestApp({ ...fakePlaces(), redisUrl, perMinute: 3, perDay: 50 });
  const startedAt = performance.now();
  expect(await readStatuses(app, 4)).toStrictEqual([200, 200, 200, 429]);
  expect(performance.now() - startedAt).toBeLessThan(500);
});

test("a Redis that first rejects the password is used as soon as it accepts it", async () => {
  await using redis = await startRedisServer();
  await redis.command(["CONFIG", "SET", "requirepass", "first-password"]);
  const redisUrl = redis.url.replace("redis://", "redis://:second-password@");
  await using app = await startTestApp({
    ...fakePlaces(),
    redisUrl,
    redisTimeoutMs,
    perMinute: 500,
    perDay: 9_000,
  });
  await expectToBeServed(app, 5);
  await sleep(OUTAGE_MS / 2);
  await expectToBeServed(app, 5);
  expect(app.logBook.lines("rate_limiter_unavailable")).toHaveLength(1);
  await redis.command(["CONFIG", "SET", "requirepass", "second-password"], "first-password");
  await untilRedisIsUsed(app);
  expect(app.logBook.lines("rate_limiter_unavailable")).toHaveLength(1);
  expect(app.logBook.lines("rate_limiter_recovered")).toHaveLength(1);
  expect(app.logBook.text()).not.toMatch(/(first|second)-password/);
});

test("a Redis that hangs costs one request at most 60 ms, and later ones nothing", async () => {
  await using redis = await startRedisServer();
  // The server's own time to wait.
  await using app = await startTestApp({ ...fakePlaces(), redisUrl: redis.url, redisTimeoutMs: 50 });
  await app.ask(SEARCH);
  redis.hang();
  const measure = async (): Promise<number> => {
    const startedAt = performance.now();
    expect((await app.ask(SEARCH)).status).toBe(200);
    return performance.now() - startedAt;
  };
  const trials: number[] = [];
  const others: number[] = [];
  for (let outage = 0; outage < 2; outage += 1) {
    trials.push(await measure());
    for (let i = 0; i < 20; i += 1) others.push(await measure());
    await sleep(1_050);
  }
  // The quickest tell what the server waits; the others may have waited for a busy machine.
  const [quickest = 0] = trials.toSorted((a, b) => a - b);
  expect(quickest).toBeGreaterThan(40);
  expect(quickest).toBeLessThan(60 + 40);
  expect(others.toSorted((a, b) => a - b)[0]).toBeLessThan(40);
});

test("a request that needs both key and limits from a hanging Redis waits only once", async () => {
  await using redis = await startRedisServer();
  const { key } = await readKeys<{ key: string }>(["create", "--name", "any"], { REDIS_URL: redis.url });
  const { telemetry, heard } = createTelemetryRecord();
  let aheadMs = 0;
  await using app = await startTestApp({
    ...fakePlaces(),
    redisUrl: redis.url,
    redisTimeoutMs: 50,
    telemetry,
    clock: () => performance.now() + aheadMs,
  });
  const ask = () => app.ask(SEARCH, { headers: { "x-api-key": key } });
  const waits: number[] = [];
  for (let outage = 0; outage < 2; outage += 1) {
    expect((await ask()).status).toBe(200);
    // A record is trusted for four seconds: after them its key is asked for, too.
    aheadMs += 4_200;
    const before = heard("callEnded").length;
    redis.hang();
    const startedAt = performance.now();
    expect((await ask()).status).toBe(200);
    waits.push(performance.now() - startedAt);
    expect(heard("callEnded").slice(before)).toMatchObject([[{ operation: "key" }]]);
    redis.goOn();
    await sleep(500);
  }
  // 60 ms are promised; the rest is for a busy machine.
  expect(Math.min(...waits)).toBeGreaterThan(40);
  expect(Math.min(...waits)).toBeLessThan(250);
});

test("while Redis hangs, many simultaneous requests are all served quickly", async () => {
  await using redis = await startRedisServer();
  await using app = await startTestApp({ ...fakePlaces(), redisUrl: redis.url, redisTimeoutMs });
  await app.ask(SEARCH);
  redis.hang();
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.ask(SEARCH)));
  expect(answers.map(({ status }) => status)).toStrictEqual(answers.map(() => 200));
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  expect(app.logBook.lines("rate_limiter_unavailable")).toHaveLength(1);
});

test("neither losing nor regaining Redis gives a caller a second full minute", async () => {
  const otherKey = createKey();
  await using redis = await startRedisServer();
  await using app = await startTestApp({
    ...fakePlaces(),
    redisUrl: redis.url,
    otherKeys: [otherKey],
    perMinute: 40,
    perDay: 500,
  });
  expect(new Set(await readStatuses(app, 37))).toStrictEqual(new Set([200]));
  await redis.kill();
  expect(await readStatuses(app, 5)).toStrictEqual([200, 200, 200, 429, 429]);
  await redis.revive();
  await untilRedisIsUsed(app, otherKey);
  expect(await readStatuses(app, 2)).toStrictEqual([429, 429]);
});

test("requests during an outage count for the day once Redis is back", async () => {
  await using redis = await startRedisServer();
  await using app = await startTestApp({ ...fakePlaces(), redisUrl: redis.url, perDay: 50 });
  await readStatuses(app, 2);
  await redis.command(["CONFIG", "SET", "min-replicas-to-write", "1"]);
  await readStatuses(app, 10);
  await redis.command(["CONFIG", "SET", "min-replicas-to-write", "0"]);
  await untilRedisIsUsed(app);
  const readUsedToday = async (): Promise<unknown> => {
    const { usage } = await app.read<{ usage: { days: { requests: number }[]; day: { used: number } } }>(
      "/api/usage",
    );
    expect(usage.day.used).toBeGreaterThanOrEqual(12);
    return usage.day.used - (usage.days[0]?.requests ?? 0);
  };
  // What this process has counted by itself and what Redis has counted are the same again.
  await expect.poll(readUsedToday, { timeout: 5_000 }).toBe(0);
});

test("without Redis nothing is logged about it", async () => {
  const { telemetry, heard } = createTelemetryRecord();
  await using app = await startTestApp({
    ...fakePlaces(),
    redisUrl: "none",
    telemetry,
    perMinute: 2,
    perDay: 50,
  });
  expect(await readStatuses(app, 3)).toStrictEqual([200, 200, 429]);
  expect(app.logBook.lines("rate_limiter_unavailable")).toStrictEqual([]);
  expect(heard("limitHeldLocally")).toHaveLength(0);
});
