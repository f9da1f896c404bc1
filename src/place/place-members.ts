import * as v from "valibot";
import type { Coordinates } from "./coordinates.ts";
import type { Inclusions } from "./included-members.ts";
import { buildDocsLink, buildExternalMapsLink, buildPlaceLink, buildSearchLink } from "./links.ts";
import type { LinkSettings } from "./links.ts";
import type { Language } from "./localized-texts.ts";
import { readOpenState } from "./open-state.ts";
import { toOpeningHoursWeek } from "./opening-hours.ts";
import { dataIdSchema, featuresSchema, ratingSchema } from "./place-document.ts";
import type { PlaceSummaryDocument } from "./place-document.ts";

/** The members that search results and place details share, on the wire: their form, and how each is made of a document. */

/** What an answer depends on besides the place. */
export interface PlaceContext {
  readonly now: Temporal.Instant;
  readonly language: Language;
  readonly links: LinkSettings;
  /** What the caller asked for on top. */
  readonly included?: Inclusions;
}

/** Links to the place and around it: which operation answers, and what its search link looks around. */
interface LinkContext {
  readonly links: LinkSettings;
  readonly operation: "search" | "place";
  readonly searchCentre: Coordinates;
}

const text = v.string();
const someText = v.pipe(text, v.nonEmpty());
const price = v.pipe(v.number(), v.minValue(0));
const wholeNumber = v.pipe(v.number(), v.integer(), v.minValue(0));
const link = v.pipe(text, v.url());

/** `HH:MM–HH:MM`, joined by `, `; empty on a closed day and where hours are unknown. */
const HOURS_OF_A_DAY = /^(?:\d\d:\d\d–\d\d:\d\d(?:, \d\d:\d\d–\d\d:\d\d)*)?$/;

/** What every answer about a place begins with. */
export const placeMembers = {
  data_id: dataIdSchema,
  title: someText,
  type: someText,
  rating: ratingSchema,
  reviews: wholeNumber,
  pricing: v.strictObject({ min: price, max: price }),
  contacts: v.strictObject({ phone: text, website: text }),
  location: v.strictObject({
    address: v.strictObject({ full: text, street: text, ward: text, city: text, country: text }),
    latitude: v.pipe(v.number(), v.minValue(-90), v.maxValue(90)),
    longitude: v.pipe(v.number(), v.minValue(-180), v.maxValue(180)),
    timezone: someText,
    country_code: text,
  }),
  open_state: v.pipe(
    v.strictObject({ is_open_now: v.boolean(), text }),
    v.check((state) => (state.text === "") === !state.is_open_now, "a text comes with an open place only"),
  ),
};

/** What only the long forms show. */
export const fullMembers = {
  opening_hours: v.pipe(
    v.array(v.strictObject({ day: someText, hours: v.pipe(text, v.regex(HOURS_OF_A_DAY)) })),
    v.length(7),
  ),
  features: featuresSchema,
};

export const linkMembers = {
  link_search_value: link,
  link_place_detail: link,
  link_external_maps: link,
  link_docs: link,
};

type Wire<Members extends v.ObjectEntries> = v.InferOutput<v.StrictObjectSchema<Members, undefined>>;

/** From `data_id` to `open_state`. */
export function toPlaceMembers(
  place: PlaceSummaryDocument,
  context: PlaceContext,
): Wire<typeof placeMembers> {
  const { pricing, contacts } = place;
  return {
    data_id: place.data_id,
    title: place.title,
    type: place.type,
    rating: place.rating,
    reviews: place.reviews,
    pricing: { min: pricing.min, max: pricing.max },
    contacts: { phone: contacts.phone, website: contacts.website },
    location: toLocation(place.location),
    open_state: readOpenState(place, context.now, context.language),
  };
}

/** `opening_hours` and `features`. */
export function toFullMembers(place: PlaceSummaryDocument, language: Language): Wire<typeof fullMembers> {
  const { accessibility, parking, payments, service_options, other } = place.features;
  return {
    opening_hours: toOpeningHoursWeek(place.opening_hours, language),
    features: { accessibility, parking, payments, service_options, other },
  };
}

/** The four links. */
export function toLinkMembers(
  { data_id: dataId, title, location: { latitude, longitude } }: PlaceSummaryDocument,
  { links, operation, searchCentre }: LinkContext,
): Wire<typeof linkMembers> {
  return {
    link_search_value: buildSearchLink(title, searchCentre, links),
    link_place_detail: buildPlaceLink(dataId, links),
    link_external_maps: buildExternalMapsLink({ dataId, title, latitude, longitude }, links),
    link_docs: buildDocsLink(links.publicBaseUrl, operation),
  };
}

function toLocation({
  address,
  ...location
}: PlaceSummaryDocument["location"]): Wire<typeof placeMembers>["location"] {
  const { full, street, ward, city, country } = address;
  return {
    address: { full, street, ward, city, country },
    latitude: location.latitude,
    longitude: location.longitude,
    timezone: location.timezone,
    country_code: location.country_code,
  };
}
