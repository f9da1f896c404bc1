import type { Command } from "commander";
import type { Readable } from "node:stream";
import type { Config } from "../../src/config.ts";
import { readRelevanceCases } from "../checks/relevance-cases.ts";
import { toErrorText, Interrupted, type Interruption } from "./interruption.ts";
import { importPlaces } from "./import-places.ts";
import { buildReport, formatReport, type Outcome } from "./import-report.ts";
import { createTally, type ImportTally } from "../clean/import-tally.ts";
import { createProgress, type ProgressStream } from "./progress.ts";
import { remembering, withWritingSession } from "./engines.ts";
import { closeSources, openSources, type Source } from "../sources/open-sources.ts";
import type { WholeFile } from "./files.ts";
import {
  buildLeaseOption,
  buildMergeOption,
  addSourceOptions,
  SOURCE_HELP,
  type SourceOptions,
  describeIgnored,
  describeSources,
} from "./source-options.ts";
import { finishRejects, watchRejects } from "./rejects.ts";

/** What the command takes from the process it runs in. */
export interface CommandContext {
  readonly config: Config;
  readonly stdin: Readable;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: ProgressStream;
  readonly interruption: Interruption;
}

export interface FileCommandOptions extends SourceOptions {
  readonly json: boolean;
}

export interface ImportCommandOptions extends FileCommandOptions {
  /** Go on with an import that broke off. */
  readonly resume: boolean;
  /** False for `--no-lease`. */
  readonly lease: boolean;
  /** False for `--no-merge`. */
  readonly merge: boolean;
  readonly force: boolean;
  /** A file of searches that the new index must answer. */
  readonly cases?: string | undefined;
}

const EXIT_DONE = 0;
const EXIT_FAILED = 1;

const HELP = `
The files together become the whole gazetteer: an import replaces every place of the live index
by theirs. It builds a new index beside the live one, checks it, and swaps the two in one step;
the one it replaces is kept as the previous index. Until then, and whatever goes wrong, searches
are answered from the live index as if nothing had happened.

Before the swap the new index is compared with the live one. It does not go live when it holds
more than 5 % fewer places, when a field (phones, hours, types, …) is gone from a quarter of the
places that had it, when searches by name find fewer places than before, when a fifth of the live
index's places is not found by name any more, or when a search of --cases fails. --force lets it
go live all the same. The demo's places may be replaced by any others.

Records of different sources that are the same place become one place: near each other, of kinds that
fit, and of the same name, phone or website. The fuller record is kept, the other fills in what it
lacks, and its id leads to the place. The report says how many and why; --no-merge leaves them apart.

Only one import or sync works on an index at a time. What \`apply\` and \`delete\` change meanwhile
is in the new index too. An import that crashed, or that lost its engine, can be resumed: the same
command with --resume reads the files again and writes what is missing.

${SOURCE_HELP.trim()}

Engines: those of MEILISEARCH_URL, else those of the server that runs on DATA_DIR, else its own
for as long as the import takes.

Exit status: 0 imported; 1 failed, live index untouched; 2 wrong usage or configuration;
130 or 143 interrupted by Ctrl-C or SIGTERM, live index untouched. A second Ctrl-C ends at once.

Examples:
  $ npm run -s index -- import places.jsonl
  $ npm run -s index -- import hanoi.overpass.json danang.geojson --format osm
  $ npm run -s index -- import exports/ 'more/**/*.csv.zst' --rejects rejects.jsonl
  $ psql -At -c 'select record from places' | npm run -s index -- import - --format native --max-rejects 0.1
  $ npm run -s index -- import places.jsonl --json > report.json`;

/** Adds the `import` command. `run` gets what was asked for, checked as far as the command line goes. */
export function addImportCommand(
  program: Command,
  run: (files: string[], options: ImportCommandOptions) => Promise<void>,
): void {
  const command = program
    .command("import")
    .summary("replace the gazetteer by the places of one or several files")
    .description(
      "Reads places from files, or from the standard input (-), and makes them the new gazetteer.",
    );
  addSourceOptions(command)
    .option("--resume", "go on with an import of the same files that broke off", false)
    .addOption(buildLeaseOption())
    .addOption(buildMergeOption())
    .option("--force", "let the new index go live although a comparison speaks against it", false)
    .option("--cases <file>", "searches that the new index must answer (check --help has their form)")
    .option("--json", "print the report as one JSON object on standard output", false)
    .addHelpText("after", HELP)
    .action(run);
}

