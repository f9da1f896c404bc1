import * as v from "valibot";
import { loadVocabulary } from "../../../src/search/vocabulary/read-vocabulary.ts";
import { FEATURE_CODES } from "../../../src/place/document/feature-codes.ts";
import { fieldsInUse } from "../../../src/place/document/own-fields.ts";
import { readTable, textSchema } from "../../../src/place/read-table.ts";
import { editDistance } from "../../../src/place/text/edit-distance.ts";
import { fold, joinWords, words } from "../../../src/place/text/fold.ts";
import { memoize } from "../../../src/place/text/memoize.ts";
import columnsTable from "./columns.json" with { type: "json" };

/**
 * The form of a cell: a text; the code or words of a kind; a number with a point or a comma; a whole number,
 * with or without separated thousands; a price or a range of prices; latitude or longitude; a pair of
 * coordinates or a link to a map; a list separated by |; feature codes, separated likewise; whether a feature
 * is there; opening hours as people write them, in OpenStreetMap syntax or JSON; the hours of one day; a field
 * of the data team's own, as it is declared; the field's JSON.
 */
const cellFormSchema = v.picklist([
  "text",
  "kind",
  "number",
  "whole",
  "price",
  "degrees",
  "point",
  "list",
  "features",
  "feature",
  "hours",
  "day",
  "own",
  "json",
]);

export type CellForm = v.InferOutput<typeof cellFormSchema>;

export interface Column {
  readonly column: string;
  /** The field of the native record. Its name is also accepted as the column's name. */
  readonly field: string;
  readonly form: CellForm;
}

/** The form of `columns.json`. A new column needs an entry there and one in docs/data-format.md. */
export const columnsSchema = v.strictObject({
  columns: v.record(
    v.string(),
    v.strictObject({
      /** By default the name of the column. */
      field: v.optional(v.string()),
      form: cellFormSchema,
      /** What people write for it. */
      headers: v.optional(v.array(textSchema), []),
    }),
  ),
  /** Headers that are left out without a word. */
  ignored: v.array(textSchema),
});

const TABLE = readTable("indexer/sources/table/columns.json", columnsSchema, columnsTable);

/** The columns of a table, in the order of docs/data-format.md. */
export const COLUMNS: readonly Column[] = Object.entries(TABLE.columns).map(
  ([column, { field = column, form }]) => ({ column, field, form }),
);

