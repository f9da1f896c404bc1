import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { addAbortSignal, type Readable } from "node:stream";
import { ImportError } from "../import-error.ts";

/** A file or the standard input, opened and not yet read but for its beginning. */
export interface Input {
  /** As the person named it; `stdin` for `-`. */
  readonly name: string;
  /** `undefined` when nobody can know, as with a pipe. */
  readonly totalBytes: number | undefined;
  /** Enough of the beginning to tell what it is. */
  readonly head: Buffer;
  /** Bytes handed out by `chunks` so far. */
  bytesRead(): number;
  /** The bytes from the very beginning. Can be asked for once. */
  chunks(): AsyncGenerator<Buffer>;
  close(): void;
}

/** Room for the members before the first list of an Overpass answer, and for a long first line. */
const HEAD_BYTES = 64 * 1024;

/** Fewer, larger reads: a quarter of a megabyte is well past the point where more would be faster. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Opens a file, a named pipe, or the standard input for `-`. Aborting the signal ends a read that waits.
 * @throws {ImportError} when it does not exist, is a directory or may not be read.
 */
export async function openInput(path: string, signal: AbortSignal, stdin: Readable): Promise<Input> {
  if (path === "-") return startReading("stdin", undefined, addAbortSignal(signal, stdin));
  try {
    const stats = await stat(path);
    // A pipe has no size.
    const totalBytes = stats.isFile() ? stats.size : undefined;
    return await startReading(
      path,
      totalBytes,
      createReadStream(path, { highWaterMark: CHUNK_BYTES, signal }),
    );
  } catch (error) {
    signal.throwIfAborted();
    throw cannotRead(path, error);
  }
}

const READ_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "it may not be read by you",
  EISDIR: "it is a directory",
};

function cannotRead(name: string, error: unknown): ImportError {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return new ImportError(`Cannot read ${name}: ${READ_PROBLEMS[code] ?? message}.`, { cause: error });
}

async function startReading(name: string, totalBytes: number | undefined, stream: Readable): Promise<Input> {
  const iterator = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first = await readHead(iterator);
  let bytesRead = 0;

  async function* chunks(): AsyncGenerator<Buffer> {
    for (let chunk = first.shift(); chunk; chunk = first.shift()) {
      bytesRead += chunk.length;
      yield chunk;
    }
    try {
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
        bytesRead += next.value.length;
        yield next.value;
      }
    } catch (error) {
      if (error instanceof Error && error.name === "AbortError") throw error;
      throw cannotRead(name, error);
    }
  }

  return {
    name,
    totalBytes,
    head: Buffer.concat(first).subarray(0, HEAD_BYTES),
    bytesRead: () => bytesRead,
    chunks,
    close: () => void stream.destroy(),
  };
}

async function readHead(iterator: AsyncIterator<Buffer>): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for (let length = 0; length < HEAD_BYTES;) {
    const next = await iterator.next();
    if (next.done) break;
    chunks.push(next.value);
    length += next.value.length;
  }
  return chunks;
}
