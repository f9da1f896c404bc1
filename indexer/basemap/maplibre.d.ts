/** What is used of two packages whose own types leave out the extensions of their imports. */

declare module "@maplibre/geojson-vt" {
  /** A feature in the units of its tile; `tags` are the properties that it was given. */
  export interface TileFeature {
    readonly type: 1 | 2 | 3;
    readonly tags: unknown;
    readonly geometry: unknown;
  }

  export class GeoJSONVT {
    constructor(
      data: import("geojson").FeatureCollection,
      options: {
        readonly coordinates: "unitSquare";
        readonly wrap: boolean;
        readonly maxZoom: number;
        readonly indexMaxZoom: number;
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
