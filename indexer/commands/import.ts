import { Argument, InvalidArgumentError, Option, type Command } from "commander";
import type { Readable } from "node:stream";
import type { Config } from "../../src/config.ts";
import { toErrorText } from "../error-text.ts";
import { importPlaces } from "../import-places.ts";
import { buildReport, formatReport, type Outcome } from "../import-report.ts";
import { createTally, type ImportTally } from "../import-tally.ts";
import { Interrupted, type Interruption } from "../interruption.ts";
import { createProgress, type ProgressStream } from "../progress.ts";
import { closeSources, openSources, type FormatOption, type Source } from "../sources/open-sources.ts";
import { withWritingSession } from "../writing-session.ts";
import { buildLeaseOption } from "./lease-option.ts";

/** What the command takes from the process it runs in. */
export interface CommandContext {
  readonly config: Config;
  readonly stdin: Readable;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: ProgressStream;
  readonly interruption: Interruption;
}

export interface ImportCommandOptions {
  readonly format?: FormatOption | undefined;
  readonly maxRejects: number;
  readonly json: boolean;
  /** Go on with an import that broke off. */
  readonly resume: boolean;
  /** False for `--no-lease`. */
  readonly lease: boolean;
}

const EXIT_DONE = 0;
const EXIT_FAILED = 1;

/** One wrong record in a hundred is the state of most real files; more means a file, or a reader, that went wrong. */
export const DEFAULT_MAX_REJECTS_PERCENT = 1;

const HELP = `
The files together become the whole gazetteer: an import replaces every place of the live index
by theirs. It builds a new index beside the live one, checks it, and swaps the two in one step;
the one it replaces is kept as the previous index. Until then, and whatever goes wrong, searches
are answered from the live index as if nothing had happened.

Only one import or sync works on an index at a time. What \`apply\` and \`delete\` change meanwhile
is in the new index too. An import that crashed, or that lost its engine, can be resumed: the same
command with --resume reads the files again and writes what is missing.

A record that is wrong is rejected and told in the report, with its line. Elements of
OpenStreetMap without a name or coordinates are skipped; they are no mistake.

Engines: those of MEILISEARCH_URL, else those of the server that runs on DATA_DIR, else its own
for as long as the import takes.

Exit status: 0 imported; 1 failed, live index untouched; 2 wrong usage or configuration;
130 or 143 interrupted by Ctrl-C or SIGTERM, live index untouched. A second Ctrl-C ends at once.

Examples:
  $ npm run -s index -- import places.jsonl
  $ npm run -s index -- import hanoi.overpass.json danang.geojson --format osm
  $ zcat places.jsonl.gz | npm run -s index -- import - --max-rejects 0.1
  $ npm run -s index -- import places.jsonl --json > report.json`;

/** Adds the `import` command. `run` gets what was asked for, checked as far as the command line goes. */
export function addImportCommand(
  program: Command,
  run: (files: string[], options: ImportCommandOptions) => Promise<void>,
): void {
  program
    .command("import")
    .summary("replace the gazetteer by the places of one or several files")
    .description("Reads places from files, or from the standard input (-), and makes them the new gazetteer.")
    .addArgument(new Argument("<file...>", "files to read, - for the standard input").argParser(collectFiles))
    .addOption(
      new Option("-f, --format <format>", "what the files are; by default their beginnings tell").choices([
        "native",
        "osm",
      ]),
    )
    .addOption(
      new Option(
        "--max-rejects <percent>",
        "give up when more records than this are wrong; up to 10 always pass, unless it is 0",
      )
        .default(DEFAULT_MAX_REJECTS_PERCENT)
        .argParser(parsePercent),
    )
    .option("--resume", "go on with an import of the same files that broke off", false)
    .addOption(buildLeaseOption())
    .option("--json", "print the report as one JSON object on standard output", false)
    .addHelpText("after", HELP)
    .action(run);
}

/** Gathers the file arguments of a command; the standard input may be among them once. */
export function collectFiles(file: string, files: string[] | undefined): string[] {
  if (file === "-" && files?.includes("-"))
    throw new InvalidArgumentError("The standard input can be read once only.");
  return [...(files ?? []), file];
}

/** @throws {InvalidArgumentError} for what is no number from 0 to 100. */
export function parsePercent(text: string): number {
  const percent = /^\d{1,3}(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (percent >= 0 && percent <= 100) return percent;
  throw new InvalidArgumentError("It must be a number from 0 to 100.");
}

/** Runs an import and reports on it. Resolves to the exit status. */
export async function runImport(
  files: readonly string[],
  options: ImportCommandOptions,
  context: CommandContext,
): Promise<number> {
  const { stdout, stderr, interruption } = context;
  const startedAt = performance.now();
  const run: ImportRun = { sources: [], tally: createTally(), indexed: 0 };
  const finish = (outcome: Outcome, error?: string): void => {
    const report = buildReport({ ...run, outcome, error, durationMs: performance.now() - startedAt });
    if (report.read > 0) stderr.write(`${formatReport(report)}\n`);
    if (error !== undefined) stderr.write(`${error}\nThe live index is untouched.\n`);
    if (options.json) stdout.write(`${JSON.stringify(report)}\n`);
  };
  try {
    run.sources = await openSources(files, {
      format: options.format,
      signal: interruption.signal,
      stdin: context.stdin,
    });
    run.indexed = await importInto(run, options, context);
    finish("imported");
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

interface ImportRun {
  sources: Source[];
  readonly tally: ImportTally;
  indexed: number;
}

async function importInto(
  { sources, tally }: ImportRun,
  { maxRejects, resume, lease }: ImportCommandOptions,
  { config, stderr, interruption }: CommandContext,
): Promise<number> {
  const { signal } = interruption;
  const say = (text: string): void => void stderr.write(`${text}\n`);
  const session = { config, command: "import", wantsLease: lease, say, signal };
  return withWritingSession(session, async ({ engine, coordination }) => {
    for (const { input, format } of sources) say(`Reading ${input.name} (${format}).`);
    const progress = createProgress(sources, tally, stderr);
    try {
      return await importPlaces(sources, {
        engine,
        coordination,
        resume,
        tally,
        maxRejectsPercent: maxRejects,
        today: Temporal.Now.plainDateISO("UTC"),
        interruption,
        progress,
        say,
      });
    } finally {
      progress.stop();
    }
  });
}
