import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  atNoCost,
  chargeEngine,
  measureCost,
  watchOthers,
  whileWaiting,
  type Cost,
} from "../../../src/telemetry/request-cost.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** The event loop works for so long, and on nothing else. */
const work = (milliseconds: number): void => void vi.advanceTimersByTime(milliseconds);

const later = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, milliseconds));

/** Runs a request and returns what it is charged, first at its end. */
function run(request: () => Promise<unknown>) {
  const charged: Cost[] = [];
  const outcome = measureCost(request, {
    companyOf: () => "none",
    charge: ({ apiMs, engineMs }) => void charged.push({ apiMs, engineMs }),
  });
  return { outcome, charged };
}

test("a request is charged what this process worked on it, and what the engine says", async () => {
  const { outcome, charged } = run(async () => {
    work(3);
    chargeEngine(7);
    chargeEngine(0.5);
    return "answer";
  });
  expect(await outcome).toBe("answer");
  expect(charged).toStrictEqual([{ apiMs: 3, engineMs: 7.5 }]);
});

test.each([
  { how: "later", fail: async (): Promise<never> => Promise.reject(new Error("broken")) },
  {
    how: "at once",
    fail: (): Promise<never> => {
      throw new Error("broken");
    },
  },
])("a request that fails $how is charged the same, once", async ({ fail }) => {
  const { outcome, charged } = run(() => {
    work(3);
    chargeEngine(7);
    return fail();
  });
  await expect(outcome).rejects.toThrow("broken");
  expect(charged).toStrictEqual([{ apiMs: 3, engineMs: 7 }]);
});

test("waiting costs nothing, alone or for several responses at once, also when one fails", async () => {
  const { outcome, charged } = run(async () => {
    work(2);
    const failing = whileWaiting(() => later(50).then(() => Promise.reject(new Error("broken"))));
    await Promise.allSettled([whileWaiting(() => later(100)), failing]);
    work(4);
  });
  await vi.advanceTimersByTimeAsync(100);
  await outcome;
  expect(charged).toStrictEqual([{ apiMs: 6, engineMs: 0 }]);
});

test("requests side by side are each charged their own work", async () => {
  const wait = (id: number) => async () => {
    work(id);
    await whileWaiting(() => later(100));
    chargeEngine(10 * id);
    work(id);
  };
  const runs = [1, 2, 3].map((id) => run(wait(id)));
  await vi.advanceTimersByTimeAsync(200);
  await Promise.all(runs.map(({ outcome }) => outcome));
  expect(runs.flatMap(({ charged }) => charged)).toStrictEqual([
    { apiMs: 2, engineMs: 10 },
    { apiMs: 4, engineMs: 20 },
    { apiMs: 6, engineMs: 30 },
  ]);
});

test("what the engine does for a request that is over is told late", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let search = Promise.resolve();
  const { outcome, charged } = run(async () => {
    search = promise.then(() => chargeEngine(9));
  });
  await outcome;
  const atTheEnd = { apiMs: 0, engineMs: 0 };
  expect(charged).toStrictEqual([atTheEnd]);
  resolve();
  await search;
  expect(charged).toStrictEqual([atTheEnd, { apiMs: 0, engineMs: 9 }]);
});

test("work at no cost is not charged, and knows no request", async () => {
  const { outcome, charged } = run(async () => {
    expect(watchOthers()?.()).toBe("none");
    atNoCost(() => {
      chargeEngine(9);
      expect(watchOthers()).toBeUndefined();
    });
  });
  await outcome;
  expect(charged).toStrictEqual([{ apiMs: 0, engineMs: 0 }]);
});

test("outside of requests nothing is measured", async () => {
  chargeEngine(5);
  expect(await whileWaiting(async () => "answer")).toBe("answer");
});
