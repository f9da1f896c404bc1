import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { hash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { zxyToTileId } from "pmtiles";
import type { AtomicFile } from "../../src/cli/atomic-file.ts";

/** What the header and the metadata of an archive say. */
interface ArchiveInfo {
  readonly minZoom: number;
  readonly maxZoom: number;
  /** In degrees. */
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly metadata: object;
}

/** Collects tiles in any order, and writes them as one PMTiles archive. */
export interface PmtilesWriter {
  /** Takes a vector tile; equal small tiles are stored once. */
  add(z: number, x: number, y: number, tile: Uint8Array): void;
  readonly tiles: number;
  /** Writes the archive, with its tiles in the order in which readers prefer them. Does not finish the file. */
  write(file: AtomicFile, info: ArchiveInfo): void;
  close(): void;
}

/** The place of a tile. A run is of equal tiles that follow each other. */
interface Entry {
  readonly id: number;
  offset: number;
  length: number;
  run: number;
}

/** Equal tiles are tiny: plain water, plain wood. */
const MAX_SHARED_BYTES = 1024;

/**
 * Opens a writer. The packed tiles wait in a file at `path`; in memory there are some forty bytes for each.
 * npm has readers of PMTiles; the one writer (s2-pmtiles) leaves out the bounds of the map and its order.
 */
export function createPmtilesWriter(path: string): PmtilesWriter {
  const waiting = openSync(path, "w+");
  const entries: Entry[] = [];
  const shared = new Map<string, Pick<Entry, "offset" | "length">>();
  let size = 0;
  const store = (packed: Buffer): Pick<Entry, "offset" | "length"> => {
    const key = packed.length <= MAX_SHARED_BYTES ? hash("sha256", packed, "base64") : undefined;
    const known = key === undefined ? undefined : shared.get(key);
    if (known) return known;
    const place = { offset: size, length: packed.length };
    for (let at = 0; at < packed.length;) at += writeSync(waiting, packed, at, packed.length - at, size + at);
    size += packed.length;
    if (key !== undefined) shared.set(key, place);
    return place;
  };
  return {
    add: (z, x, y, tile) => void entries.push({ id: zxyToTileId(z, x, y), ...store(gzipSync(tile)), run: 1 }),
    get tiles() {
      return entries.length;
    },
    write(file, info) {
      const { ordered, contents } = putInOrder(entries);
      writeHead(file, ordered, { contents, addressed: entries.length, dataLength: size, info });
      for (const { offset, length } of contents) file.write(readPart(waiting, offset, length));
    },
    close: () => closeSync(waiting),
  };
}

interface Ordered {
  /** By id, with their places in the archive, and runs put together. */
  readonly ordered: readonly Entry[];
  /** What to write, one after the other: places in the waiting file. */
  readonly contents: readonly Pick<Entry, "offset" | "length">[];
}

function putInOrder(entries: readonly Entry[]): Ordered {
  const ordered: Entry[] = [];
  const contents: Pick<Entry, "offset" | "length">[] = [];
  const placed = new Map<number, number>();
  let end = 0;
  for (const { id, offset: waitsAt, length } of entries.toSorted((a, b) => a.id - b.id)) {
    let offset = placed.get(waitsAt);
    if (offset === undefined) {
      offset = end;
      placed.set(waitsAt, offset);
      contents.push({ offset: waitsAt, length });
      end += length;
    }
    const last = ordered.at(-1);
    if (last && last.offset === offset && last.id + last.run === id) last.run += 1;
    else ordered.push({ id, offset, length, run: 1 });
  }
  return { ordered, contents };
}

function readPart(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length;) at += readSync(file, bytes, at, length - at, offset + at);
  return bytes;
}

interface Head {
  readonly contents: Ordered["contents"];
  readonly addressed: number;
  readonly dataLength: number;
  readonly info: ArchiveInfo;
}

/* The format: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md */

const HEADER_BYTES = 127;
/** Readers get the header and the root directory with their first request. */
const MAX_ROOT_BYTES = 16_384 - HEADER_BYTES;
const GZIP = 2;
const VECTOR_TILES = 1;

function writeHead(
  file: AtomicFile,
  entries: readonly Entry[],
  { contents, addressed, dataLength, info }: Head,
): void {
  const { root, leaves } = toDirectories(entries);
  const metadata = gzipSync(JSON.stringify(info.metadata));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("PMTiles");
  header.writeUInt8(3, 7);
  let at = 8;
  const number = (value: number): void => void (at = header.writeBigUInt64LE(BigInt(value), at));
  let start = HEADER_BYTES;
  for (const length of [root.length, metadata.length, leaves.length, dataLength]) {
    number(start);
    number(length);
    start += length;
  }
  for (const count of [addressed, entries.length, contents.length]) number(count);
  const isInOrder = 1;
  for (const value of [isInOrder, GZIP, GZIP, VECTOR_TILES, info.minZoom, info.maxZoom])
    at = header.writeUInt8(value, at);
  const degrees = (value: number): void => void (at = header.writeInt32LE(Math.round(value * 1e7), at));
  for (const value of [info.west, info.south, info.east, info.north]) degrees(value);
  at = header.writeUInt8(info.maxZoom, at);
  degrees((info.west + info.east) / 2);
  degrees((info.south + info.north) / 2);
  for (const part of [header, root, metadata, leaves]) file.write(part);
}

/** Leaves grow until the root that lists them is small enough. */
const FIRST_LEAF_ENTRIES = 4096;

function toDirectories(entries: readonly Entry[]): { root: Buffer; leaves: Buffer } {
  const whole = toDirectory(entries);
  if (whole.length <= MAX_ROOT_BYTES) return { root: whole, leaves: Buffer.alloc(0) };
  for (let size = FIRST_LEAF_ENTRIES; ; size *= 2) {
    const leaves: Buffer[] = [];
    const roots: Entry[] = [];
    let offset = 0;
    for (let from = 0; from < entries.length; from += size) {
      const leaf = toDirectory(entries.slice(from, from + size));
      leaves.push(leaf);
      // A run of 0 marks a leaf.
      roots.push({ id: entries[from]?.id ?? 0, offset, length: leaf.length, run: 0 });
      offset += leaf.length;
    }
    const root = toDirectory(roots);
    if (root.length <= MAX_ROOT_BYTES) return { root, leaves: Buffer.concat(leaves) };
  }
}

function toDirectory(entries: readonly Entry[]): Buffer {
  const bytes: number[] = [];
  const varint = (value: number): void => {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
    bytes.push(rest);
  };
  varint(entries.length);
  let lastId = 0;
  for (const { id } of entries) {
    varint(id - lastId);
    lastId = id;
  }
  for (const { run } of entries) varint(run);
  for (const { length } of entries) varint(length);
  for (const [index, { offset }] of entries.entries()) {
    const before = entries[index - 1];
    // 0: right behind the tile before.
    varint(before && before.offset + before.length === offset ? 0 : offset + 1);
  }
  return gzipSync(Buffer.from(bytes));
}
