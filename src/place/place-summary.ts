import * as v from "valibot";
import type { PlaceSummaryDocument } from "./place-document.ts";
import {
  distanceMember,
  fullMembers,
  linkMembers,
  placeMembers,
  toDistanceMember,
  toFullMembers,
  toLinkMembers,
  toPlaceMembers,
  type PlaceContext,
} from "./place-members.ts";

const placeIdMember = { place_id: v.optional(v.pipe(v.string(), v.nonEmpty())) };

/** One element of `local_result` with `type=minimal`: these members and no others. */
export const placeSummarySchema = v.strictObject({
  ...placeMembers,
  ...linkMembers,
  ...placeIdMember,
  ...distanceMember,
});

/** One element of `local_result` with `type=full`. */
export const fullPlaceSummarySchema = v.strictObject({
  ...placeMembers,
  ...fullMembers,
  ...linkMembers,
  ...placeIdMember,
  ...distanceMember,
});

export type PlaceSummary = v.InferOutput<typeof placeSummarySchema>;
export type FullPlaceSummary = v.InferOutput<typeof fullPlaceSummarySchema>;

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
  const { links } = context;
  return {
    ...toLinkMembers(place, { links, operation: "search", searchCentre: place.location }),
    ...(place.place_id && { place_id: place.place_id }),
    ...toDistanceMember(context),
  };
}
