import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { CAFE } from "../support/sample-places.ts";
import { CENTRE } from "./city.ts";
import { openMap, openMenu, openRequest, type OpenMap } from "./open-map.ts";

const AT_CENTRE = `lat=${CENTRE.latitude}&lng=${CENTRE.longitude}`;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const PARTS = [".top", ".map-area", ".found"];

/** Head, map and list. */
const readParts = (page: Page): Promise<readonly Box[]> =>
  page.evaluate(
    `${JSON.stringify(PARTS)}.map((part) => {
      const { x, y, width, height } = document.querySelector(part).getBoundingClientRect();
      return { x, y, width, height };
    })`,
  );

const areaOf = (boxes: readonly Box[]): number =>
  boxes.reduce((sum, { width, height }) => sum + width * height, 0);

/** The names of buttons of the head that stand outside of it. */
const readStrayButtons = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const head = document.querySelector(".top").getBoundingClientRect();
    return [...document.querySelectorAll(".brand-row button, .point-row button")]
      .filter((button) => button.getBoundingClientRect().right > head.right + 0.5)
      .map((button) => button.id);
  })()`);

describe("head, map and list fill a window, and each has room, at", () => {
  let map: OpenMap;
  // It is loaded once: the other sizes come as when somebody turns a phone or pulls at a corner.
  beforeAll(async () => {
    map = await openMap(`?q=cafe&${AT_CENTRE}`);
    await map.page.locator(".card").first().waitFor();
    return () => map[Symbol.asyncDispose]();
  });

  test.each([
    [320, 568],
    [390, 844],
    [568, 320],
    [667, 375],
    [720, 450],
    [760, 481],
    [844, 390],
    [1024, 768],
    [1440, 900],
  ])("%i × %i", async (width, height) => {
    const { page } = map;
    await page.setViewportSize({ width, height });
    const parts = await readParts(page);
    expect(areaOf(parts) / (width * height)).toBeCloseTo(1, 2);
    for (const [index, part] of parts.entries()) {
      expect(part.width).toBeGreaterThanOrEqual(240);
      // The head of a phone is one row.
      expect(part.height).toBeGreaterThanOrEqual(index === 0 ? 48 : 120);
    }
    expect(await readStrayButtons(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  });
});

test("in a window that is zoomed so far that nothing fits, one scrolls from the head to the list", async () => {
  await using map = await openMap(`?q=cafe&${AT_CENTRE}`, { viewport: { width: 320, height: 256 } });
  const { page } = map;
  await page.locator(".card").first().waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
  const scrollDown = async (): Promise<number> => {
    await page.mouse.move(160, 20);
    await page.mouse.wheel(0, 4000);
    return (await page.locator(".card").last().boundingBox())?.y ?? Infinity;
  };
  await expect.poll(scrollDown).toBeLessThan(256);
});

test.each([
  [390, 844, { top: 47, bottom: 34, left: 0, right: 0 }],
  [844, 390, { top: 0, bottom: 21, left: 47, right: 47 }],
])("nothing lies under the notch or the bar of a phone of %i × %i", async (width, height, insets) => {
  // The insets are for a page that no other test gets.
  await using map = await openMap(`?q=cafe&${AT_CENTRE}`, {
    viewport: { width, height },
    isFirstVisit: true,
  });
  const { page } = map;
  await page.locator(".card").first().waitFor();
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Emulation.setSafeAreaInsetsOverride", { insets });
  await openRequest(page);
  const panel = await page.locator("#request").boundingBox();
  for (const part of [...(await readParts(page)), panel!]) {
    expect(part.x).toBeGreaterThanOrEqual(insets.left);
    expect(part.y).toBeGreaterThanOrEqual(insets.top);
    expect(part.x + part.width).toBeLessThanOrEqual(width - insets.right);
    expect(part.y + part.height).toBeLessThanOrEqual(height - insets.bottom);
  }
});

/** What WCAG 2.2 recommends for each side of a target (2.5.5), in pixels of the style sheet. */
const TARGET_PIXELS = 44;

/** Controls that are smaller than a finger. Links within a text may be, and a card is hit as a whole. */
const readSmallTargets = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[document, document.querySelector("place-search").shadowRoot]
    .flatMap((root) => [...root.querySelectorAll("button, select, input, [role=option], a")])
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => !element.matches(".leaflet-control-attribution a, .contacts a"))
    .map((element) => [element, (element.matches(".card-open") ? element.closest(".card") : element).getBoundingClientRect()])
    .filter(([, { width, height }]) => Math.min(width, height) < ${TARGET_PIXELS} - 0.5)
    .map(([element, { width, height }]) => (element.id || element.className || element.outerHTML.slice(0, 80)) + " " + width + " × " + height)`);

describe.each([
  ["a small phone", { width: 320, height: 568 }],
  ["a phone", { width: 390, height: 844 }],
  ["a phone on its side", { width: 844, height: 390 }],
  ["a desktop", { width: 1440, height: 900 }],
])("on %s all targets are large enough for a finger", (_, viewport) => {
  test("in the list, its suggestions, the request and a comparison", async () => {
    await using map = await openMap(`?q=cafe&${AT_CENTRE}&open_now=true`, {
      viewport,
      reducedMotion: "reduce",
    });
    const { page } = map;
    await page.locator(".card").first().waitFor();
    await page.locator(".pin").first().waitFor();
    expect(await readSmallTargets(page)).toEqual([]);
    await page.locator("#query").fill("vong xoay");
    await page.locator("#suggestions [role=option]").first().waitFor();
    expect(await readSmallTargets(page)).toEqual([]);
    await page.locator("#query").press("Escape");
    await openRequest(page);
    expect(await readSmallTargets(page)).toEqual([]);
    await page.goto(`${map.url}/?q=cafe&${AT_CENTRE}&compare=rating`);
    await page.locator(".compared").first().waitFor();
    expect(await readSmallTargets(page)).toEqual([]);
  });

  test("in a place, the rectangle and the key", async () => {
    await using map = await openMap(`?place=${CAFE.data_id}&${AT_CENTRE}`, { viewport });
    const { page } = map;
    await page.getByRole("heading", { level: 2, name: CAFE.title }).waitFor();
    expect(await readSmallTargets(page)).toEqual([]);
    await page.getByRole("button", { name: "Search in a rectangle" }).click();
    await page.getByRole("button", { name: "Use this view" }).waitFor();
    expect(await readSmallTargets(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await openMenu(page);
    expect(await readSmallTargets(page)).toEqual([]);
    await page.getByRole("button", { name: "API key" }).click();
    expect(await readSmallTargets(page)).toEqual([]);
  });
});
