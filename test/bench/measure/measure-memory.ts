import { setTimeout as sleep } from "node:timers/promises";
import type { LoadGenerator } from "../load/start-load.ts";
import { createRandom, seedOf } from "../queries/random.ts";
import type { Workload } from "../queries/workloads.ts";
import type { System, SystemName } from "../systems/system.ts";
import { readMemory, resetPeakMemory, type MemoryUsage } from "./process-usage.ts";

/** An engine's memory around a burst of searches, and the API's beside it. Kilobytes. */
export interface MemoryRecord {
  readonly system: SystemName;
  readonly before: MemoryUsage;
  /** The highest of each number that was seen during the burst. */
  readonly during: MemoryUsage;
  readonly after: MemoryUsage;
  /** Only of our API; after the burst. */
  readonly api?: MemoryUsage;
}

/** As many searches at once as the issue of a busy minute: more than any pool of ours opens. */
export const BURST_CONNECTIONS = 64;

const BURST_SECONDS = 5;
const SAMPLE_EVERY_MS = 20;

/** Freed memory is given back a little later. */
const SETTLE_MS = 2_000;

const WARM_UP_QUERIES = 300;
const BURST_QUERIES = 20_000;

/** The system should be freshly started, else what went before is measured too. */
export async function measureMemory(
  system: System,
  workload: Workload,
  load: LoadGenerator,
): Promise<MemoryRecord> {
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

/** Looks at the process again and again until it is stopped, and keeps the highest of each number. */
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