/** Without marks, case, blanks, underscores, and what stands in brackets: "Vĩ độ (Y)", "opening hours". */
const keyOf = (header: string): string => joinWords(fold(/^[([]?[^([]*/.exec(header)?.[0] ?? header));

const COLUMN_OF_NAME: ReadonlyMap<string, Column> = new Map(
  COLUMNS.flatMap((column) => [
    [column.column, column],
    [column.field, column],
  ]),
);

const columnOf = (name: string): Column | undefined => COLUMN_OF_NAME.get(name);

/** The columns by the keys of all their headers; `undefined` for headers that say nothing about a place. */
const COLUMN_OF_KEY: ReadonlyMap<string, Column | undefined> = new Map([
  ...Object.entries(TABLE.columns).flatMap(([column, { headers }]) =>
    headers.map((header) => [keyOf(header), columnOf(column)] as const),
  ),
  ...TABLE.ignored.map((header) => [keyOf(header), undefined] as const),
  ...COLUMNS.map((column) => [keyOf(column.column), column] as const),
]);

/** Which columns a file has, told by `--map` and `--id`. */
export interface HeaderOptions {
  /** The header that has a column, by the column's name. */
  readonly map?: ReadonlyMap<string, string> | undefined;
  /** The headers whose cells together identify a row. */
  readonly id?: readonly string[] | undefined;
}

/** What a header means: a column, nothing that is needed (`null`), or unknown. */
type Meaning = Column | null | undefined;

/** The columns of a file. */
export interface Header {
  /** By the file's own header. */
  readonly columns: ReadonlyMap<string, Column>;
  readonly idHeaders: readonly string[];
  /** Headers that are not read, with what to do about them. */
  readonly unread: readonly { readonly header: string; readonly advice: string }[];
  /** The headers of the file. */
  readonly all: readonly string[];
}

/** `custom.floor`, and `floor` where a file declares it. */
const OWN_FIELD = /^(?:custom\.)?([a-z][a-z\d_]{0,39})$/;

/** `name:ja`, as in OpenStreetMap, and `names.ja`, as in a native record. */
const NAME_IN = /^(?:names?|title|tên)[.:]([a-z]{2,3}(?:-[a-z\d]{2,8})?)$/;

/** The column of a field of one's own, or of the name in a language. */
function ownColumn(header: string): Column | undefined {
  const plain = header.trim().toLowerCase();
  const [, name = ""] = OWN_FIELD.exec(plain.replaceAll(/[\s-]+/g, "_")) ?? [];
  if (name !== "" && (plain.startsWith("custom.") || fieldsInUse().has(name)))
    return { column: `custom.${name}`, field: `custom.${name}`, form: "own" };
  const [, language] = NAME_IN.exec(plain) ?? [];
  return language === undefined
    ? undefined
    : { column: `names.${language}`, field: `names.${language}`, form: "text" };
}

/** The column of a feature, by its label or by words that searches know: "Wifi", "Có chỗ đậu xe", "delivery". */
const featureColumn = memoize((header: string): Column | undefined => {
  const key = keyOf(header);
  const said = loadVocabulary()
    .phrases.get(key)
    ?.find(({ role }) => role === "feature")?.meaning;
  const code = said ?? FEATURE_OF_LABEL.get(key);
  return code === undefined ? undefined : { column: code, field: code, form: "feature" };
});

const FEATURE_OF_LABEL: ReadonlyMap<string, string> = new Map(
  [...FEATURE_CODES].flatMap(([code, { vi, en }]) =>
    [code, vi, en].map((text) => [keyOf(text), code] as const),
  ),
);

function meaningOf(header: string): Meaning {
  const named = columnOf(header) ?? ownColumn(header);
  if (named) return named;
  const key = keyOf(header);
  return COLUMN_OF_KEY.has(key) ? (COLUMN_OF_KEY.get(key) ?? null) : featureColumn(header);
}

/** Finds the columns for a file's headers: those of `--map`, then exact names, then what people call them. */
export function readHeader(all: readonly string[], { map = new Map(), id = [] }: HeaderOptions = {}): Header {
  const columns = new Map<string, Column>();
  const taken = new Set<Column>();
  const take = (header: string, column: Column): void => {
    columns.set(header, column);
    taken.add(column);
  };
  for (const [name, header] of map) {
    const own = findOwn(all, header);
    const column = columnOf(name);
    if (own !== undefined && column) take(own, column);
  }
  const rest = all.filter((header) => header !== "" && !columns.has(header));
  // An exact name has its column even where another header means the same.
  const exact = rest.filter((header) => columnOf(header.trim().toLowerCase().replaceAll(" ", "_")));
  const inOrder = [...new Set([...exact, ...rest])];
  for (const header of inOrder) {
    const column = meaningOf(header);
    if (column && !taken.has(column)) take(header, column);
  }
  const idHeaders = id.flatMap((header) => findOwn(all, header) ?? []);
  const others = inOrder.filter((own) => !columns.has(own) && !idHeaders.includes(own));
  let unread: Header["unread"] | undefined;
  return {
    columns,
    idHeaders,
    all,
    // Proposals take long, and only the header of a file needs them, not each row that might be it.
    get unread() {
      return (unread ??= others.flatMap((header) => adviseOn(header, taken) ?? []));
    },
  };
}

function adviseOn(header: string, taken: ReadonlySet<Column>): Header["unread"][number] | undefined {
  const column = meaningOf(header);
  if (column === null) return undefined;
  return { header, advice: column ? `means ${column.column} too` : adviceFor(header, taken) };
}

/** A header as somebody types it on a command line. */
const findOwn = (all: readonly string[], header: string): string | undefined =>
  all.find((own) => own === header) ?? all.find((own) => keyOf(own) === keyOf(header));

/** A wrong letter or two; more is another word. */
const MAX_EDITS = 2;
/** In shorter words a wrong letter makes another word. */
const MIN_LETTERS = 4;

function adviceFor(header: string, taken: ReadonlySet<Column>): string {
  const column = guessColumn(header);
  return column === undefined || taken.has(column) ? "" : `--map ${column.column}=${quoted(header)} reads it`;
}

/** A header as it is written on a command line. */
export const quoted = (header: string): string => (/^[\w.-]+$/.test(header) ? header : `'${header}'`);

/** The column that a header may mean: by a typing mistake, or by one of its words ("shop_name"). */
function guessColumn(header: string): Column | undefined {
  const key = keyOf(header);
  const near = [...COLUMN_OF_KEY].find(
    ([known, column]) =>
      column &&
      known.length >= MIN_LETTERS &&
      editDistance(key, known).whole <= Math.min(MAX_EDITS, known.length / 4),
  );
  if (near) return near[1];
  // The last word of an English compound says what it is, the first of a Vietnamese one.
  const parts = words(fold(header.replaceAll("_", " ")));
  return [parts.at(-1), parts.at(0)].map((word) => COLUMN_OF_KEY.get(word ?? "")).find((column) => column);
}

/** Whether a table has one of these columns. */
export const has = ({ columns }: Header, ...names: readonly string[]): boolean =>
  [...columns.values()].some(({ column }) => names.includes(column));

/** A place can be found by coordinates, or be looked for by its address. */
const POSITION_COLUMNS = ["coordinates", "address", "street", "ward", "city"];

/** Whether the headers are those of places: a name, and where it is. */
export const isPlaceHeader = (header: Header): boolean =>
  has(header, "title") &&
  ((has(header, "latitude") && has(header, "longitude")) || has(header, ...POSITION_COLUMNS));

/** Where the header is among the upper rows of a table. */
export interface FoundHeader {
  readonly header: Header;
  /** The index of the first row below it. */
  readonly end: number;
}

/** Titles, dates and empty rows above a header. */
export const MAX_ROWS_ABOVE = 20;

/** A single cell of a place may have the name of a column. */
const MIN_BELOW = 2;

/**
 * Finds the header: the first of the upper rows that has the wanted columns, else the one with most of them. Below
 * joined cells ("Vị trí" above "Vĩ độ" and "Kinh độ") it takes two rows, of which the lower says what a column is.
 */
export function findHeader(
  rows: readonly (readonly string[])[],
  options?: HeaderOptions,
  isWanted: (header: Header) => boolean = isPlaceHeader,
): FoundHeader {
  const found = rows.slice(0, MAX_ROWS_ABOVE).map((row, index) => {
    const one = { header: readHeader(uniqueHeaders(row), options), end: index + 1 };
    const below = rows[index + 1] ?? [];
    if (one.header.columns.size === 0 || readHeader(uniqueHeaders(below)).columns.size < MIN_BELOW)
      return one;
    const length = Math.max(row.length, below.length);
    const both = Array.from({ length }, (_, at) => below[at]?.trim() || (row[at] ?? ""));
    const two = { header: readHeader(uniqueHeaders(both), options), end: index + 2 };
    return two.header.columns.size > one.header.columns.size ? two : one;
  });
  const none = { header: readHeader([], options), end: 0 };
  return (
    found.find(({ header }) => isWanted(header)) ??
    found.reduce(
      (best, other) => (other.header.columns.size > best.header.columns.size ? other : best),
      found[0] ?? none,
    )
  );
}

/** The second of two columns of one name is reported as one more. */
function uniqueHeaders(row: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return row.map((cell) => {
    const header = cell.trim().replaceAll(/\s+/g, " ");
    const count = (seen.get(header) ?? 0) + 1;
    seen.set(header, count);
    return header === "" || count === 1 ? header : `${header} (${count})`;
  });
}

/** Whether the headers have, or may have, something of a place, so that the file is worth a message about the rest. */
export const isNearlyPlaceHeader = (header: Header): boolean =>
  header.columns.size > 0 || guessesOf(header).length > 0;

/** The proposals for headers that are not read. */
const guessesOf = ({ unread }: Header): string[] =>
  unread.map(({ advice }) => advice).filter((advice) => advice.startsWith("--map"));

/** Says which columns the places lack, and which headers may be them; `undefined` when nothing is missing. */
export function problemOfHeader(
  header: Header,
  { map = new Map(), id = [] }: HeaderOptions = {},
): string | undefined {
  const wrong = [...map, ...id.map((own) => ["--id", own] as const)].find(
    ([, own]) => findOwn(header.all, own) === undefined,
  );
  const has_ = `  Its columns: ${header.all.filter((name) => name !== "").join(", ")}`;
  if (wrong)
    return [`has no column "${wrong[1]}", which ${wrong[0] === "--id" ? "--id" : "--map"} names.`, has_].join(
      "\n",
    );
  if (isPlaceHeader(header)) return undefined;
  const lacksTitle = !has(header, "title");
  const lacksHalf =
    has(header, "latitude") === has(header, "longitude")
      ? []
      : has(header, "latitude")
        ? ["longitude"]
        : ["latitude"];
  const missing = [
    ...(lacksTitle ? ["title (the name of the place)"] : []),
    ...(lacksHalf.length > 0
      ? lacksHalf
      : has(header, "latitude", ...POSITION_COLUMNS)
        ? []
        : ["latitude and longitude, or address"]),
  ];
  const guesses = guessesOf(header);
  const [first = ""] = header.all.filter((name) => !header.columns.has(name));
  const example = lacksTitle
    ? `--map title=${first === "" ? "…" : quoted(first)}`
    : `--map ${lacksHalf[0] ?? "latitude"}=…`;
  return [
    `lacks the column${missing.length > 1 ? "s" : ""} ${missing.join(" and ")}.`,
    has_,
    `  Read as: ${[...header.columns].map(([own, { column }]) => (own === column ? own : `${own} → ${column}`)).join(", ") || "none of them"}`,
    ...(guesses.length > 0
      ? [`  Perhaps: ${guesses.map((advice) => advice.replace(/ reads it$/, "")).join(" ")}`]
      : [`  Say which column it is, such as ${example}, or rename it (docs/data-format.md#tables).`]),
  ].join("\n");
}
