import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveExamples } from "../../script/examples.ts";
import { findBarriers } from "../support/barriers.ts";
import { shareBrowser, type TestBrowser } from "../support/browser.ts";
import { createMemoryIndex } from "../support/memory-index.ts";
import { CAFE } from "../support/sample-places.ts";
import { startTestApp, type TestApp } from "../support/test-app.ts";
import { CITY } from "./city.ts";

/** The pages of docs/examples, on another origin than the API, with the packages as they are published. */
let app: TestApp;
let examples: Awaited<ReturnType<typeof serveExamples>>;
let browser: TestBrowser;

beforeAll(async () => {
  app = await startTestApp({ index: createMemoryIndex(CITY), redisUrl: "none", corsOrigins: ["*"] });
  examples = await serveExamples({ url: app.url, key: app.key }, 0);
  browser = await shareBrowser();
});
afterAll(async () => {
  await examples?.[Symbol.asyncDispose]();
  await app?.[Symbol.asyncDispose]();
});

/** What Chromium says of WebGL where no graphics card draws it. */
const OF_DRIVER = /GL Driver Message/;

interface OpenOptions {
  readonly colorScheme?: "light" | "dark";
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly hasTouch?: boolean;
  /** Complaints of the browser that belong to what is tested: it reports every failed request. */
  readonly expectedComplaints?: RegExp;
}

/** Opens an example. When it is closed, nothing may have gone wrong in it, and it has asked the API alone. */
async function open(name: string, { expectedComplaints, ...context }: OpenOptions = {}) {
  const watched = await browser.open(examples.origin, {
    locale: "en-US",
    reducedMotion: "reduce",
    ...context,
  });
  await watched.page.goto(`${examples.origin}/${name}.html`);
  await watched.page.getByRole("combobox").waitFor();
  return {
    page: watched.page,
    box: watched.page.getByRole("combobox"),
    async [Symbol.asyncDispose]() {
      await watched[Symbol.asyncDispose]();
      const complaints = watched.complaints.filter((text) => !OF_DRIVER.test(text));
      expect(complaints.filter((text) => !expectedComplaints?.test(text))).toEqual([]);
      expect(watched.foreignRequests.filter((url) => !url.startsWith(app.url))).toEqual([]);
    },
  };
}

const option = (page: Page, name: string | RegExp = CAFE.title) => page.getByRole("option", { name });

/** The requests to the API from now on, as their queries. */
function watchQueries(page: Page): (string | null)[] {
  const queries: (string | null)[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.startsWith("/api/")) queries.push(searchParams.get("q"));
  });
  return queries;
}

/** Answers of the API to suggestions, in place of the real ones. */
const answerWith = (page: Page, status: number, code: string, headers: Record<string, string> = {}) =>
  page.route(/autocomplete/, (route) =>
    route.fulfill({
      status,
      contentType: "application/problem+json",
      headers: { "access-control-allow-origin": "*", "access-control-expose-headers": "*", ...headers },
      body: JSON.stringify({ status, code, detail: "No." }),
    }),
  );

