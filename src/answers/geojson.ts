import * as v from "valibot";
import { dataIdSchema } from "../place/document/place-document.ts";
import type { Coordinates } from "../place/geometry/coordinates.ts";

/** Responses with `format=geojson` (RFC 7946): each place is a Feature with the same fields as its properties. */

export const GEOJSON_TYPE = "application/geo+json";

const about = v.description;

export const pointSchema = v.pipe(
  v.strictObject({
    type: v.literal("Point"),
    coordinates: v.pipe(
      v.strictTuple([v.pipe(v.number(), about("Longitude.")), v.pipe(v.number(), about("Latitude."))]),
      about("Longitude, then latitude, in decimal degrees, WGS 84."),
    ),
  }),
  about("Where the place is."),
);

/** A Feature whose properties have the schema. */
export const featureSchema = <Properties extends v.GenericSchema>(properties: Properties) =>
  v.strictObject({
    type: v.literal("Feature"),
    id: v.pipe(dataIdSchema, about("The `data_id` of the place.")),
    geometry: pointSchema,
    properties,
  });

/** A FeatureCollection; `others` are fields next to the features. */
export const featureCollectionSchema = <
  Properties extends v.GenericSchema,
  Others extends v.ObjectEntries = Record<never, never>,
>(
  properties: Properties,
  others: Others = {} as Others,
) =>
  v.strictObject({
    type: v.literal("FeatureCollection"),
    features: v.pipe(v.array(featureSchema(properties)), about("The places, in the same order.")),
    ...others,
  });

export interface Feature<Properties> {
  readonly type: "Feature";
  readonly id: string;
  readonly geometry: { readonly type: "Point"; readonly coordinates: readonly [number, number] };
  readonly properties: Properties;
}

/** The features of a response, with the fields next to them. */
export type FeatureCollection<Properties, Others = unknown> = {
  readonly type: "FeatureCollection";
  readonly features: readonly Feature<Properties>[];
} & Others;

/** A place of a response as a Feature. */
export const toFeature = <Properties extends { readonly data_id: string }>(
  properties: Properties,
  { latitude, longitude }: Coordinates,
): Feature<Properties> => ({
  type: "Feature",
  id: properties.data_id,
  geometry: { type: "Point", coordinates: [longitude, latitude] },
  properties,
});

export const toFeatureCollection = <Properties, Others>(
  features: readonly Feature<Properties>[],
  others: Others,
): FeatureCollection<Properties, Others> => ({ type: "FeatureCollection", features, ...others });
