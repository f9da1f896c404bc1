import { Argument, InvalidArgumentError, Option, type Command } from "commander";
import { wholeNumber } from "../../src/cli/options.ts";
import { DEFAULT_WORKERS } from "../clean/cleaning-threads.ts";
import { ENCODINGS, type Encoding } from "../sources/encoding.ts";
import { FORMAT_OPTIONS } from "../sources/formats.ts";
import { parseBoundingBox, type Adjustments, type BoundingBox } from "../sources/source.ts";
import { COLUMNS } from "../sources/table/columns.ts";
import { parseKind } from "../sources/table/kind-cell.ts";

/** What the options say about files that do not say it themselves. */
export interface TableOptions {
  /** The headers of a table by the names of our columns. */
  readonly map?: ReadonlyMap<string, string> | undefined;
  /** The headers of a table that identify a row. */
  readonly id?: readonly string[] | undefined;
  /** A code, or words for a kind. */
  readonly type?: string | undefined;
  readonly swap: boolean;
  readonly encoding?: Encoding | undefined;
  /** Estimates the points of places that have only an address. */
  readonly geocode?: boolean | undefined;
}

/** Options of commands that read places: which files, and how many errors are allowed. */
export interface SourceOptions extends TableOptions {
  readonly format?: string | undefined;
  readonly bbox?: BoundingBox | undefined;
  /** A condition in SQL, for Parquet. */
  readonly where?: string | undefined;
  readonly namedOnly: boolean;
  /** GeoJSON files of areas. */
  readonly areas?: readonly string[] | undefined;
  readonly maxRejects: number;
  /** The file for all rejected records. */
  readonly rejects?: string | undefined;
  readonly quiet: boolean;
  /** How many threads clean records. */
  readonly workers: number;
}

/** Most real files have one wrong record in a hundred. More means that a file, or a reader, is broken. */
export const DEFAULT_MAX_REJECTS_PERCENT = 1;

/** Each holds the tables of the cleaning in memory. */
const MAX_WORKERS = 32;

/** Adds the files and the options about them. */
export function addSourceOptions(command: Command): Command {
  return addTableOptions(command)
    .addArgument(
      new Argument(
        "<file...>",
        "files, directories, globs, https:// and s3:// addresses, - for standard input; plain, gzip or zstd",
      ).argParser(collectFiles),
    )
    .addOption(buildFormatOption())
    .addOption(
      new Option(
        "--bbox <west,south,east,north>",
        "skip places outside this box, in degrees (write --bbox=-9.5,… if it starts with a minus)",
      ).argParser(parseBox),
    )
    .option(
      "--where <condition>",
      "read only these rows of Parquet files: a DuckDB SQL condition on their columns (confidence > 0.8)",
    )
    .option(
      "--named-only",
      "skip places without a name; by default toilets, car parks and the like are kept",
      false,
    )
    .addOption(
      new Option(
        "--max-rejects <percent>",
        "fail when more records than this are rejected; up to 10 always pass, except with 0",
      )
        .default(DEFAULT_MAX_REJECTS_PERCENT)
        .argParser(parsePercent),
    )
    .addOption(buildAreasOption())
    .option("--rejects <path>", "write every rejected record to this file, one JSON line each")
    .addOption(
      new Option("--workers <count>", "threads that clean records; 1 is the reading thread itself")
        .default(DEFAULT_WORKERS)
        .argParser(wholeNumber(1, MAX_WORKERS)),
    )
    .addOption(buildQuietOption());
}

/** Adds the options for what files do not say themselves. */
export const addTableOptions = (command: Command): Command =>
  command
    .addOption(buildMapOption())
    .addOption(
      new Option(
        "--id <header>",
        "the column that identifies a row (repeatable: several together)",
      ).argParser(collect),
    )
    .option(
      "--type <kind>",
      'kind of the places whose record and name give none, such as COFFEE or "quán cà phê"',
    )
    .option("--swap", "latitude and longitude are in each other's place", false)
    .option(
      "--geocode",
      "estimate missing coordinates from addresses; each is marked and reported (docs/data-format.md#places-without-coordinates)",
      false,
    )
    .addOption(
      new Option("--encoding <encoding>", "encoding of the files; detected by default").choices(ENCODINGS),
    );

/** What the options say about files that do not say it themselves. Its type throws a `CommandError` for a kind that does not exist. */
export const toAdjustments = ({ map, id, type, swap, encoding }: TableOptions): Adjustments => ({
  map,
  id,
  ...(type !== undefined && { type: () => parseKind(type) }),
  swap,
  encoding,
});

