import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import type { PageSettings } from "../../src/assets/assets.ts";
import type { MapTiles } from "../../src/assets/map-tiles.ts";
import type { PlaceIndex } from "../../src/meilisearch/place-index.ts";
import type { PlaceSearch } from "../../src/search/search-request.ts";
import { launchBrowser, type TestBrowser } from "../support/browser.ts";
import { buildPlayground } from "../support/playground.ts";
import { startTestApp } from "../support/test-app.ts";
import { createTestIndex } from "../support/test-index.ts";
import { CITY } from "./city.ts";

interface OpenMapOptions extends BrowserContextOptions {
  readonly index: PlaceIndex;
  readonly search?: PlaceSearch;
  /** What stands behind the `/` of the address. */
  readonly path?: string;
  readonly settings?: Partial<PageSettings>;
  /** The file of map tiles. */
  readonly tiles?: MapTiles | undefined;
  /** A server that offers no demo key, as in production. */
  readonly isProduction?: boolean;
  readonly perMinute?: number;
  /** When the page is opened; the moment of the run when absent. */
  readonly at?: Temporal.Instant;
  /** Where else the page may ask. */
  readonly friends?: readonly string[];
  /** Complaints of the browser that belong to what is tested: it reports every refused request. */
  readonly expectedComplaints?: RegExp;
}

export interface OpenMap extends AsyncDisposable {
  readonly page: Page;
  readonly url: string;
  readonly key: string;
}

/** The page in a browser, on a separate server. When it is closed, nothing may have gone wrong in it and nothing may have left the origin. */
export async function openMap(browser: TestBrowser, options: OpenMapOptions): Promise<OpenMap> {
  const {
    index,
    search,
    path = "",
    settings,
    tiles,
    isProduction = false,
    perMinute,
    at,
    friends = [],
    expectedComplaints,
    ...context
  } = options;
  const app = await startTestApp({
    index,
    ...(search && { search }),
    ...(perMinute !== undefined && { perMinute }),
    ...(at && { now: () => at }),
    playground: (key) => ({
      ...buildPlayground(settings, isProduction ? undefined : key),
      findTiles: () => Promise.resolve(tiles),
    }),
  });
  const watched = await browser.open(app.url, {
    viewport: { width: 1440, height: 900 },
    locale: "en-US",
    ...context,
  });
  await watched.page.goto(`${app.url}/${path}`);
  return {
    page: watched.page,
    url: app.url,
    key: app.key,
    async [Symbol.asyncDispose]() {
      await watched[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
      const complaints = watched.complaints.filter((text) => !expectedComplaints?.test(text));
      const foreignRequests = watched.foreignRequests.filter(
        (url) => !friends.some((friend) => url.startsWith(friend)),
      );
      if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join("\n")}`);
      if (foreignRequests.length > 0)
        throw new Error(`The page made foreign requests: ${foreignRequests.join("\n")}`);
    },
  };
}

interface OpenCity extends AsyncDisposable {
  readonly index: PlaceIndex;
  /** The page over the places of `city.ts`. */
  readonly open: (path?: string, options?: Partial<OpenMapOptions>) => Promise<OpenMap>;
}

/** Starts a browser and puts the places of `city.ts` into an index, for all tests of a file. */
export async function openCity(): Promise<OpenCity> {
  const browser = await launchBrowser();
  const { index, ...city } = await createTestIndex(CITY);
  return {
    index,
    open: (path = "", options = {}) => openMap(browser, { index, path, ...options }),
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]();
      await city[Symbol.asyncDispose]();
    },
  };
}

/** Waits until it is there to see. */
export async function expectSeen(locator: Locator): Promise<void> {
  await locator.waitFor({ state: "visible" });
}

/** Opens the panel with the API request: on a phone from the menu. */
export async function openRequest(page: Page): Promise<void> {
  await openMenu(page);
  await page.getByRole("button", { name: /API request/ }).click();
}

/** Opens what a phone has in its menu; elsewhere it is there already. */
export async function openMenu(page: Page): Promise<void> {
  const menu = page.getByRole("button", { name: "Menu" });
  if (await menu.isVisible()) await menu.click();
}
