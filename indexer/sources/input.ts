import { createReadStream, fstatSync, type Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { addAbortSignal, Readable, pipeline, type Transform } from "node:stream";
import { CommandError } from "../../src/cli/errors.ts";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { formatCount } from "../../src/cli/format.ts";

/** A file or the standard input. Gzip and zstd are decompressed, so its chunks are always plain. */
export interface Input {
  /** As given on the command line; `stdin` for `-`; of a download its address without secrets. */
  readonly name: string;
  /**
   * For readers that need random access. `undefined` for the standard input, a pipe and a compressed file.
   */
  readonly path: string | undefined;
  /** Where a file can be opened again, compressed or not; `undefined` for a pipe and the standard input. */
  readonly file?: string;
  /** The size on disk, compressed or not; `undefined` when it is unknown, as with a pipe. */
  readonly totalBytes: number | undefined;
  /** The chunks are not those of the file any more, which cannot be opened again instead. */
  readonly isDecoded?: true;
  /** When a file was last changed; `undefined` for a pipe and the standard input. */
  readonly modifiedAt?: Date;
  /** How many of `totalBytes` have been read. */
  bytesRead(): number;
  /** For readers that use `path`, since only they know their progress. */
  setBytesRead(bytes: number): void;
  /** The decompressed bytes from the beginning, until `signal` is aborted. May be called once. */
  chunks(): AsyncGenerator<Buffer>;
  /** How many bytes `chunks` has yielded. For a compressed file, these are many more than were read. */
  bytesGiven(): number;
  /** Aborted when the reading is to end. For readers that use `path`. */
  readonly signal: AbortSignal;
  close(): void;
}

export type InputBytes = Pick<Input, "totalBytes" | "bytesRead">;

/**
 * Counts how much of the inputs has been read. The total is `undefined` when the length of one is unknown.
 */
export function countBytes(inputs: readonly InputBytes[]): { read: number; total: number | undefined } {
  let read = 0;
  let total: number | undefined = 0;
  for (const input of inputs) {
    read += input.bytesRead();
    if (total !== undefined) total = input.totalBytes === undefined ? undefined : total + input.totalBytes;
  }
  return { read, total };
}

/** An input and enough of its beginning to detect its format. */
export interface OpenedInput {
  readonly input: Input;
  readonly head: Buffer;
}

/** Enough for the fields before the first list of an Overpass response, and for a long first line. */
const HEAD_BYTES = 64 * 1024;

/** Fewer, larger reads. Beyond a quarter of a megabyte, larger reads are not faster. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Opens a file, a named pipe, or the standard input for `-`, and reads its beginning. A file is then closed
 * until its chunks are needed, since there may be thousands. Aborting the signal ends a read that waits.
 * @throws {CommandError} when the file does not exist, is a directory, or cannot be read or decompressed.
 */
export async function openInput(
  path: string,
  signal: AbortSignal,
  stdin: Readable,
  name = path === "-" ? "stdin" : path,
): Promise<OpenedInput> {
  try {
    if (path === "-")
      return await openPipe(name, addAbortSignal(signal, stdin), { totalBytes: lengthOf(stdin), signal });
    const stats = await stat(path);
    const open: OpenStream = (highWaterMark) => createReadStream(path, { highWaterMark, signal });
    return stats.isFile()
      ? await openFile(path, stats, { name, open, signal })
      : await openPipe(name, open(CHUNK_BYTES), { totalBytes: undefined, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw toReadError(name, error);
  }
}

type OpenStream = (chunkBytes: number) => Readable;

const READ_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission denied",
  EISDIR: "it is a directory",
};

function toReadError(name: string, error: unknown): unknown {
  if (error instanceof CommandError || (error as Error).name === "AbortError") return error;
  const { code = "", message } = error as NodeJS.ErrnoException;
  return new CommandError(`Cannot read ${name}: ${READ_PROBLEMS[code] ?? message}.`, { cause: error });
}

async function openFile(
  path: string,
  { size: totalBytes, mtime: modifiedAt }: Stats,
  { name, open, signal }: { readonly name: string; readonly open: OpenStream; readonly signal: AbortSignal },
): Promise<OpenedInput> {
  const { head, isPacked } = await peek(name, open(HEAD_BYTES));
  let stream: Readable | undefined;
  let unpacked: Unpacked | undefined;
  let bytesRead = 0;
  async function* chunks(): AsyncGenerator<Buffer> {
    stream = open(CHUNK_BYTES);
    unpacked = await unpack(name, stream);
    yield* unpacked.chunks;
  }
  const input: Input = {
    name,
    file: path,
    path: isPacked ? undefined : path,
    totalBytes,
    modifiedAt,
    bytesRead: () => unpacked?.bytesRead() ?? bytesRead,
    setBytesRead: (bytes) => void (bytesRead = bytes),
    ...createChunks(name, chunks, signal),
    close: () => void stream?.destroy(),
  };
  return { input, head };
}

async function peek(name: string, stream: Readable): Promise<{ head: Buffer; isPacked: boolean }> {
  try {
    const { chunks, packing } = await unpack(name, stream);
    return { head: joinHead(await takeBytes(chunks, HEAD_BYTES)), isPacked: packing !== undefined };
  } finally {
    stream.destroy();
  }
}

/** The length of a standard input that is a file: `index import - < places.jsonl`. */
function lengthOf(stdin: Readable & { readonly fd?: unknown }): number | undefined {
  if (typeof stdin.fd !== "number") return undefined;
  const stats = fstatSync(stdin.fd);
  return stats.isFile() ? stats.size : undefined;
}

/** Yields the head again with the rest, since a pipe can be read only once. */
async function openPipe(
  name: string,
  stream: Readable,
  { totalBytes, signal }: Pick<Input, "totalBytes" | "signal">,
): Promise<OpenedInput> {
  const unpacked = await unpack(name, stream);
  const first = await takeBytes(unpacked.chunks, HEAD_BYTES);
  const head = joinHead(first);
  const input: Input = {
    name,
    path: undefined,
    totalBytes,
    bytesRead: () => unpacked.bytesRead(),
    setBytesRead: () => {},
    ...createChunks(name, () => joinChunks(first, unpacked.chunks), signal),
    close: () => void stream.destroy(),
  };
  return { input, head };
}

/** Takes chunks until they have so many bytes: they may come one by one. */
async function takeBytes(chunks: AsyncIterator<Buffer>, bytes: number): Promise<Buffer[]> {
  const taken: Buffer[] = [];
  for (let length = 0; length < bytes;) {
    const next = await chunks.next();
    if (next.done) break;
    taken.push(next.value);
    length += next.value.length;
  }
  return taken;
}

const joinHead = (chunks: readonly Buffer[]): Buffer => Buffer.concat(chunks).subarray(0, HEAD_BYTES);

/** Counts the yielded bytes, and adds the file's name to errors. A small packed file may be read whole long before its last chunk. */
function createChunks(
  name: string,
  readChunks: () => AsyncGenerator<Buffer>,
  signal: AbortSignal,
): Pick<Input, "chunks" | "bytesGiven" | "signal"> {
  let bytesGiven = 0;
  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of readChunks()) {
        signal.throwIfAborted();
        bytesGiven += chunk.length;
        yield chunk;
      }
    } catch (error) {
      signal.throwIfAborted();
      throw toReadError(name, error);
    }
  }
  return { chunks, bytesGiven: () => bytesGiven, signal };
}

