import { Argument, InvalidArgumentError, Option, type Command } from "commander";
import { FORMAT_OPTIONS } from "../sources/formats.ts";
import { parseBoundingBox, type BoundingBox } from "../sources/source.ts";
import type { Source } from "../sources/open-sources.ts";
import { formatCount } from "./format.ts";

/** What commands that read places are asked for: which files, and how much may be wrong with them. */
export interface SourceOptions {
  readonly format?: string | undefined;
  readonly bbox?: BoundingBox | undefined;
  /** A condition in SQL, for Parquet. */
  readonly where?: string | undefined;
  readonly maxRejects: number;
  /** Where all rejected records are written to. */
  readonly rejects?: string | undefined;
}

/** One wrong record in a hundred is the state of most real files; more means a file, or a reader, that went wrong. */
export const DEFAULT_MAX_REJECTS_PERCENT = 1;

/** Adds the files and the options about them. */
export function addSourceOptions(command: Command): Command {
  return command
    .addArgument(
      new Argument(
        "<file...>",
        "files, directories and globs to read, - for the standard input; plain, gzip or zstd",
      ).argParser(collectFiles),
    )
    .addOption(
      new Option("-f, --format <format>", "what the files are; by default their beginnings tell").choices(
        FORMAT_OPTIONS,
      ),
    )
    .addOption(
      new Option(
        "--bbox <west,south,east,north>",
        "leave out what lies outside, in degrees (--bbox=-9.5,… where it begins with a minus)",
      ).argParser(parseBox),
    )
    .option(
      "--where <condition>",
      "of Parquet files read only these rows: DuckDB's SQL over their columns (confidence > 0.8)",
    )
    .addOption(
      new Option(
        "--max-rejects <percent>",
        "give up when more records than this are wrong; up to 10 always pass, unless it is 0",
      )
        .default(DEFAULT_MAX_REJECTS_PERCENT)
        .argParser(parsePercent),
    )
    .option("--rejects <path>", "write every rejected record there, one JSON line each");
}

/** Gathers the file arguments of a command; the standard input may be among them once. */
export function collectFiles(file: string, files: string[] | undefined): string[] {
  if (file === "-" && files?.includes("-"))
    throw new InvalidArgumentError("The standard input can be read once only.");
  return [...(files ?? []), file];
}

function parseBox(text: string): BoundingBox {
  const box = parseBoundingBox(text);
  if (box) return box;
  throw new InvalidArgumentError("It must be four numbers of degrees, such as 105.7,20.9,106.0,21.1.");
}

/** @throws {InvalidArgumentError} for what is no number from 0 to 100. */
export function parsePercent(text: string): number {
  const percent = /^\d{1,3}(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (percent >= 0 && percent <= 100) return percent;
  throw new InvalidArgumentError("It must be a number from 0 to 100.");
}

/** What the help of such a command says about files. */
export const SOURCE_HELP = `
A file is known by what it begins with, never by its name, also when it is packed. Of a directory
all files of known formats are read, in the order of their names.

A record that is wrong is rejected and told in the report, with its line; --rejects lists every one
of them with its reason and its text. Elements of OpenStreetMap without a name or coordinates are
skipped; they are no mistake. As soon as it is certain that more is wrong than --max-rejects allows
the reading ends, except with --rejects, which wants to see all.`;

/** `--no-lease`, which every command has that writes. */
export const buildLeaseOption = (): Option =>
  new Option("--no-lease", "write without Redis; only when you know that nobody else does");

/** For somebody who wants the records of several sources as they are. */
export const buildMergeOption = (): Option =>
  new Option("--no-merge", "leave places that several sources have as they are, each on its own");

/** Enough to see whether the right ones are among them. */
const MAX_NAMES = 5;

/** What is about to be read, line by line while these are few. */
export function describeSources(sources: readonly Source[]): string {
  const lines = sources
    .slice(0, MAX_NAMES)
    .map(({ input, format }) => `Reading ${input.name} (${format}).\n`);
  const more = sources.length - MAX_NAMES;
  return lines.join("") + (more > 0 ? `Reading ${formatCount(more)} more files.\n` : "");
}

/** The files of directories that are left out. */
export function describeIgnored(paths: readonly string[]): string {
  const named = paths.slice(0, MAX_NAMES).join(", ");
  const more = paths.length > MAX_NAMES ? ` and ${paths.length - MAX_NAMES} more` : "";
  return `Left out, since they are of no known format: ${named}${more}.\n`;
}
