import type { LoopResult } from "../load/closed-loop.ts";
import type { LoadGenerator } from "../load/start-load.ts";
import type { BenchRequest } from "../queries/bench-request.ts";
import type { System } from "../systems/system.ts";
import { percentile } from "./percentiles.ts";
import { readCpuMs, readMachineCpuMs } from "./process-usage.ts";
import type { Case, RunRecord } from "./run-record.ts";

export interface RunOptions {
  readonly load: LoadGenerator;
  readonly system: System;
  readonly case: Case;
  readonly round: number;
  readonly warmUp: readonly BenchRequest[];
  readonly measured: readonly BenchRequest[];
  readonly seconds: number;
}

/** Connections are opened and code is warm after this long. */
const WARM_UP_SECONDS = 0.5;

/** One system answers one sequence of requests for some seconds. */
export async function measureRun(options: RunOptions): Promise<RunRecord> {
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

/** Reads the processor times of all concerned before and after. */
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
