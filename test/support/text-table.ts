/** Rows of texts as lines with aligned columns: the first `leftColumns` to the left, numbers to the right. */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  leftColumns = 1,
): string {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  const toLine = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column < leftColumns ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join("  ")
      .trimEnd();
  return [toLine(header), widths.map((width) => "-".repeat(width)).join("  "), ...rows.map(toLine)].join(
    "\n",
  );
}

/** A number with so many decimals as still say something; nothing for one that is not there. */
export function formatNumber(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "";
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

export const formatMegabytes = (kilobytes: number): string => formatNumber(kilobytes / 1024);
