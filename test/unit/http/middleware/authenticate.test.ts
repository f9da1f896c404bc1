import Koa from "koa";
import { expect, test } from "vitest";
import type { Callers } from "../../../../src/keys/callers.ts";
import type { KeyVerdict } from "../../../../src/keys/key-record.ts";
import { authenticate, requireScope } from "../../../../src/http/middleware/authenticate.ts";
import { createFailedKeys } from "../../../../src/limits/failed-keys.ts";
import { problems } from "../../../../src/http/middleware/problems.ts";
import { paceRefusals } from "../../../../src/http/middleware/shed-load.ts";
import type { RequestState } from "../../../../src/http/request-state.ts";
import { createLogBook } from "../../../support/log-lines.ts";
import { serve } from "../../../support/serve.ts";
import { createTelemetryRecord } from "../../../support/telemetry-record.ts";

const caller = {
  callerId: "0123456789ab",
  limits: { perMinute: 1, perDay: 0 },
  scopes: new Set(["place"] as const),
};
const accepted: KeyVerdict = { caller };

/** Keys are verdicts: `ask("strange unavailable")` sends a key of which nothing is known, and which cannot be checked. */
const VERDICTS: Readonly<Record<string, KeyVerdict>> = {
  good: accepted,
  bad: { refused: "invalid_api_key" },
  revoked: { refused: "revoked_api_key" },
  expired: { refused: "expired_api_key" },
  busy: { unchecked: "busy" },
  unavailable: { unchecked: "unavailable" },
};

const callers: Callers = {
  async findCaller(key, admit) {
    const [first = "", second = ""] = key.split(" ");
    if (first === "strange" && !admit()) return { unchecked: "not_admitted" };
    return VERDICTS[first === "strange" ? second : first] ?? { refused: "invalid_api_key" };
  },
};

async function serveKeys({ limit = 3, scope }: { limit?: number; scope?: "place" | "search" } = {}) {
  const { logger } = createLogBook();
  const { telemetry, heard } = createTelemetryRecord();
  const app = new Koa<RequestState>();
  app.use(problems({ publicBaseUrl: "https://places.example", logger }));
  app.use(paceRefusals());
  app.use(authenticate({ callers, failedKeys: createFailedKeys(limit), telemetry }));
  if (scope) app.use(requireScope(scope));
  app.use((ctx) => {
    ctx.body = { caller: ctx.state.caller?.callerId };
  });
  const served = await serve(app);
  const ask = async (key: string) => {
    const answer = await fetch(served.url, { headers: { "x-api-key": key } });
    return {
      status: answer.status,
      headers: answer.headers,
      body: (await answer.json()) as Record<string, unknown>,
    };
  };
  const askTimes = async (key: string, times: number): Promise<number[]> => {
    const statuses = [];
    for (let i = 0; i < times; i += 1) statuses.push((await ask(key)).status);
    return statuses;
  };
  return { ask, askTimes, heard, [Symbol.asyncDispose]: () => served[Symbol.asyncDispose]() };
}

test.each([
  ["", 401, "missing_api_key"],
  ["bad", 401, "invalid_api_key"],
  ["revoked", 401, "revoked_api_key"],
  ["expired", 401, "expired_api_key"],
  ["busy", 503, "overloaded"],
  ["unavailable", 500, "internal_error"],
])("the key %j gets %i %s, with a challenge if it is invalid", async (key, status, code) => {
  await using server = await serveKeys();
  const answer = await server.ask(key);
  expect([answer.status, answer.body["code"]]).toStrictEqual([status, code]);
  expect(answer.headers.has("www-authenticate")).toBe(status === 401);
  expect(server.heard("requestShed")).toStrictEqual(status === 503 ? [["key_lookups"]] : []);
  expect(answer.headers.get("retry-after")).toBe(status === 401 ? null : "1");
});

test("invalid unknown keys are no longer looked up after a while, and a known key still passes", async () => {
  await using server = await serveKeys();
  expect(await server.askTimes("strange bad", 5)).toStrictEqual([401, 401, 401, 429, 429]);
  expect(await server.askTimes("strange good", 1)).toStrictEqual([429]);
  expect(await server.askTimes("good", 1)).toStrictEqual([200]);
});

test("an address that has to wait for its failures loses its connection, and is delayed when it goes on", async () => {
  await using server = await serveKeys({ limit: 1 });
  expect((await server.ask("strange bad")).headers.get("connection")).toBe("keep-alive");
  expect((await server.ask("strange bad")).headers.get("connection")).toBe("close");
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: 20 }, () => server.ask("strange bad")));
  expect(performance.now() - startedAt).toBeGreaterThan(900);
});

test("unknown keys that are valid or cannot be checked do not count as failed", async () => {
  await using server = await serveKeys({ limit: 1 });
  expect(await server.askTimes("strange good", 5)).toStrictEqual([200, 200, 200, 200, 200]);
  expect(await server.askTimes("strange unavailable", 3)).toStrictEqual([500, 500, 500]);
  expect(await server.askTimes("strange bad", 2)).toStrictEqual([401, 429]);
});

test("an invalid unknown key counts once", async () => {
  await using server = await serveKeys({ limit: 2 });
  expect(await server.askTimes("strange bad", 2)).toStrictEqual([401, 401]);
});

test("a key without the scope is refused with the name of the scope", async () => {
  await using server = await serveKeys({ scope: "search" });
  const answer = await server.ask("good");
  expect(answer.status).toBe(403);
  expect(answer.body).toMatchObject({ status: 403, code: "missing_scope" });
  expect(answer.body["detail"]).toContain('"search"');
  expect(answer.headers.has("www-authenticate")).toBe(false);
});

test.each([{ scope: "place" } as const, {}])("a key passes where %j is asked for", async (options) => {
  await using server = await serveKeys(options);
  expect((await server.ask("good")).body).toStrictEqual({ caller: "0123456789ab" });
});