/** `--map`, for commands that read tables. */
export const buildMapOption = (): Option =>
  new Option(
    "--map <column=header>",
    "read a column under another header, such as title=shop_name (repeatable; docs/data-format.md)",
  ).argParser(collectMapping);

function collectMapping(
  text: string,
  before: ReadonlyMap<string, string> | undefined,
): ReadonlyMap<string, string> {
  const [, name = "", header = ""] = /^([\w.]+)=(.+)$/u.exec(text) ?? [];
  const column = COLUMNS.find((one) => one.column === name || one.field === name);
  if (column) return new Map([...(before ?? []), [column.column, header]]);
  const columns = COLUMNS.map((one) => one.column).join(", ");
  throw new InvalidArgumentError(
    `Write our column, "=" and the header of the file. Our columns: ${columns}.`,
  );
}

/** `--format`, for commands that read places. */
export const buildFormatOption = (): Option =>
  new Option("-f, --format <format>", "format of the files; detected from the content by default").choices(
    FORMAT_OPTIONS,
  );

/** Collects the file arguments of a command. Standard input may be among them once. */
export function collectFiles(file: string, files: string[] | undefined): string[] {
  if (file === "-" && files?.includes("-"))
    throw new InvalidArgumentError("Standard input can be read only once.");
  return [...(files ?? []), file];
}

function parseBox(text: string): BoundingBox {
  const box = parseBoundingBox(text);
  if (box) return box;
  throw new InvalidArgumentError("It must be four numbers of degrees, such as 105.7,20.9,106.0,21.1.");
}

/** @throws {InvalidArgumentError} for anything but a number from 0 to 100. */
export function parsePercent(text: string): number {
  const percent = /^\d{1,3}(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (percent >= 0 && percent <= 100) return percent;
  throw new InvalidArgumentError("It must be a number from 0 to 100.");
}

/** The help text about files for these commands. */
export const SOURCE_HELP = `
Format and compression are detected from the content. In a directory all files of known formats are
read, ordered by name. https://… and s3://bucket/key are downloaded first (docs/indexing.md).

A wrong record is rejected and reported with its line; --rejects writes every one with its reason and
its text. OpenStreetMap elements without coordinates are skipped; they are not errors. So are places
without a name, except toilets, car parks, parks and others that people look for by their kind. The
reading stops as soon as more records are rejected than --max-rejects can allow, except with
--rejects, which lists all of them.`;

/** `--areas`, for every command that reads places. */
export const buildAreasOption = (): Option =>
  new Option(
    "--areas <file>",
    "assign the areas of this GeoJSON file to places by their coordinates (repeatable; docs/areas-and-words.md)",
  ).argParser(collect);

/** Adds what a data team brings of its own to an import and its dry run. */
export const addVocabularyOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--vocabulary <file>",
        "add the words of this CSV file to those that searches understand (repeatable; docs/areas-and-words.md)",
      ).argParser(collect),
    )
    .addOption(
      new Option(
        "--kinds <file>",
        "add the kinds of this CSV file to the project's (repeatable; docs/areas-and-words.md#kinds-of-your-own)",
      ).argParser(collect),
    )
    .addOption(
      new Option(
        "--fields <file>",
        "filter by and search the custom fields that this CSV file declares (repeatable; docs/data-format.md#fields-of-your-own)",
      ).argParser(collect),
    );

/** Collects the values of an option that may be repeated. */
const collect = (value: string, before: readonly string[] | undefined): string[] => [
  ...(before ?? []),
  value,
];

/** `--quiet`, for every command that tells how it is getting on. */
export const buildQuietOption = (): Option =>
  new Option("-q, --quiet", "print only warnings and errors").default(false);

/** `--if-changed`, for the commands that keep with the index what it was made from. */
export const buildIfChangedOption = (): Option =>
  new Option(
    "--if-changed",
    "do nothing if files and options are those that the live index was made from",
  ).default(false);

/** `--no-lease`, for every command that writes. */
export const buildLeaseOption = (): Option =>
  new Option("--no-lease", "write without Redis; only if no other process writes to this engine");

/** `--no-merge`, for every command that reads several sources. */
export const buildMergeOption = (): Option =>
  new Option("--no-merge", "keep records of several sources apart, even if they are the same place");
