import type { Machine } from "./process-usage.ts";
import { BURST_CONNECTIONS, type SizeResult } from "./measure-size.ts";
import { type Row, formatGrowth, growthOf, toRows } from "./rows.ts";
import { PLAIN_SYSTEMS, type SystemName } from "./system.ts";
import { formatTable } from "../../src/cli/format.ts";
import { formatMegabytes, formatNumber } from "../../test/support/format-number.ts";

/** The report as text: each size, the growth from the smallest to the largest, the goals. */
export function formatReport(results: readonly SizeResult[], machine: Machine): string {
  const { at, node, processor, cores, memoryGb } = machine;
  const bySize = results.toSorted((a, b) => a.places - b.places);
  const [smallest, largest] = [bySize[0]!, bySize.at(-1)!];
  const growth =
    bySize.length > 1 && largest.runs.length > 0
      ? [
          `# Growth from ${smallest.places.toLocaleString("en")} to ${largest.places.toLocaleString("en")} places`,
          formatGrowth(toRows(smallest.runs), toRows(largest.runs)),
        ]
      : [];
  const where = `${at}, Node ${node}, ${cores} cores (${processor}), ${memoryGb} GB`;
  return [where, ...results.map(formatSize), ...growth, ...formatGoals(results)].join("\n\n");
}

const BYTES_PER_KILOBYTE = 1024;

/** All tables of one size. */
function formatSize(result: SizeResult): string {
  const rows = toRows(result.runs);
  const errors = rows.flatMap(({ workload, connections, system, failed, firstError }) =>
    firstError === undefined
      ? []
      : [`FAILED: ${workload}, ${connections} at once, ${system}: ${failed} requests, such as ${firstError}`],
  );
  const sections = [
    `# ${result.places.toLocaleString("en")} places`,
    formatBuilds(result),
    ...(rows.length > 0 ? [formatRows(rows)] : []),
    ...Object.entries(result.skipped).map(([name, reason]) => `${name} was not measured: ${reason}.`),
    ...(errors.length > 0 ? [errors.join("\n")] : []),
    ...(result.memory.length > 0 || result.apiMemory ? [formatMemory(result)] : []),
  ];
  return sections.join("\n\n");
}

function formatBuilds({ builds, places }: SizeResult): string {
  const rows = Object.entries(builds).map(([name, { seconds, bytes }]) => [
    PLAIN_SYSTEMS.some((plain) => plain === name) ? "plain index" : name,
    formatNumber(seconds),
    formatNumber(places / seconds),
    formatMegabytes(bytes / BYTES_PER_KILOBYTE),
  ]);
  return formatTable(["import", "seconds", "places/s", "MB on disk"], rows);
}

const ROW_HEADER = [
  "requests",
  "at once",
  "system",
  "per second",
  "p50 ms",
  "p95 ms",
  "p99 ms",
  "× naive",
  "× floor",
  "API µs",
  "engine µs",
  "empty %",
  "others' cores",
];

function formatRows(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.workload,
    String(row.connections),
    row.system,
    ...[row.perSecond, row.p50Ms, row.p95Ms, row.p99Ms, row.timesNaive, row.timesFloor].map(formatNumber),
    ...[row.apiCpuMicros, row.engineCpuMicros].map((micros) => formatNumber(Math.round(micros))),
    formatNumber(row.emptyShare * 100),
    formatNumber(row.othersBusyCores),
  ]);
  return formatTable(ROW_HEADER, cells, { leftColumns: 3 });
}

function formatMemory({ memory, apiMemory }: SizeResult): string {
  const rows = memory.map(({ system, before, during, after, api }) => [
    system,
    ...[before.anonKb, during.anonKb, after.anonKb, before.fileKb, during.fileKb].map(formatMegabytes),
    ...(api ? [api.residentKb, api.peakKb].map(formatMegabytes) : []),
  ]);
  const header = ["system", "before", "during", "after", "mapped before", "during", "API now", "API peak"];
  const title = `Memory of the engine in MB, ${BURST_CONNECTIONS} searches at once; mapped pages of the index apart`;
  const lines = memory.length > 0 ? [title, formatTable(header, rows)] : [];
  if (apiMemory) {
    const { residentKb, peakKb } = apiMemory;
    lines.push(
      `API process after all timed runs: ${formatMegabytes(residentKb)} MB, at its peak ${formatMegabytes(peakKb)} MB`,
    );
  }
  return lines.join("\n");
}

