import { mkdirSync, realpathSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { tryLockDataDir, type DataDirLock } from "./data-dir-lock.ts";
import { LocalEnginesError } from "./local-engines-error.ts";
import { readRuntimeFile, type Runtime } from "./runtime-file.ts";

export type Role = Runtime["owner"]["role"];

/** Either the directory is ours, or somebody else's and we know where their engines are. */
export type Claim = { readonly lock: DataDirLock } | { readonly runtime: Runtime };

/** Longer than an engine's start or stop may take: within it an owner either says where its engines are, or gives way. */
const WAIT_MS = 40_000;

const POLL_MS = 50;

const WHAT_RUNS: Record<Role, string> = {
  server: "another server runs",
  indexer: "an import runs",
  keys: "a command for keys runs",
};

/** Makes the data directory, readable by its user only, and returns its real path. */
export function makeDataDir(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return realpathSync(path);
  } catch (error) {
    throw new LocalEnginesError(
      `Cannot make the data directory ${path}: ${String(error)}. Set DATA_DIR to a folder that can be written.`,
      { cause: error },
    );
  }
}

const refusal = (dataDir: string, { owner }: Runtime): LocalEnginesError =>
  new LocalEnginesError(
    `${WHAT_RUNS[owner.role]} on ${dataDir} (process ${owner.pid}). Wait for it or end it, or set DATA_DIR to another folder.`,
  );

/** A command for keys has no Meilisearch to lend, and is done in a second: everybody waits for it. */
const isSoonDone = ({ owner }: Runtime): boolean => owner.role === "keys";

const mayBorrow = (role: Role, runtime: Runtime): boolean =>
  role !== "server" && runtime.state === "running" && !isSoonDone(runtime);

const mustRefuse = (role: Role, runtime: Runtime): boolean =>
  role === "server" && runtime.state !== "stopping" && !isSoonDone(runtime);

/**
 * Takes the data directory; an indexer or a command for keys is content with the engines of whoever has it. Waits while the owner starts or stops.
 * @throws {LocalEnginesError} when another owner keeps it.
 */
export async function claimDataDir(dataDir: string, role: Role, signal: AbortSignal): Promise<Claim> {
  const deadline = performance.now() + WAIT_MS;
  while (performance.now() < deadline) {
    signal.throwIfAborted();
    const lock = tryLockDataDir(dataDir);
    if (lock !== undefined) return { lock };
    const runtime = readRuntimeFile(dataDir);
    if (runtime !== undefined && mayBorrow(role, runtime)) return { runtime };
    if (runtime !== undefined && mustRefuse(role, runtime)) throw refusal(dataDir, runtime);
    await sleep(POLL_MS);
  }
  throw new LocalEnginesError(
    `Another process holds ${dataDir} and does not say where its engines are. End it, or set DATA_DIR to another folder.`,
  );
}
