/** What is used of two packages whose own types leave out the extensions of their imports. */

declare module "@maplibre/geojson-vt" {
  type Point = [x: number, y: number];

  /** Points (1), lines (2) or the rings of a polygon (3), in the units of the tile; `tags` are the properties that it was given. */
  export type TileFeature = { readonly tags: unknown } & (
    | { readonly type: 1; readonly geometry: Point[] }
    | { readonly type: 2 | 3; readonly geometry: Point[][] }
  );

  export class GeoJSONVT {
    constructor(
      data: import("geojson").FeatureCollection,
      options: {
        readonly coordinates: "unitSquare";
        readonly wrap: boolean;
        readonly maxZoom: number;
        readonly indexMaxZoom: number;
        readonly tolerance: number;
        readonly extent: number;
        readonly buffer: number;
      },
    );
    getTile(z: number, x: number, y: number): { readonly features: readonly TileFeature[] } | null;
  }
}

declare module "@maplibre/vt-pbf" {
  import type { TileFeature } from "@maplibre/geojson-vt";

  export function fromGeojsonVt(
    layers: Readonly<Record<string, { readonly features: readonly TileFeature[] }>>,
    options: { readonly version: number; readonly extent: number },
  ): Uint8Array;
}
