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
  let failure: ImportError | undefined;
  /** What could not be written is lost, and the file cannot be whole any more: from then on all fails. */
  const attempt = (work: () => void): void => {
    if (failure) throw failure;
    try {
      work();
    } catch (error) {
      failure = toImportError(path, error);
      throw failure;
    }
  };

  let file: number | undefined;
  attempt(() => (file = openNew(path, temporaryPath)));
  let pending: string[] = [];
  let length = 0;
  let isFinished = false;
  const flush = (): void => {
    if (file !== undefined) writeAll(file, Buffer.from(pending.join("")));
    pending = [];
    length = 0;
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
      if (length >= BUFFER_LENGTH) attempt(flush);
    },
    finish: () => (isFinished ? undefined : attempt(finish)),
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

function toImportError(path: string, error: unknown): ImportError {
  const { code, message } = error as NodeJS.ErrnoException;
  const problem = code === "ENOENT" ? `there is no directory ${dirname(path)}` : message;
  return new ImportError(`Cannot write ${path}: ${problem}.`, { cause: error });
}

/** A disk that is nearly full takes a part, and then no more. */
function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
}
