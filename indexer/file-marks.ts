import { stat } from "node:fs/promises";
import type { FileMark } from "../src/place-index/manifest.ts";
import { ImportError } from "./import-error.ts";
import type { Source } from "./sources/open-sources.ts";

/** What tells whether a file is the one it was: its beginning, its size and when it was written. A pipe has its beginning only. */
export async function buildFileMarks(sources: readonly Source[]): Promise<FileMark[]> {
  return Promise.all(
    sources.map(async ({ input: { name, totalBytes }, headHash: head = "" }) => {
      const mark = { name, head };
      if (totalBytes === undefined) return mark;
      const { mtime } = await stat(name);
      return { ...mark, size: totalBytes, modified_at: mtime.toISOString() };
    }),
  );
}

/** @throws {ImportError} that names the first file that is not what it was. */
export function checkSameFiles(before: readonly FileMark[], now: readonly FileMark[]): void {
  const isSame = (mark: FileMark | undefined, other: FileMark | undefined): boolean =>
    mark?.name === other?.name &&
    mark?.head === other?.head &&
    mark?.size === other?.size &&
    mark?.modified_at === other?.modified_at;
  const changed = Array.from({ length: Math.max(before.length, now.length) }, (_, index) => index).find(
    (index) => !isSame(before[index], now[index]),
  );
  if (changed === undefined) return;
  throw new ImportError(
    `The import that broke off cannot be resumed: it read ${before[changed]?.name ?? "nothing more"} where now is ` +
      `${now[changed]?.name ?? "nothing more"}, and they differ. Give it the same files in the same order, ` +
      "or start anew without --resume.",
  );
}
