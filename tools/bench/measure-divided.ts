import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { formatTable } from "../../src/cli/format.ts";
import { formatMegabytes, formatNumber } from "../../test/support/format-number.ts";
import { type BuildResult, buildOwnIndex, ensureBuilt, indexingFingerprint } from "./builds.ts";
import { type Dataset, ensureDataset } from "./dataset.ts";
import { measureCases } from "./measure-cases.ts";
import { type SizeContext, warmUp } from "./measure-size.ts";
import type { DividedBenchOptions } from "./options.ts";
import { startOwnApi } from "./own-api.ts";
import type { Machine } from "./process-usage.ts";
import { type Row, toRows } from "./rows.ts";
import { listWorkloads } from "./workloads.ts";

/** An index of lean records in several engines, next to one engine with as many places as one of its partitions. */
export interface DividedResult {
  readonly one: SideResult;
  readonly divided: SideResult;
}

interface SideResult {
  readonly places: number;
  readonly build: BuildResult;
  readonly rows: readonly Row[];
}

/** Builds what is missing, then measures one after the other, so that each has the memory of the machine. */
export async function measureDivided(
  options: DividedBenchOptions,
  context: SizeContext,
): Promise<DividedResult> {
  const { places, engines, partitions } = options;
  const settings = { ENGINES: String(engines), PARTITIONS: String(partitions), REPLICAS: "1" };
  const divided = { places, folder: "divided", settings };
  const one = { places: Math.round(places / partitions), folder: "one", settings: {} };
  const sides = [];
  for (const side of [one, divided]) sides.push({ side, ...(await build(side, options, context)) });
  const results: SideResult[] = [];
  for (const { side, built, ...where } of sides)
    results.push({ places: side.places, build: built, rows: await measureSide(where, options, context) });
  return { one: results[0]!, divided: results[1]! };
}

interface Side {
  readonly places: number;
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
}

interface Built {
  readonly dataset: Dataset;
  readonly folder: string;
  readonly built: BuildResult;
}

async function build(
  side: Side,
  { dataDir: root, reuse }: DividedBenchOptions,
  { signal, onProgress }: SizeContext,
): Promise<Built> {
  const dataDir = join(root, String(side.places));
  mkdirSync(dataDir, { recursive: true });
  onProgress(`dataset of ${side.places.toLocaleString("en")} places`);
  const dataset = await ensureDataset({ places: side.places, dataDir, isLean: true, signal });
  const folder = join(dataDir, `lean-${side.folder}`);
  onProgress(`import of ${side.places.toLocaleString("en")} places`);
  const ownForm = `${dataset.form}, ${JSON.stringify(side.settings)}, code `;
  const built = await ensureBuilt({
    folder,
    form: ownForm + indexingFingerprint(),
    ...(reuse && { accepts: (known: string) => known.startsWith(ownForm) }),
    build: () => buildOwnIndex({ file: dataset.file, folder, signal, settings: side.settings }),
  });
  return { dataset, folder, built };
}

async function measureSide(
  { dataset, folder }: Omit<Built, "built">,
  options: DividedBenchOptions,
  context: SizeContext,
): Promise<Row[]> {
  const { system, stop } = await startOwnApi(folder);
  try {
    const workloads = listWorkloads(dataset.sample).filter(({ part }) => part === "mix" || part === "kinds");
    await warmUp(system, { workloads, options, context });
    return toRows(await measureCases({ ...options, ...context, rounds: 1, workloads, systems: [system] }));
  } finally {
    await stop();
  }
}

/** The tables as text. */
export function formatDivided({ one, divided }: DividedResult, machine: Machine): string {
  const { at, node, processor, cores, memoryGb } = machine;
  return [
    `${at}, Node ${node}, ${cores} cores (${processor}), ${memoryGb} GB`,
    formatTable(
      ["lean records", "places", "seconds", "places/s", "MB on disk", "bytes a place"],
      [toBuildRow("one engine", one), toBuildRow("divided", divided)],
    ),
    formatTable(
      [
        "requests",
        "at once",
        "p50 ms",
        "divided",
        "times",
        "p95 ms",
        "divided",
        "API µs",
        "divided",
        "engine µs",
        "divided",
      ],
      one.rows.flatMap((row) => {
        const other = divided.rows.find(
          ({ workload, connections }) => workload === row.workload && connections === row.connections,
        );
        return other === undefined ? [] : [toPair(row, other)];
      }),
    ),
  ].join("\n\n");
}

const BYTES_PER_KILOBYTE = 1024;

const toBuildRow = (name: string, { places, build: { seconds, bytes } }: SideResult): string[] => [
  name,
  places.toLocaleString("en"),
  formatNumber(seconds),
  formatNumber(places / seconds),
  formatMegabytes(bytes / BYTES_PER_KILOBYTE),
  formatNumber(bytes / places),
];

const toPair = (one: Row, divided: Row): string[] => [
  one.workload + (one.failed + divided.failed > 0 ? ` (${one.failed} and ${divided.failed} failed)` : ""),
  String(one.connections),
  ...[one.p50Ms, divided.p50Ms, divided.p50Ms / one.p50Ms, one.p95Ms, divided.p95Ms].map(formatNumber),
  ...[one.apiCpuMicros, divided.apiCpuMicros, one.engineCpuMicros, divided.engineCpuMicros].map((micros) =>
    formatNumber(Math.round(micros)),
  ),
];
