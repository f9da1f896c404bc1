import type { Command } from "commander";
import { checkAll } from "../checks/check-all.ts";
import { formatChecks } from "../checks/check-result.ts";
import { readRelevanceCases } from "../checks/relevance-cases.ts";
import { withIndexes } from "./engines.ts";
import type { CommandContext } from "./import.ts";
import { EXIT_DONE, EXIT_FAILED, runToExit } from "./run-command.ts";

export interface CheckCommandOptions {
  readonly cases?: string | undefined;
  readonly json: boolean;
}

const HELP = `
Looks whether the live index is fit to be searched, and prints one line for each check:

  engine     it answers, and is of a version this program is tested with
  index      it is there, of this program's version, and holds places
  settings   nobody has changed what a build sets
  documents  sampled places can be read and are of the documented form
  search     sampled places are found first or nearly so by their names, as the server searches
  cells      every place is filed under the cells in which searches look; no block holds too many
  cases      the searches of --cases find what they should
  age        the data is no older than 45 days (else a warning)
  previous   there is an index to roll back to (else a warning)
  rebuild    no half-built index was left behind (else a warning)
  redis      it answers (without one: a warning)
  disk       the disk of a local engine has room for an import (else a warning; full: a problem)

A case is a line of JSON: {"q": "pho thin", "lat": 21.02, "lng": 105.85, "expect": "Phở Thìn", "top": 3}.
"expect" is a title or a data id; "top" is 1 when left out, the point is the API's own.

Exit status: 0 no problem (warnings may be there); 1 a problem; 2 wrong usage or configuration.

Examples:
  $ npm run -s index -- check
  $ npm run -s index -- check --cases cases.jsonl
  $ npm run -s index -- check --json | jq -r '.checks[] | select(.state != "ok") | .hint'`;

/** Adds the `check` command. */
export function addCheckCommand(
  program: Command,
  run: (options: CheckCommandOptions) => Promise<void>,
): void {
  program
    .command("check")
    .summary("look whether the live index is fit to be searched, with a hint for what is not")
    .description("Checks the live index and what it stands on.")
    .option("--cases <file>", "searches that must find what they should, as JSON lines")
    .option("--json", "print the results as one JSON object on standard output", false)
    .addHelpText("after", HELP)
    .action(run);
}

/** Runs all checks and prints them. Resolves to the exit status. */
export function runCheckCommand(options: CheckCommandOptions, context: CommandContext): Promise<number> {
  return runToExit(context, options.json, async () => {
    const cases = options.cases === undefined ? [] : readRelevanceCases(options.cases);
    return withIndexes(context, async (indexes) => {
      const checks = await checkAll(indexes, cases);
      const isOk = checks.every(({ state }) => state !== "problem");
      const text = options.json ? JSON.stringify({ ok: isOk, checks }) : formatChecks(checks);
      context.stdout.write(`${text}\n`);
      return isOk ? EXIT_DONE : EXIT_FAILED;
    });
  });
}
