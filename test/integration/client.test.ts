import { expect, expectTypeOf, test } from "vitest";
import * as v from "valibot";
import { searchParameters } from "../../src/http/parameters.ts";
import { createClient, type Client, type ClientOptions, HereaboutsError } from "../../src/client/client.ts";
import type {
  FullPlaceSummary,
  PlaceSummary,
  QuerySuggestion,
  Suggestion,
} from "../../src/client/answers.ts";
import { findDeadPort } from "../support/dead-servers.ts";
import { createMemoryIndex } from "../support/memory-index.ts";
import { answerJson, refuse, startMisbehaving } from "../support/misbehaving-server.ts";
import { CAFE, SAMPLE_PLACES } from "../support/sample-places.ts";
import { startTestApp } from "../support/test-app.ts";

type PlaceOf<Ask extends (client: Client) => Promise<{ local_result: readonly unknown[] }>> = Awaited<
  ReturnType<Ask>
>["local_result"][number];

const FOUND = answerJson(200, { local_result: [] });
const KEY = "key-of-the-tests-0123";

const clientOf = (baseUrl: string, options: Partial<ClientOptions> = {}): Client =>
  createClient({ baseUrl, apiKey: KEY, ...options });

async function failureOf(promise: Promise<unknown>): Promise<HereaboutsError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof HereaboutsError) return error;
  throw new Error("there was no HereaboutsError", { cause: error });
}

const startService = () => startTestApp({ index: createMemoryIndex(SAMPLE_PLACES) });

test("gets places, a place and suggestions from the real service", async () => {
  await using app = await startService();
  const client = clientOf(`${app.url}/`, { apiKey: app.key, language: "en" });
  const { local_result: places } = await client.search({
    q: "cà phê trứng",
    lat: 10.7721,
    lng: 106.698,
    category: ["COFFEE", "BAR"],
    include: ["distance", "explain"],
  });
  expect(places[0]).toMatchObject({ data_id: CAFE.data_id, distance_m: 0 });
  expect(places[0]?.explanation?.score).toBeGreaterThan(0);
  const { place_result: place } = await client.place({ data_id: CAFE.data_id });
  expect(place.opening_hours[0]?.day).toBe("Monday");
  const { suggestions } = await client.autocomplete({ q: "ca ph", limit: 1 });
  expect(suggestions).toHaveLength(1);
  const { kinds } = await client.kinds();
  expect(kinds.find(({ code }) => code === "COFFEE")?.label).toBe("Coffee shop");
});

test("asks for several places, chosen fields and GeoJSON", async () => {
  await using app = await startService();
  const client = clientOf(app.url, { apiKey: app.key });
  const ids = [CAFE.data_id, "0x1:0xdead"];
  const several = await client.places({ data_id: ids, fields: ["title", "location.latitude"] });
  expect(several).toStrictEqual({
    place_results: [
      { data_id: CAFE.data_id, title: CAFE.title, location: { latitude: CAFE.location.latitude } },
    ],
    unknown_ids: ["0x1:0xdead"],
  });
  expectTypeOf(several.place_results[0]!.location?.latitude).toEqualTypeOf<number | undefined>();
  const { features } = await client.search({ q: "cà phê trứng", format: "geojson" });
  expect(features[0]).toMatchObject({ type: "Feature", id: CAFE.data_id });
  expectTypeOf(features[0]!.properties.title).toEqualTypeOf<string>();
});

test("its suggestions are places, unless a search was asked for too", () => {
  const client = clientOf("http://127.0.0.1:1");
  const places = () => client.autocomplete({ q: "ben th" });
  expectTypeOf<Awaited<ReturnType<typeof places>>["suggestions"][number]>().toEqualTypeOf<Suggestion>();
  const all = () => client.autocomplete({ q: "ben th", include: ["queries"] });
  expectTypeOf<Awaited<ReturnType<typeof all>>["suggestions"][number]>().toEqualTypeOf<
    Suggestion | QuerySuggestion
  >();
});

test("asks what is around a point and at it", async () => {
  await using app = await startService();
  const client = clientOf(app.url, { apiKey: app.key });
  const point = { lat: 10.7721, lng: 106.698 };
  const { local_result: nearby } = await client.nearby({ ...point, include: ["distance"], limit: 1 });
  expect(nearby).toMatchObject([{ data_id: CAFE.data_id, distance_m: 0 }]);
  const inside = await client.search({
    q: "cà phê",
    bbox: [106.697, 10.771, 106.699, 10.773],
    sort: "distance",
  });
  expect(inside.local_result[0]?.data_id).toBe(CAFE.data_id);
  const { reverse_result: result } = await client.reverse(point);
  expect(result.address.street).toBe(CAFE.location.address.street);
});

