import { hash } from "node:crypto";
import type { Readable } from "node:stream";
import { CommandError } from "../../src/cli/errors.ts";
import { detectFormat, detectFormatOf, FORMATS, TABLE } from "./formats.ts";
import { decodeChunks, detectDecoding, encodingName, toUtf8 } from "./encoding.ts";
import {
  type Adjustments,
  type Format,
  keepInside,
  keepNamed,
  type SourceFilter,
  type ReadSource,
  swapCoordinates,
  withKind,
} from "./source.ts";
import { buildHead, type Head } from "./head.ts";
import { isNearlyPlaceHeader, quoted } from "./table/columns.ts";
import { headerOfText } from "./table/csv-table.ts";
import { openInput, type Input, type OpenedInput } from "./input.ts";
import type { Dirent } from "node:fs";
import { glob, readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

/** An input and the reader of its format. */
export interface Source {
  readonly input: Input;
  /** The format's name, for reports. */
  readonly format: string;
  readonly read: ReadSource;
  /** A hash of its beginning, which identifies it. */
  readonly headHash?: string;
}

interface OpenOptions {
  /** One of FORMAT_OPTIONS. By default, the format is detected. */
  readonly format?: string | undefined;
  /** Selects some of the places; by default all are read. */
  readonly filter?: SourceFilter | undefined;
  /** What the files do not say themselves. */
  readonly adjust?: Adjustments | undefined;
  readonly signal: AbortSignal;
  readonly stdin: Readable;
  /** The names of paths that are copies of something else. */
  readonly names?: ReadonlyMap<string, string> | undefined;
  /** Called once with the files in directories that are left out because their format is unknown. */
  readonly onIgnored?: (paths: readonly string[]) => void;
}

/**
 * Opens every input and detects its format, before anything else begins. A path may be a file, a glob, a
 * directory (all files in it with a known format), or `-` for the standard input.
 * @throws {CommandError} for a file that cannot be read or has an unknown format, and for a glob or directory
 *   without any files.
 */
export async function openSources(paths: readonly string[], options: OpenOptions): Promise<Source[]> {
  const sources: Source[] = [];
  const ignored: string[] = [];
  try {
    for (const file of await findFiles(paths)) {
      const source = await openSource(file, options);
      if (typeof source !== "string") sources.push(source);
      else if (file.isNamed) throw new CommandError(source);
      else ignored.push(file.path);
    }
    if (ignored.length > 0) options.onIgnored?.(ignored);
    if (sources.length === 0)
      throw new CommandError(`There is no file of a known format in ${paths.join(", ")}.`);
    return sources;
  } catch (error) {
    closeSources(sources);
    throw error;
  }
}

/**
 * Opens the files that are no JSON lines, which may be changes; the others are `undefined`, in the order of the paths.
 * @throws {CommandError} as `openSources` does.
 */
export async function openUnlessLines(
  paths: readonly string[],
  options: OpenOptions,
): Promise<{ readonly path: string; readonly source: Source | undefined }[]> {
  const opened = [];
  for (const file of await findFiles(paths)) {
    const isLines = file.path === "-" || (await isJsonLines(file, options));
    const sources = isLines ? [undefined] : await openSources([file.path], options);
    opened.push(...sources.map((source) => ({ path: file.path, source })));
  }
  return opened;
}

async function isJsonLines(
  { path }: FoundFile,
  { signal, stdin, format, names }: OpenOptions,
): Promise<boolean> {
  const { input, head } = await openInput(path, signal, stdin, names?.get(path));
  input.close();
  const { columns, ...rest } = buildHead(head);
  const detected = detectFormat({ columns, ...rest });
  return (
    format === undefined && columns.length === 0 && (detected === undefined || detected.name === "native")
  );
}

/** Closes the files. */
export function closeSources(sources: readonly Source[]): void {
  for (const { input } of sources) input.close();
}

/**
 * Opens one file with its reader, or says why it cannot be imported: it is empty, or its format is unknown or
 * not the requested one.
 * @throws {CommandError} when it cannot be read at all.
 */
async function openSource({ path, isNamed }: FoundFile, options: OpenOptions): Promise<Source | string> {
  const opened = await openInput(path, options.signal, options.stdin, options.names?.get(path));
  const { filter = {}, adjust = {} } = options;
  const { input, head, encoding } = asUtf8(opened, adjust);
  const format = await chooseFormat(input, head, { option: options.format, isNamed, filter, adjust });
  if (typeof format !== "string" && (filter.where === undefined || format.takesWhere))
    return {
      input,
      format: encoding === undefined ? format.name : `${format.name}, ${encoding}`,
      read: adjusted(format.read, filter, adjust),
      headHash: hash("sha256", head),
    };
  input.close();
  return typeof format === "string"
    ? format
    : `--where works only for Parquet; ${input.name} is ${format.name}. Use --bbox.`;
}

/** A text in an encoding of Vietnam is read as if it were UTF-8. Its name is in the report. */
export function asUtf8({ input, head }: OpenedInput, { encoding }: Adjustments) {
  if (head.includes(0) && !UTF_16_MARKS.some((mark) => head.subarray(0, mark.length).equals(mark)))
    return { input, head };
  const decoding = detectDecoding(head, encoding);
  if (decoding === "utf-8") return { input, head };
  return {
    input: {
      ...input,
      path: undefined,
      isDecoded: true as const,
      chunks: () => decodeChunks(input.chunks(), decoding),
    },
    head: toUtf8(head, decoding),
    encoding: encodingName(decoding),
  };
}

/**
 * Adds filter and adjustments to a reader. The reader itself skips what it can before parsing; the rest is
 * filtered here.
 */
function adjusted(read: ReadSource, filter: SourceFilter, adjust: Adjustments): ReadSource {
  const { bbox, namedOnly } = filter;
  const { swap, type } = adjust;
  return (input, context) => {
    const items = read(input, { ...context, filter, adjust });
    const turned = swap ? swapCoordinates(items) : items;
    const kinds = type === undefined ? turned : withKind(turned, type());
    const named = namedOnly ? keepNamed(kinds) : kinds;
    return bbox ? keepInside(named, bbox) : named;
  };
}

interface Asked {
  readonly option: string | undefined;
  readonly isNamed: boolean;
  readonly filter: SourceFilter;
  readonly adjust: Adjustments;
}

async function chooseFormat(input: Input, bytes: Buffer, asked: Asked): Promise<Format | string> {
  const { name, path } = input;
  if (bytes.length === 0) return `${name} is empty.`;
  const { option } = asked;
  const head = buildHead(bytes);
  const found = option === undefined ? detectFormat(head) : detectFormatOf(option, head, asked.isNamed);
  const format = found ?? (asked.isNamed && isNearlyTable(head, asked.adjust) ? TABLE : undefined);
  if (!format) return `${name} has an unknown format. ${describeUnknown(head, option)}`;
  if (option !== undefined && format.option !== option)
    return `${name} looks like ${format.name}, not like ${option}: omit --format.`;
  if (!asked.isNamed && format.isForeign?.(head)) return `${name} has no places.`;
  if (format.needsPath && path === undefined)
    return `${name} is ${format.name}, which can only be read from an uncompressed file: save it as one.`;
  const problem = format.problemOf?.(head, asked.adjust) ?? (await format.problemWithin?.(input, asked));
  return problem === undefined ? format : `${name} ${problem}`;
}

/** A table whose columns are not clear gets a message about them. */
function isNearlyTable({ text }: Head, adjust: Adjustments): boolean {
  const header = headerOfText(text, adjust);
  return header !== undefined && isNearlyPlaceHeader(header);
}

/** Describes what the file seems to be, and what to do; for a file of no table, lists the formats of the option, or all. */
function describeUnknown({ bytes, text, columns }: Head, option: string | undefined): string {
  const advice =
    ADVICE.find(({ magic }) => bytes.subarray(0, magic.length).equals(magic))?.advice ??
    TEXT_ADVICE.find(({ begins }) => begins.test(text))?.advice;
  if (advice !== undefined) return advice;
  const [first = ""] = columns.filter((column) => column !== "");
  if (first !== "" && option === undefined)
    return (
      `Its first line has the columns ${columns.join(", ")}. If it is a table of places, say which column is what: ` +
      `--map title=${quoted(first)} --map latitude=… --map longitude=… (docs/data-format.md#tables).`
    );
  const formats = FORMATS.filter((format) => option === undefined || format.option === option);
  return `Supported formats:${formats.map(({ description }) => `\n  ${description}`).join("")}`;
}

/** The first bytes of a text that a spreadsheet saved as "Unicode". */
const UTF_16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** How files begin that a person would like to be read, and what to do with them. */
const ADVICE = [
  {
    magic: Buffer.from("d0cf11e0", "hex"),
    advice: "It is an old Excel file (.xls): save it as .xlsx or CSV.",
  },
  {
    magic: Buffer.from("PK\u0003\u0004"),
    advice: "It is a packed file, but no Excel workbook (.xlsx): unpack it, or save it as .xlsx or CSV.",
  },
  { magic: Buffer.from("%PDF"), advice: "It is a PDF: ask for the table that it was made of." },
];

/** The same for texts. */
const TEXT_ADVICE = [
  {
    begins: /^\s*<[\s\S]{0,500}<kml\b/i,
    advice: "It is KML: save it as GeoJSON, with a program for maps or `ogr2ogr places.geojson places.kml`.",
  },
  {
    begins: /^\s*<(?:!doctype html|html|table|meta|div)\b/i,
    advice:
      "It is a web page, whatever its name says: open it in a spreadsheet program and save it as .xlsx or CSV.",
  },
];

/** A file to read. `isNamed` is true when the command line names it; a directory may contain other files. */
export interface FoundFile {
  readonly path: string;
  readonly isNamed: boolean;
}

/**
 * Finds the files for the paths of a command line, each once, in the given order. A path is a file, a glob
 * that the shell did not expand, or a directory, whose contents are sorted by name. `-` and paths that do not
 * exist are returned unchanged.
 * @throws {CommandError} for a glob without matches and for a directory that cannot be listed.
 */
export async function findFiles(paths: readonly string[]): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>();
  for (const path of paths) {
    for (const file of await findAt(path)) {
      const key = file.path === "-" ? "-" : resolve(file.path);
      if (!found.has(key) || file.isNamed) found.set(key, file);
    }
  }
  return [...found.values()];
}

