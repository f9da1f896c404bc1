import { type RecordableHistogram, createHistogram } from "node:perf_hooks";

/** What is broken, which decides what may be answered meanwhile. While keys are changed nothing is, and nothing may be answered but as in calm. */
export type FaultKind = "redis" | "engine" | "swap" | "drain" | "load" | "keys";

/** One fault from its beginning until all was well again. Times are those of `performance.now()`. */
export interface FaultPeriod {
  readonly name: string;
  readonly kind: FaultKind;
  /** The server that it happens to, where it is one. */
  readonly server?: number | undefined;
  readonly startedAt: number;
  endedAt?: number;
  recoveredAt?: number;
}

/** When something began and ended. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** All faults so far. */
export interface FaultLog {
  readonly periods: readonly FaultPeriod[];
  begin(fault: Pick<FaultPeriod, "name" | "kind" | "server">): FaultPeriod;
  /** Faults that were there, or not yet got over, at some moment of the span. */
  during(span: Span): readonly FaultPeriod[];
}

/** What a fault leaves behind (a breaker, a line that is tried again now and then) may show for this long after the first good answers. */
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

/** An answer, or the lack of one, that was not among the right ones. */
interface Violation {
  readonly at: string;
  readonly what: string;
  readonly request?: string;
  readonly answer?: string;
  readonly faults: readonly string[];
}

/** One way in which an answer was wrong; the first examples are kept. */
export interface ViolationGroup {
  readonly what: string;
  count: number;
  readonly examples: Violation[];
}

/** What was answered while one fault was there, or none. */
export interface PhaseTally {
  requests: number;
  readonly outcomes: Map<string, number>;
  /** Microseconds of the answers with 200. */
  readonly latency: RecordableHistogram;
  /** Microseconds until the server said that it cannot answer (5xx). */
  readonly refusalLatency: RecordableHistogram;
}

export interface Tally {
  readonly phases: ReadonlyMap<string, PhaseTally>;
  readonly violations: readonly ViolationGroup[];
  /** How often something happened that is right, but worth telling. */
  readonly notes: ReadonlyMap<string, number>;
  record(phases: readonly string[], outcome: string, ms: number): void;
  violate(violation: Omit<Violation, "at">): void;
  note(what: string, count?: number): void;
}

const EXAMPLES = 5;
/** Texts with numbers in them could be without end. */
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
