import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "undici";
import { beforeAll, describe, expect, test } from "vitest";
import { findDeadPort } from "../../support/dead-servers.ts";
import { keepAsking } from "../../support/keep-asking.ts";
import { API_KEY, startServerProcess, type ServerProcess } from "./server-process.ts";

/** So many at a time. */
const AT_ONCE = 10;

/** Each request on a new connection. Resolves to the statuses. */
async function askOnNewConnections(
  { url }: ServerProcess,
  path: string,
  count: number,
  key = API_KEY,
): Promise<number[]> {
  const ask = async (): Promise<number> => {
    const dispatcher = new Agent();
    const { statusCode, body } = await dispatcher.request({
      origin: url,
      path,
      method: "GET",
      headers: { "x-api-key": key },
    });
    await body.dump();
    await dispatcher.close();
    return statusCode;
  };
  const statuses: number[] = [];
  let asked = 0;
  const askOneAfterTheOther = async (): Promise<void> => {
    while (asked < count) {
      asked += 1;
      statuses.push(await ask());
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askOneAfterTheOther));
  return statuses;
}

/** The processes that this one has started, as the kernel knows them. */
const readChildren = ({ pid }: ServerProcess): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);

/** Both of them. A number that is missing would mean this test itself to `kill`. */
function readWorkers(server: ServerProcess): [number, number] {
  const [one, other] = readChildren(server);
  if (one === undefined || other === undefined) throw new Error("the server does not have two processes");
  return [one, other];
}

/** The fourth field; the second, in parentheses, may contain spaces. */
function parentOf(pid: string): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1]);
  } catch {
    return undefined;
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const workersOf = (lines: readonly Record<string, unknown>[]): Set<unknown> =>
  new Set(lines.map(({ worker }) => worker));

test("without Redis, which counts requests for all processes, it does not start", async () => {
  const started = startServerProcess({ WORKERS: "2", REDIS_URL: "", PATH: "/nowhere" });
  await expect(started).rejects.toThrow(/ended with 1:.*WORKERS needs Redis/s);
});

test("a process that cannot start ends the server with its error", async () => {
  const started = startServerProcess({ WORKERS: "2", BREAK_WORKERS: "at-start" });
  await expect(started).rejects.toThrow(/ended with 1:.*broken at the start.*could not start/s);
});

// None of these tests changes the server: one is enough for all.
describe("two processes that serve", () => {
  const keys = Array.from({ length: 5 }, () => `of-two-processes-${randomBytes(8).toString("hex")}`);
  let server: ServerProcess;
  beforeAll(async () => {
    const limit = { API_KEYS: [API_KEY, ...keys].join(","), RATE_LIMIT_PER_MINUTE: "200" };
    server = await startServerProcess({ WORKERS: "2", ...limit });
    return () => server[Symbol.asyncDispose]();
  });

  test("do not share their port with another server, which is refused", async () => {
    const second = startServerProcess({ WORKERS: "2", PORT: String(server.port) });
    await expect(second).rejects.toThrow(/ended with 1:.*Something else listens on .* already/s);
  });

  test("divide the requests between them, and each log line says which responded", async () => {
    await expect
      .poll(async () => {
        await askOnNewConnections(server, "/api/usage", 10);
        return workersOf(server.lines("request"));
      })
      .toEqual(new Set([1, 2]));
  });

  test("let exactly as many of simultaneous requests pass as the limit allows", async () => {
    const countOutages = (): number => server.lines("rate_limiter_unavailable").length;
    const countRecoveries = (): number => server.lines("rate_limiter_recovered").length;
    let passed = 0;
    for (const key of keys) {
      const outages = countOutages();
      const statuses = await askOnNewConnections(server, "/api/maps/search?q=pho", 300, key);
      passed = statuses.filter((status) => status !== 429).length;
      // On a busy machine Redis may respond too late; then each process counts by itself, as documented.
      if (countOutages() === outages) break;
      await expect
        .poll(async () => {
          await askOnNewConnections(server, "/api/usage", AT_ONCE, keys[0]);
          return countOutages() - countRecoveries();
        })
        .toBe(0);
    }
    expect(passed).toBe(200);
  });
});

test("a process that is killed or crashes is replaced while the others go on, and its counts stay in the metrics", async () => {
  const metricsPort = await findDeadPort();
  await using server = await startServerProcess({ WORKERS: "2", METRICS_PORT: String(metricsPort) });
  const readMetric = async (pattern: RegExp): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    return Number(pattern.exec(await response.text())?.[1]);
  };
  const countRequests = (): Promise<number> =>
    readMetric(/^hereabouts_http_request_duration_seconds_count\{[^}]*healthz[^}]*2xx[^}]*\} (\d+)$/m);
  await askOnNewConnections(server, "/healthz", 40);
  await expect.poll(countRequests).toBe(40);
  expect(await readMetric(/^hereabouts_build_info\{[^}]*\} (\d+)$/m)).toBe(1);

  process.kill(readWorkers(server)[0], "SIGUSR2");
  await expect.poll(() => server.lines("worker_ended")).toMatchObject([{ code: 1 }]);
  const [crash, ...others] = server.lines("process_crashed");
  expect([crash?.["level"], others]).toEqual(["fatal", []]);
  expect([1, 2]).toContain(crash?.["worker"]);
  await expect.poll(() => server.lines("server_listening").length).toBe(3);
  await askOnNewConnections(server, "/healthz", 10);
  await expect.poll(countRequests).toBe(50);

  const before = readWorkers(server);
  const callers = keepAsking(server.url, ["/healthz"], { connections: 1, key: API_KEY, goOn: true });
  process.kill(before[0], "SIGKILL");
  await expect
    .poll(() => server.lines("worker_ended"))
    .toMatchObject([{ code: 1 }, { signal: "SIGKILL", level: "error" }]);
  await expect.poll(() => server.lines("server_listening").length).toBe(4);
  expect(readWorkers(server)).toHaveLength(2);
  expect(readWorkers(server)).not.toEqual(before);
  const answered = callers.answered();
  await expect.poll(() => callers.answered()).toBeGreaterThan(answered);
  // The one request that the killed process may have been working on.
  expect((await callers.end()).lost.length).toBeLessThanOrEqual(1);
  server.kill("SIGTERM");
  expect((await server.ended()).code).toBe(0);
});

