import { readFileSync, writeFileSync } from "node:fs";
import table from "../src/search/weights.json" with { type: "json" };
import { replaceBetween, toTable } from "./page-tables.ts";

/** The page whose table is made from `src/search/weights.json`: `node script/ranking-table.ts` writes it. */
export const RANKING_PAGE = new URL("../docs/guide/ranking.md", import.meta.url);

/** The page with its table made anew, between `<!-- weights -->` and `<!-- end of weights -->`. */
export function updateRankingPage(markdown: string): string {
  const rows = Object.entries(table).map(([name, { weight, means }]) => [
    `\`${name}\``,
    String(weight),
    means,
  ]);
  const text = toTable([["feature", "weight", "meaning"], ...rows]);
  return replaceBetween(markdown, { file: "docs/guide/ranking.md", name: "weights", text });
}

if (import.meta.main) writeFileSync(RANKING_PAGE, updateRankingPage(readFileSync(RANKING_PAGE, "utf8")));
