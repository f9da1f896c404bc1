import type { Command } from "commander";
import { runOrPrint, type CommandContext, type RunCommand } from "../../src/cli/run-program.ts";
import { EXIT } from "../../src/cli/errors.ts";
import { DEFAULT_INDEX_PREFIX } from "../../src/partitions/topology.ts";
import type { IndexSummary } from "../index/index-summary.ts";
import { checkPreviousIndex } from "../checks/check-swap.ts";
import { createCoordination } from "../session/coordination.ts";
import { formatCount, formatTime } from "../../src/cli/format.ts";
import { withIndexes, type OpenedIndexes, recordRun, withRedis } from "../session/engines.ts";

interface RollbackCommandOptions {
  readonly force: boolean;
  readonly json: boolean;
}

const HELP = `
Swaps the live index with the previous one, which was live before the last import, in one step. A
second rollback undoes the first. Changes made since the import stay in the index that was live.

First the previous index is checked: it exists, has this program's version and settings, and its
places can be read and found. --force swaps even if one of these checks fails, except the first.

Exit status: 0 rolled back; 1 failed, the live index is unchanged; 2 wrong usage or configuration.

Examples:
  $ npm run -s index -- rollback
  $ npm run -s index -- rollback --json`;

/** Adds the `rollback` command. */
export function addCommand(program: Command, start: RunCommand): void {
  program
    .command("rollback")
    .summary("swap the live index with the previous one")
    .description("Swaps the live index with the one that was live before the last import.")
    .option("--force", "roll back even if a check of the previous index fails", false)
    .option("--json", "print a report as one JSON object on standard output", false)
    .addHelpText("after", HELP)
    .action((options: RollbackCommandOptions) => start((context) => runRollback(options, context)));
}

/** Rolls back and reports what is live now. Resolves to the exit code. */
function runRollback(options: RollbackCommandOptions, context: CommandContext): Promise<number> {
  return runOrPrint(context, options.json, () =>
    withIndexes(context, (indexes) => rollBack(indexes, options, context)),
  );
}

async function rollBack(
  { admin, redisUrl }: OpenedIndexes,
  { force, json }: RollbackCommandOptions,
  context: CommandContext,
): Promise<number> {
  const { stdout, stderr, say, interruption } = context;
  const startedAt = new Date();
  const overridden = await checkPreviousIndex(admin, force);
  if (overridden.length > 0) stderr.write(`Overridden by --force:\n${overridden.join("\n")}\n`);
  await withoutOtherWriters(redisUrl, context, () => {
    interruption.finishUndisturbed(() => say("Too late to stop: the indexes are being swapped."));
    return admin.swapWithPrevious();
  });
  const [live, previous] = await Promise.all([admin.readIndex("live"), admin.readIndex("previous")]);
  stderr.write(
    `Live now: ${describe(live)}.\nPrevious: ${describe(previous)}. A second rollback undoes this.\n`,
  );
  const report = { outcome: "rolled_back", live: toJson(live), previous: toJson(previous), overridden };
  if (json) stdout.write(`${JSON.stringify(report)}\n`);
  await recordRun(redisUrl, {
    command: "rollback",
    outcome: "done",
    started_at: startedAt.toISOString(),
    duration_seconds: (Date.now() - startedAt.getTime()) / 1000,
    counts: { live: live?.places ?? 0 },
  });
  return EXIT.done;
}

/** Runs between two batches of changes, and never during an import or a sync. */
function withoutOtherWriters(
  redisUrl: string | undefined,
  { say, interruption: { signal } }: CommandContext,
  run: () => Promise<void>,
): Promise<void> {
  if (redisUrl === undefined) return run();
  return withRedis(redisUrl, (redis) => {
    const options = { redis, indexPrefix: DEFAULT_INDEX_PREFIX, command: "rollback", say };
    const coordination = createCoordination(options);
    return coordination.holdRebuild((lease) => coordination.holdWrite(run, lease.signal), signal);
  });
}

const describe = (index: IndexSummary | undefined): string =>
  index ? `${formatCount(index.places, "place")}, built ${formatTime(index.builtAt)}` : "none";

const toJson = (index: IndexSummary | undefined): object | null =>
  index ? { places: index.places, version: index.version, built_at: index.builtAt } : null;
