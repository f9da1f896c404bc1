import { CommandError } from "../../src/cli/errors.ts";
import type { Rejection } from "../clean/place-draft.ts";
import { describeJsonError } from "./json.ts";
import type { Line } from "./lines.ts";

/** One record of a file of JSON: its value, or why it has none. `number` is the line on which it begins. */
export type JsonLine = { readonly number: number; readonly text: string } & (
  | { readonly value: unknown }
  | { readonly rejected: Rejection }
);

/** A response with twenty places and their reviews has some megabytes. A longer record is something else. */
const MAX_RECORD_LENGTH = 32 * 1024 * 1024;

/**
 * Reads JSON values one after the other: one a line, or each over several lines, as `jq .` writes them. A bad
 * record is rejected and skipped: a line that begins with `{` begins the next one.
 * @throws {CommandError} for an incomplete record at the end, since a truncated file would silently lose
 *   places.
 */
export async function* readJsonLines(lines: AsyncIterable<Line>, file: string): AsyncGenerator<JsonLine> {
  let open: OpenRecord | undefined;
  for await (const line of lines) {
    if (open && ("problem" in line || line.text.startsWith("{"))) {
      yield toRecord(open.number, open.texts.join("\n"));
      open = undefined;
    }
    if ("problem" in line) {
      const rejected = { field: "line", reason: line.problem, value: line.value };
      yield { number: line.number, text: line.raw, rejected };
    } else if (open || line.text.trim() !== "") {
      const read = open ? readOn(open, line) : readLine(line, file);
      yield* read.records;
      open = read.open;
      if (open && open.length > MAX_RECORD_LENGTH)
        throw new CommandError(`The record of ${file} that begins in line ${open.number} is too long.`);
    }
  }
  if (!open) return;
  if (open.texts.length > 1 && !open.isBroken)
    throw new CommandError(
      `${file} ends in the middle of the record that begins in line ${open.number}: is it complete?`,
    );
  yield toRecord(open.number, open.texts.join("\n"));
}

type TextLine = Extract<Line, { text: string }>;

/** A record that continues on the next line. */
interface OpenRecord {
  readonly number: number;
  readonly texts: string[];
  length: number;
  depth: number;
  /** It cannot be JSON any more, and ends where the next record begins. */
  isBroken?: true;
}

/** The records that end on a line, and the one that continues after it. */
interface ReadLine {
  readonly records: readonly JsonLine[];
  readonly open?: OpenRecord | undefined;
}

function readLine(line: TextLine, file: string): ReadLine {
  const { number, text } = line;
  const record = toRecord(number, text);
  if ("value" in record) return { records: [record] };
  const isStart = /^\s*[[{]/.test(text);
  const read = isStart ? readOn({ number, texts: [], length: 0, depth: 0 }, line) : undefined;
  if (read && !read.open && read.records.every((found) => "value" in found)) return read;
  if (!line.isComplete)
    throw new CommandError(`${file} ends in the middle of line ${number}: is it complete?`);
  return read?.open ? read : { records: [record] };
}

/** A text with its end, or a bracket. A line cannot end within a text. */
const TEXT_OR_BRACKET = /"[^"\\]*(?:\\.[^"\\]*)*("?)|[[\]{}]/g;

/** Adds a line to a record. Another one may begin where it ends: `}{`. */
function readOn(record: OpenRecord, { number, text, isComplete }: TextLine): ReadLine {
  const records: JsonLine[] = [];
  let open = record;
  let start = 0;
  for (const found of record.isBroken ? [] : text.matchAll(TEXT_OR_BRACKET)) {
    const [sign, quote] = found;
    if (quote === "") {
      // Without a line end the file is cut off here, and the record may be fine.
      if (isComplete) open.isBroken = true;
      break;
    }
    if (sign === "{" || sign === "[") open.depth += 1;
    else if (sign === "}" || sign === "]") open.depth -= 1;
    if (open.depth > 0 || quote !== undefined) continue;
    const end = found.index + 1;
    records.push(toRecord(open.number, toText(open, text.slice(start, end))));
    open = { number, texts: [], length: 0, depth: 0 };
    start = end;
  }
  const rest = text.slice(start);
  if (open.depth === 0 && !open.isBroken && rest.trim() === "") return { records };
  open.texts.push(rest);
  // With its line end, since lines may be empty.
  open.length += rest.length + 1;
  if (open.depth > 0) return { records, open };
  return { records: [...records, toRecord(open.number, rest)] };
}

const toText = ({ texts }: OpenRecord, last: string): string => [...texts, last].join("\n");

function toRecord(number: number, text: string): JsonLine {
  try {
    return { number, text, value: JSON.parse(text) as unknown };
  } catch (error) {
    const value = describeJsonError(error as SyntaxError, text);
    return { number, text, rejected: { field: "line", reason: "not JSON", value } };
  }
}