test("all pages are requested one after the other, and none that is not needed", async () => {
  const page = (places: number) =>
    answerJson(200, { local_result: Array.from({ length: places }, () => ({})) });
  await using server = await startMisbehaving(page(50), page(50), page(3));
  const client = clientOf(server.url);
  const offsets = () =>
    server.asked.map(({ url }) => new URL(url ?? "", server.url).searchParams.get("offset"));
  for await (const _ of client.searchAll({ q: "pho" })) break;
  expect(offsets()).toEqual(["0"]);
  let rest = 0;
  for await (const _ of client.nearbyAll({ lat: 1, lng: 2 })) rest += 1;
  expect(rest).toBe(53);
  expect(offsets()).toEqual(["0", "0", "50"]);
});

test("all pages end where those of the API end", async () => {
  const { limit, offset } = searchParameters.entries;
  const full = answerJson(200, { local_result: Array.from({ length: 50 }, () => ({})) });
  await using server = await startMisbehaving(full);
  let places = 0;
  for await (const _ of clientOf(server.url).searchAll({ q: "pho" })) places += 1;
  expect(places).toBe(250);
  const last = new URL(server.asked.at(-1)?.url ?? "", server.url).searchParams;
  const read = (entry: v.GenericSchema, name: string) => v.safeParse(entry, last.get(name)).success;
  expect([read(limit, "limit"), read(offset, "offset")]).toEqual([true, true]);
  expect([v.safeParse(limit, "51").success, v.safeParse(offset, "201").success]).toEqual([false, false]);
});

test("returns the usage of the key without counting against its limits", async () => {
  await using app = await startService();
  const client = clientOf(app.url, { apiKey: app.key });
  await client.search({ q: "pho" });
  await client.usage();
  const { usage } = await client.usage();
  expect(usage.minute).toMatchObject({ limit: 10_000, used: 1 });
  expect(usage.key.scopes).toContain("search");
});

test("the types include the fields of type=full", () => {
  const askFull = (client: Client) => client.search({ q: "pho", type: "full" });
  const askMinimal = (client: Client) => client.search({ q: "pho" });
  expectTypeOf<PlaceOf<typeof askFull>>().toEqualTypeOf<FullPlaceSummary>();
  expectTypeOf<PlaceOf<typeof askMinimal>>().toEqualTypeOf<PlaceSummary>();
});

test("a time may be a text, a Date or a Temporal.Instant", async () => {
  await using server = await startMisbehaving(FOUND);
  const client = clientOf(server.url);
  const text = "2026-11-20T13:00:00Z";
  for (const open_at of [text, new Date(text), Temporal.Instant.from(text)])
    await client.search({ q: "pho", open_at });
  const moments = server.asked.map(({ url }) =>
    Date.parse(new URL(url ?? "", server.url).searchParams.get("open_at") ?? ""),
  );
  expect(moments).toEqual([Date.parse(text), Date.parse(text), Date.parse(text)]);
});

test("an error has the problem, every invalid parameter and the request id", async () => {
  await using app = await startService();
  const client = clientOf(app.url, { apiKey: app.key });
  const error = await failureOf(client.search({ q: " ", limit: 99 }));
  expect(error).toMatchObject({ code: "invalid_parameter", status: 422 });
  expect(error.errors.map(({ parameter }) => parameter)).toEqual(["q", "limit"]);
  expect(error.requestId).toBe(error.problem?.request_id);
  expect(app.logBook.text()).toContain(error.requestId);
});

test.each([
  ["invalid_api_key", 401],
  ["missing_scope", 403],
  ["invalid_parameter", 422],
  ["unknown_place", 404],
  ["internal_error", 500],
])("%s is not retried", async (code, status) => {
  await using server = await startMisbehaving(refuse(status, code));
  expect(await failureOf(clientOf(server.url).search({ q: "pho" }))).toMatchObject({ code, status });
  expect(server.asked).toHaveLength(1);
});

test.each([
  ["a full minute", refuse(429, "rate_limit_minute", { "retry-after": "1" })],
  ["a busy server", refuse(503, "overloaded", { "retry-after": "1" })],
  ["an engine that is down", refuse(500, "engine_unavailable")],
  ["a proxy without its server", answerJson(502, {})],
  ["a line that is cut", (response: { destroy: () => void }) => response.destroy()],
])("%s is retried", async (_, misbehave) => {
  await using server = await startMisbehaving(misbehave, FOUND);
  expect(await clientOf(server.url).search({ q: "pho" })).toEqual({ local_result: [] });
  expect(server.asked).toHaveLength(2);
});

test("waits at least as long as Retry-After", async () => {
  await using server = await startMisbehaving(
    refuse(429, "rate_limit_minute", { "retry-after": "1" }),
    FOUND,
  );
  const startedAt = performance.now();
  await clientOf(server.url).search({ q: "pho" });
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_000);
});

