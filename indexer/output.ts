import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip, createZstdCompress } from "node:zlib";
import { ImportError } from "./import-error.ts";

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
