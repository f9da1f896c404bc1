import { open, type FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { inflate, zstdDecompress } from "node:zlib";
import { parse } from "osm-pbf-parser-node";
import { CommandError } from "../../../src/cli/errors.ts";
import type { PbfElement } from "./pbf-places.ts";

/** The elements of one kind in an unpacked primitive block. */
function parseElements(block: Buffer, kind: PbfElement["type"]): PbfElement[] {
  const elements = parse(block, {}) as PbfElement[];
  return elements.filter(({ type }) => type === kind);
}

/** The kinds of elements in a block of an `.osm.pbf`. */
type BlockKind = "node" | "way" | "relation";

/** The position of a data block in the file. */
export interface Block {
  readonly offset: number;
  readonly bytes: number;
  readonly kinds: ReadonlySet<BlockKind>;
}

/** An `.osm.pbf` whose blocks can be read in any order. */
export type PbfFile = Awaited<ReturnType<typeof openPbfFile>>;

/** A pass over all elements of one kind: whether it is the last of this kind, or only learns about them. */
export type Pass = readonly [kind: BlockKind, isLast: boolean];

interface ReadBlock {
  readonly elements: readonly PbfElement[];
  readonly isLast: boolean;
  /** The share of the work that is done after this block. */
  readonly share: number;
}

/** Reads the blocks of each pass, one after the other. */
export async function* readPasses(
  file: PbfFile,
  blocks: readonly Block[],
  passes: readonly Pass[],
): AsyncGenerator<ReadBlock> {
  const steps = passes.flatMap(([kind, isLast]) =>
    blocks.filter(({ kinds }) => kinds.has(kind)).map((block) => ({ kind, isLast, block })),
  );
  const work = steps.reduce((sum, { block }) => sum + block.bytes, 0);
  let done = 0;
  for (const { kind, isLast, block } of steps) {
    done += block.bytes;
    yield { elements: parseElements(await file.readBlock(block), kind), isLast, share: done / work };
  }
}

/** The limits of the format (wiki.openstreetmap.org/wiki/PBF_Format). */
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_BLOCK_BYTES = 32 * 1024 * 1024;

/**
 * Opens an `.osm.pbf`.
 * @throws {CommandError} here or in its methods, when the file is cut off or broken, or has an unknown
 *   compression.
 */
export async function openPbfFile(path: string) {
  const file = await open(path);
  const readBlock = async ({ offset, bytes }: Pick<Block, "offset" | "bytes">): Promise<Buffer> =>
    asProblemOf(path, offset, unpack, await readBytes(file, offset, bytes, path));

  return {
    /** Scans the whole file and reports its progress to `onByte`. Leaves out blocks without elements. */
    async findBlocks(onByte: (byte: number) => void): Promise<Block[]> {
      const { size } = await file.stat();
      const blocks: Block[] = [];
      for (let offset = 0; offset < size;) {
        const { type, begin, bytes } = await readHeader(file, offset, path);
        const data = await readBlock({ offset: begin, bytes });
        if (type === "OSMHeader") await asProblemOf(path, offset, checkFeatures, data);
        const kinds =
          type === "OSMData" ? await asProblemOf(path, offset, kindsOf, data) : new Set<BlockKind>();
        if (kinds.size > 0) blocks.push({ offset: begin, bytes, kinds });
        offset = begin + bytes;
        onByte(offset);
      }
      return blocks;
    },
    /** The unpacked primitive block. */
    readBlock,
    close: () => file.close(),
  };
}

async function readBytes(file: FileHandle, offset: number, length: number, path: string): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, offset);
  if (bytesRead < length) throw new CommandError(`${path} is cut off at byte ${offset + bytesRead}.`);
  return buffer;
}

async function asProblemOf<T>(
  path: string,
  offset: number,
  read: (bytes: Buffer) => T | Promise<T>,
  bytes: Buffer,
): Promise<T> {
  try {
    return await read(bytes);
  } catch (error) {
    const { message } = error as Error;
    throw new CommandError(`${path} is broken near byte ${offset}: ${message}.`, { cause: error });
  }
}

const LENGTH_BYTES = 4;

/** The fields of a BlobHeader. */
const TYPE = 1;
const DATA_SIZE = 3;

