import { existsSync, readFileSync } from "node:fs";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

/** Debian's Chromium; the environment can name another. */
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/**
 * What Playwright switches off by default (a second list replaces the first), and the two pages that Chromium 156 draws for the
 * address bar of each window, which nobody sees and which cost as much as the page of a test.
 */
const SWITCHED_OFF = [
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxPopup",
];

/** Gives the page the same clock as the server under test. */
const SAME_CLOCK = `((process) => {
${readFileSync(new URL("clock.cjs", import.meta.url), "utf8")}
})(${JSON.stringify({ env: { TEST_CLOCK_OFFSET_MS: process.env["TEST_CLOCK_OFFSET_MS"] } })})`;

/** A page, with everything on it that a user should never see. */
export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  /** Errors and warnings of the console, scripts that threw, and violations of the content security policy. */
  readonly complaints: string[];
  /** Requests of the page to other origins. */
  readonly foreignRequests: string[];
}

export interface VisitOptions extends BrowserContextOptions {
  /** In a browser that has nothing in its cache, for what depends on it, and for changes that last as long as a page. */
  readonly isFirstVisit?: boolean;
}

export interface TestBrowser {
  /**
   * Opens a separate page without cookies, stored values, or entries to go back to. `origin` is the only one it should contact.
   */
  readonly open: (origin: string, options?: VisitOptions) => Promise<WatchedPage>;
}

/** Starts the system's Chromium. `await using` (or its dispose) ends it. */
export async function launchBrowser(): Promise<TestBrowser & AsyncDisposable> {
  if (!existsSync(CHROMIUM))
    throw new Error(`The browser tests need Chromium at ${CHROMIUM}: script/bootstrap --tests installs it.`);
  const args = ["--no-sandbox", `--disable-features=${SWITCHED_OFF.join(",")}`];
  const browser = await chromium.launch({ executablePath: CHROMIUM, args });
  const kept = new Map<string, Page>();
  return {
    open: (origin, options = {}) => openPage({ browser, kept, origin, options }),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

let shared: Promise<TestBrowser> | undefined;

/** One Chromium for all files of tests that a process runs. */
export const shareBrowser = (): Promise<TestBrowser> =>
  (shared ??= launchBrowser().then((browser) => keptForOthers.use(browser)));

interface Opening {
  readonly browser: Browser;
  /** Pages that wait for the next test, by what they were created with. */
  readonly kept: Map<string, Page>;
  readonly origin: string;
  readonly options: VisitOptions;
}

async function openPage({ browser, kept, origin, options }: Opening): Promise<WatchedPage> {
  const { isFirstVisit = false, ...contextOptions } = options;
  const kind = JSON.stringify(contextOptions, (name, value: unknown) =>
    ADAPTABLE.has(name) ? undefined : value,
  );
  const used = isFirstVisit ? undefined : kept.get(kind);
  if (used) kept.delete(kind);
  const page = used ? await adapt(used, contextOptions) : await createPage(browser, contextOptions);
  const context = page.context();
  const complaints: string[] = [];
  const foreignRequests: string[] = [];
  page.on("console", (message) => {
    // Chromium reports a refused script or style as a console error as well.
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  context.on("request", (request) => {
    const { origin: asked, protocol } = new URL(request.url());
    // Data and blob URLs send nothing to another origin.
    if (asked !== origin && protocol !== "data:" && protocol !== "blob:") foreignRequests.push(request.url());
  });
  return {
    page,
    complaints,
    foreignRequests,
    async [Symbol.asyncDispose]() {
      if (isFirstVisit || kept.has(kind) || !(await isEmptied(page, origin))) return context.close();
      kept.set(kind, page);
    },
  };
}

async function createPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  await context.addInitScript(SAME_CLOCK);
  return context.newPage();
}

const ADAPTABLE: ReadonlySet<string> = new Set([
  "viewport",
  "colorScheme",
  "reducedMotion",
  "permissions",
  "geolocation",
]);

/**
 * The page as one that was just created with these options. Its process has the files of the site and their
 * compiled code, without which opening a page is three or four times as much work.
 */
async function adapt(page: Page, options: BrowserContextOptions): Promise<Page> {
  const { viewport, colorScheme = "light", reducedMotion = "no-preference" } = options;
  await page.setViewportSize(viewport ?? { width: 1280, height: 720 });
  await page.emulateMedia({ colorScheme, reducedMotion });
  await page.context().grantPermissions(options.permissions ?? []);
  await page.context().setGeolocation(options.geolocation ?? null);
  return page;
}

const EMPTY_PATH = "/nothing-for-the-next-test";

/** Takes from a page all that a test has left in it; false when that cannot be done. */
async function isEmptied(page: Page, origin: string): Promise<boolean> {
  try {
    const context = page.context();
    // What the page has complained of up to now has arrived before the answer.
    await page.evaluate("0");
    for (const event of ["console", "pageerror", "request", "response"]) page.removeAllListeners(event);
    context.removeAllListeners("request");
    await context.setOffline(false);
    await page.unrouteAll();
    await page.route(origin + EMPTY_PATH, (route) => route.fulfill({ contentType: "text/html", body: "" }));
    // Another document of the same site, since one of another site would get another process.
    await page.goto(origin + EMPTY_PATH);
    await page.unrouteAll();
    await page.evaluate("localStorage.clear(); sessionStorage.clear()");
    await context.clearCookies();
    await context.clearPermissions();
    await page.mouse.move(-1, -1);
    const devTools = await context.newCDPSession(page);
    await devTools.send("Page.resetNavigationHistory");
    await devTools.detach();
    return context.pages().length === 1;
  } catch {
    return false;
  }
}
