import Koa from "koa";
import { expect, test } from "vitest";
import { authenticate } from "../../../../src/http/middleware/authenticate.ts";
import { createCallers } from "../../../../src/keys/callers.ts";
import { createFailedKeys } from "../../../../src/limits/failed-keys.ts";
import { problems } from "../../../../src/http/middleware/problems.ts";
import { createLimiter, rateLimit } from "../../../../src/http/middleware/rate-limit.ts";
import type { RequestState } from "../../../../src/http/request-state.ts";
import { noTelemetry } from "../../../../src/telemetry/telemetry.ts";
import { createLogBook } from "../../../support/log-lines.ts";
import { serve } from "../../../support/serve.ts";

/** The limiter without a Redis, in front of an answer that may fail. */
async function serveLimited({ perMinute = 100, perDay = 0, fail = false }) {
  const { logger } = createLogBook();
  const clock = { now: Temporal.Instant.from("2026-11-20T23:59:30Z") };
  const now = (): Temporal.Instant => clock.now;
  const app = new Koa<RequestState>();
  app.use(problems({ publicBaseUrl: "https://places.example", logger }));
  const callers = createCallers(["key-one", "key-two"], { perMinute, perDay });
  app.use(authenticate({ callers, failedKeys: createFailedKeys(), telemetry: noTelemetry }));
  const { take } = createLimiter({ telemetry: noTelemetry, now });
  app.use(rateLimit({ take, now }));
  app.use((ctx) => {
    if (fail) throw new Error("broken");
    ctx.body = "ok";
  });
  const served = await serve(app);
  const ask = (key = "key-one") => fetch(served.url, { headers: { "x-api-key": key } });
  return { ask, clock, [Symbol.asyncDispose]: () => served[Symbol.asyncDispose]() };
}

async function readStatuses(ask: () => Promise<Response>, times: number): Promise<number[]> {
  const statuses = [];
  for (let i = 0; i < times; i += 1) statuses.push((await ask()).status);
  return statuses;
}

test("the limit of a minute passes, then 429 with the time to wait", async () => {
  await using limited = await serveLimited({ perMinute: 3 });
  expect(await readStatuses(() => limited.ask(), 3)).toStrictEqual([200, 200, 200]);
  const refused = await limited.ask();
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ code: "rate_limit_minute" });
  expect(refused.headers.get("retry-after")).toMatch(/^([1-9]|[1-5]\d|60)$/);
});

test("a limit of one lets one request pass", async () => {
  await using limited = await serveLimited({ perMinute: 1, perDay: 1 });
  expect(await readStatuses(() => limited.ask(), 2)).toStrictEqual([200, 429]);
});

test("callers do not share a limit", async () => {
  await using limited = await serveLimited({ perMinute: 1 });
  expect(await readStatuses(() => limited.ask("key-one"), 2)).toStrictEqual([200, 429]);
  expect((await limited.ask("key-two")).status).toBe(200);
});

test("the day has its own code and the seconds to midnight, and restarts after it", async () => {
  await using limited = await serveLimited({ perDay: 2 });
  expect(await readStatuses(() => limited.ask(), 2)).toStrictEqual([200, 200]);
  const refused = await limited.ask();
  expect(await refused.json()).toMatchObject({ status: 429, code: "rate_limit_day" });
  expect(refused.headers.get("retry-after")).toBe("30");
  expect(refused.headers.get("x-ratelimit-limit")).toBe("2");
  expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
  limited.clock.now = Temporal.Instant.from("2026-11-21T00:00:00Z");
  expect((await limited.ask()).status).toBe(200);
});

test("what the minute refuses does not count for the day", async () => {
  await using limited = await serveLimited({ perMinute: 2, perDay: 100 });
  const [first, , third] = [await limited.ask(), await limited.ask(), await limited.ask()];
  expect(first.headers.get("ratelimit")).toMatch(/"day";r=99;t=30$/);
  expect(third.status).toBe(429);
  expect(third.headers.get("ratelimit")).toMatch(/^"minute";r=0;t=\d+, "day";r=98;t=30$/);
  expect(third.headers.get("ratelimit-policy")).toBe('"minute";q=2;w=60, "day";q=100;w=86400');
});

test("every response has the limit headers, even an error", async () => {
  await using limited = await serveLimited({ perMinute: 10, perDay: 50, fail: true });
  const response = await limited.ask();
  expect(response.status).toBe(500);
  expect(response.headers.get("x-ratelimit-limit")).toBe("10");
  expect(response.headers.get("x-ratelimit-remaining")).toBe("9");
  expect(response.headers.get("x-ratelimit-reset")).toMatch(/^\d{10}$/);
  expect(response.headers.get("ratelimit")).toMatch(/^"minute";r=9;t=\d+, "day";r=49;t=30$/);
});

test("the usual headers show the window with less left, with the reset in epoch seconds", async () => {
  await using limited = await serveLimited({ perMinute: 600, perDay: 43 });
  limited.clock.now = Temporal.Instant.from("2026-11-20T23:59:20.400Z");
  const { headers } = await limited.ask();
  expect(headers.get("x-ratelimit-limit")).toBe("43");
  expect(headers.get("x-ratelimit-remaining")).toBe("42");
  expect(headers.get("x-ratelimit-reset")).toBe(String(Date.parse("2026-11-21T00:00:01Z") / 1000));
});

test("a day without a limit is not in the headers", async () => {
  await using limited = await serveLimited({ perMinute: 10, perDay: 0 });
  const response = await limited.ask();
  expect(response.headers.get("ratelimit")).toMatch(/^"minute";r=9;t=\d+$/);
  expect(response.headers.get("ratelimit-policy")).toBe('"minute";q=10;w=60');
});

test("a response without a key has no limit headers", async () => {
  await using limited = await serveLimited({});
  const response = await limited.ask("wrong");
  expect(response.status).toBe(401);
  expect(response.headers.has("x-ratelimit-limit")).toBe(false);
});
