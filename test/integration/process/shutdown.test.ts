import { connect, type Socket } from "node:net";
import { Agent, request } from "node:http";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { findDeadPort, startSilentServer } from "../../support/dead-servers.ts";
import { keepAsking } from "../../support/keep-asking.ts";
import { startMeilisearchServer } from "../../support/meilisearch-server.ts";
import { SAMPLE_PLACES } from "../../support/sample-places.ts";
import { API_KEY, startServerProcess, type ServerProcess } from "./server-process.ts";

const LONGER_THAN_A_TEST_MS = "300000";

const SEARCH = "/api/maps/search?q=pho";

interface Reply {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly body: Record<string, unknown>;
}

async function ask({ url }: ServerProcess, path: string, agent?: Agent): Promise<Reply> {
  const asking = request(url + path, { headers: { "x-api-key": API_KEY }, ...(agent && { agent }) }).end();
  const [reply] = (await once(asking, "response")) as [import("node:http").IncomingMessage];
  const body = JSON.parse(await text(reply)) as Record<string, unknown>;
  return { status: reply.statusCode, connection: reply.headers.connection, body };
}

const canConnect = async ({ port }: ServerProcess): Promise<boolean> => {
  const socket = connect(port, "127.0.0.1");
  const result = await Promise.race([
    once(socket, "connect").then(() => true),
    once(socket, "error").then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return result;
};

test("after SIGTERM it is not ready but still serves requests, then exits with 0", async () => {
  await using server = await startServerProcess({ DRAIN_DELAY_MS: "1500" });
  const agent = new Agent({ keepAlive: true });
  expect(await ask(server, "/healthz", agent)).toMatchObject({ status: 200, connection: "keep-alive" });
  server.kill("SIGTERM");
  const readStatus = async (): Promise<unknown> => (await ask(server, "/readyz")).body["status"];
  await expect.poll(readStatus).toBe("shutting_down");
  expect(await ask(server, "/readyz")).toMatchObject({ status: 503 });
  // A connection from before, and a new one: answered, for the last time.
  expect(await ask(server, "/healthz", agent)).toMatchObject({ status: 200, connection: "close" });
  expect(await ask(server, SEARCH)).toMatchObject({ connection: "close" });
  expect((await server.ended()).code).toBe(0);
  expect(server.lines("server_stopping")).toHaveLength(1);
  agent.destroy();
});

test("idle connections are closed while a request that never ends still has time", async () => {
  await using server = await startServerProcess();
  const [idle, busy] = [await beginRequest(server, "/healthz"), await beginRequest(server, "/api/usage")];
  idle.write("\r\n");
  await once(idle, "data");
  server.kill("SIGTERM");
  await once(idle.resume(), "close");
  expect(busy.closed).toBe(false);
  await once(busy.resume(), "close");
  expect((await server.ended()).code).toBe(0);
});

// One stop each: `npm run stops` repeats them.
test.each([8, 64])("no request of %i busy connections is lost", async (connections) => {
  await using server = await startServerProcess();
  const callers = keepAsking(server.url, ["/healthz", "/api/usage"], { connections, key: API_KEY });
  await expect.poll(() => callers.answered(), { timeout: 60_000 }).toBeGreaterThan(connections * 4);
  server.kill("SIGTERM");
  expect((await server.ended()).code).toBe(0);
  expect(await callers.end()).toEqual({ lost: [], refused: connections });
});

// During the delay each request makes a new connection, also in the moment when the listener closes. Searches keep the loop busy then.
test("no search is lost when callers connect for each", async () => {
  await using engine = await startMeilisearchServer();
  await engine.fill(SAMPLE_PLACES);
  const { url: MEILISEARCH_URL, key: MEILISEARCH_KEY } = engine.address;
  const connections = 64;
  await using server = await startServerProcess({ MEILISEARCH_URL, MEILISEARCH_KEY, DRAIN_DELAY_MS: "500" });
  const paths = ["/api/maps/search?q=cafe", "/healthz", "/api/maps/search?q=pho&limit=50"];
  const callers = keepAsking(server.url, paths, { connections, key: API_KEY });
  await expect.poll(() => callers.answered(), { timeout: 60_000 }).toBeGreaterThan(connections * 4);
  server.kill("SIGTERM");
  expect((await server.ended()).code).toBe(0);
  const { lost, refused } = await callers.end();
  // A machine that is busy with other tests may have an engine that is silent for a moment.
  expect(lost.filter((one) => !one.includes("engine_unavailable"))).toStrictEqual([]);
  expect(refused).toBe(connections);
});

test("a request in progress is finished before the exit", async () => {
  await using silent = await startSilentServer();
  await using server = await startServerProcess({ MEILISEARCH_URL: `http://127.0.0.1:${silent.port}` });
  const asked = ask(server, SEARCH);
  await new Promise((resolve) => void setTimeout(resolve, 200));
  server.kill("SIGTERM");
  expect(await asked).toMatchObject({
    status: 500,
    connection: "close",
    body: { code: "engine_unavailable" },
  });
  expect((await server.ended()).code).toBe(0);
});

test("a request on an open connection soon after the listener closed is answered, and one long after it is refused", async () => {
  await using server = await startServerProcess();
  const [soon, late] = [await beginRequest(server, "/api/usage"), await beginRequest(server, "/api/usage")];
  const finish = async (socket: Socket): Promise<string> => {
    socket.write(`x-api-key: ${API_KEY}\r\n\r\n`);
    const reply = await text(socket);
    expect(reply).toMatch(/^Connection: close\r$/m);
    return reply;
  };
  server.kill("SIGTERM");
  await expect.poll(() => canConnect(server)).toBe(false);
  expect(await finish(soon)).toMatch(/^HTTP\/1\.1 200 [^]*"usage"/);
  await sleep(1_500);
  const refused = await finish(late);
  expect(refused).toMatch(/^HTTP\/1\.1 503 /);
  expect(refused).toMatch(/^Retry-After: [123]\r$[^]*"code":"shutting_down"/m);
  expect((await server.ended()).code).toBe(0);
});

/** A connection that has begun a request and so is not idle. */
async function beginRequest({ port }: ServerProcess, path: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n`);
  await sleep(100);
  return socket;
}

test("a second signal ends it at once", async () => {
  await using server = await startServerProcess({ DRAIN_DELAY_MS: LONGER_THAN_A_TEST_MS });
  server.kill("SIGTERM");
  await expect.poll(() => server.lines("server_stopping").length).toBe(1);
  server.kill("SIGTERM");
  expect((await server.ended()).code).toBe(130);
});

test.each([
  { what: "an exception", signal: "SIGUSR2", message: "broken on purpose", origin: "uncaughtException" },
  { what: "a rejection", signal: "SIGWINCH", message: "rejected on purpose", origin: "unhandledRejection" },
] as const)(
  "$what that is not caught is one log line and exit code 1",
  async ({ signal, message, origin }) => {
    await using server = await startServerProcess({ DRAIN_DELAY_MS: LONGER_THAN_A_TEST_MS });
    await ask(server, "/healthz");
    server.kill(signal);
    expect((await server.ended()).code).toBe(1);
    expect(server.lines("process_crashed")).toMatchObject([{ level: "fatal", origin, err: { message } }]);
  },
);

test("a second failure during the shutdown ends it at once", async () => {
  await using silent = await startSilentServer();
  await using server = await startServerProcess({ MEILISEARCH_URL: `http://127.0.0.1:${silent.port}` });
  void ask(server, SEARCH).catch(() => undefined);
  await new Promise((resolve) => void setTimeout(resolve, 200));
  server.kill("SIGUSR2");
  await expect.poll(() => server.lines("process_crashed").length).toBe(1);
  server.kill("SIGUSR2");
  expect((await server.ended()).code).toBe(1);
});

test("it starts without an engine and without Redis, and reports what is missing", async () => {
  const nowhere = await findDeadPort();
  await using server = await startServerProcess({
    MEILISEARCH_URL: `http://127.0.0.1:${nowhere}`,
    REDIS_URL: `redis://127.0.0.1:${nowhere}`,
  });
  expect(await ask(server, "/readyz")).toMatchObject({
    status: 503,
    body: { engine: "down", redis: "down" },
  });
  expect(await ask(server, SEARCH)).toMatchObject({ status: 500, body: { code: "engine_unavailable" } });
});
