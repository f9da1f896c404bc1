import { ImportError } from "../import-error.ts";
import { isRejection, type NoteField, type PlaceDraft, type Rejection } from "../place-draft.ts";
import { toGoogleDraft } from "./google/google-draft.ts";
import { problemOfGosomHeader, readGosomCells } from "./google/gosom-cells.ts";
import { toGosomRecord } from "./google/gosom-record.ts";
import type { Input } from "./input.ts";
import { readCsv } from "./csv.ts";
import { readJsonList, TOP_LIST } from "./json-list.ts";
import { readJsonLines } from "./json-lines.ts";
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
  for await (const line of readJsonLines(readLines(input.chunks()), input.name)) {
    const position = { file: input.name, part: "line", number: line.number } as const;
    if ("rejected" in line) yield { position, record: line.text, rejected: line.rejected };
    else yield toItem(line.value, position, note);
  }
}

/** The CSV, whose nested columns hold JSON. */
export async function* readGosomCsv(input: Input, { note }: SourceContext): AsyncGenerator<SourceItem> {
  const checkColumns = (columns: readonly string[]): void => {
    const problem = problemOfGosomHeader(columns);
    if (problem !== undefined) throw new ImportError(`${input.name} ${problem}`);
  };
  for await (const row of readCsv(input, checkColumns)) {
    const position = { file: input.name, part: "line", number: row.number } as const;
    const item =
      "values" in row
        ? toItem(readGosomCells(row.values, note), position, note)
        : { position, rejected: row.rejected };
    yield { ...item, record: row.text };
  }
}

function toItem(record: unknown, position: Position, note: NoteField): SourceItem {
  const draft = toGosomDraft(record, note);
  return isRejection(draft) ? { position, record, rejected: draft } : { position, record, draft };
}

function toGosomDraft(record: unknown, note: NoteField): PlaceDraft | Rejection {
  const values = asObject(record);
  if (!values) return { field: "record", reason: "not a JSON object" };
  return toGoogleDraft(toGosomRecord({ values, path: "", note }), note);
}