test("when processes crash again and again, the server ends with 1", { timeout: 240_000 }, async () => {
  await using server = await startServerProcess({ WORKERS: "2" });
  while (server.exitCode() === undefined) {
    const [worker] = readChildren(server);
    if (worker !== undefined && isAlive(worker)) process.kill(worker, "SIGKILL");
    await sleep(100);
  }
  expect((await server.ended()).code).toBe(1);
  expect(server.output()).toContain("crash again and again");
  expect(server.lines("worker_ended").length).toBeGreaterThan(10);
});

// Of fewer connections, and of one process, `shutdown.test.ts` tells.
test("no request of 64 busy connections is lost when all processes end", async () => {
  const connections = 64;
  await using server = await startServerProcess({ WORKERS: "2" });
  const callers = keepAsking(server.url, ["/healthz", "/api/usage"], { connections, key: API_KEY });
  await expect.poll(() => callers.answered(), { timeout: 60_000 }).toBeGreaterThan(connections * 4);
  server.kill("SIGTERM");
  expect((await server.ended()).code).toBe(0);
  expect(await callers.end()).toEqual({ lost: [], refused: connections });
});

test("a signal to all processes at once, as from a terminal, ends them in order", async () => {
  await using server = await startServerProcess({ WORKERS: "2" });
  for (const pid of [...readWorkers(server), server.pid]) process.kill(pid, "SIGINT");
  expect((await server.ended()).code).toBe(0);
  expect(server.lines("worker_ended")).toEqual([]);
});

test("when the first process is killed, the others end too", async () => {
  await using server = await startServerProcess({ WORKERS: "2" });
  const workers = readWorkers(server);
  server.kill("SIGKILL");
  await expect.poll(() => workers.filter(isAlive)).toEqual([]);
});