type Packing = "gzip" | "zstd";

/** The decompressed bytes of an input. */
export interface Unpacked {
  /** `undefined` for an input that is not compressed. */
  readonly packing: Packing | undefined;
  /** How many bytes of the compressed input have been read. */
  bytesRead(): number;
  readonly chunks: AsyncGenerator<Buffer>;
}

/**
 * The first bytes of each compression format: RFC 1952; RFC 8878 for a frame and for the skippable one with
 * which pzstd begins.
 */
const MAGIC: readonly (readonly [Packing, Buffer])[] = [
  ["gzip", Buffer.from([0x1f, 0x8b])],
  ["zstd", Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
  ["zstd", Buffer.from([0x50, 0x2a, 0x4d, 0x18])],
];
const MAGIC_BYTES = 4;

const UNPACKERS: Readonly<Record<Packing, () => Transform & { readonly bytesWritten: number }>> = {
  gzip: () => createGunzip({ chunkSize: CHUNK_BYTES }),
  // Without this option zlib ignores what follows a frame, even a broken second frame.
  zstd: () => createZstdDecompress({ chunkSize: CHUNK_BYTES, rejectGarbageAfterEnd: true }),
};

/**
 * Decompresses gzip and zstd, detected by their first bytes. Other data is passed on unchanged.
 * @throws {CommandError} while reading compressed bytes that are cut off or broken; other errors come from
 *   the stream.
 */
export async function unpack(name: string, stream: Readable): Promise<Unpacked> {
  const rest = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first = await takeBytes(rest, MAGIC_BYTES);
  const start = Buffer.concat(first);
  const packing = MAGIC.find(([, magic]) => start.subarray(0, magic.length).equals(magic))?.[0];
  if (packing) return unpackWith(packing, name, joinChunks(first, rest));
  let bytesRead = 0;
  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of joinChunks(first, rest)) {
      bytesRead += chunk.length;
      yield chunk;
    }
  }
  return { packing, bytesRead: () => bytesRead, chunks: chunks() };
}

async function* joinChunks(first: Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  for (let chunk = first.shift(); chunk; chunk = first.shift()) yield chunk;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

function unpackWith(packing: Packing, name: string, packed: AsyncGenerator<Buffer>): Unpacked {
  const unpacker = UNPACKERS[packing]();
  // Errors on either side surface in the decompressor.
  pipeline(Readable.from(packed, { objectMode: false }), unpacker, () => {});
  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      yield* unpacker as AsyncIterable<Buffer>;
    } catch (error) {
      const problem = problemOf(error as NodeJS.ErrnoException);
      if (problem === undefined) throw error;
      const near = `near byte ${formatCount(unpacker.bytesWritten)} of the packed file`;
      throw new CommandError(`${name} is ${problem} (${packing}, ${near}).`, { cause: error });
    }
  }
  return { packing, bytesRead: () => unpacker.bytesWritten, chunks: chunks() };
}

/** `undefined` for an error that is not about the compression, such as a failed read. */
function problemOf({ code = "" }: NodeJS.ErrnoException): string | undefined {
  if (code === "Z_BUF_ERROR") return "cut off: the packed data ends too early, was it copied whole?";
  if (code === "ERR_TRAILING_JUNK_AFTER_STREAM_END") return "broken: something else follows the packed data";
  if (code === "ZSTD_error_frameParameter_windowTooLarge")
    return "packed with too large a window: pack it without --long or --ultra";
  return code.startsWith("Z_") || code.startsWith("ZSTD_") ? "broken: it cannot be unpacked" : undefined;
}