describe("when a request", () => {
  test("fails, the box says so, and goes on with the next letter", async () => {
    await using example = await open("place-search", { expectedComplaints: /Failed to load/ });
    const { page, box } = example;
    await page.route(/autocomplete/, (route) => route.abort());
    await box.pressSequentially("caf");
    await page.getByText("Cannot reach the server.").last().waitFor();
    expect(await box.getAttribute("aria-expanded")).toBe("false");
    await page.unroute(/autocomplete/);
    await box.pressSequentially("e");
    await option(page).waitFor();
    expect(await page.getByText("Cannot reach the server.").count()).toBe(0);
  });

  test("is one too many, the box waits as long as the server says, and asks again by itself", async () => {
    await using example = await open("place-search", { expectedComplaints: /429/ });
    const { page, box } = example;
    const queries = watchQueries(page);
    await answerWith(page, 429, "rate_limit_minute", { "retry-after": "6" });
    await box.pressSequentially("caf");
    await page.getByText("Too many requests.").last().waitFor();
    await page.unroute(/autocomplete/);
    const before = queries.length;
    await box.pressSequentially("e");
    await page.waitForTimeout(500);
    expect(queries.length).toBe(before);
    await option(page).waitFor();
    expect(queries.at(-1)).toBe("cafe");
  });

  test("takes long, the box says that it is searching", async () => {
    await using example = await open("place-search");
    const { page, box } = example;
    const isHeld = Promise.withResolvers<void>();
    await page.route(/autocomplete/, async (route) => {
      await isHeld.promise;
      await route.continue();
    });
    await box.pressSequentially("cafe");
    await page.getByText("Searching…").last().waitFor();
    isHeld.resolve();
    await option(page).waitFor();
    expect(await page.getByText("Searching…").count()).toBe(0);
  });

  test("is answered late, its places never come under a newer text", async () => {
    await using example = await open("place-search");
    const { page, box } = example;
    const isHeld = Promise.withResolvers<void>();
    await page.route(/autocomplete.*q=cafe(?:&|$)/, async (route) => {
      await isHeld.promise;
      await route.continue().catch(() => undefined);
    });
    const held = page.waitForRequest(/q=cafe(?:&|$)/);
    await box.fill("cafe");
    await held;
    await box.fill("xqzwvk");
    isHeld.resolve();
    await page.getByText("No places found.").last().waitFor();
    await page.waitForTimeout(300);
    expect(await page.getByRole("option").count()).toBe(0);
  });

  test("is made without a key, the box tells it apart from a server that is down, and asks nothing", async () => {
    await using example = await open("place-search");
    const { page, box } = example;
    const queries = watchQueries(page);
    await page.evaluate(`document.querySelector("place-search").removeAttribute("api-key");
      addEventListener("place-error", ({ detail }) => (document.title = detail.code))`);
    await box.pressSequentially("cafe");
    await page.getByText("This page has no valid key").last().waitFor();
    expect(await page.title()).toBe("missing_api_key");
    expect(queries).toEqual([]);
  });

  test("has another key, the limit of the last one does not count", async () => {
    await using example = await open("place-search", { expectedComplaints: /429/ });
    const { page, box } = example;
    await answerWith(page, 429, "rate_limit_day", { "retry-after": "9000" });
    await box.pressSequentially("caf");
    await page.getByText("used up its requests for today").last().waitFor();
    await page.unroute(/autocomplete/);
    await page.evaluate(`document.querySelector("place-search").apiKey = ${JSON.stringify(app.key)}`);
    await box.pressSequentially("e");
    await option(page).waitFor();
    expect(await page.getByText("used up its requests for today").count()).toBe(0);
  });
});

describe("somebody who types", () => {
  test("causes one request for letters typed without a pause", async () => {
    await using example = await open("place-search");
    const queries = watchQueries(example.page);
    // In one turn of the page, which no keyboard of a busy machine reaches.
    await example.page.evaluate(`(() => {
      const input = document.querySelector("place-search").shadowRoot.querySelector("input");
      input.focus();
      for (const letter of "ca phe trung") {
        input.value += letter;
        input.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
      }
    })()`);
    await option(example.page).waitFor();
    expect(queries).toEqual(["ca phe trung"]);
  });

  test("chooses with the keyboard alone, and the page gets the place", async () => {
    await using example = await open("place-search");
    const { page, box } = example;
    await page.keyboard.press("Tab");
    await page.keyboard.type("ca phe trung");
    await option(page).waitFor();
    while ((await option(page).getAttribute("aria-selected")) !== "true") await box.press("ArrowDown");
    expect(await box.getAttribute("aria-activedescendant")).toBe(await option(page).getAttribute("id"));
    await box.press("Enter");
    expect(await page.locator("#chosen").textContent()).toBe(
      `${CAFE.title}: ${CAFE.location.latitude}, ${CAFE.location.longitude}`,
    );
    expect(await box.inputValue()).toBe(CAFE.title);
    expect(await page.getByRole("listbox").count()).toBe(0);
    await box.press("Escape");
    expect(await box.inputValue()).toBe("");
  });

  test("gets the results of a text with Enter, unless the page searches itself", async () => {
    await using example = await open("place-search");
    const { page, box } = example;
    await page.evaluate(
      `addEventListener("place-results", ({ detail }) => (document.title = detail.query + " " + detail.places.length))`,
    );
    await box.fill("cà phê trứng");
    await box.press("Enter");
    await option(page).waitFor();
    expect(await page.title()).toMatch(/^cà phê trứng [1-9]/);
    await page.evaluate(
      `addEventListener("place-query", (event) => { event.preventDefault(); document.title = "page: " + event.detail.query; })`,
    );
    await box.fill("cafe");
    await box.press("Enter");
    expect(await page.title()).toBe("page: cafe");
    expect(await page.getByRole("option").count()).toBe(0);
  });

  test("reads the texts in the language of the page", async () => {
    await using example = await open("place-search");
    const { page } = example;
    await page.evaluate(`document.documentElement.lang = "vi"`);
    const asked = page.waitForRequest(/autocomplete/);
    await example.box.fill("cafe");
    expect(new URL((await asked).url()).searchParams.get("lang")).toBe("vi");
    await page.getByRole("combobox", { name: "Tìm địa điểm" }).waitFor();
    await page.getByRole("listbox", { name: "Gợi ý" }).waitFor();
    await page.getByRole("button", { name: "Xóa nội dung tìm kiếm" }).click();
    expect(await example.box.inputValue()).toBe("");
  });
});

