import { expect, test } from "vitest";
import { createBreaker } from "../../../src/middleware/circuit-breaker.ts";

const fail = (): Promise<string> => Promise.reject(new Error("gone"));
const succeed = (): Promise<string> => Promise.resolve("redis");
const fallback = (): Promise<string> => Promise.resolve("memory");

function createTestBreaker() {
  const events: string[] = [];
  const clock = { ms: 0 };
  const breaker = createBreaker({
    pauseMs: 1_000,
    onOpen: (error) => events.push(`open: ${String(error)}`),
    onClose: ({ durationMs, fallbacks }) =>
      events.push(`closed after ${durationMs} ms, ${fallbacks} fallbacks`),
    clock: () => clock.ms,
  });
  return { breaker, events, clock };
}

test("a failed attempt is answered by the fallback", async () => {
  const { breaker } = createTestBreaker();
  expect(await breaker(fail, fallback)).toBe("memory");
});

test("an error of the fallback is not hidden", async () => {
  const { breaker } = createTestBreaker();
  await expect(breaker(fail, () => Promise.reject(new Error("bug")))).rejects.toThrow("bug");
});

test("after a failure nothing is attempted until the pause is over", async () => {
  const { breaker, clock } = createTestBreaker();
  await breaker(fail, fallback);
  let attempts = 0;
  const count = (): Promise<string> => {
    attempts += 1;
    return fail();
  };
  clock.ms = 999;
  await breaker(count, fallback);
  expect(attempts).toBe(0);
  clock.ms = 1_000;
  await breaker(count, fallback);
  await breaker(count, fallback);
  expect(attempts).toBe(1);
});

test("while one request waits for the broken thing the others do not", async () => {
  const { breaker, clock } = createTestBreaker();
  await breaker(fail, fallback);
  clock.ms = 1_000;
  const hanging = Promise.withResolvers<string>();
  const first = breaker(() => hanging.promise, fallback);
  expect(await breaker(() => hanging.promise, fallback)).toBe("memory");
  hanging.resolve("redis");
  expect(await first).toBe("redis");
});

test("an outage is told once when it begins and once when it ends", async () => {
  const { breaker, events, clock } = createTestBreaker();
  await Promise.all([breaker(fail, fallback), breaker(fail, fallback), breaker(fail, fallback)]);
  await breaker(fail, fallback);
  clock.ms = 1_500;
  expect(await breaker(succeed, fallback)).toBe("redis");
  expect(await breaker(succeed, fallback)).toBe("redis");
  expect(events).toStrictEqual(["open: Error: gone", "closed after 1500 ms, 4 fallbacks"]);
});

test("a second outage is told again", async () => {
  const { breaker, events, clock } = createTestBreaker();
  await breaker(fail, fallback);
  clock.ms = 1_000;
  await breaker(succeed, fallback);
  await breaker(fail, fallback);
  expect(events).toHaveLength(3);
});
