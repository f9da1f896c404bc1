import * as v from "valibot";
import { MAX_RESULTS, MOST_COUNTED } from "../place/request-defaults.ts";
import type { PlaceSummaryDocument } from "../place/document/place-document.ts";
import { INCLUDED_FIELDS, toIncludedFields, type IncludedFields } from "./included-fields.ts";
import {
  fullFields,
  linkFields,
  optionalFields,
  placeFields,
  placeIdField,
  toFullFields,
  toLinkFields,
  toPlaceFields,
  type PlaceContext,
} from "./place-fields.ts";
import { featureCollectionSchema, type FeatureCollection } from "./geojson.ts";
import { understoodSchema } from "./understood.ts";

/** The response of `GET /api/maps/search`: its schema, and how a place becomes an element of `local_result`. */

const { distance, detour, periods, explain, match, freshness, busyness, photo, names, custom } =
  INCLUDED_FIELDS;

/** Any element of `local_result`. */
export const searchResultSchema = v.pipe(
  v.strictObject({
    ...placeFields,
    ...optionalFields(fullFields),
    ...linkFields,
    ...placeIdField,
    ...optionalFields({
      ...distance,
      ...detour,
      ...periods,
      ...explain,
      ...match,
      ...freshness,
      ...busyness,
      ...photo,
      ...names,
      ...custom,
    }),
  }),
  v.description(
    "A place in search results. `type=full` adds `opening_hours` and `features`; `include` adds further fields.",
  ),
);

/** Fields next to the places. */
const listFields = {
  total: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.maxValue(MOST_COUNTED),
      v.description(
        "With `include=total`: how many places match every word and refinement. 1000 means 1,000 or more; with `busy_max`, 300 means 300 or more. Places that only have similar names are returned but not counted.",
      ),
    ),
  ),
  understood: v.optional(understoodSchema),
  missing_partitions: v.optional(
    v.pipe(
      v.array(v.pipe(v.number(), v.integer(), v.minValue(0))),
      v.description(
        "With `include=explain`: the partitions of the index that may hold matches and could not be asked, as in the header `X-Missing-Partitions`. Absent when all were asked.",
      ),
    ),
  ),
};

export const searchAnswerSchema = v.strictObject({
  local_result: v.pipe(
    v.array(searchResultSchema),
    v.maxLength(MAX_RESULTS),
    v.description("The places, best first. Empty when nothing matches."),
  ),
  ...listFields,
});

/** The response with `format=geojson`. */
export const searchFeaturesSchema = featureCollectionSchema(searchResultSchema, listFields);
/** The response of `GET /api/maps/nearby`: elements as of a search. */
export const nearbyAnswerSchema = v.strictObject({
  local_result: v.pipe(
    v.array(searchResultSchema),
    v.maxLength(MAX_RESULTS),
    v.description("The places in the requested order. Empty when there are none."),
  ),
  total: listFields.total,
});

export const nearbyFeaturesSchema = featureCollectionSchema(searchResultSchema, { total: listFields.total });

/** `GET /api/maps/nearby` */
export type NearbyAnswer = v.InferOutput<typeof nearbyAnswerSchema>;
export type NearbyFeatures = v.InferOutput<typeof nearbyFeaturesSchema>;

/** `GET /api/maps/search` */
export type SearchAnswer = v.InferOutput<typeof searchAnswerSchema>;
export type SearchFeatures = FeatureCollection<SearchResult, Omit<SearchAnswer, "local_result">>;
/** One element of `local_result`; fields that depend on `type` and `include` are optional. */
export type SearchResult = SearchAnswer["local_result"][number];

/** One element of `local_result` with `type=minimal`: these fields and no others, except those that `include=` adds. */
export const placeSummarySchema = v.strictObject({
  ...placeFields,
  ...linkFields,
  ...placeIdField,
});

/** One element of `local_result` with `type=full`. */
export const fullPlaceSummarySchema = v.strictObject({
  ...placeFields,
  ...fullFields,
  ...linkFields,
  ...placeIdField,
});

export type PlaceSummary = v.InferOutput<typeof placeSummarySchema> & IncludedFields;
export type FullPlaceSummary = v.InferOutput<typeof fullPlaceSummarySchema> & IncludedFields;

/** A place as an element of `local_result`, `type=minimal`. */
export function toPlaceSummary(place: PlaceSummaryDocument, context: PlaceContext): PlaceSummary {
  return { ...toPlaceFields(place, context), ...toEndFields(place, context) };
}

/** A place as an element of `local_result`, `type=full`: with opening hours and features. */
export function toFullPlaceSummary(place: PlaceSummaryDocument, context: PlaceContext): FullPlaceSummary {
  return {
    ...toPlaceFields(place, context),
    ...toFullFields(place, context.language),
    ...toEndFields(place, context),
  };
}

/** The search link of a result looks around the place itself: it finds this place again, wherever the caller stood. */
function toEndFields(place: PlaceSummaryDocument, context: PlaceContext) {
  const { links, language, now, included = {} } = context;
  return {
    ...toLinkFields(place, { links, language, operation: "search", searchCentre: place.location }),
    ...(place.place_id && { place_id: place.place_id }),
    ...toIncludedFields(place, now, included),
  };
}
