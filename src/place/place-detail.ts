import * as v from "valibot";
import { fullMembers, linkMembers, placeMembers } from "./answer-members.ts";
import type { Coordinates } from "./coordinates.ts";
import { detailMembers } from "./detail-members.ts";
import { busynessStatus, dayName, galleryLabel, hourLabel, type Language } from "./localized-texts.ts";
import { toIncludedMembers, type IncludedMembers } from "./included-members.ts";
import type { PlaceDocument } from "./place-document.ts";
import { toFullMembers, toLinkMembers, toPlaceMembers, type PlaceContext } from "./place-members.ts";
import { toPlusCode } from "./plus-code.ts";

/** `place_result`: these members and no others, but for what `include=` adds. */
export const placeDetailSchema = v.strictObject({
  ...placeMembers,
  ...fullMembers,
  ...linkMembers,
  ...detailMembers,
});

export type PlaceDetail = v.InferOutput<typeof placeDetailSchema> & IncludedMembers;

export interface PlaceDetailContext extends PlaceContext {
  /** What the search link looks around; the place itself when the caller gave no point. */
  readonly searchCentre?: Coordinates;
}

/** A place as `place_result`. */
export function toPlaceDetail(place: PlaceDocument, context: PlaceDetailContext): PlaceDetail {
  const { now, language, links, included = {}, searchCentre = place.location } = context;
  return {
    ...toPlaceMembers(place, context),
    ...toFullMembers(place, language),
    ...toLinkMembers(place, { links, operation: "place", searchCentre }),
    description: place.description,
    global_plus_code: toPlusCode(place.location),
    popular_times: place.popular_times.map((hours, dayIndex) => ({
      day: dayName(dayIndex, language),
      hours: hours.map((busyHour) => toPopularHour(busyHour, language)),
    })),
    review_list: place.review_list.map(toReview),
    photos: place.photos.map((gallery) => toGallery(gallery, language)),
    ...toIncludedMembers(place, now, included),
  };
}

type PopularHour = PlaceDetail["popular_times"][number]["hours"][number];
type Review = PlaceDetail["review_list"][number];
type Gallery = PlaceDetail["photos"][number];
type Media = Gallery["media"][number];

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

const toMedia = ({ id, url, width, height }: Media): Media => ({ id, url, width, height });
