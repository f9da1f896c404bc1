/** The page with a text made anew that stands between `<!-- name -->` and `<!-- end of name -->`. */
export function replaceBetween(
  markdown: string,
  { file, name, text }: { readonly file: string; readonly name: string; readonly text: string },
): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [before, rest] = markdown.split(begin);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined) throw new Error(`${file} has no ${begin} … ${end}`);
  return `${before}${begin}\n\n${text}\n\n${end}${after}`;
}

/** A Markdown table with the cells of each column padded to the same width. The first row is the head. */
export function toTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const toLine = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [head, widths.map((width) => "-".repeat(width)), ...rows].map(toLine).join("\n");
}
