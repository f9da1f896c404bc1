import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RANKING_PAGE, updateRankingPage } from "../../../script/ranking-table.ts";

test("the table of docs/guide/ranking.md matches src/search/weights.json", () => {
  const page = readFileSync(RANKING_PAGE, "utf8");
  expect(updateRankingPage(page), "stale: run `node script/ranking-table.ts`").toBe(page);
});

test("a page without the markers of the table is an error", () => {
  expect(() => updateRankingPage("# How results are ordered\n")).toThrow(
    "docs/guide/ranking.md has no <!-- weights -->",
  );
});
