import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLimiter, type Limiter } from "../../../src/http/middleware/rate-limit.ts";
import type { Caller } from "../../../src/keys/key-record.ts";
import { createChangeLog } from "../../../src/redis/change-log.ts";
import {
  closeRedisConnection,
  createRedisConnection,
  isRedisUp,
  waitForRedis,
  type RedisConnection,
} from "../../../src/redis/connection.ts";
import { leaseKeys, minuteLogKey } from "../../../src/redis/keys.ts";
import { isLease, tryLease } from "../../../src/redis/lease.ts";
import { addQueries, lastDates, readFrequentQueries } from "../../../src/redis/query-log.ts";
import { createKeyStore } from "../../../src/redis/key-store.ts";
import { createRedisGuard } from "../../../src/redis/redis-guard.ts";
import { addRun, readRuns } from "../../../src/redis/run-history.ts";
import { createWriteQueue } from "../../../src/redis/write-queue.ts";
import { noTelemetry } from "../../../src/telemetry/telemetry.ts";
import { buildKey } from "../../support/build-key.ts";
import { fakePlaces } from "../../support/fake-places.ts";
import { toContext } from "../../support/limited-context.ts";
import { createLogBook } from "../../support/log-lines.ts";
import { SLOTS, startRedisCluster, type RedisCluster } from "../../support/redis-cluster.ts";
import { startTestApp } from "../../support/test-app.ts";

let cluster: RedisCluster;
const connections: RedisConnection[] = [];

async function connect(): Promise<RedisConnection> {
  const { logger } = createLogBook();
  const redis = createRedisConnection({ url: cluster.url, logger, commandTimeoutMs: 5_000 });
  connections.push(redis);
  if (!(await waitForRedis(redis, 20_000))) throw new Error("the cluster does not respond");
  return redis;
}

beforeAll(async () => {
  cluster = await startRedisCluster();
});

afterAll(async () => {
  await Promise.all(connections.map(closeRedisConnection));
  await cluster[Symbol.asyncDispose]();
});

test("keys of callers, limits and usage work", async () => {
  const { record, key } = buildKey();
  const store = createKeyStore(await connect());
  await store.change([record.id], () => [record]);
  expect(await store.list()).toStrictEqual([record]);
  await using app = await startTestApp({ ...fakePlaces(), redisUrl: cluster.url, perMinute: 2 });
  const ask = async (target: string, headers = {}) => (await app.ask(target, { headers })).status;
  expect(await ask("/api/maps/search?q=pho", { "x-api-key": key })).toBe(200);
  const search = () => ask("/api/maps/search?q=pho");
  expect([await search(), await search(), await search()]).toStrictEqual([200, 200, 429]);
  expect(await app.read("/api/usage")).toMatchObject({
    usage: { counted_by: "all_processes", minute: { used: 2 } },
  });
});

const FIVE = ["a", "b", "c", "d", "e"];

