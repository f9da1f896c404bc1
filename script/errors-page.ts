import { readFileSync, writeFileSync } from "node:fs";
import { PARAMETER_PROBLEMS, PROBLEMS } from "../src/errors.ts";
import { replaceBetween, toTable } from "./page-tables.ts";

/** The page whose tables are made from `src/errors.ts`: `node script/errors-page.ts` writes them. */
export const ERRORS_PAGE = new URL("../docs/errors.md", import.meta.url);

const file = "docs/errors.md";

/** The page with its tables made anew, each between `<!-- name -->` and `<!-- end of name -->`. */
export function updateErrorsPage(markdown: string): string {
  const codes = Object.entries(PROBLEMS).map(([code, { status, when, fix }]) => [
    `\`${code}\``,
    String(status),
    when,
    fix,
  ]);
  const parameterCodes = Object.entries(PARAMETER_PROBLEMS).map(([code, when]) => [`\`${code}\``, when]);
  const page = replaceBetween(markdown, {
    file,
    name: "codes",
    text: toTable([["`code`", "status", "when", "what to do"], ...codes]),
  });
  return replaceBetween(page, {
    file,
    name: "parameter codes",
    text: toTable([["`code`", "when"], ...parameterCodes]),
  });
}

if (import.meta.main) writeFileSync(ERRORS_PAGE, updateErrorsPage(readFileSync(ERRORS_PAGE, "utf8")));
