import type { MemoryTrend } from "../measure/memory-watch.ts";
import type { Slope } from "../measure/slope.ts";
import type { FuzzReport } from "./fuzz-server.ts";

/** The report for people. */
export function formatFuzz({ result, memory, aftermath, seconds }: FuzzReport): string {
  const { requests, repeated, statuses, latency, findings } = result;
  const ms = (percentile: number): string => (latency.percentile(percentile) / 1_000).toFixed(1);
  const found = findings.length + aftermath.length;
  return [
    `${requests} requests in ${seconds.toFixed(0)} s, p50 ${ms(50)} ms, p99 ${ms(99)} ms, the longest ${ms(100)} ms`,
    `Asked again, since the engine was too slow: ${repeated}`,
    ...[...statuses].toSorted(([, a], [, b]) => b - a).map(([status, count]) => `  ${status}: ${count}`),
    ...memory.map(formatMemory),
    ...findings.map(({ what, request, answer }) => `FOUND ${what}\n    ${request}\n    ${answer}`),
    ...aftermath.map((what) => `FOUND afterwards: ${what}`),
    found === 0 ? "Nothing found." : `${found} found.`,
  ].join("\n");
}

const formatMemory = ({ lastRssMb, peakRssMb, rssMb, heapMb }: MemoryTrend): string =>
  `Memory: ${lastRssMb.toFixed(0)} MB, at most ${peakRssMb.toFixed(0)} MB; MB a minute: RSS ${formatSlope(rssMb)}, heap ${formatSlope(heapMb)}`;

const formatSlope = (slope: Slope | undefined): string =>
  slope === undefined ? "too few samples" : `${slope.perMinute.toFixed(1)} ± ${slope.plusMinus.toFixed(1)}`;
