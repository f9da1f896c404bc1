import * as v from "valibot";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CallerGoneError, overloaded, queryTooExpensive } from "../../../src/errors.ts";
import { EngineResponseError, type Ask } from "../../../src/meilisearch/connection.ts";
import { createEngineGate, EngineRestingError } from "../../../src/meilisearch/gate.ts";
import { measureCost } from "../../../src/telemetry/request-cost.ts";
import { noTelemetry, type Telemetry } from "../../../src/telemetry/telemetry.ts";
import { createLogBook } from "../../support/log-lines.ts";

const FAILURES_TO_OPEN = 5;
const REST_MS = 500;

type Answer = (signal: AbortSignal) => Promise<unknown>;

const well: Answer = () => Promise.resolve("an answer");
const broken: Answer = () => Promise.reject(new Error("connect ECONNREFUSED"));
const refusing: Answer = () => Promise.reject(new EngineResponseError(400, { code: "bad" }));
const failing: Answer = () => Promise.reject(new EngineResponseError(503, { code: "busy" }));
const hanging: Answer = (signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });

/** How the engine answers calls, and whether it is well. */
const state = { answer: well, health: well, asked: 0 };
beforeEach(() => {
  Object.assign(state, { answer: well, health: well, asked: 0 });
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearInterval", "performance", "Date"] });
});
afterEach(() => void vi.useRealTimers());

const pass = (milliseconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

/** Lets time go by until a promise is settled. */
async function inTime<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const note = (): void => void (isSettled = true);
  promise.then(note, note);
  while (!isSettled) await pass(10);
  return promise;
}

/** What an `AbortSignal.timeout` is, by the clock of these tests. */
function timeOutAfter(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException("Timed out.", "TimeoutError")), milliseconds);
  return controller.signal;
}

/** A gate before an engine that behaves as `state` says, and what it tells. */
function setUp() {
  const told: string[] = [];
  const telemetry: Telemetry = {
    ...noTelemetry,
    callEnded: ({ operation, outcome }) => void told.push(`${operation} ${outcome}`),
    breakerChanged: (dependency, to) => void told.push(`${dependency} ${to}`),
    requestShed: (reason) => void told.push(`shed ${reason}`),
  };
  const ask = (async ({ operation, signal }) => {
    if (operation === "health") return state.health(signal);
    state.asked += 1;
    return state.answer(signal);
  }) as Ask;
  const logBook = createLogBook();
  const gate = createEngineGate({ ask, telemetry, logger: logBook.logger });
  const put = (signal: AbortSignal = timeOutAfter(10_000)): Promise<unknown> =>
    gate({ operation: "search", path: "/", signal, outline: v.unknown() });
  const putMany = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i += 1) await put().catch(() => undefined);
  };
  return { put, putMany, told, logBook };
}

test("an answer comes through, and is told", async () => {
  const { put, told } = setUp();
  await expect(put()).resolves.toBe("an answer");
  expect(told).toStrictEqual(["search ok"]);
});

describe("an engine that fails several times in a row", () => {
  test.each([
    { name: "nobody listens", answer: broken },
    { name: "it says that it is at fault", answer: failing },
  ])("is left alone ($name)", async ({ answer }) => {
    const { put, putMany, told, logBook } = setUp();
    state.answer = answer;
    await putMany(FAILURES_TO_OPEN);
    await expect(put()).rejects.toBeInstanceOf(EngineRestingError);
    expect(state.asked).toBe(FAILURES_TO_OPEN);
    expect(told.slice(-2)).toStrictEqual(["search failed", "search rejected"]);
    expect(told).toContain("engine open");
    expect(logBook.lines("engine_lost")).toHaveLength(1);
  });

  test("is left alone when it does not answer in time", async () => {
    const { put } = setUp();
    Object.assign(state, { answer: hanging, health: hanging });
    const late = Array.from({ length: FAILURES_TO_OPEN }, () => put(timeOutAfter(300)));
    expect((await inTime(Promise.allSettled(late))).map(({ status }) => status)).not.toContain("fulfilled");
    await expect(put()).rejects.toBeInstanceOf(EngineRestingError);
  });

  test("is asked by one after a rest, and used by all when that one is answered", async () => {
    const { put, putMany, told, logBook } = setUp();
    state.answer = broken;
    await putMany(FAILURES_TO_OPEN);
    await pass(REST_MS + 20);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    state.answer = () => promise;
    const trial = put();
    await expect(put()).rejects.toBeInstanceOf(EngineRestingError);
    resolve("back");
    await expect(trial).resolves.toBe("back");
    state.answer = well;
    await expect(put()).resolves.toBe("an answer");
    expect(told.filter((line) => line.startsWith("engine "))).toStrictEqual([
      "engine open",
      "engine half_open",
      "engine closed",
    ]);
    expect(logBook.lines("engine_back")).toHaveLength(1);
  });

  test("is not taken for well because a caller hung up while it was tried", async () => {
    const { put, putMany, logBook } = setUp();
    state.answer = broken;
    await putMany(FAILURES_TO_OPEN);
    await pass(REST_MS + 20);
    state.answer = hanging;
    const leaving = new AbortController();
    const trial = put(leaving.signal);
    leaving.abort(new CallerGoneError());
    await expect(trial).rejects.toBeInstanceOf(CallerGoneError);
    await expect(put()).rejects.toBeInstanceOf(EngineRestingError);
    // However often it is tried in vain, it went once.
    expect(logBook.lines("engine_lost")).toHaveLength(1);
  });

  test("is well again when it says that a question is wrong", async () => {
    const { put, putMany } = setUp();
    state.answer = broken;
    await putMany(FAILURES_TO_OPEN);
    await pass(REST_MS + 20);
    state.answer = refusing;
    await expect(put()).rejects.toBeInstanceOf(EngineResponseError);
    state.answer = well;
    await expect(put()).resolves.toBe("an answer");
  });
});

