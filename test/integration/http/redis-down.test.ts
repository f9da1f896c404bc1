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
/** Many times what a real server waits, so that a machine that is busy with other work does not look like a Redis that hangs. */
const redisTimeoutMs = 2_000;
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

// They wait most of the time, each for its own Redis.
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

    await redis.repair();
    await untilRedisIsUsed(app);
    await expectToBeServed(app, 3);
    expect(app.logBook.lines("rate_limiter_unavailable")).toHaveLength(1);
    expect(app.logBook.lines("rate_limiter_recovered")).toHaveLength(1);
    expect(app.logBook.lines("redis_unavailable").length).toBeLessThanOrEqual(1);
    expect(heard("breakerChanged").at(-1)).toEqual(["redis", "closed"]);
    expect(heard("callEnded").at(-1)).toMatchObject([{ dependency: "redis", outcome: "ok" }]);
  },
);

test.concurrent("without Redis from the start, this process enforces the limits", async () => {
  const redisUrl = `redis://127.0.0.1:${await findDeadPort()}`;
  await using app = await startTestApp({ ...fakePlaces(), redisUrl, perMinute: 3, perDay: 50 });
  expect(await readStatuses(app, 4)).toStrictEqual([200, 200, 200, 429]);
});

test.concurrent("a Redis that first rejects the password is used as soon as it accepts it", async () => {
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

/** How long the limits leave a Redis alone that failed. */
const PAUSE_MS = 1_000;

/** How the calls to Redis ended that requests waited for. */
const outcomesOf = (calls: readonly (readonly unknown[])[]): unknown[] =>
  calls.map(([call]) => (call as { outcome: unknown }).outcome);

const NOT_OK = expect.stringMatching(/^(?:timed_out|failed)$/) as unknown;

test.concurrent("a Redis that hangs costs one request in a second its deadline, and the others nothing", async () => {
  const { telemetry, heard } = createTelemetryRecord();
  await using redis = await startRedisServer();
  await using app = await startTestApp({ ...fakePlaces(), redisUrl: redis.url, redisTimeoutMs, telemetry });
  await app.ask(SEARCH);
  redis.hang();
  const before = heard("callEnded").length;
  const startedAt = performance.now();
  for (let outage = 0; outage < 2; outage += 1) {
    expect(new Set(await readStatuses(app, 20))).toStrictEqual(new Set([200]));
    await sleep(PAUSE_MS + 50);
  }
  const outcomes = outcomesOf(heard("callEnded").slice(before));
  expect(outcomes).toEqual(outcomes.map(() => NOT_OK));
  expect(outcomes.length).toBeGreaterThanOrEqual(2);
  expect(outcomes.length).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - startedAt) / PAUSE_MS));
});

test.concurrent("a request that needs both key and limits from a hanging Redis waits only once", async () => {
  await using redis = await startRedisServer();
  const { key } = await readKeys<{ key: string }>(["create", "--name", "any"], { REDIS_URL: redis.url });
  const { telemetry, heard } = createTelemetryRecord();
  let aheadMs = 0;
  await using app = await startTestApp({
    ...fakePlaces(),
    redisUrl: redis.url,
    redisTimeoutMs,
    telemetry,
    clock: () => performance.now() + aheadMs,
  });
  const ask = () => app.ask(SEARCH, { headers: { "x-api-key": key } });
  expect((await ask()).status).toBe(200);
  // A record is trusted for four seconds: after them its key is asked for, too.
  aheadMs += 4_200;
  const before = heard("callEnded").length;
  redis.hang();
  expect((await ask()).status).toBe(200);
  expect(heard("callEnded").slice(before)).toMatchObject([[{ operation: "key", outcome: NOT_OK }]]);
});

test.concurrent("while Redis hangs, simultaneous requests wait for it once, all together", async () => {
  const { telemetry, heard } = createTelemetryRecord();
  await using redis = await startRedisServer();
  // Less than a request may take as a whole.
  const timeout = { redisTimeoutMs: 200 };
  await using app = await startTestApp({ ...fakePlaces(), redisUrl: redis.url, telemetry, ...timeout });
  redis.hang();
  const before = heard("callEnded").length;
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.ask(SEARCH)));
  expect(answers.map(({ status }) => status)).toStrictEqual(answers.map(() => 200));
  const outcomes = outcomesOf(heard("callEnded").slice(before));
  expect(outcomes).toEqual(outcomes.map(() => NOT_OK));
  expect(app.logBook.lines("rate_limiter_unavailable")).toHaveLength(1);
});

test.concurrent("neither losing nor regaining Redis gives a caller a second full minute", async () => {
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
