import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { KeyChangeError, limitKey } from "../../../src/keys/change-key.ts";
import { KeyRecordError } from "../../../src/keys/key-record.ts";
import {
  closeRedisConnection,
  createRedisConnection,
  waitForRedis,
  type RedisConnection,
} from "../../../src/redis/connection.ts";
import { createKeyStore } from "../../../src/redis/key-store.ts";
import { API_KEYS_KEY } from "../../../src/redis/keys.ts";
import { buildKey, secretOf } from "../../support/build-key.ts";
import { createLogBook } from "../../support/log-lines.ts";
import { startRedisServer, type RedisServer } from "../../support/redis-server.ts";

let server: RedisServer;
let connections: RedisConnection[];

beforeAll(async () => {
  server = await startRedisServer();
  const { logger } = createLogBook();
  connections = [1, 2].map(() =>
    createRedisConnection({ url: server.url, logger, commandTimeoutMs: 10_000 }),
  );
  for (const redis of connections) await waitForRedis(redis, 5_000);
});

afterAll(async () => {
  for (const redis of connections) await closeRedisConnection(redis);
  await server[Symbol.asyncDispose]();
});

beforeEach(() => redisOf(0).flushall());

function redisOf(index: number): RedisConnection {
  const redis = connections[index];
  if (!redis) throw new Error("no such connection");
  return redis;
}

const storeOf = (index: number) => createKeyStore(redisOf(index));
const now = new Date();

test("an unknown key is not found", async () => {
  expect(await storeOf(0).read("0123456789ab")).toBeUndefined();
  expect(await storeOf(0).list()).toStrictEqual([]);
  expect(await storeOf(0).readUses([])).toStrictEqual(new Map());
});

test("of two hundred simultaneous changes over two connections, none is lost", async () => {
  const { record } = buildKey({ limits: { perDay: 0 } });
  await storeOf(0).change([record.id], () => [record]);
  const countOne = (index: number) =>
    storeOf(index % 2).change([record.id], (found) => {
      const before = found.get(record.id) ?? record;
      return [limitKey(before, { perDay: (before.limits.per_day ?? 0) + 1 }, now)];
    });
  for (let round = 0; round < 10; round += 1)
    await Promise.all(Array.from({ length: 20 }, (_, i) => countOne(i)));
  expect(await storeOf(1).read(record.id)).toMatchObject({ limits: { per_day: 200 }, revision: 201 });
});

test("several keys are changed together or not at all", async () => {
  const keys = [buildKey().record, buildKey().record];
  const ids = keys.map(({ id }) => id);
  await storeOf(0).change(ids, () => keys);
  let attempts = 0;
  await storeOf(0).change(ids, (found) => {
    attempts += 1;
    const changed = [...found.values()].map((record) => limitKey(record, { perDay: attempts }, now));
    // Another is faster, once.
    if (attempts === 1) void redisOf(1).hset(API_KEYS_KEY, ids[1] ?? "", JSON.stringify(changed[1]));
    return changed;
  });
  const after = await storeOf(0).list();
  expect(after.map(({ limits }) => limits.per_day)).toStrictEqual([attempts, attempts]);
  expect(new Set(after.map(({ revision }) => revision)).size).toBe(attempts === 1 ? 1 : 2);
});

test("a change that returns nothing writes nothing", async () => {
  const { record } = buildKey();
  const refuse = storeOf(0).change([record.id], () => {
    throw new KeyChangeError("no");
  });
  await expect(refuse).rejects.toThrow(KeyChangeError);
  expect(await storeOf(0).list()).toStrictEqual([]);
});

test("three thousand keys are listed once each, oldest first", async () => {
  const keys = Array.from({ length: 3_000 }, (_, i) => buildKey({}, new Date(1_700_000_000_000 - i)).record);
  await storeOf(0).change(
    keys.map(({ id }) => id),
    () => keys,
  );
  expect((await storeOf(0).list()).map(({ id }) => id)).toStrictEqual(keys.map(({ id }) => id).toReversed());
});

test("Redis contains no secret", async () => {
  const { record, key } = buildKey();
  await storeOf(0).change([record.id], () => [record]);
  const kept = await redisOf(0).hget(API_KEYS_KEY, record.id);
  expect(kept).toContain(record.id);
  expect(kept).not.toContain(secretOf(key).slice(0, 8));
});

test("a damaged record is an error with its id", async () => {
  await redisOf(0).hset(API_KEYS_KEY, "0123456789ab", "{}");
  await expect(storeOf(0).read("0123456789ab")).rejects.toThrow(KeyRecordError);
});

test("the last use of each key is stored", async () => {
  await storeOf(0).writeUses(new Map([["a", "2026-11-20T12:00:00Z"]]));
  await storeOf(0).writeUses(
    new Map([
      ["a", "2026-11-20T12:01:00Z"],
      ["b", "2026-11-20T12:01:30Z"],
    ]),
  );
  expect(await storeOf(1).readUses(["a", "c", "b"])).toStrictEqual(
    new Map([
      ["a", "2026-11-20T12:01:00Z"],
      ["b", "2026-11-20T12:01:30Z"],
    ]),
  );
});
