import { Argument, InvalidArgumentError, Option, type Command } from "commander";
import type { Readable } from "node:stream";
import type { Config } from "../../src/config.ts";
import { acquireEngines } from "../../src/local-engines/acquire-engines.ts";
import type { EngineEvent } from "../../src/local-engines/engine-event.ts";
import { readRelevanceCases, type RelevanceCase } from "../checks/relevance-cases.ts";
import { toErrorText } from "../error-text.ts";
import { importPlaces } from "../import-places.ts";
import { buildReport, formatReport, type Outcome } from "../import-report.ts";
import { createTally, type ImportTally } from "../import-tally.ts";
import { Interrupted, type Interruption } from "../interruption.ts";
import { createProgress, type ProgressStream } from "../progress.ts";
import { remembering } from "../remember-run.ts";
import { closeSources, openSources, type FormatOption, type Source } from "../sources/open-sources.ts";

/** What the command takes from the process it runs in. */
export interface CommandContext {
  readonly config: Config;
  readonly stdin: Readable;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: ProgressStream;
  readonly interruption: Interruption;
}

export interface FileCommandOptions {
  readonly format?: FormatOption | undefined;
  readonly maxRejects: number;
  readonly json: boolean;
}

export interface ImportCommandOptions extends FileCommandOptions {
  readonly force: boolean;
  /** A file of searches that the new index must answer. */
  readonly cases?: string | undefined;
}

const EXIT_DONE = 0;
const EXIT_FAILED = 1;

/** One wrong record in a hundred is the state of most real files; more means a file, or a reader, that went wrong. */
const DEFAULT_MAX_REJECTS_PERCENT = 1;

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
  addFileOptions(program.command("import"))
    .summary("replace the gazetteer by the places of one or several files")
    .description("Reads places from files, or from the standard input (-), and makes them the new gazetteer.")
    .option(
      "--force",
      "let the new index go live although a comparison with the live one speaks against it",
      false,
    )
    .option(
      "--cases <file>",
      "searches that the new index must answer, as JSON lines {q, lat, lng, expect, top}",
    )
    .addHelpText("after", HELP)
    .action(run);
}

/** What all commands that read files of places take. */
export function addFileOptions(command: Command): Command {
  return command
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
    .option("--json", "print the report as one JSON object on standard output", false);
}

function collectFiles(file: string, files: string[] | undefined): string[] {
  if (file === "-" && files?.includes("-"))
    throw new InvalidArgumentError("The standard input can be read once only.");
  return [...(files ?? []), file];
}

function parsePercent(text: string): number {
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
    const cases = options.cases === undefined ? [] : readRelevanceCases(options.cases);
    run.sources = await openSources(files, {
      format: options.format,
      signal: interruption.signal,
      stdin: context.stdin,
    });
    run.indexed = await importInto(run, { ...options, cases }, context);
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
  options: Omit<ImportCommandOptions, "cases"> & { readonly cases: readonly RelevanceCase[] },
  context: CommandContext,
): Promise<number> {
  const { config, stderr, interruption } = context;
  const engines = await acquireEngines({
    dataDir: config.DATA_DIR,
    meilisearchUrl: config.MEILISEARCH_URL,
    meilisearchKey: config.MEILISEARCH_KEY,
    redisUrl: config.REDIS_URL,
    role: "indexer",
    needs: { redis: config.MEILISEARCH_URL === undefined },
    onEvent: (event) => tellOfEngine(event, stderr),
    signal: interruption.signal,
  });
  for (const { input, format } of sources) stderr.write(`Reading ${input.name} (${format}).\n`);
  const progress = createProgress(sources, tally, stderr);
  try {
    const maxRejectsPercent = options.maxRejects;
    const today = Temporal.Now.plainDateISO("UTC");
    const { force, cases } = options;
    const engine = engines.meilisearch;
    return await remembering({ command: "import", redisUrl: engines.redis?.url, tally }, () =>
      importPlaces(sources, {
        engine,
        tally,
        maxRejectsPercent,
        today,
        interruption,
        progress,
        force,
        cases,
      }),
    );
  } finally {
    progress.stop();
    await engines.stop();
  }
}

/** A start and a stop are what was expected; of anything else the person at the terminal should know. */
function tellOfEngine(event: EngineEvent, stderr: ProgressStream): void {
  if (event.name === "engine_started" || event.name === "redis_unavailable") return;
  const reason = "reason" in event ? `: ${event.reason}` : "";
  stderr.write(`${event.name.replaceAll("_", " ")}${reason}\n`);
}
