import type { LoadGenerator } from "../load/start-load.ts";
import type { BenchRequest } from "../queries/bench-request.ts";
import { createRandom, seedOf } from "../queries/random.ts";
import type { Workload } from "../queries/workloads.ts";
import type { System } from "../systems/system.ts";
import { measureRun } from "./measure-run.ts";
import type { RunRecord } from "./run-record.ts";

export interface CasesOptions {
  readonly workloads: readonly Workload[];
  readonly systems: readonly System[];
  readonly connections: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  /** No run asks more than this. */
  readonly queries: number;
  readonly load: LoadGenerator;
  readonly onProgress: (what: string) => void;
  readonly signal: AbortSignal;
}

/** Requests of the warm-up, for each connection. */
const WARM_UP_QUERIES = 100;

/**
 * Runs every case in rounds, and in a round every system one after the other (A B C, B C A, …), so that a machine that is
 * busy for a while is busy for all of them. In a round all systems get the same requests; the next round gets others.
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
