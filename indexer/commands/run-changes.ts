import {
  applyChanges,
  createAppliedTally,
  withLiveWriter,
  type LiveWriter,
} from "../changes/apply-changes.ts";
import type { Change } from "../changes/change.ts";
import { buildChangeReport, formatChangeReport, type ChangeReport } from "../changes/change-report.ts";
import { toErrorText, Interrupted } from "./interruption.ts";
import { createTally, totalRejected, type ImportTally } from "../clean/import-tally.ts";
import { rememberingCounts, withWritingSession } from "./engines.ts";
import { startTicker } from "./progress.ts";
import type { CommandContext } from "./import.ts";
import { formatCount } from "./format.ts";

interface ChangesRun {
  readonly command: string;
  readonly wantsLease: boolean;
  readonly json: boolean;
  /** Where the changes come from. Aborting the signal ends a read that waits. */
  readonly read: (input: {
    readonly live: LiveWriter["live"];
    readonly tally: ImportTally;
    readonly signal: AbortSignal;
  }) => AsyncIterable<Change>;
  /** The last word when all is written: the exit status, or an error. */
  readonly judge: (report: ChangeReport, tally: ImportTally) => number;
}

const EXIT_FAILED = 1;

/** Applies changes to the live index and reports on them. Resolves to the exit status. */
export async function runChanges(run: ChangesRun, context: CommandContext): Promise<number> {
  const { stdout, stderr, interruption } = context;
  const startedAt = performance.now();
  const tally = createTally();
  const applied = createAppliedTally();
  const build = (outcome: ChangeReport["outcome"], error?: string): ChangeReport =>
    buildChangeReport({ outcome, error, tally, applied, durationMs: performance.now() - startedAt });
  const print = (report: ChangeReport): void => {
    stderr.write(`${formatChangeReport(report)}\n`);
    if (report.error !== undefined) stderr.write(`${report.error}\n`);
    if (run.json) stdout.write(`${JSON.stringify(report)}\n`);
  };
  try {
    await write(run, context, { tally, applied });
    const status = run.judge(build("done"), tally);
    print(build("done"));
    return status;
  } catch (error) {
    const reason: unknown = interruption.signal.aborted ? interruption.signal.reason : error;
    const isInterrupted = reason instanceof Interrupted;
    print(build(isInterrupted ? "interrupted" : "failed", toErrorText(reason)));
    return isInterrupted ? reason.exitCode : EXIT_FAILED;
  }
}

interface Tallies {
  readonly tally: ImportTally;
  readonly applied: ReturnType<typeof createAppliedTally>;
}

async function write(run: ChangesRun, context: CommandContext, { tally, applied }: Tallies): Promise<void> {
  const { config, stderr, interruption } = context;
  const say = (text: string): void => void stderr.write(`${text}\n`);
  const { command, wantsLease } = run;
  const failed = new AbortController();
  const signal = AbortSignal.any([interruption.signal, failed.signal]);
  const counts = () => ({
    read: tally.read,
    rejected: totalRejected(tally),
    applied: applied.applied,
    deleted: applied.deleted,
  });
  const stopTicking = startTicker(
    stderr,
    () => `${formatCount(tally.read)} read, ${applied.applied + applied.deleted} written`,
  );
  try {
    await withWritingSession({ config, command, wantsLease, say, signal: interruption.signal }, (session) =>
      rememberingCounts({ command, redisUrl: session.redisUrl, counts }, () =>
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
    stopTicking();
  }
}
