import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePorts } from "../../src/local-engines/own-engines.ts";
import { readRuntimeFile } from "../../src/local-engines/data-dir.ts";
import type { HttpCall } from "./senders.ts";
import type { BenchRequest } from "./requests.ts";
import { programPath, scriptArguments } from "../../test/support/program.ts";
import type { RunningSystem } from "./system.ts";

/**
 * Callers that take turns. A single key would hold its thousands of requests a minute in one set of Redis.
 */
const CALLERS = 20;

/** Limits are on, but too high to reach. */
const LIMITS = { RATE_LIMIT_PER_MINUTE: "1000000", RATE_LIMIT_PER_DAY: "999999999" };

/** Opening a large index on a cold disk takes seconds. */
const READY_WITHIN_MS = 60_000;
const READY_POLL_MS = 100;

/** Starts the server as a separate process with its data directory's engines, and waits until it is ready. */
export async function startOwnApi(dataDir: string): Promise<RunningSystem> {
  const [port] = await findFreePorts();
  const keys = Array.from({ length: CALLERS }, () => randomBytes(18).toString("base64url"));
  const server = spawn(process.execPath, scriptArguments("start"), {
    // The log is written, as in production, and discarded.
    stdio: ["ignore", "ignore", "inherit"],
    cwd: dataDir,
    env: {
      PATH: pathOf(),
      NODE_ENV: "production",
      // As in script/server and the image.
      NODE_COMPILE_CACHE: programPath("node_modules/.cache/hereabouts"),
      DATA_DIR: dataDir,
      PORT: String(port),
      API_KEYS: keys.join(","),
      DEMO_PLACES: "0",
      ...LIMITS,
    },
  });
  const origin = `http://127.0.0.1:${port}`;
  const stop = (): Promise<void> => stopServer(server);
  try {
    await waitUntilReady(`${origin}/readyz`, server);
  } catch (error) {
    await stop();
    throw error;
  }
  const { meilisearch, topology } = readRuntimeFile(dataDir) ?? {};
  const engines = topology?.engines ?? (meilisearch ? [meilisearch] : []);
  const enginePids = engines.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  return {
    stop,
    system: {
      name: "api",
      target: { via: "http", origin, headers: keys.map((key) => ({ "x-api-key": key })) },
      toCall,
      apiPid: server.pid ?? 0,
      enginePids: () => enginePids,
    },
  };
}

// oxlint-disable-next-line node/no-process-env -- where the system keeps its programs: the server looks for a redis-server there
const pathOf = (): string => process.env["PATH"] ?? "";

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await isOk(url))) {
    if (server.exitCode !== null) throw new Error(`The server ended with status ${server.exitCode}.`);
    if (performance.now() > deadline) throw new Error("The server was not ready in time.");
    await sleep(READY_POLL_MS);
  }
}

async function isOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, "exit");
  server.kill("SIGTERM");
  await ended;
}

function toCall(request: BenchRequest): HttpCall {
  if (request.operation === "detail") {
    return {
      via: "http",
      path: `/api/maps/place?${new URLSearchParams({ data_id: request.dataId }).toString()}`,
    };
  }
  const query = new URLSearchParams({
    ...("text" in request && { q: request.text }),
    lat: String(request.centre.latitude),
    lng: String(request.centre.longitude),
    ...("sort" in request && { sort: request.sort }),
  });
  return { via: "http", path: `/api/maps/${request.operation}?${query.toString()}` };
}
