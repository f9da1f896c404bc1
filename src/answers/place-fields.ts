import { fullAddress } from "../place/document/full-address.ts";
import * as v from "valibot";
import {
  dataIdSchema,
  POSITION_ESTIMATES,
  ratingSchema,
  type PlaceSummaryDocument,
} from "../place/document/place-document.ts";
import type { Coordinates } from "../place/geometry/coordinates.ts";
import type { Inclusions } from "./included-fields.ts";
import {
  buildDocsLink,
  buildExternalMapsLink,
  buildPlaceLink,
  buildSearchLink,
  type LinkSettings,
} from "./links.ts";
import type { Language } from "../place/document/localized-texts.ts";
import { readOpenState } from "../place/time/open-state.ts";
import { toOpeningHoursWeek } from "../place/time/opening-hours.ts";
import { shownTitle } from "../place/document/type-codes.ts";

/** The fields that search results and place details share: the schema of each, then how it is made. The OpenAPI document has the same descriptions. */

const about = v.description;
const text = v.string();
const someText = v.pipe(text, v.nonEmpty());
const codes = v.array(someText);
const wholeNumber = v.pipe(v.number(), v.integer(), v.minValue(0));
const price = v.pipe(v.number(), v.minValue(0));
const link = v.pipe(text, v.url());

/** `HH:MM–HH:MM`, joined by `, `; empty on a closed day and where hours are unknown. */
const HOURS_OF_A_DAY = /^(?:\d\d:\d\d–\d\d:\d\d(?:, \d\d:\d\d–\d\d:\d\d)*)?$/;

export const pricingSchema = v.pipe(
  v.strictObject({
    min: v.pipe(price, about("Lowest price of the range, in VND.")),
    max: v.pipe(price, about("Highest price of the range, in VND. May equal `min`.")),
  }),
  about("What a visit costs, in Vietnamese dong (VND). Both are 0 when prices are unknown."),
);

export const contactsSchema = v.pipe(
  v.strictObject({
    phone: v.pipe(text, about("A phone number; empty when unknown."), v.examples(["+84 28 3829 0000"])),
    website: v.pipe(text, about("A URL; empty when unknown."), v.examples(["https://basau.example/"])),
  }),
  about("How to reach the place."),
);

export const addressSchema = v.pipe(
  v.strictObject({
    full: v.pipe(
      text,
      about(
        "The whole address on one line; with `include=areas` from the other parts, where the source has none.",
      ),
    ),
    street: v.pipe(text, about("House number and street.")),
    ward: v.pipe(text, about("Ward or commune.")),
    city: v.pipe(text, about("City or province.")),
    country: v.pipe(text, about("Name of the country.")),
    district: v.optional(
      v.pipe(
        text,
        about("With `include=areas`: the district of before July 2025; empty when none is known."),
      ),
    ),
  }),
  about("The address in parts. An unknown part is an empty string."),
);

export const locationSchema = v.pipe(
  v.strictObject({
    address: addressSchema,
    latitude: v.pipe(v.number(), v.minValue(-90), v.maxValue(90), about("Decimal degrees, WGS 84.")),
    longitude: v.pipe(v.number(), v.minValue(-180), v.maxValue(180), about("Decimal degrees, WGS 84.")),
    timezone: v.pipe(
      someText,
      about("IANA time zone of the place. Its opening hours are in this zone."),
      v.examples(["Asia/Ho_Chi_Minh"]),
    ),
    country_code: v.pipe(text, about("Two letters, ISO 3166-1; empty when unknown."), v.examples(["VN"])),
    estimated_from: v.optional(
      v.pipe(
        v.picklist(POSITION_ESTIMATES),
        about(
          "With `include=areas`, where the source has no coordinates: what they were estimated from. Absent for all other places.",
        ),
      ),
    ),
  }),
  about("Where the place is."),
);

export const openStateSchema = v.pipe(
  v.strictObject({
    is_open_now: v.pipe(
      v.boolean(),
      about(
        "Whether the place is open at the time of the request, in its time zone. `false` when hours are unknown and when the place is closed permanently or temporarily.",
      ),
    ),
    text: v.pipe(
      text,
      about("Text to show, in the language of the request. Empty when `is_open_now` is `false`."),
      v.examples(["Đang mở cửa · Đóng cửa lúc 22:00", ""]),
    ),
  }),
  v.check((state) => (state.text === "") === !state.is_open_now, "a text comes with an open place only"),
  about(
    "Calculated for the time of the request. Includes ranges past midnight; special days take precedence over the weekly hours.",
  ),
);

export const dayHoursSchema = v.pipe(
  v.strictObject({
    day: v.pipe(
      someText,
      about("Name of the day in the language of the request."),
      v.examples(["Thứ Hai", "Monday"]),
    ),
    hours: v.pipe(
      text,
      v.regex(HOURS_OF_A_DAY),
      about(
        "Ranges on the day they begin, joined by a comma and a space: `18:00–02:00` ends past midnight, `00:00–24:00` is all day. Empty on a closed day, and on all seven days when hours are unknown.",
      ),
      v.examples(["07:00–22:00", "07:00–11:30, 13:00–22:00", ""]),
    ),
  }),
  about("The opening hours of one day of the week."),
);