test("does not start a wait longer than the maximum, and reports its length", async () => {
  await using server = await startMisbehaving(refuse(429, "rate_limit_day", { "retry-after": "3600" }));
  const error = await failureOf(clientOf(server.url).search({ q: "pho" }));
  expect(error).toMatchObject({ code: "rate_limit_day", retryAfterSeconds: 3600 });
  expect(server.asked).toHaveLength(1);
});

test("accepts a date in Retry-After, as sent by proxies", async () => {
  const at = new Date(Date.now() + 90_000).toUTCString();
  await using server = await startMisbehaving(refuse(503, "overloaded", { "retry-after": at }));
  const error = await failureOf(clientOf(server.url).search({ q: "pho" }));
  expect(error.retryAfterSeconds).toBeGreaterThan(80);
  expect(error.retryAfterSeconds).toBeLessThanOrEqual(90);
});

test("gives up after the configured number of retries", async () => {
  await using server = await startMisbehaving(refuse(500, "engine_unavailable"));
  await failureOf(clientOf(server.url, { retries: 1 }).search({ q: "pho" }));
  expect(server.asked).toHaveLength(2);
});

test("cancels an attempt that takes too long", async () => {
  await using server = await startMisbehaving(() => undefined);
  const error = await failureOf(clientOf(server.url, { timeoutMs: 100, retries: 0 }).search({ q: "pho" }));
  expect(error).toMatchObject({ code: "timed_out", status: 0 });
});

test("cancels a body that never ends", async () => {
  await using server = await startMisbehaving((response) => {
    response.writeHead(200, { "content-type": "application/json" }).write('{"local_result":[');
  });
  const error = await failureOf(clientOf(server.url, { timeoutMs: 100, retries: 0 }).search({ q: "pho" }));
  expect(error.code).toBe("timed_out");
});

test("treats a truncated body as a network error", async () => {
  await using server = await startMisbehaving((response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write('{"local_result":[');
    setTimeout(() => response.destroy(), 20);
  });
  expect((await failureOf(clientOf(server.url, { retries: 0 }).search({ q: "pho" }))).code).toBe(
    "network_error",
  );
});

test("treats an unreachable server as a network error", async () => {
  const port = await findDeadPort();
  const error = await failureOf(clientOf(`http://127.0.0.1:${port}`, { retries: 0 }).search({ q: "pho" }));
  expect(error.code).toBe("network_error");
});

test.each([
  ["a login page", "text/html", "<h1>Log in</h1>"],
  ["text that is no JSON", "application/json", "<h1>Log in</h1>"],
])("does not accept %s as a response", async (_, type, body) => {
  await using server = await startMisbehaving((response) => {
    response.writeHead(200, { "content-type": type }).end(body);
  });
  expect((await failureOf(clientOf(server.url).search({ q: "pho" }))).code).toBe("unexpected_answer");
  expect(server.asked).toHaveLength(1);
});

test("never sends the key to another server", async () => {
  await using other = await startMisbehaving(FOUND);
  await using server = await startMisbehaving((response) => {
    response.writeHead(302, { location: `${other.url}/api/maps/search?q=pho` }).end();
  });
  await failureOf(clientOf(server.url, { retries: 0 }).search({ q: "pho" }));
  expect(server.asked[0]?.headers["x-api-key"]).toBe(KEY);
  expect(other.asked).toEqual([]);
});

test.each([
  ["before it is sent", 0, refuse(500, "engine_unavailable"), 0],
  ["while it waits for the answer", 50, () => undefined, 1],
  ["while it waits to be repeated", 100, refuse(429, "rate_limit_minute", { "retry-after": "5" }), 1],
])("a request can be aborted %s", async (_, afterMs, misbehave, asked) => {
  await using server = await startMisbehaving(misbehave);
  const stop = new AbortController();
  const reason = new Error("typed on");
  if (afterMs === 0) stop.abort(reason);
  else setTimeout(() => stop.abort(reason), afterMs);
  await expect(clientOf(server.url).search({ q: "pho" }, { signal: stop.signal })).rejects.toBe(reason);
  expect(server.asked).toHaveLength(asked);
});

test("reports every response, without the key", async () => {
  await using server = await startMisbehaving(refuse(500, "engine_unavailable"), FOUND);
  const told: string[] = [];
  const onExchange: ClientOptions["onExchange"] = (exchange) =>
    void told.push(`${exchange.status} ${JSON.stringify({ ...exchange, headers: [...exchange.headers] })}`);
  await clientOf(server.url, { onExchange }).search({ q: "pho" });
  expect(told.map((line) => line.slice(0, 3))).toEqual(["500", "200"]);
  expect(told.join()).not.toContain(KEY);
});
