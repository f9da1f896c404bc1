import { InvalidArgumentError, Option, type Command } from "commander";
import { parseDataId } from "../../src/place/document/data-id.ts";
import type { Change } from "../changes/change-queue.ts";
import { findDeletions, listDeletions, readDeletions } from "../changes/read-changes.ts";
import { cleanLine } from "../clean/strings.ts";
import { formatCount } from "../../src/cli/format.ts";
import type { CommandContext, RunCommand } from "../../src/cli/run-program.ts";
import { buildLeaseOption, buildQuietOption } from "./source-options.ts";
import { runChanges } from "./run-changes.ts";

interface DeleteCommandOptions {
  readonly file?: string;
  readonly source?: string;
  readonly sourceId?: readonly string[];
  readonly json: boolean;
  readonly quiet: boolean;
  readonly lease: boolean;
}

const HELP = `
Deletes places from the live index at once, without confirmation. Give data ids, a file with one data
id per line, ids of a source with --source-id (and --source where it has a name), or a source alone,
whose places are all deleted. The second half of a data id identifies the
place, so the id that a place had before it moved works too.

A place that is in the next import or sync comes back. Deletions during an import apply to its new
index too.

Exit status: 0 all deleted; 1 failed; 2 wrong usage or configuration; 3 some places were not in the
index (or no place of that source was), or a line was not a data id: the report names them, the
others are deleted; 130 or 143 interrupted by Ctrl-C or SIGTERM, after the current batch was written.

Examples:
  $ npm run -s index -- delete 0x31752f38f9d2c1e7:0x8c1f5a0b7e2d9436
  $ npm run -s index -- delete --file closed.txt
  $ npm run -s index -- delete --source city-survey --source-id shops/1204
  $ npm run -s index -- delete --source city-survey --json`;

/** Adds the `delete` command. */
export function addCommand(program: Command, start: RunCommand): void {
  program
    .command("delete")
    .summary("delete places of the live index")
    .description("Deletes places from the live index.")
    .argument("[data-id...]", "data ids of the places", collectDataIds)
    .option("--file <file>", "delete the places whose data ids are in this file, - for standard input")
    .option("--source <name>", "delete all places of this source, or those of --source-id")
    .addOption(
      new Option("--source-id <id>", "delete the place with this id in its source (repeatable)").argParser(
        collectSourceIds,
      ),
    )
    .addOption(buildLeaseOption())
    .addOption(buildQuietOption())
    .option("--json", "print the report as one JSON object on standard output", false)
    .addHelpText("after", HELP)
    .action(async (dataIds: string[], options: DeleteCommandOptions, command: Command) => {
      const bySource = options.sourceId?.[0] ?? options.source;
      const given = [dataIds[0], options.file, bySource].filter((value) => value !== undefined);
      if (given.length !== 1)
        command.error("error: give data ids, --file, --source or --source-id, and only one of them");
      await start((context) => runDelete(dataIds, options, context));
    });
}

function collectDataIds(text: string, before: string[] | undefined): string[] {
  const dataId = parseDataId(text);
  if (dataId === undefined) throw new InvalidArgumentError("It must be of the form 0x<hex>:0x<hex>.");
  return [...(before ?? []), dataId];
}

function collectSourceIds(id: string, before: readonly string[] | undefined): readonly string[] {
  if (cleanLine(id) === "") throw new InvalidArgumentError("It is empty.");
  return [...(before ?? []), id];
}

/** Deletes places and reports on it. Resolves to the exit code. */
function runDelete(
  dataIds: readonly string[],
  { file, source, sourceId: sourceIds, json, quiet, lease }: DeleteCommandOptions,
  context: CommandContext,
): Promise<number> {
  const { stdin } = context;
  const sourceName = source === undefined ? undefined : cleanLine(source);
  const isWholeSource = sourceName !== undefined && sourceIds === undefined;
  /** All sources of the index, with the number of their places. */
  const sources = new Map<string, number>();
  return runChanges(
    {
      command: "delete",
      lease,
      json,
      quiet,
      read: ({ live, tally, signal }): AsyncIterable<Change> => {
        if (sourceIds) return listDeletions(sourceIds, { tally, source: sourceName ?? "" });
        if (sourceName !== undefined) return findDeletions(sourceName, live, { tally, sources, signal });
        if (file !== undefined) return readDeletions(file, { tally, stdin, signal });
        return listDeletions(dataIds, { tally });
      },
      isComplete: ({ read, unknown, rejected }) =>
        unknown.total + rejected.total === 0 && (!isWholeSource || read > 0),
      problemOf: ({ read }) =>
        !isWholeSource || read > 0 ? undefined : describeNoSource(sourceName, sources),
    },
    context,
  );
}

/** Enough to see a wrong name. */
const MAX_SOURCES = 10;

/** Names the sources that there are, the largest first. */
function describeNoSource(source: string, sources: ReadonlyMap<string, number>): string {
  const bySize = [...sources].toSorted(([, one], [, other]) => other - one);
  const named = bySize
    .slice(0, MAX_SOURCES)
    .map(([name, count]) => `${name || "no name"} (${formatCount(count, "place")})`);
  const more = bySize.length > MAX_SOURCES ? ` and ${bySize.length - MAX_SOURCES} more` : "";
  const present = named.length === 0 ? "It holds no places." : `Its sources are ${named.join(", ")}${more}.`;
  return `There is no source "${source}" in the index. ${present}`;
}
