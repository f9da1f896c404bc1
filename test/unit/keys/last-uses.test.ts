import { expect, test } from "vitest";
import { createLastUses } from "../../../src/keys/record-cache.ts";

/** Writes every few milliseconds what is noted; the test decides whether that works. */
function usesWithStore() {
  const world = { now: "2026-11-20T12:00:00Z", isGone: false };
  const written: Record<string, string>[] = [];
  const uses = createLastUses({
    write: (noted) => {
      if (world.isGone) return Promise.reject(new Error("Redis is gone"));
      written.push(Object.fromEntries(noted));
      return Promise.resolve();
    },
    now: () => Temporal.Instant.from(world.now),
    flushMs: 5,
  });
  return { world, written, uses };
}

test("many uses of keys are written once, together", async () => {
  const { written, uses } = usesWithStore();
  for (let i = 0; i < 1_000; i += 1) uses.note(i % 2 === 0 ? "even" : "odd");
  await expect.poll(() => written.length).toBe(1);
  await uses.close();
  expect(written).toStrictEqual([{ even: "2026-11-20T12:00:00Z", odd: "2026-11-20T12:00:00Z" }]);
});

test("failed writes are repeated when Redis is back, with the later of two times", async () => {
  const { world, written, uses } = usesWithStore();
  world.isGone = true;
  uses.note("one");
  uses.note("two");
  await uses.close();
  world.now = "2026-11-20T12:05:00Z";
  uses.note("two");
  world.isGone = false;
  await uses.close();
  expect(written).toStrictEqual([{ one: "2026-11-20T12:00:00Z", two: "2026-11-20T12:00:00Z" }]);
});

test("closing writes what remains, if anything", async () => {
  const { written, uses } = usesWithStore();
  await uses.close();
  expect(written).toStrictEqual([]);
  uses.note("one");
  await uses.close();
  expect(written).toHaveLength(1);
});
