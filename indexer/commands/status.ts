import type { Command } from "commander";
import { formatStatus } from "../format-status.ts";
import { withIndexes } from "../open-engines.ts";
import { readStatus, valueOf, type Known, type Status } from "../read-status.ts";
import type { CommandContext } from "./import.ts";
import { EXIT_DONE, EXIT_FAILED, runToExit } from "./run-command.ts";

export interface StatusCommandOptions {
  readonly json: boolean;
}

const HELP = `
Tells of the engine (version, size, what it has to do), of the three indexes (live: searched now;
next: grows while an import is under way; previous: live before the last swap) with their places,
the age of their data, size and version, and of the last runs, which are remembered in Redis where
there is one. What cannot be looked at is told with its reason. Whether all is well says "check".

The age is counted from the beginning of the import that built the index.

Exit status: 0 told; 1 the engine does not answer, or there is none; 2 wrong usage or
configuration.

Examples:
  $ npm run -s index -- status
  $ npm run -s index -- status --json | jq .indexes.live.places`;

/** Adds the `status` command. */
export function addStatusCommand(
  program: Command,
  run: (options: StatusCommandOptions) => Promise<void>,
): void {
  program
    .command("status")
    .summary("tell what indexes there are, of what date and size, and what was last done")
    .description("Tells of the engine, its indexes and the last runs.")
    .option("--json", "print it as one JSON object on standard output", false)
    .addHelpText("after", HELP)
    .action(run);
}

/** Prints the status. Resolves to the exit status. */
export function runStatus({ json }: StatusCommandOptions, context: CommandContext): Promise<number> {
  return runToExit(context, json, () =>
    withIndexes(context, async ({ admin, redisUrl }) => {
      const status = await readStatus(admin, redisUrl);
      const text = json ? JSON.stringify(toReport(status)) : formatStatus(status, Date.now());
      context.stdout.write(`${text}\n`);
      return "value" in status.engine ? EXIT_DONE : EXIT_FAILED;
    }),
  );
}

/** The status as JSON: `null` for what is not there, `{error}` for what could not be looked at. */
function toReport({ engine, indexes, runs }: Status): object {
  return {
    engine: toJson(engine, ({ version, databaseBytes, queue }) => ({
      version,
      database_bytes: databaseBytes,
      queue,
    })),
    indexes: {
      live: toJson(indexes.live, toIndexJson),
      next: toJson(indexes.next, toIndexJson),
      previous: toJson(indexes.previous, toIndexJson),
    },
    import_under_way: valueOf(indexes.next) !== undefined,
    runs: runs ? toJson(runs, (value) => value) : null,
  };
}

const toJson = <T>(known: Known<T>, convert: (value: T) => unknown): unknown =>
  "value" in known ? convert(known.value) : { error: known.problem };

const toIndexJson = (index: Extract<Status["indexes"]["live"], { value: unknown }>["value"]): unknown =>
  index
    ? {
        places: index.places,
        redirects: index.redirects,
        version: index.version ?? null,
        is_readable: index.isReadable,
        built_at: index.builtAt ?? null,
        updated_at: index.updatedAt,
        document_bytes: index.documentBytes,
      }
    : null;
