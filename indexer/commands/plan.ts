import type { Command } from "commander";
import { cleanToDocument } from "../clean/clean-records.ts";
import { isRejection, type PlaceDraft } from "../clean/place-draft.ts";
import { toIndexedPlace } from "../../src/meilisearch/index-form.ts";
import { MAX_PARTITIONS } from "../../src/partitions/topology.ts";
import { MAX_ENGINES, readGivenIndex, type Topology } from "../../src/partitions/topology.ts";
import { CommandError, EXIT } from "../../src/cli/errors.ts";
import { formatBytes, formatCount } from "../../src/cli/format.ts";
import { wholeNumber } from "../../src/cli/options.ts";
import { runOrPrint, type CommandContext, type RunCommand } from "../../src/cli/run-program.ts";
import { scanPositions } from "../import/scan-positions.ts";
import { planPartitions, type Plan } from "../index/plan.ts";
import { closeSources, openSources } from "../sources/open-sources.ts";

interface PlanCommandOptions {
  readonly format?: string;
  readonly engines?: number;
  readonly partitions?: number;
  readonly replicas?: number;
  readonly json: boolean;
}

const HELP = `
Shows how an import would divide the places of these files among several engines, before anything is
written: where the borders are, how many places each partition and each engine has, and how much disk
and memory each engine needs. It needs no engine.

The division is that of TOPOLOGY; --engines, --partitions and --replicas try another one. Disk is for
three indexes: the live one, the one before it, and the one that an import builds. Memory holds the
part of the index that most searches read. Both are estimates from a sample of the records;
docs/scaling.md has measurements.

Exit status: 0 shown; 1 the files cannot be read; 2 wrong usage or configuration.

Examples:
  $ npm run -s index -- plan places.jsonl --engines 8
  $ npm run -s index -- plan vietnam.osm.pbf --engines 3 --replicas 2
  $ npm run -s index -- plan places.jsonl --engines 8 --json | jq '.engines[].disk_bytes'`;

/** Adds the `plan` command. */
export function addCommand(program: Command, start: RunCommand): void {
  program
    .command("plan")
    .summary("show how an import would divide files among several engines")
    .description("Shows borders, sizes and memory of an index that is divided among several engines.")
    .argument("<file...>", "files, directories or globs; - for standard input")
    .option("--format <format>", "the format of the files; detected by default")
    .option("--engines <number>", "number of engines", wholeNumber(1, MAX_ENGINES))
    .option(
      "--partitions <number>",
      "number of partitions; by default as many as engines",
      wholeNumber(1, MAX_PARTITIONS),
    )
    .option("--replicas <number>", "number of engines that hold each partition", wholeNumber(1, MAX_ENGINES))
    .option("--json", "print the plan as one JSON object on standard output", false)
    .addHelpText("after", HELP)
    .action((files: string[], options: PlanCommandOptions) =>
      start((context) => runPlan(files, options, context)),
    );
}

/** Prints the plan. Resolves to the exit code. */
function runPlan(
  files: readonly string[],
  options: PlanCommandOptions,
  context: CommandContext,
): Promise<number> {
  return runOrPrint(context, options.json, async () => {
    const topology = chooseTopology(options, context);
    const { stdin, stdout, interruption } = context;
    const { signal } = interruption;
    const sources = await openSources(files, { format: options.format, signal, stdin });
    try {
      const { borders, drafts, remove } = await scanPositions(sources, signal);
      await remove();
      if (borders.places === 0) throw new CommandError("There are no places in these files.");
      const plan = planPartitions(topology, borders, estimateBytes(drafts));
      stdout.write(`${options.json ? JSON.stringify(toReport(plan)) : formatPlan(plan, topology)}\n`);
      return EXIT.done;
    } finally {
      closeSources(sources);
    }
  });
}

/** The division of the options, else that of the topology file. @throws {CommandError} for an impossible one. */
function chooseTopology(options: PlanCommandOptions, { config }: CommandContext): Topology {
  const known = config.TOPOLOGY === undefined ? undefined : readGivenIndex(config);
  const { engines: count = known?.engines.length } = options;
  if (count === undefined) throw new CommandError("Say how many engines there are: --engines, or TOPOLOGY.");
  const engines =
    known && options.engines === undefined
      ? known.engines
      : Array.from({ length: count }, (_, index) => ({
          name: `engine-${index + 1}`,
          url: "",
          key: undefined,
        }));
  const partitions =
    options.partitions ?? (options.engines === undefined ? known?.partitions : undefined) ?? count;
  const replicas = options.replicas ?? known?.replicas ?? 1;
  if (replicas > count)
    throw new CommandError(
      `${replicas} replicas need ${replicas} engines: an engine holds a partition once.`,
    );
  return {
    engines,
    partitions,
    replicas,
    prefix: known?.prefix ?? "places",
  };
}

/** What the engine makes of a byte of a place's document: 2.86 with 100,000 demo places, with reviews and photos and without; 2.78 with a million. */
const DISK_PER_BYTE = 2.9;

/** For files whose sample has no valid record: as much as a record with reviews and photos takes. */
const UNKNOWN_BYTES = 5_000;

/** The bytes that a place takes in an index, from a sample of cleaned records. */
function estimateBytes(drafts: readonly PlaceDraft[]): number {
  const context = { today: Temporal.Now.plainDateISO("UTC"), note: () => {} };
  const sizes = drafts.flatMap((draft) => {
    const place = cleanToDocument(draft, context);
    return isRejection(place) ? [] : [Buffer.byteLength(JSON.stringify(toIndexedPlace(place)))];
  });
  if (sizes.length === 0) return UNKNOWN_BYTES;
  return (DISK_PER_BYTE * sizes.reduce((sum, size) => sum + size, 0)) / sizes.length;
}

const toReport = ({ places, partitions, engines }: Plan): object => ({
  places,
  partitions,
  engines: engines.map(({ diskBytes, memoryBytes, ...engine }) => ({
    ...engine,
    disk_bytes: diskBytes,
    memory_bytes: memoryBytes,
  })),
});

/** The plan for a person. */
function formatPlan({ places, partitions, engines }: Plan, { replicas }: Pick<Topology, "replicas">): string {
  const rows = [
    ["partition", "places", "engines", "where"],
    ...partitions.map(({ partition, places: held, engines: names, regions, bounds }) => [
      String(partition),
      formatCount(held),
      names.join(", "),
      held === 0 ? "nothing" : `${regions.map(formatRegion).join(", ")}; ${formatBounds(bounds)}`,
    ]),
  ];
  const engineRows = [
    ["engine", "partitions", "places", "disk", "memory"],
    ...engines.map(({ engine, partitions: held, places: count, diskBytes, memoryBytes }) => [
      engine,
      held.join(", "),
      formatCount(count),
      formatBytes(diskBytes),
      formatBytes(memoryBytes),
    ]),
  ];
  const copies = replicas === 1 ? "each on one engine" : `each on ${replicas} engines`;
  return [
    `About ${formatCount(places)} places in ${formatCount(partitions.length)} partitions, ${copies}.`,
    "",
    ...toTable(rows),
    "",
    ...toTable(engineRows),
  ].join("\n");
}

const formatRegion = ({ name, share }: { readonly name: string; readonly share: number }): string =>
  `${name} ${Math.round(share * 100)} %`;

const formatBounds = ([west = 0, south = 0, east = 0, north = 0]: readonly number[]): string =>
  `${south.toFixed(2)}…${north.toFixed(2)}, ${west.toFixed(2)}…${east.toFixed(2)}`;

function toTable(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
