import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { readRuntimeFile } from "../../../src/local-engines/data-dir.ts";
import { createRedisConnection, waitForRedis, closeRedisConnection } from "../../../src/redis/connection.ts";
import { leaseKeys } from "../../../src/redis/keys.ts";
import { waitForLease } from "../../../src/redis/lease.ts";
import { createLogBook } from "../../support/log-lines.ts";
import { readAdded, readAllPlaces, asStored } from "./live-documents.ts";
import { expireLease, useOwnEngines } from "./own-engines.ts";
import { runIndex, startIndex, startIndexProcess, type IndexProcess } from "./run-index.ts";

const own = useOwnEngines("resume");
const { env } = own;

/** Several whole imports each, and a lease that has to expire. */
const SLOW = { timeout: 240_000 };

/** More than two batches (a thousand each), so that some are handed over when the indexer is killed. */
const PLACES = 2_150;

const record = (id: number, title: string): string =>
  `${JSON.stringify({ title: `${title} ${id}`, source: "test", source_id: String(id), location: { latitude: 10.7 + id / 1e6, longitude: 106.7 } })}\n`;

const recordsOf = (title: string, count = PLACES): string =>
  Array.from({ length: count }, (_, id) => record(id, title)).join("");

beforeAll(async () => {
  await runIndex(["import", "-", "--no-lease"], env, INPUT);
  expected = await readAllPlaces(own.engines.meilisearch);
});

/** The two parts of the input, the second of which comes when a test lets it. */
const INPUT = recordsOf("New");
const CUT = INPUT.lastIndexOf("\n", INPUT.length * 0.97) + 1;

/** Begins an import, which has handed over a batch and waits for more input when this resolves. */
async function startHalf(...more: string[]): Promise<IndexProcess> {
  await importOld();
  const started = startIndexProcess(["import", "-", "--force", ...more], env);
  started.stdin.write(INPUT.slice(0, CUT));
  await expect.poll(() => readAdded(own.engines.meilisearch), { timeout: 60_000 }).toBeGreaterThan(0);
  return started;
}

async function importOld(): Promise<void> {
  const { exitCode } = await runIndex(["import", "-", "--no-lease", "--force"], env, record(1, "Old"));
  expect(exitCode).toBe(0);
}

const liveTitles = async (): Promise<string[]> =>
  (await readAllPlaces(own.engines.meilisearch)).map((place) => asStored(place).title);

async function kill({ child, ended }: IndexProcess): Promise<void> {
  child.kill("SIGKILL");
  await ended;
}

const resume = (...more: string[]) =>
  runIndex(["import", "-", "--resume", "--json", "--force", ...more], env, INPUT);

/** The stored places of an import that nothing disturbed. */
let expected: Awaited<ReturnType<typeof readAllPlaces>>;

function killEngine(): void {
  const pid = readRuntimeFile(env.DATA_DIR)?.meilisearch?.pid;
  if (pid === undefined) throw new Error("the engine runs nowhere");
  process.kill(pid, "SIGKILL");
}

