import { hash } from "node:crypto";
import type { Readable } from "node:stream";
import { ImportError } from "../import-error.ts";
import { detectFormat, detectFormatOf } from "./detect-format.ts";
import { findFiles, type FoundFile } from "./find-files.ts";
import type { Format } from "./format.ts";
import { FORMATS } from "./formats.ts";
import { buildHead, type Head } from "./head.ts";
import { openInput, type Input } from "./input.ts";
import { keepInside, type SourceFilter } from "./source-filter.ts";
import type { ReadSource } from "./source.ts";

/** An input and the reader of its format. */
export interface Source {
  readonly input: Input;
  /** The format's name, for reports. */
  readonly format: string;
  readonly read: ReadSource;
  /** Hash of its beginning, by which it is known again. */
  readonly headHash?: string;
}

interface OpenOptions {
  /** One of FORMAT_OPTIONS; by default the beginnings of the files tell. */
  readonly format?: string | undefined;
  /** What is wanted of the sources; by default all. */
  readonly filter?: SourceFilter | undefined;
  readonly signal: AbortSignal;
  readonly stdin: Readable;
  /** Hears once of the files in directories that are left out since they are of no known format. */
  readonly onIgnored?: (paths: readonly string[]) => void;
}

/**
 * Opens every input and finds out what it is, before anything else is begun. A path may be a file, a glob, a directory, which
 * stands for all files in it that are of a known format, or `-` for the standard input.
 * @throws {ImportError} for a file that cannot be read or is of no known format, and for a glob or directory without any.
 */
export async function openSources(paths: readonly string[], options: OpenOptions): Promise<Source[]> {
  const sources: Source[] = [];
  const ignored: string[] = [];
  try {
    for (const file of await findFiles(paths)) {
      const source = await openSource(file, options);
      if (typeof source !== "string") sources.push(source);
      else if (file.isNamed) throw new ImportError(source);
      else ignored.push(file.path);
    }
    if (ignored.length > 0) options.onIgnored?.(ignored);
    if (sources.length === 0)
      throw new ImportError(`No file to read: none in ${paths.join(", ")} is of a known format.`);
    return sources;
  } catch (error) {
    closeSources(sources);
    throw error;
  }
}

/** Lets go of the files. */
export function closeSources(sources: readonly Source[]): void {
  for (const { input } of sources) input.close();
}

/**
 * One file and its reader, or what keeps it from being read: it is empty, or of no format that is known or asked for.
 * @throws {ImportError} when it cannot be read at all.
 */
async function openSource({ path, isNamed }: FoundFile, options: OpenOptions): Promise<Source | string> {
  const { input, head } = await openInput(path, options.signal, options.stdin);
  const format = chooseFormat(input, head, { option: options.format, isNamed });
  const { filter = {} } = options;
  if (typeof format !== "string" && (filter.where === undefined || format.takesWhere))
    return {
      input,
      format: format.name,
      read: withFilter(format.read, filter),
      headHash: hash("sha256", head),
    };
  input.close();
  return typeof format === "string"
    ? format
    : `--where is for Parquet; ${path} is ${format.name}, where --bbox can be used.`;
}

/** The reader leaves out what it can before it reads it, the rest is left out here. */
function withFilter(read: ReadSource, filter: SourceFilter): ReadSource {
  const { bbox } = filter;
  const readFiltered: ReadSource = (input, context) => read(input, { ...context, filter });
  return bbox ? (input, context) => keepInside(readFiltered(input, context), bbox) : readFiltered;
}

interface Asked {
  readonly option: string | undefined;
  readonly isNamed: boolean;
}

function chooseFormat({ name, path }: Input, bytes: Buffer, asked: Asked): Format | string {
  if (bytes.length === 0) return `${name} is empty.`;
  const { option } = asked;
  const head = buildHead(bytes);
  const format = option === undefined ? detectFormat(head) : detectFormatOf(option, head, asked.isNamed);
  if (!format) return `${name} is of no format that is known here. ${describeUnknown(head, option)}`;
  if (option !== undefined && format.option !== option)
    return `${name} looks like ${format.name}, not like ${option}: leave out --format.`;
  if (format.needsPath && path === undefined)
    return `${name} is ${format.name}, which is read from a plain file only: save it, unpacked, as a file.`;
  const problem = format.problemOf?.(head);
  return problem === undefined ? format : `${name} ${problem}`;
}

/** What it seems to be, and the formats of the option, or all. */
function describeUnknown({ bytes, columns }: Head, option: string | undefined): string {
  if (UTF_16_MARKS.some((mark) => bytes.subarray(0, mark.length).equals(mark)))
    return "It is in UTF-16: save it as UTF-8.";
  const columnNames = columns.length === 0 ? "" : `Its first line has the columns ${columns.join(", ")}. `;
  const formats = FORMATS.filter((format) => option === undefined || format.option === option);
  return `${columnNames}Supported are:${formats.map(({ description }) => `\n  ${description}`).join("")}`;
}

/** What a text begins with that a spreadsheet saved as "Unicode". */
const UTF_16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];
