import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { inject, afterAll, beforeAll, expect, test } from "vitest";
import { buildPlace } from "../../support/build-place.ts";
import type { LimitedServerOptions } from "../../support/limited-server.ts";
import { startRedisServer } from "../../support/redis-server.ts";
import { createTestIndex, type TestIndex } from "../../support/test-index.ts";

const PROGRAM = new URL("../../support/limited-server.ts", import.meta.url);
const LIMIT = 150;
/** Of more than the limit, so that each process alone could use it up. */
const REQUESTS_EACH = 225;
const CONNECTIONS_EACH = 32;
const ROUNDS = 2;

interface Server extends AsyncDisposable {
  readonly url: string;
}

const place = buildPlace();
let testIndex: TestIndex;

beforeAll(async () => {
  testIndex = await createTestIndex([place]);
});

afterAll(() => testIndex[Symbol.asyncDispose]());

const createKeys = (): string[] =>
  Array.from({ length: ROUNDS }, () => `both-${randomBytes(12).toString("hex")}`);

async function startServer(
  limits: Pick<LimitedServerOptions, "keys" | "perMinute" | "perDay">,
  redisUrl = inject("redisUrl"),
) {
  const { topology } = testIndex;
  const options: LimitedServerOptions = { topology, redisUrl, ...limits };
  const child = fork(PROGRAM, [JSON.stringify(options)]);
  const [url] = (await once(child, "message")) as [string];
  const server: Server = {
    url,
    async [Symbol.asyncDispose]() {
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    },
  };
  return server;
}

/** Many requests, some at a time, and the count of each status. */
async function fire(server: Server, key: string): Promise<Map<number, number>> {
  const target = `${server.url}/api/maps/place?data_id=${encodeURIComponent(place.data_id)}`;
  const statuses = new Map<number, number>();
  let started = 0;
  const askOneAfterTheOther = async (): Promise<void> => {
    while (started < REQUESTS_EACH) {
      started += 1;
      const response = await fetch(target, { headers: { "x-api-key": key } });
      await response.arrayBuffer();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS_EACH }, askOneAfterTheOther));
  return statuses;
}

test("of simultaneous requests to two processes, exactly as many pass as the minute and day together allow", async () => {
  const keys = createKeys();
  const limits = { perMinute: LIMIT, perDay: LIMIT, keys };
  await using one = await startServer(limits);
  await using other = await startServer(limits);
  for (const key of keys) {
    const [here, there] = await Promise.all([fire(one, key), fire(other, key)]);
    const count = (status: number): number => (here.get(status) ?? 0) + (there.get(status) ?? 0);
    expect({ passed: count(200), refused: count(429) }).toStrictEqual({
      passed: LIMIT,
      refused: 2 * REQUESTS_EACH - LIMIT,
    });
  }
});

test("without Redis, each of two processes enforces the limit alone, as documented", async () => {
  const keys = createKeys();
  await using redis = await startRedisServer();
  await using one = await startServer({ keys, perMinute: LIMIT, perDay: 0 }, redis.url);
  await using other = await startServer({ keys, perMinute: LIMIT, perDay: 0 }, redis.url);
  await redis.kill();
  const [key = ""] = keys;
  const [here, there] = await Promise.all([fire(one, key), fire(other, key)]);
  const expected = new Map([
    [200, LIMIT],
    [429, REQUESTS_EACH - LIMIT],
  ]);
  expect([here, there]).toStrictEqual([expected, expected]);
});
