import { setTimeout as sleep } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { FairQueue } from "../../../src/limits/fair-queue.ts";
import { chargeEngine, watchOthers, whileWaiting, type Cost } from "../../../src/telemetry/request-cost.ts";

const PATIENT = new AbortController().signal;

/** On two cores a caller alone has eight requests under way, and callers who share four. */
const CORES = 2;
const ALONE = 8;
const SHARED = 4;
const WAITING_PER_CALLER = 32;

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** A queue whose time passes only when told to. Requests end when told, with what they have cost. */
function setUp(processes = 1) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  let refused = 0;
  const costs: [string, Cost][] = [];
  const queue = new FairQueue({
    cores: CORES,
    processes,
    charged: (callerId, { apiMs, engineMs }) => void costs.push([callerId, { apiMs, engineMs }]),
    refuse: () => new Error(`shed ${(refused += 1)}`),
  });
  const running: { readonly callerId: string; readonly end: (costMs: number) => void }[] = [];
  const begun: string[] = [];
  const put = (callerId: string, { signal = PATIENT, weight = 1 } = {}): Promise<unknown> => {
    const asked = queue.run(
      { callerId, weight },
      async () => {
        const { promise, resolve } = Promise.withResolvers<number>();
        begun.push(callerId);
        running.push({ callerId, end: resolve });
        chargeEngine(await whileWaiting(() => promise));
      },
      signal,
    );
    asked.catch(() => undefined);
    return asked;
  };
  const putMany = (callerId: string, count: number, options = {}): { readonly last: Promise<unknown> } => {
    const asked = Array.from({ length: count }, () => put(callerId, options));
    return { last: asked.at(-1) ?? Promise.resolve() };
  };
  const underWay = (callerId: string): number => running.filter((one) => one.callerId === callerId).length;
  /** Ends the oldest request of a caller. */
  const endOne = async (callerId: string, costMs = 10): Promise<void> => {
    const index = running.findIndex((one) => one.callerId === callerId);
    running.splice(index, 1)[0]?.end(costMs);
    await nextTurn();
  };
  const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
  return { queue, put, putMany, begun, underWay, endOne, running, pass, costs, countRefused: () => refused };
}

/** The first comer has the server for itself for a moment, which should not count. */
const SETTLED_MS = 3_000;

/**
 * Two callers, who have as many requests waiting as they may, on two cores, each of which works on one request at a time. Returns the time
 * that the requests of each took in five seconds, after a while.
 */
async function share(
  costs: Readonly<Record<string, number>>,
  weights: Readonly<Record<string, number>> = {},
) {
  const { putMany, running, pass, endOne } = setUp();
  const used: Record<string, number> = {};
  for (const callerId of Object.keys(costs)) putMany(callerId, 30, { weight: weights[callerId] ?? 1 });
  await nextTurn();
  const cores: { callerId: string; leftMs: number }[] = [];
  for (let ms = 0; ms < SETTLED_MS + 5_000; ms += 1) {
    while (cores.length < CORES) {
      const atWork = (id: string) => cores.filter(({ callerId }) => callerId === id).length;
      const next = running.find(
        ({ callerId }) => running.filter((one) => one.callerId === callerId).length > atWork(callerId),
      );
      if (!next) break;
      cores.push({ callerId: next.callerId, leftMs: costs[next.callerId]! });
    }
    await pass(1);
    for (const core of cores.splice(0)) {
      core.leftMs -= 1;
      if (ms >= SETTLED_MS) used[core.callerId] = (used[core.callerId] ?? 0) + 1;
      if (core.leftMs > 0) {
        cores.push(core);
        continue;
      }
      await endOne(core.callerId, costs[core.callerId]);
      putMany(core.callerId, 1, { weight: weights[core.callerId] ?? 1 });
    }
  }
  return used;
}

test("a caller alone has enough concurrent requests to keep the engine busy", async () => {
  const { putMany, underWay } = setUp();
  putMany("one", 20);
  await nextTurn();
  expect(underWay("one")).toBe(ALONE);
});

test("a caller alone never waits for what its requests have cost", async () => {
  const { putMany, underWay, endOne } = setUp();
  putMany("one", 30);
  for (let i = 0; i < 20; i += 1) await endOne("one", 400);
  expect(underWay("one")).toBe(ALONE);
});

