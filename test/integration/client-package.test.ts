import { execFile, execFileSync, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMemoryIndex } from "../support/memory-index.ts";
import { launchBrowser } from "../support/browser.ts";
import { expectToBePublishable } from "../support/publishable.ts";
import { CAFE, SAMPLE_PLACES } from "../support/sample-places.ts";
import { startTestApp, type TestApp } from "../support/test-app.ts";

const VERSION = (JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version;
const LIMIT_BYTES = 8 * 1024;

/** A project of somebody else: it has nothing but the package. */
let project: string;
/** What the packing has printed. */
let printed: string;
let app: TestApp;
let pages: Server;

const npm = (...args: readonly string[]): void => {
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--offline"];
  execFileSync("npm", [...args, ...quiet], { cwd: project, stdio: ["ignore", "ignore", "inherit"] });
};

/** TypeScript 5, which the check of types brings along: a test needs no registry. */
const typescript5 = (): string =>
  createRequire(createRequire(import.meta.url).resolve("@arethetypeswrong/core")).resolve(
    "typescript/bin/tsc",
  );

const write = (name: string, text: string): void => writeFileSync(join(project, name), text);

const PROGRAM = `
import { createClient, HereaboutsError } from "hereabouts-client";
const [baseUrl, apiKey] = globalThis.given ?? process.argv.slice(2);
const client = createClient({ baseUrl, apiKey, language: "en" });
const { local_result } = await client.search({ q: "cà phê trứng", lat: 10.7721, lng: 106.698 });
const titles = [];
for await (const place of client.searchAll({ q: "cà phê" })) titles.push(place.title);
const code = await client.place({ data_id: "0x1:0xdead" }).catch((error) => error instanceof HereaboutsError && error.code);
const { usage } = await client.usage();
globalThis.result = { first: local_result[0]?.data_id, titles: titles.length > 0, code, used: usage.minute.used > 0 };
console.log(JSON.stringify(globalThis.result));
`;

const EXPECTED = { first: CAFE.data_id, titles: true, code: "unknown_place", used: true };

const TYPED = `
import { createClient, type PlaceSummary, type SearchParameters } from "hereabouts-client";
const client = createClient({ baseUrl: "https://places.example", apiKey: "key" });
const parameters: SearchParameters = { q: "pho", category: ["PHO"], open_at: new Date() };
const { local_result, total } = await client.search(parameters);
const first: PlaceSummary | undefined = local_result[0];
const { features } = await client.nearby({ lat: 1, lng: 2, format: "geojson" });
const longitude: number | undefined = features[0]?.geometry.coordinates[0];
const { place_results } = await client.places({ data_id: ["0x1:0x2"], fields: ["title"] });
const title: string | undefined = place_results[0]?.title;
for await (const place of client.nearbyAll({ lat: 1, lng: 2, type: "full" })) console.log(place.opening_hours[0]?.day);
console.log(first?.open_state.is_open_now, longitude, title, total?.toFixed());
// @ts-expect-error -- a query is text
await client.search({ q: 1 });
// @ts-expect-error -- the field does not exist
console.log(first?.name);
`;

beforeAll(async () => {
  project = join(mkdtempSync(join(tmpdir(), "hereabouts-project-")), "new");
  // As in the docs: a folder that does not exist yet, named from here.
  printed = execFileSync("node", ["--run", "client:pack", "--", relative(".", project)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  write("package.json", '{ "private": true, "type": "module" }');
  write("program.js", PROGRAM);
  write("typed.ts", TYPED);
  npm("install", `./hereabouts-client-${VERSION}.tgz`);
  app = await startTestApp({ index: createMemoryIndex(SAMPLE_PLACES), corsOrigins: ["*"] });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  pages?.close();
  rmSync(dirname(project), { recursive: true });
});

test("packing creates the folder and prints the name of the package", () => {
  expect(printed).toContain(`hereabouts-client-${VERSION}.tgz`);
});

test("the package is smaller than 8 kB, and has no dependencies", () => {
  expect(statSync(join(project, `hereabouts-client-${VERSION}.tgz`)).size).toBeLessThan(LIMIT_BYTES);
  const manifest = readFileSync(join(project, "node_modules/hereabouts-client/package.json"), "utf8");
  expect(JSON.parse(manifest)).not.toHaveProperty("dependencies");
});

test("publint and attw find nothing wrong with its files, types and exports", async () => {
  await expectToBePublishable(join(project, `hereabouts-client-${VERSION}.tgz`));
});

test.each([
  ["TypeScript 5", typescript5],
  ["TypeScript 7", () => resolve("node_modules/typescript/bin/tsc")],
])("%s accepts its types, without those of the server", (_, findCompiler) => {
  const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
  const libraries = ["--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom"];
  const compiler = [findCompiler(), ...options, ...libraries, "typed.ts"];
  const { status, stdout } = spawnSync(process.execPath, compiler, { cwd: project, encoding: "utf8" });
  expect(stdout).toBe("");
  expect(status).toBe(0);
});

/** The Node of this project, and the one of the machine, which may be older. */
const nodes = [process.execPath, ...findNodeOfMachine()];

function findNodeOfMachine(): string[] {
  const path = (process.env["PATH"] ?? "").split(":").filter((folder) => !folder.includes("node_modules"));
  const { stdout } = spawnSync("sh", ["-c", "command -v node"], {
    env: { PATH: path.join(":") },
    encoding: "utf8",
  });
  return stdout.trim() === "" ? [] : [stdout.trim()];
}

test.each(nodes)("runs with %s", async (node) => {
  const env = { PATH: process.env["PATH"] ?? "" };
  // The server is in this process, which therefore must not wait for the program.
  const { stdout } = await promisify(execFile)(node, ["program.js", app.url, app.key], { cwd: project, env });
  expect(JSON.parse(stdout)).toEqual(EXPECTED);
});

test("rolldown bundles it, and the bundle works in a page of another origin", async () => {
  mkdirSync(join(project, "public"));
  execFileSync(
    resolve("node_modules/.bin/rolldown"),
    ["program.js", "--format=esm", "--platform=browser", "--file=public/page.js"],
    { cwd: project, stdio: "ignore" },
  );
  const page = `<script>given = ${JSON.stringify([app.url, app.key])}</script><script type="module" src="/page.js"></script>`;
  pages = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? readFileSync(join(project, "public/page.js")) : page);
  }).listen(0, "127.0.0.1");
  await once(pages, "listening");
  const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  await using browser = await launchBrowser();
  await using tab = await browser.open(origin);
  await tab.page.goto(`${origin}/`);
  await tab.page.waitForFunction("globalThis.result !== undefined");
  expect(await tab.page.evaluate("globalThis.result")).toEqual(EXPECTED);
});
