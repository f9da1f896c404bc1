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
