import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shareBrowser } from "../support/browser.ts";
import { createMemoryIndex } from "../support/memory-index.ts";
import { CAFE, SAMPLE_PLACES } from "../support/sample-places.ts";
import { startTestApp, type TestApp } from "../support/test-app.ts";

/** Somebody's web page, on another origin than the API. */
let site: Server;
let app: TestApp;
let files: Readonly<Record<string, string>> = {};

async function bundleClient(): Promise<string> {
  const bundle = await rolldown({ input: "src/client/client.ts" });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  return output[0].code;
}

beforeAll(async () => {
  app = await startTestApp({ index: createMemoryIndex(SAMPLE_PLACES), redisUrl: "none", corsOrigins: ["*"] });
  const [, example = ""] = /^```html\n(.*?)^```/ms.exec(readFileSync("docs/guide/examples.md", "utf8")) ?? [];
  const page = example.replace("http://127.0.0.1:8080", app.url).replace("hab_...", app.key);
  files = {
    "/": `<!doctype html><meta charset="utf-8">${page}`,
    "/hereabouts-client.js": await bundleClient(),
  };
  site = createServer((request, response) => {
    const file = files[request.url ?? ""];
    response.setHeader("content-type", request.url === "/" ? "text/html" : "text/javascript");
    response.statusCode = file === undefined ? 404 : 200;
    response.end(file);
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
});
afterAll(async () => {
  site.close();
  await app[Symbol.asyncDispose]();
});

test("the search box of the docs suggests places while somebody types", async () => {
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const browser = await shareBrowser();
  await using visited = await browser.open(origin);
  const { page } = visited;
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(origin);
  await page.getByPlaceholder("Tìm địa điểm").pressSequentially("cà ph");
  await page.locator(`#places option[value="${CAFE.title}"]`).waitFor({ state: "attached" });
  await page.getByPlaceholder("Tìm địa điểm").fill("");
  await expect.poll(() => page.locator("#places option").count()).toBe(0);
  expect(errors).toEqual([]);
});
