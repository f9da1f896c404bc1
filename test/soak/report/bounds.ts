import type { MemoryTrend } from "../measure/memory-watch.ts";
import type { Slope } from "../measure/slope.ts";
import type { PhaseReport } from "./build-report.ts";

interface Seen {
  readonly minutes: number;
  readonly phases: readonly PhaseReport[];
  readonly memory: readonly MemoryTrend[];
  readonly limits: { readonly withRedis: number };
}

/**
 * Megabytes a minute that a server may surely grow after its warm-up. In two minutes a heap has not found its size yet; over ten and more it has, and a
 * megabyte a minute would fill the 512 MB it may have in a night.
 */
const MOST_GROWTH = { short: 40, long: 1 };
const LONG_MINUTES = 10;

/**
 * Of the answers while nothing takes capacity away so many may be 5xx: the machine may be shared. On two cores without other work
 * there was none in 20,000; with a load of thirteen, which kept the engine from answering for seconds, 0.4 %.
 */
const MOST_FAILED_IN_CALM = { short: 0.01, long: 0.003 };

/** Neither the search engine nor the processor is taken away by these. */
const CALM_PHASES = ["calm", "redis-killed", "redis-hung", "redis-slow", "keys-changed"];

/** A dead engine is told within a second; a machine that does other things may add the quarter of one. Measured there: 880. */
const TOLD_WITHIN_MS = 1_250;
const ENGINE_GONE_PHASES = ["engine-killed", "engine-hung"];

/** What of the run as a whole does not hold, as sentences. */
export function checkBounds({ minutes, phases, memory, limits }: Seen): string[] {
  return [
    ...memory.flatMap((trend) => checkGrowth(trend, minutes)),
    ...(phases.some(({ name }) => name === "calm") ? [] : ["there was no calm"]),
    ...checkCalm(phases, minutes),
    ...phases.flatMap(checkEngineGone),
    ...(limits.withRedis < 1 ? ["no caller used up his limit while Redis was there: it was not tested"] : []),
  ];
}

function checkGrowth({ server, rssMb, heapMb }: MemoryTrend, minutes: number): string[] {
  const most = minutes >= LONG_MINUTES ? MOST_GROWTH.long : MOST_GROWTH.short;
  const surelyGrows = (slope: Slope | undefined): slope is Slope =>
    slope !== undefined && slope.perMinute - slope.plusMinus > most;
  return [
    ...(surelyGrows(rssMb)
      ? [`the memory of server ${server} grows by ${rssMb.perMinute.toFixed(1)} MB a minute`]
      : []),
    ...(surelyGrows(heapMb)
      ? [`the heap of server ${server} grows by ${heapMb.perMinute.toFixed(1)} MB a minute`]
      : []),
  ];
}

function checkCalm(phases: readonly PhaseReport[], minutes: number): string[] {
  const calm = phases.filter(({ name }) => CALM_PHASES.includes(name));
  const answers = calm.flatMap(({ outcomes }) => Object.entries(outcomes));
  const failed = answers.filter(([outcome]) => outcome.startsWith("5"));
  const share = countAll(failed) / countAll(answers);
  const most = minutes >= LONG_MINUTES ? MOST_FAILED_IN_CALM.long : MOST_FAILED_IN_CALM.short;
  const percent = (share * 100).toFixed(2);
  return share > most ? [`${percent} % of the answers were 5xx while nothing took capacity away`] : [];
}

const countAll = (answers: readonly (readonly [string, number])[]): number =>
  answers.reduce((sum, [, count]) => sum + count, 0);

function checkEngineGone({ name, refusalP99Ms = 0 }: PhaseReport): string[] {
  return ENGINE_GONE_PHASES.includes(name) && refusalP99Ms > TOLD_WITHIN_MS
    ? [`p99 of the failures during ${name} was ${refusalP99Ms.toFixed(0)} ms`]
    : [];
}
