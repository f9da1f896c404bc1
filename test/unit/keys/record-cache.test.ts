import { stat } from "node:fs/promises";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { KeyRecordError, type KeyRecord } from "../../../src/keys/key-record.ts";
import { createRecordCache } from "../../../src/keys/record-cache.ts";
import { createRedisGuard } from "../../../src/redis/redis-guard.ts";
import { noTelemetry } from "../../../src/telemetry/telemetry.ts";
import { buildKey } from "../../support/build-key.ts";
import { createLogBook } from "../../support/log-lines.ts";

const yes = () => true;
const DAY_MS = 86_400_000;
const GONE = { failed: "unavailable" } as const;

const { record } = buildKey();
const changed: KeyRecord = { ...record, revision: 2 };

type Read = (id: string) => Promise<KeyRecord | undefined>;

/** A cache in front of a store that can be changed, with a clock that stands still until it is moved. */
function cacheOf(read: Read) {
  const world = { nowMs: 1_000_000, read, reads: 0 };
  const logBook = createLogBook();
  const { logger } = logBook;
  const cache = createRecordCache({
    askStore: createRedisGuard({ logger, telemetry: noTelemetry }).askForKey,
    read(id) {
      world.reads += 1;
      return world.read(id);
    },
    logger,
    telemetry: noTelemetry,
    clock: () => world.nowMs,
  });
  const find = async (id: string, admit: () => boolean) => {
    const { isRemembered: _, ...answer } = await cache.find(id, admit);
    return answer;
  };
  return { world, find, cache, logBook };
}

const always =
  (answer: KeyRecord | undefined): Read =>
  () =>
    Promise.resolve(answer);
const broken: Read = () => Promise.reject(new Error("Redis is gone"));
const hanging: Read = () => new Promise(() => {});

test("a fresh record is not read again", async () => {
  const { world, find } = cacheOf(always(record));
  await find(record.id, yes);
  world.nowMs += 1_999;
  expect(await find(record.id, yes)).toStrictEqual({ record });
  expect(world.reads).toBe(1);
});

test("a cached record is distinguished from one just read", async () => {
  const { world, cache } = cacheOf(always(record));
  expect(await cache.find(record.id, yes)).toStrictEqual({ record });
  expect(await cache.find(record.id, yes)).toStrictEqual({ record, isRemembered: true });
  world.read = always(changed);
  expect(await cache.readAgain(record.id)).toStrictEqual({ record: changed });
  expect(await cache.find(record.id, yes)).toStrictEqual({ record: changed, isRemembered: true });
});

test("a record of two seconds is returned at once and refreshed in the background", async () => {
  const { world, find } = cacheOf(always(record));
  await find(record.id, yes);
  world.read = always(changed);
  world.nowMs += 2_000;
  expect(await find(record.id, yes)).toStrictEqual({ record });
  await sleep(0);
  expect(await find(record.id, yes)).toStrictEqual({ record: changed });
  expect(world.reads).toBe(2);
});

test("after four seconds a request waits for the new record", async () => {
  const { world, find } = cacheOf(always(record));
  await find(record.id, yes);
  world.read = always(changed);
  world.nowMs += 4_000;
  expect(await find(record.id, yes)).toStrictEqual({ record: changed });
});

test("a record that was removed from the store is gone after four seconds", async () => {
  const { world, find } = cacheOf(always(record));
  await find(record.id, yes);
  world.read = always(undefined);
  world.nowMs += 4_000;
  expect(await find(record.id, yes)).toStrictEqual({ record: undefined });
});

test.each([
  ["fails", broken],
  ["hangs", hanging],
])("while the store %s a cached record is valid for a day, and no longer", async (_, gone) => {
  const { world, find } = cacheOf(always(record));
  await find(record.id, yes);
  world.read = gone;
  world.nowMs += DAY_MS - 1;
  expect(await find(record.id, yes)).toStrictEqual({ record });
  world.nowMs += 1;
  expect(await find(record.id, yes)).toStrictEqual(GONE);
});

