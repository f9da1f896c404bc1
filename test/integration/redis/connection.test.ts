import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  closeRedisConnection,
  createRedisConnection,
  isRedisUp,
  waitForRedis,
} from "../../../src/redis/connection.ts";
import { findDeadPort, startSilentServer } from "../../support/dead-servers.ts";
import { createLogBook } from "../../support/log-lines.ts";
import { startRedisServer } from "../../support/redis-server.ts";

test("an unreachable address is logged once, waiting ends in time, and closing stops the attempts", async () => {
  const { logger, lines } = createLogBook();
  const redis = createRedisConnection({ url: `redis://127.0.0.1:${await findDeadPort()}`, logger });
  expect(await waitForRedis(redis, 400)).toBe(false);
  expect(await isRedisUp(redis)).toBe(false);
  expect(lines("redis_unavailable")).toHaveLength(1);
  await closeRedisConnection(redis);
  let attempts = 0;
  redis.on("connecting", () => (attempts += 1));
  await sleep(600);
  expect(attempts).toBe(0);
});

test("a silent server is not accepted as Redis", async () => {
  await using silent = await startSilentServer();
  const redis = createRedisConnection({
    url: `redis://127.0.0.1:${silent.port}`,
    logger: createLogBook().logger,
  });
  expect(await waitForRedis(redis, 300)).toBe(false);
  expect(await isRedisUp(redis)).toBe(false);
  await closeRedisConnection(redis);
});

test("losing and regaining Redis is logged once each", async () => {
  const { logger, lines } = createLogBook();
  await using server = await startRedisServer();
  const redis = createRedisConnection({ url: server.url, logger });
  expect(await waitForRedis(redis, 2_000)).toBe(true);
  await server.kill();
  await sleep(500);
  expect(await isRedisUp(redis)).toBe(false);
  await server.revive();
  expect(await waitForRedis(redis, 5_000)).toBe(true);
  expect(await isRedisUp(redis)).toBe(true);
  expect(lines().map((line) => line.event)).toStrictEqual([
    "redis_connected",
    "redis_unavailable",
    "redis_connected",
  ]);
  await closeRedisConnection(redis);
});

test("an idle connection stays open", async () => {
  const { logger, lines } = createLogBook();
  await using server = await startRedisServer();
  const redis = createRedisConnection({ url: server.url, logger });
  await waitForRedis(redis, 2_000);
  await isRedisUp(redis);
  await sleep(2_500);
  expect(await isRedisUp(redis)).toBe(true);
  expect(lines()).toHaveLength(1);
  await closeRedisConnection(redis);
});

test("a wrong password is not logged", async () => {
  const { logger, text } = createLogBook();
  await using server = await startRedisServer();
  const url = server.url.replace("redis://", "redis://user:hunter2secret@");
  const redis = createRedisConnection({ url, logger });
  expect(await waitForRedis(redis, 500)).toBe(false);
  expect(text()).toContain("redis_unavailable");
  expect(text()).not.toContain("hunter2secret");
  await closeRedisConnection(redis);
});
