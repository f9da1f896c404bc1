import type { Command } from "commander";
import { wholeNumber } from "../../src/cli/options.ts";
import { runOrPrint, type CommandContext, type RunCommand } from "../../src/cli/run-program.ts";
import { formatCount } from "../../src/cli/format.ts";
import { EXIT } from "../../src/cli/errors.ts";
import { type FrequentQuery, KEPT_DAYS, lastDates, readFrequentQueries } from "../../src/redis/query-log.ts";
import { withIndexes, withRedis } from "../session/engines.ts";

interface QueriesCommandOptions {
  readonly days: number;
  readonly empty: boolean;
  readonly limit: number;
  readonly json: boolean;
}

const HELP = `
Shows what is searched most, with QUERY_LOG=on in the settings of the server: the queries in lower
case and without accents, how often each was searched, and how often it found nothing. With --empty,
the queries that found nothing: places or words that the data may lack.

A query is shown from five callers on; a caller is a key at an address. The counts are kept in Redis
for ${KEPT_DAYS} days, today included, and hold no keys and no addresses. Days are UTC.

Exit status: 0 shown; 1 Redis does not respond, or there is none; 2 wrong usage or configuration.

Examples:
  $ npm run -s index -- queries
  $ npm run -s index -- queries --empty --days 1
  $ npm run -s index -- queries --json | jq -r '.queries[].query'`;

const MAX_LINES = 5_000;

/** Adds the `queries` command. */
export function addCommand(program: Command, start: RunCommand): void {
  program
    .command("queries")
    .summary("show the most frequent queries, and those without results")
    .description("Shows the most frequent queries of the last days.")
    .option(
      "--days <number>",
      `days to count, today included; at most ${KEPT_DAYS}`,
      wholeNumber(1, KEPT_DAYS),
      KEPT_DAYS,
    )
    .option("--empty", "only queries that found nothing", false)
    .option("--limit <number>", "show at most this many", wholeNumber(1, MAX_LINES), 30)
    .option("--json", "print them as one JSON object on standard output", false)
    .addHelpText("after", HELP)
    .action((options: QueriesCommandOptions) => start((context) => runQueries(options, context)));
}

/** Prints the queries. Resolves to the exit code. */
function runQueries(options: QueriesCommandOptions, context: CommandContext): Promise<number> {
  const { days, empty, limit, json } = options;
  return runOrPrint(context, json, () =>
    withIndexes(context, async ({ redisUrl }) => {
      if (redisUrl === undefined) throw new Error("There is no Redis, which would hold the queries.");
      const dates = lastDates(Temporal.Now.instant(), days);
      const queries = await withRedis(redisUrl, (redis) =>
        readFrequentQueries(redis, { dates, emptyOnly: empty, limit }),
      );
      context.stdout.write(`${json ? JSON.stringify({ days, queries }) : formatQueries(queries)}\n`);
      return EXIT.done;
    }),
  );
}

const NONE = "No query was searched by five callers, or QUERY_LOG is off.";

/** A table for a person. */
function formatQueries(queries: readonly FrequentQuery[]): string {
  if (queries.length === 0) return NONE;
  const rows = queries.map(({ query, searches, empty }) => [
    formatCount(searches),
    formatCount(empty),
    query,
  ]);
  const all = [["searches", "nothing found", "query"], ...rows];
  const [first, second] = [0, 1].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map(([searches = "", empty = "", query = ""]) =>
      [searches.padStart(first ?? 0), empty.padStart(second ?? 0), query].join("  "),
    )
    .join("\n");
}
