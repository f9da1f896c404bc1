import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fakePlaces } from "../../support/fake-places.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp(fakePlaces());
});

afterAll(() => app[Symbol.asyncDispose]());

describe.each([
  "/api/maps/search",
  "/api/maps/nearby",
  "/api/maps/reverse",
  "/api/maps/place",
  "/api/maps/autocomplete",
])("%s", (path) => {
  test("requires a key before it checks the parameters", async () => {
    const answer = await app.ask(`${path}?lat=abc`, { headers: { "x-api-key": "" } });
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code: "missing_api_key" });
    expect(answer.headers.get("www-authenticate")).toContain("x-api-key");
  });

  test("refuses an unknown key", async () => {
    for (const key of [
      "wrong",
      `${app.key}x`,
      app.key.slice(0, -1),
      app.key.toUpperCase(),
      `${app.key}, ${app.key}`,
    ]) {
      const answer = await app.ask(path, { headers: { "x-api-key": key } });
      expect(answer.body).toMatchObject({ status: 401, code: "invalid_api_key" });
      expect(answer.text).not.toContain(key);
    }
  });

  test("accepts the key in headers only", async () => {
    const target = `${path}?q=a&x-api-key=${app.key}&api_key=${app.key}`;
    const headers = { "x-api-key": "", authorization: `Basic ${app.key}` };
    expect((await app.ask(target, { headers })).status).toBe(401);
  });

  test("responds to HEAD without a key as to GET", async () => {
    expect((await app.ask(path, { method: "HEAD", headers: { "x-api-key": "" } })).status).toBe(401);
  });
});

test("the log never contains a key, valid or not", async () => {
  await app.ask("/api/maps/search?q=secretquery");
  await app.ask("/api/maps/search?q=secretquery", { headers: { "x-api-key": "secret-bad-key" } });
  expect(app.logBook.lines("request").length).toBeGreaterThanOrEqual(2);
  expect(app.logBook.text()).not.toContain(app.key);
  expect(app.logBook.text()).not.toContain("secret-bad-key");
  expect(
    app.logBook
      .lines("request")
      .map((line) => JSON.stringify(line))
      .join(""),
  ).not.toContain("secretquery");
});

test("the log distinguishes callers", async () => {
  await app.ask("/api/maps/search?q=a");
  expect(app.logBook.lines("request").at(-1)).toMatchObject({
    route: "/api/maps/search",
    method: "GET",
    status: 200,
    caller_id: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown,
    results: 0,
  });
});

test("Authorization: Bearer works like x-api-key, which comes first", async () => {
  await using app = await startTestApp(fakePlaces());
  const ask = async (headers: Record<string, string>) =>
    (await app.ask("/api/maps/search?q=pho", { headers: { "x-api-key": "", ...headers } })).status;
  expect(await ask({ authorization: `Bearer ${app.key}` })).toBe(200);
  expect(await ask({ authorization: `bearer  ${app.key}` })).toBe(200);
  expect(await ask({ authorization: `Bearer ${app.key}x` })).toBe(401);
  expect(await ask({ authorization: `Basic ${app.key}` })).toBe(401);
  expect(await ask({ authorization: app.key })).toBe(401);
  expect(await ask({ authorization: `Bearer ${app.key}`, "x-api-key": "another" })).toBe(401);
});

test("a Bearer key is not repeated as the id of a request", async () => {
  await using app = await startTestApp(fakePlaces());
  const headers = { "x-api-key": "", authorization: `Bearer ${app.key}`, "x-request-id": app.key };
  const answer = await app.ask("/api/maps/search?q=pho", { headers });
  expect(answer.headers.get("x-request-id")).not.toBe(app.key);
});

test("every response says whom to credit, if that is configured", async () => {
  await using app = await startTestApp({ ...fakePlaces(), attribution: "OpenStreetMap contributors" });
  for (const target of ["/api/maps/search?q=pho", "/api/maps/search", "/healthz"])
    expect((await app.ask(target)).headers.get("x-attribution")).toBe("OpenStreetMap contributors");
  await using silent = await startTestApp(fakePlaces());
  expect((await silent.ask("/api/maps/search?q=pho")).headers.has("x-attribution")).toBe(false);
});
