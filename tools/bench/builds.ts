import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { programPath, scriptArguments } from "../../test/support/program.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";

/** The options of a build. */
export interface BuildOptions {
  /** The dataset as native JSON lines. */
  readonly file: string;
  /** An empty folder, which receives all output. */
  readonly folder: string;
  /** Cancels the build; anything built so far is useless then. */
  readonly signal: AbortSignal;
  /** Settings of the indexer, such as how many engines share the index. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The cost of putting a dataset into one system. */
export interface BuildResult {
  readonly seconds: number;
  /** The size on disk, after the build. */
  readonly bytes: number;
}

interface Stamp<T> {
  readonly form: string;
  readonly result: T;
}

export interface Buildable<T> {
  /** Holds the whole build, and nothing else. */
  readonly folder: string;
  /** A description of what it is built from; another one requires a new build. */
  readonly form: string;
  /** Which existing forms can be used; by default only the same one. */
  readonly accepts?: (form: string) => boolean;
  /** Fills the empty folder. */
  readonly build: () => Promise<T>;
}

/**
 * Uses an existing build with an accepted form, or builds it. An interrupted build has no stamp and is built
 * again.
 */
export async function ensureBuilt<T>(buildable: Buildable<T>): Promise<T> {
  const { folder, form, accepts = (known) => known === form, build } = buildable;
  const stampFile = `${folder}.json`;
  const known = readStamp<T>(stampFile);
  if (known !== undefined && accepts(known.form)) return known.result;
  rmSync(stampFile, { force: true });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const result = await build();
  writeFileSync(stampFile, `${JSON.stringify({ form, result } satisfies Stamp<T>)}\n`);
  return result;
}

function readStamp<T>(file: string): Stamp<T> | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Stamp<T>) : undefined;
}

/** The folders whose code determines our index. */
const INDEXING_FOLDERS = ["indexer", "src/place", "src/meilisearch"];

/** Changes with the code that builds our index, because the index of other code may not fit the server. */
export function indexingFingerprint(): string {
  const hash = createHash("sha256");
  for (const folder of INDEXING_FOLDERS.map(programPath)) {
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
      if (file.endsWith(".ts")) hash.update(readFileSync(join(folder, file)));
    }
  }
  return hash.digest("hex").slice(0, 16);
}

/** A block of `st_blocks` is 512 bytes on every system. */
const BLOCK_BYTES = 512;

/**
 * The disk space that the files below the folder use. Does not count holes, which the engine's files have,
 * nor files that the engine removes meanwhile.
 */
export function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false })?.blocks ?? 0)
    .reduce((sum, blocks) => sum + blocks * BLOCK_BYTES, 0);
}

/**
 * Imports the file as a data team would: with the indexer, which starts the directory's engine while it runs.
 */
export async function buildOwnIndex(options: BuildOptions): Promise<BuildResult> {
  const { file, folder, signal, settings = {} } = options;
  const startedAt = performance.now();
  const importer = spawn(
    process.execPath,
    [...scriptArguments("index"), "import", file, "--format", "native"],
    { stdio: ["ignore", "ignore", "inherit"], env: { DATA_DIR: folder, ...settings }, cwd: folder, signal },
  );
  const [status] = (await once(importer, "close")) as [number | null];
  if (status !== 0) throw new Error(`The indexer ended with status ${status}.`);
  const seconds = (performance.now() - startedAt) / 1_000;
  return { seconds, bytes: folderBytes(folder) };
}