test("a request knows who else has requests: nobody, its caller, or others", async () => {
  const { queue, putMany } = setUp();
  await queue.run(
    { callerId: "a" },
    async () => {
      expect(watchOthers()?.()).toBe("none");
      putMany("a", 1);
      await nextTurn();
      expect(watchOthers()?.()).toBe("own");
      putMany("b", 1);
      await nextTurn();
      expect(watchOthers()?.()).toBe("others");
    },
    PATIENT,
  );
});

test("of several processes, each has its part of what one would have under way and waiting", async () => {
  const { put, putMany, underWay } = setUp(4);
  putMany("one", (ALONE + WAITING_PER_CALLER) / 4);
  await nextTurn();
  expect(underWay("one")).toBe(ALONE / 4);
  await expect(put("one")).rejects.toThrow("shed");
});

test("a newcomer starts at once, whatever a caller has under way", async () => {
  const { put, putMany, underWay } = setUp();
  putMany("greedy", 40);
  void put("modest");
  await nextTurn();
  expect(underWay("modest")).toBe(1);
});

test("callers whose requests cost the same get as much time each", async () => {
  const { one, two } = await share({ one: 10, two: 10 });
  expect(one! / two!).toBeGreaterThan(0.9);
  expect(one! / two!).toBeLessThan(1.1);
});

test("a caller whose requests cost thirty times as much gets no more time", async () => {
  const { dear, cheap } = await share({ dear: 300, cheap: 10 });
  expect(cheap! / dear!).toBeGreaterThan(0.8);
});

test("a key with a weight gets so many times what another gets", async () => {
  const { heavy, light } = await share({ heavy: 10, light: 10 }, { heavy: 3 });
  expect(heavy! / light!).toBeGreaterThan(2.4);
  expect(heavy! / light!).toBeLessThan(3.6);
});

test("what a caller that asks now and then leaves goes to the others", async () => {
  const { put, putMany, endOne, begun, pass } = setUp();
  putMany("busy", 30);
  let ended = 0;
  for (let ms = 0; ms < 1_000; ms += 10) {
    if (ms % 500 === 0) {
      void put("seldom");
      await nextTurn();
      await endOne("seldom", 5);
    }
    await pass(10);
    // Nine tenths of both cores.
    await endOne("busy", 18);
    ended += 1;
    putMany("busy", 1);
  }
  expect(begun.filter((callerId) => callerId === "busy").length).toBeGreaterThan(0.9 * ended);
});

test("a caller whose debt has passed is as free as one that is new", async () => {
  const { putMany, put, endOne, pass, underWay } = setUp();
  putMany("dear", 1);
  await nextTurn();
  await endOne("dear", 2_000);
  void put("other");
  void put("dear");
  await nextTurn();
  expect(underWay("dear")).toBe(0);
  await pass(500);
  expect(underWay("dear")).toBe(1);
});

test.each([false, true])("the cost of a request is told with its caller (it fails: %s)", async (fails) => {
  const { queue, costs } = setUp();
  const asked = queue.run(
    { callerId: "one" },
    async () => {
      chargeEngine(42);
      if (fails) throw new Error("broken");
    },
    PATIENT,
  );
  expect((await Promise.allSettled([asked]))[0].status).toBe(fails ? "rejected" : "fulfilled");
  expect(costs).toStrictEqual([["one", { apiMs: 0, engineMs: 42 }]]);
});

test("what a request has cost is owed however long it took", async () => {
  const { put, endOne, pass, underWay } = setUp();
  void put("dear");
  await nextTurn();
  await pass(1_900);
  await endOne("dear", 1_000);
  void put("other");
  void put("dear");
  await nextTurn();
  expect([underWay("other"), underWay("dear")]).toStrictEqual([1, 0]);
});

test("a caller that comes back after a while has no more under way than one that stayed", async () => {
  const { put, putMany, endOne, pass, underWay } = setUp();
  void put("one");
  await nextTurn();
  await endOne("one");
  await pass(1_500);
  void put("one");
  putMany("one", 20);
  await nextTurn();
  expect(underWay("one")).toBe(ALONE);
});

