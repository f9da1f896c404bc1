/**
 * Makes indexer/clean/time-zones.br from the boundaries in geo-tz (data: timezone-boundary-builder, ODbL): a tree of cells, each with
 * one zone. The boundaries take 72 MB, the tree less than one.   npm run -s time-zones
 */
import { find } from "geo-tz/all";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { PbfReader } from "pbf";
import { brotliCompressSync, constants } from "node:zlib";
import { SEA, SPLIT, TIME_ZONES_FILE } from "../indexer/clean/time-zones.ts";

/** How often the world is cut in four. The smallest cells are 300 m high and, at the equator, 600 m wide. */
const MAX_DEPTH = 16;

/** Beside one zone there is only sea: the cells may be 5 km high, since a zone reaches 22 km into the sea. */
const COAST_DEPTH = 12;

/** The data is rounded to six decimals. */
const ROUNDING_DEGREES = 3e-6;

interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

interface Edge {
  readonly zone: string;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** A node of geo-tz's own tree: a place in its file, the zones of the whole cell, or four cells. */
type Node =
  | { readonly pos?: number; readonly len?: number; readonly [quarter: string]: unknown }
  | readonly number[];

const require = createRequire(import.meta.url);

/** Without types of its own. */
const { decode } = require("geobuf") as {
  readonly decode: (pbf: PbfReader) => GeoJSON.FeatureCollection;
};

const folder = require.resolve("geo-tz/all").replace(/dist\/.*$/, "data/");
const shapes = readFileSync(`${folder}timezones.geojson.geo.dat`);
const { timezones, lookup } = JSON.parse(readFileSync(`${folder}timezones.geojson.index.json`, "utf8")) as {
  readonly timezones: readonly string[];
  readonly lookup: Node;
};

type Tree = string | readonly Tree[];

/** The quarters in the order of the file: south-west, south-east, north-west, north-east. */
const QUARTERS = ["c", "d", "b", "a"] as const;

function divide({ west, south, east, north }: Box): Box[] {
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  return [
    { west, south, east: x, north: y },
    { west: x, south, east, north: y },
    { west, south: y, east: x, north },
    { west: x, south: y, east, north },
  ];
}

/** Four equal cells are one. */
function join(children: readonly Tree[]): Tree {
  const [first = ""] = children;
  return typeof first === "string" && children.every((child) => child === first) ? first : children;
}

const sea = "";

function convert(node: Node | undefined, box: Box, depth: number): Tree {
  if (node === undefined) return sea;
  if (Array.isArray(node)) return timezones[node[0] as number] ?? sea;
  const { pos, len, ...quarters } = node as { pos?: number; len?: number } & Record<string, Node>;
  if (pos !== undefined && len !== undefined) return cut(readEdges(pos, len, box), box, depth);
  return join(
    divide(box).map((quarter, index) => convert(quarters[QUARTERS[index] ?? ""], quarter, depth + 1)),
  );
}

/** The borders within a cell. Edges along its own sides are where geo-tz has cut the zones. */
function readEdges(pos: number, len: number, box: Box): Edge[] {
  const { features } = decode(new PbfReader(shapes.subarray(pos, pos + len)));
  const isOn = (a: number, b: number, side: number): boolean =>
    Math.abs(a - side) < ROUNDING_DEGREES && Math.abs(b - side) < ROUNDING_DEGREES;
  return features.flatMap(({ geometry, properties }) => {
    const { coordinates } = geometry as GeoJSON.Polygon | GeoJSON.MultiPolygon;
    const rings = (geometry.type === "Polygon" ? coordinates : coordinates.flat()) as number[][][];
    return rings.flatMap((ring) =>
      ring.slice(1).flatMap((to, index) => {
        const [x = 0, y = 0] = to;
        const [x0 = 0, y0 = 0] = ring[index] ?? [];
        const isSide =
          [box.west, box.east].some((side) => isOn(x, x0, side)) ||
          [box.south, box.north].some((side) => isOn(y, y0, side));
        return isSide ? [] : [{ zone: String(properties?.["tzid"]), from: [x0, y0], to: [x, y] }];
      }),
    );
  });
}

function cut(edges: readonly Edge[], box: Box, depth: number): Tree {
  const zones = new Set(edges.map(({ zone }) => zone));
  if (depth >= COAST_DEPTH && zones.size === 1) return [...zones][0] ?? sea;
  if (zones.size === 0 || depth >= MAX_DEPTH) return zoneAt(box);
  const children = divide(box).map((quarter) =>
    cut(
      edges.filter((edge) => crosses(edge, quarter)),
      quarter,
      depth + 1,
    ),
  );
  return join(children);
}

function zoneAt({ west, south, east, north }: Box): string {
  const [zone = sea] = find((south + north) / 2, (west + east) / 2);
  return zone.startsWith("Etc/") ? sea : zone;
}

/** Whether a part of the edge lies within a box: what is left of it after each side has cut it (Liang and Barsky). */
function crosses({ from: [x0 = 0, y0 = 0], to: [x1 = 0, y1 = 0] }: Edge, box: Box): boolean {
  let [enters, leaves] = [0, 1];
  for (const [direction, distance] of [
    [x0 - x1, x0 - box.west],
    [x1 - x0, box.east - x0],
    [y0 - y1, y0 - box.south],
    [y1 - y0, box.north - y0],
  ] as const) {
    if (direction === 0 && distance < 0) return false;
    if (direction < 0) enters = Math.max(enters, distance / direction);
    if (direction > 0) leaves = Math.min(leaves, distance / direction);
  }
  return enters <= leaves;
}

const names: string[] = [];

/** Depth first: SPLIT before four cells, SEA, or the number of a zone in two bytes, the first of them above both. */
function write(tree: Tree, bytes: number[]): void {
  if (typeof tree !== "string") {
    bytes.push(SPLIT);
    for (const child of tree) write(child, bytes);
  } else if (tree === sea) bytes.push(SEA);
  else {
    if (!names.includes(tree)) names.push(tree);
    const number = names.indexOf(tree);
    bytes.push(SEA + 1 + (number >> 8), number & 255);
  }
}

const bytes: number[] = [];
write(convert(lookup, { west: -180, south: -90, east: 180, north: 90 }, 0), bytes);
const content = Buffer.concat([Buffer.from(`${names.join(" ")}\n`), Uint8Array.from(bytes)]);
const packed = brotliCompressSync(content, {
  params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
});
writeFileSync(TIME_ZONES_FILE, packed);
console.log(`${names.length} zones, ${content.length} bytes, ${packed.length} compressed`);