test("what changes several keys in one step works: leases, changes, runs, queries and writes", async () => {
  const redis = await connect();
  expect(await isRedisUp(redis)).toBe(true);

  const options = { keys: leaseKeys("places", "write"), command: "test", host: "here" };
  const lease = await tryLease(redis, options);
  if (!isLease(lease)) throw new Error("nobody else has the lease");
  expect(await tryLease(redis, options)).toMatchObject({ command: "test" });
  await lease.check();
  await lease.release();

  const log = createChangeLog(redis, "places");
  await log.begin("build");
  await log.note(["0x1", "0x2"]);
  expect((await Array.fromAsync(log.read("build"))).flat().toSorted()).toStrictEqual(["0x1", "0x2"]);
  await log.end("build");

  const counts = { read: 1 };
  await addRun(redis, { command: "import", outcome: "done", started_at: "", duration_seconds: 1, counts });
  expect(await readRuns(redis, 1)).toMatchObject([{ command: "import" }]);

  const dates = lastDates(Temporal.Now.instant(), 3);
  for (const date of dates)
    await addQueries(redis, date, [{ query: "pho", searches: 2, empty: 1, callers: FIVE }]);
  const frequent = await readFrequentQueries(redis, { dates, emptyOnly: false, limit: 5 });
  expect(frequent).toStrictEqual([{ query: "pho", searches: 6, empty: 3 }]);

  const queue = createWriteQueue(redis, "places");
  const write = { id: "w1", callerId: "caller", records: [{ value: {} }] };
  const repeat = { key: "once", fingerprint: "same" };
  expect(await queue.accept(write, repeat)).toStrictEqual({ accepted: "w1" });
  expect(await queue.accept({ ...write, id: "w2" }, repeat)).toStrictEqual({ accepted: "w1" });
  await queue.untilStored();
  const [pending] = await queue.read(10);
  const decisions = { [pending!.streamId]: [{ line: 1, outcome: "created" as const }] };
  await queue.decide(decisions);
  expect(await queue.readDecisions()).toStrictEqual(decisions);
  await queue.settle([pending!], decisions);
  expect(await queue.count()).toBe(0);
  expect(await queue.readState("w1")).toMatchObject({ outcomes: [{ line: 1, outcome: "created" }] });
});

/** A caller whose minute is counted by this master, or by the replica that follows it. */
async function callerOn(node: number, perMinute: number, name = "caller"): Promise<Caller> {
  const redis = new Redis(cluster.masters[1]!.url);
  for (let number = 0; ; number += 1) {
    const callerId = `${name}-${number}`;
    const slot = (await redis.cluster("KEYSLOT", minuteLogKey(callerId))) as number;
    if (slot < SLOTS[node]![0] || slot > SLOTS[node]![1]) continue;
    redis.disconnect();
    return { callerId, limits: { perMinute, perDay: 0 }, scopes: new Set() };
  }
}

const LIMIT = 20;

test("when a master is killed, limits stay within what the guide says, and are exact again with its replica", async () => {
  const openLimiter = async (): Promise<Limiter> => {
    const { logger } = createLogBook();
    const redis = await connect();
    // Long, because a machine may be busy: what is sent to a node that is away fails at once.
    const guard = createRedisGuard({ logger, telemetry: noTelemetry, deadlineMs: 5_000 });
    const shared = { redis, askRedis: guard.askForLimits };
    return createLimiter({ shared, telemetry: noTelemetry, now: () => Temporal.Now.instant() });
  };
  /** As in two processes. */
  const limiters = [await openLimiter(), await openLimiter()];
  /** How many requests pass, of so many to each process. */
  const countPasses = async (caller: Caller, times: number): Promise<number> => {
    let passed = 0;
    for (let i = 0; i < times; i += 1)
      for (const limiter of limiters) if (!(await limiter.take(toContext(caller))).refusedBy) passed += 1;
    return passed;
  };
  const callers = await Promise.all([...SLOTS.keys()].map((node) => callerOn(node, LIMIT)));
  for (const caller of callers) expect(await countPasses(caller, 3)).toBe(6);

  await cluster.masters[0]!.kill();
  for (const caller of callers) {
    const passed = 6 + (await countPasses(caller, 2 * LIMIT));
    expect(passed).toBeGreaterThanOrEqual(LIMIT);
    expect(passed).toBeLessThanOrEqual(limiters.length * LIMIT);
  }

  const isShared = async (): Promise<boolean> => {
    const usages = await Promise.all(limiters.map((limiter) => limiter.peek(callers[0]!)));
    return usages.every((usage) => usage.isShared);
  };
  await expect.poll(isShared, { timeout: 60_000, interval: 100 }).toBe(true);
  for (const node of SLOTS.keys())
    expect(await countPasses(await callerOn(node, LIMIT, "late"), LIMIT)).toBe(LIMIT);
});
