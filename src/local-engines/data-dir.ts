import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { LocalEnginesError, type OnEngineEvent } from "./engine-process.ts";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as v from "valibot";

export type Role = Runtime["owner"]["role"];

/**
 * Either this process has locked the directory, or another process owns it and we know the addresses of its
 * engines.
 */
export type Claim = { readonly lock: DataDirLock } | { readonly runtime: Runtime };

/**
 * Longer than an engine may take to start or stop. Within this time an owner either publishes its engines or
 * releases the directory.
 */
const WAIT_MS = 40_000;

/**
 * An owner names itself right after it has locked the directory. This leaves time for a machine that is very
 * busy.
 */
const NAMELESS_MS = 5_000;

const POLL_MS = 50;

const WHAT_RUNS: Record<Role, string> = {
  server: "another server runs",
  indexer: "an import runs",
  keys: "a command for keys runs",
};

/**
 * Creates the data directory, readable by its user only, and returns its real path. One that others may read
 * is closed to them, or reported where it is not ours to close: another user's, or a folder with other files.
 */
export function makeDataDir(path: string, onEvent: OnEngineEvent): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const dataDir = realpathSync(path);
    closeToOthers(dataDir, onEvent);
    return dataDir;
  } catch (error) {
    throw new LocalEnginesError(
      `Cannot make the data directory ${path}: ${String(error)}. Set DATA_DIR to a folder that can be written.`,
      { cause: error },
    );
  }
}

const OTHERS = 0o077;

function closeToOthers(dataDir: string, onEvent: OnEngineEvent): void {
  const { mode, uid } = statSync(dataDir);
  if ((mode & OTHERS) === 0) return;
  const files = readdirSync(dataDir);
  const isOurs = uid === process.geteuid?.() && (files.length === 0 || files.includes("lock.sqlite"));
  if (isOurs) chmodSync(dataDir, 0o700);
  onEvent({ name: isOurs ? "data_dir_closed" : "data_dir_open", dataDir, mode: (mode & 0o7777).toString(8) });
}

const refusal = (dataDir: string, { owner }: Runtime): LocalEnginesError =>
  new LocalEnginesError(
    `${WHAT_RUNS[owner.role]} on ${dataDir} (process ${owner.pid}). Wait for it or end it, or set DATA_DIR to another folder.`,
  );

/** A command for keys has no Meilisearch to share and ends within a second, so everyone waits for it. */
const isSoonDone = ({ owner }: Runtime): boolean => owner.role === "keys";

const mayBorrow = (role: Role, runtime: Runtime): boolean =>
  role !== "server" && runtime.state === "running" && !isSoonDone(runtime);

const mustRefuse = (role: Role, runtime: Runtime): boolean =>
  role === "server" && runtime.state !== "stopping" && !isSoonDone(runtime);

/**
 * Locks the data directory. An indexer or a command for keys also accepts the engines of the current owner.
 * Waits while the owner starts or stops.
 * @throws {LocalEnginesError} when another owner keeps it.
 */
export async function claimDataDir(dataDir: string, role: Role, signal: AbortSignal): Promise<Claim> {
  const deadline = performance.now() + WAIT_MS;
  let namedAt = performance.now();
  while (performance.now() < deadline && performance.now() - namedAt < NAMELESS_MS) {
    signal.throwIfAborted();
    const lock = tryLockDataDir(dataDir);
    if (lock !== undefined) return { lock };
    const runtime = readRuntimeFile(dataDir);
    if (runtime !== undefined && mayBorrow(role, runtime)) return { runtime };
    if (runtime !== undefined && mustRefuse(role, runtime)) throw refusal(dataDir, runtime);
    if (runtime !== undefined) namedAt = performance.now();
    await sleep(POLL_MS);
  }
  throw new LocalEnginesError(
    `${nameHolder(lockPath(dataDir))} has locked ${lockPath(dataDir)}, and does not say that it is a server, an import or a ` +
      "command for keys. Close whatever has the file open (a database browser, a backup), or set DATA_DIR to another folder.",
  );
}

