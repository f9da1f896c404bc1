import { Command } from "commander";
import { resolve } from "node:path";
import { namesOf, wholeNumber } from "../../src/cli/options.ts";
import { programPath } from "../../test/support/program.ts";
import { SYSTEM_NAMES, type SystemName } from "./system.ts";

/** The parts that can be measured; `--only` chooses parts and systems. */
const PARTS = ["mix", "kinds", "geography", "detail", "autocomplete", "memory"] as const;

type Part = (typeof PARTS)[number];

export interface BenchOptions {
  readonly places: readonly number[];
  readonly connections: readonly number[];
  readonly systems: readonly SystemName[];
  readonly parts: readonly Part[];
  readonly queries: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly warmUp: number;
  readonly dataDir: string;
  readonly reuse: boolean;
  readonly json: boolean;
}

const SEARCH_HELP = `
Systems, for --only: ${SYSTEM_NAMES.join(", ")}. Parts, for --only: ${PARTS.join(", ")}.
tools/bench/README.md explains each of them and how to read the tables.

The subcommand "import" measures the indexer instead (import --help), and "divided" an index in several
engines (divided --help).

Examples:
  $ npm run -s bench -- --places 100000 --only api,floor,mix --connections 8
  $ npm run -s bench -- --json > bench.json`;

interface RawOptions extends Omit<BenchOptions, "systems" | "parts"> {
  readonly only: readonly string[];
}

/** Reads the command line. @throws {CommanderError} with the exit status when there is nothing to run. */
export function parseOptions(argv: readonly string[]): BenchOptions {
  const command = new Command("bench")
    .description("Measures how fast places are found, next to the obvious alternatives.")
    .option("--places <numbers>", "sizes of the demo datasets", wholeNumbers, [100_000, 1_000_000])
    .option("--connections <numbers>", "requests at once", wholeNumbers, [1, 8, 32])
    .option(
      "--only <names>",
      "only these systems and parts, see below",
      namesOf([...SYSTEM_NAMES, ...PARTS]),
      [],
    )
    .option("--queries <number>", "requests of a run, at most", wholeNumber(1), 20_000)
    .option("--seconds <number>", "seconds of a run, at most", wholeNumber(1), 3)
    .option("--rounds <number>", "runs of each system; the medians are shown", wholeNumber(1), 3)
    .option(
      "--warm-up <number>",
      "searches before the first run, while code is compiled",
      wholeNumber(0),
      6_000,
    )
    .option("--data-dir <folder>", "where datasets and indexes are kept", programPath(".bench"))
    .option("--reuse", "take our index as it is, also when the code that builds it has changed", false)
    .option("--json", "print all that was measured as JSON on standard output", false)
    .addHelpText("after", SEARCH_HELP)
    .exitOverride()
    .parse(argv, { from: "user" });
  const { only, ...options } = command.opts<RawOptions>();
  return { ...options, dataDir: resolve(options.dataDir), ...chosen(only) };
}

/** Names of one sort restrict only that sort: `--only api` measures every part of it. */
function chosen(only: readonly string[]): Pick<BenchOptions, "systems" | "parts"> {
  const systems = SYSTEM_NAMES.filter((name) => only.includes(name));
  const parts = PARTS.filter((name) => only.includes(name));
  return {
    systems: systems.length > 0 ? systems : SYSTEM_NAMES,
    parts: parts.length > 0 ? parts : PARTS,
  };
}

const wholeNumbers = (text: string): number[] => text.split(",").map((part) => wholeNumber(1)(part.trim()));

export interface ImportBenchOptions {
  readonly places: number;
  /** The duration of the stream of changes. */
  readonly seconds: number;
  /** The offered rate, in changes a second. */
  readonly rate: number;
  readonly dataDir: string;
  readonly json: boolean;
}

/**
 * More than the goal of 1,000, so that the goal can be met even if the last changes are written some seconds
 * later.
 */
const OFFERED_RATE = 1_250;

const IMPORT_HELP = `
tools/bench/README.md explains what is measured and how to read the tables.

Examples:
  $ npm run -s bench -- import
  $ npm run -s bench -- import --places 1000000 --json > import.json`;

/**
 * Reads the command line after `import`. @throws {CommanderError} with the exit status when there is nothing
 * to run.
 */
export function parseImportOptions(argv: readonly string[]): ImportBenchOptions {
  const command = new Command("bench import")
    .description("Measures how fast and in how much memory the indexer works, next to the bare engine.")
    .option("--places <number>", "size of the demo dataset", wholeNumber(1), 100_000)
    .option("--seconds <number>", "how long changes are streamed to the live index", wholeNumber(1), 24)
    .option("--rate <number>", "changes per second", wholeNumber(1), OFFERED_RATE)
    .option("--data-dir <folder>", "where datasets and indexes are kept", programPath(".bench"))
    .option("--json", "print all that was measured as JSON on standard output", false)
    .addHelpText("after", IMPORT_HELP)
    .exitOverride()
    .parse(argv, { from: "user" });
  const options = command.opts<ImportBenchOptions>();
  return { ...options, dataDir: resolve(options.dataDir) };
}

export interface DividedBenchOptions {
  readonly places: number;
  readonly engines: number;
  readonly partitions: number;
  readonly connections: readonly number[];
  readonly seconds: number;
  readonly queries: number;
  readonly warmUp: number;
  readonly dataDir: string;
  readonly reuse: boolean;
  readonly json: boolean;
}

const DIVIDED_HELP = `
The records have what OpenStreetMap knows: names, kind, address, phone and hours. One engine with the
places of one partition is measured beside it: at best, a search takes no longer in the whole.

Examples:
  $ npm run -s bench -- divided
  $ npm run -s bench -- divided --places 10000000 --connections 1   # hours, 60 GB of disk`;

/**
 * Reads the command line after `divided`. @throws {CommanderError} with the exit status when there is nothing
 * to run.
 */
export function parseDividedOptions(argv: readonly string[]): DividedBenchOptions {
  const command = new Command("bench divided")
    .description("Measures searches in an index that several engines share, next to one engine.")
    .option("--places <number>", "size of the dataset", wholeNumber(1), 1_000_000)
    .option("--engines <number>", "engines that share the index", wholeNumber(1), 3)
    .option("--partitions <number>", "partitions of the index", wholeNumber(1), 8)
    .option("--connections <numbers>", "requests at once", wholeNumbers, [1, 8])
    .option("--seconds <number>", "seconds of a run, at most", wholeNumber(1), 10)
    .option("--queries <number>", "requests of a run, at most", wholeNumber(1), 20_000)
    .option("--warm-up <number>", "searches before the first run", wholeNumber(0), 6_000)
    .option("--data-dir <folder>", "where datasets and indexes are kept", programPath(".bench"))
    .option("--reuse", "take the indexes as they are, also when the code has changed", false)
    .option("--json", "print all that was measured as JSON on standard output", false)
    .addHelpText("after", DIVIDED_HELP)
    .exitOverride()
    .parse(argv, { from: "user" });
  const options = command.opts<DividedBenchOptions>();
  return { ...options, dataDir: resolve(options.dataDir) };
}
