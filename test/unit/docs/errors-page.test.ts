import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ERRORS_PAGE, updateErrorsPage } from "../../../script/errors-page.ts";

test("the tables of docs/errors.md match src/errors.ts", () => {
  const page = readFileSync(ERRORS_PAGE, "utf8");
  expect(updateErrorsPage(page), "stale: run `node script/errors-page.ts`").toBe(page);
});

test("a page without the markers of the tables is an error", () => {
  expect(() => updateErrorsPage("# Errors\n")).toThrow("docs/errors.md has no <!-- codes -->");
});
