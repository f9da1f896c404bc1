import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { programPath } from "../program-path.ts";
import type { BuildOptions, BuildResult } from "./build-result.ts";
import { folderBytes } from "./folder-bytes.ts";

/** Imports the file as a data team would: with the indexer, which starts the engine of the directory for as long as it takes. */
export async function buildOwnIndex({ file, folder, signal }: BuildOptions): Promise<BuildResult> {
  const startedAt = performance.now();
  const importer = spawn(
    process.execPath,
    [programPath("indexer/main.ts"), "import", file, "--format", "native"],
    { stdio: ["ignore", "ignore", "inherit"], env: { DATA_DIR: folder }, cwd: folder, signal },
  );
  const [status] = (await once(importer, "close")) as [number | null];
  if (status !== 0) throw new Error(`The indexer ended with status ${status}.`);
  const seconds = (performance.now() - startedAt) / 1_000;
  return { seconds, bytes: folderBytes(join(folder, "meilisearch")) };
}
