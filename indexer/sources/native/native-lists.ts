import type { PlaceDocument } from "../../../src/place/place-document.ts";
import { parseDay } from "./native-hours.ts";
import { asText, asWholeNumber, readMember, readObjects, type Members } from "./members.ts";

type BusyHour = PlaceDocument["popular_times"][number][number];
type Review = PlaceDocument["review_list"][number];
type Media = Review["photos"][number];

const DAYS_PER_WEEK = 7;

/** Seven lists, Monday first, or none when the record has none. Labels and statuses are the API's and not read. */
export function readPopularTimes(record: Members): PlaceDocument["popular_times"] {
  const days = readObjects(record, "popular_times", (element) => ({
    index: parseDay(readMember(element, "day", asText) ?? ""),
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

const readBusyHour = (element: Members): BusyHour | undefined => {
  const hour = readMember(element, "hour", asHour);
  const percent = readMember(element, "occupancy_percent", asPercent);
  return hour === undefined || percent === undefined ? undefined : { hour, occupancy_percent: percent };
};

/** In the order of the day, one value an hour. */
function sortHours(hours: readonly BusyHour[]): BusyHour[] {
  const isSorted = hours.every(({ hour }, index) => index === 0 || hour > (hours[index - 1]?.hour ?? 0));
  if (isSorted) return [...hours];
  const byHour = new Map(hours.map((hour) => [hour.hour, hour]));
  return [...byHour.values()].toSorted((a, b) => a.hour - b.hour);
}

/** The reviews with a rating from 1 to 5; one without says nothing that could be shown. */
export function readReviews(record: Members): Review[] {
  return readObjects(record, "review_list", (review) => {
    const rating = readMember(review, "rating", asReviewRating);
    return rating === undefined
      ? undefined
      : {
          review_id: readMember(review, "review_id", asText) ?? "",
          author_name: readMember(review, "author_name", asText) ?? "",
          author_profile_pic: readMember(review, "author_profile_pic", asWebAddress) ?? "",
          rating,
          text: readMember(review, "text", asText) ?? "",
          photos: readObjects(review, "photos", readMedia),
        };
  });
}

/** The galleries that hold at least one picture. */
export function readPhotos(record: Members): PlaceDocument["photos"] {
  const galleries = readObjects(record, "photos", (gallery) => ({
    category_id: readMember(gallery, "category_id", asText) ?? "",
    category_label: readMember(gallery, "category_label", asText) ?? "",
    media: readObjects(gallery, "media", readMedia),
  }));
  return galleries.filter(({ media }) => media.length > 0);
}

const asReviewRating = asWholeNumber(1, 5);
const asPixels = asWholeNumber(0, 1_000_000);

/** Callers put these addresses into their pages: nothing but the web's own schemes passes. */
const asWebAddress = (value: unknown): string | undefined =>
  value === "" || (typeof value === "string" && /^https?:\/\//i.test(value)) ? value : undefined;

const readMedia = (media: Members): Media | undefined => {
  const url = readMember(media, "url", asWebAddress);
  if (!url) return undefined;
  return {
    id: readMember(media, "id", asText) ?? "",
    url,
    width: readMember(media, "width", asPixels) ?? 0,
    height: readMember(media, "height", asPixels) ?? 0,
  };
};
