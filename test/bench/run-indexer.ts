import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { readCpuMs, readMemory } from "./process-usage.ts";
import { scriptArguments } from "../support/program.ts";

/** What a run of the indexer took. */
export interface IndexerRun {
  readonly seconds: number;
  /** The most memory it had at a time. */
  readonly peakKb: number;
  /** Its own processor time, the engine's not among it. */
  readonly cpuSeconds: number;
}

export interface IndexerOptions {
  /** Whose engines are used. */
  readonly dataDir: string;
  readonly signal: AbortSignal;
  /** Goes to its standard input. */
  readonly input?: Readable;
}

/** Often enough that little of the end is missed. */
const SAMPLE_EVERY_MS = 20;

/**
 * Runs the indexer as its own process, as `npm run index` does. Resolves to what it took and to its report.
 * @throws when it ends with another status than 0.
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
  // What it leaves unread when it fails is told by its status.
  indexer.stdin.on("error", () => {});
  const [report, [status]] = await Promise.all([
    text(indexer.stdout),
    once(indexer, "close") as Promise<[number | null]>,
  ]);
  const run = { seconds: (performance.now() - startedAt) / 1_000, ...usage.stop() };
  if (status !== 0) throw new Error(`The indexer's ${args[0]} ended with status ${status}: ${report}`);
  return { run, report: JSON.parse(report) as Report };
}

/** Looks at the process again and again; what it had last is what it took. */
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
