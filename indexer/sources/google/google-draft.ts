import type { PlaceDocument } from "../../../src/place/place-document.ts";
import { parseWeekTexts, type DayTexts } from "../../hours/week-texts.ts";
import {
  emptyDraft,
  isRejection,
  type NoteField,
  type PlaceDraft,
  type Rejection,
} from "../../place-draft.ts";
import { parsePriceText } from "../../prices/price-text.ts";
import { featuresOf, type Attribute } from "./attributes.ts";
import { businessStatusOf } from "./business-status.ts";
import { identityOf, type GoogleIds } from "./identity.ts";
import { toGalleries, type TitledPicture } from "./photos.ts";
import { toPopularTimes, type BusyHour } from "./popular-times.ts";
import { typeOfCategories } from "./type-of-categories.ts";

/** A place of Google Maps as a scraper wrote it down: texts as Google shows them. Empty texts and lists stand for unknown. */
export interface GoogleRecord {
  readonly ids: GoogleIds;
  /** `undefined` where the record has none. */
  readonly title: string | undefined;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  /** The main one first. */
  readonly categories: readonly string[];
  readonly rating: number;
  readonly reviews: number;
  readonly price: string;
  readonly contacts: PlaceDraft["contacts"];
  readonly address: PlaceDraft["location"]["address"];
  readonly timezone: string;
  readonly countryCode: string;
  readonly state: string;
  readonly hours: readonly DayTexts[];
  readonly attributes: readonly Attribute[];
  readonly description: string;
  readonly busyHours: readonly BusyHour[];
  readonly reviewList: PlaceDocument["review_list"];
  readonly pictures: readonly TitledPicture[];
}

/** The draft of a record, or why there is none: it has no name, no coordinates or no id. What is not understood is noted. */
export function toGoogleDraft(record: GoogleRecord, note: NoteField): PlaceDraft | Rejection {
  const { title, latitude, longitude } = record;
  if (!title) return { field: "title", reason: "missing or not a text" };
  if (latitude === undefined || longitude === undefined)
    return { field: "location", reason: "latitude or longitude is missing or not a number" };
  const identity = identityOf(record.ids, { latitude, longitude }, note);
  if (isRejection(identity)) return identity;
  return {
    ...emptyDraft(),
    ...identity,
    title,
    type: typeOf(record, note),
    rating: ratingOf(record, note),
    reviews: record.reviews,
    pricing: pricingOf(record, note),
    contacts: record.contacts,
    location: {
      address: withoutTitle(record.address, title),
      latitude,
      longitude,
      timezone: record.timezone,
      country_code: record.countryCode,
    },
    business_status: businessStatusOf(record.state),
    opening_hours: hoursOf(record, note),
    features: featuresOf(record.attributes, note),
    description: record.description,
    popular_times: popularTimesOf(record, note),
    review_list: record.reviewList,
    photos: toGalleries(record.pictures),
  };
}

function typeOf({ categories }: GoogleRecord, note: NoteField): string {
  const code = typeOfCategories(categories);
  if (code === undefined && categories[0])
    note(`category: ${categories[0]}`, "no type code for it, read as PLACE");
  return code ?? "PLACE";
}

function ratingOf({ rating }: GoogleRecord, note: NoteField): number {
  if (rating === 0 || (rating >= 1 && rating <= 5)) return rating;
  note("rating", "not from 1 to 5, dropped");
  return 0;
}

function pricingOf({ price }: GoogleRecord, note: NoteField): PlaceDraft["pricing"] {
  const prices = price.trim() === "" ? undefined : parsePriceText(price);
  if (price.trim() !== "" && prices === undefined) note("price", "not understood, dropped");
  return prices ?? { min: 0, max: 0 };
}

function hoursOf({ hours }: GoogleRecord, note: NoteField): PlaceDraft["opening_hours"] {
  const parsed = parseWeekTexts(hours);
  if ("week" in parsed) return { week: parsed.week, special_days: [] };
  if (parsed.problem !== "unknown") note("opening_hours", parsed.problem);
  return null;
}

function popularTimesOf({ busyHours }: GoogleRecord, note: NoteField): PlaceDraft["popular_times"] {
  const { week, dropped } = toPopularTimes(busyHours);
  if (dropped > 0) note("popular_times", "an hour or day not understood, dropped");
  return week;
}

/** Google's one-line address of a scraped place often begins with its name. */
function withoutTitle(
  address: PlaceDraft["location"]["address"],
  title: string,
): PlaceDraft["location"]["address"] {
  const prefix = `${title}, `;
  return address.full.startsWith(prefix) ? { ...address, full: address.full.slice(prefix.length) } : address;
}
