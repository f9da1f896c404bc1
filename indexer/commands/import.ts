import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Command } from "commander";
import type { Failure } from "../../src/cli/errors.ts";
import { SILENT } from "../../src/cli/progress.ts";
import type { CommandContext, RunCommand } from "../../src/cli/run-program.ts";
import { readRelevanceCases } from "../checks/relevance-cases.ts";
import { importPlaces } from "../import/import-places.ts";
import { buildReport, formatReport, type Outcome } from "../import/import-report.ts";
import { createAddressPoints } from "../clean/address-points.ts";
import { createDraftHash } from "../clean/draft-hash.ts";
import { startWorkers } from "../clean/cleaning-threads.ts";
import type { VocabularyOptions } from "../clean/team-vocabulary.ts";
import { recordImport, withWritingSession } from "../session/engines.ts";
import { runOnFiles, startReading, type FileRun } from "./source-files.ts";
import {
  addSourceOptions,
  addVocabularyOptions,
  buildLeaseOption,
  buildMergeOption,
  buildIfChangedOption,
  SOURCE_HELP,
  type SourceOptions,
} from "./source-options.ts";

interface ImportCommandOptions extends SourceOptions, VocabularyOptions {
  readonly json: boolean;
  /** Resumes an interrupted import. */
  readonly resume: boolean;
  /** False for `--no-lease`. */
  readonly lease: boolean;
  /** False for `--no-merge`. */
  readonly merge: boolean;
  readonly force: boolean;
  readonly ifChanged: boolean;
  /** A file of searches that must succeed on the new index. */
  readonly cases?: string | undefined;
}

const HELP = `
The files together are the whole dataset: an import replaces every place of the live index. It
builds a new index next to the live one, checks it, and swaps the two in one step. The replaced index
is kept as the previous one. Until the swap, and if anything fails, searches use the live index.

Before the swap the new index is compared with the live one. The import fails when the new index
has more than 5 % fewer places, when a field (phones, hours, types, …) is missing from a quarter of
the places that had it, when searches by name find fewer places than before, when a fifth of the live
index's places is no longer found by name, or when a search of --cases fails. --force swaps anyway.
The number of places is compared as soon as the files are read; if the live index has fewer than 1,000,
the import asks first on a terminal. Any places may replace demo places.

Records of different sources that describe the same place are merged: they are close together, have
related kinds, and share the name, phone or website. The fuller record is kept and missing fields are
taken from the other, whose id then leads to the same place. The report has the number of merged
records and the reasons. --no-merge keeps them apart.

Only one import or sync runs on an index at a time. Changes made by \`apply\` and \`delete\` during an
import are in the new index too. To continue an import that crashed or lost its engine, run the same
command with --resume: it reads the files again and writes what is missing.

With --if-changed the command first compares files and options with what the live index was made from. If
they are the same it changes nothing and exits with status 0; otherwise it names what differs.
Files are compared by their bytes, addresses by their ETag (docs/indexing.md#every-night).

${SOURCE_HELP.trim()}

Engine and Redis: those of MEILISEARCH_URL (or the engines of TOPOLOGY) and REDIS_URL, else those of the
server that runs on DATA_DIR, else temporary ones on DATA_DIR. Several engines are filled at the same
time, each with its part of the places; \`plan\` shows which.

Exit status: 0 imported, or unchanged; 1 failed, the live index is unchanged; 2 wrong usage or configuration;
130 or 143 interrupted by Ctrl-C or SIGTERM, the live index is unchanged. A second Ctrl-C stops at once.

Examples:
  $ npm run -s index -- import places.jsonl
  $ npm run -s index -- import hanoi.overpass.json danang.geojson --format osm
  $ npm run -s index -- import exports/ 'more/**/*.csv.zst' --rejects rejects.jsonl
  $ psql -At -c 'select record from places' | npm run -s index -- import - --format native --max-rejects 0.1
  $ npm run -s index -- import https://data.example.org/places.jsonl.zst --if-changed
  $ npm run -s index -- import places.jsonl --json > report.json`;

/** Adds the `import` command. */
export function addCommand(program: Command, start: RunCommand): void {
  const command = program
    .command("import")
    .summary("replace all places with those of one or more files")
    .description("Reads places from files, or from standard input (-), and makes them the live index.");
  addVocabularyOptions(addSourceOptions(command))
    .option("--resume", "continue an interrupted import of the same files", false)
    .addOption(buildIfChangedOption())
    .addOption(buildLeaseOption())
    .addOption(buildMergeOption())
    .option("--force", "swap even if the comparison with the live index fails", false)
    .option("--cases <file>", "searches that the new index must pass (see check --help for the format)")
    .option("--json", "print the report as one JSON object on standard output", false)
    .addHelpText("after", HELP)
    .action((files: string[], options: ImportCommandOptions) =>
      start((context) => runImport(files, options, context)),
    );
}

