import { CommandError } from "../../../src/cli/errors.ts";
import { readCsv, findCsvHeader, type ChooseHeader } from "../csv.ts";
import type { Input } from "../input.ts";
import { toItem } from "../readers.ts";
import type { SourceContext, SourceItem } from "../source.ts";
import {
  findHeader,
  isPlaceHeader,
  problemOfHeader,
  readHeader,
  type Header,
  type HeaderOptions,
} from "./columns.ts";
import { toRowDraft } from "./row-draft.ts";

/**
 * Reads places from a CSV as people have it: one place a row, the columns in any order, under the names of
 * `columns.json`, below titles (`findHeader`). Rows without any cell are passed over.
 * @throws {CommandError} for a header without a name and a position.
 */
export async function* readTableCsv(input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  let header: Header | undefined;
  const checkColumns = (columns: readonly string[]): void => {
    header = checkedHeader(input.name, columns, context);
  };
  const chooseHeader = chooserOf(context.adjust);
  for await (const row of readCsv(input, checkColumns, { chooseHeader })) {
    const { number, text: record } = row;
    const position = { file: input.name, part: "line", number } as const;
    if ("values" in row && Object.values(row.values).every((cell) => cell.trim() === "")) continue;
    const draft = "values" in row ? toRowDraft(row.values, header!, context) : row.rejected;
    yield { ...toItem(draft, position), record };
  }
}

/** More than a row has columns. */
const MAX_COLUMNS = 10_000;

/** Chooses the row that names the most columns of what is wanted; between equals, the widest. */
export function chooserOf(
  options: HeaderOptions | undefined,
  isWanted: (header: Header) => boolean = isPlaceHeader,
): ChooseHeader {
  return (rows) => {
    const { header, end } = findHeader(rows, options, isWanted);
    const known = header.columns.size + (isWanted(header) ? MAX_COLUMNS : 0);
    return { columns: header.all, end, rank: known * MAX_COLUMNS + header.all.length };
  };
}

/** The header of a text that may be a table; it may lack columns of a place. `undefined` when the text is no table. */
export function headerOfText(text: string, options?: HeaderOptions): Header | undefined {
  const found = findCsvHeader(text, chooserOf(options));
  return found && readHeader(found.columns, options);
}

/** @throws {CommandError} that says what the header lacks. */
function checkedHeader(file: string, columns: readonly string[], { adjust }: SourceContext): Header {
  const header = readHeader(columns, adjust);
  const problem = problemOfHeader(header, adjust);
  if (problem !== undefined) throw new CommandError(`${file} ${problem}`);
  return header;
}
