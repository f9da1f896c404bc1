declare module "which-polygon" {
  import type { FeatureCollection, MultiPolygon, Polygon } from "geojson";
  /** The properties of the first polygon that holds the point `[longitude, latitude]`. */
  export default function whichPolygon<Properties>(
    polygons: FeatureCollection<Polygon | MultiPolygon, Properties>,
  ): (point: [number, number]) => Properties | null;
}
