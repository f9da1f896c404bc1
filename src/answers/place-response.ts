import * as v from "valibot";
import {
  fullFields,
  linkFields,
  optionalFields,
  placeFields,
  toFullFields,
  toLinkFields,
  toPlaceFields,
  type PlaceContext,
} from "./place-fields.ts";
import { featureCollectionSchema, featureSchema, type Feature, type FeatureCollection } from "./geojson.ts";
import { MAX_PLACES } from "../place/request-defaults.ts";
import type { Coordinates } from "../place/geometry/coordinates.ts";
import {
  busynessStatus,
  dayName,
  galleryLabel,
  hourLabel,
  type Language,
} from "../place/document/localized-texts.ts";
import {
  INCLUDED_FIELDS,
  mediaSchema,
  toIncludedFields,
  toMedia,
  type IncludedFields,
} from "./included-fields.ts";
import { dataIdSchema, type PlaceDocument, type StoredPlace } from "../place/document/place-document.ts";
import { encode } from "pluscodes";

/** The response of `GET /api/maps/place`: its schema, and how a place becomes `place_result`. */

const about = v.description;
const text = v.string();
const someText = v.pipe(text, v.nonEmpty());
const wholeNumber = (min: number, max: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));

export const popularDaySchema = v.pipe(
  v.strictObject({
    day: v.pipe(someText, about("Name of the day in the language of the request.")),
    hours: v.pipe(
      v.array(
        v.strictObject({
          hour: v.pipe(wholeNumber(0, 23), about("Hour of the day at the place.")),
          occupancy_percent: v.pipe(wholeNumber(0, 100), about("Usual busyness in percent.")),
          status: v.pipe(someText, about("Busyness in words, in the language of the request.")),
          time_label: v.pipe(someText, about("The hour as text, for display.")),
        }),
      ),
      about("The hours with data; some may be missing."),
    ),
  }),
  about("How busy the place usually is on one day of the week."),
);

export const reviewSchema = v.pipe(
  v.strictObject({
    review_id: v.pipe(text, about("Identifier of the review.")),
    author_name: v.pipe(text, about("Display name of the author.")),
    author_profile_pic: v.pipe(text, about("URL of the author's picture; empty when there is none.")),
    rating: v.pipe(wholeNumber(1, 5), about("1 to 5, whole.")),
    text: v.pipe(text, about("Text of the review; may be empty.")),
    photos: v.pipe(v.array(mediaSchema), about("Pictures of the review.")),
  }),
  about("A review of the place by one person."),
);

export const gallerySchema = v.pipe(
  v.strictObject({
    category_id: v.pipe(text, about("Identifier of the gallery."), v.examples(["interior"])),
    category_label: v.pipe(
      text,
      about("Name of the gallery in the language of the request."),
      v.examples(["Không gian bên trong"]),
    ),
    media: v.pipe(v.array(mediaSchema), about("Its pictures.")),
  }),
  about("Pictures of one kind."),
);

/** Fields that a search result does not have. */
const detailFields = {
  description: v.pipe(text, about("A few sentences about the place; may be empty.")),
  global_plus_code: v.pipe(
    someText,
    about("Open Location Code of the coordinates."),
    v.examples(["7P28QMCX+R6"]),
  ),
  /** Seven days, or none where nothing is known. */
  popular_times: v.pipe(
    v.union([v.pipe(v.array(popularDaySchema), v.length(7)), v.pipe(v.array(popularDaySchema), v.length(0))]),
    about("Seven days, Monday first. Empty when nothing is known."),
  ),
  review_list: v.pipe(v.array(reviewSchema), about("Reviews in the order of the source.")),
  photos: v.pipe(v.array(gallerySchema), about("Galleries, one for each kind of picture.")),
};

/** `place_result`: these fields and no others, except those that `include=` adds. */
export const placeDetailSchema = v.strictObject({
  ...placeFields,
  ...fullFields,
  ...linkFields,
  ...detailFields,
});

/** Any `place_result`. */
export const placeResultSchema = v.pipe(
  v.strictObject({
    ...placeFields,
    ...fullFields,
    ...linkFields,
    ...detailFields,
    ...optionalFields({
      ...INCLUDED_FIELDS.distance,
      ...INCLUDED_FIELDS.periods,
      ...INCLUDED_FIELDS.freshness,
      ...INCLUDED_FIELDS.names,
      ...INCLUDED_FIELDS.custom,
      ...INCLUDED_FIELDS.version,
    }),
  }),
  v.description("The full record of a place."),
);

export const placeAnswerSchema = v.strictObject({ place_result: placeResultSchema });

