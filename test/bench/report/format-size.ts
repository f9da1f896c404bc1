import type { SizeResult } from "../measure/measure-size.ts";
import { BURST_CONNECTIONS } from "../measure/measure-memory.ts";
import { PLAIN_SYSTEMS } from "../systems/system.ts";
import { toRows, type Row } from "./medians.ts";
import { formatMegabytes, formatNumber, formatTable } from "./text-table.ts";

const BYTES_PER_KILOBYTE = 1024;

/** All tables of one size. */
export function formatSize(result: SizeResult): string {
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
  return formatTable(ROW_HEADER, cells, 3);
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