describe("the engine is not blamed", () => {
  test("for questions that it refuses", async () => {
    const { put, putMany } = setUp();
    state.answer = refusing;
    await putMany(4 * FAILURES_TO_OPEN);
    state.answer = well;
    await expect(put()).resolves.toBe("an answer");
  });

  test("for callers who hang up", async () => {
    const { put, told } = setUp();
    state.answer = hanging;
    for (let i = 0; i < 4 * FAILURES_TO_OPEN; i += 1) {
      const leaving = new AbortController();
      const asked = put(leaving.signal);
      leaving.abort(new CallerGoneError());
      await expect(asked).rejects.toBeInstanceOf(CallerGoneError);
    }
    expect(new Set(told)).toStrictEqual(new Set(["search aborted"]));
    state.answer = well;
    await expect(put()).resolves.toBe("an answer");
  });

  test("for a question that had no time left when it came", async () => {
    const { put } = setUp();
    state.answer = hanging;
    for (let i = 0; i < 2 * FAILURES_TO_OPEN; i += 1)
      await expect(inTime(put(timeOutAfter(1)))).rejects.toMatchObject({ code: "overloaded" });
    state.answer = well;
    await expect(put()).resolves.toBe("an answer");
  });

  test("for single failures between answers", async () => {
    const { put, putMany } = setUp();
    for (let i = 0; i < 4; i += 1) {
      state.answer = broken;
      await putMany(FAILURES_TO_OPEN - 1);
      state.answer = well;
      await expect(put()).resolves.toBe("an answer");
    }
  });
});

