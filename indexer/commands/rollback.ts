import type { Command } from "commander";
import type { IndexSummary } from "../../src/place-index/index-summary.ts";
import { checkIndexHealth } from "../checks/index-checks.ts";
import { formatCount, formatTime } from "../format.ts";
import { ImportError } from "../import-error.ts";
import { withIndexes, type OpenedIndexes } from "../open-engines.ts";
import { rememberRun } from "../redis-session.ts";
import type { CommandContext } from "./import.ts";
import { formatChecks } from "./check.ts";
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
  const overridden = await checkPreviousIndex(admin, force);
  if (overridden.length > 0) stderr.write(`Overridden by --force:\n${overridden.join("\n")}\n`);
  interruption.finishUndisturbed(() => stderr.write("Too late to stop: the indexes are being swapped.\n"));
  await admin.swapWithPrevious();
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

/**
 * Looks whether the previous index may go live. Resolves to the failed checks that `force` has overridden.
 * @throws {ImportError} when there is none, or a check of it fails.
 */
async function checkPreviousIndex(admin: OpenedIndexes["admin"], force: boolean): Promise<string[]> {
  if (!(await admin.readIndex("previous")))
    throw new ImportError("There is no previous index to roll back to. The live index is untouched.");
  const results = await checkIndexHealth(admin, "previous");
  const failed = results.filter(({ state }) => state === "problem").map((result) => formatChecks([result]));
  if (failed.length > 0 && !force)
    throw new ImportError(
      `The previous index is not fit to go live:\n${failed.join("\n")}\nThe live index is untouched. --force rolls back all the same.`,
    );
  return failed;
}

const describe = (index: IndexSummary | undefined): string =>
  index
    ? `${formatCount(index.places)} places, built ${index.builtAt === undefined ? "by nobody known" : formatTime(index.builtAt)}`
    : "none";

const toJson = (index: IndexSummary | undefined): object | null =>
  index ? { places: index.places, version: index.version ?? null, built_at: index.builtAt ?? null } : null;
