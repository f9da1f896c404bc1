import type { Machine } from "../measure/machine.ts";
import { formatMegabytes, formatNumber, formatTable } from "../report/text-table.ts";
import { importGoals } from "./import-goals.ts";
import type { ImportResult } from "./measure-import.ts";
import type { IndexerRun } from "./run-indexer.ts";

/** The tables and the goals as text. */
export function formatImport(result: ImportResult, machine: Machine): string {
  const { at, node, processor, cores, memoryGb } = machine;
  return [
    `${at}, Node ${node}, ${cores} cores (${processor}), ${memoryGb} GB`,
    `# ${result.places.toLocaleString("en")} places`,
    formatRuns(result),
    formatApply(result),
    "# Goals",
    formatGoals(result),
  ].join("\n\n");
}

function formatRuns(result: ImportResult): string {
  const { places, smallImport, rawSeconds, rawEngineCpuSeconds, importEngineCpuSeconds } = result;
  const toRow = (name: string, run: IndexerRun, records: number, engineCpuSeconds?: number): string[] => [
    name,
    ...[run.seconds, records / run.seconds].map(formatNumber),
    formatNumber(run.cpuSeconds),
    formatNumber(engineCpuSeconds),
    formatMegabytes(run.peakKb),
  ];
  const raw = [rawSeconds, places / rawSeconds].map(formatNumber);
  return formatTable(
    ["", "seconds", "records/s", "own CPU s", "engine CPU s", "peak MB"],
    [
      ["raw", ...raw, "", formatNumber(rawEngineCpuSeconds), ""],
      toRow("import", result.import, places, importEngineCpuSeconds),
      toRow("import of 1,000", smallImport, 1_000),
      toRow("sync, unchanged", result.sync, places),
      toRow("apply", result.apply, result.apply.changes),
    ],
  );
}

function formatApply({ apply }: ImportResult): string {
  return formatTable(
    ["searches", "answers", "p95 ms"],
    [
      ["before", String(apply.searchesBefore), formatNumber(apply.p95BeforeMs)],
      ["during apply", String(apply.searchesDuring), formatNumber(apply.p95DuringMs)],
    ],
  );
}

function formatGoals(result: ImportResult): string {
  const lines = importGoals(result).map(({ what, measured, goal, isMet }) => [
    what,
    formatNumber(measured),
    goal,
    isMet === undefined ? "" : isMet ? "✓" : "✗",
  ]);
  return formatTable(["", "measured", "goal", ""], lines);
}