test("a socket that is cut under a question is no failure: it is put once more", async () => {
  const { put, told } = setUp();
  state.answer = () =>
    state.asked === 1
      ? Promise.reject(Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" }))
      : well(timeOutAfter(1));
  await expect(inTime(put())).resolves.toBe("an answer");
  expect(told).toStrictEqual(["search ok"]);
});

describe("a call that ran out of time", () => {
  const OVERLOADED = {
    status: 503,
    code: "overloaded",
    headers: { "Retry-After": expect.any(String) as unknown },
  };

  test("is overload when the engine responded to others meanwhile", async () => {
    const { put, putMany, told, logBook } = setUp();
    state.health = hanging;
    for (let i = 0; i < 2 * FAILURES_TO_OPEN; i += 1) {
      state.answer = hanging;
      const late = put(timeOutAfter(260));
      state.answer = well;
      await pass(5);
      await putMany(1);
      await expect(inTime(late)).rejects.toMatchObject(OVERLOADED);
    }
    expect(told.filter((line) => line === "shed engine_queue")).toHaveLength(2 * FAILURES_TO_OPEN);
    expect(told).not.toContain("engine open");
    expect(logBook.lines("engine_lost")).toHaveLength(0);
  });

  test("is overload when the engine says that it is well", async () => {
    const { put, told } = setUp();
    state.answer = hanging;
    const late = Array.from({ length: 2 * FAILURES_TO_OPEN }, () => put(timeOutAfter(300)));
    for (const one of await inTime(Promise.allSettled(late)))
      expect(one.status === "rejected" && one.reason).toMatchObject(OVERLOADED);
    expect(told).not.toContain("engine open");
  });

  test("has the error of its request, when that has one", async () => {
    const { put, told } = setUp();
    state.answer = hanging;
    const request = new AbortController();
    const late = put(request.signal);
    await pass(300);
    request.abort(queryTooExpensive("offset"));
    await expect(late).rejects.toMatchObject({ code: "query_too_expensive" });
    expect(told).not.toContain("shed engine_queue");
  });

  test("is the engine's fault when it responds to nothing", async () => {
    const { put, told, logBook } = setUp();
    Object.assign(state, { answer: hanging, health: hanging });
    const late = Array.from({ length: FAILURES_TO_OPEN }, () => put(timeOutAfter(300)));
    for (const one of await inTime(Promise.allSettled(late)))
      expect(one.status === "rejected" && one.reason).toMatchObject({ name: "EngineSilentError" });
    expect(told).toContain("engine open");
    expect(told).not.toContain("shed engine_queue");
    expect(logBook.lines("engine_lost")).toHaveLength(1);
  });

  test("is the engine's fault when it ends no call for seconds, however well it says it is", async () => {
    const { put, told } = setUp();
    state.answer = hanging;
    const late = Array.from({ length: FAILURES_TO_OPEN }, () => put(timeOutAfter(10_000)));
    await inTime(Promise.allSettled(late));
    expect(told).toContain("engine open");
  });
});

describe("a call that had too little time to know itself", () => {
  test("is the engine's fault when the engine was silent a moment ago", async () => {
    const { put, told } = setUp();
    Object.assign(state, { answer: hanging, health: hanging });
    await inTime(put()).catch(() => undefined);
    await expect(inTime(put(timeOutAfter(20)))).rejects.toMatchObject({ name: "EngineSilentError" });
    await expect(put(AbortSignal.abort(overloaded()))).rejects.toMatchObject({ name: "EngineSilentError" });
    expect(told).not.toContain("shed engine_queue");
  });

  test("is the engine's fault while the engine is left alone", async () => {
    const { put, putMany } = setUp();
    state.answer = broken;
    await putMany(FAILURES_TO_OPEN);
    await expect(put(AbortSignal.abort(overloaded()))).rejects.toBeInstanceOf(EngineRestingError);
    await expect(put(AbortSignal.abort(new CallerGoneError()))).rejects.toBeInstanceOf(CallerGoneError);
  });

  test("is overload again as soon as the engine has responded", async () => {
    const { put } = setUp();
    Object.assign(state, { answer: hanging, health: hanging });
    await inTime(put()).catch(() => undefined);
    state.answer = well;
    await put();
    state.answer = hanging;
    await expect(inTime(put(timeOutAfter(20)))).rejects.toMatchObject({ code: "overloaded" });
  });
});

test("a long call after a pause is not taken for an engine that ends none", async () => {
  const { put } = setUp();
  await put();
  await pass(60_000);
  state.answer = hanging;
  const request = new AbortController();
  const late = put(request.signal);
  await pass(300);
  request.abort(queryTooExpensive("offset"));
  await expect(late).rejects.toMatchObject({ code: "query_too_expensive" });
});

test("an engine is not taken for silent because this process was blocked and could not hear it", async () => {
  vi.useRealTimers();
  const { put, told } = setUp();
  state.health = hanging;
  const { promise, resolve } = Promise.withResolvers<unknown>();
  state.answer = () => promise;
  const asked = put();
  await sleep(120);
  const until = performance.now() + 1_000;
  while (performance.now() < until) continue;
  await sleep(1);
  resolve("an answer");
  await expect(asked).resolves.toBe("an answer");
  expect(told).toStrictEqual(["search ok"]);
});

test("an engine that responds to nothing is given up before the time of a request is over", async () => {
  const { put } = setUp();
  Object.assign(state, { answer: hanging, health: hanging });
  const asked = put(timeOutAfter(10_000));
  await expect(inTime(asked)).rejects.toMatchObject({ name: "EngineSilentError" });
});

/** What a request is charged of the engine for one call. */
async function engineMsOf(put: () => Promise<unknown>): Promise<number> {
  let charged = 0;
  const note = ({ engineMs }: { readonly engineMs: number }): void => void (charged += engineMs);
  await measureCost(put, { companyOf: () => "none", charge: note }).catch(() => undefined);
  return charged;
}

test.each([
  { how: "its caller hung up", signal: () => hangUpAfter(100), afterMs: 100 },
  { how: "its time ran out", signal: () => timeOutAfter(400), afterMs: 400 },
])("a call that was cut off is charged about half of its time, as $how", async ({ signal, afterMs }) => {
  const { put } = setUp();
  state.answer = hanging;
  const startedAt = performance.now();
  const engineMs = await inTime(engineMsOf(() => put(signal())));
  expect(engineMs).toBeGreaterThan(0.4 * afterMs);
  expect(engineMs).toBeLessThanOrEqual(0.5 * (performance.now() - startedAt));
});

test.each([
  { how: "fails", answer: broken, health: well },
  { how: "is silent", answer: hanging, health: hanging },
])("a call of an engine that $how costs its caller nothing", async ({ answer, health }) => {
  const { put } = setUp();
  Object.assign(state, { answer, health });
  expect(await inTime(engineMsOf(() => put()))).toBe(0);
});

function hangUpAfter(milliseconds: number): AbortSignal {
  const caller = new AbortController();
  setTimeout(() => caller.abort(new CallerGoneError()), milliseconds);
  return caller.signal;
}