/** A killed engine is restarted; a command that begins before that fails at once. */
const waitForEngine = (): Promise<void> =>
  expect
    .poll(() =>
      fetch(`${own.engines.meilisearch.url}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true);

/** Keeps all others from writing, so that an import stands still before its swap. */
async function holdWriteLease(): Promise<() => Promise<void>> {
  const url = own.engines.redis?.url ?? "";
  const redis = createRedisConnection({ url, logger: createLogBook().logger, commandTimeoutMs: 5_000 });
  onTestFinished(() => closeRedisConnection(redis));
  await waitForRedis(redis, 5_000);
  const options = { keys: leaseKeys("places", "write"), command: "test", host: "here" };
  const lease = await waitForLease(redis, options, { signal: AbortSignal.timeout(5_000), onWait: () => {} });
  return () => lease.release();
}

describe("a resumed import gives the same index as an uninterrupted one, when", SLOW, () => {
  test("the indexer was killed while reading", async () => {
    expect(expected).toHaveLength(PLACES);
    await kill(await startHalf("--no-lease"));
    const { exitCode, stdout, stderr } = await resume("--no-lease");
    expect(stderr).toMatch(/is resumed: [1-9][\d,]* places/);
    expect({ exitCode, report: JSON.parse(stdout) as object }).toMatchObject({
      exitCode: 0,
      report: {
        outcome: "imported",
        read: PLACES,
        indexed: PLACES,
        files: [{ name: "stdin", format: "native" }],
      },
    });
    expect(await readAllPlaces(own.engines.meilisearch)).toEqual(expected);
  });

  test("the indexer was killed before it sent anything", async () => {
    const started = startIndexProcess(["import", "-", "--force", "--no-lease"], env);
    started.stdin.write(INPUT.slice(0, INPUT.length / 3));
    await expect.poll(() => readAdded(own.engines.meilisearch), { timeout: 60_000 }).toBe(0);
    await kill(started);
    const { exitCode, stderr } = await resume("--no-lease");
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining("is resumed: 0 places") as string,
    });
    expect(await readAllPlaces(own.engines.meilisearch)).toEqual(expected);
  });

  test("the indexer and the engine were killed while batches waited", async () => {
    const started = await startHalf("--no-lease");
    started.stdin.end(INPUT.slice(CUT));
    await started.hasSaid("waiting for the engine");
    killEngine();
    await kill(started);
    await waitForEngine();
    expect((await resume("--no-lease")).exitCode).toBe(0);
    expect(await readAllPlaces(own.engines.meilisearch)).toEqual(expected);
  });

  test("the indexer was killed before the swap, and the resumed one waits for its lease to expire", async () => {
    const started = await startHalf();
    const release = await holdWriteLease();
    started.stdin.end(INPUT.slice(CUT));
    await started.hasSaid("The new index passed its checks");
    await kill(started);
    await release();
    const resumed = startIndex(["import", "-", "--resume", "--json", "--force"], env);
    resumed.stdin.end(INPUT);
    await resumed.hasSaid("crashed: waiting");
    await expireLease(own.engines);
    const { exitCode, stderr } = await resumed.ended;
    expect(stderr).toContain("2,150 places are there already");
    expect(exitCode).toBe(0);
    expect(await readAllPlaces(own.engines.meilisearch)).toEqual(expected);
  });
});

test("an import continues when the engine is killed and returns", SLOW, async () => {
  const started = await startHalf("--no-lease");
  killEngine();
  started.stdin.end(INPUT.slice(CUT));
  expect((await started.ended).exitCode).toBe(0);
  expect(await readAllPlaces(own.engines.meilisearch)).toEqual(expected);
});

// Each goes on from the one before.
describe("an interrupted import", SLOW, () => {
  test("is not resumed with another file, and the live index stays unchanged", async () => {
    await kill(await startHalf("--no-lease"));
    const file = join(own.folder, "other.jsonl");
    writeFileSync(file, record(1, "Other"));
    const { exitCode, stderr } = await runIndex(["import", file, "--resume", "--no-lease"], env);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("it read stdin where now is");
    expect(await liveTitles()).toEqual(["Old 1"]);
  });

  test("is discarded by an import without --resume, which reports it", async () => {
    const only = record(1, "Only");
    const { exitCode, stderr } = await runIndex(["import", "-", "--no-lease", "--force"], env, only);
    expect(stderr).toContain("--resume would have continued it");
    expect(exitCode).toBe(0);
    expect(await liveTitles()).toEqual(["Only 1"]);
  });

  test("is gone then: an import with --resume starts over and says so", async () => {
    const only = record(1, "Only");
    const { exitCode, stderr } = await runIndex(["import", "-", "--resume", "--force"], env, only);
    expect(stderr).toContain("There is nothing to resume");
    expect(exitCode).toBe(0);
  });
});
