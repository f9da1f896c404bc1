import * as v from "valibot";
import { DAYS_PER_WEEK, MINUTES_PER_DAY } from "./time-units.ts";

/**
 * A place as it is stored in the index: the contract between the indexer, which writes it, and the API, which reads it.
 * Members that the API returns carry the API's names. What depends on the moment or the caller (open state, day names,
 * links, distance) is never stored.
 */

/** Raise it whenever a member changes its meaning or form; the API refuses an index of another version. */
export const PLACE_DOCUMENT_VERSION = 1;

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** `0x<hex>:0x<hex>`, lower case, no leading zeros: the canonical form that `parseDataId` returns. */
export const dataIdSchema = v.pipe(
  v.string(),
  v.regex(/^0x(?:0|[1-9a-f][0-9a-f]{0,15}):0x(?:0|[1-9a-f][0-9a-f]{0,15})$/),
);

/**
 * `[opens, closes]` in minutes after the local midnight of the day it belongs to, half open. A range that passes midnight
 * closes after minute 1440 of its opening day (18:00–02:00 is `[1080, 1560]`); `[0, 1440]` is all day.
 */
export const openRangeSchema = v.pipe(
  v.tuple([
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MINUTES_PER_DAY - 1)),
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2 * MINUTES_PER_DAY)),
  ]),
  v.check(
    ([opens, closes]) => closes > opens && closes - opens <= MINUTES_PER_DAY,
    "closes must be after opens, by a day at most",
  ),
);

/** The ranges of one day in order, without overlap (as `mergeRanges` makes them); an empty list is a closed day. */
const dayRangesSchema = v.pipe(
  v.array(openRangeSchema),
  v.check(
    (ranges) => ranges.every(([opens], index) => opens >= (ranges[index - 1]?.[1] ?? 0)),
    "the ranges of a day must be in order, without overlap",
  ),
);

/** 0 for an unrated place, else 1.0 to 5.0. */
export const ratingSchema = v.union(
  [v.literal(0), v.pipe(v.number(), v.minValue(1), v.maxValue(5))],
  "must be 0 or 1 to 5",
);

/** `week` has seven days, Monday first. A date in `special_days` (local, ISO 8601) replaces that day of the week. */
export const openingHoursSchema = v.strictObject({
  week: v.pipe(v.array(dayRangesSchema), v.length(DAYS_PER_WEEK)),
  special_days: v.array(v.strictObject({ date: v.pipe(v.string(), v.isoDate()), ranges: dayRangesSchema })),
});

const mediaSchema = v.strictObject({ id: text, url: text, width: count, height: count });

const busyHourSchema = v.strictObject({
  hour: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(23)),
  occupancy_percent: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
});

export const featuresSchema = v.strictObject({
  accessibility: v.array(text),
  parking: v.array(text),
  payments: v.array(text),
  service_options: v.array(text),
  other: v.array(text),
});

export const placeDocumentSchema = v.strictObject({
  data_id: dataIdSchema,
  /** Where the record came from and its id there: `osm`, `node/5030121722`. Empty when the record brought a data id only. */
  source: text,
  source_id: text,
  /** The external provider's identifier, when known. */
  place_id: v.optional(text),
  /** Empty for a place without a name, such as a public toilet: it is shown by the label of its type (`shownTitle`). */
  title: text,
  /** Other names it is found by: other languages, old and short names, the brand. Never shown. */
  alternate_names: v.array(text),
  /** A code of `types.json`. */
  type: text,
  rating: ratingSchema,
  reviews: count,
  pricing: v.strictObject({ min: v.pipe(v.number(), v.minValue(0)), max: v.pipe(v.number(), v.minValue(0)) }),
  contacts: v.strictObject({ phone: text, website: text }),
  location: v.strictObject({
    address: v.strictObject({ full: text, street: text, ward: text, city: text, country: text }),
    latitude: v.pipe(v.number(), v.minValue(-90), v.maxValue(90)),
    longitude: v.pipe(v.number(), v.minValue(-180), v.maxValue(180)),
    timezone: v.pipe(v.string(), v.nonEmpty()),
    country_code: text,
  }),
  /** Ids of the areas that it lies in (src/place/areas), today's and those of before July 2025, the narrow before the wide. */
  areas: v.optional(v.array(text)),
  /** True when the boundaries of the former areas are unknown and the nearest centre decided. */
  has_estimated_areas: v.optional(v.literal(true)),
  business_status: v.picklist(["operational", "closed_temporarily", "closed_permanently"]),
  /** `null` when unknown, which is not the same as closed. */
  opening_hours: v.nullable(openingHoursSchema),
  features: featuresSchema,
  description: text,
  /** Monday first, seven lists of the hours that are known; an empty list when nothing is. */
  popular_times: v.pipe(
    v.array(v.array(busyHourSchema)),
    v.check((days) => days.length === 0 || days.length === DAYS_PER_WEEK, "seven days or none"),
  ),
  review_list: v.array(
    v.strictObject({
      review_id: text,
      author_name: text,
      author_profile_pic: text,
      rating: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)),
      text,
      photos: v.array(mediaSchema),
    }),
  ),
  /** `category_label` is empty where `category_id` is one that the API has its own words for. */
  photos: v.array(v.strictObject({ category_id: text, category_label: text, media: v.array(mediaSchema) })),
});

export type PlaceDocument = v.InferOutput<typeof placeDocumentSchema>;
export type OpeningHours = v.InferOutput<typeof openingHoursSchema>;
export type OpenRange = v.InferOutput<typeof openRangeSchema>;
export type Features = v.InferOutput<typeof featuresSchema>;

/** What a search needs of a place: everything but the long members that only the detail shows. */
export type PlaceSummaryDocument = Omit<
  PlaceDocument,
  | "description"
  | "popular_times"
  | "review_list"
  | "photos"
  | "source"
  | "source_id"
  | "areas"
  | "has_estimated_areas"
>;
