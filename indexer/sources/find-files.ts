import type { Dirent } from "node:fs";
import { glob, readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ImportError } from "../import-error.ts";

/** A file to read, and whether somebody asked for this very one: in a directory there may be others. */
export interface FoundFile {
  readonly path: string;
  readonly isNamed: boolean;
}

/**
 * The files that paths of a command line stand for, each once, in the order given: a file, a glob that the shell left as it
 * is, a directory with all that is in it, in the order of their names. `-` and what does not exist pass as they are.
 * @throws {ImportError} for a glob that matches nothing and for a directory that cannot be listed.
 */
export async function findFiles(paths: readonly string[]): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>();
  for (const path of paths) {
    for (const file of await findAt(path)) {
      const key = file.path === "-" ? "-" : resolve(file.path);
      if (!found.has(key) || file.isNamed) found.set(key, file);
    }
  }
  return [...found.values()];
}

async function findAt(path: string): Promise<FoundFile[]> {
  if (path === "-") return [{ path, isNamed: true }];
  const stats = await statOf(path);
  if (stats?.isDirectory()) return listFolder(path);
  // A file whose name looks like a glob is that file.
  if (stats || !GLOB.test(path)) return [{ path, isNamed: true }];
  const matches = (await Array.fromAsync(glob(path))).toSorted();
  if (matches.length === 0) throw new ImportError(`${path} matches no file.`);
  return (await Promise.all(matches.map(findAt))).flat();
}

const GLOB = /[*?[{]/;

/** `undefined` for what does not exist or may not be looked at: opening it tells why. */
const statOf = (path: string): ReturnType<typeof stat> | Promise<undefined> =>
  stat(path).catch(() => undefined);

/** Links to files are followed; links to directories are not, since they may lead back. */
async function listFolder(folder: string): Promise<FoundFile[]> {
  const files: string[] = [];
  for (const open = [folder]; open.length > 0;) {
    const parent = open.pop() ?? folder;
    for (const entry of await readFolder(parent)) {
      const path = join(parent, entry.name);
      if (entry.isDirectory()) open.push(path);
      else if ((await statOf(path))?.isFile()) files.push(path);
    }
  }
  return files.toSorted().map((path) => ({ path, isNamed: false }));
}

async function readFolder(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    throw new ImportError(`Cannot list ${folder}: ${(error as Error).message}.`, { cause: error });
  }
}
