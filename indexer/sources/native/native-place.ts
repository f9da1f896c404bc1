import * as v from "valibot";
import { emptyFeatures } from "../../../src/place/document/feature-codes.ts";
import { dayName } from "../../../src/place/document/localized-texts.ts";
import { formatOpeningRanges } from "../../../src/place/time/opening-hours.ts";
import {
  customValueSchema,
  fieldNameSchema,
  fieldsInUse,
  MAX_FIELDS,
  toDayNumber,
  type CustomValue,
} from "../../../src/place/document/own-fields.ts";
import {
  POSITION_ESTIMATES,
  type Features,
  type OpeningHours,
  type OpenRange,
  type PlaceDocument,
} from "../../../src/place/document/place-document.ts";
import { isTypeCode } from "../../../src/place/document/type-codes.ts";
import { hasPart } from "../../clean/address.ts";
import {
  emptyDraft,
  isRejection,
  type DraftHours,
  type NoteField,
  type PlaceDraft,
  type Rejection,
} from "../../clean/place-draft.ts";
import {
  asDate,
  asNumber,
  asObject,
  asText,
  asWholeNumber,
  noteUnknownFields,
  readElements,
  readField,
  readObject,
  type RecordFields,
  readObjects,
} from "../record-fields.ts";
import { readConfirmedOn } from "../../clean/place-draft.ts";
import { PUBLIC_HOLIDAYS, readHours, parseDay } from "./native-hours.ts";
import { DAYS_PER_WEEK } from "../../../src/place/time/time-units.ts";

/** The fields that the format reads, and those that it ignores because the API computes them. */
const KNOWN_FIELDS = new Set(
  [
    "data_id source source_id place_id title alternate_names names custom type rating reviews pricing contacts location",
    "confirmed_on business_status opening_hours special_days features description popular_times review_list photos",
    "open_state global_plus_code distance_m periods explain match freshness busyness redirected_from",
    "link_search_value link_place_detail link_external_maps link_docs",
  ].flatMap((names) => names.split(" ")),
);
const KNOWN_LOCATION_FIELDS = new Set(
  "address latitude longitude timezone country_code estimated_from".split(" "),
);

/** Converts one record of the native format (docs/data-format.md) to a draft, or says why it cannot. */
export function toNativeDraft(value: unknown, note: NoteField): PlaceDraft | Rejection {
  const outer = asObject(value);
  if (!outer) return { field: "record", reason: "not a JSON object" };
  // A whole API response about one place.
  const values = asObject(outer["place_result"]) ?? outer;
  const record: RecordFields = { values, path: "", note };
  noteUnknownFields(record, KNOWN_FIELDS);
  const required = readRequired(record);
  if (isRejection(required)) return required;
  const placeId = readField(record, "place_id", asText);
  return {
    ...emptyDraft(),
    ...required,
    ...(placeId && { place_id: placeId }),
    alternate_names: readElements(record, "alternate_names", asText),
    type: readType(record),
    rating: readField(record, "rating", asRating) ?? 0,
    reviews: readField(record, "reviews", asCount) ?? 0,
    pricing: readPricing(readObject(record, "pricing")),
    contacts: readContacts(readObject(record, "contacts")),
    ...readConfirmedOn(readField(record, "confirmed_on", asDate)),
    business_status: readField(record, "business_status", asBusinessStatus) ?? "operational",
    opening_hours: readHours(record),
    features: readFeatures(readObject(record, "features")),
    description: readField(record, "description", asText) ?? "",
    ...readNames(record),
    ...readCustom(record),
    popular_times: readPopularTimes(record),
    review_list: readReviews(record),
    photos: readPhotos(record),
  };
}

/** The names by language: `vi`, `ja`, `zh-Hant`. */
function readNames(record: RecordFields): Pick<PlaceDraft, "names"> {
  const fields = readObject(record, "names");
  const names: Record<string, string> = {};
  for (const [given, value] of Object.entries(fields.values)) {
    const tag = given.toLowerCase().replaceAll("_", "-");
    if (!LANGUAGE_TAG.test(tag)) fields.note(`names.${given}`, "not a language tag, ignored");
    else if (typeof value !== "string" || value.length > MAX_NAME)
      fields.note(`names.${given}`, `not a string of up to ${MAX_NAME} characters, ignored`, value);
    else if (value.trim() !== "") names[tag] = value;
  }
  return Object.keys(names).length > 0 ? { names } : {};
}

