import { ImportError } from "../import-error.ts";
import { isRejection, type NoteField, type PlaceDraft, type Rejection } from "../place-draft.ts";
import { toGoogleDraft } from "./google/google-draft.ts";
import { toGosomRecord } from "./google/gosom-record.ts";
import type { Input } from "./input.ts";
import { readJsonList, TOP_LIST } from "./json-list.ts";
import { readLines } from "./native/lines.ts";
import { asObject } from "./native/members.ts";
import type { Position, SourceContext, SourceItem } from "./source.ts";

/** The JSON list that gosom/google-maps-scraper writes. */
export async function* readGosomList(input: Input, { note }: SourceContext): AsyncGenerator<SourceItem> {
  let number = 0;
  for await (const record of readJsonList(input, TOP_LIST)) {
    number += 1;
    yield toItem(record, { file: input.name, part: "element", number }, note);
  }
}

/** The same with one record a line. A bad line is rejected and the next one read. */
export async function* readGosomLines(input: Input, { note }: SourceContext): AsyncGenerator<SourceItem> {
  for await (const line of readLines(input.chunks())) {
    const position = { file: input.name, part: "line", number: line.number } as const;
    if ("problem" in line) yield { position, rejected: { field: "line", reason: line.problem } };
    else if (line.text.trim() !== "") {
      const record = parseJson(line.text);
      if (record === undefined && !line.isComplete)
        throw new ImportError(`${input.name} breaks off in line ${line.number}: is it complete?`);
      yield record === undefined
        ? { position, record: line.text, rejected: { field: "line", reason: "not JSON", value: line.text } }
        : toItem(record, position, note);
    }
  }
}

/** `undefined` for what is no JSON; the literal `null` stays itself. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function toItem(record: unknown, position: Position, note: NoteField): SourceItem {
  const draft = toGosomDraft(record, note);
  return isRejection(draft) ? { position, record, rejected: draft } : { position, record, draft };
}

/** One record of gosom/google-maps-scraper as a draft, or why it cannot be one. */
export function toGosomDraft(record: unknown, note: NoteField): PlaceDraft | Rejection {
  const values = asObject(record);
  if (!values) return { field: "record", reason: "not a JSON object" };
  return toGoogleDraft(toGosomRecord({ values, path: "", note }), note);
}
