import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { isOnlyForThisMachine } from "../../../src/http/routes/playground.ts";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { buildPlayground } from "../../support/playground.ts";
import { SAMPLE_PLACES } from "../../support/sample-places.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";

const startMap = (settings = {}, isDemo = true): Promise<TestApp> =>
  startTestApp({
    index: createMemoryIndex(SAMPLE_PLACES),
    playground: (key) => buildPlayground(settings, isDemo ? key : undefined),
  });

/** The addresses of all files that a page names, below the page. */
const filesOf = (html: string): string[] =>
  [...html.matchAll(/(?:href|src)="(playground\/[^"]+)"/g)].map(([, path]) => `/${path}`);

const readPage = async (app: TestApp): Promise<string> => (await fetch(`${app.url}/`)).text();

/** Node's `fetch` decides by itself about encodings, caches and hosts; this asks exactly so. */
async function ask(app: TestApp, path: string, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<import("node:http").IncomingMessage>();
  request(app.url + path, { headers }, resolve)
    .on("error", reject)
    .end();
  const response = await promise;
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) };
}

describe("the page", () => {
  test("may only load scripts, styles and data from this server", async () => {
    await using app = await startMap();
    const { status, headers } = await ask(app, "/");
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'",
    );
    expect(policy).not.toContain("unsafe");
  });

  test("may load tiles and photos only from the configured hosts", async () => {
    const tiles = { url: "https://{s}.tiles.example/{z}/{x}/{y}.png", attribution: "</script><b>Makers" };
    await using app = await startMap({ tiles, photoOrigins: ["https://photos.example"] });
    const { headers, bytes } = await ask(app, "/");
    expect(headers["content-security-policy"]).toContain(
      "img-src 'self' data: https://*.tiles.example https://photos.example;",
    );
    expect(bytes.toString()).not.toContain("</script><b>");
  });

  test("references only existing files, including all imports", async () => {
    await using app = await startMap();
    const files = filesOf(await readPage(app));
    expect(files.length).toBeGreaterThan(30);
    for (const file of files) {
      const response = await fetch(app.url + file);
      expect([file, response.status]).toEqual([file, 200]);
      const source = await response.text();
      if (!file.endsWith(".ts")) continue;
      expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
      for (const [, imported = ""] of source.matchAll(/^import [^;]*? from "([^"]+)";/gm)) {
        const address = new URL(imported, app.url + file);
        expect([imported, (await fetch(address)).status]).toEqual([imported, 200]);
      }
    }
  });

  test("does not exist when the map is switched off", async () => {
    await using app = await startTestApp({ index: createMemoryIndex([]) });
    expect((await app.ask("/")).body).toMatchObject({ status: 404, code: "unknown_route" });
  });
});

