import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readDocsSite } from "../../src/docs/site.ts";
import { DEMO_KEY_PATH } from "../../src/http/routes/playground.ts";
import type { SearchAnswer } from "../../src/answers/search-response.ts";
import { findBarriers } from "../support/barriers.ts";
import { shareBrowser, type TestBrowser, type WatchedPage } from "../support/browser.ts";
import { fakePlaces } from "../support/fake-places.ts";
import { CAFE } from "../support/sample-places.ts";
import { buildPlayground } from "../support/playground.ts";
import { startTestApp, type TestApp } from "../support/test-app.ts";

const CONFIG = {
  PUBLIC_BASE_URL: "https://places.example",
  EXTERNAL_MAPS_URL: "https://maps.example/?id={data_id}",
};

let app: TestApp;
let browser: TestBrowser;

beforeAll(async () => {
  const docs = await readDocsSite(CONFIG);
  app = await startTestApp({ ...fakePlaces({ places: [CAFE] }), redisUrl: "none", docs });
  browser = await shareBrowser();
});

afterAll(async () => {
  await app?.[Symbol.asyncDispose]();
});

/** Opens an address of the server. */
async function visit(address: string, options?: Parameters<TestBrowser["open"]>[1]): Promise<WatchedPage> {
  const watched = await browser.open(app.url, options);
  await watched.page.goto(app.url + address);
  return watched;
}

/** A link of an answer, as it would be on a server that is reached by its public address. */
const pathOf = (link: string): string => link.replace(new URL(link).origin, "");

const PHONE = { viewport: { width: 390, height: 844 } };
const DESKTOP = { viewport: { width: 1440, height: 900 } };

