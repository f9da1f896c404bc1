import type { Command } from "commander";
import type { Readable } from "node:stream";
import type { Config } from "../../src/config.ts";
import { acquireEngines } from "../../src/local-engines/acquire-engines.ts";
import type { EngineEvent } from "../../src/local-engines/engine-event.ts";
import { toErrorText } from "../error-text.ts";
import { importPlaces } from "../import-places.ts";
import { buildReport, formatReport, type Outcome } from "../import-report.ts";
import { createTally, type ImportTally } from "../import-tally.ts";
import { Interrupted, type Interruption } from "../interruption.ts";
import { createProgress, type ProgressStream } from "../progress.ts";
import { closeSources, openSources, type Source } from "../sources/open-sources.ts";
import type { WholeFile } from "../whole-file.ts";
import { addSourceOptions, SOURCE_HELP, type SourceOptions } from "./source-options.ts";
import { describeIgnored, describeSources } from "./tell-sources.ts";
import { finishRejects, watchRejects } from "./watch-rejects.ts";

/** What the command takes from the process it runs in. */
export interface CommandContext {
  readonly config: Config;
  readonly stdin: Readable;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: ProgressStream;
  readonly interruption: Interruption;
}

export interface ImportCommandOptions extends SourceOptions {
  readonly json: boolean;
}

const EXIT_DONE = 0;
const EXIT_FAILED = 1;

const HELP = `
The files together become the whole gazetteer: an import replaces every place of the live index
by theirs. It builds a new index beside the live one, checks it, and swaps the two in one step;
the one it replaces is kept as the previous index. Until then, and whatever goes wrong, searches
are answered from the live index as if nothing had happened.

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
    .option("--json", "print the report as one JSON object on standard output", false)
    .addHelpText("after", HELP)
    .action(run);
}

/** Runs an import and reports on it. Resolves to the exit status. */
export async function runImport(
  files: readonly string[],
  options: ImportCommandOptions,
  context: CommandContext,
): Promise<number> {
  const { stderr, interruption } = context;
  const run: ImportRun = { sources: [], tally: createTally(), indexed: 0, startedAt: performance.now() };
  try {
    run.sources = await openSources(files, {
      format: options.format,
      filter: { where: options.where, bbox: options.bbox },
      signal: interruption.signal,
      stdin: context.stdin,
      onIgnored: (paths) => stderr.write(describeIgnored(paths)),
    });
    run.rejects = watchRejects(run.sources, run.tally, options);
    run.indexed = await importInto(run, options, context);
    report(run, "imported", { options, context });
    return EXIT_DONE;
  } catch (error) {
    const reason: unknown = interruption.signal.aborted ? interruption.signal.reason : error;
    const isInterrupted = reason instanceof Interrupted;
    const problems = new Set([toErrorText(reason), ...finishRejects(run.rejects)]);
    report(run, isInterrupted ? "interrupted" : "failed", {
      options,
      context,
      error: [...problems].join("\n"),
    });
    return isInterrupted ? reason.exitCode : EXIT_FAILED;
  } finally {
    closeSources(run.sources);
    run.rejects?.discard();
  }
}

interface ImportRun {
  sources: Source[];
  rejects?: WholeFile | undefined;
  readonly tally: ImportTally;
  indexed: number;
  readonly startedAt: number;
}

interface ReportContext {
  readonly options: ImportCommandOptions;
  readonly context: CommandContext;
  readonly error?: string;
}

function report(run: ImportRun, outcome: Outcome, { options, context, error }: ReportContext): void {
  const { stdout, stderr } = context;
  const durationMs = performance.now() - run.startedAt;
  const rejectsPath = run.rejects?.isFinished() ? run.rejects.path : undefined;
  const done = buildReport({ ...run, outcome, error, durationMs, rejectsPath });
  if (done.read > 0) stderr.write(`${formatReport(done)}\n`);
  if (error !== undefined) stderr.write(`${error}\nThe live index is untouched.\n`);
  if (options.json) stdout.write(`${JSON.stringify(done)}\n`);
}

async function importInto(
  { sources, tally, rejects }: ImportRun,
  options: ImportCommandOptions,
  context: CommandContext,
): Promise<number> {
  const { config, stderr, interruption } = context;
  const engines = await acquireEngines({
    dataDir: config.DATA_DIR,
    meilisearchUrl: config.MEILISEARCH_URL,
    meilisearchKey: config.MEILISEARCH_KEY,
    role: "indexer",
    needs: { redis: false },
    onEvent: (event) => tellOfEngine(event, stderr),
    signal: interruption.signal,
  });
  stderr.write(describeSources(sources));
  const progress = createProgress(sources, tally, stderr);
  try {
    const maxRejectsPercent = options.maxRejects;
    const today = Temporal.Now.plainDateISO("UTC");
    return await importPlaces(sources, {
      engine: engines.meilisearch,
      tally,
      maxRejectsPercent,
      today,
      interruption,
      progress,
      onRead: () => rejects?.finish(),
    });
  } finally {
    progress.stop();
    await engines.stop();
  }
}

/** A start and a stop are what was expected; of anything else the person at the terminal should know. */
function tellOfEngine(event: EngineEvent, stderr: ProgressStream): void {
  if (event.name === "engine_started") return;
  const reason = "reason" in event ? `: ${event.reason}` : "";
  stderr.write(`${event.name.replaceAll("_", " ")}${reason}\n`);
}
