import { expect, test, vi } from "vitest";
import { within } from "../../../src/meilisearch/deadline.ts";
import { measureCost, type Company } from "../../../src/telemetry/request-cost.ts";

/** Work that lasts until its signal aborts. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });

test("work that takes too long is aborted with a TimeoutError", async () => {
  vi.useFakeTimers();
  try {
    const outcome = within({ deadlineMs: 800 }, undefined, untilAborted).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(800);
    expect(await outcome).toMatchObject({ name: "TimeoutError" });
  } finally {
    vi.useRealTimers();
  }
});

/** How the work of a request ends that never would by itself, and after how long. */
async function runRequest(
  companyOf: () => Company,
): Promise<{ readonly error: unknown; readonly afterMs: number }> {
  vi.useFakeTimers();
  try {
    const startedAt = performance.now();
    const working = measureCost(
      () => within({ dearest: "offset" }, undefined, untilAborted).catch((error: unknown) => error),
      { companyOf, charge: () => undefined },
    ).then((error) => ({ error, afterMs: performance.now() - startedAt }));
    await vi.advanceTimersByTimeAsync(5_000);
    return await working;
  } finally {
    vi.useRealTimers();
  }
}

test("a request that takes too long while others wait gives way to them", async () => {
  const { error, afterMs } = await runRequest(() => "others");
  expect(error).toMatchObject({ status: 503, code: "overloaded" });
  expect(afterMs).toBe(800);
});

test("a request alone may take longer, and is told what makes it too expensive", async () => {
  const { error, afterMs } = await runRequest(() => "none");
  expect(error).toMatchObject({
    status: 422,
    code: "query_too_expensive",
    errors: [{ parameter: "offset", code: "too_expensive" }],
  });
  expect(afterMs).toBe(2_000);
});

test("a request that shared the server with others of its caller is not too expensive for that", async () => {
  let looks = 0;
  const { error, afterMs } = await runRequest(() => ((looks += 1) === 2 ? "own" : "none"));
  expect(error).toMatchObject({ status: 503, code: "overloaded" });
  expect(afterMs).toBe(2_000);
});

test("a request that was alone gives way as soon as others come", async () => {
  let looks = 0;
  const { error, afterMs } = await runRequest(() => ((looks += 1) < 5 ? "none" : "others"));
  expect(error).toMatchObject({ code: "overloaded" });
  expect(afterMs).toBe(1_100);
});

test("work is aborted with the reason of its caller", async () => {
  const caller = new AbortController();
  const working = within({ deadlineMs: 60_000 }, caller.signal, untilAborted);
  caller.abort(new Error("gone"));
  await expect(working).rejects.toThrow("gone");
});

test("work of a caller that is gone does not begin", async () => {
  const work = vi.fn<() => Promise<void>>();
  await expect(within({ deadlineMs: 60_000 }, AbortSignal.abort(new Error("gone")), work)).rejects.toThrow(
    "gone",
  );
  expect(work).not.toHaveBeenCalled();
});

test.each(["done", "failed"])("nothing waits for the deadline of work that is %s", async (outcome) => {
  vi.useFakeTimers();
  try {
    const work = () => (outcome === "done" ? Promise.resolve() : Promise.reject(new Error("failed")));
    const signals: AbortSignal[] = [];
    await within({ deadlineMs: 800 }, undefined, (signal) => {
      signals.push(signal);
      return work();
    }).catch(() => undefined);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(signals.map(({ aborted }) => aborted)).toStrictEqual([false]);
  } finally {
    vi.useRealTimers();
  }
});
