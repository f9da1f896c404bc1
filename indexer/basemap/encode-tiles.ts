import { GeoJSONVT, type TileFeature } from "@maplibre/geojson-vt";
import { fromGeojsonVt } from "@maplibre/vt-pbf";
import type { Feature } from "geojson";
import { MAX_ZOOM, type Bucket } from "./feature-buckets.ts";
import { LAYERS, type Layer, type Line, type MapFeature } from "./map-feature.ts";
import { TILE_MARGIN, toColumn, toRow, type Tile } from "./tile-grid.ts";

/** The size of a tile of the last zoom in its own units; finer than any screen, because it is enlarged. */
const EXTENT = 4096;

/** Tiles of the other zooms cover 512 pixels, 1024 of a sharp screen: finer units would only be more bytes. */
const FAR_EXTENT = 1024;

/** In the other zooms lines are simplified by at most so many units of `EXTENT`: three quarters of a pixel. */
const TOLERANCE = 6;

type AddTile = (z: number, x: number, y: number, tile: Uint8Array) => void;

/** Makes the vector tiles of a bucket: the tile itself, and those below it down to the last zoom of its level. */
export function encodeTiles(bucket: Bucket, add: AddTile): void {
  const { tile, level } = bucket;
  // The tile of the bucket is the whole world of the index: it then makes no tiles above it.
  const index = new GeoJSONVT(
    { type: "FeatureCollection", features: bucket.take().map((feature) => toGeojson(feature, tile)) },
    {
      coordinates: "unitSquare",
      wrap: false,
      maxZoom: MAX_ZOOM - tile.z,
      // Each tile is made when it is taken: the index of all zooms would be several times as large.
      indexMaxZoom: 0,
      tolerance: TOLERANCE,
      extent: EXTENT,
      buffer: EXTENT * TILE_MARGIN,
    },
  );
  for (let depth = 0; depth <= level.maxZoom - tile.z; depth += 1) {
    const side = 2 ** depth;
    const z = tile.z + depth;
    for (let x = 0; x < side; x += 1)
      for (let y = 0; y < side; y += 1) {
        const layers = layersOf(index.getTile(depth, x, y)?.features ?? [], z);
        if (!layers) continue;
        const extent = z === MAX_ZOOM ? EXTENT : FAR_EXTENT;
        const encoded = fromGeojsonVt(layers, { version: 2, extent });
        add(z, tile.x * side + x, tile.y * side + y, encoded);
      }
  }
}

/** What is found again of a feature in the tiles made from it. */
type Drawn = Pick<MapFeature, "layer" | "minZoom" | "tags">;

/** The same in units of `FAR_EXTENT`, without points that become the one before and lines that become a point. */
function toFar(feature: TileFeature): TileFeature {
  if (feature.type === 1) return { ...feature, geometry: feature.geometry.map(toFarPoint) };
  const leastPoints = feature.type === 3 ? 4 : 2;
  const lines = feature.geometry.map(toFarLine).filter(({ length }) => length >= leastPoints);
  return { ...feature, geometry: lines };
}

type TilePoint = [x: number, y: number];

const FAR_SCALE = FAR_EXTENT / EXTENT;

const toFarPoint = ([x, y]: TilePoint): TilePoint => [Math.round(x * FAR_SCALE), Math.round(y * FAR_SCALE)];

const toFarLine = (line: readonly TilePoint[]): TilePoint[] =>
  line.map(toFarPoint).filter(([x, y], at, all) => x !== all[at - 1]?.[0] || y !== all[at - 1]?.[1]);

/** Roads whose names are written close up only, where the last zoom is drawn. */
const NAMED_CLOSE_UP: ReadonlySet<unknown> = new Set(["minor_road", "path", "other"]);

/** Names that are not written there would be half of a tile. */
const toFarTags = (layer: Layer, tags: Drawn["tags"]): Drawn["tags"] =>
  layer === "roads" && NAMED_CLOSE_UP.has(tags["kind"])
    ? Object.fromEntries(Object.entries(tags).filter(([name]) => !name.startsWith("name")))
    : tags;

/** Lines without a name and otherwise alike become one feature of many lines. */
function joinAlike(features: readonly TileFeature[]): TileFeature[] {
  const joined = new Map<string, TileFeature>();
  return features.flatMap((feature) => {
    if (feature.type !== 2 || "name" in (feature.tags as Drawn["tags"])) return [feature];
    const key = JSON.stringify(feature.tags);
    const known = joined.get(key);
    if (known?.type !== 2) {
      const first = { ...feature, geometry: [...feature.geometry] };
      joined.set(key, first);
      return [first];
    }
    known.geometry.push(...feature.geometry);
    return [];
  });
}

/** The coordinates are shares of the tile. */
function toGeojson({ layer, minZoom, tags, shape, lines }: MapFeature, tile: Tile): Feature {
  const properties: Drawn = { layer, minZoom, tags };
  const positions = lines.map((line) => toPositions(line, tile));
  const [first = []] = positions;
  if (shape === "Polygon")
    return { type: "Feature", properties, geometry: { type: shape, coordinates: positions } };
  return shape === "LineString"
    ? { type: "Feature", properties, geometry: { type: shape, coordinates: first } }
    : { type: "Feature", properties, geometry: { type: shape, coordinates: first[0] ?? [] } };
}

function toPositions(line: Line, { z, x, y }: Tile): [number, number][] {
  const positions: [number, number][] = [];
  for (let at = 0; at < line.length; at += 2)
    positions.push([toColumn(line[at] ?? 0, z) - x, toRow(line[at + 1] ?? 0, z) - y]);
  return positions;
}

/** The features that are drawn at a zoom, by layer; `undefined` when there are none. */
function layersOf(found: readonly TileFeature[], z: number) {
  const layers = new Map<Layer, TileFeature[]>();
  for (const feature of found) {
    const { layer, minZoom, tags } = feature.tags as Drawn;
    if (minZoom > z) continue;
    const drawn = z === MAX_ZOOM ? { ...feature, tags } : { ...toFar(feature), tags: toFarTags(layer, tags) };
    if (drawn.geometry.length === 0) continue;
    const others = layers.get(layer);
    if (others) others.push(drawn);
    else layers.set(layer, [drawn]);
  }
  if (layers.size === 0) return undefined;
  return Object.fromEntries(
    LAYERS.flatMap((layer) => {
      const features = layers.get(layer);
      return features ? [[layer, { features: z === MAX_ZOOM ? features : joinAlike(features) }]] : [];
    }),
  );
}
