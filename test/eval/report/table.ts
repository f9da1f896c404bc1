/** The first column to the left, numbers to the right, two spaces between. Trailing spaces are left out. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows
    .map((row) =>
      widths
        .map((width, column) => align(row[column], width, column))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const align = (text = "", width: number, column: number): string =>
  column === 0 ? text.padEnd(width) : text.padStart(width);
