import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { createApp } from "../../../src/http/app.ts";
import { engineUnavailable } from "../../../src/errors.ts";
import { createLimiter } from "../../../src/http/middleware/rate-limit.ts";
import { createCallers } from "../../../src/keys/callers.ts";
import { EngineResponseError } from "../../../src/meilisearch/connection.ts";
import type { PlaceIndex } from "../../../src/meilisearch/place-index.ts";
import { createPlaceSearch } from "../../../src/search/search-places.ts";
import type { PlaceSearch } from "../../../src/search/search-request.ts";
import { createTelemetryRecord } from "../../support/telemetry-record.ts";
import { buildPlace } from "../../support/build-place.ts";
import { createLogBook } from "../../support/log-lines.ts";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { sendRaw } from "../../support/raw-http.ts";
import { serve } from "../../support/serve.ts";

const KEY = `secret-${randomBytes(12).toString("hex")}`;
const CAFE = buildPlace({ data_id: "0x1:0xcafe", title: "Cafe Sua Da" });

interface Setting {
  readonly level?: string;
  readonly search?: (memory: PlaceSearch) => PlaceSearch;
  readonly slowRequestMs?: number;
}

interface Asking {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const disposals: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of disposals.splice(0)) await each[Symbol.asyncDispose]();
});

/** The real app over an index in memory, with its log and what it told its telemetry. */
async function start({ level = "info", search = (memory) => memory, slowRequestMs = 60_000 }: Setting = {}) {
  const logBook = createLogBook(level);
  const record = createTelemetryRecord();
  const index: PlaceIndex = createMemoryIndex([CAFE]);
  const { logger } = logBook;
  const now = (): Temporal.Instant => Temporal.Now.instant();
  const app = createApp({
    config: {
      PUBLIC_BASE_URL: "https://places.example",
      EXTERNAL_MAPS_URL: "https://maps.example/?id={data_id}",
    },
    callers: createCallers([KEY], { perMinute: 1_000_000, perDay: 0 }),
    limiter: createLimiter({ telemetry: record.telemetry, now }),
    index,
    search: search(createPlaceSearch(index)),
    logger,
    now,
    telemetry: record.telemetry,
    slowRequestMs,
  });
  const served = await serve(app);
  disposals.push(served);
  const ask = (target: string, { headers, ...init }: Asking = {}) =>
    fetch(served.url + target, { ...init, headers: { "x-api-key": KEY, ...headers } });
  return { ...logBook, record, ask, port: served.port };
}

describe("the line of a request", () => {
  test("tells who, what, how long and how much", async () => {
    const { ask, lines } = await start();
    const answer = await ask("/api/maps/search?q=cafe&lat=10.7769&lng=106.7009", {
      headers: { "x-request-id": "mine" },
    });
    const text = await answer.text();
    expect(lines("request")).toEqual([
      {
        level: "info",
        time: expect.any(String) as unknown,
        event: "request",
        request_id: "mine",
        route: "/api/maps/search",
        method: "GET",
        status: 200,
        duration_ms: expect.any(Number) as unknown,
        caller_id: expect.stringMatching(/^\w{8,}$/) as unknown,
        results: 1,
        bytes: Buffer.byteLength(text),
      },
    ]);
  });

  test.each([
    { target: "/api/maps/search", status: 422, route: "/api/maps/search", code: "invalid_parameter" },
    {
      target: "/api/maps/place?data_id=0x1:0x2",
      status: 404,
      route: "/api/maps/place",
      code: "unknown_place",
    },
    { target: "/nobody/is/here", status: 404, route: "none", code: "unknown_route" },
    { target: "/metrics", status: 404, route: "none", code: "unknown_route" },
    { target: "/healthz", status: 200, route: "/healthz", code: undefined },
  ])("to $target names the pattern and the problem, as the telemetry does", async (expected) => {
    const { ask, lines, record } = await start();
    await ask(expected.target);
    const { status, route, code } = expected;
    expect(lines("request")).toMatchObject([{ status, route, ...(code && { code }) }]);
    expect(record.heard("requestStarted")).toHaveLength(1);
    expect(record.heard("requestEnded")).toMatchObject([[{ status, route, method: "GET", problem: code }]]);
  });

  test("says when nobody read the answer", async () => {
    const gate = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const { ask, lines } = await start({
      search: (memory) => ({
        ...memory,
        search: async (request) => {
          arrived.resolve();
          await gate.promise;
          return memory.search(request);
        },
      }),
    });
    const leaving = new AbortController();
    const asked = ask("/api/maps/search?q=cafe", { signal: leaving.signal });
    await arrived.promise;
    leaving.abort();
    await expect(asked).rejects.toThrow("aborted");
    // The server hears of it with the next turns of its loop.
    await new Promise((resolve) => setTimeout(resolve, 50));
    gate.resolve();
    await expect.poll(() => lines("request")).toMatchObject([{ status: 499 }]);
  });
});

