import { includeParts } from "../../clean/address.ts";
import { splitParts } from "../../clean/strings.ts";
import type { DayTexts } from "../../clean/day-text.ts";
import {
  asObject,
  asList,
  asText,
  readField,
  readFirst,
  readObjects,
  toCountryCode,
  type RecordFields,
} from "../record-fields.ts";
import type { Attribute } from "./attributes.ts";
import {
  asLooseCount,
  asLooseNumber,
  isTrue,
  readReview,
  textsOf,
  toBusyHour,
  toDayTexts,
  type BusyHour,
  type GoogleRecord,
} from "./google-draft.ts";
import { TOP_LIST } from "../json.ts";
import { createCsvReader, createListReader, createValuesReader } from "../readers.ts";
import {
  createGoogleMapper,
  createRowMapper,
  describeMissingColumns,
  parseJsonCells,
} from "./google-reader.ts";

/** A response has `data`: a list of places, or one such list for each query. */
function placesOf(answer: unknown): unknown[] {
  const data = Array.isArray(answer) ? (answer as unknown[]) : asObject(answer)?.["data"];
  return Array.isArray(data) ? (data as unknown[]).flat() : [answer];
}

/** Converts one place of Outscraper, with the names of fields in older and newer exports. */
function toOutscraperRecord(record: RecordFields): GoogleRecord {
  const text = textsOf(record);
  return {
    ids: {
      dataId: text("google_id"),
      cid: text("cid"),
      placeId: text("place_id"),
      link: text("location_link"),
    },
    title: readFirst(record, ["name", "title"], asText),
    latitude: readField(record, "latitude", asLooseNumber),
    longitude: readField(record, "longitude", asLooseNumber),
    categories: [text("type", "category").trim(), ...splitParts(text("subtypes"), ",")],
    rating: readFirst(record, ["rating"], asLooseNumber) ?? 0,
    reviews: readFirst(record, ["reviews"], asLooseCount) ?? 0,
    price: text("range", "prices"),
    contacts: { phone: text("phone"), website: text("site", "website") },
    ...readAddress(record),
    timezone: text("time_zone"),
    // "CLOSED_PERMANENTLY" is read as words.
    state: text("business_status"),
    hours: readHours(record),
    attributes: readAttributes(record),
    description: text("description"),
    busyHours: readBusyHours(record),
    reviewList: readObjects(record, "reviews_data", (review) => readReview(review, REVIEW_FIELDS)),
    pictures: [text("photo")].filter((url) => url !== "").map((url) => ({ title: "", url })),
  };
}

/** In Vietnam `state` is the province and `city` usually the district. */
function readAddress(record: RecordFields): Pick<GoogleRecord, "address" | "countryCode"> {
  const readText = textsOf(record);
  const text = (...names: string[]): string => readText(...names).trim();
  const code = text("country_code");
  const [street, borough] = [text("street"), text("borough")];
  const isProvince = code.toUpperCase() === "VN" && text("state") !== "";
  const city = isProvince ? text("state") : text("city", "state");
  const district = isProvince ? text("city") : "";
  const ward = borough || district;
  return {
    address: {
      full: includeParts(text("full_address", "address"), { street, ward: borough, district, city }),
      street,
      ward: ward === city ? "" : ward,
      city,
      country: text("country"),
    },
    countryCode: toCountryCode(code),
  };
}

/** `{"Monday": "9AM-5PM"}`, newer `{"Monday": ["9AM-5PM"]}`; in the old form `Monday:9AM-5PM|Tuesday:…`. */
function readHours(record: RecordFields): DayTexts[] {
  const value = record.values["working_hours"];
  const days = asObject(value);
  if (days) return toDayTexts(days);
  const old = readFirst(record, ["working_hours_old_format"], asText) ?? asText(value) ?? "";
  return old.split("|").flatMap((part) => {
    const [day = "", ...rest] = part.split(":");
    return rest.length === 0 ? [] : [{ day: day.trim(), texts: [rest.join(":")] }];
  });
}

/** `{"Service options": {"Delivery": true, "Takeout": false}}` */
function readAttributes(record: RecordFields): Attribute[] {
  const sections = Object.entries(readField(record, "about", asObject) ?? {});
  return sections.flatMap(([section, options]) =>
    Object.entries(asObject(options) ?? {})
      .filter(([, value]) => isTrue(value))
      .map(([name]) => ({ section, name })),
  );
}

/** Days are numbered from 1, Monday. */
const DAY_NAMES = [undefined, "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/**
 * `[{"day": 1, "day_text": "Monday", "popular_times": [{"hour": 6, "percentage": 12}]}]`, and one element about
 * now (`"day": "live"`). Older exports have no `day_text`.
 */
function readBusyHours(record: RecordFields): BusyHour[] {
  const days = readObjects(record, "popular_times", (day) => ({
    name: readField(day, "day_text", asText) ?? DAY_NAMES[Number(day.values["day"])],
    hours: (readField(day, "popular_times", asList) ?? []).map((hour) => asObject(hour) ?? {}),
  }));
  return days.flatMap(({ name: day, hours }) =>
    day === undefined ? [] : hours.map(({ hour, percentage }) => toBusyHour(day, hour, percentage)),
  );
}

const REVIEW_FIELDS = {
  rating: ["review_rating"],
  id: "review_id",
  author: "author_title",
  picture: "author_image",
  text: "review_text",
  photos: "review_img_urls",
};

/** Describes the required columns that a header lacks; `undefined` for a valid header. */
export const problemOfOutscraperHeader = (columns: readonly string[]): string | undefined =>
  describeMissingColumns("Outscraper", columns, {
    required: ["name", "latitude", "longitude"],
    ids: ["google_id", "place_id", "cid", "location_link"],
  });

const JSON_COLUMNS: ReadonlySet<string> = new Set(["about", "popular_times", "reviews_data"]);

/** Hours are JSON or the old form. */
function toFields(cells: ReadonlyMap<string, string>, note: RecordFields["note"]): Record<string, unknown> {
  const hasJsonHours = cells.get("working_hours")?.trimStart().startsWith("{");
  return parseJsonCells(cells, hasJsonHours ? JSON_COLUMNS.union(HOURS_COLUMN) : JSON_COLUMNS, note);
}

const HOURS_COLUMN: ReadonlySet<string> = new Set(["working_hours"]);

const createMapper = createGoogleMapper(toOutscraperRecord);

/** Reads a JSON list of places, or of lists of them. */
export const readOutscraperList = createListReader(createMapper, TOP_LIST, placesOf);

/** Reads responses of Outscraper, or places of them, one after the other. */
export const readOutscraper = createValuesReader(createMapper, placesOf);

/** Reads the CSV, whose nested columns contain JSON. */
export const readOutscraperCsv = createCsvReader(
  createRowMapper(toOutscraperRecord, toFields),
  problemOfOutscraperHeader,
);
