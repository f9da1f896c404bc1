import type { Command } from "commander";
import { cleanLine } from "../clean/strings.ts";
import { toErrorText, Interrupted } from "./interruption.ts";
import { createTally, totalRejected } from "../clean/import-tally.ts";
import { createProgress } from "./progress.ts";
import { rememberingCounts, withWritingSession } from "./engines.ts";
import { closeSources, openSources, type Source } from "../sources/open-sources.ts";
import { buildSyncReport, createSyncTally, formatSyncReport, type SyncReport } from "../sync/sync-report.ts";
import { syncPlaces } from "../sync/sync-places.ts";
import type { WholeFile } from "./files.ts";
import type { CommandContext } from "./import.ts";
import {
  buildLeaseOption,
  buildMergeOption,
  addSourceOptions,
  type SourceOptions,
  describeIgnored,
  describeSources,
} from "./source-options.ts";
import { finishRejects, watchRejects } from "./rejects.ts";

export interface SyncCommandOptions extends SourceOptions {
  readonly source?: string;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly lease: boolean;
  /** False for `--no-merge`. */
  readonly merge: boolean;
}

const EXIT_FAILED = 1;

const HELP = `
The files together are a full snapshot of the gazetteer. Each of their places is compared with the
live index: new and changed ones are written, those that are gone are deleted, all others are left
alone. An unchanged snapshot writes nothing.

All differences are found before the first is written: a snapshot that breaks off, has too many
wrong records or lacks more than 5 % of the places changes nothing. --force deletes all the same.
With --source only places of that source may be deleted: for a snapshot of one source among several.

A sync compares record by record. Where an import has merged records of several sources it is
refused; with --no-merge it goes on and each record becomes a place of its own.

For a snapshot that changes most places, import is faster, and keeps the previous index. Only one
import or sync works on an index at a time; apply and delete may go on meanwhile.

Exit status: 0 the index is as the snapshot (or, with --dry-run, compared); 1 failed, the report says
whether anything was written; 2 wrong usage or configuration; 130 or 143 interrupted by Ctrl-C or
SIGTERM. What was written by then stays; the same command again writes the rest.

Examples:
  $ npm run -s index -- sync places.jsonl --dry-run
  $ npm run -s index -- sync places.jsonl
  $ npm run -s index -- sync hanoi.overpass.json --source osm --json > report.json`;

/** Adds the `sync` command. `run` gets what was asked for, checked as far as the command line goes. */
export function addSyncCommand(
  program: Command,
  run: (files: string[], options: SyncCommandOptions) => Promise<void>,
): void {
  const command = program
    .command("sync")
    .summary("make the live index hold what a full snapshot holds, by writing the differences")
    .description("Compares a full snapshot with the live index and writes the differences only.");
  addSourceOptions(command)
    .option("--source <name>", "delete places of this source only")
    .option("--force", "delete however many places are gone", false)
    .option("--dry-run", "tell the differences and write none", false)
    .addOption(buildLeaseOption())
    .addOption(buildMergeOption())
    .option("--json", "print the report as one JSON object on standard output", false)
    .addHelpText("after", HELP)
    .action(run);
}

/** Runs a sync and reports on it. Resolves to the exit status. */
export async function runSync(
  files: readonly string[],
  options: SyncCommandOptions,
  context: CommandContext,
): Promise<number> {
  const { stdout, stderr, interruption, stdin } = context;
  const startedAt = performance.now();
  const run: SyncRun = { sources: [], tally: createTally(), sync: createSyncTally() };
  const finish = (outcome: SyncReport["outcome"], error?: string): void => {
    const report = buildSyncReport({ ...run, outcome, error, durationMs: performance.now() - startedAt });
    if (report.read > 0) stderr.write(`${formatSyncReport(report)}\n`);
    if (error !== undefined) stderr.write(`${error}\n`);
    if (error !== undefined && report.written + report.deleted === 0) stderr.write("Nothing was written.\n");
    if (options.json) stdout.write(`${JSON.stringify(report)}\n`);
  };
  try {
    const { signal } = interruption;
    run.sources = await openSources(files, {
      format: options.format,
      filter: { where: options.where, bbox: options.bbox },
      signal,
      stdin,
      onIgnored: (paths) => stderr.write(describeIgnored(paths)),
    });
    run.rejects = watchRejects(run.sources, run.tally, options);
    await sync(run, options, context);
    finish(options.dryRun ? "compared" : "synced");
    return 0;
  } catch (error) {
    const reason: unknown = interruption.signal.aborted ? interruption.signal.reason : error;
    const isInterrupted = reason instanceof Interrupted;
    const problems = new Set([toErrorText(reason), ...finishRejects(run.rejects)]);
    finish(isInterrupted ? "interrupted" : "failed", [...problems].join("\n"));
    return isInterrupted ? reason.exitCode : EXIT_FAILED;
  } finally {
    closeSources(run.sources);
    run.rejects?.discard();
  }
}

interface SyncRun {
  sources: Source[];
  rejects?: WholeFile | undefined;
  readonly tally: ReturnType<typeof createTally>;
  readonly sync: ReturnType<typeof createSyncTally>;
}

function sync(
  { sources, rejects, ...tallies }: SyncRun,
  { maxRejects, source, force, dryRun, lease, merge }: SyncCommandOptions,
  { config, stderr, interruption }: CommandContext,
): Promise<void> {
  const { signal } = interruption;
  const say = (text: string): void => void stderr.write(`${text}\n`);
  const session = { config, command: "sync", wantsLease: lease, say, signal };
  return withWritingSession(session, async (writing) => {
    stderr.write(describeSources(sources));
    const progress = createProgress(sources, tallies.tally, stderr);
    try {
      const options = {
        ...writing,
        ...tallies,
        maxRejectsPercent: maxRejects,
        today: Temporal.Now.plainDateISO("UTC"),
        onlySource: source === undefined ? undefined : cleanLine(source),
        force,
        dryRun,
        keepsMerged: merge,
        folder: config.DATA_DIR,
        signal,
        say,
        onRead: () => rejects?.finish(),
      };
      const counts = () => ({
        read: tallies.tally.read,
        rejected: totalRejected(tallies.tally),
        written: tallies.sync.written,
        deleted: tallies.sync.deleted,
      });
      const { redisUrl } = writing;
      await rememberingCounts({ command: "sync", redisUrl, counts }, () => syncPlaces(sources, options));
    } finally {
      progress.stop();
    }
  });
}
