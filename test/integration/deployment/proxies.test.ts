import { once } from "node:events";
import { readFileSync } from "node:fs";
import http2 from "node:http2";
import { request as askPlainly, type IncomingMessage } from "node:http";
import { Agent, request, type RequestOptions } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLifecycle, type Lifecycle } from "../../../src/http/middleware/lifecycle.ts";
import { readConfig } from "../../../src/config.ts";
import { fakePlaces } from "../../support/fake-places.ts";
import { startProxy, type Proxy, type ProxyName } from "../../support/proxies.ts";
import { isExpected, programPath } from "../../support/program.ts";
import { SAMPLE_PLACES } from "../../support/sample-places.ts";
import { startTestApp, type TestApp } from "../../support/test-app.ts";

const SEARCH = "/api/maps/search?q=pho&limit=20";
const HOST = "places.example";

/** How often a key may be wrong before its address has to wait, and a little more. */
const MORE_THAN_FORGIVEN = 140;

interface Reply {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

const countEach = (values: readonly (number | string | undefined)[]): Record<string, number> =>
  values.reduce<Record<string, number>>(
    (counts, value) => ({ ...counts, [String(value)]: (counts[String(value)] ?? 0) + 1 }),
    {},
  );

const PROXIES: readonly ProxyName[] = ["nginx", "haproxy"];

describe.each(PROXIES.filter(isExpected))("%s with the documented configuration", (name) => {
  let proxy: Proxy;
  const apps: TestApp[] = [];
  const lifecycles: Lifecycle[] = [];
  let readinessDelayMs = 0;
  const key = "a-key-that-both-servers-know";

  beforeAll(async () => {
    for (let i = 0; i < 2; i++) {
      const lifecycle = createLifecycle();
      lifecycles.push(lifecycle);
      const { index, search } = fakePlaces({ places: SAMPLE_PLACES });
      const readState = () => sleep(readinessDelayMs).then(() => index.readState());
      const parts = {
        index: { ...index, readState },
        search,
        redisUrl: "none",
        otherKeys: [key],
        proxies: 1,
        lifecycle,
      };
      apps.push(await startTestApp({ ...parts, perMinute: 1_000_000 }));
    }
    proxy = await startProxy(
      name,
      apps.map(({ port }) => port),
    );
    // HAProxy has to see both servers ready first.
    while ((await ask("/readyz")).status !== 200) await sleep(50);
  });
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    for (const app of apps) await app[Symbol.asyncDispose]();
  });

  async function ask(path: string, options: RequestOptions = {}): Promise<Reply> {
    const { headers, ...rest } = options;
    const asking = request({
      host: "127.0.0.1",
      port: proxy.httpsPort,
      servername: HOST,
      ca: proxy.certificate,
      path,
      headers: { host: HOST, "x-api-key": key, ...(headers as Record<string, string>) },
      ...rest,
    }).end();
    const [reply] = (await once(asking, "response")) as [IncomingMessage];
    return { status: reply.statusCode, headers: reply.headers, body: await buffer(reply) };
  }

  /** An address with wrong keys until it has to wait. What it says about itself in the header does not matter. */
  const guessFrom = async (localAddress: string): Promise<number | undefined> => {
    let last: number | undefined;
    for (let i = 0; i < MORE_THAN_FORGIVEN * apps.length && last !== 429; i++) {
      const headers = { "x-api-key": "guess", "x-forwarded-for": `203.0.113.${i % 250}` };
      last = (await ask(SEARCH, { localAddress, headers })).status;
    }
    return last;
  };

  test("an address that keeps failing has to wait, even with forged addresses, and others do not", async () => {
    expect(await guessFrom("127.0.0.2")).toBe(429);
    const other = await ask(SEARCH, { localAddress: "127.0.0.3", headers: { "x-api-key": "guess" } });
    expect(other.status).toBe(401);
  });

  test("plain HTTP redirects to HTTPS", async () => {
    const asking = askPlainly({
      host: "127.0.0.1",
      port: proxy.httpPort,
      path: SEARCH,
      headers: { host: HOST },
    });
    const [reply] = (await once(asking.end(), "response")) as [IncomingMessage];
    reply.resume();
    expect([reply.statusCode, reply.headers.location]).toEqual([301, `https://${HOST}${SEARCH}`]);
  });

