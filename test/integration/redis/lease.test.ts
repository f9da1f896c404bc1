import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import {
  closeRedisConnection,
  createRedisConnection,
  waitForRedis,
  type RedisConnection,
} from "../../../src/redis/connection.ts";
import { leaseKeys } from "../../../src/redis/keys.ts";
import {
  isLease,
  LeaseLostError,
  readLeaseHolder,
  releaseOrphanedLeases,
  tryLease,
  waitForLease,
  type Lease,
} from "../../../src/redis/lease.ts";
import { createLogBook } from "../../support/log-lines.ts";
import { startRedisServer, type RedisServer } from "../../support/redis-server.ts";

const connect = async (url: string, commandTimeoutMs = 1_000): Promise<RedisConnection> => {
  const redis = createRedisConnection({ url, logger: createLogBook().logger, commandTimeoutMs });
  await waitForRedis(redis, 5_000);
  return redis;
};

let redis: RedisConnection;
beforeAll(async () => {
  redis = await connect(inject("redisUrl"));
});
afterAll(() => closeRedisConnection(redis));

const optionsOf = (command: string, leaseMs?: number, name: string = randomUUID()) => ({
  keys: leaseKeys(name, "write"),
  command,
  host: "here",
  ...(leaseMs !== undefined && { leaseMs }),
});

async function take(options: ReturnType<typeof optionsOf>, from = redis): Promise<Lease> {
  const taken = await tryLease(from, options);
  if (!isLease(taken)) throw new Error(`held by ${taken.command}`);
  onTestFinished(() => taken.release());
  return taken;
}

