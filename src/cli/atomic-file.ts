import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip, createZstdCompress } from "node:zlib";
import { CommandError } from "./errors.ts";

/** A file that is there as a whole or not at all: it is written under a temporary name beside its own. */
export interface AtomicFile {
  readonly path: string;
  write(content: string | Uint8Array): void;
  /** Puts the file in its place, where it replaces an older one; once is enough. */
  finish(): void;
  isFinished(): boolean;
  /** Removes what was written, unless it was finished. */
  discard(): void;
}

/** Written out when so much has come together. */
const BUFFER_BYTES = 64 * 1024;

/**
 * Begins such a file.
 * @param mode who may read it, whatever the umask; without it the umask decides.
 * @throws {CommandError} here, in `write` and in `finish` when it cannot be written.
 */
export function createAtomicFile(path: string, mode?: number): AtomicFile {
  const temporaryPath = `${path}.${process.pid}.tmp`;
  let failure: CommandError | undefined;
  /** What could not be written is lost, and the file cannot be whole any more: from then on everything fails. */
  const attempt = (work: () => void): void => {
    if (failure) throw failure;
    try {
      work();
    } catch (error) {
      failure = cannotWrite(path, error);
      throw failure;
    }
  };

  let isFinished = false;
  let file: BufferedFile | undefined;
  attempt(() => {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error("it is a directory");
    file = openBuffered(temporaryPath, mode);
  });
  const finish = (): void => {
    file?.flush();
    file?.close();
    renameSync(temporaryPath, path);
    isFinished = true;
    syncFolder(dirname(path));
  };
  return {
    path,
    write: (content) => attempt(() => file?.write(content)),
    finish: () => (isFinished ? undefined : attempt(finish)),
    isFinished: () => isFinished,
    discard() {
      file?.close();
      if (!isFinished) rmSync(temporaryPath, { force: true });
    },
  };
}

interface BufferedFile {
  write(content: string | Uint8Array): void;
  /** Writes what is buffered, down to the disk. */
  flush(): void;
  /** May be called more than once. */
  close(): void;
}

function openBuffered(path: string, mode: number | undefined): BufferedFile {
  let file: number | undefined = openSync(path, "w", mode);
  // The mode of a new file is narrowed by the umask.
  if (mode !== undefined) fchmodSync(file, mode);
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const writePending = (): void => {
    if (file !== undefined) writeAll(file, Buffer.concat(pending));
    pending = [];
    pendingBytes = 0;
  };
  return {
    write(content) {
      const bytes = Buffer.from(content);
      pending.push(bytes);
      pendingBytes += bytes.length;
      if (pendingBytes >= BUFFER_BYTES) writePending();
    },
    flush() {
      writePending();
      if (file !== undefined) fsyncSync(file);
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

function cannotWrite(path: string, error: unknown): CommandError {
  const { code, message } = error as NodeJS.ErrnoException;
  const problem = code === "ENOENT" ? `there is no directory ${dirname(path)}` : message;
  return new CommandError(`Cannot write ${path}: ${problem}.`, { cause: error });
}

/** A disk that is nearly full takes a part, and then no more. */
function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
}

/** Without this a machine that loses power may forget the new name. Not every system can. */
function syncFolder(path: string): void {
  try {
    const folder = openSync(path, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {
    // The file is in its place nevertheless.
  }
}

/**
 * Writes a small file as a whole or not at all.
 * @throws {CommandError} when it cannot be written; an older file is then as it was.
 */
export function writeAtomically(path: string, content: string, mode?: number): void {
  const file = createAtomicFile(path, mode);
  try {
    file.write(content);
    file.finish();
  } finally {
    file.discard();
  }
}

/** Pieces of text that are written one after the other. */
type Texts = AsyncIterable<string> | Iterable<string>;

/**
 * Writes a file of any length as a whole or not at all, compressed where its name ends in `.gz` or `.zst`.
 * @throws {CommandError} when it cannot be written; what the texts throw, and the signal's reason.
 */
export async function streamAtomically(path: string, texts: Texts, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const file = createAtomicFile(path);
  const write = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of chunks) file.write(chunk);
  };
  try {
    await pipeline([Readable.from(texts), ...compressorsFor(path), write], { signal });
    file.finish();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    file.discard();
  }
}

function compressorsFor(path: string): NodeJS.ReadWriteStream[] {
  if (path.endsWith(".gz")) return [createGzip()];
  if (path.endsWith(".zst")) return [createZstdCompress()];
  return [];
}

/**
 * Writes to a stream that stays open, such as the standard output, no faster than it is read. Resolves to false when it takes no
 * more: its reader stopped listening, as `head` does, or its disk is full.
 */
export async function writeToStream(stream: Writable, texts: Texts, signal?: AbortSignal): Promise<boolean> {
  let isLost = false;
  stream.once("error", () => (isLost = true));
  try {
    await pipeline(Readable.from(texts), stream, { ...(signal && { signal }), end: false });
    return true;
  } catch (error) {
    signal?.throwIfAborted();
    if (isLost || !stream.writable) return false;
    throw error;
  }
}
