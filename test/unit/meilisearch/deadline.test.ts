import { expect, test, vi } from "vitest";
import { within } from "../../../src/meilisearch/deadline.ts";

/** Work that lasts until its signal aborts. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });

test("work that takes too long is aborted with a TimeoutError", async () => {
  vi.useFakeTimers();
  try {
    const outcome = within(800, undefined, untilAborted).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(800);
    expect(await outcome).toMatchObject({ name: "TimeoutError" });
  } finally {
    vi.useRealTimers();
  }
});

test("work is aborted with the reason of its caller", async () => {
  const caller = new AbortController();
  const working = within(60_000, caller.signal, untilAborted);
  caller.abort(new Error("gone"));
  await expect(working).rejects.toThrow("gone");
});

test("work of a caller that is gone does not begin", async () => {
  const work = vi.fn<() => Promise<void>>();
  await expect(within(60_000, AbortSignal.abort(new Error("gone")), work)).rejects.toThrow("gone");
  expect(work).not.toHaveBeenCalled();
});

test.each(["done", "failed"])("nothing waits for the deadline of work that is %s", async (outcome) => {
  vi.useFakeTimers();
  try {
    const work = () => (outcome === "done" ? Promise.resolve() : Promise.reject(new Error("failed")));
    const signals: AbortSignal[] = [];
    await within(800, undefined, (signal) => {
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
