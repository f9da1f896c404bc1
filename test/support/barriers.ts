import axe from "axe-core";
import type { Page } from "playwright-core";

/** What axe finds wrong on a page: rule, and the first elements that break it. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  await page.evaluate("document.getAnimations().forEach((animation) => animation.finish())");
  await page.evaluate(axe.source);
  return page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 160) + " " + failureSummary).join(" | ")))`);
}
