import { NOTHING_FOUND } from "../../support/fake-places.ts";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { ServerLimits } from "../../../src/http/server.ts";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { buildPlace } from "../../support/build-place.ts";
import { fakePlaces } from "../../support/fake-places.ts";
import { SAMPLE_PLACES } from "../../support/sample-places.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";

const SEARCH = "/api/maps/search?q=pho";
const REQUEST = `GET ${SEARCH} HTTP/1.1\r\nHost: x\r\n`;

const sockets: Socket[] = [];
const apps: TestApp[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const app of apps.splice(0)) await app[Symbol.asyncDispose]();
});

async function startApp(
  serverLimits: Partial<ServerLimits> = {},
  places: readonly PlaceDocument[] = SAMPLE_PLACES,
): Promise<TestApp> {
  const app = await startTestApp({
    ...fakePlaces({ places }),
    redisUrl: "none",
    perMinute: 1_000_000,
    serverLimits,
  });
  apps.push(app);
  return app;
}

/** A connection on which a test says what it likes, and all that was answered. */
async function open({ port }: TestApp) {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  const state = { text: "", isClosed: false };
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => (state.text += chunk));
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      state.isClosed = true;
      resolve();
    });
  });
  await once(socket, "connect");
  return {
    socket,
    state,
    write: (text: string) => void socket.write(text, "latin1"),
    closed,
    statuses: () => [...state.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1])),
  };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** Writes a text again and again until the other side hangs up. */
async function drip({ write, closed, state }: Opened, text: string): Promise<void> {
  const timer = setInterval(() => !state.isClosed && write(text), 50);
  await closed;
  clearInterval(timer);
}

async function stillAnswers(app: TestApp): Promise<void> {
  expect(await app.ask(SEARCH)).toMatchObject({ status: 200 });
}

const SHORT = { headersTimeoutMs: 300, requestTimeoutMs: 600, checkEveryMs: 50 };

describe("deliberately slow clients are disconnected", () => {
  test("when headers arrive letter by letter", async () => {
    const app = await startApp(SHORT);
    const connection = await open(app);
    connection.write(REQUEST);
    await drip(connection, "x-drip: 1\r\n");
    expect(connection.statuses()).toStrictEqual([408]);
    await stillAnswers(app);
  });

  test("when nothing is sent", async () => {
    const app = await startApp(SHORT);
    const connection = await open(app);
    await connection.closed;
    expect(connection.statuses()).not.toContain(200);
  });

  test("when a body arrives letter by letter, after the response", async () => {
    const app = await startApp(SHORT);
    const connection = await open(app);
    connection.write(`${REQUEST}x-api-key: ${app.key}\r\nContent-Length: 100000\r\n\r\n`);
    await drip(connection, "x");
    expect(connection.statuses()).toStrictEqual([200]);
    expect(connection.state.text).toContain("Connection: close");
  });

  test("when a connection stays idle", async () => {
    const app = await startApp({ keepAliveMs: 200 });
    const connection = await open(app);
    connection.write(`${REQUEST}x-api-key: ${app.key}\r\n\r\n`);
    await connection.closed;
    expect(connection.statuses()).toStrictEqual([200]);
  });
});