async function readHeader(file: FileHandle, offset: number, path: string) {
  const length = (await readBytes(file, offset, LENGTH_BYTES, path)).readUInt32BE();
  if (length > MAX_HEADER_BYTES) throw new CommandError(`${path} is not an .osm.pbf at byte ${offset}.`);
  const header = await readBytes(file, offset + LENGTH_BYTES, length, path);
  const fields = await asProblemOf(path, offset, readFieldsByNumber, header);
  const bytes = Number(fields.get(DATA_SIZE));
  if (!(bytes <= MAX_BLOCK_BYTES))
    throw new CommandError(`${path} is broken near byte ${offset}: no block size.`);
  return { type: String(fields.get(TYPE)), begin: offset + LENGTH_BYTES + length, bytes };
}

const readFieldsByNumber = (bytes: Buffer): Map<number, number | Buffer> =>
  new Map([...readFields(bytes)].map(({ number, value }) => [number, value]));

/** The data fields of a Blob, by compression. */
const UNPACKERS: Readonly<Record<number, (data: Buffer) => Promise<Buffer>>> = {
  1: async (raw) => raw,
  3: (data) => promisify(inflate)(data, { maxOutputLength: MAX_BLOCK_BYTES }),
  7: (data) => promisify(zstdDecompress)(data, { maxOutputLength: MAX_BLOCK_BYTES }),
};

async function unpack(blob: Buffer): Promise<Buffer> {
  for (const { number, value } of readFields(blob)) {
    const unpacker = UNPACKERS[number];
    if (unpacker && Buffer.isBuffer(value)) return unpacker(value);
  }
  throw new RangeError("it is packed by something else than zlib or zstd");
}

const REQUIRED_FEATURES = 4;
const KNOWN_FEATURES: ReadonlySet<string> = new Set(["OsmSchema-V0.6", "DenseNodes"]);

/** Rejects files with history, which contain several versions of each element. */
function checkFeatures(header: Buffer): void {
  for (const { number, value } of readFields(header)) {
    const feature = String(value);
    if (number === REQUIRED_FEATURES && !KNOWN_FEATURES.has(feature))
      throw new RangeError(`it needs ${feature}, which is not known here`);
  }
}

const GROUP = 2;
const KIND_OF_FIELD: Readonly<Record<number, BlockKind>> = {
  1: "node",
  2: "node",
  3: "way",
  4: "relation",
};

/** Each group of a block contains one kind of elements, which its first field shows. */
function kindsOf(block: Buffer): Set<BlockKind> {
  const kinds = new Set<BlockKind>();
  for (const { number, value } of readFields(block)) {
    if (number !== GROUP || !Buffer.isBuffer(value)) continue;
    const first = readFields(value).next();
    const kind = first.done ? undefined : KIND_OF_FIELD[first.value.number];
    if (kind) kinds.add(kind);
  }
  return kinds;
}

/** One field of a protocol buffer message: a number, or the bytes of a text, a list or a message. */
interface ProtobufField {
  readonly number: number;
  readonly value: number | Buffer;
}

const VARINT = 0;
const FIXED_64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;

/**
 * Reads the fields of a message in order. Numbers of more than 53 bits lose their last digits.
 * @throws {RangeError} when the bytes are not a message.
 */
function* readFields(bytes: Buffer): Generator<ProtobufField> {
  const position = { at: 0 };
  while (position.at < bytes.length) {
    const tag = readVarint(bytes, position);
    const number = Math.floor(tag / 8);
    const kind = tag % 8;
    if (kind === VARINT) yield { number, value: readVarint(bytes, position) };
    else {
      const length = lengthOf(kind, bytes, position);
      if (position.at + length > bytes.length) throw new RangeError("a field is longer than its message");
      yield { number, value: bytes.subarray(position.at, (position.at += length)) };
    }
  }
}

function lengthOf(kind: number, bytes: Buffer, position: { at: number }): number {
  if (kind === LENGTH_DELIMITED) return readVarint(bytes, position);
  if (kind === FIXED_64) return 8;
  if (kind === FIXED_32) return 4;
  throw new RangeError(`a field is of the unknown kind ${kind}`);
}

const MAX_VARINT_BYTES = 10;

function readVarint(bytes: Buffer, position: { at: number }): number {
  let value = 0;
  for (let index = 0; index < MAX_VARINT_BYTES; index += 1) {
    const byte = bytes[position.at];
    if (byte === undefined) break;
    position.at += 1;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return value;
  }
  throw new RangeError("a number does not end");
}
