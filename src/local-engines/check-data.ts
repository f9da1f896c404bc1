import { closeSync, existsSync, openSync, readdirSync, readSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DamagedDataError } from "./engine-process.ts";

/*
 * The engine keeps each of its databases in one LMDB file. The file begins with two meta pages; the newer one
 * says how many pages the file has (struct MDB_meta in LMDB's mdb.c).
 */

/** The offsets of the magic number, the page size, the last page and the transaction in a meta page. */
const META = { magicAt: 16, pageSizeAt: 40, lastPageAt: 136, transactionAt: 144, bytes: 152 } as const;
const LMDB_MAGIC = 0xbeefc0de;

/** LMDB does not write pages at the end of the file that one transaction both allocated and freed. */
const MISSING_PAGES = 16;
const MISSING_SHARE = 0.01;

const indexesFolder = (dataDir: string): string => join(dataDir, "meilisearch", "indexes");

const listIndexes = (dataDir: string): string[] =>
  existsSync(indexesFolder(dataDir)) ? readdirSync(indexesFolder(dataDir)) : [];

/** True when the engine of this folder has ever held an index, even an unfinished one. */
export const hasHeldData = (folder: string): boolean => listIndexes(folder).length > 0;

/**
 * Removes what an engine left that was killed during its very first start. It writes its version last, and refuses to start without
 * it; before, it has never run and holds nothing.
 */
export function removeUnfinishedStart(dataDir: string): void {
  const folder = join(dataDir, "meilisearch");
  if (existsSync(join(folder, "VERSION")) || hasHeldData(dataDir)) return;
  for (const name of ["auth", "tasks"]) rmSync(join(folder, name), { recursive: true, force: true });
}

/**
 * Checks, within a millisecond, that no file of the search data is truncated. An engine that starts on such a
 * file may treat it as empty.
 * @param hasTwin whether other engines have the same partitions.
 * @throws {DamagedDataError} that names the folder and the ways to fix it.
 */
export function checkSearchData(dataDir: string, hasTwin = false): void {
  const own = ["auth", "tasks"].map((name) => join(dataDir, "meilisearch", name)).filter(existsSync);
  const indexes = listIndexes(dataDir).map((name) => join(indexesFolder(dataDir), name));
  // An engine that is killed while it makes or deletes an index leaves a folder without data.
  const filled = indexes.filter((folder) => existsSync(join(folder, "data.mdb")));
  for (const folder of [...own, ...(filled.length > 0 ? filled : indexes)]) {
    const problem = findProblem(join(folder, "data.mdb"));
    if (problem !== undefined) throw damaged(dataDir, problem, hasTwin);
  }
}

const damaged = (dataDir: string, problem: string, hasTwin: boolean): DamagedDataError => {
  const database = join(dataDir, "meilisearch");
  const waysOut = hasTwin
    ? ["Other engines have the same places:", `  delete ${database}, and it is filled again from them`]
    : [
        "There are three ways out:",
        `  restore: put a backup in the place of ${dataDir}`,
        `  import again: delete ${database} and run \`npm run -s index -- import\` with your files`,
        `  delete: remove ${dataDir} to begin anew, with demo places; this also removes the keys and counts in Redis`,
      ];
  const [first, ...others] = waysOut;
  const what = `The search data in ${dataDir} is damaged: ${problem}. Nothing was changed.`;
  return new DamagedDataError([`${what} ${first}`, ...others].join("\n"));
};

function findProblem(path: string): string | undefined {
  if (!existsSync(path)) return `${path} is missing`;
  const { size } = statSync(path);
  const metas = readMetas(path);
  const newest = metas.toSorted((one, other) => Number(other.transaction - one.transaction))[0];
  if (newest === undefined) return `${path} has ${size} bytes and no valid beginning`;
  const pages = Number(newest.lastPage) + 1;
  const missing = pages - size / newest.pageSize;
  if (missing <= Math.max(MISSING_PAGES, pages * MISSING_SHARE)) return undefined;
  return `${path} has ${size} of ${pages * newest.pageSize} bytes`;
}

interface Meta {
  readonly pageSize: number;
  readonly lastPage: bigint;
  readonly transaction: bigint;
}

/** The readable meta pages. The second one follows the first page. */
function readMetas(path: string): Meta[] {
  const first = readMeta(path, 0);
  const second = first && readMeta(path, first.pageSize);
  return [first, second].filter((meta) => meta !== undefined);
}

function readMeta(path: string, position: number): Meta | undefined {
  const buffer = Buffer.alloc(META.bytes);
  const file = openSync(path, "r");
  const length = readSync(file, buffer, 0, META.bytes, position);
  closeSync(file);
  if (length < META.bytes || buffer.readUInt32LE(META.magicAt) !== LMDB_MAGIC) return undefined;
  return {
    pageSize: buffer.readUInt32LE(META.pageSizeAt),
    lastPage: buffer.readBigUInt64LE(META.lastPageAt),
    transaction: buffer.readBigUInt64LE(META.transactionAt),
  };
}