describe("excess is refused", () => {
  test("headers of more than 16 kB", async () => {
    const app = await startApp();
    const connection = await open(app);
    connection.write(`${REQUEST}x-long: ${"x".repeat(20_000)}\r\n\r\n`);
    await connection.closed;
    expect(connection.statuses()).toStrictEqual([431]);
    expect(connection.state.text).toMatch(/\r\n\r\n$/);
  });

  test("ten thousand requests at once on one connection", async () => {
    const app = await startApp();
    const connection = await open(app);
    connection.write(`${REQUEST}x-api-key: ${app.key}\r\n\r\n`.repeat(10_000));
    await connection.closed;
    expect(connection.statuses().length).toBeLessThan(100);
    expect(app.logBook.lines("request").length).toBeLessThan(100);
    await stillAnswers(app);
  });

  test("pipelined requests get their responses in order", async () => {
    const app = await startApp();
    const connection = await open(app);
    const good = `${REQUEST}x-api-key: ${app.key}\r\n\r\n`;
    connection.write(
      `${good}${REQUEST}\r\n${good}GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    await connection.closed;
    expect(connection.statuses()).toStrictEqual([200, 401, 200, 404]);
  });

  test("more connections than allowed", async () => {
    const app = await startApp({ maxConnections: 20 });
    const connections = await Promise.all(Array.from({ length: 60 }, () => open(app)));
    await expect.poll(() => connections.filter(({ state }) => state.isClosed).length).toBe(40);
    const kept = connections.find(({ state }) => !state.isClosed)!;
    kept.write(`${REQUEST}x-api-key: ${app.key}\r\n\r\n`);
    await expect.poll(() => kept.statuses()).toStrictEqual([200]);
    for (const { socket } of connections) socket.destroy();
    await expect.poll(async () => (await app.ask(SEARCH).catch(() => undefined))?.status).toBe(200);
  });

  test("more requests on one connection than allowed: the last response closes it", async () => {
    const app = await startApp({ maxRequestsPerConnection: 3 });
    const connection = await open(app);
    for (let count = 1; count <= 3; count += 1) {
      connection.write(`${REQUEST}x-api-key: ${app.key}\r\n\r\n`);
      await expect.poll(() => connection.statuses().length).toBe(count);
    }
    await connection.closed;
    expect(connection.state.text.match(/Connection: close/g)).toHaveLength(1);
  });

  test("a body of a hundred megabytes, which is hardly read", async () => {
    const app = await startApp();
    const connection = await open(app);
    connection.write(`${REQUEST}x-api-key: ${app.key}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    // What cannot be sent any more is an error of the socket, which is what is looked for.
    const chunk = `100000\r\n${"x".repeat(0x100000)}\r\n`;
    for (let i = 0; i < 100 && !connection.state.isClosed; i += 1) {
      connection.write(chunk);
      await Promise.race([connection.closed, new Promise((resolve) => void setImmediate(resolve))]);
    }
    await connection.closed;
    expect(connection.socket.bytesWritten - connection.socket.writableLength).toBeLessThan(100_000_000);
    await stillAnswers(app);
  });
});

describe("clients that disconnect", () => {
  test("before the end of a request leave no connection open", async () => {
    const app = await startApp();
    for (let i = 0; i < 50; i += 1) {
      const { socket, write } = await open(app);
      write(REQUEST);
      socket.resetAndDestroy();
    }
    await stillAnswers(app);
    expect(app.logBook.lines().filter(({ level }) => level === "error")).toStrictEqual([]);
  });

  test("after half-closing get the response and are then disconnected", async () => {
    const app = await startApp();
    const connection = await open(app);
    connection.socket.end(`${REQUEST}x-api-key: ${app.key}\r\n\r\n`);
    await connection.closed;
    expect(connection.statuses().every((status) => status === 200)).toBe(true);
    await stillAnswers(app);
  });

  test("that never read the response are disconnected", async () => {
    // More than the system takes on the way.
    const place = buildPlace({ data_id: "0x1:0xa", description: "x".repeat(20_000_000) });
    const app = await startApp({ stalledMs: 300 }, [place]);
    const connection = await open(app);
    connection.socket.pause();
    connection.write(
      `GET /api/maps/place?data_id=0x1:0xa HTTP/1.1\r\nHost: x\r\nx-api-key: ${app.key}\r\n\r\n`,
    );
    await expect.poll(() => app.logBook.lines("request").length).toBe(1);
    await sleep(1_500);
    connection.socket.resume();
    await connection.closed;
    expect(connection.state.text.length).toBeLessThan(20_000_000);
    await stillAnswers(app);
  });
});

test.each([
  { name: "HTTP/1.0", head: `GET ${SEARCH} HTTP/1.0\r\n`, status: 200 },
  { name: "no Host", head: `GET ${SEARCH} HTTP/1.1\r\n`, status: 400 },
  { name: "two lengths", head: `${REQUEST}Content-Length: 1\r\nContent-Length: 2\r\n`, status: 400 },
  {
    name: "a length and chunks",
    head: `${REQUEST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n`,
    status: 400,
  },
  { name: "an upgrade", head: `${REQUEST}Connection: Upgrade\r\nUpgrade: websocket\r\n`, status: 200 },
  { name: "TRACE", head: `TRACE ${SEARCH} HTTP/1.1\r\nHost: x\r\n`, status: 405 },
  { name: "a POST", head: `POST ${SEARCH} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n`, status: 405 },
  {
    name: "a body that waits for leave",
    head: `${REQUEST}Expect: 100-continue\r\nContent-Length: 5000\r\n`,
    status: 200,
  },
  { name: "an expectation nobody knows", head: `${REQUEST}Expect: wonders\r\n`, status: 417 },
  { name: "no HTTP at all", head: "\x16\x03\x01\x02\x00 hello\r\n", status: 400 },
])("$name returns $status and nothing else", async ({ head, status }) => {
  const app = await startApp({ ...SHORT, keepAliveMs: 100 });
  const connection = await open(app);
  connection.write(`${head}x-api-key: ${app.key}\r\n\r\n`);
  await connection.closed;
  expect(connection.state.text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(connection.statuses()).toHaveLength(1);
  await stillAnswers(app);
});

test("CONNECT closes the connection", async () => {
  const app = await startApp();
  const connection = await open(app);
  connection.write("CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n");
  await connection.closed;
  expect(connection.state.text).toBe("");
  await stillAnswers(app);
});

test("a caller who disconnects while waiting is logged with 499 and not as a failure", async () => {
  const { index } = fakePlaces();
  const begun = Promise.withResolvers<AbortSignal>();
  const search = {
    search: (_request: unknown, signal?: AbortSignal): Promise<never> =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason as Error));
        begun.resolve(signal!);
      }),
    suggest: async () => NOTHING_FOUND,
    areasAt: () => [],
    countTypes: async () => new Map(),
    districtOf: () => "",
    epoch: () => 0,
    match: async () => ({ matches: [], missingPartitions: [] }),
    complete: () => [],
  };
  const app = await startTestApp({ index, search, redisUrl: "none" });
  apps.push(app);
  const asking = httpRequest(`${app.url}${SEARCH}`, { headers: { "x-api-key": app.key } }).on(
    "error",
    () => undefined,
  );
  asking.end();
  const signal = await begun.promise;
  expect(signal.aborted).toBe(false);
  asking.destroy();
  await expect.poll(() => app.logBook.lines("request")).toMatchObject([{ status: 499 }]);
  expect(signal.aborted).toBe(true);
  expect(app.logBook.lines().filter(({ level }) => level === "error" || level === "warn")).toStrictEqual([]);
});
