import { isRejection } from "../../clean/place-draft.ts";
import { toNativeDraft } from "./native-place.ts";
import type { Input } from "../input.ts";
import { readLines } from "../lines.ts";
import { readJsonList, TOP_LIST } from "../json.ts";
import { readJsonLines } from "../json-lines.ts";
import type { SourceContext, SourceItem, ReadSource } from "../source.ts";

/**
 * Reads the native format, one JSON record a line (docs/data-format.md) or after the other. A bad record is
 * rejected and skipped. Only an incomplete last one ends the import, since a truncated file would silently
 * lose places.
 */
export async function* readNative(input: Input, { note }: SourceContext): AsyncGenerator<SourceItem> {
  for await (const line of readJsonLines(readLines(input.chunks()), input.name)) {
    const position = { file: input.name, part: "line", number: line.number } as const;
    const draft = "rejected" in line ? line.rejected : toNativeDraft(line.value, note);
    const record = line.text;
    yield isRejection(draft) ? { position, record, rejected: draft } : { position, record, draft };
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
