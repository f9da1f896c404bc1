import { emptyFeatures } from "../../../src/place/feature-codes.ts";
import type { Features, PlaceDocument } from "../../../src/place/place-document.ts";
import { isTypeCode } from "../../../src/place/type-codes.ts";
import {
  emptyDraft,
  isRejection,
  type NoteField,
  type PlaceDraft,
  type Rejection,
} from "../../clean/place-draft.ts";
import {
  asNumber,
  asObject,
  asText,
  asWholeNumber,
  noteUnknownMembers,
  readElements,
  readMember,
  readObject,
  type Members,
} from "./members.ts";
import { readHours } from "./native-hours.ts";
import { readPhotos, readPopularTimes, readReviews } from "./native-lists.ts";

/** What the format reads, and what it knows and leaves aside because the API computes it. */
const KNOWN_MEMBERS = new Set(
  [
    "data_id source source_id place_id title alternate_names type rating reviews pricing contacts location",
    "business_status opening_hours special_days features description popular_times review_list photos",
    "open_state global_plus_code distance_m periods explain match",
    "link_search_value link_place_detail link_external_maps link_docs",
  ].flatMap((names) => names.split(" ")),
);
const KNOWN_LOCATION_MEMBERS = new Set(["address", "latitude", "longitude", "timezone", "country_code"]);

/** One record of the native format (docs/data-format.md) as a draft, or why it cannot be one. */
export function toNativeDraft(value: unknown, note: NoteField): PlaceDraft | Rejection {
  const outer = asObject(value);
  if (!outer) return { field: "record", reason: "not a JSON object" };
  // A whole answer of the API about one place.
  const values = asObject(outer["place_result"]) ?? outer;
  const record: Members = { values, path: "", note };
  noteUnknownMembers(record, KNOWN_MEMBERS);
  const required = readRequired(record);
  if (isRejection(required)) return required;
  const placeId = readMember(record, "place_id", asText);
  return {
    ...emptyDraft(),
    ...required,
    ...(placeId && { place_id: placeId }),
    alternate_names: readElements(record, "alternate_names", asText),
    type: readType(record),
    rating: readMember(record, "rating", asRating) ?? 0,
    reviews: readMember(record, "reviews", asCount) ?? 0,
    pricing: readPricing(readObject(record, "pricing")),
    contacts: readContacts(readObject(record, "contacts")),
    business_status: readMember(record, "business_status", asBusinessStatus) ?? "operational",
    opening_hours: readHours(record),
    features: readFeatures(readObject(record, "features")),
    description: readMember(record, "description", asText) ?? "",
    popular_times: readPopularTimes(record),
    review_list: readReviews(record),
    photos: readPhotos(record),
  };
}

type Required = Pick<PlaceDraft, "title" | "location" | "data_id" | "source" | "source_id">;

/** The members without which there is no place: its name, where it is, and what it is called by its source. */
function readRequired(record: Members): Required | Rejection {
  const { title, data_id: dataId, source, source_id: sourceId } = record.values;
  if (typeof title !== "string") return { field: "title", reason: "missing or not a text", value: title };
  const location = readLocation(record);
  if (isRejection(location)) return location;
  if (!isOptionalText(dataId)) return { field: "data_id", reason: "not a text", value: dataId };
  if (!isOptionalText(sourceId)) return { field: "source_id", reason: "not a text", value: sourceId };
  if (!isOptionalText(source)) return { field: "source", reason: "not a text", value: source };
  if (!dataId && !sourceId) return { field: "data_id", reason: "missing, and no source_id either" };
  return { title, location, data_id: dataId ?? "", source: source ?? "", source_id: sourceId ?? "" };
}

const isOptionalText = (value: unknown): value is string | null | undefined =>
  value === undefined || value === null || typeof value === "string";

function readLocation(record: Members): PlaceDraft["location"] | Rejection {
  const values = asObject(record.values["location"]);
  if (!values)
    return { field: "location", reason: "missing or not an object", value: record.values["location"] };
  const { latitude, longitude } = values;
  if (typeof latitude !== "number")
    return { field: "location.latitude", reason: "missing or not a number", value: latitude };
  if (typeof longitude !== "number")
    return { field: "location.longitude", reason: "missing or not a number", value: longitude };
  const location: Members = { values, path: "location.", note: record.note };
  noteUnknownMembers(location, KNOWN_LOCATION_MEMBERS);
  const address = readObject(location, "address");
  const addressPart = (name: string): string => readMember(address, name, asText) ?? "";
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
    timezone: readMember(location, "timezone", asText) ?? "",
    country_code: readMember(location, "country_code", asText) ?? "",
  };
}

function readType(record: Members): string {
  const code = readMember(record, "type", asText)?.trim().toUpperCase();
  if (code === undefined) return "PLACE";
  if (isTypeCode(code)) return code;
  record.note("type", "not a type code, read as PLACE", code);
  return "PLACE";
}

/** The API writes 0 for a place that nobody rated. */
const asRating = (value: unknown): number | undefined => (value === 0 ? 0 : asNumber(1, 5)(value));

const asCount = asWholeNumber(0, Number.MAX_SAFE_INTEGER);

const asPrice = asNumber(0, Number.MAX_SAFE_INTEGER);

/** One price alone stands for both. */
function readPricing(pricing: Members): PlaceDraft["pricing"] {
  const lowest = readMember(pricing, "min", asPrice);
  const highest = readMember(pricing, "max", asPrice);
  const min = lowest ?? highest ?? 0;
  const max = highest ?? min;
  if (min <= max) return { min, max };
  pricing.note("pricing", "min is above max, dropped");
  return { min: 0, max: 0 };
}

const readContacts = (contacts: Members): PlaceDraft["contacts"] => ({
  phone: readMember(contacts, "phone", asText) ?? "",
  website: readMember(contacts, "website", asText) ?? "",
});

const BUSINESS_STATUSES = ["operational", "closed_temporarily", "closed_permanently"] as const;

const asBusinessStatus = (value: unknown): PlaceDocument["business_status"] | undefined =>
  BUSINESS_STATUSES.find((status) => status === value);

function readFeatures(features: Members): Features {
  const read = emptyFeatures();
  for (const section of Object.keys(read) as (keyof Features)[]) {
    read[section] = [...new Set(readElements(features, section, asText))];
  }
  return read;
}
