import * as v from "valibot";
import { customSchema } from "./own-fields.ts";
import { DAYS_PER_WEEK, MINUTES_PER_DAY } from "../time/time-units.ts";

/**
 * A place as it is stored in the index: the contract between the indexer, which writes it, and the API, which
 * reads it. Fields that the API returns have the API's names. Values that depend on the moment or the caller
 * (open state, day names, links, distance) are never stored.
 */

/** Raise this whenever a field changes its meaning or format. The API refuses an index of another version. */
export const PLACE_DOCUMENT_VERSION = 1;

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** In lower case, with hyphens. */
const languageTagSchema = v.pipe(v.string(), v.regex(/^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/));

/** `0x<hex>:0x<hex>` in lower case without leading zeros: the canonical form that `parseDataId` returns. */
export const dataIdSchema = v.pipe(
  v.string(),
  v.regex(/^0x(?:0|[1-9a-f][0-9a-f]{0,15}):0x(?:0|[1-9a-f][0-9a-f]{0,15})$/),
);

/**
 * `[opens, closes]` in minutes after local midnight of the opening day, half open. A range that passes
 * midnight closes after minute 1440 (18:00–02:00 is `[1080, 1560]`). `[0, 1440]` is all day.
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

/**
 * The ranges of one day in order, without overlap (as `mergeRanges` returns them). An empty list is a closed
 * day.
 */
const dayRangesSchema = v.pipe(
  v.array(openRangeSchema),
  v.check(
    (ranges) => ranges.every(([opens], index) => opens >= (ranges[index - 1]?.[1] ?? 0)),
    "the ranges of a day must be in order, without overlap",
  ),
);

/** 0 for a place without ratings, else 1.0 to 5.0. */
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

/** By what an address was found, the closest first: other houses of the street, the street, or its ward. */
export const POSITION_ESTIMATES = ["house", "street", "ward"] as const;

const positionEstimateSchema = v.picklist(POSITION_ESTIMATES);

export type PositionEstimate = (typeof POSITION_ESTIMATES)[number];

export const placeDocumentSchema = v.strictObject({
  data_id: dataIdSchema,
  /** True when the data id came with the record; otherwise it was made from source and source id. */
  has_given_id: v.optional(v.literal(true)),
  /**
   * The source of the record and its id there: `osm`, `node/5030121722`. Empty when the record has only a
   * data id.
   */
  source: text,
  source_id: text,
  /** The external provider's identifier, when known. */
  place_id: v.optional(text),
  /**
   * Empty for a place without a name, such as a public toilet, which is shown by the label of its type
   * (`shownTitle`).
   */
  title: text,
  /** Other names that searches find: other languages, old and short names, the brand. Never shown. */
  alternate_names: v.array(text),
  /** The name in some languages, by their tags (`ja`, `zh-hant`). All are searched. */
  names: v.optional(v.record(languageTagSchema, text)),
  /** Fields of the data team's own. */
  custom: v.optional(customSchema),
  /** A code of `types.json`. */
  type: text,
  /** The source's type, where `type` was estimated from the title. */
  source_type: v.optional(text),
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
    /** By what the point was estimated from the address, where the source has none. */
    estimated_from: v.optional(positionEstimateSchema),
  }),
  /**
   * Ids of the areas that contain the place (src/place/geometry/areas), current ones and those before July 2025,
   * smallest first.
   */
  areas: v.optional(v.array(text)),
  /** True when the former areas' boundaries are unknown and the nearest centre was used instead. */
  has_estimated_areas: v.optional(v.literal(true)),
  /** The last date on which the source confirmed or changed the place, when it says so. */
  confirmed_on: v.optional(v.pipe(text, v.isoDate())),
  business_status: v.picklist(["operational", "closed_temporarily", "closed_permanently"]),
  /** `null` when unknown, which is not the same as closed. */
  opening_hours: v.nullable(openingHoursSchema),
  features: featuresSchema,
  description: text,
  /** Seven lists of the known hours, Monday first; an empty list when none are known. */
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
  /** `category_label` is empty where the API has a label for the `category_id`. */
  photos: v.array(v.strictObject({ category_id: text, category_label: text, media: v.array(mediaSchema) })),
});

export type PlaceDocument = v.InferOutput<typeof placeDocumentSchema>;
export type OpeningHours = v.InferOutput<typeof openingHoursSchema>;
export type OpenRange = v.InferOutput<typeof openRangeSchema>;
export type Features = v.InferOutput<typeof featuresSchema>;

/** What most places have. The index stores it as nothing. */
export const USUAL = { country: "Việt Nam", countryCode: "VN", timezone: "Asia/Ho_Chi_Minh" } as const;

/** What a search needs of a place: everything but the long fields that only the place details show. */
export type PlaceSummaryDocument = Omit<
  PlaceDocument,
  | "description"
  | "popular_times"
  | "review_list"
  | "photos"
  | "source"
  | "source_id"
  | "source_type"
  | "areas"
  | "has_estimated_areas"
  | "custom"
  | "names"
> &
  PlaceExtras &
  OptionalFields;

/** A picture of a place or of a review. */
export type Photo = v.InferOutput<typeof mediaSchema>;

/** What the index stores besides, and what is read only for requests that need it. */
interface PlaceExtras {
  /** Packed popular times (`packPopularTimes`). */
  readonly busy_hours?: string;
  /** When the place was written to the index, in epoch seconds. */
  readonly indexed_at?: number;
  /** The first picture of the first gallery that has any. */
  readonly first_photo?: Photo;
}

/** Fields of the document that a summary has only for requests that need them. */
type OptionalFields = Pick<PlaceDocument, "custom" | "names" | "areas">;

/** A place as the index returns it for its details. */
export type StoredPlace = PlaceDocument & PlaceExtras;

/** Names of fields that are read only for requests that need them. */
export type PlaceExtra = keyof PlaceExtras | keyof OptionalFields;
