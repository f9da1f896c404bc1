import { CommandError } from "../../../src/cli/errors.ts";
import { isRejection, type NoteField, type PlaceDraft, type Rejection } from "../../clean/place-draft.ts";
import { toNativeDraft } from "./native-place.ts";
import type { Input } from "../input.ts";
import { readLines, type Line } from "../lines.ts";
import { describeJsonError, readJsonList, TOP_LIST } from "../json.ts";
import type { SourceContext, SourceItem, ReadSource } from "../source.ts";

/**
 * Reads the native format, one JSON record a line (docs/data-format.md). A bad line is rejected and skipped.
 * Only an incomplete last line ends the import, since a truncated file would silently lose places.
 */
export async function* readNative(input: Input, { note }: SourceContext): AsyncGenerator<SourceItem> {
  for await (const line of readLines(input.chunks())) {
    if ("text" in line && line.text.trim() === "") continue;
    const position = { file: input.name, part: "line", number: line.number } as const;
    const record = "text" in line ? line.text : line.raw;
    const draft = toDraft(line, note, input.name);
    yield isRejection(draft) ? { position, record, rejected: draft } : { position, record, draft };
  }
}

function toDraft(line: Line, note: NoteField, file: string): PlaceDraft | Rejection {
  if ("problem" in line) return { field: "line", reason: line.problem, value: line.value };
  try {
    return toNativeDraft(JSON.parse(line.text), note);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (!line.isComplete)
      throw new CommandError(`${file} ends in the middle of line ${line.number}: is it complete?`);
    return { field: "line", reason: "not JSON", value: describeJsonError(error, line.text) };
  }
}

/** Creates a reader of native records in one JSON list: `[…]`, or `{"<field>": […]}`. */
export function createNativeListReader(field: string | typeof TOP_LIST): ReadSource {
  return async function* readNativeList(input, { note }) {
    let number = 0;
    for await (const record of readJsonList(input, field)) {
      number += 1;
      const position = { file: input.name, part: "element", number } as const;
      const draft = toNativeDraft(record, note);
      yield isRejection(draft) ? { position, record, rejected: draft } : { position, record, draft };
    }
  };
}
