import { expect, test } from "vitest";
import { findDeadPort } from "../../support/dead-servers.ts";
import { fakePlaces } from "../../support/fake-places.ts";
import { startRedisServer } from "../../support/redis-server.ts";
import { startTestApp } from "../../support/test-app.ts";
import type { TestApp } from "../../support/test-app.ts";

const SEARCH = "/api/maps/search?q=pho";
/** What a real server waits for a command of Redis; matters only where Redis hangs, for a dead one fails at once. */
const redisTimeoutMs = 100;

async function readStatuses(app: TestApp, times: number): Promise<number[]> {
  const statuses = [];
  for (let i = 0; i < times; i += 1) statuses.push((await app.ask(SEARCH)).status);
  return statuses;
}

async function measure(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

async function untilTrue(check: () => Promise<boolean>): Promise<void> {
  await expect.poll(check, { timeout: 10_000, interval: 50 }).toBe(true);
}

const isRedisUsed = async (app: TestApp): Promise<boolean> => {
  await app.ask(SEARCH);
  return app.logBook.lines("rate_limiter_recovered").length > 0;
};

test("a Redis that never was there costs nothing, and this process holds the limits", async () => {
  const redisUrl = `redis://127.0.0.1:${await findDeadPort()}`;
  await using app = await startTestApp({
    ...fakePlaces(),
    redisUrl,
    perMinute: 3,
    perDay: 50,
  });
  const took = await measure(async () => {
    expect(await readStatuses(app, 4)).toStrictEqual([200, 200, 200, 429]);
  });
  expect(took).toBeLessThan(500);
});

test("a Redis that dies is told once, and requests go on within the limits of this process", async () => {
  await using redis = await startRedisServer();
  await using app = await startTestApp({
    ...fakePlaces(),
    redisUrl: redis.url,
    perMinute: 4,
    perDay: 50,
  });
  expect(await readStatuses(app, 2)).toStrictEqual([200, 200]);
  await redis.kill();
  const took = await measure(async () => {
    expect(await readStatuses(app, 5)).toStrictEqual([200, 200, 200, 200, 429]);
  });
  expect(took).toBeLessThan(1_000);
  expect(app.logBook.lines("rate_limiter_unavailable")).toHaveLength(1);
  expect(app.logBook.lines("redis_unavailable").length).toBeLessThanOrEqual(1);
});

test("a Redis that comes back is used again without a restart", async () => {
  await using redis = await startRedisServer();
  await using app = await startTestApp({ ...fakePlaces(), redisUrl: redis.url });
  await redis.kill();
  expect(await readStatuses(app, 3)).toStrictEqual([200, 200, 200]);
  expect((await app.ask("/readyz")).body).toMatchObject({ redis: "down" });
  await redis.revive();
  await untilTrue(() => isRedisUsed(app));
  expect(app.logBook.lines("rate_limiter_recovered")).toHaveLength(1);
  await untilTrue(async () => (await app.ask("/readyz")).status === 200);
});

test("a Redis that hangs costs its timeout once in a while and not on every request", async () => {
  await using redis = await startRedisServer();
  await using app = await startTestApp({ ...fakePlaces(), redisUrl: redis.url, redisTimeoutMs });
  await app.ask(SEARCH);
  redis.hang();
  const took = await measure(async () => {
    expect(await readStatuses(app, 40)).toStrictEqual(Array.from({ length: 40 }, () => 200));
  });
  // Forty requests that each wait would take four seconds.
  expect(took).toBeLessThan(2_000);
  redis.goOn();
  await untilTrue(() => isRedisUsed(app));
});

test("many requests at once while Redis hangs are all answered quickly", async () => {
  await using redis = await startRedisServer();
  await using app = await startTestApp({ ...fakePlaces(), redisUrl: redis.url, redisTimeoutMs });
  await app.ask(SEARCH);
  redis.hang();
  const took = await measure(() => Promise.all(Array.from({ length: 50 }, () => app.ask(SEARCH))));
  expect(took).toBeLessThan(2_000);
  expect(app.logBook.lines("rate_limiter_unavailable")).toHaveLength(1);
});

test("without a Redis there is nothing to tell", async () => {
  await using app = await startTestApp({
    ...fakePlaces(),
    redisUrl: "none",
    perMinute: 2,
    perDay: 50,
  });
  expect(await readStatuses(app, 3)).toStrictEqual([200, 200, 429]);
  expect(app.logBook.lines("rate_limiter_unavailable")).toStrictEqual([]);
});