test("a newcomer owes nothing: it begins while one with debts waits", async () => {
  const { putMany, put, endOne, begun } = setUp();
  putMany("dear", ALONE);
  await nextTurn();
  for (let i = 0; i < ALONE; i += 1) await endOne("dear", 500);
  void put("other");
  void put("dear");
  void put("newcomer");
  await nextTurn();
  expect(begun.slice(ALONE)).toStrictEqual(["other", "newcomer"]);
});

test("where several callers wait, no core stays idle, whatever they owe", async () => {
  const { put, endOne, pass, running } = setUp();
  const callers = Array.from({ length: 20 }, (_, index) => `caller ${index}`);
  let [next, idleMs, ended] = [0, 0, 0];
  const putNext = (): void => void put(callers[(next += 1) % callers.length]!);
  // Eight connections, each of which sends for the next caller when it has its response. A request takes a core for 100 ms.
  for (let i = 0; i < 8; i += 1) putNext();
  await nextTurn();
  const startedAt = new WeakMap<object, number>();
  for (let ms = 0; ms < 5_000; ms += 10) {
    for (const one of running) if (!startedAt.has(one)) startedAt.set(one, ms);
    if (running.length < CORES) idleMs += 10;
    await pass(10);
    for (const one of running.filter((other) => ms + 10 - startedAt.get(other)! >= 100)) {
      await endOne(one.callerId, 100);
      ended += 1;
      putNext();
      await nextTurn();
    }
  }
  expect(idleMs).toBeLessThan(100);
  expect(ended).toBeGreaterThanOrEqual(95);
});

test("a core is kept for who sends its next request after a response, if only one caller waits", async () => {
  const { put, putMany, endOne, pass, underWay } = setUp();
  putMany("dear", 30);
  void put("sequential");
  await nextTurn();
  for (let i = 0; i < ALONE; i += 1) await endOne("dear", 100);
  await endOne("sequential");
  await pass(100);
  expect(underWay("dear")).toBe(0);
});

test("two who owe use one core beside a third who owes nothing, and both when that has left", async () => {
  const { put, putMany, endOne, underWay } = setUp();
  putMany("dear", 30);
  putMany("other dear", 30);
  void put("sequential");
  await nextTurn();
  for (let i = 0; i < ALONE; i += 1) await endOne("dear", 1_000);
  await endOne("other dear", 1_000);
  expect(underWay("dear") + underWay("other dear")).toBe(1);
  await endOne("sequential");
  expect([underWay("dear"), underWay("other dear")]).toStrictEqual([1, 1]);
});

test("where all owe, who owes most has its turn before its request is refused", async () => {
  const { put, putMany, endOne, pass, running, underWay } = setUp();
  putMany("dear", ALONE);
  await nextTurn();
  for (let i = 0; i < ALONE; i += 1) await endOne("dear", 1_000);
  for (let i = 0; i < 12; i += 1) void put(`caller ${i}`);
  void put("dear");
  let waitedMs = 0;
  for (; underWay("dear") === 0 && waitedMs < 2_000; waitedMs += 50) {
    await pass(50);
    for (const { callerId } of running.slice(0, CORES)) {
      if (callerId === "dear") continue;
      await endOne(callerId, 150);
      void put(callerId);
      await nextTurn();
    }
  }
  expect(waitedMs).toBeLessThan(1_000);
});

test("debts shrink by the part of the cores: where that is twice as large, in half the time", async () => {
  const untilBegun = async (weight: number): Promise<number> => {
    const { put, putMany, endOne, pass, underWay } = setUp();
    void put("dear", { weight });
    await nextTurn();
    await endOne("dear", 500);
    // Others wait all the time, so nothing is left over.
    putMany("other", 30);
    putMany("third", 30);
    void put("dear", { weight });
    let ms = 0;
    for (; underWay("dear") === 0 && ms < 2_000; ms += 5) await pass(5);
    return ms;
  };
  const [light, heavy] = [await untilBegun(1), await untilBegun(4)];
  // A third of two cores, and four sixths of them.
  expect(light / heavy).toBeGreaterThan(1.8);
  expect(light / heavy).toBeLessThan(2.2);
});

