import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createConfiguredKeys, createKeyDirectory } from "../../../src/keys/callers.ts";
import { closeRedisConnection, createRedisConnection, waitForRedis } from "../../../src/redis/connection.ts";
import { createKeyStore } from "../../../src/redis/key-store.ts";
import { createRedisGuard } from "../../../src/redis/redis-guard.ts";
import { noTelemetry } from "../../../src/telemetry/telemetry.ts";
import { buildKey } from "../../support/build-key.ts";
import { fakePlaces } from "../../support/fake-places.ts";
import { createLogBook } from "../../support/log-lines.ts";
import { startRedisServer, type RedisServer } from "../../support/redis-server.ts";
import { createTelemetryRecord } from "../../support/telemetry-record.ts";
import { startTestApp } from "../../support/test-app.ts";
import { readKeys } from "./run-keys.ts";

const SEARCH = "/api/maps/search?q=pho";
const LIMITS = { perMinute: 600, perDay: 0 };
const CONFIGURED = "configured-key-0123456789";
const yes = () => true;

/** A clock that a test can put forward. */
function createClock() {
  let aheadMs = 0;
  return { read: () => performance.now() + aheadMs, forward: (ms: number) => void (aheadMs += ms) };
}

/** How long a Redis that failed is left alone. */
const PAUSE_MS = 250;

/** Past the time for which a record is trusted. */
const TRUSTED_MS = 4_200;

/** The directory as a server has it, with the command timeout of a real one. */
async function openDirectory(server: RedisServer) {
  const { logger, lines } = createLogBook();
  const { telemetry, heard } = createTelemetryRecord();
  const redis = createRedisConnection({ url: server.url, logger });
  await waitForRedis(redis, 5_000);
  const store = createKeyStore(redis);
  const { record, key } = buildKey();
  const clock = createClock();
  await store.change([record.id], () => [record]);
  const directory = createKeyDirectory({
    findConfigured: createConfiguredKeys([CONFIGURED], LIMITS),
    store,
    askStore: createRedisGuard({ logger, telemetry }).askForKey,
    limits: LIMITS,
    logger,
    telemetry: noTelemetry,
    now: () => Temporal.Now.instant(),
    clock: clock.read,
  });
  return {
    key,
    clock,
    heard,
    lines,
    find: (asked: string) => directory.findCaller(asked, yes),
    async [Symbol.asyncDispose]() {
      await directory.close();
      await closeRedisConnection(redis);
    },
  };
}

test("with Redis killed, known and configured keys work, an unknown key has to retry, and the server recovers", async () => {
  await using server = await startRedisServer();
  const env = { REDIS_URL: server.url };
  const [known, strange] = [
    await readKeys<{ key: string }>(["create", "--name", "known"], env),
    await readKeys<{ key: string }>(["create", "--name", "strange"], env),
  ];
  const clock = createClock();
  await using app = await startTestApp({ ...fakePlaces(), redisUrl: server.url, clock: clock.read });
  const ask = (key: string) => app.ask(SEARCH, { headers: { "x-api-key": key } });
  expect((await ask(known.key)).status).toBe(200);
  const backup = await readKeys(["list"], env);
  expect(backup).toHaveLength(2);

  await server.kill();
  clock.forward(TRUSTED_MS);
  expect((await ask(known.key)).status).toBe(200);
  expect((await ask(app.key)).status).toBe(200);
  await ask(strange.key);
  const answer = await ask(strange.key);
  expect(answer.body).toMatchObject({ status: 500, code: "internal_error" });
  expect(answer.headers.get("retry-after")).toBe("1");
  expect(answer.headers.has("www-authenticate")).toBe(false);
  expect((await ask("hab_0123456789ab_typing-error")).body).toMatchObject({ code: "invalid_api_key" });
  expect(app.logBook.lines("key_store_unavailable")).toHaveLength(1);

  // It comes back empty: this Redis keeps nothing. Keys that nobody has any more are refused.
  await server.revive();
  await expect.poll(async () => (await ask(known.key)).status, { timeout: 10_000 }).toBe(401);
  expect((await ask(strange.key)).status).toBe(401);
  expect((await ask(app.key)).status).toBe(200);
  expect(app.logBook.lines("key_store_recovered")).toHaveLength(1);
});

test("with Redis hanging, no key waits long and most do not wait", async () => {
  await using server = await startRedisServer();
  await using directory = await openDirectory(server);
  expect(await directory.find(directory.key)).toHaveProperty("caller");
  server.hang();
  directory.clock.forward(TRUSTED_MS);
  const askedBefore = directory.heard("callEnded").length;
  const startedAt = performance.now();
  for (let i = 0; i < 100; i += 1) {
    expect(await directory.find(directory.key)).toHaveProperty("caller");
    expect(await directory.find(CONFIGURED)).toHaveProperty("caller");
    await sleep(10);
  }
  const tookMs = performance.now() - startedAt;
  const asked = directory.heard("callEnded").slice(askedBefore);
  expect(await directory.find(buildKey().key)).toStrictEqual({ unchecked: "unavailable" });
  // Redis is asked twice, then once in each pause, and whoever asks is cut off at the deadline.
  expect(asked.length).toBeLessThanOrEqual(2 + Math.ceil(tookMs / PAUSE_MS));
  expect(asked.map(([call]) => (call as { outcome: string }).outcome)).not.toContain("ok");
  server.goOn();
  await expect
    .poll(async () => directory.find(buildKey().key), { timeout: 10_000 })
    .toStrictEqual({
      refused: "invalid_api_key",
    });
  expect(directory.lines("key_store_recovered")).toHaveLength(1);
});

test("a server that never reached Redis accepts configured keys", async () => {
  await using server = await startRedisServer();
  await server.kill();
  await using app = await startTestApp({ ...fakePlaces(), redisUrl: server.url });
  expect((await app.ask(SEARCH)).status).toBe(200);
  const answer = await app.ask(SEARCH, { headers: { "x-api-key": buildKey().key } });
  expect(answer.status).toBe(500);
});
