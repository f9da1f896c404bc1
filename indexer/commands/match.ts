import { existsSync } from "node:fs";
import { InvalidArgumentError, Option, type Command } from "commander";
import { streamAtomically, writeToStream } from "../../src/cli/atomic-file.ts";
import { CommandError, EXIT } from "../../src/cli/errors.ts";
import { formatCount } from "../../src/cli/format.ts";
import { SILENT, startProgress } from "../../src/cli/progress.ts";
import { runOrPrint, type CommandContext, type RunCommand } from "../../src/cli/run-program.ts";
import { DEFAULT_MIN_CONFIDENCE } from "../../src/place/request-defaults.ts";
import { createPlaceSearch } from "../../src/search/search-places.ts";
import { openAskedTable } from "../match/asked-rows.ts";
import { createMatchTally, matchRows, type MatchTally } from "../match/match-rows.ts";
import { ENCODINGS, type Encoding } from "../sources/encoding.ts";
import { openInput } from "../sources/input.ts";
import { withIndexes, type OpenedIndexes } from "../session/engines.ts";
import { buildMapOption, buildQuietOption } from "./source-options.ts";

interface MatchCommandOptions {
  readonly output?: string | undefined;
  readonly minConfidence: number;
  readonly reasons: boolean;
  readonly force: boolean;
  readonly map?: ReadonlyMap<string, string> | undefined;
  readonly encoding?: Encoding | undefined;
  readonly quiet: boolean;
  readonly json: boolean;
}

const HELP = `
Finds the place of the live index that each row of a CSV or an Excel workbook describes. Writes a CSV with
all columns and rows of the file and two more: data_id, which is empty where no match is certain enough,
and confidence, the probability from 0 to 1 that the row is the likeliest place. --reasons adds a third
column with the reasons for and against the match. If the file already has such columns, they are kept,
and the new ones are match_data_id and match_confidence.

The columns have the names that an import reads (docs/data-format.md#tables), in English or
Vietnamese: name, address, phone, website, latitude and longitude, any of them. The more a row has, the
more certain is its match. --map reads a column with another header.

The rows are read and written one after the other, so the file may be of any length. Nothing is changed
in the index. An existing file is not overwritten without --force.

Engine: that of MEILISEARCH_URL (or those of TOPOLOGY), else that of the server that runs on DATA_DIR,
else a temporary one on DATA_DIR.

Exit status: 0 done, also where few rows match; 1 failed, no file is left; 2 wrong usage or
configuration; 130 or 143 interrupted by Ctrl-C or SIGTERM.

Examples:
  $ npm run -s index -- match shops.csv -o matched.csv
  $ npm run -s index -- match shops.xlsx --reasons --min-confidence .9 -o matched.csv
  $ npm run -s index -- match shops.csv --map title=shop_name | head`;

/** Adds the `match` command. */
export function addCommand(program: Command, start: RunCommand): void {
  program
    .command("match")
    .summary("say which place of the index each row of a table is")
    .description("Adds the data id and the confidence of the likeliest place to each row of a table.")
    .argument("<file>", "CSV or Excel workbook, - for standard input; plain, gzip or zstd")
    .option("-o, --output <file>", "the CSV to write; compressed if it ends in .gz or .zst")
    .addOption(
      new Option("--min-confidence <share>", "leave data_id empty below this, from 0 to 1")
        .default(DEFAULT_MIN_CONFIDENCE)
        .argParser(parseShare),
    )
    .option("--reasons", "add a column with the reasons", false)
    .option("--force", "overwrite the file of --output", false)
    .addOption(buildMapOption())
    .addOption(
      new Option("--encoding <encoding>", "encoding of the file; detected by default").choices(ENCODINGS),
    )
    .addOption(buildQuietOption())
    .option("--json", "print a report as one JSON object on standard output; needs --output", false)
    .addHelpText("after", HELP)
    .action(async (file: string, options: MatchCommandOptions, command: Command) => {
      if (options.json && options.output === undefined)
        command.error("error: --json needs --output: the rows themselves go to standard output");
      await start((context) => runMatch(file, options, context));
    });
}

