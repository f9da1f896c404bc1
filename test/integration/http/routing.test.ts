import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlaceSearch } from "../../../src/search/search-request.ts";
import { fakePlaces, NOTHING_FOUND } from "../../support/fake-places.ts";
import { sendRaw } from "../../support/raw-http.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";

const PATHS = [
  "/api/maps/search",
  "/api/maps/nearby",
  "/api/maps/reverse",
  "/api/maps/place",
  "/api/maps/places",
  "/api/maps/autocomplete",
  "/healthz",
  "/readyz",
];

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp(fakePlaces());
});

afterAll(() => app[Symbol.asyncDispose]());

test.each([
  "/",
  "/api",
  "/api/maps",
  "/api/maps/search/",
  "/api/maps/Search",
  "/api/maps/search/x",
  "//api/maps/search",
  "/api/maps/%73earch",
  "/api/maps/..%2fsearch",
  "/__proto__",
  "/constructor",
  "/%ff%00",
  "/%",
  "/<script>",
  '/a"b',
])("%s is a 404", async (path) => {
  const reply = await sendRaw(app.port, `GET ${path}?q=secret HTTP/1.1`);
  expect(reply.status).toBe(404);
  expect(reply.body).toMatchObject({ code: "unknown_route" });
  expect(reply.text).not.toContain("secret");
});

test("an unknown path is a 404 without a key", async () => {
  const answer = await app.ask("/nowhere", { headers: { "x-api-key": "" } });
  expect(answer.body).toMatchObject({ status: 404, code: "unknown_route", instance: "" });
});

describe("a browser at an unknown path", () => {
  const PEOPLE = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
  test.each([
    ["en-GB", "Page not found"],
    ["vi-VN,vi;q=0.9", "Không tìm thấy trang"],
    ["fr", "Page not found"],
  ])("that prefers %s gets a page for people", async (language, title) => {
    // Not `app.ask`, which checks that every response is as in the OpenAPI document.
    const response = await fetch(`${app.url}/nowhere?q=secret`, {
      headers: { accept: PEOPLE, "accept-language": language },
    });
    const { status, headers } = response;
    const text = await response.text();
    expect(status).toBe(404);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(text).toContain(`<h1>${title}</h1>`);
    expect(text).not.toContain("secret");
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
  });

  test.each(["*/*", "application/json", "application/json, text/html;q=0.9", "application/geo+json"])(
    "is a problem for programs, which accept %s",
    async (accept) => {
      const { headers, body } = await app.ask("/nowhere", { headers: { accept } });
      expect(headers.get("content-type")).toBe("application/problem+json");
      expect(body).toMatchObject({ code: "unknown_route" });
    },
  );

  test("gets problems of known paths as they are", async () => {
    const { headers, status } = await app.ask("/api/maps/search", { headers: { accept: PEOPLE } });
    expect([status, headers.get("content-type")]).toEqual([422, "application/problem+json"]);
  });
});

describe.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])("%s", (method) => {
  test("is not allowed at any path, with or without a key", async () => {
    for (const path of PATHS) {
      const answer = await app.ask(`${path}?q=a`, { method, headers: { "x-api-key": "" } });
      expect(answer.body).toMatchObject({ status: 405, code: "method_not_allowed", instance: path });
      expect(answer.headers.get("allow")).toBe("GET, HEAD");
    }
  });

  test("is a 404 at an unknown path", async () => {
    expect((await app.ask("/nowhere", { method })).status).toBe(404);
  });
});

test("an unexpected body does no harm", async () => {
  const answer = await app.ask("/api/maps/search", { method: "POST", body: "x".repeat(1_000_000) });
  expect(answer.status).toBe(405);
  expect((await app.ask("/healthz")).status).toBe(200);
});

test("the request line may contain the whole address, as sent by proxies", async () => {
  const reply = await sendRaw(app.port, "GET http://other.example/healthz?x=1 HTTP/1.1");
  expect(reply.status).toBe(200);
});

test.each([
  "GET http://[::1 HTTP/1.1",
  "GET http:// HTTP/1.1",
  "GET http://%zz/ HTTP/1.1",
  "OPTIONS * HTTP/1.1",
])("%s is a 404", async (requestLine) => {
  const reply = await sendRaw(app.port, requestLine);
  expect(reply.status).toBe(404);
  expect(reply.body).toMatchObject({ code: "unknown_route" });
});

test.each([
  "GET /a b HTTP/1.1",
  "GET",
  "NONSENSE / HTTP/1.1",
  "GET /\u00e9 HTTP/1.1",
  "\0\0\0\0",
  "GET /healthz HTTP/9.9",
])("%j is refused as invalid HTTP", async (requestLine) => {
  expect((await sendRaw(app.port, requestLine)).status).toBe(400);
});

test("a request line of 20 kB is refused before the app", async () => {
  expect((await sendRaw(app.port, `GET /api/maps/search?q=${"x".repeat(20_000)} HTTP/1.1`)).status).toBe(431);
});

test("an x-request-id of the caller is in header, body and log", async () => {
  const answer = await app.ask("/nowhere", { headers: { "x-request-id": "abc-123_X" } });
  expect(answer.body).toMatchObject({ request_id: "abc-123_X" });
  expect(app.logBook.lines("request").at(-1)).toMatchObject({ request_id: "abc-123_X", route: "none" });
});

test("a caller who disconnects before the response causes no error", async () => {
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const search: PlaceSearch["search"] = async () => {
    onAsked();
    await answered;
    return NOTHING_FOUND;
  };
  const { search: fake } = fakePlaces();
  await using slow = await startTestApp({ ...fakePlaces(), search: { ...fake, search, suggest: search } });
  const socket = connect(slow.port, "127.0.0.1");
  socket.write(`GET /api/maps/search?q=a HTTP/1.1\r\nHost: x\r\nx-api-key: ${slow.key}\r\n\r\n`);
  await asked;
  socket.resetAndDestroy();
  answer();
  await expect.poll(() => slow.logBook.lines("request")).toHaveLength(1);
  expect((await slow.ask("/healthz")).status).toBe(200);
  expect(slow.logBook.lines().filter(({ level }) => level === "error")).toStrictEqual([]);
});
