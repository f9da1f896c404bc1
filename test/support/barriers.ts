import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** A browser reads it in half the time that the usual source takes. */
const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** What axe finds wrong on a page: rule, and the first elements that break it. */
export const findBarriers = (page: Page): Promise<readonly string[]> => runAxe(page, {});

/** The same in the light, and then, of all rules the only one about colours, in the dark. The page stays dark. */
export async function findBarriersInBothThemes(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const barriers = await findBarriers(page);
  await page.emulateMedia({ colorScheme: "dark" });
  // The page's policy allows no code of strings, which `waitForFunction` runs when it has to wait.
  await expect
    .poll(() => page.evaluate("getComputedStyle(document.documentElement).colorScheme.includes('dark')"))
    .toBe(true);
  return [...barriers, ...(await runAxe(page, { runOnly: ["color-contrast"] }))];
}

async function runAxe(page: Page, options: { readonly runOnly?: readonly string[] }): Promise<string[]> {
  await page.evaluate("document.getAnimations().forEach((animation) => animation.finish())");
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(AXE);
  const settings = JSON.stringify({ resultTypes: ["violations"], ...options });
  return page.evaluate(`axe.run(document, ${settings}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 160) + " " + failureSummary).join(" | ")))`);
}
