/**
 * What a cell holds: a text; a number with a point or a comma; a whole number, thousands may be set apart; a list whose
 * elements are set apart by |; feature codes, set apart likewise; opening hours in the syntax of OpenStreetMap, or JSON;
 * the hours of one day, as `07:00–11:30, 13:00–22:00`; the JSON of the member.
 */
export type CellForm = "text" | "number" | "whole" | "list" | "features" | "hours" | "day" | "json";

export interface CsvColumn {
  readonly column: string;
  /** The member of the native record the cell goes into, which is also understood as the column's name. */
  readonly member: string;
  readonly form: CellForm;
}

/** The columns of a native CSV (docs/data-format.md). A new one is a line here and one there. */
export const CSV_COLUMNS: readonly CsvColumn[] = [
  { column: "data_id", member: "data_id", form: "text" },
  { column: "source", member: "source", form: "text" },
  { column: "source_id", member: "source_id", form: "text" },
  { column: "place_id", member: "place_id", form: "text" },
  { column: "title", member: "title", form: "text" },
  { column: "alternate_names", member: "alternate_names", form: "list" },
  { column: "type", member: "type", form: "text" },
  { column: "latitude", member: "location.latitude", form: "number" },
  { column: "longitude", member: "location.longitude", form: "number" },
  { column: "address", member: "location.address.full", form: "text" },
  { column: "street", member: "location.address.street", form: "text" },
  { column: "ward", member: "location.address.ward", form: "text" },
  { column: "city", member: "location.address.city", form: "text" },
  { column: "country", member: "location.address.country", form: "text" },
  { column: "country_code", member: "location.country_code", form: "text" },
  { column: "timezone", member: "location.timezone", form: "text" },
  { column: "phone", member: "contacts.phone", form: "text" },
  { column: "website", member: "contacts.website", form: "text" },
  { column: "rating", member: "rating", form: "number" },
  { column: "reviews", member: "reviews", form: "whole" },
  { column: "price_min", member: "pricing.min", form: "whole" },
  { column: "price_max", member: "pricing.max", form: "whole" },
  { column: "business_status", member: "business_status", form: "text" },
  { column: "opening_hours", member: "opening_hours", form: "hours" },
  { column: "monday", member: "opening_hours.monday", form: "day" },
  { column: "tuesday", member: "opening_hours.tuesday", form: "day" },
  { column: "wednesday", member: "opening_hours.wednesday", form: "day" },
  { column: "thursday", member: "opening_hours.thursday", form: "day" },
  { column: "friday", member: "opening_hours.friday", form: "day" },
  { column: "saturday", member: "opening_hours.saturday", form: "day" },
  { column: "sunday", member: "opening_hours.sunday", form: "day" },
  { column: "special_days", member: "special_days", form: "json" },
  { column: "features", member: "features", form: "features" },
  { column: "description", member: "description", form: "text" },
  { column: "popular_times", member: "popular_times", form: "json" },
  { column: "review_list", member: "review_list", form: "json" },
  { column: "photos", member: "photos", form: "json" },
];

/** Without these there is no place; of the last two one is enough. */
const REQUIRED = [["title"], ["latitude"], ["longitude"], ["source_id", "data_id"]];

const COLUMN_OF_NAME: ReadonlyMap<string, CsvColumn> = new Map(
  CSV_COLUMNS.flatMap((column) => [
    [column.column, column],
    [column.member, column],
  ]),
);

/** The column that a name of a header means, however it is capitalised and whether it has blanks for its underscores. */
export function findColumn(name: string): CsvColumn | undefined {
  return COLUMN_OF_NAME.get(name) ?? COLUMN_OF_NAME.get(name.trim().toLowerCase().replaceAll(" ", "_"));
}

/** The columns that a header lacks, in the words of the message. */
export function missingColumns(names: readonly string[]): string[] {
  const found = new Set(names.map((name) => findColumn(name)?.column));
  return REQUIRED.filter((columns) => !columns.some((column) => found.has(column))).map((columns) =>
    columns.join(" or "),
  );
}
