declare module "which-polygon" {
  import type { FeatureCollection, MultiPolygon, Polygon } from "geojson";
  interface Query<Properties> {
    /** The properties of the first polygon that holds the point `[longitude, latitude]`. */
    (point: [number, number]): Properties | null;
    /** Those of all polygons that do. */
    (point: [number, number], multi: true): Properties[] | null;
  }
  export default function whichPolygon<Properties>(
    polygons: FeatureCollection<Polygon | MultiPolygon, Properties>,
  ): Query<Properties>;
}
