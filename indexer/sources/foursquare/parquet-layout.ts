import type { ParquetLayout } from "../parquet/layout.ts";
import { createFoursquareMapper } from "./foursquare-mapper.ts";

const NUMBER = /^(?:DOUBLE|FLOAT|DECIMAL)/;

/** Foursquare OS Places: https://docs.foursquare.com/data-products/docs/places-os-data-schema */
export const FOURSQUARE_LAYOUT: ParquetLayout = {
  title: "Foursquare OS Places",
  required: { fsq_place_id: /^VARCHAR/, name: /^VARCHAR/, latitude: NUMBER, longitude: NUMBER },
  optional: [
    "address locality region postcode admin_region post_town po_box country date_closed tel website email",
    "facebook_id instagram twitter fsq_category_labels unresolved_flags",
  ].flatMap((names) => names.split(" ")),
  // It passes what a number of JSON holds exactly.
  expressions: { facebook_id: "CAST(facebook_id AS VARCHAR)" },
  bounds: {
    west: "longitude",
    south: "latitude",
    east: "longitude",
    north: "latitude",
    needs: "latitude",
    slack: 0,
  },
  createMapper: createFoursquareMapper,
};
