import type { LoadGenerator } from "./load.ts";
import type { Dataset } from "./dataset.ts";
import { percentile } from "../../test/support/statistics.ts";
import { createRandom, seedOf } from "../../test/support/random.ts";
import { listWorkloads } from "./workloads.ts";
import { readRuntimeFile } from "../../src/local-engines/data-dir.ts";
import { startOwnApi } from "./own-api.ts";
import type { System } from "./system.ts";
import { createEngineCalls } from "./engine-calls.ts";
import type { ImportBenchOptions } from "./options.ts";
import { type IndexerRun, runIndexer } from "./run-indexer.ts";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** The measurements on the live index, while the server uses it. */
export interface LiveResult {
  readonly sync: IndexerRun;
  /** The engine tasks created by the sync of an unchanged file. */
  readonly syncTasks: number;
  readonly apply: ApplyResult;
}

interface ApplyResult extends IndexerRun {
  readonly changes: number;
  /** From the first change to the moment when searches see the last. */
  readonly changesPerSecond: number;
  /** How long after the last change that moment was. */
  readonly lagSeconds: number;
  readonly p95BeforeMs: number;
  readonly p95DuringMs: number;
  readonly searchesBefore: number;
  readonly searchesDuring: number;
  readonly failedSearches: number;
}

/** What all measurements of the indexer need. */
export interface ImportContext {
  readonly load: LoadGenerator;
  readonly signal: AbortSignal;
  readonly onProgress: (what: string) => void;
}

interface LiveOptions extends ImportContext, Pick<ImportBenchOptions, "rate" | "seconds" | "dataDir"> {}

export async function measureLive(dataset: Dataset, options: LiveOptions): Promise<LiveResult> {
  const { system, stop } = await startOwnApi(options.dataDir);
  try {
    options.onProgress("sync of the unchanged file");
    const synced = await measureSync(dataset.file, options);
    const apply = await measureApply(dataset, system, options);
    return { ...synced, apply };
  } finally {
    await stop();
  }
}

async function measureSync(
  file: string,
  { dataDir, signal }: LiveOptions,
): Promise<Pick<LiveResult, "sync" | "syncTasks">> {
  const { url, key } = readRuntimeFile(dataDir)?.meilisearch ?? {};
  if (url === undefined || key === undefined) throw new Error("The server has no engine of its own.");
  const engine = createEngineCalls({ url, key });
  try {
    const before = await engine.countTasks();
    const { run } = await runIndexer(["sync", file, "--format", "native"], { dataDir, signal });
    return { sync: run, syncTasks: (await engine.countTasks()) - before };
  } finally {
    await engine.close();
  }
}

/** Concurrent callers. */
const CONNECTIONS = 4;

/** More than four connections can send in a minute. */
const MAX_SEARCHES = 100_000;
const WARM_UP_SEARCHES = 200;
const WARM_UP_SECONDS = 2;

interface SearchLoad {
  readonly p95Ms: number;
  readonly searches: number;
  readonly failed: number;
}

async function measureApply(dataset: Dataset, system: System, options: LiveOptions): Promise<ApplyResult> {
  const { seconds, rate, dataDir, signal, onProgress } = options;
  onProgress("searches on the quiet index");
  const before = await search("before", dataset, { ...options, system, onStart: () => {} });
  onProgress(`${rate.toLocaleString("en")} changes a second while searches go on`);
  let firstAt = 0;
  let lastAt = 0;
  let applying: Promise<{ run: IndexerRun; report: { applied: number; deleted: number } }> | undefined;
  const onStart = (): void => {
    firstAt = performance.now();
    const onEnd = (): void => void (lastAt = performance.now());
    const input = createChangeStream({ file: dataset.file, rate, seconds, onEnd });
    applying = runIndexer(["apply", "-"], { dataDir, signal, input });
    // The error is thrown where the result is awaited below.
    applying.catch(() => {});
  };
  const during = await search("during", dataset, { ...options, system, onStart });
  const { run, report } = await applying!;
  const endAt = firstAt + run.seconds * 1_000;
  const changes = report.applied + report.deleted;
  return {
    ...run,
    changes,
    changesPerSecond: changes / run.seconds,
    lagSeconds: (endAt - lastAt) / 1_000,
    p95BeforeMs: before.p95Ms,
    p95DuringMs: during.p95Ms,
    searchesBefore: before.searches,
    searchesDuring: during.searches,
    failedSearches: before.failed + during.failed,
  };
}

interface SearchOptions extends LiveOptions {
  readonly system: System;
  readonly onStart: () => void;
}

/** Sends the realistic mix while the stream lasts; never the same request twice. */
async function search(name: string, { sample }: Dataset, options: SearchOptions): Promise<SearchLoad> {
  const { load, system, seconds, onStart } = options;
  const random = createRandom(seedOf("import", name));
  const mix = listWorkloads(sample)[0]!;
  const calls = (count: number) => Array.from({ length: count }, () => system.toCall(mix.make(random)));
  const job = {
    target: system.target,
    connections: CONNECTIONS,
    warmUp: calls(WARM_UP_SEARCHES),
    measured: calls(MAX_SEARCHES),
    warmUpSeconds: WARM_UP_SECONDS,
    seconds,
  };
  const { latencies, failed } = await load.run(job, { onStart, onEnd: () => {} });
  return { p95Ms: percentile(latencies, 0.95) ?? Number.NaN, searches: latencies.length, failed };
}

interface StreamOptions {
  /** Native JSON lines of the places to change. */
  readonly file: string;
  readonly rate: number;
  readonly seconds: number;
  /** Called when the last change has been sent. */
  readonly onEnd: () => void;
}

/** The interval at which a stream of single changes arrives through a pipe. */
const STEP_MS = 50;

/** One of this many changes is a removal, as in the nightly changes of a real dataset. */
const REMOVED = 50;

/**
 * A stream of changes at a given rate and duration. Each changes a different place: its rating and review
 * count, or its removal.
 */
function createChangeStream(options: StreamOptions): Readable {
  return Readable.from(paced(options), { objectMode: false });
}

async function* paced({ file, rate, seconds, onEnd }: StreamOptions): AsyncGenerator<string> {
  const changes = readChanges(file);
  const perStep = Math.round((rate * STEP_MS) / 1_000);
  const startedAt = performance.now();
  for (let step = 0; step < (seconds * 1_000) / STEP_MS; step += 1) {
    await sleep(Math.max(0, startedAt + step * STEP_MS - performance.now()));
    const lines: string[] = [];
    while (lines.length < perStep) {
      const next = await changes.next();
      if (next.done) break;
      lines.push(next.value);
    }
    yield lines.join("");
  }
  await changes.return(undefined);
  onEnd();
}

async function* readChanges(file: string): AsyncGenerator<string, undefined> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    number += 1;
    yield `${JSON.stringify(toChange(JSON.parse(line) as ChangedPlace, number))}\n`;
  }
  return undefined;
}

interface ChangedPlace {
  readonly data_id: string;
  readonly reviews?: number;
}

const toChange = (place: ChangedPlace, number: number): object =>
  number % REMOVED === 0
    ? { op: "delete", data_id: place.data_id }
    : { ...place, rating: 3.5, reviews: (place.reviews ?? 0) + 1 };
