import * as v from "valibot";
import { MAX_SUGGESTIONS } from "../place/request-defaults.ts";
import { locationSchema, placeFields, placeIdField } from "./place-fields.ts";
import { featureCollectionSchema, type FeatureCollection } from "./geojson.ts";
import { textRangesSchema } from "./included-fields.ts";
import type { Language } from "../place/localized-texts.ts";
import type { PlaceSummaryDocument } from "../place/place-document.ts";
import { shownTitle, typeLabel } from "../place/type-codes.ts";

/** The response of `GET /api/maps/autocomplete`: its schema, and how a place becomes a suggestion. */

const someText = v.pipe(v.string(), v.nonEmpty());
const { latitude, longitude } = locationSchema.entries;

/** One element of `suggestions`: these fields and no others. */
export const suggestionSchema = v.strictObject({
  value: v.pipe(someText, v.description("Name of the place, for the input field.")),
  subtext: v.pipe(
    someText,
    v.description(
      "Distinguishes places with the same name: the address, or the kind of place and its approximate location.",
    ),
  ),
  latitude,
  longitude,
  data_id: placeFields.data_id,
  ...placeIdField,
  match: v.optional(
    v.pipe(
      v.strictObject({ value: textRangesSchema }),
      v.description("With `include=match`: which parts of `value` match the query."),
    ),
  ),
});

export const autocompleteAnswerSchema = v.strictObject({
  suggestions: v.pipe(
    v.array(suggestionSchema),
    v.maxLength(MAX_SUGGESTIONS),
    v.description("The places, best first. Empty when nothing matches."),
  ),
});

/** The response with `format=geojson`. */
export const suggestionFeaturesSchema = featureCollectionSchema(suggestionSchema);

/** `GET /api/maps/autocomplete` */
export type AutocompleteAnswer = v.InferOutput<typeof autocompleteAnswerSchema>;

export type SuggestionFeatures = FeatureCollection<Suggestion>;

export type Suggestion = v.InferOutput<typeof suggestionSchema>;

/** A place as an element of `suggestions`. */
export function toSuggestion(place: PlaceSummaryDocument, language: Language): Suggestion {
  const { address } = place.location;
  const area = [address.ward, address.city].filter((part) => part !== "").join(", ");
  const kindAndArea =
    area === "" ? typeLabel(place.type, language) : `${typeLabel(place.type, language)} · ${area}`;
  return {
    value: shownTitle(place, language),
    subtext: address.full === "" ? kindAndArea : address.full,
    latitude: place.location.latitude,
    longitude: place.location.longitude,
    data_id: place.data_id,
    ...(place.place_id !== undefined && { place_id: place.place_id }),
  };
}
