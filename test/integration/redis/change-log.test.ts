import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createChangeLog } from "../../../src/redis/change-log.ts";
import {
  closeRedisConnection,
  createRedisConnection,
  waitForRedis,
  type RedisConnection,
} from "../../../src/redis/connection.ts";
import { changesKey, rebuildKey } from "../../../src/redis/keys.ts";
import { createLogBook } from "../../support/log-lines.ts";

let redis: RedisConnection;
beforeAll(async () => {
  const logger = createLogBook().logger;
  redis = createRedisConnection({ url: inject("redisUrl"), logger, commandTimeoutMs: 5_000 });
  await waitForRedis(redis, 5_000);
});
afterAll(() => closeRedisConnection(redis));

function setUp() {
  const prefix = randomUUID();
  const log = createChangeLog(redis, prefix);
  const readAll = async (buildId: string) => (await Array.fromAsync(log.read(buildId))).flat().toSorted();
  return { prefix, log, readAll };
}

describe("the change log", () => {
  test("stores nothing without a rebuild in progress", async () => {
    const { prefix, log } = setUp();
    await log.note(["0x1"]);
    expect(await redis.keys(`*${prefix}*`)).toEqual([]);
    expect(await log.isOf("a")).toBe(false);
  });

  test("has each place that changed during a rebuild once", async () => {
    const { log, readAll } = setUp();
    await log.begin("a");
    const many = Array.from({ length: 2_500 }, (_, index) => `0x${index.toString(16)}`);
    await log.note(many);
    await log.note(["0x1", "0xffffff"]);
    expect(await readAll("a")).toEqual([...many, "0xffffff"].toSorted());
  });

  test("continues after a resumed rebuild", async () => {
    const { log, readAll } = setUp();
    await log.begin("a");
    await log.note(["0x1"]);
    expect(await log.isOf("a")).toBe(true);
    await log.begin("a");
    await log.note(["0x2"]);
    expect(await readAll("a")).toEqual(["0x1", "0x2"]);
  });

  test("is cleared when another rebuild begins", async () => {
    const { prefix, log, readAll } = setUp();
    await log.begin("a");
    await log.note(["0x1"]);
    await log.begin("b");
    await log.note(["0x2"]);
    expect(await log.isOf("a")).toBe(false);
    expect(await readAll("a")).toEqual([]);
    expect(await readAll("b")).toEqual(["0x2"]);
    await log.end("b");
    expect(await redis.keys(`*${prefix}*`)).toEqual([]);
  });

  test("ending an earlier rebuild does not affect the current one", async () => {
    const { log } = setUp();
    await log.begin("b");
    await log.end("a");
    expect(await log.isOf("b")).toBe(true);
    await log.end("b");
  });

  test("of an abandoned rebuild expires", async () => {
    const { prefix, log } = setUp();
    await log.begin("a");
    await log.note(["0x1"]);
    for (const key of [rebuildKey(prefix), changesKey(prefix, "a")])
      expect(await redis.ttl(key)).toBeGreaterThan(0);
    await log.end("a");
  });
});
