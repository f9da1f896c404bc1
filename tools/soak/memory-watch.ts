import type { FaultLog } from "./tally.ts";
import { type Sample, type Slope, fitSlope } from "../../test/support/statistics.ts";

/** The memory of a server during one run. */
export interface MemoryTrend {
  readonly server: number;
  readonly pid: number;
  readonly rssMb: Slope | undefined;
  /** The slope of the heap after garbage collections. */
  readonly heapMb: Slope | undefined;
  readonly peakRssMb: number;
  readonly lastRssMb: number;
  /** The heap after a collection, at the end of each minute of the process. */
  readonly keptMb: readonly number[];
}

export interface MemoryWatch {
  note(server: number, pid: number, report: MemoryReport): void;
  /** Samples count from this moment on. */
  startCounting(): void;
  trends(): MemoryTrend[];
}

interface Series {
  readonly server: number;
  readonly rss: Sample[];
  readonly heap: Sample[];
  readonly firstAt: number;
  readonly kept: number[];
  peak: number;
  last: number;
}

const BYTES_PER_MB = 1024 * 1024;

/**
 * A server's heap and caches reach their size in the first minutes of load. In runs of two to four minutes
 * the heap still grew by 3 to 5 MB a minute; over a hundred thousand requests of the fuzzer it did not grow.
 * Details are cached for ten minutes, so after ten minutes all caches are full. A shorter run uses the
 * samples it has, and has a wide bound.
 */
const WARM_UP_MS = { shortest: 10_000, longest: 600_000 };
const WARM_UP_SHARE = 0.4;
const LONG_MINUTES = 10;

const warmUpOf = (minutes: number): number =>
  minutes >= LONG_MINUTES
    ? Math.min(WARM_UP_MS.longest, minutes * 60_000 * WARM_UP_SHARE)
    : WARM_UP_MS.shortest;

/** Collects each server's memory reports in calm moments after its warm-up, in a run of this many minutes. */
export function createMemoryWatch(faults: FaultLog, minutes: number): MemoryWatch {
  const warmUpMs = warmUpOf(minutes);
  const series = new Map<number, Series>();
  let counting = false;
  return {
    startCounting() {
      counting = true;
    },
    note(server, pid, { rssBytes, keptBytes }) {
      const atMs = performance.now();
      const known = series.get(pid) ?? {
        server,
        rss: [],
        heap: [],
        kept: [],
        firstAt: atMs,
        peak: 0,
        last: 0,
      };
      series.set(pid, known);
      known.last = rssBytes / BYTES_PER_MB;
      known.peak = Math.max(known.peak, known.last);
      const minute = Math.floor((atMs - known.firstAt) / 60_000);
      if (keptBytes !== undefined) known.kept[minute] = keptBytes / BYTES_PER_MB;
      const isWarm = counting && atMs - known.firstAt >= warmUpMs;
      if (!isWarm || faults.during({ from: atMs, to: atMs }).length > 0) return;
      known.rss.push({ atMs, value: rssBytes / BYTES_PER_MB });
      if (keptBytes !== undefined) known.heap.push({ atMs, value: keptBytes / BYTES_PER_MB });
    },
    trends: () =>
      [...series].map(([pid, { server, rss, heap, kept, peak, last }]) => ({
        server,
        pid,
        rssMb: fitSlope(rss),
        heapMb: fitSlope(heap),
        peakRssMb: peak,
        lastRssMb: last,
        keptMb: kept,
      })),
  };
}

/** A server's report, once a second. */
export interface MemoryReport {
  readonly rssBytes: number;
  /** The heap right after a garbage collection; present every fifteen seconds. */
  readonly keptBytes?: number;
}