/** The service's goals; tools/bench/README.md says where each number comes from. */
const GOALS = {
  timesNaive: 20,
  timesFloor: 1,
  growth: 1.5,
  oneLetterP95Ms: 15,
  detailTimesFloor: 0.7,
  apiMb: 150,
  timesPostgis: 10,
} as const;

/** Goals for throughput apply to this many concurrent requests. */
const GOAL_CONNECTIONS = 8;

const COLD_MIX = "mix, cold";
const KILOBYTES_PER_MEGABYTE = 1024;

interface Goal {
  readonly what: string;
  readonly measured: number | undefined;
  readonly goal: string;
  readonly note?: string;
}

/**
 * A title and the goals on the largest dataset, without those that were not measured. Empty when none were.
 */
function formatGoals(results: readonly SizeResult[]): string[] {
  const bySize = results.toSorted((a, b) => a.places - b.places);
  const largest = bySize.at(-1)!;
  const rows = toRows(largest.runs);
  const smallest = bySize.length > 1 ? toRows(bySize[0]!.runs) : [];
  const goals = [
    ...throughputGoals(rows),
    ...growthGoals(smallest, rows),
    ...postgisGoals(rows),
    ...memoryGoals(largest),
  ].filter(({ measured }) => measured !== undefined && !Number.isNaN(measured));
  const lines = goals.map(({ what, measured, goal, note = "" }) => [
    what,
    formatNumber(measured),
    goal,
    note,
  ]);
  if (lines.length === 0) return [];
  const header = [`at ${largest.places.toLocaleString("en")} places`, "measured", "goal", ""];
  return ["# Goals", formatTable(header, lines)];
}

const find = (
  rows: readonly Row[],
  workload: string,
  system: SystemName,
  connections: number = GOAL_CONNECTIONS,
): Row | undefined =>
  rows.find((row) => row.workload === workload && row.system === system && row.connections === connections);

function throughputGoals(rows: readonly Row[]): Goal[] {
  const cold = find(rows, COLD_MIX, "api");
  const plain = find(rows, COLD_MIX, "naive-plain");
  return [
    { what: "search, × naive", measured: cold?.timesNaive, goal: `≥ ${GOALS.timesNaive}` },
    {
      what: "search, × naive without compression",
      measured: cold && plain && cold.perSecond / plain.perSecond,
      goal: "",
    },
    { what: "search, × floor", measured: cold?.timesFloor, goal: `≥ ${GOALS.timesFloor}` },
    {
      what: "detail, × floor",
      measured: find(rows, "detail", "api")?.timesFloor,
      goal: `≥ ${GOALS.detailTimesFloor}`,
    },
    ...[1, GOAL_CONNECTIONS].map((connections) => ({
      what: `autocomplete, 1 letter, ${connections} at once: p95 ms`,
      measured: find(rows, "1 letter", "api", connections)?.p95Ms,
      goal: `≤ ${GOALS.oneLetterP95Ms}`,
    })),
  ];
}

function growthGoals(smaller: readonly Row[], rows: readonly Row[]): Goal[] {
  return [1, GOAL_CONNECTIONS].map((connections) => {
    const api = find(rows, COLD_MIX, "api", connections);
    const floor = find(rows, COLD_MIX, "floor", connections);
    return {
      what: `search, ${connections} at once: growth of the p50`,
      measured: api && growthOf(smaller, api),
      goal: `≤ ${GOALS.growth}`,
      note: `the floor's own: ${formatNumber(floor && growthOf(smaller, floor))}`,
    };
  });
}

/** Category is separate, because the database gets the code: its query contains no text. */
function postgisGoals(rows: readonly Row[]): Goal[] {
  const kinds = rows.filter(
    ({ part, system, connections }) =>
      part === "kinds" && system === "api" && connections === GOAL_CONNECTIONS,
  );
  return kinds.map((row) => {
    const postgis = find(rows, row.workload, "postgis");
    return {
      what: `${row.workload}, × PostGIS`,
      measured: postgis && row.perSecond / postgis.perSecond,
      goal: row.workload === "category" ? "" : `≥ ${GOALS.timesPostgis}`,
    };
  });
}

function memoryGoals({ apiMemory, memory }: SizeResult): Goal[] {
  const burst = memory.find(({ system }) => system === "api");
  return [
    {
      what: "API process at its peak, MB",
      measured: apiMemory && apiMemory.peakKb / KILOBYTES_PER_MEGABYTE,
      goal: `≤ ${GOALS.apiMb}`,
    },
    {
      what: "engine's own memory, 64 searches at once: times before",
      measured: burst && burst.during.anonKb / burst.before.anonKb,
      goal: "flat",
    },
  ];
}
