import { stat } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { withinDeadline } from "../../../src/redis/redis-guard.ts";

const never = new Promise<never>(() => {});

/** Keeps the process from doing anything else. */
function standStill(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test("a response in time is passed on, and so is a failure", async () => {
  expect(await withinDeadline(Promise.resolve("here"), 1_000)).toBe("here");
  await expect(withinDeadline(Promise.reject(new Error("gone")), 1_000)).rejects.toThrow("gone");
});

test("a call without a response is given up", async () => {
  const startedAt = performance.now();
  await expect(withinDeadline(never, 50)).rejects.toThrow("No answer within 50 ms");
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(40);
});

test("a response that arrived while this process was blocked is still read", async () => {
  // It comes from outside, as that of a server does, and after an immediate the timers are looked at before those.
  await setImmediate();
  const answer = withinDeadline(stat(import.meta.filename), 200);
  standStill(400);
  expect((await answer).isFile()).toBe(true);
});