/** As long as a title may be. */
const MAX_NAME = 500;

const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/;

/** The fields of the data team's own. `null` and empty texts say nothing. */
function readCustom(record: RecordFields): Pick<PlaceDraft, "custom"> {
  const fields = readObject(record, "custom");
  const custom: Record<string, CustomValue> = {};
  for (const [name, value] of Object.entries(fields.values)) {
    if (value === null || value === "") continue;
    const isName: boolean = v.is(fieldNameSchema, name);
    if (!isName) fields.note(`custom.${name}`, "not written like opened_on, ignored");
    else if (!v.is(customValueSchema, value)) fields.note(`custom.${name}`, NO_CUSTOM_VALUE, value);
    else if (!isOfType(name, value))
      fields.note(`custom.${name}`, `not a ${typeOf(name) ?? "value"}, ignored`, value);
    else if (Object.keys(custom).length === MAX_FIELDS)
      fields.note("custom", `more than ${MAX_FIELDS} fields, the rest ignored`);
    else custom[name] = value;
  }
  return Object.keys(custom).length > 0 ? { custom } : {};
}

const NO_CUSTOM_VALUE =
  "no text of up to 1,000 characters, number, boolean or list of up to 50 of them, ignored";

const typeOf = (name: string) => fieldsInUse().get(name)?.type;

/** Whether a value is of the type that was declared for its field. */
function isOfType(name: string, value: CustomValue): boolean {
  const type = typeOf(name);
  if (type === "date") return typeof value === "string" && Number.isFinite(toDayNumber(value));
  if (type === "number" || type === "boolean") return typeof value === type;
  if (type === "text") return typeof value === "string";
  return true;
}

type Required = Pick<PlaceDraft, "title" | "location" | "data_id" | "source" | "source_id">;

/** Reads the required fields: name, location and source id. */
function readRequired(record: RecordFields): Required | Rejection {
  const { title, data_id: dataId, source, source_id: sourceId } = record.values;
  if (typeof title !== "string") return { field: "title", reason: "missing or not a string", value: title };
  const location = readLocation(record);
  if (isRejection(location)) return location;
  if (!isOptionalText(dataId)) return { field: "data_id", reason: "not a string", value: dataId };
  if (!isOptionalText(sourceId)) return { field: "source_id", reason: "not a string", value: sourceId };
  if (!isOptionalText(source)) return { field: "source", reason: "not a string", value: source };
  if (!dataId && !sourceId) return { field: "data_id", reason: "missing, and no source_id either" };
  return { title, location, data_id: dataId ?? "", source: source ?? "", source_id: sourceId ?? "" };
}

const isOptionalText = (value: unknown): value is string | null | undefined =>
  value === undefined || value === null || typeof value === "string";

function readLocation(record: RecordFields): PlaceDraft["location"] | Rejection {
  const values = asObject(record.values["location"]);
  if (!values)
    return { field: "location", reason: "missing or not an object", value: record.values["location"] };
  const { latitude, longitude } = values;
  if (typeof latitude !== "number")
    return { field: "location.latitude", reason: "missing or not a number", value: latitude };
  if (typeof longitude !== "number")
    return { field: "location.longitude", reason: "missing or not a number", value: longitude };
  const location: RecordFields = { values, path: "location.", note: record.note };
  noteUnknownFields(location, KNOWN_LOCATION_FIELDS);
  const address = readObject(location, "address");
  const estimate = readField(location, "estimated_from", asEstimate);
  const addressPart = (name: string): string => readField(address, name, asText) ?? "";
  return {
    address: {
      full: addressPart("full"),
      street: addressPart("street"),
      ward: addressPart("ward"),
      city: addressPart("city"),
      country: addressPart("country"),
    },
    latitude,
    longitude,
    timezone: readField(location, "timezone", asText) ?? "",
    country_code: readField(location, "country_code", asText) ?? "",
    ...(estimate && { estimated_from: estimate }),
  };
}

