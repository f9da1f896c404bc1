import { findFreePorts } from "../../src/local-engines/own-engines.ts";
import type { Caller } from "./callers.ts";
import { type ApiServer, type ApiServerOptions, createApiServer } from "./api-server.ts";
import { runCommand } from "../../test/support/program.ts";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type EngineChild,
  type EngineCommand,
  endChild,
  startChild,
} from "../../src/local-engines/engine-process.ts";
import {
  buildMeilisearchCommand,
  findExecutable,
  findMeilisearch,
} from "../../src/local-engines/meilisearch-process.ts";
import { buildRedisCommand } from "../../src/local-engines/redis-process.ts";

/** The system under test: two servers with one Meilisearch and one Redis. */
export interface System {
  readonly engines: BreakableEngines;
  readonly servers: readonly ApiServer[];
  /** Starts both servers and waits until they listen. */
  readonly startServers: () => Promise<void>;
  /** Runs a command of the indexer. @throws {Error} when it fails. */
  readonly index: (...args: readonly string[]) => Promise<void>;
  /** Runs a command for keys; resolves to what it printed. @throws {Error} when it fails. */
  readonly keys: (...args: readonly string[]) => Promise<string>;
  /** Ends everything. Resolves to how each server ended that did not end cleanly. */
  readonly stop: () => Promise<string[]>;
}

export interface SystemOptions extends Pick<ApiServerOptions, "onMemory" | "onLog" | "onDeath"> {
  readonly folder: string;
  /** The callers with configured keys. */
  readonly configured: readonly Caller[];
  /** How many engines share the index; one when absent. */
  readonly engineCount?: number;
  /** Replaces settings of the servers. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

// oxlint-disable-next-line node/no-process-env -- where the system keeps its programs: the indexer may look for them there
const pathOf = (): string => process.env["PATH"] ?? "";

/** Starts the engines. The servers are started later, by `startServers`. */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { folder, configured, signal } = options;
  const engines = await startBreakableEngines(folder, options.engineCount ?? 1, signal);
  const env = {
    PATH: pathOf(),
    DATA_DIR: folder,
    ...nameEngines(engines.meilisearch, folder),
    REDIS_URL: engines.redis.url,
  };
  const serverEnv = {
    ...env,
    NODE_ENV: "production",
    // The servers' logs are evidence; one line per request would fill the disk.
    LOG_LEVEL: "warn",
    API_KEYS: configured.map(({ key }) => key).join(","),
    RATE_LIMIT_PER_MINUTE: String(configured[0]?.perMinute ?? 0),
    RATE_LIMIT_PER_DAY: "0",
    // Each caller has a separate address, so that callers with bad keys are counted separately.
    TRUST_PROXY: "1",
    ...options.env,
  };
  const ports = await findFreePorts();
  const metricsPorts = await findFreePorts();
  const servers = ports.map((port, number) =>
    createApiServer({ ...options, number, port, metricsPort: metricsPorts[number] ?? 0, env: serverEnv }),
  );
  const watching = new AbortController();
  const watch = (): void => {
    // It ends only when it is told to.
    runCommand("index", ["replicas", "--watch"], { folder, env, signal: watching.signal }).catch(
      () => undefined,
    );
  };
  async function stop(): Promise<string[]> {
    watching.abort();
    const ends = await Promise.all(servers.map((server) => server.stop()));
    await engines.stop();
    return ends.flatMap((how, number) => (isRight(how) ? [] : [`server ${number} ended with ${how}`]));
  }
  return {
    engines,
    servers,
    stop,
    startServers: async () => {
      await Promise.all(servers.map((server) => server.start()));
      if (engines.meilisearch.length > 1) watch();
    },
    index: async (...args) => void (await runCommand("index", args, { folder, env, signal })),
    keys: (...args) => runCommand("keys", args, { folder, env, signal }),
  };
}

/** The settings that name one engine, or several in a file. */
function nameEngines(engines: BreakableEngines["meilisearch"], folder: string): Record<string, string> {
  const [only, ...others] = engines;
  if (others.length === 0) return { MEILISEARCH_URL: only?.url ?? "", MEILISEARCH_KEY: only?.key ?? "" };
  const TOPOLOGY = join(folder, "topology.json");
  const named = engines.map(({ name, url, key }) => ({ name, url, key }));
  const partitions = engines.length * 2;
  writeFileSync(TOPOLOGY, JSON.stringify({ engines: named, partitions, replicas: 2 }));
  return { TOPOLOGY };
}

const isRight = (how: string): boolean => how === "code 0" || how === "not started";

/** An engine without supervision, which can be killed, suspended and restarted. */
export interface BreakableEngine {
  readonly url: string;
  /** Ends it as the kernel does when memory runs out. Returns when it is gone. */
  kill(): Promise<void>;
  /** Restarts it in the same way; returns when it responds. */
  revive(): Promise<void>;
  /** Suspends it: connections stay open without responses. */
  hang(): void;
  goOn(): void;
  stop(): Promise<void>;
}

/** One with the whole index, or one of several. */
export interface BreakableMeilisearch extends BreakableEngine {
  readonly name: string;
  readonly key: string;
  /** Deletes its data; it must not run. */
  empty(): void;
}

interface BreakableEngines {
  readonly meilisearch: readonly BreakableMeilisearch[];
  readonly redis: BreakableEngine;
  stop(): Promise<void>;
}

/**
 * Starts all on free loopback ports with their data in the folder. @throws {LocalEnginesError} when one does
 * not start.
 */
async function startBreakableEngines(
  folder: string,
  count: number,
  signal: AbortSignal,
): Promise<BreakableEngines> {
  mkdirSync(join(folder, "logs"), { recursive: true });
  const redisFile = findExecutable("redis-server");
  if (redisFile === undefined) throw new Error("A redis-server must be on the PATH.");
  const [redisPort, ...ports] = await findFreePorts(1 + count);
  const started: BreakableEngine[] = [];
  const stop = async (): Promise<void> => void (await Promise.all(started.map((engine) => engine.stop())));
  try {
    const meilisearch: BreakableMeilisearch[] = [];
    for (const [index, port] of ports.entries()) {
      const name = `engine-${index + 1}`;
      const own = join(folder, name);
      mkdirSync(join(own, "logs"), { recursive: true });
      const command = buildMeilisearchCommand(own, port, findMeilisearch(folder));
      const engine = await startBreakable(command, signal);
      started.push(engine);
      const empty = (): void => rmSync(join(own, "meilisearch"), { recursive: true, maxRetries: 5 });
      meilisearch.push({ ...engine, name, key: command.key, empty });
    }
    const redis = await startBreakable(buildRedisCommand(folder, redisPort, redisFile), signal);
    started.push(redis);
    return { meilisearch, redis, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startBreakable(command: EngineCommand, signal: AbortSignal): Promise<BreakableEngine> {
  let child: EngineChild = await startChild(command, signal);
  const send = (name: NodeJS.Signals): void => {
    if (child.pid !== undefined && child.isRunning()) process.kill(child.pid, name);
  };
  return {
    url: command.url,
    async kill() {
      send("SIGKILL");
      await child.ended;
    },
    async revive() {
      if (!child.isRunning()) child = await startChild(command, signal);
    },
    hang: () => send("SIGSTOP"),
    goOn: () => send("SIGCONT"),
    stop: () => endChild(child),
  };
}
