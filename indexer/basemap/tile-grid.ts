import { boxOf, UNITS_PER_DEGREE, type Box, type Line, type MapFeature } from "./map-feature.ts";

/** A tile of the web's usual grid: at zoom z the world is 2^z tiles wide; x counts to the east, y to the south. */
export interface Tile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** Lines of a tile reach this share of its width beyond its edge, so that wide strokes do not end there. */
export const TILE_MARGIN = 64 / 4096;

/** The map ends where it is a square. */
const MAX_LATITUDE = 85.0511;

/** The column of a longitude at a zoom, with fractions. */
export const toColumn = (lng: number, z: number): number => (lng / UNITS_PER_DEGREE / 360 + 0.5) * 2 ** z;

/** The row of a latitude at a zoom, with fractions. */
export function toRow(lat: number, z: number): number {
  const degrees = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, lat / UNITS_PER_DEGREE));
  const sine = Math.sin((degrees * Math.PI) / 180);
  return (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z;
}

const fromColumn = (column: number, z: number): number =>
  Math.round((column / 2 ** z - 0.5) * 360 * UNITS_PER_DEGREE);

const fromRow = (row: number, z: number): number =>
  Math.round((Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / 2 ** z))) * 180 * UNITS_PER_DEGREE) / Math.PI);

/** The tiles of a zoom that a box touches, with their margins. */
function tilesOf({ west, south, east, north }: Box, z: number): Tile[] {
  const last = 2 ** z - 1;
  const from = (value: number): number => Math.max(0, Math.floor(value - TILE_MARGIN));
  const to = (value: number): number => Math.min(last, Math.floor(value + TILE_MARGIN));
  const tiles: Tile[] = [];
  for (let x = from(toColumn(west, z)); x <= to(toColumn(east, z)); x += 1)
    for (let y = from(toRow(north, z)); y <= to(toRow(south, z)); y += 1) tiles.push({ z, x, y });
  return tiles;
}

/** A tile with its margin. */
const boxOfTile = ({ z, x, y }: Tile): Box => ({
  west: fromColumn(x - TILE_MARGIN, z),
  east: fromColumn(x + 1 + TILE_MARGIN, z),
  north: fromRow(y - TILE_MARGIN, z),
  south: fromRow(y + 1 + TILE_MARGIN, z),
});

/** The first zoom at which a box is this wide or high, in shares of a tile. */
export function zoomAtWhich({ west, south, east, north }: Box, share: number): number {
  const size = Math.max(toColumn(east, 0) - toColumn(west, 0), toRow(south, 0) - toRow(north, 0));
  return size <= 0 ? Infinity : Math.max(0, Math.ceil(Math.log2(share / size)));
}

/**
 * The parts of a feature in each of the tiles that it touches: a coast or a large wood would otherwise be copied as a
 * whole into hundreds. The cuts lie in the margin, where they are not drawn.
 */
export function* cutIntoTiles(
  feature: MapFeature,
  z: number,
): Generator<{ tile: Tile; feature: MapFeature }> {
  const tiles = tilesOf(boxOf(feature.lines), z);
  if (tiles.length === 1 || feature.shape === "Point") {
    for (const tile of tiles) yield { tile, feature };
    return;
  }
  const cut = feature.shape === "Polygon" ? cutPolygon : cutLine;
  for (const tile of tiles)
    for (const lines of cut(feature.lines, boxOfTile(tile))) yield { tile, feature: { ...feature, lines } };
}

function cutPolygon(rings: readonly Line[], { west, south, east, north }: Box): Line[][] {
  const inside = rings.map((ring) => {
    const sides: Side[] = [
      { axis: 0, limit: west, sign: 1 },
      { axis: 0, limit: east, sign: -1 },
      { axis: 1, limit: south, sign: 1 },
      { axis: 1, limit: north, sign: -1 },
    ];
    return sides.reduce(cutRing, ring);
  });
  const [outer] = inside;
  // Three corners and the first again.
  return outer && outer.length >= 8 ? [inside.filter(({ length }) => length >= 8)] : [];
}

/** Points whose longitude (0) or latitude (1) is above the limit, or below it for the sign -1. */
interface Side {
  readonly axis: 0 | 1;
  readonly limit: number;
  readonly sign: 1 | -1;
}

/** Sutherland and Hodgman: keeps the part of a ring on one side of a line. */
function cutRing(ring: Line, side: Side): Line {
  const { axis, limit, sign } = side;
  const kept: number[] = [];
  const isInside = (at: number): boolean => ((ring[at + axis] ?? 0) - limit) * sign >= 0;
  let isWhole = true;
  for (let at = 0; at < ring.length; at += 2) {
    const before = at === 0 ? ring.length - 4 : at - 2;
    if (at > 0 && isInside(at) !== isInside(before)) kept.push(...crossing(ring, [before, at], side));
    if (isInside(at)) kept.push(ring[at] ?? 0, ring[at + 1] ?? 0);
    else isWhole = false;
  }
  if (isWhole) return ring;
  if (kept.length >= 2 && (kept[0] !== kept.at(-2) || kept[1] !== kept.at(-1)))
    kept.push(kept[0] ?? 0, kept[1] ?? 0);
  return Int32Array.from(kept);
}

function crossing(line: Line, [from, to]: [number, number], { axis, limit }: Side): [number, number] {
  const [fromAlong = 0, toAlong = 0] = [line[from + axis], line[to + axis]];
  const [fromAcross = 0, toAcross = 0] = [line[from + 1 - axis], line[to + 1 - axis]];
  const share = (limit - fromAlong) / (toAlong - fromAlong);
  const across = Math.round(fromAcross + share * (toAcross - fromAcross));
  return axis === 0 ? [limit, across] : [across, limit];
}

/** The runs of segments that may touch the box. They are not cut within a segment. */
function cutLine([line = new Int32Array()]: readonly Line[], { west, south, east, north }: Box): Line[][] {
  const runs: Line[][] = [];
  let start: number | undefined;
  for (let at = 0; at + 2 < line.length; at += 2) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = line.subarray(at, at + 4);
    const touches =
      Math.max(x1, x2) >= west &&
      Math.min(x1, x2) <= east &&
      Math.max(y1, y2) >= south &&
      Math.min(y1, y2) <= north;
    if (touches) start ??= at;
    else if (start !== undefined) {
      runs.push([line.slice(start, at + 2)]);
      start = undefined;
    }
  }
  if (start !== undefined) runs.push([line.slice(start)]);
  return runs;
}
