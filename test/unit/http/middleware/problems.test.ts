import Koa from "koa";
import { expect, test } from "vitest";
import { ProblemError, engineUnavailable, invalidParameters } from "../../../../src/errors.ts";
import { accessLog } from "../../../../src/http/middleware/access-log.ts";
import { problems } from "../../../../src/http/middleware/problems.ts";
import { requestId, type HttpContext, type RequestState } from "../../../../src/http/request-state.ts";
import { noTelemetry } from "../../../../src/telemetry/telemetry.ts";
import { createLogBook } from "../../../support/log-lines.ts";
import { serve } from "../../../support/serve.ts";

async function ask(answer: (ctx: HttpContext) => void, init: RequestInit = {}) {
  const logBook = createLogBook();
  const app = new Koa<RequestState>();
  app.use(requestId());
  app.use(
    accessLog({
      logger: logBook.logger,
      telemetry: noTelemetry,
      slowRequestMs: Infinity,
      parameterNames: new Set(),
    }),
  );
  app.use(problems({ publicBaseUrl: "https://places.example", logger: logBook.logger }));
  app.use(answer);
  await using served = await serve(app);
  const response = await fetch(`${served.url}/some/path?q=secret`, init);
  const text = await response.text();
  return { response, text, logBook };
}

const raise = (error: unknown) => () => {
  throw error;
};

test("a problem becomes an RFC 9457 body with our fields in this order", async () => {
  const errors = [{ parameter: "q", code: "missing", message: "q is required." }] as const;
  const refuse = (ctx: HttpContext): never => {
    // As the router leaves it.
    Object.assign(ctx, { matched: [{ path: "/some/path", methods: ["GET"] }] });
    throw invalidParameters(errors);
  };
  const { response, text } = await ask(refuse, { headers: { "x-request-id": "from-outside_1" } });
  expect(response.status).toBe(422);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(text).toBe(
    JSON.stringify({
      type: "https://places.example/docs/errors#invalid_parameter",
      title: "Invalid parameter",
      status: 422,
      detail: "Invalid or missing: q.",
      instance: "/some/path",
      code: "invalid_parameter",
      request_id: "from-outside_1",
      errors,
    }),
  );
});

test("an unexpected error is logged with its stack and reveals nothing to the caller", async () => {
  const { response, text, logBook } = await ask(raise(new TypeError("cannot read 10.0.0.7:7700")));
  expect(response.status).toBe(500);
  expect(JSON.parse(text)).toMatchObject({
    code: "internal_error",
    status: 500,
    title: "Internal server error",
  });
  expect(text).not.toContain("10.0.0.7");
  expect(text).not.toContain("TypeError");
  const [line] = logBook.lines("request_failed");
  expect(line).toMatchObject({
    level: "error",
    err: { type: "TypeError", stack: expect.any(String) as unknown },
  });
  expect(line?.["request_id"]).toBe(response.headers.get("x-request-id"));
});

test.each([
  "text",
  undefined,
  null,
  42,
  { status: 200 },
  Object.assign(new Error("no"), { status: 418, expose: true }),
])("any other thrown value (%s) is an internal error", async (thrown) => {
  const { response, text } = await ask(raise(thrown));
  expect(response.status).toBe(500);
  expect(JSON.parse(text)).toMatchObject({ code: "internal_error" });
});

test("a failing engine is logged with its cause, which the caller does not see", async () => {
  const { text, logBook } = await ask(
    raise(engineUnavailable(new Error("connect ECONNREFUSED 10.0.0.7:7700"))),
  );
  expect(text).not.toContain("ECONNREFUSED");
  expect(logBook.lines("engine_failed")).toMatchObject([
    { err: { message: "connect ECONNREFUSED 10.0.0.7:7700" } },
  ]);
});

test("an error of the caller is not logged as a failure", async () => {
  const { logBook } = await ask(raise(new ProblemError("unknown_place", { detail: "No." })));
  expect(logBook.lines("request_failed")).toStrictEqual([]);
  expect(logBook.lines("request")).toMatchObject([{ level: "info", status: 404, code: "unknown_place" }]);
});

test("headers set before the failure stay, but not a body and its type", async () => {
  const { response, text } = await ask((ctx) => {
    ctx.set("X-RateLimit-Limit", "600");
    ctx.type = "html";
    ctx.body = "<p>half an answer";
    throw new ProblemError("rate_limit_minute", { detail: "Slow down.", headers: { "Retry-After": "7" } });
  });
  expect(response.headers.get("x-ratelimit-limit")).toBe("600");
  expect(response.headers.get("retry-after")).toBe("7");
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(text).not.toContain("half an answer");
  expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
});

test("a problem for HEAD has only headers", async () => {
  const { response, text } = await ask(raise(new ProblemError("unknown_place", { detail: "No." })), {
    method: "HEAD",
  });
  expect(response.status).toBe(404);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(Number(response.headers.get("content-length"))).toBeGreaterThan(100);
  expect(text).toBe("");
});

test.each(["", "two words", "x".repeat(65), "a,b", "ünïcode"])(
  "an x-request-id like %j is not taken over",
  async (asked) => {
    const headers = { "x-request-id": Buffer.from(asked).toString("latin1") };
    const { response } = await ask((ctx) => void (ctx.body = "ok"), { headers });
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  },
);

test("the access log never contains the query or a header", async () => {
  const { logBook } = await ask((ctx) => void (ctx.body = "ok"), { headers: { "x-api-key": "topsecret" } });
  expect(logBook.lines("request")).toHaveLength(1);
  expect(logBook.text()).not.toContain("secret");
});
