import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createTurns } from "../../../src/meilisearch/gate.ts";

const PATIENT = new AbortController().signal;

/** Work that ends when told to. */
function createWork() {
  const { promise, resolve } = Promise.withResolvers<string>();
  let isBegun = false;
  const run = (): Promise<string> => {
    isBegun = true;
    return promise;
  };
  return { run, end: () => resolve("done"), isBegun: () => isBegun };
}

const createLine = (options: Partial<Parameters<typeof createTurns>[0]> = {}) =>
  createTurns({ atOnce: 1, maxWaiting: 1, maxWaitMs: 10_000, ...options });

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test("one more than may run waits until another has ended", async () => {
  const takeTurn = createLine();
  const [first, second] = [createWork(), createWork()];
  const one = takeTurn(first.run, PATIENT);
  const two = takeTurn(second.run, PATIENT);
  await nextTurn();
  expect([first.isBegun(), second.isBegun()]).toStrictEqual([true, false]);
  first.end();
  await one;
  await nextTurn();
  expect(second.isBegun()).toBe(true);
  second.end();
  await expect(two).resolves.toBe("done");
});

test("one more than may wait is turned away at once", async () => {
  const takeTurn = createLine();
  const work = createWork();
  const waiting = [takeTurn(work.run, PATIENT), takeTurn(work.run, PATIENT)];
  await expect(takeTurn(work.run, PATIENT)).rejects.toMatchObject({ status: 503, code: "overloaded" });
  work.end();
  await Promise.all(waiting);
});

test("who has waited too long is turned away, with the time to come back", async () => {
  const takeTurn = createLine({ maxWaitMs: 20 });
  const work = createWork();
  const running = takeTurn(work.run, PATIENT);
  const late = createWork();
  await expect(takeTurn(late.run, PATIENT)).rejects.toMatchObject({
    code: "overloaded",
    headers: { "Retry-After": expect.stringMatching(/^[123]$/) as unknown },
  });
  work.end();
  await running;
  expect(late.isBegun()).toBe(false);
});

test("who gives up leaves the line at once, and makes room in it", async () => {
  const takeTurn = createLine();
  const work = createWork();
  const running = takeTurn(work.run, PATIENT);
  const leaving = new AbortController();
  const gone = createWork();
  const left = takeTurn(gone.run, leaving.signal);
  leaving.abort(new Error("no longer wanted"));
  await expect(left).rejects.toThrow("no longer wanted");
  const next = takeTurn(work.run, PATIENT);
  work.end();
  await Promise.all([running, next]);
  expect(gone.isBegun()).toBe(false);
});

test("work that fails gives its turn to the next", async () => {
  const takeTurn = createLine();
  const failing = takeTurn(() => Promise.reject(new Error("broken")), PATIENT);
  const next = takeTurn(() => Promise.resolve("done"), PATIENT);
  await expect(failing).rejects.toThrow("broken");
  await expect(next).resolves.toBe("done");
});

test("whatever comes, goes and fails, no more run than may, and all that is not turned away is done", async () => {
  const step = fc.record({
    fails: fc.boolean(),
    leaves: fc.boolean(),
    ticks: fc.integer({ min: 0, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      fc.integer({ min: 1, max: 4 }),
      async (steps, atOnce) => {
        const takeTurn = createTurns({ atOnce, maxWaiting: 5, maxWaitMs: 10_000 });
        let running = 0;
        let most = 0;
        const asked = steps.map(async ({ fails, leaves, ticks }) => {
          const controller = new AbortController();
          const turn = takeTurn(async () => {
            running += 1;
            most = Math.max(most, running);
            for (let i = 0; i < ticks; i += 1) await nextTurn();
            running -= 1;
            if (fails) throw new Error("broken");
          }, controller.signal);
          if (leaves) controller.abort(new Error("gone"));
          return turn;
        });
        await Promise.allSettled(asked);
        expect(most).toBeLessThanOrEqual(atOnce);
        // The line is as good as new: nobody has kept a turn.
        await Promise.all(Array.from({ length: atOnce }, () => takeTurn(() => Promise.resolve(), PATIENT)));
        expect(running).toBe(0);
      },
    ),
    { numRuns: 50 },
  );
});
