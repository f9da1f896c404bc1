import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** A block of `st_blocks` is 512 bytes on every system. */
const BLOCK_BYTES = 512;

/** What the files below the folder take on disk. Holes in them, which the engine's files have, are not counted. */
export function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).blocks * BLOCK_BYTES, 0);
}
