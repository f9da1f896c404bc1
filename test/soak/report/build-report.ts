import type { RecordableHistogram } from "node:perf_hooks";
import type { FaultLog, FaultPeriod } from "../faults/fault-log.ts";
import type { MemoryTrend, MemoryWatch } from "../measure/memory-watch.ts";
import type { PhaseTally, Tally, ViolationGroup } from "../measure/tally.ts";
import type { SoakOptions } from "../options.ts";
import type { LimitWatch } from "../traffic/limit-watch.ts";
import { checkBounds } from "./bounds.ts";

/** What was answered in calm, or during one fault and until it was got over. */
export interface PhaseReport {
  readonly name: string;
  readonly requests: number;
  /** Statuses, those of problems with their codes, and how often each came. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  /** Of the answers that said that there is none (5xx). */
  readonly refusalP99Ms: number | undefined;
}

export interface FaultReport {
  readonly name: string;
  /** Since the first fault log entry's clock began: seconds of the run. */
  readonly atSeconds: number;
  readonly lastedSeconds: number;
  /** From the end of the fault until right and full answers came from both servers again. */
  readonly recoverySeconds: number | undefined;
}

export interface SoakReport {
  readonly options: SoakOptions;
  readonly seconds: number;
  readonly requests: number;
  /** Of all answers. One that was given while two faults were there counts for both. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly phases: readonly PhaseReport[];
  readonly faults: readonly FaultReport[];
  readonly memory: readonly MemoryTrend[];
  /** The most requests of one caller let through in a minute, as a share of the limit. */
  readonly limits: { readonly withRedis: number; readonly withoutRedis: number };
  readonly notes: Readonly<Record<string, number>>;
  readonly violations: readonly ViolationGroup[];
}

export interface ReportOptions {
  readonly options: SoakOptions;
  readonly seconds: number;
  readonly faults: FaultLog;
  readonly tally: Tally;
  readonly limits: LimitWatch;
  readonly memory: MemoryWatch;
}

/** Puts together what was seen, and adds what breaks a bound of the whole run to the violations. */
export function buildReport({ options, seconds, faults, tally, limits, memory }: ReportOptions): SoakReport {
  const phases = [...tally.phases].map(([name, phase]) => toPhaseReport(name, phase));
  const trends = memory.trends();
  for (const what of checkBounds({ minutes: seconds / 60, phases, memory: trends, limits: limits.highest }))
    tally.violate({ what, faults: [] });
  const first = faults.periods[0]?.startedAt ?? 0;
  return {
    options,
    seconds,
    requests: phases.reduce((sum, phase) => sum + phase.requests, 0),
    outcomes: sumOutcomes(phases),
    phases: phases.toSorted((a, b) => Number(b.name === "calm") - Number(a.name === "calm")),
    faults: faults.periods.map((period) => toFaultReport(period, first)),
    memory: trends,
    limits: limits.highest,
    notes: toSortedObject(tally.notes),
    violations: tally.violations,
  };
}

const toSortedObject = (counts: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));

function sumOutcomes(phases: readonly PhaseReport[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const { outcomes } of phases)
    for (const [outcome, count] of Object.entries(outcomes))
      sums.set(outcome, (sums.get(outcome) ?? 0) + count);
  return toSortedObject(sums);
}

/** The histogram counts microseconds. */
const toMs = (histogram: RecordableHistogram, share: number): number | undefined =>
  histogram.count === 0 ? undefined : histogram.percentile(share) / 1_000;

const toPhaseReport = (name: string, phase: PhaseTally): PhaseReport => ({
  name,
  requests: phase.requests,
  outcomes: toSortedObject(phase.outcomes),
  p50Ms: toMs(phase.latency, 50),
  p99Ms: toMs(phase.latency, 99),
  refusalP99Ms: toMs(phase.refusalLatency, 99),
});

function toFaultReport({ name, startedAt, endedAt, recoveredAt }: FaultPeriod, first: number): FaultReport {
  const end = endedAt ?? startedAt;
  return {
    name,
    atSeconds: (startedAt - first) / 1_000,
    lastedSeconds: (end - startedAt) / 1_000,
    recoverySeconds: recoveredAt === undefined ? undefined : (recoveredAt - end) / 1_000,
  };
}
