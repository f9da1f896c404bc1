import type { Command } from "commander";
import { toErrorText } from "../error-text.ts";
import { fillIndex } from "../fill-index.ts";
import { ImportError } from "../import-error.ts";
import { buildReport, formatReport, type Outcome } from "../import-report.ts";
import { createTally, type ImportTally } from "../import-tally.ts";
import { Interrupted } from "../interruption.ts";
import { createProgress } from "../progress.ts";
import { checkRejectLimit } from "../reject-limit.ts";
import { closeSources, openSources, type Source } from "../sources/open-sources.ts";
import { addFileOptions, type CommandContext, type FileCommandOptions } from "./import.ts";
import { EXIT_DONE, EXIT_FAILED } from "./run-command.ts";

const HELP = `
A dry run of an import: reads the files to their end, cleans and checks every record, and prints
the report that an import of them would print. It starts no engine, needs none and writes nothing.
The count of places is an estimate, since records may repeat.

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
  run: (files: string[], options: FileCommandOptions) => Promise<void>,
): void {
  addFileOptions(program.command("validate"))
    .summary("tell what an import of these files would do, and do nothing")
    .description("Reads places from files, or from the standard input (-), and reports on them.")
    .addHelpText("after", HELP)
    .action(run);
}

/** Runs the dry run and reports on it. Resolves to the exit status. */
export async function runValidate(
  files: readonly string[],
  options: FileCommandOptions,
  { stdin, stdout, stderr, interruption }: CommandContext,
): Promise<number> {
  const startedAt = performance.now();
  const run: DryRun = { sources: [], tally: createTally(), placesAbout: 0 };
  const finish = (outcome: Outcome, error?: string): void => {
    const durationMs = performance.now() - startedAt;
    const report = buildReport({ ...run, indexed: 0, outcome, error, durationMs });
    if (report.read > 0) stderr.write(`${formatReport(report)}\n`);
    stderr.write(error === undefined ? "An import would take this.\n" : `${error}\nNothing was written.\n`);
    if (options.json) stdout.write(`${JSON.stringify(report)}\n`);
  };
  try {
    run.sources = await openSources(files, { format: options.format, signal: interruption.signal, stdin });
    await readAll(run, options, { stderr, interruption });
    finish("valid");
    return EXIT_DONE;
  } catch (error) {
    const reason: unknown = interruption.signal.aborted ? interruption.signal.reason : error;
    const isInterrupted = reason instanceof Interrupted;
    finish(isInterrupted ? "interrupted" : "failed", toErrorText(reason));
    return isInterrupted ? reason.exitCode : EXIT_FAILED;
  } finally {
    closeSources(run.sources);
  }
}

interface DryRun {
  sources: Source[];
  readonly tally: ImportTally;
  placesAbout: number;
}

/** Takes every batch and keeps none. */
const NO_BUILD = { add: async () => {}, knownDataIds: async () => new Map<string, string>() };

async function readAll(
  run: DryRun,
  { maxRejects }: FileCommandOptions,
  { stderr, interruption }: Pick<CommandContext, "stderr" | "interruption">,
): Promise<void> {
  const { sources, tally } = run;
  for (const { input, format } of sources) stderr.write(`Reading ${input.name} (${format}).\n`);
  const progress = createProgress(sources, tally, stderr);
  try {
    const today = Temporal.Now.plainDateISO("UTC");
    const { signal } = interruption;
    const { distinctPlaces } = await fillIndex(sources, { build: NO_BUILD, tally, today, signal });
    run.placesAbout = Math.round(distinctPlaces);
  } finally {
    progress.stop();
  }
  checkRejectLimit(tally, maxRejects);
  if (tally.written === 0) throw new ImportError("There is no place in it.");
}
