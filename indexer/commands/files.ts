import { closeSync, openSync, renameSync, rmSync, statSync, writeSync, createWriteStream } from "node:fs";
import { dirname } from "node:path";
import { ImportError } from "./interruption.ts";
import { open, rename, rm } from "node:fs/promises";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip, createZstdCompress } from "node:zlib";

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

/** Pieces of text that are written one after the other. */
type Texts = AsyncIterable<string>;

/**
 * Writes a file, packed where its name ends in `.gz` or `.zst`. It is written under another name and renamed when it is complete,
 * so that nobody takes half of it for the whole.
 * @throws {ImportError} when it cannot be written; what the texts throw, and the signal's reason. The other name is gone then.
 */
export async function writeFileWhole(path: string, texts: Texts, signal: AbortSignal): Promise<void> {
  const aside = `${path}.partial-${process.pid}`;
  try {
    const file = createWriteStream(aside, { flush: true });
    await pipeline([Readable.from(texts), ...packersFor(path), file], { signal });
    await rename(aside, path);
    await syncFolderOf(path);
  } catch (error) {
    await rm(aside, { force: true });
    signal.throwIfAborted();
    throw toWriteError(path, error);
  }
}

function packersFor(path: string): NodeJS.ReadWriteStream[] {
  if (path.endsWith(".gz")) return [createGzip()];
  if (path.endsWith(".zst")) return [createZstdCompress()];
  return [];
}

/** Without this a machine that loses power may forget the new name. Not every system can. */
async function syncFolderOf(path: string): Promise<void> {
  const folder = await open(path.replace(/[^/]*$/, "") || ".", "r").catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

function toWriteError(path: string, error: unknown): unknown {
  const { syscall, code } = error as NodeJS.ErrnoException;
  const isOfFile = syscall !== undefined && ["open", "write", "rename", "fsync"].includes(syscall);
  return isOfFile ? new ImportError(`Cannot write ${path}: ${code}.`, { cause: error }) : error;
}

const NOBODY_LISTENS = new Set(["EPIPE", "ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_UNABLE_TO_PIPE"]);

/**
 * Writes to a stream that stays open, such as the standard output. Resolves to false when the other side stopped listening, as
 * `head` does.
 */
export async function writeToStream(stream: Writable, texts: Texts, signal: AbortSignal): Promise<boolean> {
  try {
    await pipeline(Readable.from(texts), stream, { signal, end: false });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (NOBODY_LISTENS.has((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}
