import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeDatasets } from "../datasets.ts";
import { createFaultLog } from "../tally.ts";
import { type MemoryTrend, createMemoryWatch } from "../memory-watch.ts";
import { startSystem } from "../system.ts";
import { openLine } from "../ask.ts";
import { makeConfiguredCallers } from "../callers.ts";
import type { Documented } from "./arbitrary-requests.ts";
import { type FuzzResult, runFuzz } from "./run-fuzz.ts";

/** The options of the command line. */
export interface FuzzCommand {
  readonly requests: number;
  readonly seed: number;
  readonly places: number;
}

export interface FuzzReport {
  readonly result: FuzzResult;
  readonly memory: readonly MemoryTrend[];
  /** What is wrong with the server after the run. */
  readonly aftermath: readonly string[];
  readonly seconds: number;
}

export interface FuzzRun {
  readonly command: FuzzCommand;
  readonly signal: AbortSignal;
  readonly onProgress: (what: string) => void;
}

/** High enough that no caller of the fuzzer reaches a limit. */
const PER_MINUTE = 1_000_000;
const CALLERS = 10;

/** The heap may have 512 MB. The server's other memory has never been more than the difference. */
const MOST_RSS_MB = 700;

/** Starts what is needed, fuzzes, checks the server, and ends everything. */
export async function fuzzServer(run: FuzzRun): Promise<FuzzReport> {
  const folder = mkdtempSync(join(tmpdir(), "hereabouts-fuzz-"));
  mkdirSync(join(folder, "logs"));
  try {
    return await fuzzIn(folder, run);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fuzzIn(folder: string, { command, signal, onProgress }: FuzzRun): Promise<FuzzReport> {
  const aftermath: string[] = [];
  const memory = createMemoryWatch(createFaultLog(), 0);
  const callers = makeConfiguredCallers(PER_MINUTE, CALLERS);
  onProgress("dataset and engines");
  const datasets = await makeDatasets({ ...command, folder, signal });
  const system = await startSystem({
    folder,
    configured: callers,
    signal,
    onMemory: (server, pid, report) => memory.note(server, pid, report),
    onLog: (_, line) =>
      void (line.includes("request_failed") && aftermath.push(`logged: ${line.slice(0, 1_000)}`)),
    onDeath: (_, how) => void aftermath.push(`the server died: ${how}`),
  });
  try {
    await system.index("import", datasets.files.a, "--format", "native");
    const [server] = system.servers;
    if (server === undefined) throw new Error("There is no server.");
    await server.start();
    memory.startCounting();
    const startedAt = performance.now();
    const result = await runFuzz({
      ...command,
      origin: server.origin,
      port: server.port,
      documented: (await (await fetch(`${server.origin}/openapi.json`)).json()) as Documented,
      keys: callers.map(({ key }) => key),
      knownIds: datasets.known.slice(0, 200).map(({ data_id }) => data_id),
      signal,
      onProgress: (done) => void (done % 10_000 === 0 && onProgress(`${done} requests`)),
    });
    const seconds = (performance.now() - startedAt) / 1_000;
    if (!(await isAlive(server.origin))) aftermath.push("the server does not answer any more");
    aftermath.push(...(await system.stop()));
    const trends = memory.trends();
    if (trends.some(({ peakRssMb }) => peakRssMb > MOST_RSS_MB))
      aftermath.push(`more memory than ${MOST_RSS_MB} MB`);
    return { result, memory: trends, aftermath, seconds };
  } finally {
    await system.stop();
  }
}

async function isAlive(origin: string): Promise<boolean> {
  const line = openLine(origin, 1);
  try {
    const reply = await line.ask({ method: "GET", path: "/healthz", headers: {} });
    return reply.kind === "answer" && reply.status === 200;
  } finally {
    await line.close();
  }
}
