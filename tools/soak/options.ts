import { Command, InvalidArgumentError } from "commander";
import { resolve } from "node:path";
import { namesOf, wholeNumber } from "../../src/cli/options.ts";
import { LOSS_FAULTS } from "./engine-loss.ts";
import { FAULTS } from "./faults.ts";

export interface SoakOptions {
  readonly minutes: number;
  readonly seed: number;
  readonly places: number;
  /** Clients that send one request after the other, over both servers. */
  readonly clients: number;
  /** How many engines share the index; with several, two have each partition, and the faults are those of engines. */
  readonly engines: number;
  /** Only these faults; all when empty. */
  readonly only: readonly string[];
  /** Where the report is written as JSON. */
  readonly json?: string;
  /** Keeps the folder with data and logs. */
  readonly keep: boolean;
}

const HELP = `
Starts its own Meilisearch, Redis and two servers on free loopback ports, sends requests as fast as the
servers respond, and breaks one part after the other. It checks whether every response is right for its
request and for what is broken at the moment. docs/soak.md lists the checks and explains the report.

Faults, for --only: ${FAULTS.map(({ name }) => name).join(", ")}.

With --engines 3, three engines share the index, and each place is on two of them. The faults are then
losses of engines, while places change and are imported again. No caller may notice them: ${LOSS_FAULTS.map(({ name }) => name).join(", ")}.

Each fault happens at least once, even in a short run; in a longer run the faults repeat.

Exit status: 0 all checks passed; 1 a check failed, the report says which; 2 wrong usage; 130 interrupted.

Examples:
  $ npm run -s soak
  $ npm run -s soak -- --minutes 30 --json soak.json
  $ npm run -s soak -- --engines 3 --minutes 5
  $ npm run -s soak -- --only redis-hung,engine-hung --keep`;

/** Reads the command line. @throws {CommanderError} with the exit status when there is nothing to run. */
export function parseOptions(argv: readonly string[]): SoakOptions {
  const options = new Command("soak")
    .description("Checks under load, while parts of the service fail, that every response is right.")
    .option("--minutes <number>", "how long, without the preparation", minutes, 2)
    .option("--seed <number>", "another seed gives other requests, in another order", wholeNumber(1), 1)
    .option("--places <number>", "size of the dataset", wholeNumber(1), 4_000)
    .option("--clients <number>", "clients that send requests at the same time", wholeNumber(1), 16)
    .option("--engines <number>", "engines that share the index", wholeNumber(1), 1)
    .option(
      "--only <faults>",
      "only these faults, separated by commas",
      namesOf([...FAULTS, ...LOSS_FAULTS].map(({ name }) => name)),
      [],
    )
    .option("--json <file>", "also write the report there, as JSON")
    .option("--keep", "keep the folder with data and logs", false)
    .addHelpText("after", HELP)
    .exitOverride()
    .parse(argv, { from: "user" })
    .opts<SoakOptions>();
  return options.json === undefined ? options : { ...options, json: resolve(options.json) };
}

function minutes(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 10_000)) throw new InvalidArgumentError("It must be a number above 0.");
  return value;
}
