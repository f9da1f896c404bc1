import { readFileSync, writeFileSync } from "node:fs";
import { PARAMETER_PROBLEMS, PROBLEMS } from "../src/errors.ts";

/** The page whose tables are made from `src/errors.ts`: `node script/errors-page.ts` writes them. */
export const ERRORS_PAGE = new URL("../docs/errors.md", import.meta.url);

/** The page with its tables made anew, each between `<!-- name -->` and `<!-- end of name -->`. */
export function updateErrorsPage(markdown: string): string {
  const codes = Object.entries(PROBLEMS).map(([code, { status, when, fix }]) => [
    `\`${code}\``,
    String(status),
    when,
    fix,
  ]);
  const parameterCodes = Object.entries(PARAMETER_PROBLEMS).map(([code, when]) => [`\`${code}\``, when]);
  const page = replaceBetween(
    markdown,
    "codes",
    toTable([["`code`", "status", "when", "what to do"], ...codes]),
  );
  return replaceBetween(page, "parameter codes", toTable([["`code`", "when"], ...parameterCodes]));
}

function replaceBetween(markdown: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [before, rest] = markdown.split(begin);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined) throw new Error(`docs/errors.md has no ${begin} … ${end}`);
  return `${before}${begin}\n\n${text}\n\n${end}${after}`;
}

/** A Markdown table with the cells of each column padded to the same width. The first row is the head. */
function toTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const toLine = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [head, widths.map((width) => "-".repeat(width)), ...rows].map(toLine).join("\n");
}

if (import.meta.main) writeFileSync(ERRORS_PAGE, updateErrorsPage(readFileSync(ERRORS_PAGE, "utf8")));