const asEstimate = (value: unknown) => POSITION_ESTIMATES.find((from) => from === value);

function readType(record: RecordFields): string {
  const code = readField(record, "type", asText)?.trim().toUpperCase();
  if (code === undefined) return "PLACE";
  if (isTypeCode(code)) return code;
  record.note("type", "not a type code, read as PLACE", code);
  return "PLACE";
}

/** The API writes 0 for a place without ratings. */
const asRating = (value: unknown): number | undefined => (value === 0 ? 0 : asNumber(1, 5)(value));

const asCount = asWholeNumber(0, Number.MAX_SAFE_INTEGER);

const asPrice = asNumber(0, Number.MAX_SAFE_INTEGER);

/** A single price counts for both ends. */
function readPricing(pricing: RecordFields): PlaceDraft["pricing"] {
  const lowest = readField(pricing, "min", asPrice);
  const highest = readField(pricing, "max", asPrice);
  const min = lowest ?? highest ?? 0;
  const max = highest ?? min;
  if (min <= max) return { min, max };
  pricing.note("pricing", "min is above max, dropped");
  return { min: 0, max: 0 };
}

const readContacts = (contacts: RecordFields): PlaceDraft["contacts"] => ({
  phone: readField(contacts, "phone", asText) ?? "",
  website: readField(contacts, "website", asText) ?? "",
});

const BUSINESS_STATUSES = ["operational", "closed_temporarily", "closed_permanently"] as const;

const asBusinessStatus = (value: unknown): PlaceDocument["business_status"] | undefined =>
  BUSINESS_STATUSES.find((status) => status === value);

function readFeatures(features: RecordFields): Features {
  const read = emptyFeatures();
  for (const section of Object.keys(read) as (keyof Features)[]) {
    read[section] = [...new Set(readElements(features, section, asText))];
  }
  return read;
}

type BusyHour = PlaceDocument["popular_times"][number][number];
type Review = PlaceDocument["review_list"][number];
type Media = Review["photos"][number];

/**
 * Seven lists, Monday first; empty when the record has none. Labels and statuses are ignored, since the API
 * computes them.
 */
export function readPopularTimes(record: RecordFields): PlaceDocument["popular_times"] {
  const days = readObjects(record, "popular_times", (element) => ({
    index: parseDay(readField(element, "day", asText) ?? ""),
    hours: readObjects(element, "hours", readBusyHour),
  }));
  if (days.length === 0) return [];
  const areNamed = days.some(({ index }) => index !== undefined);
  if (!areNamed && days.length === DAYS_PER_WEEK) return days.map(({ hours }) => sortHours(hours));
  const week: BusyHour[][] = Array.from({ length: DAYS_PER_WEEK }, () => []);
  for (const { index, hours } of days) {
    if (index === undefined) record.note("popular_times[].day", "not a day of the week");
    else week[index]?.push(...hours);
  }
  return week.some((hours) => hours.length > 0) ? week.map(sortHours) : [];
}

const asHour = asWholeNumber(0, 23);
const asPercent = asWholeNumber(0, 100);

const readBusyHour = (element: RecordFields): BusyHour | undefined => {
  const hour = readField(element, "hour", asHour);
  const percent = readField(element, "occupancy_percent", asPercent);
  return hour === undefined || percent === undefined ? undefined : { hour, occupancy_percent: percent };
};

/** Sorts hours by the time of day, one value for each hour. */
function sortHours(hours: readonly BusyHour[]): BusyHour[] {
  const isSorted = hours.every(({ hour }, index) => index === 0 || hour > (hours[index - 1]?.hour ?? 0));
  if (isSorted) return [...hours];
  const byHour = new Map(hours.map((hour) => [hour.hour, hour]));
  return [...byHour.values()].toSorted((a, b) => a.hour - b.hour);
}

