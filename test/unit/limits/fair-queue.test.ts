import { setTimeout as sleep } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createFairQueue } from "../../../src/limits/fair-queue.ts";

const PATIENT = new AbortController().signal;

/** On two cores a caller alone has eight requests under way, and callers who share four. */
const CORES = 2;
const ALONE = 8;
const SHARED = 4;
const WAITING_PER_CALLER = 32;

/** A queue with a clock that is set by hand. Requests end when told, and a list says whose have begun. */
function setUp(processes = 1) {
  const state = { nowMs: 0, delayMs: 0 };
  const shed: string[] = [];
  const queue = createFairQueue({
    cores: CORES,
    processes,
    clock: () => state.nowMs,
    delayMs: () => state.delayMs,
    refuse: (reason) => new Error(`shed ${shed.push(reason)}`),
  });
  const running: { readonly callerId: string; readonly end: () => void }[] = [];
  const begun: string[] = [];
  const put = (callerId: string, signal: AbortSignal = PATIENT): Promise<unknown> => {
    const asked = queue.run(
      callerId,
      () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        begun.push(callerId);
        running.push({ callerId, end: resolve });
        return promise;
      },
      signal,
    );
    asked.catch(() => undefined);
    return asked;
  };
  const putMany = (callerId: string, count: number): { readonly last: Promise<unknown> } => {
    const asked = Array.from({ length: count }, () => put(callerId));
    return { last: asked.at(-1) ?? Promise.resolve() };
  };
  const underWay = (callerId: string): number => running.filter((one) => one.callerId === callerId).length;
  /** Ends the oldest request of a caller after so many milliseconds. */
  const endOne = async (callerId: string, afterMs = 10): Promise<void> => {
    state.nowMs += afterMs;
    const index = running.findIndex((one) => one.callerId === callerId);
    running.splice(index, 1)[0]?.end();
    await nextTurn();
  };
  return { state, shed, put, putMany, begun, underWay, endOne, running };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test("a caller alone has enough concurrent requests to keep the engine busy", async () => {
  const { putMany, underWay } = setUp();
  putMany("one", 20);
  await nextTurn();
  expect(underWay("one")).toBe(ALONE);
});

test("of several processes, each has its part of what one would have under way and waiting", async () => {
  const { put, putMany, underWay } = setUp(4);
  putMany("one", (ALONE + WAITING_PER_CALLER) / 4);
  await nextTurn();
  expect(underWay("one")).toBe(ALONE / 4);
  await expect(put("one")).rejects.toThrow("shed");
});

test("a second caller starts at once, and the first falls back to half", async () => {
  const { put, putMany, underWay, endOne } = setUp();
  putMany("greedy", 40);
  void put("modest");
  await nextTurn();
  expect(underWay("modest")).toBe(1);
  for (let i = 0; i < 20; i += 1) await endOne("greedy", 70);
  expect(underWay("greedy")).toBeLessThanOrEqual(SHARED);
  expect(underWay("greedy")).toBeGreaterThanOrEqual(SHARED / 2);
});

test("two callers with equal requests have equally many running", async () => {
  const { putMany, underWay, endOne, running } = setUp();
  putMany("one", 32);
  putMany("two", 32);
  for (let i = 0; i < 30; i += 1) await endOne(running[0]!.callerId);
  expect([underWay("one"), underWay("two")]).toStrictEqual([SHARED / 2, SHARED / 2]);
});

test("of waiting callers, the one whose requests took less time comes first", async () => {
  const { put, putMany, begun, endOne } = setUp();
  putMany("dear", ALONE);
  await nextTurn();
  for (let i = 0; i < ALONE; i += 1) await endOne("dear", 100);
  // Twelve callers take every place there is, and two wait.
  for (let i = 0; i < ALONE + SHARED; i += 1) void put(`caller ${i}`);
  void put("dear");
  void put("cheap");
  await nextTurn();
  await endOne("caller 0");
  expect(begun.at(-1)).toBe("cheap");
  await endOne("caller 1");
  expect(begun.at(-1)).toBe("dear");
});

