import { Command } from "commander";
import { wholeNumber } from "../options.ts";

export interface FuzzCommand {
  readonly requests: number;
  readonly seed: number;
  readonly places: number;
}

const HELP = `
Starts a Meilisearch, a Redis and a server of its own and sends it all that is wrong, odd or extreme in every
parameter and header, one request in forty byte for byte over a raw socket. No answer may be a 5xx, break the
contract or repeat what was sent; the server must live on, and its memory must stay within bounds.

Exit status: 0 nothing found; 1 something found, the report says what; 2 wrong usage; 130 interrupted.

Examples:
  $ npm run -s fuzz
  $ npm run -s fuzz -- --requests 5000 --seed 42`;

/** Reads the command line. @throws {CommanderError} with the exit status when there is nothing to run. */
export const parseFuzzCommand = (argv: readonly string[]): FuzzCommand =>
  new Command("fuzz")
    .description("Sends hostile requests of all sorts to the real server.")
    .option("--requests <number>", "how many", wholeNumber, 100_000)
    .option("--seed <number>", "other requests", wholeNumber, 1)
    .option("--places <number>", "size of the gazetteer", wholeNumber, 2_000)
    .addHelpText("after", HELP)
    .exitOverride()
    .parse(argv, { from: "user" })
    .opts<FuzzCommand>();
