import { CommandError } from "../../src/cli/errors.ts";
import type { createPlaceSearch } from "../../src/search/search-places.ts";
import { MAX_MATCHED_RECORDS } from "../../src/place/request-defaults.ts";
import { quoteCell } from "../export/export-forms.ts";
import type { AskedRow, AskedTable, UnreadRow } from "./asked-rows.ts";

export interface MatchOptions {
  /** A place with less confidence, from 0 to 1, is no match. */
  readonly minConfidence: number;
  /** With a third column that says what speaks for the match and against it. */
  readonly reasons: boolean;
}

/** What became of the rows so far. */
export interface MatchTally {
  rows: number;
  matched: number;
  /** The likeliest place has too little confidence. */
  doubtful: number;
  /** No place is like it. */
  unknown: number;
  /** No cell says anything about a place. */
  empty: number;
  /** The rows that could not be read: the first of them. */
  readonly unread: UnreadRow[];
  unreadRows: number;
}

export const createMatchTally = (): MatchTally => ({
  rows: 0,
  matched: 0,
  doubtful: 0,
  unknown: 0,
  empty: 0,
  unread: [],
  unreadRows: 0,
});

/** Excel reads UTF-8 only after this mark. */
const BYTE_ORDER_MARK = "\uFEFF";

/** Yields the lines of a CSV with the cells of the table and the columns `data_id` and `confidence`. Counts the rows. */
export async function* matchRows(
  { columns, rows }: AskedTable,
  search: Pick<ReturnType<typeof createPlaceSearch>, "match">,
  { tally, ...options }: MatchOptions & { readonly tally: MatchTally },
): AsyncGenerator<string> {
  yield `${BYTE_ORDER_MARK}${toLine([...columns, ...addedColumns(columns, options)])}`;
  for await (const some of inBatches(rows, tally)) {
    const asked = some.flatMap(({ record }) => record ?? []);
    const { matches, missingPartitions } = await search.match(asked);
    if (missingPartitions.length > 0)
      throw new CommandError(
        `Partitions ${missingPartitions.join(", ")} of the index cannot be read: rows of their places would have no match.`,
      );
    const found = new Map(asked.map((record, index) => [record, matches[index]]));
    const lines = some.map(({ cells, record }) => {
      const match = record && found.get(record);
      const isMatch = match?.place !== undefined && match.confidence >= options.minConfidence;
      tally.rows += 1;
      if (!record) tally.empty += 1;
      else if (isMatch) tally.matched += 1;
      else if (match?.place) tally.doubtful += 1;
      else tally.unknown += 1;
      const confidence = match ? match.confidence.toFixed(DECIMALS) : "";
      const reasons = options.reasons ? [(match?.reasons ?? []).join(" ")] : [];
      return toLine([...cells, isMatch ? (match.place?.data_id ?? "") : "", confidence, ...reasons]);
    });
    yield lines.join("");
  }
}

/** More digits say nothing. */
const DECIMALS = 3;

const toLine = (cells: readonly string[]): string => `${cells.map(quoteCell).join(",")}\n`;

/** A column that the file has already keeps its name; ours is then `match_data_id`. */
function addedColumns(columns: readonly string[], { reasons }: MatchOptions): string[] {
  return ["data_id", "confidence", ...(reasons ? ["reasons"] : [])].map((name) =>
    columns.includes(name) ? `match_${name}` : name,
  );
}

/** So many rows that could not be read are named. */
const MOST_NAMED = 5;

/** Rows in batches of one request. Those that cannot be read are counted and left out. */
async function* inBatches(rows: AskedTable["rows"], tally: MatchTally): AsyncGenerator<AskedRow[]> {
  let batch: AskedRow[] = [];
  for await (const row of rows) {
    if ("problem" in row) {
      tally.unreadRows += 1;
      if (tally.unread.length < MOST_NAMED) tally.unread.push(row);
      continue;
    }
    batch.push(row);
    if (batch.length < MAX_MATCHED_RECORDS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