/** The name of the process that has locked the file, if the kernel knows it. */
function nameHolder(path: string): string {
  try {
    const { ino } = statSync(path);
    // "1: POSIX  ADVISORY  READ 4321 fd:00:262157 0 EOF"; -1 is a process of another container.
    const locks = readFileSync("/proc/locks", "utf8").matchAll(/ (\d+) [\da-f]+:[\da-f]+:(\d+) /g);
    const pid = [...locks].find(([, , inode]) => inode === String(ino))?.[1];
    return pid === undefined
      ? "Another process"
      : `Process ${pid} (${readFileSync(`/proc/${pid}/comm`, "utf8").trim()})`;
  } catch {
    return "Another process";
  }
}

const lockPath = (dataDir: string): string => join(dataDir, "lock.sqlite");

export interface DataDirLock {
  readonly release: () => void;
}

/** SQLite's result code for a database that another process has locked. */
const SQLITE_BUSY = 5;

/** Keeps the locked databases referenced: garbage collection would close them and release their locks. */
const held = new Set<DatabaseSync>();

const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;

/**
 * Locks the data directory for this process. Returns undefined when another process holds the lock.
 * @throws {LocalEnginesError} when the lock file cannot be written.
 */
export function tryLockDataDir(dataDir: string): DataDirLock | undefined {
  const path = lockPath(dataDir);
  try {
    return lock(path);
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw new LocalEnginesError(`Cannot lock ${path}: ${String(error)}. Is DATA_DIR writable?`, {
      cause: error,
    });
  }
}

function lock(path: string): DataDirLock {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // An open exclusive transaction is a kernel lock (fcntl). It ends with the process, however that ends,
    // and the engines do not inherit it. Node offers no other lock of this kind. The journal stays in memory,
    // so nothing is written.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    throw error;
  }
  held.add(database);
  return {
    release() {
      if (held.delete(database)) database.close();
    },
  };
}

const pid = v.pipe(v.number(), v.integer(), v.minValue(1));

const engine = { url: v.string(), key: v.string(), pid: v.optional(pid) };

const runtimeSchema = v.object({
  state: v.picklist(["starting", "running", "stopping"]),
  owner: v.object({ pid, role: v.picklist(["server", "indexer", "keys"]) }),
  /** The only engine. */
  meilisearch: v.optional(v.object(engine)),
  /** Several engines. */
  topology: v.optional(
    v.object({
      engines: v.array(v.object({ name: v.string(), ...engine })),
      partitions: v.number(),
      replicas: v.number(),
    }),
  ),
  redis: v.optional(v.object({ url: v.string(), pid: v.optional(pid) })),
});

/** What the owner of a data directory publishes for other processes: who it is and where its engines are. */
export type Runtime = v.InferOutput<typeof runtimeSchema>;

const runtimePath = (dataDir: string): string => join(dataDir, "runtime.json");

const isAlive = (processId: number): boolean => {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/**
 * Replaces the runtime file atomically, so that no reader sees half of it. Only its user may read it, because
 * it holds keys.
 */
export function writeRuntimeFile(dataDir: string, runtime: Runtime): void {
  const aside = join(dataDir, `runtime.json.${process.pid}`);
  // The mode applies only to a newly created file.
  rmSync(aside, { force: true });
  writeFileSync(aside, `${JSON.stringify(runtime, null, 2)}\n`, { mode: 0o600 });
  renameSync(aside, runtimePath(dataDir));
}

/** The runtime of a live owner; undefined when there is none, or when its file is missing or broken. */
export function readRuntimeFile(dataDir: string): Runtime | undefined {
  try {
    const runtime = v.parse(runtimeSchema, JSON.parse(readFileSync(runtimePath(dataDir), "utf8")));
    return isAlive(runtime.owner.pid) ? runtime : undefined;
  } catch {
    return undefined;
  }
}

export function removeRuntimeFile(dataDir: string): void {
  rmSync(runtimePath(dataDir), { force: true });
}
