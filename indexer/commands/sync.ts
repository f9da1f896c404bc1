import type { Command } from "commander";
import type { Failure } from "../../src/cli/errors.ts";
import { SILENT } from "../../src/cli/progress.ts";
import type { CommandContext, RunCommand } from "../../src/cli/run-program.ts";
import { totalRejected } from "../clean/import-tally.ts";
import { createAddressPoints } from "../clean/address-points.ts";
import { createDraftHash } from "../clean/draft-hash.ts";
import { startWorkers } from "../clean/cleaning-threads.ts";
import { cleanLine } from "../clean/strings.ts";
import { syncPlaces } from "../sync/sync-places.ts";
import { buildSyncReport, createSyncTally, formatSyncReport, type SyncTally } from "../sync/sync-report.ts";
import { recordRunWithCounts, withWritingSession } from "../session/engines.ts";
import { runOnFiles, startReading, type FileRun } from "./source-files.ts";
import {
  addSourceOptions,
  buildIfChangedOption,
  buildLeaseOption,
  buildMergeOption,
  type SourceOptions,
} from "./source-options.ts";

interface SyncCommandOptions extends SourceOptions {
  readonly source?: string;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly ifChanged: boolean;
  readonly json: boolean;
  readonly lease: boolean;
  /** False for `--no-merge`. */
  readonly merge: boolean;
}

const HELP = `
The files together are a full snapshot of the dataset. Each place is compared with the live index:
new and changed places are written, missing ones are deleted, all others stay as they are. An
unchanged snapshot writes no place. A record that is exactly as it was is not cleaned again: the report
has the warnings of new and changed records.

All differences are found before the first one is written. A snapshot that breaks off, has too many
rejected records, or lacks more than 5 % of the places changes nothing; --force deletes anyway. With
--source only places of that source are deleted: use it for a snapshot of one source among several.

A sync compares record by record. It fails if the live index holds merged records of several sources;
with --no-merge it continues and each record becomes a separate place.

For a snapshot that changes most places, \`import\` is faster and keeps the previous index. Only one
import or sync runs on an index at a time; \`apply\` and \`delete\` may run meanwhile.

With --if-changed the command first compares files and options with what the live index was made from. If
they are the same it changes nothing and exits with status 0; otherwise it names what differs.
Files are compared by their bytes, addresses by their ETag (docs/indexing.md#every-night).

--dry-run writes nothing, lists the first places of each kind, and exits with the same status as
the real run would; if that would be refused, it gives the reason.

Exit status: 0 the index equals the snapshot (or, with --dry-run, would); 1 failed or refused, the report
says whether anything was written; 2 wrong usage or configuration; 130 or 143 interrupted by Ctrl-C
or SIGTERM. What was written stays; run the same command again to write the rest.

Examples:
  $ npm run -s index -- sync places.jsonl --dry-run
  $ npm run -s index -- sync places.jsonl
  $ npm run -s index -- sync hanoi.overpass.json --source osm --json > report.json`;

/** Adds the `sync` command. */
export function addCommand(program: Command, start: RunCommand): void {
  const command = program
    .command("sync")
    .summary("make the live index equal to a full snapshot by writing the differences")
    .description("Compares a full snapshot with the live index and writes only the differences.");
  addSourceOptions(command)
    .option("--source <name>", "delete only places of this source")
    .option("--force", "delete however many places are missing", false)
    .option("--dry-run", "report the differences and write nothing", false)
    .addOption(buildIfChangedOption())
    .addOption(buildLeaseOption())
    .addOption(buildMergeOption())
    .option("--json", "print the report as one JSON object on standard output", false)
    .addHelpText("after", HELP)
    .action((files: string[], options: SyncCommandOptions) =>
      start((context) => runSync(files, options, context)),
    );
}

/** Runs a sync and reports on it. Resolves to the exit code. */
function runSync(
  files: readonly string[],
  options: SyncCommandOptions,
  context: CommandContext,
): Promise<number> {
  const tally = createSyncTally();
  return runOnFiles(files, options, {
    context,
    usesLiveKinds: true,
    marksAs: "sync",
    work: (run) => sync(run, tally, options, context),
    report: (run, failure) => printReport({ run, sync: tally, failure }, options, context),
  });
}

interface Ending {
  readonly run: FileRun;
  readonly sync: SyncTally;
  readonly failure: Failure | undefined;
}

function printReport(
  { run, sync, failure }: Ending,
  { dryRun, json, quiet }: SyncCommandOptions,
  { stdout, stderr }: CommandContext,
): void {
  const success = run.isUnchanged ? "unchanged" : dryRun ? "compared" : "synced";
  const failed = failure?.isInterrupted === true ? "interrupted" : "failed";
  const report = buildSyncReport({
    tally: run.tally,
    sync,
    outcome: failure ? failed : success,
    error: failure?.text,
    durationMs: run.durationMs(),
  });
  if (report.read > 0 && (failure || !quiet)) stderr.write(`${formatSyncReport(report)}\n`);
  if (failure) stderr.write(`${failure.text}\n`);
  if (failure && report.written + report.deleted === 0) stderr.write("Nothing was written.\n");
  if (json) stdout.write(`${JSON.stringify(report)}\n`);
}

function sync(
  run: FileRun,
  tally: SyncTally,
  given: SyncCommandOptions,
  context: CommandContext,
): Promise<void> {
  const { maxRejects, source, force, dryRun, lease, merge, quiet, workers, geocode, areas = [] } = given;
  const { config, stderr, interruption } = context;
  const { signal } = interruption;
  return withWritingSession(context, { command: "sync", lease }, async (writing) => {
    const progress = startReading(run, quiet ? SILENT : stderr);
    const today = Temporal.Now.plainDateISO("UTC");
    const threads = startWorkers(workers, { today: today.toString(), areas, withDocuments: false });
    try {
      const options = {
        ...writing,
        tally: run.tally,
        mark: run.mark,
        sync: tally,
        maxRejectsPercent: maxRejects,
        today,
        threads,
        findTeamAreas: run.vocabulary?.findTeamAreas,
        hashDraft: createDraftHash(areas),
        points: geocode === true ? createAddressPoints() : undefined,
        onlySource: source === undefined ? undefined : cleanLine(source),
        force,
        dryRun,
        keepsMerged: merge,
        folder: config.DATA_DIR,
        signal,
        progress,
        onRead: () => run.rejects?.finish(),
      };
      const counts = () => countSync(run.tally, tally);
      const { redisUrl } = writing;
      await recordRunWithCounts({ command: "sync", redisUrl, counts }, () =>
        syncPlaces(run.sources, options),
      );
    } finally {
      await threads?.close();
      progress.stop();
    }
  });
}

/** What the record of runs has of a sync. */
const countSync = (reading: FileRun["tally"], { written, deleted }: SyncTally): Record<string, number> => ({
  read: reading.read,
  rejected: totalRejected(reading),
  written,
  deleted,
});
