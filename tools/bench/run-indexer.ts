import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { readCpuMs, readMemory } from "./process-usage.ts";
import { scriptArguments } from "../../test/support/program.ts";

/** The cost of one run of the indexer. */
export interface IndexerRun {
  readonly seconds: number;
  /** Its peak memory. */
  readonly peakKb: number;
  /** Its own processor time, without the engine's. */
  readonly cpuSeconds: number;
}

export interface IndexerOptions {
  /** The data directory whose engines it uses. */
  readonly dataDir: string;
  readonly signal: AbortSignal;
  /** Piped to its standard input. */
  readonly input?: Readable;
}

/** Often enough to miss little at the end. */
const SAMPLE_EVERY_MS = 20;

/**
 * Runs the indexer as a separate process, as `npm run index` does. Resolves to its cost and its report.
 * @throws when its exit status is not 0.
 */
export async function runIndexer<Report>(
  args: readonly string[],
  { dataDir, signal, input }: IndexerOptions,
): Promise<{ run: IndexerRun; report: Report }> {
  const startedAt = performance.now();
  const indexer = spawn(process.execPath, [...scriptArguments("index"), ...args, "--json"], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { DATA_DIR: dataDir },
    cwd: dataDir,
    signal,
  });
  const usage = watchUsage(indexer.pid ?? 0);
  if (input) input.pipe(indexer.stdin);
  else indexer.stdin.end();
  // When it fails with unread input, its exit status reports that.
  indexer.stdin.on("error", () => {});
  const [report, [status]] = await Promise.all([
    text(indexer.stdout),
    once(indexer, "close") as Promise<[number | null]>,
  ]);
  const run = { seconds: (performance.now() - startedAt) / 1_000, ...usage.stop() };
  if (status !== 0) throw new Error(`The indexer's ${args[0]} ended with status ${status}: ${report}`);
  return { run, report: JSON.parse(report) as Report };
}

/** Reads the process's usage repeatedly; the last reading counts. */
function watchUsage(pid: number): { stop(): Pick<IndexerRun, "peakKb" | "cpuSeconds"> } {
  let peakKb = 0;
  let cpuMs = 0;
  const look = (): void => {
    peakKb = Math.max(peakKb, readMemory(pid).peakKb);
    cpuMs = Math.max(cpuMs, readCpuMs([pid]));
  };
  const timer = setInterval(look, SAMPLE_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      return { peakKb, cpuSeconds: cpuMs / 1_000 };
    },
  };
}