function parseShare(text: string): number {
  const share = /^(?:0?\.\d+|[01](?:\.0*)?)$/.test(text) ? Number(text) : Number.NaN;
  if (share >= 0 && share <= 1) return share;
  throw new InvalidArgumentError("It must be a number from 0 to 1, such as .9.");
}

/** Matches the rows of a file and reports on it. Resolves to the exit code. */
function runMatch(file: string, options: MatchCommandOptions, context: CommandContext): Promise<number> {
  return runOrPrint(context, options.json, async () => {
    const { output, force } = options;
    if (output !== undefined && !force && existsSync(output))
      throw new CommandError(`${output} exists already. Choose another name, or overwrite it with --force.`);
    return withIndexes(context, (indexes) => matchFile(file, options, indexes, context));
  });
}

/** Longer than any request of a caller may take: a busy engine only slows the command down. */
const DEADLINE_MS = 30_000;

async function matchFile(
  file: string,
  options: MatchCommandOptions,
  { admin }: OpenedIndexes,
  context: CommandContext,
): Promise<number> {
  const { stdin, stdout, stderr, interruption } = context;
  const opened = await openInput(file, interruption.signal, stdin);
  const startedAt = performance.now();
  const tally = createMatchTally();
  try {
    const table = await openAskedTable(opened, { map: options.map, encoding: options.encoding });
    await checkReadable(admin);
    const index = await admin.openPlaceIndex("live");
    const progress = startProgress(options.quiet ? SILENT : stderr, "matching", () => ({
      text: `${formatCount(tally.rows, "row")}, ${formatCount(tally.matched)} matched`,
    }));
    try {
      const search = createPlaceSearch(index, { deadlineMs: DEADLINE_MS });
      await search.prepared;
      const lines = matchRows(table, search, { ...options, tally });
      if (options.output !== undefined) await streamAtomically(options.output, lines, interruption.signal);
      else if (!(await writeToStream(stdout, lines, interruption.signal))) return EXIT.failed;
    } finally {
      progress.stop();
      await index.close();
    }
  } finally {
    opened.input.close();
  }
  const durationMs = performance.now() - startedAt;
  if (!options.quiet || tally.unreadRows > 0) stderr.write(`${summarize(tally, durationMs)}\n`);
  if (options.json) stdout.write(`${JSON.stringify(toReport(tally, options, durationMs))}\n`);
  return EXIT.done;
}

/** @throws {CommandError} without a live index of this version. */
async function checkReadable(admin: OpenedIndexes["admin"]): Promise<void> {
  const index = await admin.readIndex("live");
  if (!index) throw new CommandError("There is no live index to match with. Import places first.");
  if (!index.isReadable)
    throw new CommandError(
      `The live index was built by another version of this program (${index.version ?? "unknown"}): import again.`,
    );
}

function summarize(
  { rows, matched, doubtful, unknown, empty, unread, unreadRows }: MatchTally,
  durationMs: number,
): string {
  const share = rows === 0 ? "" : ` (${((100 * matched) / rows).toFixed(1)} %)`;
  const others = [
    [doubtful, "not sure enough"],
    [unknown, "like no place"],
    [empty, "with nothing to look for"],
  ] as const;
  const rest = others.flatMap(([count, what]) => (count > 0 ? [`${formatCount(count)} ${what}`] : []));
  const seconds = (durationMs / 1_000).toFixed(1);
  return [
    `Matched ${formatCount(matched)} of ${formatCount(rows, "row")}${share} in ${seconds} s${rest.length > 0 ? `; ${rest.join(", ")}` : ""}.`,
    ...(unreadRows > 0 ? [`${formatCount(unreadRows, "row")} could not be read and are left out:`] : []),
    ...unread.map(({ number, problem }) => `  line ${number}: ${problem}`),
  ].join("\n");
}

const toReport = (
  { unread, unreadRows, ...counts }: MatchTally,
  { output }: MatchCommandOptions,
  durationMs: number,
) => ({
  outcome: "matched",
  ...counts,
  unread: unreadRows,
  unread_rows: unread,
  file: output,
  duration_seconds: Math.round(durationMs / 10) / 100,
});