export const featuresSchema = v.pipe(
  v.strictObject({
    accessibility: v.pipe(codes, about("For people with disabilities.")),
    parking: v.pipe(codes, about("Where to leave a vehicle.")),
    payments: v.pipe(codes, about("Accepted ways to pay.")),
    service_options: v.pipe(codes, about("Takeout, delivery and other services.")),
    other: v.pipe(codes, about("Atmosphere, food and drink, guests and other amenities.")),
  }),
  about(
    "Feature codes such as `has_takeout`. Codes are not translated, and new ones may be added. An array is empty when nothing is known.",
  ),
);

/** The first fields of every place in a response. */
export const placeFields = {
  data_id: v.pipe(
    dataIdSchema,
    about("The identifier of the place: two hexadecimal numbers in lower case, without leading zeros."),
    v.examples(["0x31752f38f9ed6bb7:0xa1b2c3d4e5f60718"]),
  ),
  title: v.pipe(
    someText,
    about("Name of the place. For a place without a name, such as a public toilet, its kind."),
  ),
  type: v.pipe(someText, about("Type code of the place, in capitals."), v.examples(["COFFEE", "PHARMACY"])),
  rating: v.pipe(
    ratingSchema,
    about("Average rating from 1.0 to 5.0; 0 for a place without ratings. Whole ratings have no decimals."),
  ),
  reviews: v.pipe(wholeNumber, about("Number of ratings.")),
  pricing: pricingSchema,
  contacts: contactsSchema,
  location: locationSchema,
  open_state: openStateSchema,
};

/** Fields of the long forms only. */
export const fullFields = {
  opening_hours: v.pipe(v.array(dayHoursSchema), v.length(7), about("Seven days, Monday first.")),
  features: featuresSchema,
};

export const linkFields = {
  link_search_value: v.pipe(
    link,
    about(
      "A search for this name around a point. Its `lat` and `lng` have a decimal comma, which every operation accepts.",
    ),
  ),
  link_place_detail: v.pipe(link, about("The request for the details of this place.")),
  link_external_maps: v.pipe(link, about("The place on the map of another provider.")),
  link_docs: v.pipe(link, about("The description of the operation that returned this link.")),
};

export const placeIdField = {
  place_id: v.optional(
    v.pipe(
      v.string(),
      v.nonEmpty(),
      v.description("Identifier of the place with another provider; absent when unknown."),
    ),
  ),
};

/** The same fields, each of which may be absent. */
export const optionalFields = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.partial(v.strictObject(entries)).entries;

/** What a response depends on besides the place. */
export interface PlaceContext {
  readonly now: Temporal.Instant;
  readonly language: Language;
  readonly links: LinkSettings;
  /** What the request added with `include`. */
  readonly included?: Inclusions;
}

/** What links depend on: the operation of the request, and the centre of the search link. */
interface LinkContext {
  readonly links: LinkSettings;
  readonly language: Language;
  readonly operation: "search" | "place";
  readonly searchCentre: Coordinates;
}

type Wire<Entries extends v.ObjectEntries> = v.InferOutput<v.StrictObjectSchema<Entries, undefined>>;

/** From `data_id` to `open_state`. */
export function toPlaceFields(place: PlaceSummaryDocument, context: PlaceContext): Wire<typeof placeFields> {
  const { pricing, contacts } = place;
  return {
    data_id: place.data_id,
    title: shownTitle(place, context.language),
    type: place.type,
    rating: place.rating,
    reviews: place.reviews,
    pricing: { min: pricing.min, max: pricing.max },
    contacts: { phone: contacts.phone, website: contacts.website },
    location: toLocation(place.location, context.included?.district),
    open_state: readOpenState(place, context.now, context.language),
  };
}

/** `opening_hours` and `features`. */
export function toFullFields(place: PlaceSummaryDocument, language: Language): Wire<typeof fullFields> {
  const { accessibility, parking, payments, service_options, other } = place.features;
  return {
    opening_hours: toOpeningHoursWeek(place.opening_hours, language),
    features: { accessibility, parking, payments, service_options, other },
  };
}

/** The four links. */
export function toLinkFields(
  place: PlaceSummaryDocument,
  { links, language, operation, searchCentre }: LinkContext,
): Wire<typeof linkFields> {
  const { data_id: dataId, location } = place;
  const { latitude, longitude } = location;
  const title = shownTitle(place, language);
  return {
    link_search_value: buildSearchLink(title, searchCentre, links),
    link_place_detail: buildPlaceLink(dataId, links),
    link_external_maps: buildExternalMapsLink({ dataId, title, latitude, longitude }, links),
    link_docs: buildDocsLink(links.publicBaseUrl, operation),
  };
}

/**
 * A location; with its district, a one-line address from what is known, and what the point was estimated from, where `include=areas`
 * asks for them.
 */
export function toLocation(
  { address, ...location }: PlaceSummaryDocument["location"],
  district?: string,
): Wire<typeof placeFields>["location"] {
  const { full, street, ward, city, country } = address;
  const withAreas = district !== undefined && { full: fullAddress(address), district };
  return {
    address: { full, street, ward, city, country, ...withAreas },
    latitude: location.latitude,
    longitude: location.longitude,
    timezone: location.timezone,
    country_code: location.country_code,
    ...(withAreas && location.estimated_from && { estimated_from: location.estimated_from }),
  };
}
