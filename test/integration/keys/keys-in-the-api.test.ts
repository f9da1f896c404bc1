import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeRedisConnection, createRedisConnection, waitForRedis } from "../../../src/redis/connection.ts";
import { buildKey } from "../../support/build-key.ts";
import { fakePlaces } from "../../support/fake-places.ts";
import { createLogBook } from "../../support/log-lines.ts";
import { startRedisServer, type RedisServer } from "../../support/redis-server.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";
import { readKeys } from "./run-keys.ts";

const SEARCH = "/api/maps/search?q=pho";

interface Reported {
  readonly id: string;
  readonly key: string;
  readonly last_used_at: string | null;
}

let redis: RedisServer;

beforeAll(async () => {
  redis = await startRedisServer();
});

afterAll(() => redis[Symbol.asyncDispose]());

const keys = <T = Reported>(...args: string[]): Promise<T> => readKeys<T>(args, { REDIS_URL: redis.url });
let aheadMs = 0;
const startApp = (): Promise<TestApp> =>
  startTestApp({ ...fakePlaces(), redisUrl: redis.url, clock: () => performance.now() + aheadMs });
const ask = (app: TestApp, key: string, target = SEARCH) =>
  app.ask(target, { headers: { "x-api-key": key } });

/** A change of a key is known everywhere after these milliseconds, as docs/keys.md promises. */
const KNOWN_AFTER_MS = 5_000;

/** A program that goes on with its key. The returned function ends it and tells which statuses it met. */
function askAllTheTime(app: TestApp, key: string): () => Promise<Set<number>> {
  const statuses = new Set<number>();
  let isOn = true;
  const asking = (async () => {
    while (isOn) {
      statuses.add((await ask(app, key)).status);
      await sleep(20);
    }
  })();
  return async () => {
    isOn = false;
    await asking;
    return statuses;
  };
}

describe("a key created by the command", () => {
  test("works at once, even on a server that refused it before", async () => {
    await using app = await startApp();
    const { key, id } = await keys("create", "--name", "first");
    const mistyped = key.slice(0, -1) + (key.endsWith("x") ? "y" : "x");
    expect((await ask(app, mistyped)).body).toMatchObject({ code: "invalid_api_key" });
    expect((await ask(app, key)).status).toBe(200);
    expect(app.logBook.lines("request").at(-1)).toMatchObject({ caller_id: id });
    expect(app.logBook.text()).not.toContain(key.slice(-20));
  });

  test("is refused by every server within five seconds after it was revoked", async () => {
    await using one = await startApp();
    await using two = await startApp();
    const { key, id } = await keys("create", "--name", "leaked");
    expect([(await ask(one, key)).status, (await ask(two, key)).status]).toStrictEqual([200, 200]);
    await keys("revoke", id);
    aheadMs += KNOWN_AFTER_MS;
    for (const app of [one, two])
      expect((await ask(app, key)).body).toMatchObject({ code: "revoked_api_key" });
    expect((await ask(one, key)).headers.get("www-authenticate")).toContain("x-api-key");
  });

  test("works with two secrets during a rotation, and with one afterwards", async () => {
    await using app = await startApp();
    const { key: older, id } = await keys("create", "--name", "rotated");
    const stopAsking = askAllTheTime(app, older);
    const { key: newer } = await keys("rotate", id, "--grace", "1h");
    // At once, also where the key was used a moment ago.
    expect([(await ask(app, newer)).status, (await ask(app, older)).status]).toStrictEqual([200, 200]);
    expect(await stopAsking()).toStrictEqual(new Set([200]));
    const { key: newest } = await keys("rotate", id, "--grace", "0");
    aheadMs += KNOWN_AFTER_MS;
    expect((await ask(app, newer)).body).toMatchObject({ code: "expired_api_key" });
    expect((await ask(app, newest)).status).toBe(200);
    expect((await ask(app, older)).body).toMatchObject({ code: "invalid_api_key" });
  });

  test("expires at the given minute", async () => {
    const clock = { now: Temporal.Now.instant() };
    await using app = await startTestApp({ ...fakePlaces(), redisUrl: redis.url, now: () => clock.now });
    const {
      key,
      id,
      expires_at: end,
    } = await keys<Reported & { expires_at: string }>("create", "--name", "trial", "--expires", "30m");
    clock.now = Temporal.Instant.from(end).subtract({ milliseconds: 1 });
    expect((await ask(app, key)).status).toBe(200);
    clock.now = Temporal.Instant.from(end);
    expect((await ask(app, key)).body).toMatchObject({ status: 401, code: "expired_api_key" });
    await keys("limit", id, "--expires", "2h");
    expect((await ask(app, key)).status).toBe(200);
  });

  test("allows what its scopes name, and a refusal names the missing scope", async () => {
    await using app = await startApp();
    const { key } = await keys("create", "--name", "scoped", "--scopes", "autocomplete,search");
    expect((await ask(app, key)).status).toBe(200);
    expect((await ask(app, key, "/api/maps/autocomplete?q=ph")).status).toBe(200);
    const refused = await ask(app, key, "/api/maps/place");
    expect(refused.body).toMatchObject({ status: 403, code: "missing_scope" });
    expect(refused.text).toContain('scope \\"place\\"');
  });

  test("shows its last use, once the server has written it", async () => {
    const { key, id } = await keys("create", "--name", "used");
    expect((await keys("show", id)).last_used_at).toBeNull();
    const before = Date.now();
    await (async () => {
      await using app = await startApp();
      await ask(app, key);
      expect((await keys("show", id)).last_used_at).toBeNull();
    })();
    const { last_used_at: usedAt } = await keys("show", id);
    expect(Date.parse(usedAt ?? "")).toBeGreaterThan(before - 1_000);
  });
});

