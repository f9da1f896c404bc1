import type { PlaceDocument } from "./place-document.ts";

/** The optional fields of a place, by their names in the report. */
const FIELDS: Readonly<Record<string, (place: PlaceDocument) => boolean>> = {
  "a type other than PLACE": ({ type }) => type !== "PLACE",
  "an address": ({ location }) => location.address.full !== "",
  "a street": ({ location }) => location.address.street !== "",
  "a phone number": ({ contacts }) => contacts.phone !== "",
  "a website": ({ contacts }) => contacts.website !== "",
  "opening hours": ({ opening_hours: hours }) => hours !== null,
  "a rating": ({ rating }) => rating > 0,
  prices: ({ pricing }) => pricing.max > 0,
  "other names": ({ alternate_names: names }) => names.length > 0,
  features: ({ features }) => Object.values(features).some((codes) => codes.length > 0),
  "a description": ({ description }) => description !== "",
  reviews: ({ review_list: reviews }) => reviews.length > 0,
  photos: ({ photos }) => photos.length > 0,
};

/** How many places of a sample have each field. */
export interface Coverage {
  readonly places: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** Counts which fields the places have. */
export function coverageOf(places: readonly PlaceDocument[]): Coverage {
  const counts = Object.entries(FIELDS).map(([field, has]) => [field, places.filter(has).length]);
  return { places: places.length, counts: Object.fromEntries(counts) as Record<string, number> };
}
