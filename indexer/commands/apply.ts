import { Argument, Option, type Command } from "commander";
import { readChanges } from "../changes/read-changes.ts";
import { checkRejectLimit } from "./rejects.ts";
import type { CommandContext } from "./import.ts";
import {
  buildLeaseOption,
  collectFiles,
  DEFAULT_MAX_REJECTS_PERCENT,
  parsePercent,
} from "./source-options.ts";
import { runChanges } from "./run-changes.ts";

export interface ApplyCommandOptions {
  readonly maxRejects: number;
  readonly json: boolean;
  readonly lease: boolean;
}

const HELP = `
Each line is one change: a native record (docs/data-format.md) adds the place or replaces it whole,
and these remove one, by its data id or by what its source calls it:

  {"op": "delete", "data_id": "0x31752f38f9d2c1e7:0x8c1f5a0b7e2d9436"}
  {"op": "delete", "source": "city-survey", "source_id": "shops/1204"}

The changes go into the live index in batches, while searches go on: as soon as some thousands
have come, or half a second after the first. The later change of a place counts. Nothing is
acknowledged before searches see it, and applying the same lines again does no harm: after a
failure or a crash begin again with the last lines that were not reported as written.

While an import runs the changes are noted and are in its new index too. A line that is wrong is
rejected and told in the report; the others are applied. To delete what is not there is no error.

Exit status: 0 applied; 1 failed, or more lines wrong than --max-rejects allows (what the report
counts is written all the same); 2 wrong usage or configuration; 130 or 143 interrupted by Ctrl-C
or SIGTERM, after the batch in hand was written. A second Ctrl-C ends at once.

Examples:
  $ npm run -s index -- apply changes.jsonl
  $ my-queue --follow | npm run -s index -- apply -
  $ npm run -s index -- apply night.jsonl --json > report.json`;

/** Adds the `apply` command. `run` gets what was asked for, checked as far as the command line goes. */
export function addApplyCommand(
  program: Command,
  run: (files: string[], options: ApplyCommandOptions) => Promise<void>,
): void {
  program
    .command("apply")
    .summary("add, replace and remove places of the live index from a stream")
    .description(
      "Reads changes from files, or from the standard input (-), and writes them to the live index.",
    )
    .addArgument(new Argument("<file...>", "files to read, - for the standard input").argParser(collectFiles))
    .addOption(
      new Option("--max-rejects <percent>", "fail in the end when more lines than this are wrong")
        .default(DEFAULT_MAX_REJECTS_PERCENT)
        .argParser(parsePercent),
    )
    .addOption(buildLeaseOption())
    .option("--json", "print the report as one JSON object on standard output", false)
    .addHelpText("after", HELP)
    .action(run);
}

/** Applies changes and reports on them. Resolves to the exit status. */
export function runApply(
  files: readonly string[],
  { maxRejects, json, lease }: ApplyCommandOptions,
  context: CommandContext,
): Promise<number> {
  const today = Temporal.Now.plainDateISO("UTC");
  const { stdin } = context;
  return runChanges(
    {
      command: "apply",
      wantsLease: lease,
      json,
      read: ({ tally, signal }) => readChanges(files, { tally, today, stdin, signal }),
      judge: (_, tally) => {
        checkRejectLimit(tally, maxRejects);
        return 0;
      },
    },
    context,
  );
}
