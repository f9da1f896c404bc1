import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";

/** A browser reads it in half the time that the usual source takes. */
const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** What axe finds wrong on a page: rule, and the first elements that break it. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  await page.evaluate("document.getAnimations().forEach((animation) => animation.finish())");
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(AXE);
  return page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 160) + " " + failureSummary).join(" | ")))`);
}
