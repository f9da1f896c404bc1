import * as v from "valibot";
import { toIncludedMembers, type IncludedMembers } from "./included-fields.ts";
import type { PlaceSummaryDocument } from "../place/place-document.ts";
import {
  fullMembers,
  linkMembers,
  placeMembers,
  toFullMembers,
  toLinkMembers,
  toPlaceMembers,
  type PlaceContext,
} from "./place-fields.ts";

export const placeIdMember = {
  place_id: v.optional(
    v.pipe(
      v.string(),
      v.nonEmpty(),
      v.description("Identifier of the place with another provider; absent when unknown."),
    ),
  ),
};

/** One element of `local_result` with `type=minimal`: these members and no others, but for what `include=` adds. */
export const placeSummarySchema = v.strictObject({
  ...placeMembers,
  ...linkMembers,
  ...placeIdMember,
});

/** One element of `local_result` with `type=full`. */
export const fullPlaceSummarySchema = v.strictObject({
  ...placeMembers,
  ...fullMembers,
  ...linkMembers,
  ...placeIdMember,
});

export type PlaceSummary = v.InferOutput<typeof placeSummarySchema> & IncludedMembers;
export type FullPlaceSummary = v.InferOutput<typeof fullPlaceSummarySchema> & IncludedMembers;

/** A place as an element of `local_result`, `type=minimal`. */
export function toPlaceSummary(place: PlaceSummaryDocument, context: PlaceContext): PlaceSummary {
  return { ...toPlaceMembers(place, context), ...toEndMembers(place, context) };
}

/** A place as an element of `local_result`, `type=full`: with opening hours and features. */
export function toFullPlaceSummary(place: PlaceSummaryDocument, context: PlaceContext): FullPlaceSummary {
  return {
    ...toPlaceMembers(place, context),
    ...toFullMembers(place, context.language),
    ...toEndMembers(place, context),
  };
}

/** The search link of a result looks around the place itself: it finds this place again, wherever the caller stood. */
function toEndMembers(place: PlaceSummaryDocument, context: PlaceContext) {
  const { links, now, included = {} } = context;
  return {
    ...toLinkMembers(place, { links, operation: "search", searchCentre: place.location }),
    ...(place.place_id && { place_id: place.place_id }),
    ...toIncludedMembers(place, now, included),
  };
}
