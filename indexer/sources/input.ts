import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { addAbortSignal, type Readable } from "node:stream";
import { ImportError } from "../import-error.ts";
import { unpack, type Unpacked } from "./unpack.ts";

/** A file or the standard input. Gzip and zstd are unpacked: its chunks are plain, whatever lies on the disk. */
export interface Input {
  /** As the person named it; `stdin` for `-`. */
  readonly name: string;
  /** For readers that jump about in a file. `undefined` for the standard input, a pipe and a packed file. */
  readonly path: string | undefined;
  /** As it lies on the disk, packed or not; `undefined` when nobody can know, as with a pipe. */
  readonly totalBytes: number | undefined;
  /** How many of `totalBytes` are done. */
  bytesRead(): number;
  /** For readers by path: they alone know how far they are. */
  setBytesRead(bytes: number): void;
  /** The unpacked bytes from the very beginning. Can be asked for once. */
  chunks(): AsyncGenerator<Buffer>;
  /** How many bytes `chunks` has handed out: of a packed file many more than were read. */
  bytesGiven(): number;
  close(): void;
}

/** An input and enough of its beginning to tell what it is. */
export interface OpenedInput {
  readonly input: Input;
  readonly head: Buffer;
}

/** Room for the members before the first list of an Overpass answer, and for a long first line. */
const HEAD_BYTES = 64 * 1024;

/** Fewer, larger reads: a quarter of a megabyte is well past the point where more would be faster. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Opens a file, a named pipe, or the standard input for `-`, and reads its beginning. A file is closed again until its chunks
 * are asked for, since there may be thousands. Aborting the signal ends a read that waits.
 * @throws {ImportError} when it does not exist, is a directory, may not be read, or cannot be unpacked.
 */
export async function openInput(path: string, signal: AbortSignal, stdin: Readable): Promise<OpenedInput> {
  const name = path === "-" ? "stdin" : path;
  try {
    if (path === "-") return await openPipe(name, addAbortSignal(signal, stdin));
    const stats = await stat(path);
    const open: OpenStream = (highWaterMark) => createReadStream(path, { highWaterMark, signal });
    return stats.isFile() ? await openFile(path, stats.size, open) : await openPipe(name, open(CHUNK_BYTES));
  } catch (error) {
    signal.throwIfAborted();
    throw toImportError(name, error);
  }
}

type OpenStream = (chunkBytes: number) => Readable;

const READ_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "it may not be read by you",
  EISDIR: "it is a directory",
};

function toImportError(name: string, error: unknown): unknown {
  if (error instanceof ImportError || (error as Error).name === "AbortError") return error;
  const { code = "", message } = error as NodeJS.ErrnoException;
  return new ImportError(`Cannot read ${name}: ${READ_PROBLEMS[code] ?? message}.`, { cause: error });
}

async function openFile(path: string, totalBytes: number, open: OpenStream): Promise<OpenedInput> {
  const { head, isPacked } = await peek(path, open(HEAD_BYTES));
  let stream: Readable | undefined;
  let unpacked: Unpacked | undefined;
  let bytesRead = 0;
  async function* chunks(): AsyncGenerator<Buffer> {
    stream = open(CHUNK_BYTES);
    unpacked = await unpack(path, stream);
    yield* unpacked.chunks;
  }
  const input: Input = {
    name: path,
    path: isPacked ? undefined : path,
    totalBytes,
    bytesRead: () => unpacked?.bytesRead() ?? bytesRead,
    setBytesRead: (bytes) => void (bytesRead = bytes),
    ...createChunks(path, chunks),
    close: () => void stream?.destroy(),
  };
  return { input, head };
}

async function peek(path: string, stream: Readable): Promise<{ head: Buffer; isPacked: boolean }> {
  try {
    const { chunks, packing } = await unpack(path, stream);
    return { head: joinHead(await takeHead(chunks)), isPacked: packing !== undefined };
  } finally {
    stream.destroy();
  }
}

/** What was read for the head is handed out once more: nothing comes twice out of a pipe. */
async function openPipe(name: string, stream: Readable): Promise<OpenedInput> {
  const unpacked = await unpack(name, stream);
  const first = await takeHead(unpacked.chunks);
  const head = joinHead(first);
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let chunk = first.shift(); chunk; chunk = first.shift()) yield chunk;
    yield* unpacked.chunks;
  }
  const input: Input = {
    name,
    path: undefined,
    totalBytes: undefined,
    bytesRead: () => unpacked.bytesRead(),
    setBytesRead: () => {},
    ...createChunks(name, chunks),
    close: () => void stream.destroy(),
  };
  return { input, head };
}

async function takeHead(chunks: AsyncIterator<Buffer>): Promise<Buffer[]> {
  const taken: Buffer[] = [];
  for (let length = 0; length < HEAD_BYTES;) {
    const next = await chunks.next();
    if (next.done) break;
    taken.push(next.value);
    length += next.value.length;
  }
  return taken;
}

const joinHead = (chunks: readonly Buffer[]): Buffer => Buffer.concat(chunks).subarray(0, HEAD_BYTES);

/** Counts what is handed out, and says of an error which file it is about. */
function createChunks(
  name: string,
  readChunks: () => AsyncGenerator<Buffer>,
): Pick<Input, "chunks" | "bytesGiven"> {
  let bytesGiven = 0;
  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of readChunks()) {
        bytesGiven += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw toImportError(name, error);
    }
  }
  return { chunks, bytesGiven: () => bytesGiven };
}
