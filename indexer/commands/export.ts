import { InvalidArgumentError, Option, type Command } from "commander";
import { runOrPrint, type CommandContext, type RunCommand } from "../../src/cli/run-program.ts";
import type { IndexRole, IndexAdmin } from "../index/index-admin.ts";
import { formatCount, formatTime } from "../../src/cli/format.ts";
import { withIndexes, type OpenedIndexes } from "../session/engines.ts";
import { streamAtomically, writeToStream } from "../../src/cli/atomic-file.ts";
import { startProgress, type ProgressState } from "../../src/cli/progress.ts";
import { CommandError, EXIT } from "../../src/cli/errors.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { createExportFilter, type ExportFilter } from "../export/export-filter.ts";
import { EXPORT_FORMATS, writePlaces, type ExportForm } from "../export/export-forms.ts";
import { asDate } from "../sources/record-fields.ts";

interface ExportCommandOptions {
  readonly output?: string | undefined;
  readonly previous: boolean;
  readonly json: boolean;
  readonly format: ExportForm["format"];
  readonly complete: boolean;
  readonly area?: string | undefined;
  readonly type?: string | undefined;
  readonly changedSince?: string | undefined;
}

const HELP = `
Writes every place of the live index as one line of native JSON (docs/data-format.md), in constant
memory. Importing the file gives an equal index. --format csv and geojson write tables with the
columns of the same page, which spreadsheets and maps open, and which an import reads, too.

--area, --type and --changed-since write only some places; together, all of them must hold. An area is
named as people do ("Hoàn Kiếm", "Quận 1", "Hà Nội"). --changed-since compares with the date on which
the source confirmed or changed a place (confirmed_on); places without one are left out. --complete
adds what an import or the API fills in: kind, ward, city, one-line address, and in tables the
district.

A file whose name ends in .gz or .zst is compressed. It is written under a temporary name and renamed
when it is complete.

Changes made during the export may or may not be in it. If an import swaps the index meanwhile, the
export fails and leaves no file.

Engine: that of MEILISEARCH_URL (or those of TOPOLOGY), else that of the server that runs on DATA_DIR,
else a temporary one on DATA_DIR.

Exit status: 0 exported; 1 failed, no file is left; 2 wrong usage or configuration; 130 or 143
interrupted by Ctrl-C or SIGTERM.

Examples:
  $ npm run -s index -- export > places.jsonl
  $ npm run -s index -- export -o backup/places.jsonl.zst
  $ npm run -s index -- export --format csv --type COFFEE --area "Hoàn Kiếm" -o cafes.csv
  $ npm run -s index -- export --format geojson --complete -o places.geojson
  $ npm run -s index -- export --previous -o before.jsonl.gz
  $ npm run -s index -- export | jq -r 'select(.type == "COFFEE") | .title'`;

/** Adds the `export` command. */
export function addCommand(program: Command, start: RunCommand): void {
  program
    .command("export")
    .summary("write the places of the index as native JSON lines")
    .description("Writes all places of the live index to standard output or to a file.")
    .option("-o, --output <file>", "the file to write; compressed if it ends in .gz or .zst")
    .option("--previous", "export the index that was live before the last swap", false)
    .addOption(
      new Option("-f, --format <format>", "form of the file").choices(EXPORT_FORMATS).default("native"),
    )
    .option("--complete", "with the kind, ward, city and address that an import or the API adds", false)
    .option("--area <area>", "only places in the area of this name or id")
    .addOption(new Option("--type <kind>", "only places of this kind, and of narrower ones"))
    .addOption(
      new Option("--changed-since <date>", "only places confirmed or changed since this date").argParser(
        parseDate,
      ),
    )
    .option("--json", "print a report as one JSON object on standard output; needs --output", false)
    .addHelpText("after", HELP)
    .action(async (options: ExportCommandOptions, command: Command) => {
      if (options.json && options.output === undefined)
        command.error("error: --json needs --output: the places themselves go to standard output");
      await start((context) => runExport(options, context));
    });
}

function parseDate(text: string): string {
  const date = asDate(text);
  if (date !== undefined) return date;
  throw new InvalidArgumentError("It must be a date, such as 2026-11-02.");
}

/** Exports and reports on it. Resolves to the exit code. */
function runExport(options: ExportCommandOptions, context: CommandContext): Promise<number> {
  return runOrPrint(context, options.json && options.output !== undefined, () =>
    withIndexes(context, (indexes) => exportFrom(indexes, options, context)),
  );
}

