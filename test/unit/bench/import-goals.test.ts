import { expect, test } from "vitest";
import { importGoals } from "../../bench/import/import-goals.ts";
import type { ImportResult } from "../../bench/import/measure-import.ts";

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
