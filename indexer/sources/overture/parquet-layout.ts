import type { ParquetLayout } from "../parquet/layout.ts";
import { createOvertureMapper } from "./overture-mapper.ts";

/** Overture's place theme as GeoParquet: https://docs.overturemaps.org/schema/reference/places/place/ */
export const OVERTURE_LAYOUT: ParquetLayout = {
  title: "Overture places",
  required: { id: /./, names: /^STRUCT\(.*"?primary"? VARCHAR/, geometry: /^(?:BLOB|GEOMETRY)/ },
  optional: [
    "categories basic_category taxonomy confidence websites socials emails phones brand addresses",
    "operating_status",
  ].flatMap((names) => names.split(" ")),
  geometry: "geometry",
  // The corners are 32-bit floats, which near 180° are some metres apart.
  bounds: {
    west: "bbox.xmin",
    south: "bbox.ymin",
    east: "bbox.xmax",
    north: "bbox.ymax",
    needs: "bbox",
    slack: 0.0001,
  },
  createMapper: createOvertureMapper,
};
