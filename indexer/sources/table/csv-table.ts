import { CommandError } from "../../../src/cli/errors.ts";
import { isRejection } from "../../clean/place-draft.ts";
import { readCsv } from "../csv.ts";
import type { Input } from "../input.ts";
import type { SourceContext, SourceItem } from "../source.ts";
import { problemOfHeader, readHeader, type Header } from "./columns.ts";
import { toRowDraft } from "./row-draft.ts";

/**
 * Reads places from a CSV as people have it: one place a row, the columns in any order, under the names of
 * `headers.json`. Rows without any cell are passed over.
 * @throws {CommandError} for a header without a name and a position.
 */
export async function* readTableCsv(input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  let header: Header | undefined;
  const checkColumns = (columns: readonly string[]): void => {
    header = checkedHeader(input.name, columns, context);
  };
  for await (const row of readCsv(input, checkColumns)) {
    const { number, text: record } = row;
    const position = { file: input.name, part: "line", number } as const;
    if ("values" in row && Object.values(row.values).every((cell) => cell.trim() === "")) continue;
    const draft = "values" in row ? toRowDraft(row.values, header!, context) : row.rejected;
    yield isRejection(draft) ? { position, record, rejected: draft } : { position, record, draft };
  }
}

/** @throws {CommandError} that says what the header lacks. */
function checkedHeader(file: string, columns: readonly string[], { adjust }: SourceContext): Header {
  const header = readHeader(columns, adjust);
  const problem = problemOfHeader(header, adjust);
  if (problem !== undefined) throw new CommandError(`${file} ${problem}`);
  return header;
}
