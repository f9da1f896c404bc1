import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** A block of `st_blocks` is 512 bytes on every system. */
const BLOCK_BYTES = 512;

/**
 * What the files below the folder take on disk. Holes in them, which the engine's files have, are not counted, nor is what the
 * engine removes meanwhile.
 */
export function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false })?.blocks ?? 0)
    .reduce((sum, blocks) => sum + blocks * BLOCK_BYTES, 0);
}
