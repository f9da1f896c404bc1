import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LocalEnginesError } from "./local-engines-error.ts";

export interface DataDirLock {
  readonly release: () => void;
}

/** SQLite's result code for "somebody else holds the lock". */
const SQLITE_BUSY = 5;

/** A database that is garbage collected is closed, and its lock is lost; this keeps the held ones. */
const held = new Set<DatabaseSync>();

const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;

/**
 * Takes the data directory for this process, or returns undefined when another process has it.
 * @throws {LocalEnginesError} when the lock file cannot be written.
 */
export function tryLockDataDir(dataDir: string): DataDirLock | undefined {
  const path = join(dataDir, "lock.sqlite");
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
    // An open exclusive transaction is a lock of the kernel (fcntl): it ends with the process, however that ends, and is
    // not inherited by the engines. Node offers no other lock of this kind. The journal stays in memory: nothing is written.
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
