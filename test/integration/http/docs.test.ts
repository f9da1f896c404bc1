import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readDocsSite } from "../../../src/docs/site.ts";
import { fakePlaces } from "../../support/fake-places.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  const docs = await readDocsSite({
    PUBLIC_BASE_URL: "https://places.example",
    EXTERNAL_MAPS_URL: "https://maps.example/?id={data_id}",
    MCP: "on",
  });
  app = await startTestApp({ ...fakePlaces(), redisUrl: "none", docs });
});
afterAll(() => app?.[Symbol.asyncDispose]());

interface Reply {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Asks without a key and takes the answer as it comes; `fetch` would unpack it, and say that it wants nothing cached. */
async function get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  request(app.url + path, { headers, method }, (response) => {
    response.toArray().then((chunks: Buffer[]) => {
      resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) });
    }, reject);
  })
    .on("error", reject)
    .end();
  return promise;
}

const STORED = [
  "/openapi.json",
  "/llms.txt",
  "/docs/cafes.csv",
  "/docs",
  "/docs/quick-start",
  "/docs/errors",
  "/docs/assets/docs.css",
];

describe.each(STORED)("%s", (path) => {
  test("requires no key, and may be cached if revalidated", async () => {
    const { status, headers, body } = await get(path);
    expect(status).toBe(200);
    expect(body.length).toBeGreaterThan(500);
    expect(headers["cache-control"]).toMatch(/^public, (?:no-cache|max-age=300)$/);
    expect(headers["vary"]).toBe("Accept-Encoding");
  });

  test("returns 304 to a caller with the same ETag", async () => {
    const { headers } = await get(path);
    const etag = String(headers["etag"]);
    const again = await get(path, { "if-none-match": etag });
    expect(again.status).toBe(304);
    expect(again.body).toHaveLength(0);
    expect(again.headers["etag"]).toBe(etag);
    expect((await get(path, { "if-none-match": '"another"' })).status).toBe(200);
  });

  test("is compressed if accepted, with the same content in every encoding", async () => {
    const plain = await get(path, { "accept-encoding": "identity" });
    const brotli = await get(path, { "accept-encoding": "gzip, br" });
    const gzip = await get(path, { "accept-encoding": "gzip" });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect([brotli.headers["content-encoding"], gzip.headers["content-encoding"]]).toEqual(["br", "gzip"]);
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
  });

  test("returns the same headers and no body for HEAD", async () => {
    const [head, whole] = [await get(path, {}, "HEAD"), await get(path)];
    expect(head.status).toBe(200);
    expect(head.body).toHaveLength(0);
    expect(head.headers["content-length"]).toBe(whole.headers["content-length"]);
  });
});

test.each([
  "/docs/",
  "/docs/nothing",
  "/docs/../package.json",
  "/docs/assets/read-site.ts",
  "/docs/errors.md",
])("%s is not a page", async (path) => {
  const { status, headers, body } = await get(path);
  expect(status).toBe(404);
  expect(headers["content-type"]).toBe("application/problem+json");
  expect(JSON.parse(body.toString())).toMatchObject({ code: "unknown_route" });
});

test("other methods are refused", async () => {
  expect((await get("/docs", {}, "POST")).status).toBe(405);
  expect((await get("/openapi.json", {}, "DELETE")).status).toBe(405);
});

test.each(["/docs", "/docs/errors"])("%s allows no script but our own, and no frame", async (path) => {
  const policy = String((await get(path)).headers["content-security-policy"]);
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  const html = (await get(path)).body.toString();
  expect(html).not.toMatch(/<script(?! defer src="\/docs\/assets\/)/);
  expect(html).not.toMatch(/ on\w+="/);
});

test("the document has the public address and every operation", async () => {
  const { headers, body } = await get("/openapi.json");
  expect(headers["content-type"]).toMatch(/^application\/json/);
  const document = JSON.parse(body.toString()) as {
    openapi: string;
    servers: object[];
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  expect(document.openapi).toBe("3.1.0");
  expect(document.servers).toMatchObject([{ url: "https://places.example" }]);
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(operations.map(({ operationId }) => operationId)).toEqual(
    expect.arrayContaining(["searchPlaces", "findNearby", "reverse", "getPlace", "putPlace", "autocomplete"]),
  );
});

test("the pages use the public address", async () => {
  const html = (await get("/docs/quick-start")).body.toString();
  expect(html).toContain("https://places.example/api/maps");
  expect(html).not.toContain("127.0.0.1:8080");
});

test("/llms.txt links to the API in the forms for programs, and to pages that exist", async () => {
  const text = (await get("/llms.txt")).body.toString();
  const links = [...text.matchAll(/\]\(https:\/\/places\.example(\/[^)]*)\)/g)].map(([, path = ""]) => path);
  expect(links.slice(0, 3)).toEqual(["/openapi.json", "/mcp", "/docs"]);
  expect(links.length).toBeGreaterThan(15);
  for (const link of links.filter((path) => path !== "/mcp"))
    expect([link, (await get(link)).status]).toEqual([link, 200]);
});

test("/llms.txt does not name what is switched off", async () => {
  const config = {
    PUBLIC_BASE_URL: "https://places.example",
    EXTERNAL_MAPS_URL: "https://maps.example/{data_id}",
    MCP: "off",
  } as const;
  const page = (await readDocsSite(config)).find(({ asset }) => asset.path === "/llms.txt");
  const text = (await page?.asset.read("identity"))?.toString();
  expect(text).toContain("/openapi.json");
  expect(text).not.toContain("places.example/mcp");
});
