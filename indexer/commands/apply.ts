import { Argument, Option, type Command } from "commander";
import type { Change } from "../changes/change-queue.ts";
import { readChanges, type ReadChangesOptions } from "../changes/read-changes.ts";
import { createAddressPoints, learnPlaces } from "../clean/address-points.ts";
import { readTeamVocabulary } from "../clean/team-vocabulary.ts";
import { checkRejectLimit } from "../clean/rejects.ts";
import { SILENT } from "../../src/cli/progress.ts";
import { fetchRemote } from "../sources/remote.ts";
import type { CommandContext, RunCommand } from "../../src/cli/run-program.ts";
import {
  addTableOptions,
  buildAreasOption,
  buildFormatOption,
  buildLeaseOption,
  buildQuietOption,
  collectFiles,
  DEFAULT_MAX_REJECTS_PERCENT,
  parsePercent,
  toAdjustments,
  type TableOptions,
} from "./source-options.ts";
import { runChanges } from "./run-changes.ts";

interface ApplyCommandOptions extends TableOptions {
  readonly format?: string;
  readonly maxRejects: number;
  readonly areas?: readonly string[];
  readonly json: boolean;
  readonly quiet: boolean;
  readonly lease: boolean;
}

const HELP = `
A file that an import reads (CSV, Excel, GeoJSON, OpenStreetMap, …) adds its places or replaces them;
all others stay. In JSON lines, and on the standard input, each line is one change. A native record
(docs/data-format.md) adds a place or replaces it. These change some fields of one, and delete one,
by its data id or by the id of its source:

  {"op": "patch", "source_id": "shops/1204", "contacts": {"website": "https://benthuyen.example"}}
  {"op": "delete", "data_id": "0x31752f38f9d2c1e7:0x8c1f5a0b7e2d9436"}
  {"op": "delete", "source": "city-survey", "source_id": "shops/1204"}

A patch is a JSON merge patch (RFC 7396) of the native record: fields that it does not name stay, and
null removes one. A patch with a value that an import would leave out is rejected.

Changes are written to the live index in batches while searches continue: after some thousand
changes, or half a second after the first. If a place changes twice, the later change wins. A change
is reported as written once searches see it. Applying the same lines again is safe: after a failure
or a crash, start again with the last lines that were not reported as written.

Changes made during an import are in its new index too. A wrong line is rejected and reported; the
others are applied. Deleting a place that does not exist is not an error.

Exit status: 0 applied; 1 failed, or more lines rejected than --max-rejects allows (the changes that
the report counts were written); 2 wrong usage or configuration; 130 or 143 interrupted by Ctrl-C or
SIGTERM, after the current batch was written. A second Ctrl-C stops at once.

Examples:
  $ npm run -s index -- apply changes.jsonl
  $ npm run -s index -- apply new-shops.csv --type SHOP
  $ my-queue --follow | npm run -s index -- apply -
  $ npm run -s index -- apply night.jsonl --json > report.json`;

/** Adds the `apply` command. */
export function addCommand(program: Command, start: RunCommand): void {
  const command = program
    .command("apply")
    .summary("add, replace and delete places of the live index from a stream")
    .description("Reads changes from files, or from standard input (-), and writes them to the live index.")
    .addArgument(
      new Argument("<file...>", "files, https:// and s3:// addresses, - for standard input").argParser(
        collectFiles,
      ),
    )
    .addOption(buildFormatOption())
    .addOption(
      new Option("--max-rejects <percent>", "fail at the end if more lines than this are rejected")
        .default(DEFAULT_MAX_REJECTS_PERCENT)
        .argParser(parsePercent),
    )
    .addOption(buildAreasOption())
    .addOption(buildLeaseOption())
    .addOption(buildQuietOption())
    .option("--json", "print the report as one JSON object on standard output", false)
    .addHelpText("after", HELP);
  addTableOptions(command).action((files: string[], options: ApplyCommandOptions) =>
    start((context) => runApply(files, options, context)),
  );
}

const WHAT_TO_DO = "Fix the lines that the report names, and apply them again.";

/** Applies changes and reports on them. Resolves to the exit code. */
function runApply(
  files: readonly string[],
  { maxRejects, areas, json, quiet, lease, format, geocode, ...table }: ApplyCommandOptions,
  context: CommandContext,
): Promise<number> {
  const today = Temporal.Now.plainDateISO("UTC");
  const { config, env, stdin, stderr } = context;
  return runChanges(
    {
      command: "apply",
      lease,
      json,
      quiet,
      read: async function* read({ live, tally, signal }) {
        const points = geocode === true ? createAddressPoints() : undefined;
        if (points) await learnPlaces(points, live.readAddresses(), signal);
        const findTeamAreas = readTeamVocabulary({ areas })?.findTeamAreas;
        const adjust = toAdjustments(table);
        const reading = { tally, today, findTeamAreas, format, adjust, points, stdin, signal };
        const news = quiet ? SILENT : stderr;
        yield* readFetched(files, { folder: config.DATA_DIR, env, news, signal }, reading);
      },
      isComplete: (_, tally) => {
        checkRejectLimit(tally, maxRejects, WHAT_TO_DO);
        return true;
      },
    },
    context,
  );
}

/** The changes of files, of which some may be downloaded first. */
async function* readFetched(
  files: readonly string[],
  options: Parameters<typeof fetchRemote>[1],
  reading: ReadChangesOptions,
): AsyncGenerator<Change> {
  const { paths, names, remove } = await fetchRemote(files, options);
  try {
    yield* readChanges(paths, { ...reading, names });
  } finally {
    await remove();
  }
}
