import { toNativeDraft } from "./native-place.ts";
import type { Input } from "../input.ts";
import { readLines } from "../lines.ts";
import type { TOP_LIST } from "../json.ts";
import { readJsonLines } from "../json-lines.ts";
import { createListReader, toItem } from "../readers.ts";
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
    yield { ...toItem(draft, position), record: line.text };
  }
}

/** Creates a reader of native records in one JSON list: `[…]`, or `{"<field>": […]}`. */
export const createNativeListReader = (field: string | typeof TOP_LIST): ReadSource =>
  createListReader(
    ({ note }) =>
      (value, position) =>
        toItem(toNativeDraft(value, note), position),
    field,
  );