test("a caller with too many waiting requests is refused, and no other", async () => {
  const { put, putMany, shed, begun } = setUp();
  putMany("greedy", ALONE + WAITING_PER_CALLER);
  await expect(put("greedy")).rejects.toThrow("shed 1");
  void put("modest");
  await nextTurn();
  expect(begun.at(-1)).toBe("modest");
  expect(shed).toStrictEqual(["in_flight"]);
});

test("when too many requests wait, the caller with the highest use is refused first", async () => {
  const { put, putMany, endOne, shed } = setUp();
  putMany("dear", ALONE);
  await nextTurn();
  for (let i = 0; i < ALONE; i += 1) await endOne("dear", 100);
  for (let i = 0; i < ALONE + SHARED; i += 1) void put(`running ${i}`);
  const dear = putMany("dear", WAITING_PER_CALLER);
  for (let i = 0; i < 15; i += 1) putMany(`waiting ${i}`, WAITING_PER_CALLER);
  expect(shed).toHaveLength(0);
  void put("one more");
  await expect(dear.last).rejects.toThrow("shed 1");
});

test("a late event loop starts fewer requests, but at least one per caller", async () => {
  const { state, putMany, put, underWay, shed } = setUp();
  state.delayMs = 100;
  putMany("one", 20);
  await nextTurn();
  expect(underWay("one")).toBe(ALONE / 2);
  state.delayMs = 10_000;
  void put("two");
  await nextTurn();
  expect(underWay("two")).toBe(1);
  putMany("one", 100);
  expect(new Set(shed)).toStrictEqual(new Set(["event_loop"]));
});

test("an aborted request leaves the queue at once", async () => {
  const { put, putMany, endOne, begun, underWay } = setUp();
  putMany("one", ALONE);
  const leaving = new AbortController();
  const left = put("one", leaving.signal);
  leaving.abort(new Error("no longer wanted"));
  await expect(left).rejects.toThrow("no longer wanted");
  await nextTurn();
  await endOne("one");
  expect(underWay("one")).toBe(ALONE - 1);
  expect(begun).toHaveLength(ALONE);
});

test("a request that waited too long is refused", async () => {
  const shed: string[] = [];
  const queue = createFairQueue({
    cores: CORES,
    delayMs: () => 0,
    refuse: (reason) => new Error(`shed ${shed.push(reason)}`),
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = Array.from({ length: ALONE }, () => queue.run("one", () => promise, PATIENT));
  await expect(queue.run("one", () => Promise.resolve(), PATIENT)).rejects.toThrow("shed 1");
  resolve();
  await Promise.all(running);
  await expect(queue.run("one", () => Promise.resolve("done"), PATIENT)).resolves.toBe("done");
});

test("after any sequence of events, all capacity is free again", async () => {
  const step = fc.record({
    caller: fc.integer({ min: 0, max: 3 }),
    fails: fc.boolean(),
    leaves: fc.boolean(),
    ticks: fc.nat(3),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const queue = createFairQueue({ cores: CORES, delayMs: () => 0, refuse: () => new Error("shed") });
      let running = 0;
      let most = 0;
      const asked = steps.map(async ({ caller, fails, leaves, ticks }) => {
        const controller = new AbortController();
        const turn = queue.run(
          `caller ${caller}`,
          async () => {
            running += 1;
            most = Math.max(most, running);
            for (let i = 0; i < ticks; i += 1) await nextTurn();
            running -= 1;
            if (fails) throw new Error("broken");
          },
          controller.signal,
        );
        if (leaves) controller.abort(new Error("gone"));
        return turn;
      });
      await Promise.allSettled(asked);
      expect(most).toBeLessThanOrEqual(ALONE + SHARED);
      expect(running).toBe(0);
      await sleep(0);
      let begun = 0;
      const { promise, resolve } = Promise.withResolvers<void>();
      const after = Array.from({ length: SHARED / 4 }, () =>
        queue.run("caller 0", () => ((begun += 1), promise), PATIENT),
      );
      await nextTurn();
      expect(begun).toBe(SHARED / 4);
      resolve();
      await Promise.all(after);
    }),
    { numRuns: 50 },
  );
});