/** The reviews with a rating from 1 to 5. Those without one have nothing to show. */
export function readReviews(record: RecordFields): Review[] {
  return readObjects(record, "review_list", (review) => {
    const rating = readField(review, "rating", asReviewRating);
    return rating === undefined
      ? undefined
      : {
          review_id: readField(review, "review_id", asText) ?? "",
          author_name: readField(review, "author_name", asText) ?? "",
          author_profile_pic: readField(review, "author_profile_pic", asWebAddress) ?? "",
          rating,
          text: readField(review, "text", asText) ?? "",
          photos: readObjects(review, "photos", readMedia),
        };
  });
}

/** The galleries with at least one picture. */
export function readPhotos(record: RecordFields): PlaceDocument["photos"] {
  const galleries = readObjects(record, "photos", (gallery) => ({
    category_id: readField(gallery, "category_id", asText) ?? "",
    category_label: readField(gallery, "category_label", asText) ?? "",
    media: readObjects(gallery, "media", readMedia),
  }));
  return galleries.filter(({ media }) => media.length > 0);
}

const asReviewRating = asWholeNumber(1, 5);
const asPixels = asWholeNumber(0, 1_000_000);

/** Accepts only web schemes, since callers use these URLs in their pages. */
const asWebAddress = (value: unknown): string | undefined =>
  value === "" || (typeof value === "string" && /^https?:\/\//i.test(value)) ? value : undefined;

const readMedia = (media: RecordFields): Media | undefined => {
  const url = readField(media, "url", asWebAddress);
  if (!url) return undefined;
  return {
    id: readField(media, "id", asText) ?? "",
    url,
    width: readField(media, "width", asPixels) ?? 0,
    height: readField(media, "height", asPixels) ?? 0,
  };
};

/**
 * Converts a place to the native format (docs/data-format.md), without what the import estimated. Importing it produces the same
 * document.
 */
export function toNativeRecord(place: PlaceDocument): object {
  const { opening_hours: hours, popular_times: busyness, areas, ...others } = place;
  const { has_estimated_areas: _, has_given_id: __, source_type: type = others.type, ...rest } = others;
  const { location } = rest;
  return {
    ...rest,
    type,
    ...(areas && { location: { ...location, address: withoutAreas(location.address) } }),
    ...(hours && { opening_hours: toWeek(hours) }),
    ...(hours && hours.special_days.length > 0 && { special_days: toSpecialDays(hours) }),
    popular_times: toPopularTimes(busyness),
  };
}

/** The fields of a native record for hours, as a patch: special days that it does not name are removed. */
export const toNativeHours = ({ holidays, ...hours }: DraftHours): object => ({
  opening_hours: toWeek(hours),
  special_days: [
    ...toSpecialDays(hours),
    ...(holidays ? [{ date: PUBLIC_HOLIDAYS, hours: formatOpeningRanges(holidays[0] ?? []) }] : []),
  ],
});

/**
 * Removes the ward and city that come from the areas (`fillAreas`), since an import fills them in again. Ward
 * and city from the source are also in the full address (`completeAddress`).
 */
function withoutAreas(address: PlaceDocument["location"]["address"]): PlaceDocument["location"]["address"] {
  const given = (part: string): string => (hasPart(address.full, part) ? part : "");
  return { ...address, ward: given(address.ward), city: given(address.city) };
}

/** Closed days are written out: seven empty texts would mean that the hours are unknown. */
const CLOSED = "closed";

function toWeek({ week }: OpeningHours): { day: string; hours: string }[] {
  const isAlwaysClosed = week.every((ranges) => ranges.length === 0);
  const format = (ranges: readonly OpenRange[]): string =>
    isAlwaysClosed ? CLOSED : formatOpeningRanges(ranges);
  return week.map((ranges, index) => ({ day: dayName(index, "vi"), hours: format(ranges) }));
}

const toSpecialDays = ({ special_days: days }: OpeningHours): { date: string; hours: string }[] =>
  days.map(({ date, ranges }) => ({ date, hours: formatOpeningRanges(ranges) }));

const toPopularTimes = (days: PlaceDocument["popular_times"]) =>
  days.map((hours, index) => ({ day: dayName(index, "vi"), hours }));
