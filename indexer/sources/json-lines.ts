import { ImportError } from "../import-error.ts";
import type { Rejection } from "../place-draft.ts";
import { describeJsonError } from "./native/json-error.ts";
import type { Line } from "./native/lines.ts";

/** One line that is not empty: its JSON value, or why there is none. */
export type JsonLine = { readonly number: number; readonly text: string } & (
  | { readonly value: unknown }
  | { readonly rejected: Rejection }
);

/**
 * Reads each line as one JSON value.
 * @throws {ImportError} for a last line that breaks off, since a file that was cut short would drop places in silence.
 */
export async function* readJsonLines(lines: AsyncIterable<Line>, file: string): AsyncGenerator<JsonLine> {
  for await (const line of lines) {
    const { number } = line;
    if ("problem" in line) {
      const rejected = { field: "line", reason: line.problem, value: line.value };
      yield { number, text: line.raw, rejected };
    } else if (line.text.trim() !== "") yield { number, text: line.text, ...parseLine(line, file) };
  }
}

type TextLine = Extract<Line, { text: string }>;

function parseLine(line: TextLine, file: string): { value: unknown } | { rejected: Rejection } {
  try {
    return { value: JSON.parse(line.text) as unknown };
  } catch (error) {
    if (!line.isComplete) throw new ImportError(`${file} breaks off in line ${line.number}: is it complete?`);
    const value = describeJsonError(error as SyntaxError, line.text);
    return { rejected: { field: "line", reason: "not JSON", value } };
  }
}