test("a flood of unknown keys from one address is looked up only a limited number of times", async () => {
  await using app = await startApp();
  const { key: good } = await keys("create", "--name", "good");
  expect((await ask(app, good)).status).toBe(200);
  const statuses: number[] = [];
  const readsBefore = await countReads();
  for (let n = 0; n < 30; n += 1) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(app, buildKey().key)));
    statuses.push(...answers.map(({ status }) => status));
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(120);
  expect(statuses.filter((status) => status === 429)).toHaveLength(180);
  expect((await countReads()) - readsBefore).toBe(120);
  expect((await ask(app, good)).status).toBe(200);
});

/** How often anybody has read a field of a hash on this Redis. */
async function countReads(): Promise<number> {
  const connection = createRedisConnection({ url: redis.url, logger: createLogBook().logger });
  await waitForRedis(connection, 5_000);
  const stats = await connection.info("commandstats");
  await closeRedisConnection(connection);
  return Number(/cmdstat_hget:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

describe("a key that is restricted", () => {
  const askFrom = async (app: TestApp, key: string, headers: Record<string, string>) => {
    const { status, body } = await app.ask(SEARCH, { headers: { "x-api-key": key, ...headers } });
    return status === 200 ? 200 : (body as { code: string }).code;
  };

  test("to origins works for their pages only, by Origin or else Referer", async () => {
    await using app = await startApp();
    const { key, id } = await keys(
      "create",
      "--name",
      "page",
      "--origins",
      "https://a.example,http://b.example:81",
    );
    const from = (headers: Record<string, string>) => askFrom(app, key, headers);
    expect(await from({ origin: "https://a.example" })).toBe(200);
    expect(await from({ origin: "http://b.example:81" })).toBe(200);
    expect(await from({ referer: "https://a.example/map?q=1" })).toBe(200);
    for (const origin of ["http://a.example", "https://a.example.evil", "https://xa.example", "null"])
      expect(await from({ origin, referer: "https://a.example/" })).toBe("origin_not_allowed");
    for (const referer of [
      "https://evil.example/https://a.example",
      "https://a.example@evil.example/",
      "no URL",
    ])
      expect(await from({ referer })).toBe("origin_not_allowed");
    expect(await from({})).toBe("origin_not_allowed");
    const { status } = await app.ask("/api/usage", { headers: { "x-api-key": key } });
    expect(status).toBe(403);
    await keys("limit", id, "--origins", "any");
    await askUntilFine(app, key);
  });

  test("to addresses works from them only, behind a proxy from those of callers", async () => {
    await using app = await startTestApp({ ...fakePlaces(), redisUrl: redis.url, proxies: 1 });
    const { key } = await keys(
      "create",
      "--name",
      "job",
      "--addresses",
      "192.0.2.0/24,2001:db8::/32,198.51.100.7",
    );
    const from = (address: string) => askFrom(app, key, { "x-forwarded-for": address });
    for (const address of ["192.0.2.1", "192.0.2.255", "198.51.100.7", "2001:db8:1::5", "::ffff:192.0.2.9"])
      expect(await from(address)).toBe(200);
    for (const address of [
      "192.0.3.1",
      "198.51.100.8",
      "2001:db9::1",
      "::1",
      "203.0.113.5, 10.0.0.1",
      "nonsense",
    ])
      expect(await from(address)).toBe("address_not_allowed");
  });

  test("without Redis configured is never met: configured keys have no restriction", async () => {
    await using app = await startApp();
    expect(await askFrom(app, app.key, { origin: "https://anywhere.example" })).toBe(200);
  });

  test.each([
    ["--origins", "https://a.example/"],
    ["--origins", "*"],
    ["--origins", "a.example"],
    ["--origins", ""],
    ["--addresses", "192.0.2.0/33"],
    ["--addresses", "192.0.2"],
    ["--addresses", "2001:db8::/129"],
    ["--addresses", "example.com"],
    ["--addresses", "192.0.2.1/24/8"],
  ])("is not created with %s %s", async (option, value) => {
    await expect(keys("create", "--name", "wrong", option, value)).rejects.toThrow(/: 2 /);
  });

  async function askUntilFine(app: TestApp, key: string): Promise<void> {
    const startedAt = performance.now();
    while ((await askFrom(app, key, {})) !== 200) {
      if (performance.now() - startedAt > 10_000) throw new Error("still refused");
      await sleep(50);
    }
  }
});

describe("behind a proxy", () => {
  const flood = async (app: TestApp, from: (n: number) => string, times: number): Promise<Set<number>> => {
    const statuses = new Set<number>();
    for (let n = 0; n < times; n += 1) {
      const headers = { "x-api-key": "guess", "x-forwarded-for": from(n) };
      statuses.add((await app.ask(SEARCH, { headers })).status);
    }
    return statuses;
  };

  test("that is not configured, the forwarding header is ignored", async () => {
    await using app = await startTestApp({ ...fakePlaces(), redisUrl: redis.url });
    expect(await flood(app, (n) => `192.0.2.${n}`, 121)).toContain(429);
  });

  test("that is configured, addresses are counted separately, and forged entries are ignored", async () => {
    await using app = await startTestApp({ ...fakePlaces(), redisUrl: redis.url, proxies: 1 });
    expect(await flood(app, (n) => `192.0.2.${n}`, 121)).toStrictEqual(new Set([401]));
    expect(await flood(app, (n) => `192.0.2.${n}, 198.51.100.7`, 121)).toContain(429);
  });

  test("the addresses of one IPv6 network are counted together", async () => {
    await using app = await startTestApp({ ...fakePlaces(), redisUrl: redis.url, proxies: 1 });
    expect(await flood(app, (n) => `2001:db8:0:${n}::1`, 121)).toStrictEqual(new Set([401]));
    expect(await flood(app, (n) => `2001:db8::${n.toString(16)}`, 121)).toContain(429);
  });
});
