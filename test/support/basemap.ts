import { toUnits, type Layer, type MapFeature } from "../../indexer/basemap/map-feature.ts";
import { makeBasemap, type BasemapProgress } from "../../indexer/basemap/make-basemap.ts";

/** Longitude and latitude in degrees. */
export type Position = readonly [lng: number, lat: number];

type Tags = MapFeature["tags"];

const toLine = (positions: readonly Position[]): Int32Array => toUnits(positions.flat());

export const buildLine = (layer: Layer, tags: Tags, ...positions: Position[]): MapFeature => ({
  layer,
  minZoom: 0,
  tags,
  shape: "LineString",
  lines: [toLine(positions)],
});

/** A rectangle with its sides along the axes. */
export const buildArea = (
  layer: Layer,
  tags: Tags,
  [west, south]: Position,
  [east, north]: Position,
): MapFeature => ({
  layer,
  minZoom: 0,
  tags,
  shape: "Polygon",
  lines: [
    toLine([
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ]),
  ],
});

/** Writes a PMTiles file of these features. */
export async function writeBasemap(
  path: string,
  features: readonly MapFeature[],
  attribution = "© Makers of the test",
): Promise<void> {
  const progress: BasemapProgress = { phase: "reading", share: 0, features: 0, tiles: 0 };
  const { signal } = new AbortController();
  // eslint-disable-next-line typescript/require-await -- a source of features may wait
  const read = async function* () {
    yield features;
  };
  await makeBasemap({ attribution, read }, { output: path, signal, progress });
}
