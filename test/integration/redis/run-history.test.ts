import { Redis } from "ioredis";
import { beforeEach, expect, inject, test } from "vitest";
import { recordRun, recordImport } from "../../../indexer/session/engines.ts";
import { createTally } from "../../../indexer/clean/import-tally.ts";
import { Interrupted } from "../../../src/cli/errors.ts";
import { RUN_HISTORY_KEY } from "../../../src/redis/keys.ts";
import { addRun, readRuns, type Run } from "../../../src/redis/run-history.ts";

const redis = new Redis(inject("redisUrl"));
beforeEach(async () => {
  await redis.del(RUN_HISTORY_KEY);
  return async () => void (await redis.del(RUN_HISTORY_KEY));
});

const run = (read: number): Run => ({
  command: "import",
  outcome: "done",
  started_at: "2026-11-20T09:00:00Z",
  duration_seconds: 1.5,
  counts: { read },
});

test("lists the newest runs first and drops the oldest", async () => {
  for (let number = 1; number <= 40; number += 1) await addRun(redis, run(number));
  const runs = await readRuns(redis, 100);
  expect(runs.map(({ counts }) => counts["read"])).toEqual(
    Array.from({ length: 30 }, (_, index) => 40 - index),
  );
  expect(await readRuns(redis, 2)).toEqual([run(40), run(39)]);
});

test("leaves out entries of another version", async () => {
  await addRun(redis, run(1));
  await redis.lpush(RUN_HISTORY_KEY, "no JSON", '{"command":7}');
  expect(await readRuns(redis, 10)).toEqual([run(1)]);
});

test("a long error is truncated", async () => {
  await addRun(redis, { ...run(1), outcome: "failed", error: "x".repeat(10_000) });
  expect((await readRuns(redis, 1))[0]?.error).toHaveLength(500);
});

test.each<["done" | "failed" | "interrupted", () => Promise<number>, string | undefined]>([
  ["done", async () => 7, undefined],
  ["failed", () => Promise.reject(new Error("the engine is gone")), "the engine is gone"],
  ["interrupted", () => Promise.reject(new Interrupted(130)), "Interrupted."],
])("an import that is %s is recorded as such", async (outcome, work, error) => {
  const tally = { ...createTally(), read: 9 };
  const remembered = recordImport({ command: "import", redisUrl: inject("redisUrl"), tally }, work);
  expect((await Promise.allSettled([remembered]))[0].status).toBe(
    outcome === "done" ? "fulfilled" : "rejected",
  );
  expect(await readRuns(redis, 10)).toEqual([
    {
      command: "import",
      outcome,
      ...(error !== undefined && { error }),
      started_at: expect.any(String) as string,
      duration_seconds: expect.any(Number) as number,
      counts: { read: 9, rejected: 0, indexed: outcome === "done" ? 7 : 0 },
    },
  ]);
});

test.each([undefined, "redis://127.0.0.1:1"])(
  "with Redis at %s nothing is remembered and nothing fails",
  async (url) => {
    await expect(recordRun(url, run(1))).resolves.toBeUndefined();
  },
);
