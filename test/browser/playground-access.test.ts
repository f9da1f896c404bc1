import { describe, expect, test } from "vitest";
import { findBarriersInBothThemes } from "../support/barriers.ts";
import { CAFE } from "../support/sample-places.ts";
import { CENTRE } from "./city.ts";
import { openMap, openMenu, openRequest, type OpenMap, type OpenMapOptions } from "./open-map.ts";

const AT_CENTRE = `lat=${CENTRE.latitude}&lng=${CENTRE.longitude}`;

const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

describe.each(["desktop", "phone"] as const)("on a %s nobody is shut out", (size) => {
  const open = (path: string, options: OpenMapOptions = {}): Promise<OpenMap> =>
    openMap(path, { viewport: SIZES[size], reducedMotion: "reduce", ...options });

  test("at the start, and with suggestions", async () => {
    await using map = await open(`?${AT_CENTRE}`);
    await map.page.getByRole("heading", { name: "What are you looking for?" }).waitFor();
    expect(await findBarriersInBothThemes(map.page)).toEqual([]);
    await map.page.locator("#query").pressSequentially("vong xoay");
    await map.page.locator("#suggestions [role=option]").first().waitFor();
    await map.page.locator("#query").press("ArrowDown");
    expect(await findBarriersInBothThemes(map.page)).toEqual([]);
  });

  test("with results, reasons and the request", async () => {
    await using map = await open(`?q=cafe&${AT_CENTRE}&explain=true&open_now=true`);
    await map.page.locator(".why").first().waitFor();
    await openRequest(map.page);
    await map.page.getByRole("button", { name: "Show response" }).click();
    expect(await findBarriersInBothThemes(map.page)).toEqual([]);
  });

  test("with a comparison", async () => {
    await using map = await open(`?q=cafe&${AT_CENTRE}&compare=rating`);
    await map.page.locator(".compared").first().waitFor();
    expect(await findBarriersInBothThemes(map.page)).toEqual([]);
  });

  test("with a place", async () => {
    await using map = await open(`?q=cafe&${AT_CENTRE}&place=${CAFE.data_id}`);
    await map.page.getByRole("heading", { level: 2, name: CAFE.title }).waitFor();
    expect(await findBarriersInBothThemes(map.page)).toEqual([]);
  });

  test("with nothing found, an error and the key", async () => {
    await using map = await open(`?q=xqzwvk&${AT_CENTRE}`, { expectedComplaints: /404/ });
    await map.page.getByRole("heading", { name: "Nothing found" }).waitFor();
    expect(await findBarriersInBothThemes(map.page)).toEqual([]);
    await map.page.goto(`${map.url}/?place=0x9:0x999999`);
    await map.page.getByRole("alert").filter({ hasText: "no longer" }).waitFor();
    await openMenu(map.page);
    await map.page.getByRole("button", { name: "API key" }).click();
    expect(await findBarriersInBothThemes(map.page)).toEqual([]);
    await map.page.goto(`${map.url}/nowhere`);
    await map.page.getByRole("heading", { name: "Page not found" }).waitFor();
    expect(await findBarriersInBothThemes(map.page)).toEqual([]);
  });

  test("and nothing overflows or jumps while it loads", async () => {
    await using map = await open("", { isFirstVisit: true });
    const { page } = map;
    await page.addInitScript(
      `window.shifts = []; new PerformanceObserver((list) => window.shifts.push(...list.getEntries().filter((entry) => !entry.hadRecentInput).map(({ value }) => value))).observe({ type: "layout-shift", buffered: true })`,
    );
    await page.goto(`${map.url}/?q=cafe&${AT_CENTRE}`);
    await page.locator(".card").first().waitFor();
    await page.waitForTimeout(500);
    expect(await page.evaluate("window.shifts.reduce((sum, value) => sum + value, 0)")).toBeLessThan(0.02);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
  });
});

test("the page's files without the map library are under 300 kB", async () => {
  await using map = await openMap("", { isFirstVisit: true });
  const { page } = map;
  await page.getByRole("heading", { name: "What are you looking for?" }).waitFor();
  const sizes = (await page.evaluate(
    `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map(({ name, transferSize }) => [name, transferSize])`,
  )) as [string, number][];
  const own = sizes.filter(([name]) => !name.includes("/lib/"));
  expect(own.length).toBeGreaterThan(20);
  expect(own.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(300_000);
});
