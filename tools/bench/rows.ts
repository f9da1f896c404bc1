import { median } from "../../test/support/statistics.ts";
import type { Case, RunRecord } from "./measure-cases.ts";
import type { SystemName } from "./system.ts";
import { formatTable } from "../../src/cli/format.ts";
import { formatNumber } from "../../test/support/format-number.ts";

const MEASURES = [
  "perSecond",
  "p50Ms",
  "p95Ms",
  "p99Ms",
  "emptyShare",
  "apiCpuMicros",
  "engineCpuMicros",
  "othersBusyCores",
] as const satisfies (keyof RunRecord)[];

/**
 * One system in one case: the medians over its rounds, and its throughput as a multiple of that of two
 * others.
 */
export interface Row extends Case, Readonly<Record<(typeof MEASURES)[number], number>> {
  readonly system: SystemName;
  readonly failed: number;
  readonly firstError?: string;
  readonly timesNaive: number;
  readonly timesFloor: number;
}

type PlainRow = Omit<Row, "timesNaive" | "timesFloor">;

/** The rows of all cases in the order in which they were run. */
export function toRows(runs: readonly RunRecord[]): Row[] {
  const rows = [
    ...Map.groupBy(runs, ({ workload, connections, system }) => `${workload}/${connections}/${system}`),
  ]
    .map(([, rounds]) => toPlainRow(rounds))
    .toSorted((a, b) => caseOrder(runs, a) - caseOrder(runs, b));
  const rate = (row: PlainRow, system: SystemName): number =>
    rows.find((other) => isSameCase(other, row) && other.system === system)?.perSecond ?? Number.NaN;
  return rows.map((row) => ({
    ...row,
    timesNaive: row.perSecond / rate(row, "naive"),
    timesFloor: row.perSecond / rate(row, "floor"),
  }));
}

const isSameCase = (a: Case, b: Case): boolean =>
  a.workload === b.workload && a.connections === b.connections;

const caseOrder = (runs: readonly RunRecord[], row: Case): number =>
  runs.findIndex((run) => isSameCase(run, row));

function toPlainRow(rounds: readonly RunRecord[]): PlainRow {
  const { workload, part, connections, system } = rounds[0]!;
  const failedRound = rounds.find(({ firstError }) => firstError !== undefined);
  const measures = Object.fromEntries(
    MEASURES.map((measure) => [measure, median(rounds.map((round) => round[measure]))]),
  ) as Record<(typeof MEASURES)[number], number>;
  return {
    workload,
    part,
    connections,
    system,
    ...measures,
    failed: rounds.reduce((sum, round) => sum + round.failed, 0),
    ...(failedRound?.firstError !== undefined && { firstError: failedRound.firstError }),
  };
}

/**
 * How many times as long the median response takes on the larger dataset; undefined where one of the two was
 * not measured.
 */
export function growthOf(smaller: readonly Row[], row: Row): number | undefined {
  const before = smaller.find((other) => isSameCase(other, row) && other.system === row.system);
  return before === undefined ? undefined : row.p50Ms / before.p50Ms;
}

/** A table of the growth: a line for each case, a column for each system. */
export function formatGrowth(smaller: readonly Row[], larger: readonly Row[]): string {
  const systems = [...new Set(larger.map(({ system }) => system))];
  const cases = Map.groupBy(larger, ({ workload, connections }) => `${workload}/${connections}`);
  const lines = [...cases.values()].map((rows) => [
    rows[0]!.workload,
    String(rows[0]!.connections),
    ...systems.map((system) => {
      const row = rows.find((other) => other.system === system);
      return row === undefined ? "" : formatNumber(growthOf(smaller, row));
    }),
  ]);
  return formatTable(["p50, times", "at once", ...systems], lines, { leftColumns: 2 });
}