async function exportFrom(
  { admin }: OpenedIndexes,
  options: ExportCommandOptions,
  { stdout, stderr, interruption }: CommandContext,
): Promise<number> {
  const role: IndexRole = options.previous ? "previous" : "live";
  const startedAt = performance.now();
  const exported = await beginExport(admin, role);
  const lines = exportLines(admin, role, exported, options);
  const progress = startProgress(stderr, "exporting", (elapsedMs) => describe(exported, elapsedMs));
  let isWhole = true;
  try {
    if (options.output === undefined) isWhole = await writeToStream(stdout, lines, interruption.signal);
    else await streamAtomically(options.output, lines, interruption.signal);
  } finally {
    progress.stop();
  }
  const durationMs = performance.now() - startedAt;
  stderr.write(`${summarize(exported, { role, isWhole, output: options.output, durationMs })}\n`);
  if (options.json) stdout.write(`${JSON.stringify(toReport(exported, role, options.output, durationMs))}\n`);
  return isWhole ? EXIT.done : EXIT.failed;
}

function describe({ places, total }: Exported, elapsedMs: number): ProgressState {
  const share = total === 0 ? 1 : Math.min(1, places / total);
  const rate = Math.round((places * 1000) / Math.max(1, elapsedMs));
  const counts = `${formatCount(places)} of ${formatCount(total)} places`;
  return { text: `${counts}, ${formatCount(rate)}/s, ${Math.floor(share * 100)} %`, share };
}

interface Ending {
  readonly role: IndexRole;
  /** False when the standard output took no more. */
  readonly isWhole: boolean;
  readonly output: string | undefined;
  readonly durationMs: number;
}

function summarize(
  { written: places, builtAt }: Exported,
  { role, isWhole, output, durationMs }: Ending,
): string {
  const where = output === undefined ? "" : ` to ${output}`;
  const built = builtAt === undefined ? "" : ` (built ${formatTime(builtAt)})`;
  const seconds = (durationMs / 1000).toFixed(1);
  if (!isWhole) return `Standard output took no more after about ${formatCount(places, "place")}.`;
  return `Exported ${formatCount(places, "place")} of the ${role} index${built}${where} in ${seconds} s.`;
}

const toReport = (
  { written: places, builtAt }: Exported,
  role: IndexRole,
  output: string | undefined,
  durationMs: number,
): object => ({
  outcome: "exported",
  index: role,
  built_at: builtAt,
  places,
  file: output,
  duration_seconds: Math.round(durationMs / 10) / 100,
});

/** The progress of an export. */
export interface Exported {
  /** Read so far. */
  places: number;
  /** Written so far: those that the filter lets through. */
  written: number;
  readonly total: number;
  readonly builtAt: string | undefined;
  /** When the index was last written to. */
  readonly updatedAt: string;
}

/**
 * Checks that an index can be exported.
 * @throws {CommandError} when it does not exist, or another version built it.
 */
export async function beginExport(admin: IndexAdmin, role: IndexRole): Promise<Exported> {
  const index = await admin.readIndex(role);
  if (!index) throw new CommandError(`There is no ${role} index to export.`);
  if (!index.isReadable)
    throw new CommandError(
      `The ${role} index was built by another version of this program (${index.version ?? "unknown"}): export it with that version.`,
    );
  return { places: 0, written: 0, total: index.places, builtAt: index.builtAt, updatedAt: index.updatedAt };
}

/**
 * Yields the lines of the export, one page at a time. Counts them in `exported`.
 * @throws {CommandError} when places are missing although the index was not written to.
 */
export async function* exportLines(
  admin: IndexAdmin,
  role: IndexRole,
  exported: Exported,
  { format = "native", complete = false, ...filter }: ExportFilter & Partial<ExportForm> = {},
): AsyncGenerator<string> {
  const isWanted = createExportFilter(filter);
  async function* readWanted(): AsyncGenerator<PlaceDocument[]> {
    for await (const places of admin.streamPlaces(role)) {
      const wanted = places.filter(isWanted);
      yield wanted;
      exported.places += places.length;
      exported.written += wanted.length;
    }
  }
  yield* writePlaces(readWanted(), { format, complete });
  const { updatedAt } = (await admin.readIndex(role)) ?? {};
  if (exported.places === exported.total || updatedAt !== exported.updatedAt) return;
  throw new CommandError(
    `The engine returned ${exported.places} of ${exported.total} places. Check its log, then export again.`,
  );
}
