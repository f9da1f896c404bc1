import type { Command } from "commander";
import { DEFAULT_INDEX_PREFIX } from "../../src/meilisearch/connection.ts";
import type { IndexSummary } from "../index-build/index-admin.ts";
import { checkPreviousIndex } from "../checks/swap-checks.ts";
import { createCoordination } from "./coordination.ts";
import { formatCount, formatTime } from "./format.ts";
import { withIndexes, type OpenedIndexes, rememberRun, withRedis } from "./engines.ts";
import type { CommandContext } from "./import.ts";
import { EXIT_DONE, runToExit } from "./run-command.ts";

export interface RollbackCommandOptions {
  readonly force: boolean;
  readonly json: boolean;
}

const HELP = `
Puts the previous index, the one that was live before the last import, in the place of the live one,
which becomes the previous: one step of the engine, of which searches see the one side or the other.
A second rollback undoes it. Changes made since the import are in the index that is put aside.

Before, the previous index is checked: it is there, of this program's version, has its settings, its
places can be read and are found. --force rolls back although one of these fails, except the first.

Exit status: 0 rolled back; 1 not, live index untouched; 2 wrong usage or configuration.

Examples:
  $ npm run -s index -- rollback
  $ npm run -s index -- rollback --json`;

/** Adds the `rollback` command. */
export function addRollbackCommand(
  program: Command,
  run: (options: RollbackCommandOptions) => Promise<void>,
): void {
  program
    .command("rollback")
    .summary("put the previous index in the place of the live one")
    .description("Swaps the live index with the one that was live before the last import.")
    .option("--force", "although a check of the previous index fails", false)
    .option("--json", "print a report as one JSON object on standard output", false)
    .addHelpText("after", HELP)
    .action(run);
}

/** Rolls back and tells what is live now. Resolves to the exit status. */
export function runRollback(options: RollbackCommandOptions, context: CommandContext): Promise<number> {
  return runToExit(context, options.json, () =>
    withIndexes(context, (indexes) => rollBack(indexes, options, context)),
  );
}

async function rollBack(
  { admin, redisUrl }: OpenedIndexes,
  { force, json }: RollbackCommandOptions,
  { stdout, stderr, interruption }: CommandContext,
): Promise<number> {
  const startedAt = new Date();
  const say = (text: string): void => void stderr.write(`${text}\n`);
  const overridden = await checkPreviousIndex(admin, force);
  if (overridden.length > 0) stderr.write(`Overridden by --force:\n${overridden.join("\n")}\n`);
  await withoutOtherWriters(redisUrl, { signal: interruption.signal, say }, () => {
    interruption.finishUndisturbed(() => say("Too late to stop: the indexes are being swapped."));
    return admin.swapWithPrevious();
  });
  const [live, previous] = await Promise.all([admin.readIndex("live"), admin.readIndex("previous")]);
  stderr.write(
    `Live now: ${describe(live)}.\nPrevious: ${describe(previous)}. A second rollback undoes this.\n`,
  );
  const report = { outcome: "rolled_back", live: toJson(live), previous: toJson(previous), overridden };
  if (json) stdout.write(`${JSON.stringify(report)}\n`);
  await rememberRun(redisUrl, {
    command: "rollback",
    outcome: "done",
    started_at: startedAt.toISOString(),
    duration_seconds: (Date.now() - startedAt.getTime()) / 1000,
    counts: { live: live?.places ?? 0 },
  });
  return EXIT_DONE;
}

interface Waiting {
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

/** Between two batches of changes, and never while an import or a sync is under way. */
function withoutOtherWriters(
  redisUrl: string | undefined,
  { signal, say }: Waiting,
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
  index
    ? `${formatCount(index.places)} places, built ${index.builtAt === undefined ? "by nobody known" : formatTime(index.builtAt)}`
    : "none";

const toJson = (index: IndexSummary | undefined): object | null =>
  index ? { places: index.places, version: index.version ?? null, built_at: index.builtAt ?? null } : null;