describe("its files", () => {
  test("are cached for ever under the version of the page, and revalidated under any other", async () => {
    await using app = await startMap();
    const file = filesOf(await readPage(app)).find((path) => path.endsWith("main.ts")) ?? "";
    expect((await ask(app, file)).headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    const other = file.replace(/playground\/[^/]+/, "playground/older");
    expect((await ask(app, other)).headers["cache-control"]).toBe("no-cache");
  });

  test("are compressed as the browser accepts, with a separate ETag for each encoding", async () => {
    await using app = await startMap();
    const [file = ""] = filesOf(await readPage(app)).filter((path) => path.endsWith("leaflet.js"));
    const plain = await ask(app, file);
    const br = await ask(app, file, { "accept-encoding": "gzip, br" });
    const gz = await ask(app, file, { "accept-encoding": "gzip" });
    expect(brotliDecompressSync(br.bytes)).toEqual(plain.bytes);
    expect(gunzipSync(gz.bytes)).toEqual(plain.bytes);
    expect(new Set([plain, br, gz].map(({ headers }) => headers.etag)).size).toBe(3);
    expect(br.headers.vary).toContain("Accept-Encoding");
    const again = await ask(app, file, { "accept-encoding": "br", "if-none-match": String(br.headers.etag) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  test.each([
    "/playground/v/../../package.json",
    "/playground/v/playground/..%2f..%2fconfig.ts",
    "/playground/v/config.ts",
    "/playground/v/client/",
    "/playground/v",
    "/playground/v/playground/tsconfig.json",
  ])("%s is not one of them", async (path) => {
    await using app = await startMap();
    expect((await ask(app, path)).status).toBe(404);
  });
});

describe("the demo key", () => {
  const PATH = "/playground/demo-key.json";

  test("is in the page on this machine", async () => {
    await using app = await startMap();
    const { headers, bytes } = await ask(app, PATH, { "sec-fetch-site": "same-origin" });
    expect(JSON.parse(bytes.toString())).toEqual({ key: app.key });
    expect(headers["cache-control"]).toBe("private, no-store");
  });

  test.each([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["a name that was made to point here", { host: "evil.example" }],
    ["somebody behind a proxy", { "x-forwarded-for": "203.0.113.7" }],
    ["somebody behind another proxy", { via: "1.1 proxy" }],
  ])("is not in the page for %s", async (_, headers) => {
    await using app = await startMap();
    const { status, bytes } = await ask(app, PATH, headers);
    expect(status).toBe(404);
    expect(bytes.toString()).not.toContain(app.key);
  });

  test("is not in the page in production", async () => {
    await using app = await startMap({}, false);
    expect((await ask(app, PATH)).status).toBe(404);
    expect(await readPage(app)).not.toContain(app.key);
  });

  test.each([
    ["127.0.0.1", "http://127.0.0.1:8080", true],
    ["localhost", "http://localhost:8080", true],
    ["::1", "http://[::1]:8080", true],
    ["0.0.0.0", "http://127.0.0.1:8080", false],
    ["::", "http://localhost:8080", false],
    ["127.0.0.1", "https://places.example", false],
    ["127.0.0.1.evil.example", "http://127.0.0.1:8080", false],
  ])(
    "a server listening on %s with the public address %s is only for this machine: %s",
    (HOST, PUBLIC_BASE_URL, expected) => {
      expect(isOnlyForThisMachine({ HOST, PUBLIC_BASE_URL })).toBe(expected);
    },
  );
});

describe("the overview of the map", () => {
  test("requires a key, like all data about places", async () => {
    await using app = await startMap();
    expect((await ask(app, "/playground/overview")).status).toBe(401);
  });

  test("is compressed, and not sent again to those who have it", async () => {
    await using app = await startMap();
    const headers = { "x-api-key": app.key, "accept-encoding": "br" };
    const first = await ask(app, "/playground/overview", headers);
    expect(first.headers["content-encoding"]).toBe("br");
    expect(first.headers["cache-control"]).toBe("private, no-cache");
    const ifNoneMatch = { "if-none-match": String(first.headers["etag"]) };
    expect((await ask(app, "/playground/overview", { ...headers, ...ifNoneMatch })).status).toBe(304);
    expect((await ask(app, "/playground/overview", ifNoneMatch)).status).toBe(401);
  });

  test("counts every place once per level, in the cell that contains it", async () => {
    await using app = await startMap();
    const { bytes } = await ask(app, "/playground/overview", { "x-api-key": app.key });
    const { places, types, levels } = JSON.parse(bytes.toString()) as {
      places: number;
      types: [string, number][];
      levels: { outline: number[]; places: number }[][];
    };
    expect(places).toBe(SAMPLE_PLACES.length);
    expect(types.map(([type]) => type).toSorted()).toEqual(["BAR", "COFFEE", "PLACE"]);
    expect(types.map(([, count]) => count)).toEqual([1, 1, 1]);
    expect(levels).toHaveLength(6);
    for (const level of levels) {
      expect(level.reduce((sum, cell) => sum + cell.places, 0)).toBe(SAMPLE_PLACES.length);
      for (const { outline } of level) {
        const [south = 0, west = 0] = outline;
        expect(outline.length).toBeGreaterThanOrEqual(10);
        expect([Math.round(south / 10_000), Math.round(west / 10_000)]).toEqual([11, 107]);
      }
    }
  });
});
