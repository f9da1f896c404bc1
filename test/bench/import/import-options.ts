import { Command } from "commander";
import { resolve } from "node:path";
import { wholeNumber } from "../options.ts";
import { programPath } from "../program-path.ts";

export interface ImportBenchOptions {
  readonly places: number;
  /** Of the stream of changes. */
  readonly seconds: number;
  /** Changes a second that are offered. */
  readonly rate: number;
  readonly dataDir: string;
  readonly json: boolean;
}

/** More than the goal of 1,000, so that the goal can still be met when the last ones are written some seconds later. */
const OFFERED_RATE = 1_250;

const HELP = `
test/bench/README.md tells what is measured and how to read the tables.

Examples:
  $ npm run -s bench -- import
  $ npm run -s bench -- import --places 1000000 --json > import.json`;

/** Reads the command line behind `import`. @throws {CommanderError} with the exit status when there is nothing to run. */
export function parseImportOptions(argv: readonly string[]): ImportBenchOptions {
  const command = new Command("bench import")
    .description("Measures how fast and in how much memory the indexer works, next to the bare engine.")
    .option("--places <number>", "size of the demo gazetteer", wholeNumber, 100_000)
    .option("--seconds <number>", "how long changes are streamed to the live index", wholeNumber, 24)
    .option("--rate <number>", "how many changes a second", wholeNumber, OFFERED_RATE)
    .option("--data-dir <folder>", "where gazetteers and indexes are kept", programPath(".bench"))
    .option("--json", "print all that was measured as JSON on standard output", false)
    .addHelpText("after", HELP)
    .exitOverride()
    .parse(argv, { from: "user" });
  const options = command.opts<ImportBenchOptions>();
  return { ...options, dataDir: resolve(options.dataDir) };
}
