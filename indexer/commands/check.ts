import type { Command } from "commander";
import { runOrPrint, type CommandContext, type RunCommand } from "../../src/cli/run-program.ts";
import { EXIT } from "../../src/cli/errors.ts";
import { checkAll } from "../checks/check-all.ts";
import { checkEngineFeatures } from "../checks/engine-features.ts";
import { formatChecks, type CheckResult } from "../checks/check-result.ts";
import type { EngineAddress } from "../../src/meilisearch/connection.ts";
import { readRelevanceCases } from "../checks/relevance-cases.ts";
import { withIndexes } from "../session/engines.ts";

interface CheckCommandOptions {
  readonly cases?: string | undefined;
  /** Checks only the engine itself, on a separate index. */
  readonly engine: boolean;
  readonly json: boolean;
}

const HELP = `
Checks whether the live index can serve searches, and prints one line for each check:

  engine     it responds and has a version that this program is tested with
  replicas   of several engines (TOPOLOGY): every replica has all changes (else a warning), and every
             partition has one that does; an engine that does not respond is a separate warning
  balance    no partition has more than twice its share of the places (else a warning)
  index      it exists, has this program's version, and holds places
  settings   they are those that a build sets
  documents  sampled places can be read and have the documented form
  search     sampled places are found at or near the top by their names, as the server searches
  cells      every place is filed under the cells that searches use; no block holds too many
  cases      the searches of --cases find the expected places
  age        the data was imported, or its sources found unchanged, in the last 45 days (else a warning)
  previous   there is an index to roll back to (else a warning)
  rebuild    no half-built index was left behind (else a warning)
  redis      it responds (a warning without Redis)
  disk       the disk of a local engine has room for an import (else a warning; full: a problem)

With --engine it checks the engine itself instead: whether another version of Meilisearch does all that
the server and the indexer rely on. It makes a small separate index and removes it; the live index is
not touched. One line each:

  tasks      an index is built and made live
  settings   every setting is kept as it was set
  cells      places are found by the cells that contain them
  values     places are found by names, words, beginnings and types
  ranges     by rating, price and rectangle
  typos      as many typos as a word may have, no more
  distance   places come sorted by distance and by rating
  counts     places are counted by type and cell
  documents  what was written can be read
  swap       a second index takes the place of the first, which is kept

A case is a line of JSON: {"q": "pho thin", "lat": 21.02, "lng": 105.85, "expect": "Phở Thìn", "top": 3}.
"expect" is a title or a data id. "top" is 1 by default; the default coordinates are those of the API.

Exit status: 0 no problem, perhaps warnings; 1 a problem; 2 wrong usage or configuration.

Examples:
  $ npm run -s index -- check
  $ npm run -s index -- check --cases cases.jsonl
  $ npm run -s index -- check --engine
  $ npm run -s index -- check --json | jq -r '.checks[] | select(.state != "ok") | .hint'`;

/** Adds the `check` command. */
export function addCommand(program: Command, start: RunCommand): void {
  program
    .command("check")
    .summary("check whether the live index can serve searches, with a hint for each problem")
    .description("Checks the live index, its engine and Redis.")
    .option("--cases <file>", "searches and the places they must find, as JSON lines")
    .option("--engine", "check what the engine can do, on a separate index", false)
    .option("--json", "print the results as one JSON object on standard output", false)
    .addHelpText("after", HELP)
    .action((options: CheckCommandOptions) => start((context) => runCheckCommand(options, context)));
}

/** Checks each engine, with its URL in front when there are several. */
async function checkEngines(engines: readonly EngineAddress[]): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const engine of engines) {
    const where = engines.length === 1 ? "" : `${engine.url}: `;
    for (const { detail, ...result } of await checkEngineFeatures(engine))
      results.push({ ...result, detail: where + detail });
  }
  return results;
}

/** Runs all checks and prints them. Resolves to the exit code. */
function runCheckCommand(options: CheckCommandOptions, context: CommandContext): Promise<number> {
  return runOrPrint(context, options.json, async () => {
    const cases = options.cases === undefined ? [] : readRelevanceCases(options.cases);
    return withIndexes(context, async (indexes) => {
      const checks = options.engine
        ? await checkEngines(indexes.admin.engines)
        : await checkAll(indexes, cases);
      const isOk = checks.every(({ state }) => state !== "problem");
      const text = options.json ? JSON.stringify({ ok: isOk, checks }) : formatChecks(checks);
      context.stdout.write(`${text}\n`);
      return isOk ? EXIT.done : EXIT.failed;
    });
  });
}
