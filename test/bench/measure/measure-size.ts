import { ensureDataSets, type Builds, type DataSets } from "../data/data-sets.ts";
import type { LoadGenerator } from "../load/start-load.ts";
import type { BenchOptions } from "../options.ts";
import { listWorkloads, type Workload } from "../queries/workloads.ts";
import { openSystems } from "../systems/open-systems.ts";
import type { SystemName } from "../systems/system.ts";
import { measureCases } from "./measure-cases.ts";
import { measureMemory, type MemoryRecord } from "./measure-memory.ts";
import { readMemory, type MemoryUsage } from "./process-usage.ts";
import type { RunRecord } from "./run-record.ts";

/** All that was measured on a gazetteer of one size. */
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

/** Builds what is missing and measures every system and part of the options on a gazetteer of this size. */
export async function measureSize(
  places: number,
  options: BenchOptions,
  context: SizeContext,
): Promise<SizeResult> {
  const data = await ensureDataSets({ ...options, ...context, places });
  const workloads = listWorkloads(data.gazetteer.sample);
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
    const runs = await measureCases({ ...options, ...context, workloads, systems });
    const apiPid = systems.find(({ name }) => name === "api")?.apiPid;
    return { runs, ...(apiPid !== undefined && { apiMemory: readMemory(apiPid) }) };
  } finally {
    await stop();
  }
}

/** A database's memory is what it is told to take; of the engine it is the question. */
const MEMORY_SYSTEMS: readonly SystemName[] = ["naive", "floor", "api"];

/** Each system with an engine of its own that has just been started. */
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