test("a caller that used the one thread of the server owes as much as one that used all cores so long", async () => {
  const untilBegun = async (work: () => void): Promise<number> => {
    const { queue, put, pass, underWay, putMany } = setUp();
    await queue.run({ callerId: "dear" }, async () => work(), PATIENT);
    // Others wait all the time, so nothing is left over.
    putMany("other", 30);
    void put("dear");
    let ms = 0;
    for (; underWay("dear") === 0 && ms < 2_000; ms += 5) await pass(5);
    return ms;
  };
  const ofThread = await untilBegun(() => void vi.advanceTimersByTime(100));
  const ofCores = await untilBegun(() => chargeEngine(CORES * 100));
  expect(ofThread).toBeGreaterThan(100);
  // What was charged before the work ended shrank meanwhile.
  expect(Math.abs(ofThread - ofCores)).toBeLessThanOrEqual(20);
});

test("a search that goes on for others after its caller has left is charged to that caller", async () => {
  const { queue, costs } = setUp();
  const { promise, resolve } = Promise.withResolvers<number>();
  let search = Promise.resolve();
  await queue.run(
    { callerId: "one" },
    async () => void (search = whileWaiting(() => promise).then(chargeEngine)),
    PATIENT,
  );
  resolve(400);
  await search;
  expect(costs).toStrictEqual([
    ["one", { apiMs: 0, engineMs: 0 }],
    ["one", { apiMs: 0, engineMs: 400 }],
  ]);
  const beside = queue.run({ callerId: "two" }, () => new Promise(() => undefined), PATIENT);
  beside.catch(() => undefined);
  let hasBegun = false;
  void queue.run({ callerId: "one" }, async () => void (hasBegun = true), PATIENT);
  await nextTurn();
  expect(hasBegun).toBe(false);
  await vi.advanceTimersByTimeAsync(500);
  expect(hasBegun).toBe(true);
});

test("a caller with too many waiting requests is refused, and no other", async () => {
  const { put, putMany, begun, countRefused } = setUp();
  putMany("greedy", ALONE + WAITING_PER_CALLER);
  await expect(put("greedy")).rejects.toThrow("shed 1");
  void put("modest");
  await nextTurn();
  expect(begun.at(-1)).toBe("modest");
  expect(countRefused()).toBe(1);
});

test("when too many requests wait, the caller who owes most is refused first", async () => {
  const { put, putMany, endOne, countRefused } = setUp();
  putMany("dear", ALONE);
  await nextTurn();
  for (let i = 0; i < ALONE; i += 1) await endOne("dear", 100);
  for (let i = 0; i < ALONE + SHARED; i += 1) void put(`running ${i}`);
  const dear = putMany("dear", WAITING_PER_CALLER);
  for (let i = 0; i < 15; i += 1) putMany(`waiting ${i}`, WAITING_PER_CALLER);
  expect(countRefused()).toBe(0);
  void put("one more");
  await expect(dear.last).rejects.toThrow("shed 1");
});

test("an aborted request leaves the queue at once", async () => {
  const { put, putMany, endOne, begun, underWay } = setUp();
  putMany("one", ALONE);
  const leaving = new AbortController();
  const left = put("one", { signal: leaving.signal });
  leaving.abort(new Error("no longer wanted"));
  await expect(left).rejects.toThrow("no longer wanted");
  await nextTurn();
  await endOne("one");
  expect(underWay("one")).toBe(ALONE - 1);
  expect(begun).toHaveLength(ALONE);
});

test("a request that waited too long is refused, after a second beside others and after two of a caller alone", async () => {
  const { put, putMany, pass, countRefused } = setUp();
  putMany("one", ALONE);
  const alone = put("one");
  await pass(1_500);
  expect(countRefused()).toBe(0);
  await pass(501);
  await expect(alone).rejects.toThrow("shed 1");
  const beside = put("one");
  void put("other");
  await pass(1_001);
  await expect(beside).rejects.toThrow("shed 2");
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
      const queue = new FairQueue({
        cores: CORES,
        processes: 1,
        charged: () => undefined,
        refuse: () => new Error("shed"),
      });
      let running = 0;
      let most = 0;
      const asked = steps.map(async ({ caller, fails, leaves, ticks }) => {
        const controller = new AbortController();
        const turn = queue.run(
          { callerId: `caller ${caller}` },
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
        queue.run({ callerId: "caller 0" }, () => ((begun += 1), promise), PATIENT),
      );
      // A caller that owes something begins when that has passed.
      await expect.poll(() => begun, { interval: 1 }).toBe(SHARED / 4);
      resolve();
      await Promise.all(after);
    }),
    { numRuns: 50 },
  );
});
