import { type RecordableHistogram, createHistogram } from "node:perf_hooks";

/**
 * What is broken, which decides which outcomes are right. While keys are changed nothing is broken, and
 * outcomes must be as in calm; so they must when one of several engines is lost.
 */
export type FaultKind = "redis" | "engine" | "swap" | "drain" | "load" | "keys" | "loss";

/** One fault from its beginning until recovery, in `performance.now()` times. */
export interface FaultPeriod {
  readonly name: string;
  readonly kind: FaultKind;
  /** The affected server, for faults of one server. */
  readonly server?: number | undefined;
  readonly startedAt: number;
  endedAt?: number;
  recoveredAt?: number;
}

/** The beginning and the end of something. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** All faults so far. */
export interface FaultLog {
  readonly periods: readonly FaultPeriod[];
  begin(fault: Pick<FaultPeriod, "name" | "kind" | "server">): FaultPeriod;
  /** The faults that were active, or not yet recovered from, at some moment of the span. */
  during(span: Span): readonly FaultPeriod[];
}

/**
 * After the first good responses, a fault's aftermath (a breaker, a connection with slow retries) may show
 * for this long.
 */
const AFTERMATH_MS = 3_000;

export function createFaultLog(): FaultLog {
  const periods: FaultPeriod[] = [];
  const overlaps = ({ startedAt, recoveredAt = Infinity }: FaultPeriod, { from, to }: Span): boolean =>
    startedAt <= to && recoveredAt + AFTERMATH_MS >= from;
  return {
    periods,
    begin(fault) {
      const period: FaultPeriod = { ...fault, startedAt: performance.now() };
      periods.push(period);
      return period;
    },
    during: (span) => periods.filter((period) => overlaps(period, span)),
  };
}

/** A response, or the lack of one, that was not among the right outcomes. */
interface Violation {
  readonly at: string;
  readonly what: string;
  readonly request?: string;
  readonly answer?: string;
  readonly faults: readonly string[];
}

/** One kind of wrong response, with its first examples. */
export interface ViolationGroup {
  readonly what: string;
  count: number;
  readonly examples: Violation[];
}

/** The responses during one fault, or during none. */
export interface PhaseTally {
  requests: number;
  readonly outcomes: Map<string, number>;
  /** The latency of responses with 200, in microseconds. */
  readonly latency: RecordableHistogram;
  /** The time until a failure was reported (5xx), in microseconds. */
  readonly refusalLatency: RecordableHistogram;
}

export interface Tally {
  readonly phases: ReadonlyMap<string, PhaseTally>;
  readonly violations: readonly ViolationGroup[];
  /** How often events happened that are right, but worth reporting. */
  readonly notes: ReadonlyMap<string, number>;
  record(phases: readonly string[], outcome: string, ms: number): void;
  violate(violation: Omit<Violation, "at">): void;
  note(what: string, count?: number): void;
}

const EXAMPLES = 5;
/** Limits the groups, because texts with numbers in them could make any number of them. */
const MAX_GROUPS = 200;

const createPhase = (): PhaseTally => ({
  requests: 0,
  outcomes: new Map(),
  latency: createHistogram(),
  refusalLatency: createHistogram(),
});

export function createTally(): Tally {
  const phases = new Map<string, PhaseTally>();
  const groups = new Map<string, ViolationGroup>();
  const notes = new Map<string, number>();
  const phaseOf = (name: string): PhaseTally => {
    const known = phases.get(name) ?? createPhase();
    phases.set(name, known);
    return known;
  };
  return {
    phases,
    notes,
    get violations() {
      return [...groups.values()];
    },
    record(names, outcome, ms) {
      for (const name of names) {
        const phase = phaseOf(name);
        phase.requests += 1;
        phase.outcomes.set(outcome, (phase.outcomes.get(outcome) ?? 0) + 1);
        const microseconds = Math.max(1, Math.round(ms * 1_000));
        if (outcome === "200") phase.latency.record(microseconds);
        if (outcome.startsWith("5")) phase.refusalLatency.record(microseconds);
      }
    },
    violate(violation) {
      const what = violation.what.replaceAll(/\d+/g, "N");
      const group = groups.get(what) ?? { what, count: 0, examples: [] };
      if (groups.size < MAX_GROUPS) groups.set(what, group);
      group.count += 1;
      if (group.examples.length < EXAMPLES)
        group.examples.push({ at: new Date().toISOString(), ...violation });
    },
    note: (what, count = 1) => void notes.set(what, (notes.get(what) ?? 0) + count),
  };
}
