import type { SystemName } from "../systems/system.ts";
import type { Workload } from "../queries/workloads.ts";

/** What is being asked, over how many connections. */
export interface Case {
  readonly workload: string;
  readonly part: Workload["part"];
  readonly connections: number;
}

/** One system in one round of one case. Numbers are NaN where they do not apply. */
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
  /** The share of answers that held no place. */
  readonly emptyShare: number;
  /** Processor time of an answer, in the API and in its engine or database. */
  readonly apiCpuMicros: number;
  readonly engineCpuMicros: number;
  /** How many processor cores other programs kept busy meanwhile: what makes a run slow that is none of its doing. */
  readonly othersBusyCores: number;
}
