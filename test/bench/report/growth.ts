import { type Row, isSameCase } from "./medians.ts";
import { formatNumber, formatTable } from "./text-table.ts";

/** How many times as long the middle answer takes on the larger gazetteer; undefined where one of the two was not measured. */
export function growthOf(smaller: readonly Row[], row: Row): number | undefined {
  const before = smaller.find((other) => isSameCase(other, row) && other.system === row.system);
  return before === undefined ? undefined : row.p50Ms / before.p50Ms;
}

/** A table of the growths: a line for each case, a column for each system. */
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
  return formatTable(["p50, times", "at once", ...systems], lines, 2);
}