  test("responses come from the server, compressed if accepted", async () => {
    const plain = await ask(SEARCH);
    expect(plain.status).toBe(200);
    expect(plain.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const packed = await ask(SEARCH, { headers: { "accept-encoding": "gzip" } });
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(packed.body.length).toBeLessThan(plain.body.length / 2);
    expect((await ask("/nowhere")).headers["content-type"]).toContain("application/problem+json");
  });

  test("HTTP/2 is offered", async () => {
    const session = http2.connect(`https://127.0.0.1:${proxy.httpsPort}`, {
      ca: proxy.certificate,
      servername: HOST,
    });
    const stream = session.request({ ":path": SEARCH, ":authority": HOST, "x-api-key": key });
    const [headers] = (await once(stream, "response")) as [http2.IncomingHttpHeaders];
    expect(headers[":status"]).toBe(200);
    stream.resume();
    await once(stream, "end");
    session.close();
  });

  test("an address gets a hundred connections at once, or from nginx a hundred responses", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 120 });
    const askAll = () =>
      Promise.all(
        Array.from({ length: 120 }, () =>
          ask("/readyz", { localAddress: "127.0.0.4", agent }).then(
            ({ status }) => status,
            () => "closed",
          ),
        ),
      );
    // HAProxy would take a server whose checks are slow for a broken one.
    if (name === "nginx") readinessDelayMs = 1_000;
    await askAll();
    const statuses = await askAll();
    readinessDelayMs = 0;
    const { 200: accepted, ...refused } = countEach(statuses);
    expect(accepted).toBe(100);
    expect(refused).toEqual(name === "nginx" ? { 429: 20 } : { closed: 20 });
    expect((await ask(SEARCH, { localAddress: "127.0.0.5" })).status).toBe(200);
    agent.destroy();
  });

  test("a request with endless headers is closed", { timeout: 30_000 }, async () => {
    const socket = connectTls({
      host: "127.0.0.1",
      port: proxy.httpsPort,
      ca: proxy.certificate,
      servername: HOST,
    });
    await once(socket, "secureConnect");
    socket.write(`GET ${SEARCH} HTTP/1.1\r\nHost: ${HOST}\r\n`);
    const drip = setInterval(() => socket.write("X-Slow: 1\r\n"), 500);
    socket.on("error", () => undefined).resume();
    await once(socket, "close");
    clearInterval(drip);
    expect(socket.closed).toBe(true);
  });

  test("no request is lost while one of two servers stops", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const statuses: (number | undefined)[] = [];
    let isOver = false;
    const callers = Array.from({ length: 8 }, async () => {
      while (!isOver) statuses.push((await ask(SEARCH, { agent })).status);
    });
    await sleep(300);
    const [first, ...rest] = apps;
    if (lifecycles[0]) lifecycles[0].phase = "draining";
    await sleep(3_000);
    await first?.[Symbol.asyncDispose]();
    apps.splice(0, apps.length, ...rest);
    await sleep(1_000);
    isOver = true;
    await Promise.all(callers);
    agent.destroy();
    expect(statuses.length).toBeGreaterThan(100);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });
});

test("both close idle connections before the server does, and HAProxy notices in time when a server stops", () => {
  const read = (name: string): string => readFileSync(programPath(`docs/deployment/${name}`), "utf8");
  const secondsOf = (text: string, setting: RegExp): number => Number(setting.exec(text)?.[1]);
  const { KEEP_ALIVE_MS } = readConfig({ API_KEYS: "a-key-of-16-letters" });
  const haproxy = read("haproxy.cfg");
  expect(secondsOf(read("nginx.conf"), /keepalive_timeout (\d+)s/) * 1_000).toBeLessThan(KEEP_ALIVE_MS);
  expect(secondsOf(haproxy, /pool-purge-delay (\d+)s/) * 1_000).toBeLessThan(KEEP_ALIVE_MS);
  const checks = secondsOf(haproxy, /inter (\d+)s/) * secondsOf(haproxy, /fall (\d+)/);
  expect(checks * 1_000).toBeLessThan(secondsOf(haproxy, /DRAIN_DELAY_MS=(\d+)/));
});
