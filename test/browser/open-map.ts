import type { Locator, Page } from "playwright-core";
import type { PageSettings } from "../../src/assets/assets.ts";
import type { MapTiles } from "../../src/assets/map-tiles.ts";
import type { PlaceIndex } from "../../src/meilisearch/place-index.ts";
import type { PlaceSearch } from "../../src/search/search-request.ts";
import { shareBrowser, type VisitOptions } from "../support/browser.ts";
import { buildPlayground } from "../support/playground.ts";
import { startTestApp, type TestApp } from "../support/test-app.ts";
import { createTestIndex, type TestIndex } from "../support/test-index.ts";
import { CITY } from "./city.ts";

interface ServerOptions {
  /** By default that of the places of `city.ts`. */
  readonly index?: PlaceIndex | undefined;
  readonly search?: PlaceSearch | undefined;
  readonly settings?: Partial<PageSettings> | undefined;
  /** The file of map tiles. */
  readonly tiles?: MapTiles | undefined;
  /** A server that offers no demo key, as in production. */
  readonly isProduction?: boolean | undefined;
  readonly perMinute?: number | undefined;
  /** When the page is opened; the moment of the run when absent. */
  readonly at?: Temporal.Instant | undefined;
}

export interface OpenMapOptions extends VisitOptions, ServerOptions {
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

/** The page in a browser, on a server with these options; the path is what stands behind the `/` of the address. When it is closed, nothing may have gone wrong in it and nothing may have left the origin. */
export async function openMap(
  path = "",
  { friends = [], expectedComplaints, ...options }: OpenMapOptions = {},
): Promise<OpenMap> {
  const { index, search, settings, tiles, isProduction, perMinute, at, ...context } = options;
  const serverOptions = { index, search, settings, tiles, isProduction, perMinute, at };
  const isPlain = Object.values(serverOptions).every((option) => option === undefined);
  const app = isPlain ? await sharePlainServer() : await startServer(serverOptions);
  const browser = await shareBrowser();
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
      if (!isPlain) await app[Symbol.asyncDispose]();
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

let city: Promise<TestIndex> | undefined;

/** The places of `city.ts` in an index for all files of tests that a process runs: none of them changes it. */
export const shareCity = (): Promise<TestIndex> =>
  (city ??= createTestIndex(CITY).then((made) => keptForOthers.use(made)));

async function startServer(options: ServerOptions): Promise<TestApp> {
  const { search, settings, tiles, isProduction = false, perMinute, at } = options;
  const index = options.index ?? (await shareCity()).index;
  return startTestApp({
    index,
    ...(search && { search }),
    ...(perMinute !== undefined && { perMinute }),
    ...(at && { now: () => at }),
    playground: (key) => ({
      ...buildPlayground(settings, isProduction ? undefined : key),
      findTiles: () => Promise.resolve(tiles),
    }),
  });
}

let plainServer: Promise<TestApp> | undefined;

/** A server with nothing special. All tests have the same one, whose files the browser then has already. */
const sharePlainServer = (): Promise<TestApp> =>
  (plainServer ??= startServer({}).then((app) => keptForOthers.use(app)));

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