/** The response with `format=geojson`. */
export const placeFeatureSchema = featureSchema(placeResultSchema);

/** One element of `place_results`. */
export const requestedPlaceSchema = v.pipe(
  v.strictObject({
    ...placeResultSchema.entries,
    redirected_from: v.optional(
      v.pipe(
        dataIdSchema,
        about("The `data_id` of the request, where the place has another one now: it moved or was merged."),
      ),
    ),
  }),
  about("Everything that is known of a place, as place detail has it."),
);

/** Fields next to the places. */
const unknownIds = {
  unknown_ids: v.pipe(v.array(dataIdSchema), about("The `data_id`s of the request that no place has.")),
};

export const placesAnswerSchema = v.strictObject({
  place_results: v.pipe(
    v.array(requestedPlaceSchema),
    v.maxLength(MAX_PLACES),
    about("The places in the order of the request, without those that are unknown."),
  ),
  ...unknownIds,
});

/** The response with `format=geojson`. */
export const placesFeaturesSchema = featureCollectionSchema(requestedPlaceSchema, unknownIds);

/** `GET /api/maps/places` */
export type PlacesAnswer = v.InferOutput<typeof placesAnswerSchema>;
export type RequestedPlace = PlacesAnswer["place_results"][number];
export type PlacesFeatures = FeatureCollection<RequestedPlace, Pick<PlacesAnswer, "unknown_ids">>;

/** `GET /api/maps/place` */
export type PlaceAnswer = v.InferOutput<typeof placeAnswerSchema>;
export type PlaceResult = PlaceAnswer["place_result"];
export type PlaceFeature = Feature<PlaceResult>;

export type PlaceDetail = v.InferOutput<typeof placeDetailSchema> & IncludedFields;

export interface PlaceDetailContext extends PlaceContext {
  /** The centre of the search link; the place itself when absent. */
  readonly searchCentre?: Coordinates;
}

/** A place as `place_result`. */
export function toPlaceDetail(place: StoredPlace, context: PlaceDetailContext): PlaceDetail {
  const { now, language, links, included = {}, searchCentre = place.location } = context;
  return {
    ...toPlaceFields(place, context),
    ...toFullFields(place, language),
    ...toLinkFields(place, { links, language, operation: "place", searchCentre }),
    description: place.description,
    global_plus_code: toPlusCode(place.location),
    popular_times: place.popular_times.map((hours, dayIndex) => ({
      day: dayName(dayIndex, language),
      hours: hours.map((busyHour) => toPopularHour(busyHour, language)),
    })),
    review_list: place.review_list.map(toReview),
    photos: place.photos.map((gallery) => toGallery(gallery, language)),
    ...toIncludedFields(place, now, included),
  };
}

type PopularHour = PlaceDetail["popular_times"][number]["hours"][number];
type Review = PlaceDetail["review_list"][number];
type Gallery = PlaceDetail["photos"][number];

function toPopularHour(
  { hour, occupancy_percent }: PlaceDocument["popular_times"][number][number],
  language: Language,
): PopularHour {
  return {
    hour,
    occupancy_percent,
    status: busynessStatus(occupancy_percent, language),
    time_label: hourLabel(hour, language),
  };
}

function toReview(review: PlaceDocument["review_list"][number]): Review {
  return {
    review_id: review.review_id,
    author_name: review.author_name,
    author_profile_pic: review.author_profile_pic,
    rating: review.rating,
    text: review.text,
    photos: review.photos.map(toMedia),
  };
}

function toGallery(gallery: PlaceDocument["photos"][number], language: Language): Gallery {
  return {
    category_id: gallery.category_id,
    category_label: galleryLabel(gallery.category_id, language, gallery.category_label),
    media: gallery.media.map(toMedia),
  };
}

/** The middle of the northernmost row of cells: the pole itself is above every cell. */
const MAX_LATITUDE = 89.999_937_5;

/**
 * A hundredth of a millimetre. The encoder divides binary fractions, which moves one in a hundred ordinary coordinates (those on
 * the edge of a cell) into the cell below. Adding this moves them back over the edge.
 */
const EDGE_DEGREES = 1e-10;

/** The global Open Location Code of a point, ten digits (a cell of about 14 metres), such as `7P28QPC3+FW`. */
export function toPlusCode({ latitude, longitude }: Coordinates): string {
  const inside = {
    latitude: Math.min(latitude + EDGE_DEGREES, MAX_LATITUDE),
    longitude: longitude + EDGE_DEGREES,
  };
  return encode(inside) ?? "";
}
