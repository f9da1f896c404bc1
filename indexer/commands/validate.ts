import type { Command } from "commander";
import type { PlaceDocument } from "../../src/place/place-document.ts";
import { fillIndex } from "../index-build/fill-index.ts";
import { ImportError } from "./interruption.ts";
import { createMergePreview, type MergePreview } from "../merge/merge-build.ts";
import { createProgress } from "./progress.ts";
import { checkRejectLimit } from "./rejects.ts";
import {
  runOnFiles,
  type CommandContext,
  type FileCommandOptions,
  type FileRun,
  type FileTask,
} from "./import.ts";
import { buildMergeOption, addSourceOptions, SOURCE_HELP, describeSources } from "./source-options.ts";

export interface ValidateCommandOptions extends FileCommandOptions {
  /** False for `--no-merge`. */
  readonly merge: boolean;
}

const HELP = `
A dry run of an import: reads the files to their end, cleans and checks every record, and prints
the report that an import of them would print. It starts no engine, needs none and writes nothing.
The count of places is an estimate, since records may repeat. Of several sources it tells which
records an import would merge.

${SOURCE_HELP.trim()}

It does not compare with the live index; that is done by the import itself before its swap.

Exit status: 0 an import would take these files; 1 it would refuse them, and why is the last line;
2 wrong usage or configuration; 130 or 143 interrupted by Ctrl-C or SIGTERM.

Examples:
  $ npm run -s index -- validate places.jsonl
  $ npm run -s index -- validate hanoi.overpass.json --format osm --max-rejects 0
  $ npm run -s index -- validate places.jsonl --json > report.json`;

/** Adds the `validate` command. */
export function addValidateCommand(
  program: Command,
  run: (files: string[], options: ValidateCommandOptions) => Promise<void>,
): void {
  const command = program
    .command("validate")
    .summary("tell what an import of these files would do, and do nothing")
    .description("Reads places from files, or from the standard input (-), and reports on them.");
  addSourceOptions(command)
    .addOption(buildMergeOption())
    .option("--json", "print the report as one JSON object on standard output", false)
    .addHelpText("after", HELP)
    .action(run);
}

/** Runs the dry run and reports on it. Resolves to the exit status. */
export function runValidate(
  files: readonly string[],
  options: ValidateCommandOptions,
  context: CommandContext,
): Promise<number> {
  const work = async (run: FileRun): Promise<void> => {
    await readAll(run, options, context);
    context.stderr.write("An import would take this.\n");
  };
  const task: FileTask = { outcome: "valid", work, afterFailure: "Nothing was written." };
  return runOnFiles(files, options, { context, task });
}

/** Takes every batch and keeps none of it, but for what tells the same places apart. */
const buildNothing = (preview: MergePreview | undefined) => ({
  add: async (places: readonly PlaceDocument[]) => preview?.add(places),
  knownDataIds: async () => new Map<string, string>(),
});

async function readAll(
  run: FileRun,
  { maxRejects, merge }: ValidateCommandOptions,
  { config, stderr, interruption }: CommandContext,
): Promise<void> {
  const { sources, tally } = run;
  const preview = merge ? createMergePreview(config.DATA_DIR) : undefined;
  stderr.write(describeSources(sources));
  const progress = createProgress(sources, tally, stderr);
  try {
    const today = Temporal.Now.plainDateISO("UTC");
    const { signal } = interruption;
    const build = buildNothing(preview);
    const { distinctPlaces, sourceNames } = await fillIndex(sources, { build, tally, today, signal });
    run.rejects?.finish();
    await preview?.find({ sources: sourceNames, merges: tally.merges, signal });
    run.placesAbout = Math.round(distinctPlaces) - tally.merges.total;
  } finally {
    preview?.close();
    progress.stop();
  }
  checkRejectLimit(tally, maxRejects);
  if (tally.written === 0) throw new ImportError("There is no place in it.");
}
