import { describe, expect, test } from "vitest";
import { CENTRE } from "./city.ts";
import { expectSeen, openMap } from "./open-map.ts";

const AT_CENTRE = `lat=${CENTRE.latitude}&lng=${CENTRE.longitude}`;

describe("on a phone", () => {
  test("before the first search the map has most of the screen; the list comes with results", async () => {
    await using map = await openMap(`?${AT_CENTRE}`, { viewport: { width: 390, height: 844 } });
    const { page } = map;
    await expectSeen(page.getByRole("heading", { name: "What are you looking for?" }));
    const mapHeight = async (): Promise<number> => (await page.locator("#map").boundingBox())?.height ?? 0;
    await expect.poll(mapHeight).toBeGreaterThan(600);
    await expectSeen(page.getByRole("button", { name: "My location" }));
    await page.locator("#query").fill("cafe");
    await page.locator("#query").press("Enter");
    await page.locator(".card").first().waitFor();
    await expect.poll(mapHeight).toBeLessThan(450);
  });

  test("the suggestions are as wide as the row of the search", async () => {
    await using map = await openMap(`?${AT_CENTRE}`, { viewport: { width: 390, height: 844 } });
    const { page } = map;
    await page.locator("#query").fill("vong xoay");
    await page.locator("#suggestions [role=option]").first().waitFor();
    const { x, width } = (await page.locator("#suggestions").boundingBox())!;
    expect(width).toBeGreaterThan(350);
    expect(x + width).toBeLessThanOrEqual(390);
  });

  test("the list is a sheet that covers the map when its handle is pressed or dragged up", async () => {
    await using map = await openMap(`?q=cafe&${AT_CENTRE}`, { viewport: { width: 390, height: 844 } });
    const { page } = map;
    await page.locator(".card").first().waitFor();
    const topOf = async (): Promise<number> => (await page.locator("#found").boundingBox())?.y ?? 0;
    const half = await topOf();
    await page.getByRole("button", { name: "Show the list over the map" }).press("Enter");
    await expect.poll(topOf).toBeLessThan(half - 200);
    await page.getByRole("button", { name: "Show the map" }).click();
    await expect.poll(topOf).toBe(half);
    await page.mouse.move(195, half + 12);
    await page.mouse.down();
    await page.mouse.move(195, half - 200, { steps: 5 });
    await page.mouse.up();
    await expect.poll(topOf).toBeLessThan(half - 200);
  });

  test("the sheet leaves the map nearly all room when it is dragged down, and comes back with a place", async () => {
    await using map = await openMap(`?q=cafe&${AT_CENTRE}`, { viewport: { width: 390, height: 844 } });
    const { page } = map;
    await page.locator(".card").first().waitFor();
    const heightOf = async (part: string): Promise<number> =>
      (await page.locator(part).boundingBox())?.height ?? 0;
    const half = await heightOf("#map");
    const handle = page.getByRole("button", { name: "Show the list over the map" });
    await handle.press("ArrowDown");
    await expect.poll(() => heightOf("#found")).toBeLessThan(120);
    await expect.poll(() => heightOf("#map")).toBeGreaterThan(half + 200);
    // The map draws in all of it.
    await expect
      .poll(() => page.evaluate("document.querySelectorAll('.leaflet-tile').length"))
      .toBeGreaterThan(4);
    await page.locator(".pin:not(.cluster)").last().press("Enter");
    await expect.poll(() => heightOf("#map")).toBe(half);
    // The place takes the focus when it has loaded, also from a key that is being pressed.
    await expect.poll(() => page.evaluate("document.activeElement?.id")).toBe("detail-title");
    await handle.press("ArrowDown");
    await handle.press("ArrowUp");
    await expect.poll(() => heightOf("#map")).toBe(half);
  });

  test("one row stands above the map; the filters and the menu open from it", async () => {
    await using map = await openMap(`?q=cafe&${AT_CENTRE}&open_now=true&min_rating=4`, {
      viewport: { width: 390, height: 844 },
    });
    const { page } = map;
    const head = async (): Promise<number> => (await page.locator("#head").boundingBox())?.height ?? 0;
    expect(await head()).toBeLessThan(64);
    const filters = page.getByRole("button", { name: "Filters (2)" });
    expect(await filters.getAttribute("aria-expanded")).toBe("false");
    expect(await page.locator("#filter-open").isVisible()).toBe(false);
    await filters.click();
    expect(await filters.getAttribute("aria-expanded")).toBe("true");
    await page.locator("#filter-open").click();
    await page.getByRole("button", { name: "Filters (1)" }).waitFor();
    await page.getByRole("button", { name: "Menu" }).click();
    expect(await page.locator("#filter-open").isVisible()).toBe(false);
    await expectSeen(page.getByRole("button", { name: "Compare" }));
    await expectSeen(page.getByRole("button", { name: "Why this order?" }));
    await page.getByRole("button", { name: "API request" }).click();
    await expectSeen(page.locator("#request-body"));
    expect(await head()).toBeLessThan(64);
  });
});
