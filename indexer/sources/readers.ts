import { CommandError } from "../../src/cli/errors.ts";
import { isRejection, type PlaceDraft, type Rejection } from "../clean/place-draft.ts";
import { readCsv } from "./csv.ts";
import type { Input } from "./input.ts";
import { readJsonLines, type JsonLine } from "./json-lines.ts";
import { readJsonList, TOP_LIST } from "./json.ts";
import { readLines } from "./lines.ts";
import type { Position, ReadSource, SourceContext, SourceItem } from "./source.ts";

/** Creates the function that converts the records of one input. */
export type CreateMapper<T = unknown> = (
  context: SourceContext,
) => (value: T, position: Position) => SourceItem;

/** The item of a record: its draft, or why it has none. */
export const toItem = (draft: PlaceDraft | Rejection, position: Position): SourceItem =>
  isRejection(draft) ? { position, rejected: draft } : { position, draft };

/** The places of a value that may be a whole response, which are then counted instead of the values. */
type PlacesIn = (value: unknown) => unknown[];

/** Creates a reader of the elements of a JSON list: `[…]`, or `{"<field>": […]}`. */
export const createListReader = (
  createMapper: CreateMapper,
  field: string | typeof TOP_LIST = TOP_LIST,
  placesIn: PlacesIn = (value) => [value],
): ReadSource =>
  async function* readList(input, context) {
    const map = createMapper(context);
    let number = 0;
    for await (const value of readJsonList(input, field)) {
      for (const record of placesIn(value)) {
        number += 1;
        yield { ...map(record, { file: input.name, part: "element", number }), record };
      }
    }
  };

/** Creates a reader of JSON values one after the other. A bad one is rejected and skipped. */
export const createValuesReader = (
  createMapper: CreateMapper,
  placesIn?: PlacesIn,
  readValues: typeof readPlainValues = readPlainValues,
): ReadSource =>
  async function* readAll(input, context) {
    const map = createMapper(context);
    let number = 0;
    for await (const { line, position } of readValues(input)) {
      const next = (): Position =>
        placesIn ? { file: input.name, part: "element", number: (number += 1) } : position;
      if ("rejected" in line) yield { position: next(), record: line.text, rejected: line.rejected };
      else
        for (const record of placesIn?.(line.value) ?? [line.value]) yield { ...map(record, next()), record };
    }
  };

/**
 * Creates a reader of GeoJSON features one after the other: one a line, each over several lines, or as a text sequence
 * (RFC 8142), whose records begin with a record separator.
 */
export const createFeaturesReader = (createMapper: CreateMapper): ReadSource =>
  createValuesReader(createMapper, undefined, readFeatures);

/** A value of a file, or why it has none. */
interface ReadValue {
  readonly line: JsonLine;
  readonly position: Position;
}

async function* readPlainValues(input: Input): AsyncGenerator<ReadValue> {
  for await (const line of readJsonLines(readLines(input.chunks()), input.name))
    yield { line, position: { file: input.name, part: "line", number: line.number } };
}

const RECORD_SEPARATOR = 0x1e;
const LINE_FEED = 0x0a;
const SPACE = 0x20;

/**
 * Reads GeoJSON features, of lines or of a text sequence, as its first byte shows. A sequence is converted to lines: line ends
 * within a record become white space, and each separator ends the record before it. The last record is complete when a line end
 * follows it.
 * @throws {CommandError} for an incomplete record at the end.
 */
export async function* readFeatures(input: Input): AsyncGenerator<ReadValue> {
  let isSequence: boolean | undefined;
  async function* toLines(): AsyncGenerator<Buffer> {
    let lastByte: number | undefined;
    for await (const chunk of input.chunks()) {
      isSequence ??= chunk[0] === RECORD_SEPARATOR;
      lastByte = chunk.at(-1);
      yield isSequence ? Buffer.from(chunk.map(toLineByte)) : chunk;
    }
    if (isSequence && lastByte === LINE_FEED) yield Buffer.of(LINE_FEED);
  }
  for await (const line of readJsonLines(readLines(toLines()), input.name)) {
    // Does not count the empty record before the first separator.
    const [part, number] = isSequence
      ? (["element", line.number - 1] as const)
      : (["line", line.number] as const);
    yield { line, position: { file: input.name, part, number } };
  }
}

const toLineByte = (byte: number): number =>
  byte === LINE_FEED ? SPACE : byte === RECORD_SEPARATOR ? LINE_FEED : byte;

/** Creates a reader of a CSV. `problemOf` says what is wrong with its header. */
export const createCsvReader = (
  createMapper: CreateMapper<Readonly<Record<string, string>>>,
  problemOf: (columns: readonly string[]) => string | undefined,
): ReadSource =>
  async function* readRows(input, context) {
    const map = createMapper(context);
    const checkColumns = (columns: readonly string[]): void => {
      const problem = problemOf(columns);
      if (problem !== undefined) throw new CommandError(`${input.name} ${problem}`);
    };
    for await (const { number, text: record, ...row } of readCsv(input, checkColumns)) {
      const position = { file: input.name, part: "line", number } as const;
      if ("rejected" in row) yield { position, record, rejected: row.rejected };
      else yield { ...map(row.values, position), record };
    }
  };
