import type * as v from "valibot";
import type { fullMembers, linkMembers, placeMembers } from "./answer-members.ts";
import type { Coordinates } from "./coordinates.ts";
import type { Inclusions } from "./included-members.ts";
import { buildDocsLink, buildExternalMapsLink, buildPlaceLink, buildSearchLink } from "./links.ts";
import type { LinkSettings } from "./links.ts";
import type { Language } from "./localized-texts.ts";
import { readOpenState } from "./open-state.ts";
import { toOpeningHoursWeek } from "./opening-hours.ts";
import type { PlaceSummaryDocument } from "./place-document.ts";

/** The members that search results and place details share: how each is made of a document. `answer-members.ts` has their form. */

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
