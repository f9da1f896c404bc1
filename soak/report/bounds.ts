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
 * Of the answers while nothing takes capacity away so many may be 5xx: the machine may be shared, and a limit that was found under
 * a flood grows back by use. Measured on two busy cores: none of 20,000.
 */
const MOST_FAILED_IN_CALM = 0.002;

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
    ...phases.flatMap(checkPhase),
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

function checkPhase({ name, requests, outcomes, refusalP99Ms = 0 }: PhaseReport): string[] {
  const failed = Object.entries(outcomes).reduce(
    (sum, [outcome, count]) => sum + (outcome.startsWith("5") ? count : 0),
    0,
  );
  const share = CALM_PHASES.includes(name) ? failed / requests : 0;
  return [
    ...(share > MOST_FAILED_IN_CALM
      ? [`${(share * 100).toFixed(2)} % of the answers were 5xx during ${name}`]
      : []),
    ...(ENGINE_GONE_PHASES.includes(name) && refusalP99Ms > TOLD_WITHIN_MS
      ? [`p99 of the failures during ${name} was ${refusalP99Ms.toFixed(0)} ms`]
      : []),
  ];
}
