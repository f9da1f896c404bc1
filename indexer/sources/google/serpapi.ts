import {
  asObject,
  asList,
  asText,
  readElements,
  readField,
  readObject,
  readObjects,
  type RecordFields,
} from "../record-fields.ts";
import {
  type GoogleRecord,
  asLooseCount,
  asLooseNumber,
  isTrue,
  textsOf,
  toMedia,
  type TitledPicture,
  type BusyHour,
} from "./google-draft.ts";
import { TOP_LIST } from "../json.ts";
import { createListReader, createValuesReader } from "../readers.ts";
import { createGoogleMapper } from "./google-reader.ts";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import type { DayTexts } from "../../clean/day-text.ts";
import type { Attribute } from "./attributes.ts";

/**
 * `local_results` of a search, or `place_results` of one place. The value may also be a single place taken
 * from a response.
 */
function placesOf(answer: unknown): unknown[] {
  const { local_results: list, place_results: place, search_metadata: metadata } = asObject(answer) ?? {};
  const places = [...(Array.isArray(list) ? (list as unknown[]) : []), ...(asObject(place) ? [place] : [])];
  return places.length > 0 || metadata !== undefined ? places : [answer];
}

/**
 * Converts one place of SerpApi's `google_maps` engine: an element of `local_results`, or `place_results`.
 */
function toSerpapiRecord(record: RecordFields): GoogleRecord {
  const text = textsOf(record);
  const point = readObject(record, "gps_coordinates");
  return {
    ids: { dataId: text("data_id"), cid: text("data_cid"), placeId: text("place_id"), link: "" },
    title: readField(record, "title", asText),
    latitude: readField(point, "latitude", asLooseNumber),
    longitude: readField(point, "longitude", asLooseNumber),
    categories: ["type", "types", "type_id", "type_ids"].flatMap((name) => readTexts(record, name)),
    rating: readField(record, "rating", asLooseNumber) ?? 0,
    reviews: readField(record, "reviews", asLooseCount) ?? 0,
    price: text("price"),
    contacts: { phone: text("phone"), website: text("website") },
    address: { full: readTexts(record, "address").join(", "), street: "", ward: "", city: "", country: "" },
    timezone: "",
    countryCode: "",
    state: isTrue(record.values["permanently_closed"]) ? "Permanently closed" : text("open_state"),
    hours: readHours(record),
    attributes: readAttributes(record),
    description: readDescription(record),
    busyHours: readBusyHours(record),
    reviewList: readReviews(readObject(record, "user_reviews")),
    pictures: readPictures(record, text("thumbnail")),
  };
}

/** A text or a list of texts: `local_results` and `place_results` differ in the form of `type`. */
function readTexts(record: RecordFields, name: string): string[] {
  const value = record.values[name];
  if (typeof value === "string") return value === "" ? [] : [value];
  return readElements(record, name, asText);
}

/** A text, or in some responses `{"snippet": …}`. */
function readDescription(record: RecordFields): string {
  const value = record.values["description"];
  const snippet = asObject(value)?.["snippet"] ?? value;
  return typeof snippet === "string" ? snippet : "";
}

/**
 * `operating_hours: {"monday": "5am–5:30pm"}` in a list, `hours: [{"monday": "5am–5:30pm"}]` for a single
 * place.
 */
function readHours(record: RecordFields): DayTexts[] {
  const hours = record.values["operating_hours"] ?? record.values["hours"];
  // In a list, `hours` is the current state: "Open ⋅ Closes 10 PM".
  if (typeof hours === "string") return [];
  const days = Array.isArray(hours) ? (hours as unknown[]) : [hours];
  return days
    .flatMap((day) => Object.entries(asObject(day) ?? {}))
    .flatMap(([day, text]) => (typeof text === "string" ? [{ day, texts: [text] }] : []));
}

/** `extensions: [{"service_options": ["Takeout"]}]`, and `service_options: {"dine_in": true}` in a list. */
function readAttributes(record: RecordFields): Attribute[] {
  const extensions = (readField(record, "extensions", asList) ?? [])
    .flatMap((section) => Object.entries(asObject(section) ?? {}))
    .flatMap(([section, names]) =>
      (Array.isArray(names) ? (names as unknown[]) : []).map((name) => ({ section, name })),
    );
  const options = Object.entries(readField(record, "service_options", asObject) ?? {})
    .filter(([, value]) => isTrue(value))
    .map(([name]) => ({ section: "service_options", name }));
  return [...extensions, ...options].filter((found): found is Attribute => typeof found.name === "string");
}

/** `popular_times: {"graph_results": {"monday": [{"time": "10 AM", "busyness_score": 41}]}}` */
function readBusyHours(record: RecordFields): BusyHour[] {
  const graphs = readField(readObject(record, "popular_times"), "graph_results", asObject) ?? {};
  return Object.entries(graphs).flatMap(([day, hours]) =>
    (Array.isArray(hours) ? (hours as unknown[]) : []).flatMap((hour) => {
      const { time, busyness_score: score } = asObject(hour) ?? {};
      // Hours at which the place is closed have no score.
      if (score === undefined || score === null) return [];
      return { day, hour: typeof time === "string" ? time : "", percent: asLooseNumber(score) ?? Number.NaN };
    }),
  );
}

/** Leaves out `summary`, which has single sentences without a rating. */
function readReviews(reviews: RecordFields): PlaceDocument["review_list"] {
  return readObjects(reviews, "most_relevant", (review) => {
    const rating = Math.round(readField(review, "rating", asLooseNumber) ?? 0);
    if (rating < 1 || rating > 5) return undefined;
    const text = textsOf(review);
    return {
      review_id: text("review_id"),
      author_name: text("username", "name"),
      author_profile_pic: toMedia(text("thumbnail"))?.url ?? "",
      rating,
      text: text("description", "snippet"),
      photos: readPictures(review, "").flatMap(({ url }) => toMedia(url) ?? []),
    };
  });
}

/** `[{"title": "All", "thumbnail": "https://…"}]`, or a plain list of URLs. */
function readPictures(record: RecordFields, thumbnail: string): TitledPicture[] {
  const pictures = (readField(record, "images", asList) ?? []).flatMap((element) => {
    const { title, thumbnail: small, image = small } = asObject(element) ?? { image: element };
    return typeof image === "string" ? { title: typeof title === "string" ? title : "", url: image } : [];
  });
  return pictures.length === 0 && thumbnail !== "" ? [{ title: "", url: thumbnail }] : pictures;
}

const createMapper = createGoogleMapper(toSerpapiRecord);

/** Reads a list of responses of SerpApi's `google_maps`, or of the places in them. */
export const readSerpapiList = createListReader(createMapper, TOP_LIST, placesOf);

/** Reads original responses of SerpApi's `google_maps`, or the places in them, one after the other. */
export const readSerpapiAnswers = createValuesReader(createMapper, placesOf);
