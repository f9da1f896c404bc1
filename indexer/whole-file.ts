import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { ImportError } from "./import-error.ts";

/** A text file that is there as a whole or not at all: written under a temporary name beside its own. */
export interface WholeFile {
  readonly path: string;
  write(text: string): void;
  /** Puts the file in its place; once is enough. */
  finish(): void;
  isFinished(): boolean;
  /** Removes what was written, unless it was finished. */
  discard(): void;
}

/** Written out when so much has come together. */
const BUFFER_LENGTH = 64 * 1024;

/**
 * Begins such a file; one that is there already is replaced by `finish`.
 * @throws {ImportError} here, in `write` and in `finish` when it cannot be written.
 */
export function createWholeFile(path: string): WholeFile {
  const temporaryPath = `${path}.${process.pid}.tmp`;
  let file: number | undefined = orThrow(path, () => openNew(path, temporaryPath));
  let pending: string[] = [];
  let length = 0;
  let isFinished = false;

  const flush = (): void => {
    const text = pending.join("");
    pending = [];
    length = 0;
    if (file !== undefined) writeAll(file, Buffer.from(text));
  };
  const close = (): void => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  const finish = (): void => {
    flush();
    close();
    renameSync(temporaryPath, path);
    isFinished = true;
  };

  return {
    path,
    write(text) {
      pending.push(text);
      length += text.length;
      if (length >= BUFFER_LENGTH) orThrow(path, flush);
    },
    finish: () => (isFinished ? undefined : orThrow(path, finish)),
    isFinished: () => isFinished,
    discard() {
      close();
      if (!isFinished) rmSync(temporaryPath, { force: true });
    },
  };
}

function openNew(path: string, temporaryPath: string): number {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error("it is a directory");
  return openSync(temporaryPath, "w");
}

function orThrow<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const problem = code === "ENOENT" ? `there is no directory ${dirname(path)}` : message;
    throw new ImportError(`Cannot write ${path}: ${problem}.`, { cause: error });
  }
}

/** A disk that is nearly full takes a part, and then no more. */
function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
}
