import type { Machine } from "./process-usage.ts";
import { formatTable } from "../../src/cli/format.ts";
import { formatMegabytes, formatNumber } from "../../test/support/format-number.ts";
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

interface Goal {
  readonly what: string;
  readonly measured: number;
  readonly goal: string;
  /** Missing for a number that has no goal. */
  readonly isMet?: boolean;
}

/** The indexer's goals; tools/bench/README.md says how each is measured. */
const GOALS = { timesRaw: 0.9, peakMb: 300, syncShare: 0.25, changesPerSecond: 1_000, timesP95: 2 } as const;

const KILOBYTES_PER_MEGABYTE = 1024;

export function importGoals(result: ImportResult): Goal[] {
  const { places, rawSeconds, apply, sync, syncTasks } = result;
  const rawRate = places / rawSeconds;
  const growingSeconds = result.import.seconds - result.smallImport.seconds;
  const peakMb =
    Math.max(...[result.import, sync, apply].map(({ peakKb }) => peakKb)) / KILOBYTES_PER_MEGABYTE;
  return [
    { what: "import, × raw", measured: places / result.import.seconds / rawRate, goal: "" },
    atLeast("import without fixed costs, × raw", places / growingSeconds / rawRate, GOALS.timesRaw),
    atMost("peak memory of import, sync and apply, MB", peakMb, GOALS.peakMb),
    atMost("sync of an unchanged file: tasks of the engine", syncTasks, 0),
    atMost("sync of an unchanged file, × import", sync.seconds / result.import.seconds, GOALS.syncShare),
    atLeast("apply: changes/s", apply.changesPerSecond, GOALS.changesPerSecond),
    { what: "apply: seconds from the last change to its being found", measured: apply.lagSeconds, goal: "" },
    below("search p95 during apply, × before", apply.p95DuringMs / apply.p95BeforeMs, GOALS.timesP95),
    atMost("searches that failed", apply.failedSearches, 0),
  ];
}

const atLeast = (what: string, measured: number, goal: number): Goal => ({
  what,
  measured,
  goal: `≥ ${goal}`,
  isMet: measured >= goal,
});

const atMost = (what: string, measured: number, goal: number): Goal => ({
  what,
  measured,
  goal: `≤ ${goal}`,
  isMet: measured <= goal,
});

const below = (what: string, measured: number, goal: number): Goal => ({
  what,
  measured,
  goal: `< ${goal}`,
  isMet: measured < goal,
});
