import { ImportError } from "../import-error.ts";
import { isRejection, type NoteField, type PlaceDraft, type Rejection } from "../place-draft.ts";
import type { Input } from "./input.ts";
import { describeJsonError } from "./native/json-error.ts";
import { readLines, type Line } from "./native/lines.ts";
import { toNativeDraft } from "./native/native-place.ts";
import type { SourceContext, SourceItem } from "./source.ts";

/**
 * The native format, one JSON record a line (docs/data-format.md). A bad line is rejected and the next one read; only a
 * last line that breaks off ends the import, since a file that was cut short would drop places in silence.
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
    if (!line.isComplete) throw new ImportError(`${file} breaks off in line ${line.number}: is it complete?`);
    return { field: "line", reason: "not JSON", value: describeJsonError(error, line.text) };
  }
}
