import type { MemoryTrend } from "../measure/memory-watch.ts";
import type { Slope } from "../measure/slope.ts";
import type { PhaseReport } from "./build-report.ts";

interface Seen {
  readonly minutes: number;
  readonly phases: readonly PhaseReport[];
  readonly memory: readonly MemoryTrend[];
}

/**
 * Megabytes a minute that a server may surely grow after its warm-up. In two minutes a heap has not found its size yet; over ten and more it has, and a
 * megabyte a minute would fill the 512 MB it may have in a night.
 */
const MOST_GROWTH = { short: 40, long: 1 };
const LONG_MINUTES = 10;

/** Of the answers in calm so many may be refusals of a server that is too busy, or whose engine is: the machine may be shared. */
const MOST_REFUSED_IN_CALM = 0.05;

const REFUSALS = ["500 engine_unavailable", "503 overloaded"];

/** What of the run as a whole does not hold, as sentences. */
export function checkBounds({ minutes, phases, memory }: Seen): string[] {
  return [...memory.flatMap((trend) => checkGrowth(trend, minutes)), ...checkCalm(phases)];
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

function checkCalm(phases: readonly PhaseReport[]): string[] {
  const calm = phases.find(({ name }) => name === "calm");
  if (calm === undefined) return ["there was no calm"];
  const refused = REFUSALS.reduce((sum, outcome) => sum + (calm.outcomes[outcome] ?? 0), 0);
  const share = refused / calm.requests;
  return share > MOST_REFUSED_IN_CALM
    ? [`${(share * 100).toFixed(1)} % of the requests in calm were refused: ${REFUSALS.join(" or ")}`]
    : [];
}