/** What is done with the files once they are open. */
export interface FileTask {
  readonly outcome: Outcome;
  /** Fills in what the report needs. */
  readonly work: (run: FileRun) => Promise<void>;
  /** What a person who hears of a failure wants to know first. */
  readonly afterFailure: string;
}

/** Runs an import and reports on it. Resolves to the exit status. */
export function runImport(
  files: readonly string[],
  options: ImportCommandOptions,
  context: CommandContext,
): Promise<number> {
  const work = async (run: FileRun): Promise<void> => {
    run.indexed = await importInto(run, options, context);
  };
  const task: FileTask = { outcome: "imported", work, afterFailure: "The live index is untouched." };
  return runOnFiles(files, options, { context, task });
}

interface TaskContext {
  readonly context: CommandContext;
  readonly task: FileTask;
}

/** Opens the files, does the task and reports on it. Resolves to the exit status. */
export async function runOnFiles(
  files: readonly string[],
  options: FileCommandOptions,
  { context, task }: TaskContext,
): Promise<number> {
  const { stderr, interruption } = context;
  const run: FileRun = { sources: [], tally: createTally(), indexed: 0, startedAt: performance.now() };
  try {
    run.sources = await openSources(files, {
      format: options.format,
      filter: { where: options.where, bbox: options.bbox },
      signal: interruption.signal,
      stdin: context.stdin,
      onIgnored: (paths) => stderr.write(describeIgnored(paths)),
    });
    run.rejects = watchRejects(run.sources, run.tally, options);
    await task.work(run);
    report(run, task.outcome, { options, context });
    return EXIT_DONE;
  } catch (error) {
    const reason: unknown = interruption.signal.aborted ? interruption.signal.reason : error;
    const isInterrupted = reason instanceof Interrupted;
    const problems = new Set([toErrorText(reason), ...finishRejects(run.rejects)]);
    report(run, isInterrupted ? "interrupted" : "failed", {
      options,
      context,
      error: [...problems].join("\n"),
      afterFailure: task.afterFailure,
    });
    return isInterrupted ? reason.exitCode : EXIT_FAILED;
  } finally {
    closeSources(run.sources);
    run.rejects?.discard();
  }
}

export interface FileRun {
  sources: Source[];
  rejects?: WholeFile | undefined;
  readonly tally: ImportTally;
  indexed: number;
  placesAbout?: number;
  readonly startedAt: number;
}

interface ReportContext {
  readonly options: FileCommandOptions;
  readonly context: CommandContext;
  readonly error?: string;
  readonly afterFailure?: string;
}

function report(run: FileRun, outcome: Outcome, { options, context, ...failure }: ReportContext): void {
  const { stdout, stderr } = context;
  const { error, afterFailure } = failure;
  const durationMs = performance.now() - run.startedAt;
  const rejectsPath = run.rejects?.isFinished() ? run.rejects.path : undefined;
  const done = buildReport({ ...run, outcome, error, durationMs, rejectsPath });
  if (done.read > 0) stderr.write(`${formatReport(done)}\n`);
  if (error !== undefined) stderr.write(`${error}\n${afterFailure}\n`);
  if (options.json) stdout.write(`${JSON.stringify(done)}\n`);
}

async function importInto(
  { sources, tally, rejects }: FileRun,
  { maxRejects, resume, lease, merge, force, cases: casesFile }: ImportCommandOptions,
  { config, stderr, interruption }: CommandContext,
): Promise<number> {
  const { signal } = interruption;
  const say = (text: string): void => void stderr.write(`${text}\n`);
  const cases = casesFile === undefined ? [] : readRelevanceCases(casesFile);
  const session = { config, command: "import", wantsLease: lease, say, signal };
  return withWritingSession(session, async ({ engine, coordination, redisUrl }) => {
    stderr.write(describeSources(sources));
    const progress = createProgress(sources, tally, stderr);
    const options = {
      engine,
      coordination,
      resume,
      tally,
      maxRejectsPercent: maxRejects,
      mergeFolder: merge ? config.DATA_DIR : undefined,
      today: Temporal.Now.plainDateISO("UTC"),
      interruption,
      progress,
      say,
      onRead: () => rejects?.finish(),
      force,
      cases,
    };
    try {
      return await remembering({ command: "import", redisUrl, tally }, () => importPlaces(sources, options));
    } finally {
      progress.stop();
    }
  });
}
