import { appendFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { Line, MapFeature } from "./map-feature.ts";
import { cutIntoTiles, type Tile } from "./tile-grid.ts";

/** Tiles that are made together, from the features of one tile of `zoom`. */
export interface Level {
  readonly zoom: number;
  readonly maxZoom: number;
}

/**
 * Two or three zooms share a level: fewer would store large features more often, more would hold more of them in memory. The
 * densest cities have some seventy thousand buildings in a tile of zoom 13.
 */
export const LEVELS: readonly Level[] = [
  { zoom: 0, maxZoom: 4 },
  { zoom: 5, maxZoom: 7 },
  { zoom: 8, maxZoom: 10 },
  { zoom: 11, maxZoom: 12 },
  { zoom: 13, maxZoom: 14 },
];

export const MAX_ZOOM = 14;

/** Features on disk, by the tile that they are drawn from, so that memory only holds those of one tile. */
export interface FeatureBuckets {
  add(feature: MapFeature): void;
  /** The tiles of a level that have features, and how to read these. Nothing may be added any more. */
  bucketsOf(level: Level): Bucket[];
}

export interface Bucket {
  readonly tile: Tile;
  readonly level: Level;
  /** Reads the features and removes them from the disk. */
  take(): MapFeature[];
}

/** All buckets together are written out when they hold this much. */
const MAX_WAITING_BYTES = 48 * 1024 * 1024;

/** Opens empty buckets in a new folder. */
export function createFeatureBuckets(folder: string): FeatureBuckets {
  const waiting = new Map<string, Buffer[]>();
  const tiles = new Map<string, { tile: Tile; level: Level }>();
  let waitingBytes = 0;
  const flush = (): void => {
    for (const [name, parts] of waiting) appendFileSync(join(folder, name), Buffer.concat(parts));
    waiting.clear();
    waitingBytes = 0;
  };
  const put = (tile: Tile, level: Level, feature: MapFeature): void => {
    const name = `${tile.z}-${tile.x}-${tile.y}`;
    if (!tiles.has(name)) tiles.set(name, { tile, level });
    const bytes = pack(feature);
    const parts = waiting.get(name);
    if (parts) parts.push(bytes);
    else waiting.set(name, [bytes]);
    waitingBytes += bytes.length;
    if (waitingBytes >= MAX_WAITING_BYTES) flush();
  };
  mkdirSync(folder, { recursive: true });
  return {
    add(feature) {
      for (const level of LEVELS) {
        if (feature.minZoom > level.maxZoom) continue;
        const coarse = level.maxZoom === MAX_ZOOM ? feature : thinOut(feature, level.maxZoom);
        if (coarse === undefined) continue;
        for (const part of cutIntoTiles(coarse, level.zoom)) put(part.tile, level, part.feature);
      }
    },
    bucketsOf(level) {
      flush();
      const own = tiles.entries().filter(([, bucket]) => bucket.level === level);
      return Array.from(own, ([name, { tile }]) => {
        const path = join(folder, name);
        return {
          tile,
          level,
          take() {
            const bytes = readFileSync(path);
            rmSync(path);
            return unpack(bytes);
          },
        };
      });
    },
  };
}

const LENGTH_BYTES = 4;

function pack(feature: MapFeature): Buffer {
  const bytes = serialize(feature);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function unpack(bytes: Buffer): MapFeature[] {
  const features: MapFeature[] = [];
  for (let at = 0; at < bytes.length;) {
    const begin = at + LENGTH_BYTES;
    at = begin + bytes.readUInt32LE(at);
    features.push(deserialize(bytes.subarray(begin, at)) as MapFeature);
  }
  return features;
}

/** A quarter of a pixel of a tile of 512 pixels. */
const MIN_STEP_SHARE = 1 / 2048;

/** Without points that nobody could see at the zoom; `undefined` when nothing is left. */
function thinOut(feature: MapFeature, zoom: number): MapFeature | undefined {
  if (feature.shape === "Point") return feature;
  const step = (MIN_STEP_SHARE * 360 * 1e7) / 2 ** zoom;
  const isRing = feature.shape === "Polygon";
  const lines = feature.lines.map((line) => thinOutLine(line, step));
  const [first] = lines;
  if (first === undefined || first.length < (isRing ? 8 : 4)) return undefined;
  return { ...feature, lines: isRing ? lines.filter(({ length }) => length >= 8) : lines };
}

/** Keeps both ends. */
function thinOutLine(line: Line, step: number): Line {
  const kept: number[] = [];
  let [lastX, lastY] = [Infinity, Infinity];
  for (let at = 0; at < line.length; at += 2) {
    const [x = 0, y = 0] = [line[at], line[at + 1]];
    const isFar = Math.abs(x - lastX) >= step || Math.abs(y - lastY) >= step;
    if (!isFar && at !== line.length - 2) continue;
    kept.push(x, y);
    [lastX, lastY] = [x, y];
  }
  return Int32Array.from(kept);
}
