import { describe, expect, test } from "vitest";
import type { RunRecord } from "../../../tools/bench/measure-cases.ts";
import { growthOf, toRows } from "../../../tools/bench/rows.ts";
import { formatNumber } from "../../support/format-number.ts";
import { importGoals } from "../../../tools/bench/import-report.ts";
import type { ImportResult } from "../../../tools/bench/measure-import.ts";

const run = (values: Partial<RunRecord>): RunRecord => ({
  workload: "mix, cold",
  part: "mix",
  connections: 8,
  system: "api",
  round: 0,
  answers: 100,
  failed: 0,
  perSecond: 1_000,
  p50Ms: 2,
  p95Ms: 4,
  p99Ms: 8,
  emptyShare: 0,
  apiCpuMicros: 100,
  engineCpuMicros: 1_000,
  othersBusyCores: 0,
  ...values,
});

describe("rows", () => {
  test("show the median of each number over the rounds, and all failures", () => {
    const [row] = toRows([
      run({ perSecond: 900, p50Ms: 3 }),
      run({ perSecond: 1_100, p50Ms: 1, failed: 1, firstError: "500" }),
      run({ perSecond: 100, p50Ms: 2, failed: 2, firstError: "500 again" }),
    ]);
    expect(row).toMatchObject({ perSecond: 900, p50Ms: 2, failed: 3, firstError: "500" });
  });

  test("compare throughput with the naive path and the floor of the same case only", () => {
    const rows = toRows([
      run({ system: "naive", perSecond: 20 }),
      run({ system: "floor", perSecond: 500 }),
      run({ system: "api", perSecond: 1_000 }),
      run({ system: "api", perSecond: 300, connections: 1 }),
    ]);
    expect(rows.find(({ system, connections }) => system === "api" && connections === 8)).toMatchObject({
      timesNaive: 50,
      timesFloor: 2,
    });
    const alone = rows.find(({ connections }) => connections === 1)!;
    expect(alone.timesNaive).toBeNaN();
    expect(alone.timesFloor).toBeNaN();
  });

  test("a system whose every call failed has numbers that are not there", () => {
    const [row] = toRows([run({ answers: 0, p50Ms: Number.NaN })]);
    expect(row!.p50Ms).toBeNaN();
    expect(formatNumber(row!.p50Ms)).toBe("");
  });
});

test("growth is the middle answer's time on the larger dataset over that on the smaller", () => {
  const smaller = toRows([run({ p50Ms: 2 })]);
  const [larger] = toRows([run({ p50Ms: 3 })]);
  expect(growthOf(smaller, larger!)).toBe(1.5);
  expect(growthOf([], larger!)).toBeUndefined();
});

const RUN = { seconds: 10, peakKb: 200 * 1024, cpuSeconds: 3 };

const build = (values: Partial<ImportResult> = {}): ImportResult => ({
  places: 100_000,
  smallImport: { ...RUN, seconds: 5 },
  import: { ...RUN, seconds: 105 },
  importEngineCpuSeconds: 100,
  rawEngineCpuSeconds: 90,
  rawSeconds: 95,
  sync: RUN,
  syncTasks: 0,
  apply: {
    ...RUN,
    changes: 30_000,
    changesPerSecond: 1_100,
    lagSeconds: 2,
    p95BeforeMs: 20,
    p95DuringMs: 30,
    searchesBefore: 1_000,
    searchesDuring: 900,
    failedSearches: 0,
  },
  ...values,
});

const unmet = (result: ImportResult): string[] =>
  importGoals(result).flatMap(({ what, isMet }) => (isMet === false ? [what] : []));

test.each<[string, Partial<ImportResult>]>([
  ["import without fixed costs, × raw", { rawSeconds: 80 }],
  ["peak memory of import, sync and apply, MB", { sync: { ...RUN, peakKb: 301 * 1024 } }],
  ["sync of an unchanged file: tasks of the engine", { syncTasks: 1 }],
  ["sync of an unchanged file, × import", { sync: { ...RUN, seconds: 50 } }],
  ["apply: changes/s", { apply: { ...build().apply, changesPerSecond: 999 } }],
  ["search p95 during apply, × before", { apply: { ...build().apply, p95DuringMs: 40 } }],
  ["searches that failed", { apply: { ...build().apply, failedSearches: 1 } }],
])("%s is a goal that can be missed", (what, values) => {
  expect(unmet(build(values))).toEqual([what]);
});

test("what meets every goal is told so, and the costs that do not grow do not count", () => {
  expect(unmet(build())).toEqual([]);
  const rate = importGoals(build()).find(({ what }) => what.startsWith("import without"));
  expect(rate?.measured).toBeCloseTo(0.95);
});
