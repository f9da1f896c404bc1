import type { System, SystemName } from "./system.ts";
import type { Workload } from "./workloads.ts";
import type { LoadGenerator, LoopResult } from "./load.ts";
import type { BenchRequest } from "./requests.ts";
import { createRandom, seedOf } from "../../test/support/random.ts";
import { percentile } from "../../test/support/statistics.ts";
import { readCpuMs, readMachineCpuMs } from "./process-usage.ts";

/** The kind of requests, and the number of connections. */
export interface Case {
  readonly workload: string;
  readonly part: Workload["part"];
  readonly connections: number;
}

/** The figures of one system in one round of one case. NaN where a figure does not apply. */
export interface RunRecord extends Case {
  readonly system: SystemName;
  readonly round: number;
  readonly answers: number;
  readonly failed: number;
  readonly firstError?: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** The share of responses without places. */
  readonly emptyShare: number;
  /** Processor time per response, in the API and in its engine or database. */
  readonly apiCpuMicros: number;
  readonly engineCpuMicros: number;
  /** How many cores other programs kept busy meanwhile, which slows a run through no fault of its system. */
  readonly othersBusyCores: number;
}

export interface CasesOptions {
  readonly workloads: readonly Workload[];
  readonly systems: readonly System[];
  readonly connections: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  /** No run sends more than this. */
  readonly queries: number;
  readonly load: LoadGenerator;
  readonly onProgress: (what: string) => void;
  readonly signal: AbortSignal;
}

/** Warm-up requests per connection. */
const WARM_UP_QUERIES = 100;

/**
 * Runs every case in rounds, and in each round every system in turn (A B C, B C A, …), so that a temporarily
 * busy machine affects all of them. In a round all systems get the same requests; the next round has others.
 */
export async function measureCases(options: CasesOptions): Promise<RunRecord[]> {
  const records: RunRecord[] = [];
  for (const workload of options.workloads) {
    for (const connections of options.connections) {
      options.onProgress(`${workload.name}, ${connections} at once`);
      for (let round = 0; round < options.rounds; round += 1) {
        records.push(...(await measureRound({ ...options, workload, at: { connections, round } })));
      }
    }
  }
  return records;
}

interface RoundOptions extends CasesOptions {
  readonly workload: Workload;
  readonly at: { readonly connections: number; readonly round: number };
}

async function measureRound(options: RoundOptions): Promise<RunRecord[]> {
  const { workload, systems, signal, at } = options;
  const { connections, round } = at;
  const sequence = (name: string, count: number): BenchRequest[] => {
    const random = createRandom(seedOf(workload.name, connections, round, name));
    return Array.from({ length: count }, () => workload.make(random));
  };
  const warmUp = sequence("warm-up", WARM_UP_QUERIES * connections);
  const measured = sequence("measured", options.queries);
  const records: RunRecord[] = [];
  for (let turn = 0; turn < systems.length; turn += 1) {
    signal.throwIfAborted();
    const system = systems[(turn + round) % systems.length]!;
    const { name, part } = workload;
    const record = await measureRun({
      ...options,
      system,
      case: { workload: name, part, connections },
      round,
      warmUp,
      measured,
    });
    records.push(record);
  }
  return records;
}

interface RunOptions {
  readonly load: LoadGenerator;
  readonly system: System;
  readonly case: Case;
  readonly round: number;
  readonly warmUp: readonly BenchRequest[];
  readonly measured: readonly BenchRequest[];
  readonly seconds: number;
}

/** After this time connections are open and code is warm. */
const WARM_UP_SECONDS = 0.5;

/** Measures one system with one sequence of requests for some seconds. */
async function measureRun(options: RunOptions): Promise<RunRecord> {
  const { load, system, round, seconds } = options;
  const meter = createCpuMeter(system, load.pid);
  const result = await load.run(
    {
      target: system.target,
      connections: options.case.connections,
      warmUp: options.warmUp.map(system.toCall),
      measured: options.measured.map(system.toCall),
      warmUpSeconds: WARM_UP_SECONDS,
      seconds,
    },
    { onStart: meter.start, onEnd: meter.end },
  );
  return { ...options.case, system: system.name, round, ...toNumbers(result), ...meter.perAnswer(result) };
}

function toNumbers({ latencies, elapsedMs, failed, empty, firstError }: LoopResult) {
  const answers = latencies.length;
  const at = (share: number): number => percentile(latencies, share) ?? Number.NaN;
  return {
    answers,
    failed,
    ...(firstError !== undefined && { firstError }),
    perSecond: (answers / elapsedMs) * 1_000,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    emptyShare: empty / answers,
  };
}

interface CpuTimes {
  readonly api: number;
  readonly engine: number;
  readonly load: number;
  readonly machine: number;
}

/** Reads the processor times of all processes involved, before and after. */
function createCpuMeter(system: System, loadPid: number) {
  const { apiPid } = system;
  const read = (): CpuTimes => ({
    api: apiPid === undefined ? Number.NaN : readCpuMs([apiPid]),
    engine: readCpuMs(system.enginePids()),
    load: readCpuMs([loadPid]),
    machine: readMachineCpuMs(),
  });
  let before: CpuTimes | undefined;
  let after: CpuTimes | undefined;
  return {
    start: () => void (before = read()),
    end: () => void (after = read()),
    perAnswer({ latencies, elapsedMs }: LoopResult) {
      const spent = (name: keyof CpuTimes): number => after![name] - before![name];
      const microsEach = (name: keyof CpuTimes): number =>
        latencies.length === 0 ? Number.NaN : (spent(name) * 1_000) / latencies.length;
      const ours = spent("engine") + spent("load") + (apiPid === undefined ? 0 : spent("api"));
      return {
        apiCpuMicros: microsEach("api"),
        engineCpuMicros: microsEach("engine"),
        othersBusyCores: Math.max(0, spent("machine") - ours) / elapsedMs,
      };
    },
  };
}
