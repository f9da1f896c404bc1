import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fakePlaces } from "../../support/fake-places.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";

const PAGE = "https://app.example";
const TARGET = "/api/maps/search?q=cafe";

const toSet = (list: string | null): Set<string> =>
  new Set((list ?? "").split(",").map((part) => part.trim().toLowerCase()));

/** Asks first what a browser asks before it lets a page send x-api-key. */
const preflight = (app: TestApp, origin: string, path = TARGET): Promise<Response> =>
  fetch(app.url + path, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "GET",
      "access-control-request-headers": "x-api-key",
    },
  });

/** Whether a browser hands an answer to a page: by the rules of the Fetch standard for requests without credentials. */
const isReadable = (headers: Headers, origin: string): boolean =>
  ["*", origin].includes(headers.get("access-control-allow-origin") ?? "");

/** What a page gets that calls with a key: undefined where the browser stops it. */
async function callFromPage(app: TestApp, origin: string, target = TARGET, key = app.key) {
  const asked = await preflight(app, origin, target);
  const allowed = toSet(asked.headers.get("access-control-allow-headers"));
  if (!asked.ok || !isReadable(asked.headers, origin) || !allowed.has("x-api-key")) return undefined;
  const answer = await fetch(app.url + target, { headers: { origin, "x-api-key": key } });
  const exposed = toSet(answer.headers.get("access-control-expose-headers"));
  const seen = new Headers([...answer.headers].filter(([name]) => exposed.has(name)));
  return isReadable(answer.headers, origin) ? { status: answer.status, headers: seen } : undefined;
}

describe("with a list of origins", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({
      ...fakePlaces(),
      corsOrigins: [PAGE, "http://localhost:3000"],
      perMinute: 20,
    });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test.each([PAGE, "http://localhost:3000"])("a page of %s may call and read the limits", async (origin) => {
    const seen = await callFromPage(app, origin);
    expect(seen?.status).toBe(200);
    expect([...(seen?.headers.keys() ?? [])]).toEqual(
      expect.arrayContaining(["x-request-id", "ratelimit", "ratelimit-policy", "x-ratelimit-remaining"]),
    );
  });

  test.each([
    "https://other.example",
    "http://app.example",
    "https://app.example:8443",
    "https://app.example.evil.example",
    "https://xapp.example",
    "null",
    "https://APP.example",
    "",
  ])("a page of %j may not", async (origin) => {
    expect(await callFromPage(app, origin)).toBeUndefined();
    const answer = await app.ask(TARGET, { headers: { origin } });
    expect(answer.status).toBe(200);
    expect(answer.headers.has("access-control-allow-origin")).toBe(false);
  });

  test("a preflight requires no key, does not count and may be cached", async () => {
    const before = await app.ask(TARGET);
    for (let count = 0; count < 10; count++) await preflight(app, PAGE);
    const after = await app.ask(TARGET);
    const left = (answer: typeof before): number => Number(answer.headers.get("x-ratelimit-remaining"));
    expect(left(before) - left(after)).toBe(1);
    const reply = await preflight(app, PAGE);
    expect(reply.status).toBe(204);
    expect(await reply.text()).toBe("");
    expect(Number(reply.headers.get("access-control-max-age"))).toBeGreaterThan(0);
    expect(reply.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test("a preflight allows only what changes nothing", async () => {
    const reply = await fetch(app.url + TARGET, {
      method: "OPTIONS",
      headers: {
        origin: PAGE,
        "access-control-request-method": "DELETE",
        "access-control-request-headers": "authorization, x-evil",
      },
    });
    expect(toSet(reply.headers.get("access-control-allow-methods"))).toEqual(
      new Set(["get", "head", "options", "post"]),
    );
    expect(toSet(reply.headers.get("access-control-allow-headers"))).toEqual(
      new Set(["authorization", "content-type", "x-api-key", "x-request-id"]),
    );
    expect(reply.headers.has("access-control-allow-credentials")).toBe(false);
  });

  test.each([
    ["401", "/api/maps/search?q=cafe", "no-such-key-at-all"],
    ["422", "/api/maps/search", undefined],
    ["404", "/nowhere", undefined],
  ])("a page can read a %s", async (status, target, key) => {
    const seen = await callFromPage(app, PAGE, target, key);
    expect(seen?.status).toBe(Number(status));
  });

  test("a page can read a 429 and its Retry-After", async () => {
    let seen = await callFromPage(app, PAGE);
    for (let count = 0; seen?.status === 200 && count < 30; count++) seen = await callFromPage(app, PAGE);
    expect(seen?.status).toBe(429);
    expect(Number(seen?.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("caches keep responses for different origins apart", async () => {
    for (const headers of [{ origin: PAGE }, { origin: "https://other.example" }, {}]) {
      const { headers: replied } = await app.ask("/healthz", { headers });
      expect(toSet(replied.get("vary"))).toEqual(
        new Set(["accept-language", "authorization", "x-api-key", "origin"]),
      );
    }
  });

  test("an OPTIONS request that is not a preflight is a 405", async () => {
    expect((await app.ask(TARGET, { method: "OPTIONS" })).status).toBe(405);
  });
});

test("with * every page may call, and no origin is echoed", async () => {
  await using app = await startTestApp({ ...fakePlaces(), corsOrigins: ["*"] });
  expect((await callFromPage(app, "https://any.example"))?.status).toBe(200);
  const reply = await preflight(app, "https://any.example");
  expect(reply.headers.get("access-control-allow-origin")).toBe("*");
});

test("without a list no other page may call", async () => {
  await using app = await startTestApp(fakePlaces());
  expect((await preflight(app, PAGE)).status).toBe(405);
  const { headers } = await app.ask(TARGET, { headers: { origin: PAGE } });
  expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
});

test.each(["http://localhost:5173", "http://localhost:8080"])(
  "http://localhost:* allows a page of any port: %s",
  async (origin) => {
    await using app = await startTestApp({ ...fakePlaces(), corsOrigins: ["http://localhost:*"] });
    expect((await callFromPage(app, origin))?.status).toBe(200);
  },
);

test.each([
  "http://localhost.evil.example:80",
  "https://localhost:5173",
  "http://localhost:5173.evil.example",
])("http://localhost:* does not allow %s", async (origin) => {
  await using app = await startTestApp({ ...fakePlaces(), corsOrigins: ["http://localhost:*"] });
  expect(await callFromPage(app, origin)).toBeUndefined();
});

describe.each([[[]], [[PAGE]]])("with the list %j", (corsOrigins) => {
  test("each refused origin is logged once, with the setting to change", async () => {
    await using app = await startTestApp({ ...fakePlaces(), corsOrigins });
    for (const origin of ["https://one.example", "https://two.example", "https://one.example"])
      await preflight(app, origin);
    expect(app.logBook.lines("origin_refused")).toMatchObject([
      { level: "warn", origin: "https://one.example", setting: "CORS_ORIGINS" },
      { level: "warn", origin: "https://two.example", setting: "CORS_ORIGINS" },
    ]);
  });

  test("what is no origin, the own page, and more than a person reads are not logged", async () => {
    await using app = await startTestApp({ ...fakePlaces(), corsOrigins });
    for (const origin of ["null", "https://user:secret@one.example", "words", app.url])
      await preflight(app, origin);
    expect(app.logBook.lines("origin_refused")).toEqual([]);
    for (let page = 0; page < 50; page++) await preflight(app, `https://${page}.example`);
    expect(app.logBook.lines("origin_refused").length).toBeLessThan(50);
  });
});