async function findAt(path: string): Promise<FoundFile[]> {
  if (path === "-") return [{ path, isNamed: true }];
  const stats = await statOf(path);
  if (stats?.isDirectory()) return listFolder(path);
  // A file whose name looks like a glob is treated as a file.
  if (stats || !GLOB.test(path)) return [{ path, isNamed: true }];
  const matches = (await Array.fromAsync(glob(path))).toSorted();
  if (matches.length === 0) throw new CommandError(`${path} matches no file.`);
  return (await Promise.all(matches.map(findAt))).flat();
}

const GLOB = /[*?[{]/;

/** `undefined` for a path that does not exist or is not accessible. Opening it reports why. */
const statOf = (path: string): ReturnType<typeof stat> | Promise<undefined> =>
  stat(path).catch(() => undefined);

/** Follows links to files, but not to directories, since they may form a loop. */
async function listFolder(folder: string): Promise<FoundFile[]> {
  const files: string[] = [];
  for (const open = [folder]; open.length > 0;) {
    const parent = open.pop() ?? folder;
    for (const entry of await readFolder(parent)) {
      const path = join(parent, entry.name);
      if (entry.isDirectory()) open.push(path);
      else if ((await statOf(path))?.isFile()) files.push(path);
    }
  }
  return files.toSorted().map((path) => ({ path, isNamed: false }));
}

async function readFolder(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    throw new CommandError(`Cannot list ${folder}: ${(error as Error).message}.`, { cause: error });
  }
}