test("a key that is new here survives a store that fails or is silent for a moment, which is no outage", async () => {
  for (const first of [broken, hanging]) {
    const { world, find, logBook } = cacheOf(always(record));
    world.read = (id) => {
      world.read = always(record);
      return first(id);
    };
    expect(await find(record.id, yes)).toStrictEqual({ record });
    expect(logBook.lines("key_store_unavailable")).toStrictEqual([]);
  }
});

test("a key that is new here waits through the pause after an outage", async () => {
  const { world, find } = cacheOf(broken);
  expect(await find("other", yes)).toStrictEqual(GONE);
  world.read = always(record);
  expect(await find(record.id, yes)).toStrictEqual({ record });
});

test("a response that arrived while this process was blocked is not too late", async () => {
  // Like the answer of a socket it is there, and is looked at after the timers.
  const { find } = cacheOf(() => stat(import.meta.filename).then(() => record));
  // After this turn of the loop the timers are the next to be looked at.
  await nextTurn();
  const answer = find(record.id, yes);
  const until = performance.now() + 150;
  while (performance.now() < until);
  expect(await answer).toStrictEqual({ record });
});

test("without admission an unknown key is not read", async () => {
  const { world, find } = cacheOf(always(record));
  expect(await find(record.id, () => false)).toStrictEqual({ failed: "not_admitted" });
  expect(world.reads).toBe(0);
  await find(record.id, yes);
  world.nowMs += 4_000;
  expect(await find(record.id, () => false)).toStrictEqual({ record });
  expect(world.reads).toBe(2);
});

test("an unknown id is cached as such for four seconds", async () => {
  const { world, find } = cacheOf(always(undefined));
  await find(record.id, yes);
  world.nowMs += 3_999;
  expect(await find(record.id, () => false)).toStrictEqual({ record: undefined });
  expect(world.reads).toBe(1);
  world.nowMs += 1;
  world.read = always(record);
  expect(await find(record.id, yes)).toStrictEqual({ record });
});

test("simultaneous requests for a key read the store once", async () => {
  const { world, find } = cacheOf(always(record));
  const answers = await Promise.all(Array.from({ length: 200 }, () => find(record.id, yes)));
  expect(answers).toStrictEqual(answers.map(() => ({ record })));
  expect(world.reads).toBe(1);
});

test("of very many unknown keys at once a limited number is looked up, and the others have to retry", async () => {
  const { world, find } = cacheOf(hanging);
  const answers = Promise.all(
    Array.from({ length: 1_000 }, (_, n) => find(String(n).padStart(12, "0"), yes)),
  );
  expect(world.reads).toBe(64);
  const busy = (await answers).filter((answer) => "failed" in answer && answer.failed === "busy");
  expect(busy).toHaveLength(936);
});

test("a flood of unknown keys does not evict a valid one", async () => {
  const { world, find } = cacheOf((id) => Promise.resolve(id === record.id ? record : undefined));
  await find(record.id, yes);
  for (let n = 0; n < 20_100; n += 1) await find(String(n).padStart(12, "0"), yes);
  world.read = broken;
  expect(await find(record.id, yes)).toStrictEqual({ record });
});

test("a late response does not replace a newer one", async () => {
  const late = Promise.withResolvers<KeyRecord>();
  const { world, find } = cacheOf(() => late.promise);
  expect(await find(record.id, yes)).toStrictEqual(GONE);
  world.read = always(changed);
  world.nowMs += 250;
  expect(await find(record.id, yes)).toStrictEqual({ record: changed });
  late.resolve(record);
  await sleep(0);
  expect(await find(record.id, yes)).toStrictEqual({ record: changed });
});

test("a damaged record gives no access, is logged, and is not an outage", async () => {
  const { find, logBook } = cacheOf(() => Promise.reject(new KeyRecordError("it is no JSON")));
  expect(await find(record.id, yes)).toStrictEqual({ record: undefined });
  expect(logBook.lines().map(({ event }) => event)).toStrictEqual(["key_record_unreadable"]);
});
