import { type Builds, type DataSets, ensureDataSets } from "./data-sets.ts";
import type { LoadGenerator } from "./load.ts";
import type { BenchOptions } from "./options.ts";
import { type Workload, listWorkloads } from "./workloads.ts";
import { PLAIN_SYSTEMS, type System, type SystemName } from "./system.ts";
import { type RunRecord, measureCases } from "./measure-cases.ts";
import { type MemoryUsage, readMemory, resetPeakMemory } from "./process-usage.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom, seedOf } from "../../test/support/random.ts";
import { startOwnApi } from "./own-api.ts";
import { startPostgis } from "./postgis.ts";
import { floorSystem, naiveSystem, startPlainEngine } from "./plain.ts";

/** The measurements on a dataset of one size. */
export interface SizeResult {
  readonly places: number;
  readonly builds: Builds;
  readonly skipped: DataSets["skipped"];
  readonly runs: readonly RunRecord[];
  /** The memory of our API's process after all timed runs. */
  readonly apiMemory?: MemoryUsage;
  readonly memory: readonly MemoryRecord[];
}

export interface SizeContext {
  readonly load: LoadGenerator;
  readonly signal: AbortSignal;
  readonly onProgress: (what: string) => void;
}

/** Builds what is missing, and measures every selected system and part on a dataset of this size. */
export async function measureSize(
  places: number,
  options: BenchOptions,
  context: SizeContext,
): Promise<SizeResult> {
  const data = await ensureDataSets({ ...options, ...context, places });
  const workloads = listWorkloads(data.dataset.sample);
  const systems = options.systems.filter((name) => data.skipped[name] === undefined);
  const measuring = { data, workloads, options: { ...options, systems }, context };
  const timed = await measureTimes(measuring);
  const memory = options.parts.includes("memory") ? await measureMemories(measuring) : [];
  return { places, builds: data.builds, skipped: data.skipped, ...timed, memory };
}

interface Measuring {
  readonly data: DataSets;
  readonly workloads: readonly Workload[];
  readonly options: BenchOptions;
  readonly context: SizeContext;
}

async function measureTimes(measuring: Measuring): Promise<Pick<SizeResult, "runs" | "apiMemory">> {
  const { data, options, context } = measuring;
  const workloads = measuring.workloads.filter(({ part }) => options.parts.includes(part));
  if (workloads.length === 0) return { runs: [] };
  const { systems, stop } = await openSystems(options.systems, data);
  try {
    for (const system of systems) await warmUp(system, measuring);
    const runs = await measureCases({ ...options, ...context, workloads, systems });
    const apiPid = systems.find(({ name }) => name === "api")?.apiPid;
    return { runs, ...(apiPid !== undefined && { apiMemory: readMemory(apiPid) }) };
  } finally {
    await stop();
  }
}

/** Enough to keep the system busy, and few enough that no response is late. */
const WARM_UP_CONNECTIONS = 8;
const WARM_UP_SECONDS = 120;

/**
 * Sends searches that are not measured. The API's code gets faster for some six thousand requests: without them a short run measures
 * the compiler of V8.
 */
export async function warmUp(
  system: System,
  {
    workloads,
    options,
    context,
  }: Pick<Measuring, "workloads" | "context"> & { readonly options: Pick<BenchOptions, "warmUp"> },
): Promise<void> {
  if (system.apiPid === undefined || options.warmUp === 0) return;
  context.onProgress(`warm-up of ${system.name}`);
  const random = createRandom(seedOf("warm-up"));
  const measured = Array.from({ length: options.warmUp }, () => system.toCall(workloads[0]!.make(random)));
  await context.load.run(
    {
      target: system.target,
      connections: WARM_UP_CONNECTIONS,
      warmUp: [],
      measured,
      warmUpSeconds: 0,
      seconds: WARM_UP_SECONDS,
    },
    { onStart: () => {}, onEnd: () => {} },
  );
}

/** A database's memory is a setting; the engine's has to be measured. */
const MEMORY_SYSTEMS: readonly SystemName[] = ["naive", "floor", "api"];

