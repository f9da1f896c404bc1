import { Command } from "commander";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, type Dispatcher } from "undici";
import { EXIT } from "../../src/cli/errors.ts";
import { runTool, type Tool } from "../../src/cli/run-program.ts";
import { keepAsking } from "../../test/support/keep-asking.ts";
import { startProxy, type ProxyName } from "../../test/support/proxies.ts";
import type { ApiServer } from "./api-server.ts";
import { makeConfiguredCallers } from "./callers.ts";
import { makeDatasets } from "./datasets.ts";
import { startSystem } from "./system.ts";

/** Counts the requests that are lost while servers end (SIGTERM) again and again under load. */

const PLACES = 500;
const PATHS = ["/api/maps/search?q=cafe", "/healthz", "/api/usage", "/api/maps/search?q=pho&limit=50"];

/** High enough that nobody reaches a limit. */
const PER_MINUTE = 1_000_000;

/** Callers are busy for this long before each stop. */
const BUSY_MS = 1_000;

type Way = "direct" | ProxyName;

/** Whether callers keep their connection, or make one for each request. */
type Habit = "kept" | "fresh";

const HABITS: readonly Habit[] = ["kept", "fresh"];

interface Round {
  readonly way: Way;
  readonly habit: Habit;
  readonly connections: number;
  readonly stops: number;
  readonly servers: readonly ApiServer[];
  readonly key: string;
}

/** Directly: one server, and callers who connect again when it is back. Through a proxy: two servers, stopped in turn. */
async function runRound({ way, habit, connections, stops, servers, key }: Round) {
  // Without pipelining, undici keeps no connection.
  const pool = { connections, pipelining: habit === "kept" ? 1 : 0 };
  const { origin, dispatcher, close } = await openWay(way, servers, pool);
  const callers = keepAsking(origin, PATHS, {
    connections,
    key,
    goOn: true,
    dispatcher,
    headers: { host: "places.example" },
  });
  for (let stop = 0; stop < stops; stop += 1) {
    const server = servers[way === "direct" ? 0 : stop % 2];
    await sleep(BUSY_MS);
    const how = await server?.stop();
    if (how !== "code 0") throw new Error(`A server ended with ${how}.`);
    await server?.start();
  }
  const answered = callers.answered();
  const { lost } = await callers.end();
  await close();
  return { answered, lost };
}

async function openWay(way: Way, servers: readonly ApiServer[], pool: Agent.Options) {
  if (way === "direct") {
    const origin = servers[0]?.origin ?? "";
    return { origin, dispatcher: new Agent(pool), close: async () => {} };
  }
  const proxy = await startProxy(
    way,
    servers.map(({ port }) => port),
  );
  const connect = { ca: proxy.certificate, servername: "places.example" };
  const dispatcher: Dispatcher = new Agent({ ...pool, connect });
  const origin = `https://127.0.0.1:${proxy.httpsPort}`;
  // HAProxy has to see both servers ready first.
  const isReady = async (): Promise<boolean> => {
    const headers = { host: "places.example" };
    const { statusCode, body } = await dispatcher.request({
      origin,
      path: "/readyz",
      method: "GET",
      headers,
    });
    await body.dump();
    return statusCode === 200;
  };
  while (!(await isReady())) await sleep(100);
  return { origin, dispatcher, close: () => proxy[Symbol.asyncDispose]() };
}

function readOptions() {
  const list = (text: string): string[] => text.split(",");
  const values = new Command("stops")
    .description(
      "Counts requests that are lost while servers are stopped (SIGTERM) under load. Exit status 1: some were.",
    )
    .option("--stops <number>", "how often a server is stopped in each round", Number, 50)
    .option(
      "--connections <numbers>",
      "busy connections, one round for each",
      (text) => list(text).map(Number),
      [8, 64],
    )
    .option("--ways <ways>", "direct, nginx, haproxy", (text) => list(text) as Way[], [
      "direct",
      "nginx",
      "haproxy",
    ] as Way[])
    .option("--workers <number>", "WORKERS of the servers: processes on one port", "1")
    .option("--drain <milliseconds>", "DRAIN_DELAY_MS of the servers behind a proxy", "3000")
    .option("--direct-drain <milliseconds>", "DRAIN_DELAY_MS of a server without a proxy", "0")
    .option(
      "--habits <habits>",
      "callers who keep their connection (kept), or make one for each request (fresh)",
      list,
      [...HABITS],
    )
    .exitOverride()
    .parse();
  return values.opts<{
    stops: number;
    connections: number[];
    ways: Way[];
    workers: string;
    drain: string;
    directDrain: string;
    habits: Habit[];
  }>();
}

async function main({ signal, onProgress }: Tool): Promise<number> {
  const { stops, connections, ways, workers, drain, directDrain, habits } = readOptions();
  const folder = mkdtempSync(join(tmpdir(), "hereabouts-stops-"));
  mkdirSync(join(folder, "logs"));
  const callers = makeConfiguredCallers(PER_MINUTE, 1);
  let lostInAll = 0;
  try {
    const datasets = await makeDatasets({ places: PLACES, seed: 1, folder, signal });
    for (const way of ways) {
      const system = await startSystem({
        folder,
        configured: callers,
        signal,
        env: { WORKERS: workers, DRAIN_DELAY_MS: way === "direct" ? directDrain : drain },
        onMemory: () => {},
        onLog: () => {},
        onDeath: (number, how) => onProgress(`server ${number} died: ${how}`),
      });
      try {
        await system.index("import", datasets.files.a, "--format", "native", "--force");
        await system.startServers();
        const rounds = connections.flatMap((count) => habits.map((habit) => ({ count, habit })));
        for (const { count, habit } of rounds) {
          const round = {
            way,
            habit,
            connections: count,
            stops,
            servers: system.servers,
            key: callers[0]?.key ?? "",
          };
          const { answered, lost } = await runRound(round);
          lostInAll += lost.length;
          const line = `${way}, ${count} ${habit} connections: ${lost.length} of ${answered} requests lost in ${stops} stops`;
          process.stdout.write(`${[line, ...lost.slice(0, 5)].join("\n  ")}\n`);
        }
      } finally {
        await system.stop();
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return lostInAll === 0 ? EXIT.done : EXIT.failed;
}

await runTool(main);
