import type { ImportResult } from "./measure-import.ts";

interface Goal {
  readonly what: string;
  readonly measured: number;
  readonly goal: string;
  /** Absent for a number that is told for its own sake. */
  readonly isMet?: boolean;
}

/** What the indexer is meant to reach; test/bench/README.md says how each is measured. */
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
