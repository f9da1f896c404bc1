import Koa from "koa";
import { expect, test } from "vitest";
import type { RequestState } from "../../../src/http/request-state.ts";
import { responseHeaders } from "../../../src/http/middleware/response-headers.ts";
import { fakePlaces } from "../../support/fake-places.ts";
import { serve } from "../../support/serve.ts";
import { startTestApp } from "../../support/test-app.ts";

// `support/contract.ts` checks the headers of every response in all tests.

test.each([
  ["set by a page", (ctx: Koa.Context) => ctx.set("Content-Security-Policy", "img-src *"), "img-src *"],
  ["by default", () => {}, "default-src 'none'; frame-ancestors 'none'"],
])("the content security policy %s", async (_, setPolicy, expected) => {
  const app = new Koa<RequestState>();
  app.use(responseHeaders({ hstsMaxAgeSeconds: 0 }));
  app.use((ctx) => {
    setPolicy(ctx as Koa.Context);
    ctx.body = "page";
  });
  await using served = await serve(app);
  const { headers } = await fetch(served.url);
  expect(headers.get("content-security-policy")).toBe(expected);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});

test.each([new Error("an uncaught error"), "no error at all" as unknown as Error])(
  "an uncaught %s also has the headers",
  async (thrown) => {
    const app = new Koa<RequestState>();
    app.silent = true;
    app.use(responseHeaders({ hstsMaxAgeSeconds: 60 }));
    app.use(() => Promise.reject(thrown));
    await using served = await serve(app);
    const reply = await fetch(served.url);
    expect(reply.status).toBe(500);
    expect(await reply.text()).toBe("Internal Server Error");
    expect([...reply.headers.keys()]).toEqual(
      expect.arrayContaining([
        "x-content-type-options",
        "content-security-policy",
        "strict-transport-security",
      ]),
    );
  },
);

test("HTTPS is enforced only if configured", async () => {
  await using plain = await startTestApp(fakePlaces());
  await using secure = await startTestApp({ ...fakePlaces(), hstsMaxAgeSeconds: 31_536_000 });
  const header = async (app: typeof plain) =>
    (await app.ask("/healthz")).headers.get("strict-transport-security");
  expect(await header(plain)).toBeNull();
  expect(await header(secure)).toBe("max-age=31536000");
});
