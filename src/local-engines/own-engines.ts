import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Role } from "./claim-data-dir.ts";
import type { DataDirLock } from "./data-dir-lock.ts";
import type { EngineCommand } from "./engine-child.ts";
import type { EngineName, OnEngineEvent } from "./engine-event.ts";
import { startEngineProcess, type EngineProcess } from "./engine-process.ts";
import { findFreePorts } from "./free-port.ts";
import { LocalEnginesError } from "./local-engines-error.ts";
import { findMeilisearch } from "./meilisearch-binary.ts";
import { buildMeilisearchCommand, type MeilisearchCommand } from "./meilisearch-process.ts";
import { endOrphans } from "./orphans.ts";
import { buildRedisCommand } from "./redis-process.ts";
import { removeRuntimeFile, writeRuntimeFile, type Runtime } from "./runtime-file.ts";

export interface OwnOptions {
  readonly dataDir: string;
  readonly lock: DataDirLock;
  readonly role: Role;
  readonly wanted: { readonly meilisearch: boolean; readonly redisFile: string | undefined };
  readonly onEvent: OnEngineEvent;
  readonly signal: AbortSignal;
}

export interface OwnEngines {
  readonly runtime: Runtime;
  readonly stop: () => Promise<void>;
}

interface Commands {
  readonly meilisearch: MeilisearchCommand | undefined;
  readonly redis: EngineCommand | undefined;
}

async function buildCommands({ dataDir, wanted }: OwnOptions): Promise<Commands> {
  mkdirSync(join(dataDir, "logs"), { recursive: true });
  const [meilisearchPort, redisPort] = await findFreePorts();
  return {
    meilisearch: wanted.meilisearch
      ? buildMeilisearchCommand(dataDir, meilisearchPort, findMeilisearch(dataDir))
      : undefined,
    redis:
      wanted.redisFile === undefined ? undefined : buildRedisCommand(dataDir, redisPort, wanted.redisFile),
  };
}

const stopAll = async (engines: readonly EngineProcess[]): Promise<void> => {
  await Promise.all(engines.map((engine) => engine.stop()));
};

/** Starts all at the same time; when one fails, the others are ended and the first error is thrown. */
async function startAll(commands: readonly EngineCommand[], options: OwnOptions): Promise<EngineProcess[]> {
  const results = await Promise.allSettled(commands.map((command) => startEngineProcess(command, options)));
  const engines = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failure = results.find((result) => result.status === "rejected");
  if (failure === undefined) return engines;
  await stopAll(engines);
  throw failure.reason;
}

interface Announcer {
  readonly runtime: () => Runtime;
  readonly announce: (state: Runtime["state"]) => void;
  readonly onEvent: OnEngineEvent;
}

/** Keeps the runtime file true while engines start, die and come back. For a running owner a full disk is no reason to end. */
function createAnnouncer({ dataDir, role, onEvent }: OwnOptions, commands: Commands): Announcer {
  const { meilisearch, redis } = commands;
  const pids = new Map<EngineName, number>();
  const describe = (state: Runtime["state"]): Runtime => ({
    state,
    owner: { pid: process.pid, role },
    meilisearch: meilisearch && { url: meilisearch.url, key: meilisearch.key, pid: pids.get("meilisearch") },
    redis: redis && { url: redis.url, pid: pids.get("redis") },
  });
  function announce(state: Runtime["state"]): void {
    try {
      writeRuntimeFile(dataDir, describe(state));
    } catch (error) {
      onEvent({ name: "runtime_file_failed", reason: String(error) });
    }
  }
  return {
    runtime: () => describe("running"),
    announce,
    onEvent(event) {
      if ("pid" in event && event.name !== "orphan_ended") pids.set(event.engine, event.pid);
      if (event.name === "engine_restarted") announce("running");
      onEvent(event);
    },
  };
}

async function startOwn(options: OwnOptions): Promise<OwnEngines> {
  const { dataDir, role } = options;
  writeRuntimeFile(dataDir, { state: "starting", owner: { pid: process.pid, role } });
  await endOrphans(dataDir, options.onEvent);
  const commands = await buildCommands(options);
  const { runtime, announce, onEvent } = createAnnouncer(options, commands);
  const wanted = Object.values(commands).filter((command) => command !== undefined);
  const engines = await startAll(wanted, { ...options, onEvent });
  announce("running");

  async function stop(): Promise<void> {
    announce("stopping");
    await stopAll(engines);
    giveBack(options);
  }
  let stopped: Promise<void> | undefined;
  return { runtime: runtime(), stop: () => (stopped ??= stop()) };
}

function giveBack({ dataDir, lock }: OwnOptions): void {
  try {
    removeRuntimeFile(dataDir);
  } finally {
    lock.release();
  }
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && "syscall" in error;

/**
 * Starts the wanted engines in a data directory that this process has locked, and tells the others where they are. `stop()` ends the
 * engines and gives the directory back; so does a failed start.
 * @throws {LocalEnginesError} when one is missing or does not start; the signal's reason when that is aborted.
 */
export async function ownEngines(options: OwnOptions): Promise<OwnEngines> {
  try {
    return await startOwn(options);
  } catch (error) {
    giveBack(options);
    if (!isSystemError(error)) throw error;
    throw new LocalEnginesError(
      `Cannot prepare ${options.dataDir}: ${error.message}. It must be a folder that can be written, on a disk with space left.`,
      { cause: error },
    );
  }
}
