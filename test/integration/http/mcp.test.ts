import { Client, StreamableHTTPClientTransport, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createMcpAnswer } from "../../../src/mcp/answer-mcp.ts";
import { buildKey } from "../../support/build-key.ts";
import { createMemoryIndex } from "../../support/memory-index.ts";
import { nodeEnvironment } from "../../support/node-environment.ts";
import { CAFE, SAMPLE_PLACES } from "../../support/sample-places.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";
import { readDocsSite } from "../../../src/docs/site.ts";
import { createKeyStore } from "../../../src/redis/key-store.ts";
import { closeRedisConnection, createRedisConnection, waitForRedis } from "../../../src/redis/connection.ts";
import { createLogBook } from "../../support/log-lines.ts";

const CONFIG = {
  PUBLIC_BASE_URL: "https://places.example",
  EXTERNAL_MAPS_URL: "https://maps.example/?id={data_id}",
};
const TOOLS = ["search", "nearby", "place", "autocomplete"];

const startApp = async (
  options: { readonly perMinute?: number; readonly attribution?: string } = {},
): Promise<TestApp> =>
  startTestApp({
    index: createMemoryIndex(SAMPLE_PLACES),
    mcp: createMcpAnswer(CONFIG),
    docs: await readDocsSite(CONFIG),
    ...options,
  });

interface ToolResult {
  readonly isError: boolean;
  readonly body: unknown;
  readonly texts: readonly string[];
}

/** A program with a language model: all it knows is how the protocol's own client speaks. */
interface Connected extends AsyncDisposable {
  readonly client: Client;
  readonly call: (name: string, given?: Readonly<Record<string, unknown>>) => Promise<ToolResult>;
}

async function connect(
  transport: StreamableHTTPClientTransport | StdioClientTransport,
  options: ClientOptions = {},
): Promise<Connected> {
  const client = new Client({ name: "test", version: "1.0.0" }, options);
  await client.connect(transport);
  return {
    client,
    async call(name, given = {}) {
      const result = await client.callTool({ name, arguments: { ...given } });
      const texts = result.content.map((content) => (content.type === "text" ? content.text : content.type));
      return { isError: result.isError === true, body: result.structuredContent, texts };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const connectTo = (
  app: TestApp,
  headers: Readonly<Record<string, string>> = { "x-api-key": app.key },
  options: ClientOptions = {},
) =>
  connect(
    new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit: { headers } }),
    options,
  );

/** The protocol of July 2026, without the handshake of earlier versions. */
const connectWithoutHandshake = (app: TestApp) =>
  connectTo(app, { "x-api-key": app.key }, { versionNegotiation: { mode: "auto" } });

const connectByCommand = (url: string, key: string) =>
  connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ["program/main.ts", "mcp"],
      env: { ...nodeEnvironment, HEREABOUTS_URL: url, HEREABOUTS_KEY: key },
      stderr: "inherit",
    }),
  );

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

test.each([
  ["without a key", {}, "missing_api_key"],
  ["with a wrong key", { "x-api-key": "wrong-key-of-nobody" }, "invalid_api_key"],
])("%s nothing is said about the tools", async (_, headers, code) => {
  await expect(connectTo(app, headers)).rejects.toThrow(code);
});

test.each([
  ["text that is not JSON", "{"],
  ["nothing", ""],
  [
    "more than a message may have",
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { a: " ".repeat(16_400) } }),
  ],
  [
    "an object nested deeper than any message",
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(16)}1${"}".repeat(17)}`,
  ],
  ["lists nested thousands deep", `${"[".repeat(8_000)}${"]".repeat(8_000)}`],
  ["megabytes", " ".repeat(5_000_000)],
])("%s is refused in the words of the protocol", async (_, body) => {
  const response = await fetch(`${app.url}/mcp`, { method: "POST", headers: { "x-api-key": app.key }, body });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { code: -32_700 }, id: null },
  ]);
});

test("brackets in strings are no levels", async () => {
  const q = `"\\${"[{".repeat(50)}`;
  await using connected = await connectTo(app);
  expect(await connected.call("search", { q })).toMatchObject({ isError: false });
});

const callOf = (given: unknown, name: unknown = "search"): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } });

test.each([
  ["a list of messages", `[${callOf({ q: "a" })},${callOf({ q: "b" })}]`],
  ["null", "null"],
  ["a number", "7"],
  ["an empty object", "{}"],
  ["a method that is an object", '{"jsonrpc":"2.0","id":1,"method":{}}'],
  ["a method that does not exist", '{"jsonrpc":"2.0","id":1,"method":"tools/delete"}'],
  ["arguments that are a list", callOf(["q"])],
  ["arguments with names of prototypes", callOf(JSON.parse('{"__proto__":{"q":"a"},"constructor":"b"}'))],
  ["values that are objects", callOf({ q: { $ne: "" }, lat: [[1], [2]], category: [{}] })],
  ["a name with a path", callOf({ q: "a" }, "../usage")],
  [
    "arguments nested thousands deep",
    callOf({ q: 1 }).replace("1}", `${"[".repeat(20_000)}${"]".repeat(20_000)}}`),
  ],
  ["text that is not UTF-8", "\u0000\uFFFF"],
])("%s is refused and harms nobody", async (_, body) => {
  const headers = {
    "x-api-key": app.key,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const response = await fetch(`${app.url}/mcp`, { method: "POST", headers, body });
  const text = await response.text();
  expect(response.status).toBeLessThan(500);
  expect(text).toMatch(/"error":|"isError":true/);
  expect(text).not.toContain("node:");
  expect(app.logBook.lines("request_failed")).toEqual([]);
  expect((await app.ask("/api/maps/search?q=a")).status).toBe(200);
});

test.each(["GET", "DELETE"])("there are no sessions to %s", async (method) => {
  const response = await fetch(`${app.url}/mcp`, { method, headers: { "x-api-key": app.key } });
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe("POST");
});

test("nobody can keep a connection open to wait for changes", async () => {
  await using connected = await connectWithoutHandshake(app);
  expect(connected.client.getProtocolEra()).toBe("modern");
  await expect(connected.client.listen({ toolsListChanged: true })).rejects.toThrow("limit");
});

test("a key without the scope may list the tools and gets the API's 403 from a call", async () => {
  const redis = createRedisConnection({ url: inject("redisUrl"), logger: createLogBook().logger });
  await waitForRedis(redis, 5_000);
  const { record, key } = buildKey({ scopes: ["place"] }, new Date());
  await createKeyStore(redis).change([record.id], () => [record]);
  await closeRedisConnection(redis);
  await using connected = await connectTo(app, { authorization: `Bearer ${key}` });
  expect((await connected.client.listTools()).tools).toHaveLength(TOOLS.length);
  const { isError, body } = await connected.call("search", { q: "pho" });
  expect([isError, body]).toMatchObject([true, { status: 403, code: "missing_scope" }]);
});

test("calls and other messages count as one request each, and an exhausted limit is an error", async () => {
  await using limited = await startApp({ perMinute: 4 });
  await using connected = await connectTo(limited);
  const { usage } = await limited.read<{ usage: { minute: { used: number } } }>("/api/usage");
  const left = 4 - usage.minute.used;
  expect(left).toBeGreaterThan(0);
  for (let at = 0; at < left; at++)
    expect(await connected.call("search", { q: "pho" })).toMatchObject({ isError: false });
  const refused = await connected.call("search", { q: "pho" });
  expect(refused).toMatchObject({ isError: true, body: { status: 429, code: "rate_limit_minute" } });
  await expect(connected.client.listTools()).rejects.toThrow("rate_limit_minute");
  await expect(connected.call("route"), "calls of no tool count too").rejects.toThrow("rate_limit_minute");
});

describe.each([
  ["/mcp", () => connectTo(app)],
  ["/mcp in the protocol of 2026", () => connectWithoutHandshake(app)],
  ["hereabouts mcp", () => connectByCommand(app.url, app.key)],
])("through %s", (_, open) => {
  let connected: Connected;
  beforeAll(async () => {
    connected = await open();
  });
  afterAll(() => connected[Symbol.asyncDispose]());

  test("the tools have the parameters of the operations", async () => {
    const { tools } = await connected.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    const { inputSchema } = tools[0]!;
    expect(inputSchema.required).toEqual(["q"]);
    expect(inputSchema.properties).toMatchObject({
      q: { type: "string", maxLength: 256 },
      lat: { type: "number", minimum: -90, maximum: 90 },
      include: { type: "array" },
      open_now: { type: "boolean" },
    });
  });

  test("invalid arguments are listed as the API lists invalid parameters", async () => {
    const given = { lat: 95, radius: "near", include: ["distance", "colour"] };
    const { isError, body } = await connected.call("search", given);
    expect(isError).toBe(true);
    expect(body).toMatchObject({
      status: 422,
      errors: expect.arrayContaining([
        expect.objectContaining({ parameter: "q", code: "missing" }),
        expect.objectContaining({ parameter: "lat", code: "out_of_range" }),
        expect.objectContaining({ parameter: "radius" }),
        expect.objectContaining({ parameter: "include" }),
      ]) as unknown,
    });
  });

  test("an unknown argument has no effect and is named", async () => {
    const { isError, texts } = await connected.call("search", { q: "cà phê", radius_m: 10 });
    expect(isError).toBe(false);
    expect(texts[1]).toContain("radius_m");
  });

  test("a tool that does not exist is refused with those that do", async () => {
    const { isError, texts } = await connected.call("route");
    expect(isError).toBe(true);
    expect(texts.join()).toContain("search, nearby, place, autocomplete");
  });

  const at = { lat: CAFE.location.latitude, lng: CAFE.location.longitude };
  test.each([
    ["search", { q: "cà phê trứng", ...at, include: ["distance", "periods"], open_now: false }],
    ["nearby", { ...at, limit: 2 }],
    ["place", { data_id: CAFE.data_id, fields: ["title", "location.address.full"] }],
    ["autocomplete", { q: "cà ph", ...at, bbox: [-180, -90, 180, 90] }],
  ])("%s returns what the operation returns", async (name, given) => {
    const { isError, body, texts } = await connected.call(name, given);
    const query = Object.entries(given).map(([key, value]) => [key, String(value)]);
    const { text } = await app.ask(`/api/maps/${name}?${new URLSearchParams(query).toString()}`);
    expect(isError).toBe(false);
    expect(texts).toEqual([text]);
    expect(body).toEqual(JSON.parse(text));
    expect(text).toContain(CAFE.data_id);
  });
});

test("whom to credit for the data comes with the places", async () => {
  await using credited = await startApp({ attribution: "OpenStreetMap contributors" });
  await using connected = await connectTo(credited);
  const { texts } = await connected.call("search", { q: "pho" });
  expect(texts[1]).toBe("Where you show these places, credit: OpenStreetMap contributors");
});

test("the log has a line for each message and each call, and nothing of what was asked", async () => {
  await using connected = await connectTo(app);
  await connected.call("search", { q: "secretquery" });
  const lines = app.logBook.lines("request");
  expect(lines.slice(-2).map(({ route, status }) => [route, status])).toEqual([
    ["/api/maps/search", 200],
    ["/mcp", 200],
  ]);
  expect(lines.at(-2)).toMatchObject({ request_id: lines.at(-1)?.["request_id"] });
  expect(JSON.stringify(lines)).not.toContain("secretquery");
});
