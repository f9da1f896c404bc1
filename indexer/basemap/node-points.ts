import { LRUCache } from "lru-cache";
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { CommandError } from "../../src/cli/errors.ts";
import { UNITS_PER_DEGREE } from "./map-feature.ts";

/** The points of all nodes of an extract, on disk: a country has a hundred million of them. */
export interface NodePoints {
  /** Nodes come in the order of their ids. */
  add(id: number, latitude: number, longitude: number): void;
  /** Longitude and latitude in units; `undefined` for a node that the file lacks. */
  get(id: number): Point | undefined;
  close(): void;
}

type Point = readonly [lng: number, lat: number];

/** Of a node: its id as a double, and its longitude and latitude in 32 bits each. */
const NODE_BYTES = 16;
const BLOCK_NODES = 4096;
const BLOCK_BYTES = NODE_BYTES * BLOCK_NODES;

/** 64 MB. The nodes of neighbouring ways lie in few blocks. */
const MAX_BLOCKS_IN_MEMORY = 1024;

/** Opens an empty store in a new file. */
export function createNodePoints(path: string): NodePoints {
  const file = openSync(path, "w+");
  /** The first id of each block. */
  const firstIds: number[] = [];
  let filling = Buffer.alloc(BLOCK_BYTES);
  let filled = 0;
  let lastId = -Infinity;
  const blocks = new LRUCache<number, Buffer>({ max: MAX_BLOCKS_IN_MEMORY });

  const flush = (): void => {
    const offset = (firstIds.length - 1) * BLOCK_BYTES;
    for (let at = 0; at < BLOCK_BYTES;) at += writeSync(file, filling, at, BLOCK_BYTES - at, offset + at);
    filling = Buffer.alloc(BLOCK_BYTES);
    filled = 0;
  };
  const readBlock = (number: number): Buffer => {
    const known = blocks.get(number);
    if (known) return known;
    const bytes = Buffer.alloc(BLOCK_BYTES);
    readSync(file, bytes, 0, BLOCK_BYTES, number * BLOCK_BYTES);
    blocks.set(number, bytes);
    return bytes;
  };
  return {
    add(id, latitude, longitude) {
      if (id <= lastId)
        throw new CommandError(
          "The nodes of the file are not in the order of their ids: run osmium sort on it first.",
        );
      lastId = id;
      if (filled === 0) firstIds.push(id);
      const at = filled * NODE_BYTES;
      filling.writeDoubleLE(id, at);
      filling.writeInt32LE(Math.round(longitude * UNITS_PER_DEGREE), at + 8);
      filling.writeInt32LE(Math.round(latitude * UNITS_PER_DEGREE), at + 12);
      filled += 1;
      if (filled === BLOCK_NODES) flush();
    },
    get(id) {
      if (filled > 0) flush();
      const number = lastNotAbove(firstIds.length, (index) => firstIds[index] ?? 0, id);
      if (number < 0) return undefined;
      const block = readBlock(number);
      const index = lastNotAbove(BLOCK_NODES, (at) => idAt(block, at), id);
      if (index < 0 || idAt(block, index) !== id) return undefined;
      const at = index * NODE_BYTES;
      return [block.readInt32LE(at + 8), block.readInt32LE(at + 12)];
    },
    close: () => closeSync(file),
  };
}

/** The last block is not full; behind its end come zeros. */
function idAt(block: Buffer, index: number): number {
  const id = block.readDoubleLE(index * NODE_BYTES);
  return id === 0 && index > 0 ? Infinity : id;
}

/** The index of the last of the ordered values that is not above the wanted one, or -1. */
function lastNotAbove(count: number, valueAt: (index: number) => number, wanted: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (valueAt(middle) <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