/** Keeps the process busy, so that no renewal is sent. */
function block(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

const patience = () => ({ signal: AbortSignal.timeout(5_000), onWait: () => {} });

describe("a lease that is held", () => {
  test("is refused to another process with the name of its holder", async () => {
    const options = optionsOf("import");
    await take(options);
    const refused = await tryLease(redis, { ...options, command: "sync" });
    expect(refused).toMatchObject({ command: "import", host: "here", pid: process.pid });
    expect(await readLeaseHolder(redis, options.keys)).toEqual(refused);
  });

  test("is released by the process that restarted this Redis, and only then", async () => {
    const name = randomUUID();
    const before = optionsOf("import", undefined, name);
    await take(before);
    await sleep(5);
    const startedAt = new Date();
    const after = { ...before, keys: leaseKeys(name, "rebuild") };
    await take(after);
    await releaseOrphanedLeases(redis, name, startedAt);
    expect(await readLeaseHolder(redis, before.keys)).toBeUndefined();
    expect(await readLeaseHolder(redis, after.keys)).toMatchObject({ command: "import" });
  });

  test("is not released by a process that lost it", async () => {
    const options = optionsOf("apply", 200);
    const first = await take(options);
    await redis.del(options.keys.held);
    await take({ ...options, command: "sync" });
    await first.release();
    expect(await readLeaseHolder(redis, options.keys)).toMatchObject({ command: "sync" });
  });

  test("is renewed while its holder lives", async () => {
    const options = optionsOf("import", 300);
    const lease = await take(options);
    await sleep(900);
    await lease.check();
    expect(await readLeaseHolder(redis, options.keys)).toMatchObject({ command: "import" });
  });

  test("aborts the work of a holder that lost it", async () => {
    const options = optionsOf("import", 150);
    const lease = await take(options);
    await redis.set(options.keys.held, "{}");
    await expect.poll(() => lease.signal.aborted).toBe(true);
    await expect(lease.check()).rejects.toThrow(LeaseLostError);
    await redis.del(options.keys.held);
  });

  test("outlives a holder that was blocked for longer than it, if nobody took it", async () => {
    const options = optionsOf("import", 200);
    const lease = await take(options);
    block(400);
    await lease.check();
    expect(await readLeaseHolder(redis, options.keys)).toMatchObject({ command: "import" });
  });

  test("is lost by a holder that was blocked while another process held it", async () => {
    const options = optionsOf("import", 200);
    const lease = await take(options);
    await redis.del(options.keys.held);
    const between = await take({ ...options, command: "apply" });
    await between.release();
    block(400);
    await expect(lease.check()).rejects.toThrow(LeaseLostError);
    expect(await readLeaseHolder(redis, options.keys)).toBeUndefined();
  });
});

describe("a lease that is free", () => {
  test("goes to one of many simultaneous requesters", async () => {
    const options = optionsOf("apply");
    const taken = await Promise.all(Array.from({ length: 20 }, () => tryLease(redis, options)));
    const leases = taken.filter(isLease);
    expect(leases).toHaveLength(1);
    await leases[0]?.release();
    expect(await readLeaseHolder(redis, options.keys)).toBeUndefined();
  });

  test("is free some time after its holder crashed", async () => {
    const options = optionsOf("import", 300);
    const crashing = await connect(inject("redisUrl"));
    await take(options, crashing);
    crashing.disconnect();
    const lease = await waitForLease(redis, { ...options, command: "apply" }, patience());
    expect(await readLeaseHolder(redis, options.keys)).toMatchObject({ command: "apply" });
    await lease.release();
  });
});

describe("waiting for a lease", () => {
  test("ends when the holder releases it, which hears of it, and reports the holder", async () => {
    const options = optionsOf("apply");
    const held = await take(options);
    const waitedFor: string[] = [];
    expect(await held.isWanted()).toBe(false);
    const waiting = waitForLease(
      redis,
      { ...options, command: "import" },
      {
        ...patience(),
        onWait: ({ command }) => waitedFor.push(command),
      },
    );
    await expect.poll(() => waitedFor).toEqual(["apply"]);
    expect(await held.isWanted()).toBe(true);
    await held.release();
    const next = await waiting;
    expect(await next.isWanted()).toBe(false);
    await next.release();
  });

  test("ends with the signal", async () => {
    const options = optionsOf("apply");
    await take(options);
    const controller = new AbortController();
    const waiting = waitForLease(redis, options, {
      signal: controller.signal,
      onWait: () => controller.abort(new Error("enough")),
    });
    await expect(waiting).rejects.toThrow("enough");
  });

  test("does not starve behind a process that requests it again and again", async () => {
    const options = optionsOf("apply");
    const first = await take(options);
    let isWaiting = false;
    const waiting = waitForLease(
      redis,
      { ...options, command: "import" },
      {
        ...patience(),
        onWait: () => (isWaiting = true),
      },
    );
    await expect.poll(() => isWaiting).toBe(true);
    await first.release();
    const again = waitForLease(redis, options, patience());
    const imported = await waiting;
    expect(await readLeaseHolder(redis, options.keys)).toMatchObject({ command: "import" });
    await imported.release();
    await (await again).release();
  });
});

describe("when the holder and Redis stall in turn", () => {
  /** Redis hangs, and still does when the holder wakes after its lease has expired; then it goes on. */
  async function stall(server: RedisServer, ms: number, lease: Lease): Promise<void> {
    server.hang();
    block(ms);
    const revived = sleep(400).then(() => server.goOn());
    await Promise.all([lease.check(), revived]);
  }

  test("the lease outlives them as long as nobody took it", async () => {
    await using server = await startRedisServer();
    const own = await connect(server.url, 200);
    onTestFinished(() => closeRedisConnection(own));
    const options = optionsOf("import", 3_000);
    const lease = await take(options, own);
    for (let round = 1; round <= 3; round += 1) await stall(server, 3_500, lease);
    expect(lease.signal.aborted).toBe(false);
    expect(await readLeaseHolder(own, options.keys)).toMatchObject({ command: "import" });
  });

  test("the lease is lost when another process took it, also if that has released it", async () => {
    await using server = await startRedisServer();
    const own = await connect(server.url, 200);
    onTestFinished(() => closeRedisConnection(own));
    const options = optionsOf("import", 3_000);
    const lease = await take(options, own);
    await own.del(options.keys.held);
    await (await take({ ...options, command: "apply" }, own)).release();
    await expect(stall(server, 3_500, lease)).rejects.toThrow(LeaseLostError);
    expect(lease.signal.aborted).toBe(true);
  });

  test("waiting for the lease goes on", async () => {
    await using server = await startRedisServer();
    const [holding, own] = [await connect(server.url), await connect(server.url, 200)];
    onTestFinished(async () => void (await Promise.all([holding, own].map(closeRedisConnection))));
    const options = { ...optionsOf("import", 3_000), keys: leaseKeys(randomUUID(), "write") };
    const held = await take(options, holding);
    let isWaiting = false;
    const waiting = waitForLease(
      own,
      { ...options, command: "apply" },
      { signal: AbortSignal.timeout(60_000), onWait: () => (isWaiting = true) },
    );
    await expect.poll(() => isWaiting).toBe(true);
    server.hang();
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    vi.advanceTimersByTime(60_000);
    await sleep(400);
    server.goOn();
    await sleep(1_000);
    await held.release();
    await (await waiting).release();
  });
});

test("a holder without Redis stops before another process can get the lease", async () => {
  await using server = await startRedisServer();
  const own = await connect(server.url);
  onTestFinished(() => closeRedisConnection(own));
  const lease = await take(optionsOf("import", 600), own);
  await server.kill();
  await expect.poll(() => lease.signal.aborted, { timeout: 5_000 }).toBe(true);
  expect(lease.signal.reason).toBeInstanceOf(LeaseLostError);
});
