import type { SizeResult } from "../measure/measure-size.ts";
import type { SystemName } from "../systems/system.ts";
import { growthOf } from "./growth.ts";
import { toRows, type Row } from "./medians.ts";
import { formatNumber, formatTable } from "./text-table.ts";

/** What the service is meant to reach; test/bench/README.md says where each number comes from. */
const GOALS = {
  timesNaive: 20,
  timesFloor: 1,
  growth: 1.5,
  oneLetterP95Ms: 15,
  detailTimesFloor: 0.7,
  apiMb: 150,
  timesPostgis: 10,
} as const;

/** Goals of throughput are set for this many requests at once. */
const GOAL_CONNECTIONS = 8;

const COLD_MIX = "mix, cold";
const KILOBYTES_PER_MEGABYTE = 1024;

interface Goal {
  readonly what: string;
  readonly measured: number | undefined;
  readonly goal: string;
  readonly note?: string;
}

/** A title and the goals on the largest gazetteer. Those that were not measured are left out; nothing when none was. */
export function formatGoals(results: readonly SizeResult[]): string[] {
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

/** Category is told apart: the database is handed the code, there is no text in its query. */
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