test("what a page sets before the element is defined counts, and parts can be styled", async () => {
  await using example = await open("place-search");
  const { page } = example;
  await page.evaluate(`(async () => {
    document.body.innerHTML = "<style>place-search::part(option-value) { color: rgb(1, 2, 3) }</style>";
    const frame = document.body.appendChild(document.createElement("iframe")).contentDocument;
    const element = frame.createElement("place-search");
    element.placeholder = "Before";
    element.client = { autocomplete: async ({ q }) => ({ suggestions: [{ value: q, subtext: "Own", data_id: "0x1:0x2", latitude: 1, longitude: 2 }] }) };
    const script = frame.createElement("script");
    script.type = "module";
    script.src = "/node_modules/hereabouts-place-search/index.js";
    frame.head.append(frame.importNode(document.body.querySelector("style"), true), script);
    frame.body.append(element);
    await new Promise((resolve) => (script.onload = resolve));
  })()`);
  const frame = page.frameLocator("iframe");
  const box = frame.getByRole("combobox");
  expect(await box.getAttribute("placeholder")).toBe("Before");
  await box.fill("anything");
  const value = frame.locator(".option-value");
  await value.filter({ hasText: "anything" }).waitFor();
  expect(
    await page.evaluate(
      `getComputedStyle(document.querySelector("iframe").contentDocument.querySelector("place-search").shadowRoot.querySelector(".option-value")).color`,
    ),
  ).toBe("rgb(1, 2, 3)");
});

describe.each(["place-search", "react", "maplibre", "leaflet"])("docs/examples/%s.html", (name) => {
  test.each([
    ["light", { width: 1440, height: 900 }],
    ["dark", { width: 390, height: 844 }],
  ] as const)("shuts nobody out in the %s, and all targets fit a finger", async (colorScheme, viewport) => {
    await using example = await open(name, { colorScheme, viewport });
    const { page, box } = example;
    await box.fill("ca phe trung");
    await option(page).waitFor();
    await box.press("ArrowDown");
    expect(await findBarriers(page)).toEqual([]);
    const small =
      await page.evaluate(`[...document.querySelector("place-search").shadowRoot.querySelectorAll("button, input, li")]
      .map((element) => element.getBoundingClientRect()).filter(({ width, height }) => Math.min(width, height) < 43.5)`);
    expect(small).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
  });
});

test("the component of React calls its handlers", async () => {
  await using example = await open("react");
  const { page, box } = example;
  await box.fill("ca phe trung");
  await option(page).click();
  const { latitude, longitude } = CAFE.location;
  const shown = page.locator("p[role=status]", { hasText: CAFE.title });
  await expect.poll(() => shown.allTextContents()).toEqual([`${CAFE.title}: ${latitude}, ${longitude}`]);
});

describe.each([
  ["maplibre", ".maplibregl-marker"],
  ["leaflet", ".leaflet-marker-icon"],
])("the control for %s", (name, marker) => {
  test("searches around the middle of the map, marks the place and goes there", async () => {
    await using example = await open(name);
    const { page, box } = example;
    const asked = page.waitForRequest(/autocomplete/);
    await box.fill("ca phe trung");
    const { searchParams } = new URL((await asked).url());
    expect(Number(searchParams.get("lat"))).toBeCloseTo(10.7769, 3);
    expect(Number(searchParams.get("lng"))).toBeCloseTo(106.7009, 3);
    await option(page).click();
    await page.locator(marker).waitFor();
    expect(await page.title()).toBe(CAFE.title);
    const { width, height } = { width: 1280, height: 720 };
    await expect
      .poll(async () => {
        const { x, y } = (await page.locator(marker).boundingBox()) ?? { x: 0, y: 0 };
        return Math.hypot(x - width / 2, y - height / 2) < 60;
      })
      .toBe(true);
    await page.getByRole("button", { name: "Clear search" }).click();
    await expect.poll(() => page.locator(marker).count()).toBe(0);
  });

  test("marks all results of a search, and a marker chooses its place", async () => {
    await using example = await open(name);
    const { page, box } = example;
    await box.fill("vong xoay");
    await box.press("Enter");
    await expect.poll(() => page.locator(marker).count()).toBeGreaterThan(1);
    await box.press("Escape");
    const first = page.locator(marker).first();
    const title = await first.getAttribute("title");
    // The map may still be on its way to the markers, so a pointer may miss.
    await first.dispatchEvent("click");
    await expect.poll(() => page.title()).toBe(title);
    expect(await box.inputValue()).toBe(title);
    await expect.poll(() => page.locator(marker).count()).toBe(1);
  });
});
