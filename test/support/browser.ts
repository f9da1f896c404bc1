import { existsSync, readFileSync } from "node:fs";
import { chromium, type Browser, type Page, type BrowserContextOptions } from "playwright-core";

/** Debian's Chromium; the environment can name another. */
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

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

export interface TestBrowser extends AsyncDisposable {
  /** Opens a separate page without cookies. `origin` is the only one it should contact. */
  readonly open: (origin: string, options?: BrowserContextOptions) => Promise<WatchedPage>;
}

/** Starts the system's Chromium, once per test file. `await using` (or its dispose) ends it. */
export async function launchBrowser(): Promise<TestBrowser> {
  if (!existsSync(CHROMIUM))
    throw new Error(`The browser tests need Chromium at ${CHROMIUM}: script/bootstrap --tests installs it.`);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  return {
    open: (origin, options) => openPage(browser, origin, options),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  await context.addInitScript(SAME_CLOCK);
  const page = await context.newPage();
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
  return { page, complaints, foreignRequests, [Symbol.asyncDispose]: () => context.close() };
}