describe("the reference", () => {
  test.each([
    ["a phone", PHONE],
    ["a desktop", DESKTOP],
    ["a desktop at night", { ...DESKTOP, colorScheme: "dark" as const }],
  ])("renders on %s without console errors or requests to other hosts", async (_, options) => {
    await using visited = await visit("/docs", options);
    await visited.page.getByRole("heading", { name: "API reference", level: 1 }).waitFor();
    await visited.page.waitForLoadState("networkidle");
    expect(visited.complaints).toEqual([]);
    expect(visited.foreignRequests).toEqual([]);
    const width = await visited.page.evaluate("document.documentElement.scrollWidth");
    expect(width).toBeLessThanOrEqual(options.viewport.width);
  });

  test("link_docs of a search opens its operation and scrolls to it", async () => {
    const { local_result } = await app.read<SearchAnswer>("/api/maps/search?q=x");
    await using visited = await visit(pathOf(local_result[0]?.link_docs ?? ""), DESKTOP);
    const heading = visited.page.getByRole("heading", { name: "Search places" });
    await expectInSight(heading);
    await visited.page.waitForLoadState("networkidle");
    expect(visited.complaints).toEqual([]);
  });

  test.each([
    ["/docs#place", "Get one place"],
    ["/docs#autocomplete", "Suggest places while typing"],
  ])("%s opens the operation and scrolls to it", async (address, name) => {
    await using visited = await visit(address, DESKTOP);
    await expectInSight(visited.page.getByRole("heading", { name }));
  });

  test("the page links to each operation", async () => {
    await using visited = await visit("/docs", DESKTOP);
    await visited.page.evaluate('location.hash = "#place"');
    await expectInSight(visited.page.getByRole("heading", { name: "Get one place" }));
  });

  test("a request can be tried with a key, which the other forms have too, and finds something", async () => {
    await using visited = await visit("/docs#search", DESKTOP);
    const form = await openForm(visited, "Search places");
    await form.getByLabel("API key").fill(app.key);
    await form.getByLabel("limit").fill("1");
    await form.getByRole("button", { name: "Send" }).click();
    await form.getByText(/^Status 200, \d+ ms$/).waitFor();
    const response = JSON.parse((await form.locator(".answer code").textContent()) ?? "") as SearchAnswer;
    expect(response.local_result[0]?.title).toBe(CAFE.title);
    const command = (await visited.page.locator("#search .curl").textContent()) ?? "";
    expect(command).toContain("https://places.example/api/maps/search?q=c%C3%A0+ph%C3%AA&");
    expect(command).toMatch(/&limit=1"$/);
    expect(command).not.toContain(app.key);
    // The place that was found is what the next form asks for.
    const next = await openForm(visited, "Get one place");
    expect(await next.getByLabel("data_id").inputValue()).toBe(CAFE.data_id);
    await next.getByRole("button", { name: "Send" }).click();
    await next.getByText(/^Status 200/).waitFor();
    expect(visited.foreignRequests).toEqual([]);
    expect(visited.complaints).toEqual([]);
  });

  test("a request that is refused shows the problem", async () => {
    await using visited = await visit("/docs#search", DESKTOP);
    const form = await openForm(visited, "Search places");
    await form.getByLabel("min_rating").fill("9");
    await form.getByLabel("API key").fill(app.key);
    await form.getByLabel("API key").press("Enter");
    await form.getByText(/^Status 422/).waitFor();
    expect(await form.locator(".answer").textContent()).toContain('"invalid_parameter"');
  });

  test("a parameter that may be repeated is sent once for each value", async () => {
    await using visited = await visit("/docs#places", DESKTOP);
    const form = await openForm(visited, "Get several places");
    await form.getByLabel("data_id").fill("0x1:0x2, 0x3:0x4");
    expect(await visited.page.locator("#places .curl").textContent()).toContain(
      "?data_id=0x1%3A0x2&data_id=0x3%3A0x4",
    );
  });

  test("in a demo, the first request works without typing a key", async () => {
    const docs = await readDocsSite(CONFIG, { demoKeyPath: DEMO_KEY_PATH });
    const playground = (demoKey: string) => buildPlayground({}, demoKey);
    await using demo = await startTestApp({
      ...fakePlaces({ places: [CAFE] }),
      redisUrl: "none",
      docs,
      playground,
    });
    await using visited = await browser.open(demo.url, DESKTOP);
    await visited.page.goto(`${demo.url}/docs#search`);
    const form = await openForm(visited, "Search places");
    await form.getByRole("button", { name: "Send" }).click();
    await form.getByText(/^Status 200/).waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test("is light: page, styles and scripts are under 100 kB", async () => {
    await using visited = await visit("/docs", { ...PHONE, isFirstVisit: true });
    await visited.page.waitForLoadState("networkidle");
    const sizes = (await visited.page.evaluate(
      `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map(({ transferSize }) => transferSize)`,
    )) as number[];
    expect(sizes.length).toBe(4);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000);
  });

  test("works without scripts, at the same addresses", async () => {
    await using visited = await visit("/docs#search", { ...DESKTOP, javaScriptEnabled: false });
    await expectInSight(visited.page.getByRole("heading", { name: "Search places" }));
    expect(await visited.page.getByText("Try it").first().isVisible()).toBe(false);
  });
});

// No colour of text depends on the size of the window.
test.each([
  ["a phone in the light", { ...PHONE, colorScheme: "light" as const }],
  ["a desktop in the dark", { ...DESKTOP, colorScheme: "dark" as const }],
])("on %s nobody is shut out of the docs", async (_, look) => {
  await using visited = await visit("/docs#search", look);
  // One operation is open and the others are as at the start: the long page is checked once for both.
  const form = await openForm(visited, "Search places");
  await form.getByLabel("API key").fill(app.key);
  await form.getByRole("button", { name: "Send" }).click();
  await form.getByText(/^Status 200/).waitFor();
  await visited.page.getByText("Example of a response").first().click();
  expect(await findBarriers(visited.page)).toEqual([]);
  await visited.page.goto(`${app.url}/docs/errors`);
  expect(await findBarriers(visited.page)).toEqual([]);
  await visited.page.goto(`${app.url}/docs/quick-start`);
  expect(await findBarriers(visited.page)).toEqual([]);
});

/** Opens the form of an operation. */
async function openForm({ page }: WatchedPage, summary: string): Promise<Locator> {
  const form = page.getByRole("form", { name: `Try it: ${summary}`, includeHidden: true });
  await page.locator("section", { has: form }).getByText("Try it", { exact: true }).click();
  return form;
}

describe("the guide", () => {
  test("a problem's type opens the page at its code", async () => {
    const { body } = await app.ask("/api/maps/search");
    const { type } = body as { type: string };
    await using visited = await visit(pathOf(type), PHONE);
    const row = visited.page.locator("tr#invalid_parameter");
    await expectInSight(row);
    await visited.page.waitForLoadState("networkidle");
    expect(visited.complaints).toEqual([]);
    expect(visited.foreignRequests).toEqual([]);
  });

  test("every page fits the windows of a phone and a desktop without console errors", async () => {
    await using visited = await visit("/docs/quick-start");
    const { page, complaints, foreignRequests } = visited;
    const addresses = (await page.evaluate(
      '[...document.querySelectorAll(".pages .wide a")].map((link) => link.getAttribute("href"))',
    )) as string[];
    expect(addresses.length).toBeGreaterThan(10);
    const tooWide: string[] = [];
    for (const address of addresses) {
      await page.goto(app.url + address, { waitUntil: "load" });
      for (const { viewport } of [PHONE, DESKTOP]) {
        await page.setViewportSize(viewport);
        const width = (await page.evaluate("document.documentElement.scrollWidth")) as number;
        if (width > viewport.width) tooWide.push(`${address} ${width}`);
      }
    }
    expect(tooWide).toEqual([]);
    expect(complaints).toEqual([]);
    expect(foreignRequests).toEqual([]);
  });

  test("on a phone all pages are reachable without scripts", async () => {
    await using visited = await visit("/docs/errors", { ...PHONE, javaScriptEnabled: false });
    await visited.page.getByText("All pages").click();
    await visited.page.locator(".pages details").getByRole("link", { name: "Limits" }).click();
    await visited.page.waitForURL("**/docs/limits");
    expect(await visited.page.getByRole("heading", { level: 1 }).textContent()).toContain("Limits");
  });

  test("code can be copied", async () => {
    await using visited = await visit("/docs/quick-start", {
      ...DESKTOP,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const { page } = visited;
    const block = page.locator(".code").first();
    await block.hover();
    await block.getByRole("button", { name: "Copy" }).click();
    await block.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("script/server");
  });
});

interface Positioned {
  boundingBox(options: { timeout: number }): Promise<{ y: number } | null>;
}

/** Below the bar of the page, in the upper half of the window. */
const isInSight = (top: number): boolean => top > 40 && top < 450;

/** Waits until something stands where a reader looks. */
async function expectInSight(element: Positioned): Promise<void> {
  const readTop = async () => (await element.boundingBox({ timeout: 200 }).catch(() => null))?.y;
  await expect.poll(readTop, { timeout: 20_000 }).toSatisfy(isInSight);
}
