import { pipeline, Readable, type Transform } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { ImportError } from "../import-error.ts";
import { formatCount } from "../format.ts";

type Packing = "gzip" | "zstd";

/** The bytes of an input without what they were packed with. */
export interface Unpacked {
  /** `undefined` for an input that is not packed. */
  readonly packing: Packing | undefined;
  /** How many bytes of the input itself, packed as it is, are done. */
  bytesRead(): number;
  readonly chunks: AsyncGenerator<Buffer>;
}

/** The bytes each packing begins with: RFC 1952; RFC 8878 for a frame and for the skippable one that pzstd begins with. */
const MAGIC: readonly (readonly [Packing, Buffer])[] = [
  ["gzip", Buffer.from([0x1f, 0x8b])],
  ["zstd", Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
  ["zstd", Buffer.from([0x50, 0x2a, 0x4d, 0x18])],
];
const MAGIC_BYTES = 4;

/** What comes out at a time: small pieces would cost more in passing them on than in unpacking them. */
const CHUNK_BYTES = 256 * 1024;

const UNPACKERS: Readonly<Record<Packing, () => Transform & { readonly bytesWritten: number }>> = {
  gzip: () => createGunzip({ chunkSize: CHUNK_BYTES }),
  // Without this option zlib passes over what follows a frame, also when that is a broken second frame.
  zstd: () => createZstdDecompress({ chunkSize: CHUNK_BYTES, rejectGarbageAfterEnd: true }),
};

/**
 * Unpacks gzip and zstd, which are told by their first bytes; anything else passes as it is.
 * @throws {ImportError} while reading packed bytes that are cut off or broken; any other error is the stream's own.
 */
export async function unpack(name: string, stream: Readable): Promise<Unpacked> {
  const { first, rest } = await readFirst(stream);
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

/** Bytes may come one by one. */
async function readFirst(stream: Readable): Promise<{ first: Buffer[]; rest: AsyncIterator<Buffer> }> {
  const rest = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first: Buffer[] = [];
  for (let length = 0; length < MAGIC_BYTES;) {
    const next = await rest.next();
    if (next.done) break;
    first.push(next.value);
    length += next.value.length;
  }
  return { first, rest };
}

async function* joinChunks(first: Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  for (let chunk = first.shift(); chunk; chunk = first.shift()) yield chunk;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

function unpackWith(packing: Packing, name: string, packed: AsyncGenerator<Buffer>): Unpacked {
  const unpacker = UNPACKERS[packing]();
  // Errors of either end come out of the unpacker.
  pipeline(Readable.from(packed, { objectMode: false }), unpacker, () => {});
  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      yield* unpacker as AsyncIterable<Buffer>;
    } catch (error) {
      const problem = problemOf(error as NodeJS.ErrnoException);
      if (problem === undefined) throw error;
      const near = `near byte ${formatCount(unpacker.bytesWritten)} of the packed file`;
      throw new ImportError(`${name} is ${problem} (${packing}, ${near}).`, { cause: error });
    }
  }
  return { packing, bytesRead: () => unpacker.bytesWritten, chunks: chunks() };
}

/** `undefined` for an error that has nothing to do with the packing, as when the file cannot be read on. */
function problemOf({ code = "" }: NodeJS.ErrnoException): string | undefined {
  if (code === "Z_BUF_ERROR") return "cut off: the packed data ends too early, was it copied whole?";
  if (code === "ERR_TRAILING_JUNK_AFTER_STREAM_END") return "broken: something else follows the packed data";
  if (code === "ZSTD_error_frameParameter_windowTooLarge")
    return "packed with too large a window: pack it without --long or --ultra";
  return code.startsWith("Z_") || code.startsWith("ZSTD_") ? "broken: it cannot be unpacked" : undefined;
}
