import { EXIT } from "../../src/cli/errors.ts";
import { formatCount } from "../../src/cli/format.ts";
import { SILENT, startProgress } from "../../src/cli/progress.ts";
import { runToExitCode, type CommandContext } from "../../src/cli/run-program.ts";
import {
  applyChanges,
  createAppliedTally,
  withLiveWriter,
  type AppliedTally,
  type LiveWriter,
} from "../changes/apply-changes.ts";
import { buildChangeReport, formatChangeReport, type ChangeReport } from "../changes/change-report.ts";
import type { Change } from "../changes/change-queue.ts";
import { createTally, totalRejected, type ImportTally } from "../clean/import-tally.ts";
import { recordRunWithCounts, withWritingSession } from "../session/engines.ts";

interface ChangesRun {
  readonly command: string;
  readonly lease: boolean;
  readonly json: boolean;
  /** Prints a report only of what went wrong. */
  readonly quiet: boolean;
  /** Reads the changes. Aborting the signal ends a read that waits. */
  readonly read: (input: {
    readonly live: LiveWriter["live"];
    readonly tally: ImportTally;
    readonly signal: AbortSignal;
  }) => AsyncIterable<Change>;
  /**
   * Whether the request was fulfilled, once everything is written. An error that it throws fails the command.
   */
  readonly isComplete: (report: ChangeReport, tally: ImportTally) => boolean;
  /** What the report does not say when the request was not fulfilled. */
  readonly problemOf?: (report: ChangeReport) => string | undefined;
}

/** Applies changes to the live index and reports on them. Resolves to the exit code. */
export async function runChanges(run: ChangesRun, context: CommandContext): Promise<number> {
  const { stdout, stderr } = context;
  const startedAt = performance.now();
  const tally = createTally();
  const applied = createAppliedTally();
  const build = (outcome: ChangeReport["outcome"], error?: string): ChangeReport =>
    buildChangeReport({ outcome, error, tally, applied, durationMs: performance.now() - startedAt });
  const print = (report: ChangeReport, isQuiet = false): void => {
    if (!isQuiet) stderr.write(`${formatChangeReport(report)}\n`);
    if (report.error !== undefined) stderr.write(`${report.error}\n`);
    if (run.json) stdout.write(`${JSON.stringify(report)}\n`);
  };
  const writeAndReport = async (): Promise<number> => {
    await write(run, context, tally, applied);
    const isComplete = run.isComplete(build("done"), tally);
    print(build("done", run.problemOf?.(build("done"))), isComplete && run.quiet);
    return isComplete ? EXIT.done : EXIT.incomplete;
  };
  return runToExitCode(context, writeAndReport, ({ isInterrupted, text }) =>
    print(build(isInterrupted ? "interrupted" : "failed", text)),
  );
}

async function write(
  run: ChangesRun,
  context: CommandContext,
  tally: ImportTally,
  applied: AppliedTally,
): Promise<void> {
  const { stderr, interruption } = context;
  const { command, lease } = run;
  const failed = new AbortController();
  const signal = AbortSignal.any([interruption.signal, failed.signal]);
  const counts = () => ({
    read: tally.read,
    rejected: totalRejected(tally),
    applied: applied.applied,
    deleted: applied.deleted,
  });
  const progress = startProgress(run.quiet ? SILENT : stderr, "writing", () => ({
    text: `${formatCount(tally.read)} read, ${formatCount(applied.applied + applied.deleted)} written`,
  }));
  try {
    await withWritingSession(context, { command, lease }, (session) =>
      recordRunWithCounts({ command, redisUrl: session.redisUrl, counts }, () =>
        withLiveWriter(session, (writer) =>
          applyChanges(run.read({ live: writer.live, tally, signal }), {
            writer,
            applied,
            stopReading: (reason) => failed.abort(reason),
          }),
        ),
      ),
    );
  } finally {
    progress.stop();
  }
}
