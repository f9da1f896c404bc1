import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { buildPlayground } from "../../support/playground.ts";
import { SAMPLE_PLACES } from "../../support/sample-places.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";

const folder = mkdtempSync(join(tmpdir(), "map-tiles-"));
const path = join(folder, "map.pmtiles");
const CONTENT = "0123456789".repeat(10);
beforeEach(() => writeFileSync(path, CONTENT));
afterAll(() => rmSync(folder, { recursive: true }));

const startMap = (tilesPath?: string): Promise<TestApp> =>
  startTestApp({
    index: createMemoryIndex(SAMPLE_PLACES),
    playground: () => ({
      ...buildPlayground(),
      findTiles: async () =>
        tilesPath === undefined ? undefined : { path: tilesPath, attribution: "Us", maxZoom: 14 },
    }),
  });

async function ask(app: TestApp, headers: Record<string, string> = {}, method = "GET") {
  const response = await fetch(`${app.url}/tiles.pmtiles`, { method, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe("a part of the file of tiles", () => {
  test.each([
    ["bytes=100-", "bytes */100"],
    ["bytes=200-300", "bytes */100"],
    ["bytes=-0", "bytes */100"],
  ])("%s lies outside of it: 416 with its size", async (range, contentRange) => {
    await using app = await startMap(path);
    const { status, headers, text } = await ask(app, { range });
    expect([status, headers.get("content-range"), text]).toEqual([416, contentRange, ""]);
  });

  test.each([
    ["bytes=0-9", "bytes 0-9/100", "0123456789"],
    ["bytes=95-", "bytes 95-99/100", "56789"],
    ["bytes=-3", "bytes 97-99/100", "789"],
    // Readers ask for more than a small file has.
    ["bytes=90-16383", "bytes 90-99/100", "0123456789"],
  ])("%s is sent as 206", async (range, contentRange, text) => {
    await using app = await startMap(path);
    const response = await ask(app, { range });
    expect([response.status, response.headers.get("content-range"), response.text]).toEqual([
      206,
      contentRange,
      text,
    ]);
    expect(response.headers.get("content-length")).toBe(String(text.length));
  });

  test.each(["bytes=0-1,5-6", "pages=1-2", "bytes=b-a", "bytes"])(
    "%s is no single part, so the whole file is sent",
    async (range) => {
      await using app = await startMap(path);
      const { status, text } = await ask(app, { range });
      expect([status, text]).toEqual([200, CONTENT]);
    },
  );

  test("a part of an older file is answered with the whole new one", async () => {
    await using app = await startMap(path);
    const etag = (await ask(app)).headers.get("etag") ?? "";
    expect((await ask(app, { range: "bytes=0-1", "if-range": etag })).status).toBe(206);
    const next = join(folder, "next");
    writeFileSync(next, "new tiles");
    renameSync(next, path);
    const { status, text, headers } = await ask(app, { range: "bytes=0-1", "if-range": etag });
    expect([status, text]).toEqual([200, "new tiles"]);
    expect(headers.get("etag")).not.toBe(etag);
  });
});

describe("the file of tiles", () => {
  test("needs no key, counts towards no limit, and may be kept by caches", async () => {
    await using app = await startMap(path);
    const { status, headers, text } = await ask(app);
    expect([status, text]).toEqual([200, CONTENT]);
    expect(Object.fromEntries(headers)).toMatchObject({
      "accept-ranges": "bytes",
      "cache-control": "public, max-age=3600, no-transform",
      "content-length": "100",
      "content-type": "application/vnd.pmtiles",
      vary: "Origin",
    });
    expect([...headers.keys()].filter((name) => /limit|encoding/i.test(name))).toEqual([]);
    expect(readFileSync(path, "utf8")).toBe(CONTENT);
  });

  test("HEAD returns the headers alone, and a known ETag a 304", async () => {
    await using app = await startMap(path);
    const head = await ask(app, {}, "HEAD");
    expect([head.status, head.headers.get("content-length"), head.text]).toEqual([200, "100", ""]);
    const part = await ask(app, { range: "bytes=0-9" }, "HEAD");
    expect([part.status, part.headers.get("content-length")]).toEqual([206, "10"]);
    // Without the second header, Node's fetch would ask for a fresh copy.
    const known = await ask(app, {
      "if-none-match": head.headers.get("etag") ?? "",
      "cache-control": "max-age=0",
    });
    expect([known.status, known.text]).toEqual([304, ""]);
  });

  test("is 404 without one, and when it was removed", async () => {
    await using without = await startMap();
    expect((await ask(without)).status).toBe(404);
    await using app = await startMap(path);
    rmSync(path);
    const { status, text } = await ask(app);
    expect([status, JSON.parse(text)]).toEqual([404, expect.objectContaining({ code: "unknown_route" })]);
  });

  test("is all that the page may load it from: its policy names no other host", async () => {
    await using app = await startMap(path);
    const response = await fetch(`${app.url}/`);
    const { headers } = response;
    expect(await response.text()).toContain(
      '"tiles":{"url":"tiles.pmtiles","attribution":"Us","maxZoom":14}',
    );
    expect(headers.get("content-security-policy")).toContain("img-src 'self' data:; connect-src 'self';");
  });
});