describe("slow requests and empty searches", () => {
  test("a slow one has a line of its own, with the shape of the request and not its words", async () => {
    const { ask, lines } = await start({ slowRequestMs: 0 });
    await ask("/api/maps/search?q=cafe&lat=10.77&radius=500&made_up_name=1&__proto__=2");
    expect(lines("request_slow")).toMatchObject([
      { level: "warn", route: "/api/maps/search", parameters: ["lat", "q", "radius"], query_letters: 4 },
    ]);
    expect(lines("request")).toHaveLength(1);
  });

  test("one that is fast enough has none", async () => {
    const { ask, lines } = await start();
    await ask("/api/maps/search?q=cafe");
    expect(lines("request_slow")).toEqual([]);
  });

  test("an empty search has a line of its own and is counted, its second page is not", async () => {
    const { ask, lines, record } = await start();
    await ask("/api/maps/search?q=zzzzqqqq&min_rating=4");
    await ask("/api/maps/search?q=zzzzqqqq&offset=20");
    await ask("/api/maps/search?q=cafe");
    expect(lines("request_empty")).toMatchObject([
      { level: "info", results: 0, parameters: ["min_rating", "q"], query_letters: 8 },
    ]);
    expect(record.heard("requestEnded")).toMatchObject([
      [{ foundNothing: true }],
      [{ foundNothing: false }],
      [{ foundNothing: false }],
    ]);
  });

  test("only a log at debug tells its words, beside the id of the request and a coarse place", async () => {
    const { ask, lines } = await start({ level: "debug" });
    await ask("/api/maps/search?q=zzzzqqqq&lat=10.123456&lng=106.987654", {
      headers: { "x-request-id": "mine" },
    });
    expect(lines("search_empty")).toMatchObject([
      { level: "debug", request_id: "mine", query: "zzzzqqqq", latitude: 10.12, longitude: 106.99 },
    ]);
  });
});

/** Words that stand nowhere in the server, so that finding one in the log means that it was told. */
const markedWord = fc.stringMatching(/^[a-z]{3}$/).map((letters) => `zqx${letters}jkv`);
const latitude = fc.integer({ min: 100_000, max: 799_999 }).map((n) => `12.${n}`);
const longitude = fc.integer({ min: 100_000, max: 799_999 }).map((n) => `106.${n}`);

/** What goes wrong behind the routes, with errors that repeat what they were asked. */
const FAILURES: Readonly<Record<string, (query: string) => void>> = {
  none: () => undefined,
  "engine away": (query) => {
    throw engineUnavailable(new EngineResponseError(503, { code: "x", message: query }));
  },
  "engine refuses": (query) => {
    throw new EngineResponseError(400, { code: "bad", message: `near "${query}"` });
  },
  "no JSON": (query) => {
    JSON.parse(`{"query":${query}`);
  },
};

const hostileRequest = fc.record({
  word: markedWord,
  lat: latitude,
  lng: longitude,
  path: fc.constantFrom(
    "/api/maps/search",
    "/api/maps/autocomplete",
    "/api/maps/nearby",
    "/api/maps/reverse",
    "/api/maps/place",
    "/api/maps/search/",
    "/healthz",
    "/nowhere",
    "//x",
  ),
  key: fc.constantFrom("good", "wrong", "none", "query"),
  method: fc.constantFrom("GET", "HEAD", "POST", "DELETE", "OPTIONS"),
  extra: fc.constantFrom(
    "",
    "&limit=x",
    "&q=2",
    "&radius=500",
    "&include=nothing",
    "&offset=200",
    "&open_at=x",
  ),
  failure: fc.constantFrom(...Object.keys(FAILURES)),
  requestId: fc.constantFrom("none", "key", "text"),
});

type HostileRequest = typeof hostileRequest extends fc.Arbitrary<infer T> ? T : never;

/** One app for many such requests. Resolves to what each has added to its log. */
async function startHostile(level: string) {
  let fail = (): void => undefined;
  const app = await start({
    level,
    slowRequestMs: 0,
    search: (memory) => ({
      ...memory,
      search: async (asked) => {
        fail();
        return memory.search(asked);
      },
      suggest: async (asked) => {
        fail();
        return memory.suggest(asked);
      },
      complete: () => [],
    }),
  });
  return async (request: HostileRequest) => {
    const { word, lat, lng, failure } = request;
    fail = () => FAILURES[failure]?.(`${word} ${lat} ${lng}`);
    const [textBefore, linesBefore] = [app.text().length, app.lines("request").length];
    await send(request, app.port);
    await expect.poll(() => app.lines("request")).toHaveLength(linesBefore + 1);
    return app.text().slice(textBefore);
  };
}

async function send(request: HostileRequest, port: number): Promise<void> {
  const { word, lat, lng, path, key, method, extra, requestId } = request;
  const query = `q=${word}&lat=${lat}&lng=${lng}&${word}=1&data_id=${word}${extra}`;
  const keyHeader = { good: KEY, wrong: `${KEY}-${word}`, none: undefined, query: undefined }[key];
  const target = `${path}?${query}${key === "query" ? `&x-api-key=${KEY}` : ""}`;
  await sendRaw(
    port,
    `${method} ${target} HTTP/1.1`,
    [
      ...(keyHeader === undefined ? [] : [`x-api-key: ${keyHeader}\r\n`]),
      `referer: https://app.example/${target}\r\n`,
      ...(requestId === "none"
        ? []
        : [`x-request-id: ${requestId === "text" ? `${word} ${KEY}` : (keyHeader ?? "mine")}\r\n`]),
      `user-agent: ${word}\r\n`,
    ].join(""),
  );
}

describe("whatever is asked, by whom, and whatever goes wrong", () => {
  test("the log holds no key, no query and no coordinates", async () => {
    const ask = await startHostile("info");
    await fc.assert(
      fc.asyncProperty(hostileRequest, async (request) => {
        const text = await ask(request);
        for (const secret of [KEY, request.word, request.lat, request.lng, request.lat.slice(0, 6)])
          expect(text).not.toContain(secret);
      }),
      { numRuns: 150 },
    );
  });

  test("a log of every level holds no key, and of what went well no full coordinates", async () => {
    const ask = await startHostile("trace");
    await fc.assert(
      fc.asyncProperty(hostileRequest, async (request) => {
        const text = await ask({ ...request, failure: "none" });
        for (const secret of [KEY, request.lat, request.lng]) expect(text).not.toContain(secret);
      }),
      { numRuns: 50 },
    );
  });
});
