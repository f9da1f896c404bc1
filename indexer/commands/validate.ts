import type { Command } from "commander";
import { CommandError } from "../../src/cli/errors.ts";
import { SILENT } from "../../src/cli/progress.ts";
import type { CommandContext, RunCommand } from "../../src/cli/run-program.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { createAddressPoints } from "../clean/address-points.ts";
import { startWorkers } from "../clean/cleaning-threads.ts";
import type { VocabularyOptions } from "../clean/team-vocabulary.ts";
import { checkRejectLimit } from "../clean/rejects.ts";
import { fillIndex } from "../import/fill-index.ts";
import { createMergePreview, type MergePreview } from "../merge/merge-build.ts";
import { printReport } from "./import.ts";
import { runOnFiles, startReading, type FileRun } from "./source-files.ts";
import {
  addSourceOptions,
  addVocabularyOptions,
  buildMergeOption,
  SOURCE_HELP,
  type SourceOptions,
} from "./source-options.ts";

interface ValidateCommandOptions extends SourceOptions, VocabularyOptions {
  readonly json: boolean;
  /** False for `--no-merge`. */
  readonly merge: boolean;
}

const HELP = `
A dry run of an import: reads the files to the end, cleans and checks every record, and prints the
report of an import. It needs no engine and changes nothing. The number of places is an estimate,
because records may repeat. With several sources it reports which records an import would merge.

${SOURCE_HELP.trim()}

It does not compare the places with the live index; the import does that before its swap. With --geocode
an import knows the streets of the live index too, and finds more.

Exit status: 0 an import would accept these files; 1 it would refuse them, the last line has the reason;
2 wrong usage or configuration; 130 or 143 interrupted by Ctrl-C or SIGTERM.

Examples:
  $ npm run -s index -- validate places.jsonl
  $ npm run -s index -- validate hanoi.overpass.json --format osm --max-rejects 0
  $ npm run -s index -- validate places.jsonl --json > report.json`;

/** Adds the `validate` command. */
export function addCommand(program: Command, start: RunCommand): void {
  const command = program
    .command("validate")
    .summary("check files as an import would, without importing them")
    .description("Reads places from files, or from standard input (-), and reports on them.");
  addVocabularyOptions(addSourceOptions(command))
    .addOption(buildMergeOption())
    .option("--json", "print the report as one JSON object on standard output", false)
    .addHelpText("after", HELP)
    .action((files: string[], options: ValidateCommandOptions) =>
      start((context) => runValidate(files, options, context)),
    );
}

/** Runs the dry run and reports on it. Resolves to the exit code. */
function runValidate(
  files: readonly string[],
  options: ValidateCommandOptions,
  context: CommandContext,
): Promise<number> {
  let placesAbout: number | undefined;
  return runOnFiles(files, options, {
    context,
    work: async (run) => {
      await readAll(run, options, {
        context,
        onCounted: (places) => {
          placesAbout = places;
        },
      });
      if (!options.quiet) context.stderr.write("An import would accept these files.\n");
    },
    report: (run, failure) =>
      printReport(
        run,
        { success: "valid", indexed: 0, placesAbout, failure, afterFailure: "Nothing was written." },
        { ...options, context },
      ),
  });
}

/** A build that discards every batch, and keeps only what finding duplicate places requires. */
const buildNothing = (preview: MergePreview | undefined) => ({
  add: async (places: readonly PlaceDocument[]) => preview?.add(places),
  knownDataIds: async () => new Map<string, string>(),
});

interface ReadAll {
  readonly context: CommandContext;
  /** Called with the approximate number of places that an import would write. */
  readonly onCounted: (places: number) => void;
}

async function readAll(
  run: FileRun,
  { maxRejects, merge, quiet, workers, geocode, areas = [] }: ValidateCommandOptions,
  { context: { config, stderr, interruption }, onCounted }: ReadAll,
): Promise<void> {
  const { sources, tally } = run;
  const preview = merge ? createMergePreview(config.DATA_DIR) : undefined;
  const progress = startReading(run, quiet ? SILENT : stderr);
  const today = Temporal.Now.plainDateISO("UTC");
  const threads = startWorkers(workers, { today: today.toString(), areas, withDocuments: false });
  try {
    const { signal } = interruption;
    const build = buildNothing(preview);
    const { distinctPlaces, sourceNames } = await fillIndex(sources, {
      build,
      tally,
      today,
      findTeamAreas: run.vocabulary?.findTeamAreas,
      threads,
      points: geocode === true ? createAddressPoints() : undefined,
      signal,
    });
    run.rejects?.finish();
    await preview?.find({ sources: sourceNames, merges: tally.merges, signal });
    onCounted(Math.round(distinctPlaces) - tally.merges.total);
  } finally {
    await threads?.close();
    preview?.close();
    progress.stop();
  }
  checkRejectLimit(tally, maxRejects);
  if (tally.written === 0) throw new CommandError("There are no places in these files.");
}