/** Runs an import and reports on it. Resolves to the exit code. */
function runImport(
  files: readonly string[],
  options: ImportCommandOptions,
  context: CommandContext,
): Promise<number> {
  let indexed = 0;
  return runOnFiles(files, options, {
    context,
    marksAs: "import",
    work: async (run) => {
      indexed = await importInto(run, options, context);
    },
    report: (run, failure) =>
      printReport(
        run,
        {
          success: run.isUnchanged ? "unchanged" : "imported",
          indexed,
          failure,
          afterFailure: "The live index is unchanged.",
        },
        { ...options, context },
      ),
  });
}

interface Ending {
  readonly success: Outcome;
  /** The number of places in the new index. */
  readonly indexed: number;
  readonly placesAbout?: number | undefined;
  readonly failure: Failure | undefined;
  /** The most important information after a failure. */
  readonly afterFailure: string;
}

interface PrintOptions {
  readonly json: boolean;
  /** Prints a report only of a failure. */
  readonly quiet: boolean;
  readonly context: CommandContext;
}

/** Prints the report of an import or a dry run. */
export function printReport(
  run: FileRun,
  { success, failure, afterFailure, ...counts }: Ending,
  { json, quiet, context: { stdout, stderr } }: PrintOptions,
): void {
  const failed = failure?.isInterrupted === true ? "interrupted" : "failed";
  const report = buildReport({
    ...run,
    ...counts,
    outcome: failure ? failed : success,
    error: failure?.text,
    durationMs: run.durationMs(),
    rejectsPath: run.rejects?.isFinished() === true ? run.rejects.path : undefined,
  });
  if (report.read > 0 && (failure || !quiet)) stderr.write(`${formatReport(report)}\n`);
  if (failure) stderr.write(`${failure.text}\n${afterFailure}\n`);
  if (json) stdout.write(`${JSON.stringify(report)}\n`);
}

type Streams = Pick<CommandContext, "stdin" | "stderr">;

const YES = /^(?:y|yes|c|có|co)$/i;

/** A function that asks a person; `undefined` where nobody sits at a terminal. */
function createAsk(
  stdin: Streams["stdin"] & { readonly isTTY?: boolean },
  stderr: Streams["stderr"],
  signal: AbortSignal,
): ((question: string) => Promise<boolean>) | undefined {
  if (stdin.isTTY !== true || stderr.isTTY !== true) return undefined;
  return async (question) => {
    const lines = createInterface({ input: stdin });
    try {
      stderr.write(`${question} [y/N] `);
      const [answer = ""] = (await once(lines, "line", { signal })) as string[];
      return YES.test(answer.trim());
    } finally {
      lines.close();
    }
  };
}

/** How records become documents. Asked for when kinds and fields are known. */
const toCleaning = ({ workers, areas = [], geocode }: ImportCommandOptions) => ({
  startThreads: (today: Temporal.PlainDate) =>
    startWorkers(workers, { today: today.toString(), areas, withDocuments: true }),
  hashDraft: createDraftHash(areas),
  points: geocode === true ? createAddressPoints() : undefined,
});

async function importInto(
  run: FileRun,
  options: ImportCommandOptions,
  context: CommandContext,
): Promise<number> {
  const { config, stdin, stderr, say, interruption } = context;
  const { maxRejects, resume, lease, merge, force, quiet, cases: casesFile } = options;
  const { sources, tally, rejects } = run;
  const { signal } = interruption;
  const cases = casesFile === undefined ? [] : readRelevanceCases(casesFile);
  const session = { command: "import", lease, bringsOwn: true };
  return withWritingSession(context, session, async ({ index, coordination, redisUrl }) => {
    const progress = startReading(run, quiet ? SILENT : stderr);
    const importing = {
      ...toCleaning(options),
      index,
      coordination,
      resume,
      tally,
      maxRejectsPercent: maxRejects,
      mergeFolder: merge ? config.DATA_DIR : undefined,
      today: Temporal.Now.plainDateISO("UTC"),
      vocabulary: run.vocabulary,
      mark: run.mark,
      interruption,
      progress,
      say,
      ask: createAsk(stdin, stderr, signal),
      onRead: () => rejects?.finish(),
      force,
      cases,
    };
    try {
      return await recordImport({ command: "import", redisUrl, tally }, () =>
        importPlaces(sources, importing),
      );
    } finally {
      progress.stop();
    }
  });
}