/** Measures each system with a separate, newly started engine. */
async function measureMemories({ data, workloads, options, context }: Measuring): Promise<MemoryRecord[]> {
  const records: MemoryRecord[] = [];
  for (const name of MEMORY_SYSTEMS.filter((system) => options.systems.includes(system))) {
    context.signal.throwIfAborted();
    context.onProgress(`memory of ${name}`);
    const { systems, stop } = await openSystems([name], data);
    try {
      for (const system of systems) records.push(await measureMemory(system, workloads[0]!, context.load));
    } finally {
      await stop();
    }
  }
  return records;
}

/** The memory of an engine around a burst of searches, and the API's. In kilobytes. */
interface MemoryRecord {
  readonly system: SystemName;
  readonly before: MemoryUsage;
  /** The highest of each number during the burst. */
  readonly during: MemoryUsage;
  readonly after: MemoryUsage;
  /** Only for our API, after the burst. */
  readonly api?: MemoryUsage;
}

/** As many concurrent searches as in the busiest minute: more than any of our pools opens. */
export const BURST_CONNECTIONS = 64;

const BURST_SECONDS = 5;
const SAMPLE_EVERY_MS = 20;

/** Freed memory is returned a little later. */
const SETTLE_MS = 2_000;

const WARM_UP_QUERIES = 300;
const BURST_QUERIES = 20_000;

/** The system should be newly started; otherwise earlier load is measured too. */
async function measureMemory(system: System, workload: Workload, load: LoadGenerator): Promise<MemoryRecord> {
  const [enginePid = 0] = system.enginePids();
  const random = createRandom(seedOf("memory"));
  const requests = (count: number) =>
    Array.from({ length: count }, () => system.toCall(workload.make(random)));
  const run = (connections: number, count: number, seconds: number) =>
    load.run(
      {
        target: system.target,
        connections,
        warmUp: [],
        measured: requests(count),
        warmUpSeconds: 0,
        seconds,
      },
      { onStart: () => {}, onEnd: () => {} },
    );
  await run(1, WARM_UP_QUERIES, BURST_SECONDS);
  await sleep(SETTLE_MS);
  const before = readMemory(enginePid);
  resetPeakMemory(enginePid);
  const watch = watchMemory(enginePid);
  await run(BURST_CONNECTIONS, BURST_QUERIES, BURST_SECONDS);
  const during = watch.stop();
  await sleep(SETTLE_MS);
  const after = readMemory(enginePid);
  return {
    system: system.name,
    before,
    during,
    after,
    ...(system.apiPid !== undefined && { api: readMemory(system.apiPid) }),
  };
}

/** Reads the process's memory repeatedly until stopped, and keeps the highest of each number. */
function watchMemory(pid: number): { stop(): MemoryUsage } {
  let highest = readMemory(pid);
  const look = (): void => {
    const seen = readMemory(pid);
    highest = {
      anonKb: Math.max(highest.anonKb, seen.anonKb),
      fileKb: Math.max(highest.fileKb, seen.fileKb),
      residentKb: Math.max(highest.residentKb, seen.residentKb),
      peakKb: Math.max(highest.peakKb, seen.peakKb),
    };
  };
  const timer = setInterval(look, SAMPLE_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      return highest;
    },
  };
}

interface OpenSystems {
  /** In the order of `SYSTEM_NAMES`. */
  readonly systems: readonly System[];
  /** Ends everything that was started. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts what the named systems need: one engine for all that use the plain index, and our server with its
 * engines.
 */
async function openSystems(names: readonly SystemName[], data: DataSets): Promise<OpenSystems> {
  const systems: System[] = [];
  const closers: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  try {
    const plainNames = names.filter((name) => PLAIN_SYSTEMS.includes(name));
    if (plainNames.length > 0) {
      const engine = await startPlainEngine(data.plainDir);
      closers.push(engine.stop);
      systems.push(
        ...plainNames.map((name) =>
          name === "floor" ? floorSystem(engine) : naiveSystem(engine, name === "naive"),
        ),
      );
    }
    const starts = [
      ...(names.includes("api") ? [() => startOwnApi(data.ownDir)] : []),
      ...(names.includes("postgis") ? [() => startPostgis(data.postgisDir)] : []),
    ];
    for (const start of starts) {
      const { system, stop: close } = await start();
      closers.push(close);
      systems.push(system);
    }
    return { systems, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
