import { stat } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRedisGuard } from "../../../src/redis/redis-guard.ts";
import { createTelemetryRecord } from "../../support/telemetry-record.ts";
import { createLogBook } from "../../support/log-lines.ts";

const fail = (): Promise<string> => Promise.reject(new Error("gone"));
const succeed = (): Promise<string> => Promise.resolve("answer");
const hang = (): Promise<string> => new Promise(() => {});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createTestGuard() {
  const { telemetry, heard } = createTelemetryRecord();
  const logBook = createLogBook();
  const { askForKey, askForLimits } = createRedisGuard({ logger: logBook.logger, telemetry });
  const ask = (attempt: () => Promise<string>) => askForLimits("take_limits", attempt);
  const askKey = (attempt: () => Promise<string>) => askForKey("key", attempt);
  const events = (): string[] => logBook.lines().map(({ event }) => event);
  return { ask, askKey, heard, logBook, events };
}

test("a response is passed on", async () => {
  const { ask, heard } = createTestGuard();
  expect(await ask(succeed)).toBe("answer");
  expect(heard("callEnded")).toMatchObject([
    [{ dependency: "redis", operation: "take_limits", outcome: "ok" }],
  ]);
});

test("after a failure Redis is not called until the pause is over", async () => {
  const { ask } = createTestGuard();
  expect(await ask(fail)).toBeUndefined();
  expect(await ask(succeed)).toBeUndefined();
  await vi.advanceTimersByTimeAsync(999);
  expect(await ask(succeed)).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(await ask(succeed)).toBe("answer");
});

test("a call without a response is given up after 50 ms", async () => {
  const { ask, heard } = createTestGuard();
  const asked = ask(hang);
  await vi.advanceTimersByTimeAsync(50);
  expect(await asked).toBeUndefined();
  expect(heard("callEnded")).toMatchObject([[{ outcome: "timed_out", durationMs: 50 }]]);
});

test("a response that arrived while this process was blocked is still read", async () => {
  vi.useRealTimers();
  const { logger } = createLogBook();
  const { telemetry } = createTelemetryRecord();
  const { askForLimits } = createRedisGuard({ logger, telemetry, deadlineMs: 200 });
  // It comes from outside, as that of a server does, and after an immediate the timers are looked at before those.
  await setImmediate();
  const asked = askForLimits("take_limits", () => stat(import.meta.filename));
  const until = performance.now() + 400;
  while (performance.now() < until) continue;
  expect((await asked)?.isFile()).toBe(true);
});

test("while one request retries Redis, others do not wait", async () => {
  const { ask } = createTestGuard();
  await ask(fail);
  await vi.advanceTimersByTimeAsync(1_000);
  const trial = Promise.withResolvers<string>();
  const first = ask(() => trial.promise);
  expect(await ask(succeed)).toBeUndefined();
  trial.resolve("answer");
  expect(await first).toBe("answer");
  expect(await ask(succeed)).toBe("answer");
});

test("an outage is logged once at its beginning and once at its end", async () => {
  const { ask, events, logBook, heard } = createTestGuard();
  await Promise.all([ask(fail), ask(fail), ask(fail)]);
  for (let i = 0; i < 3; i += 1) {
    await vi.advanceTimersByTimeAsync(1_000);
    await ask(fail);
  }
  await vi.advanceTimersByTimeAsync(1_000);
  await ask(succeed);
  expect(events()).toStrictEqual(["rate_limiter_unavailable", "rate_limiter_recovered"]);
  expect(logBook.lines("rate_limiter_recovered")[0]).toMatchObject({
    duration_ms: 4_000,
    unanswered: 6,
  });
  expect(heard("breakerChanged")).toStrictEqual([
    ["redis", "open"],
    ...Array.from({ length: 3 }, () => [
      ["redis", "half_open"],
      ["redis", "open"],
    ]).flat(),
    ["redis", "half_open"],
    ["redis", "closed"],
  ]);
});

test("a second outage is logged again", async () => {
  const { ask, events } = createTestGuard();
  await ask(fail);
  await vi.advanceTimersByTimeAsync(1_000);
  await ask(succeed);
  await ask(fail);
  expect(events()).toHaveLength(3);
});

test("a request that waited for its key in a hanging Redis does not wait again for its limits", async () => {
  const { ask, askKey, events, heard } = createTestGuard();
  const key = askKey(hang);
  await vi.advanceTimersByTimeAsync(50);
  expect(await key).toBeUndefined();
  expect(await ask(succeed)).toBeUndefined();
  expect(heard("callEnded")).toMatchObject([[{ operation: "key", outcome: "timed_out" }]]);
  expect(events()).toStrictEqual(["rate_limiter_unavailable"]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await ask(succeed)).toBe("answer");
});

test("a read-only Redis is still read for keys, and its breaker is reported as open", async () => {
  const { ask, askKey, heard } = createTestGuard();
  await ask(fail);
  expect(await askKey(succeed)).toBe("answer");
  expect(await ask(succeed)).toBeUndefined();
  expect(heard("breakerChanged")).toStrictEqual([["redis", "open"]]);
});

test("a key that fails once is asked for again; from the second time on one in a quarter of a second is", async () => {
  const { askKey, events } = createTestGuard();
  await askKey(fail);
  expect(events()).toStrictEqual([]);
  await askKey(fail);
  expect(await askKey(succeed)).toBeUndefined();
  await vi.advanceTimersByTimeAsync(250);
  expect(await askKey(succeed)).toBe("answer");
  expect(events()).toStrictEqual(["key_store_unavailable", "key_store_recovered"]);
});
