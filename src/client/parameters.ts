import type * as v from "valibot";
import type {
  autocompleteParameters,
  kindsParameters,
  nearbyParameters,
  placeParameters,
  placesParameters,
  reverseParameters,
  searchParameters,
} from "../http/parameters.ts";
import type { matchedRecordSchema } from "../http/match-request.ts";
import type { CustomCondition } from "../place/document/own-fields.ts";
import type { Bounds } from "../place/geometry/coordinates.ts";
import type { Line, Polygon } from "../place/geometry/shapes.ts";

/** A polygon of GeoJSON. */
interface GeoJsonPolygon {
  readonly type: "Polygon";
  readonly coordinates: readonly (readonly (readonly number[])[])[];
}

/** An array for a comma-separated list; a `Date` or text for a time; four numbers for a rectangle; an encoded polyline for a line. */
type Given<Read> =
  Read extends ReadonlySet<infer Item>
    ? readonly Item[]
    : Read extends Temporal.Instant
      ? Temporal.Instant | Date | string
      : Read extends readonly CustomCondition[]
        ? readonly string[]
        : Read extends Bounds
          ? readonly [west: number, south: number, east: number, north: number]
          : Read extends Polygon
            ? GeoJsonPolygon | string
            : Read extends Line
              ? string
              : Read;

/** The parameters of an operation, from the server's schema; those with a default are optional. */
type ParametersOf<Schema extends v.GenericSchema> = {
  readonly [Name in keyof v.InferInput<Schema>]: Name extends keyof v.InferOutput<Schema>
    ? Given<v.InferOutput<Schema>[Name]> | (undefined extends v.InferInput<Schema>[Name] ? undefined : never)
    : never;
};

export type SearchParameters = ParametersOf<typeof searchParameters>;
export type ReverseParameters = ParametersOf<typeof reverseParameters>;
export type NearbyParameters = ParametersOf<typeof nearbyParameters>;
export type PlaceParameters = ParametersOf<typeof placeParameters>;
export type PlacesParameters = ParametersOf<typeof placesParameters>;
export type KindsParameters = ParametersOf<typeof kindsParameters>;
export type MatchedRecord = v.InferInput<typeof matchedRecordSchema>;
export type AutocompleteParameters = ParametersOf<typeof autocompleteParameters>;
