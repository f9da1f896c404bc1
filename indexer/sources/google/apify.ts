import { includeParts } from "../../clean/address.ts";
import type { DayTexts } from "../../clean/day-text.ts";
import {
  asObject,
  asList,
  asText,
  readElements,
  readField,
  readObject,
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
  type BusyHour,
  type GoogleRecord,
  type TitledPicture,
} from "./google-draft.ts";
import { createCsvReader, createListReader, createValuesReader } from "../readers.ts";
import { createGoogleMapper, createRowMapper, describeMissingColumns } from "./google-reader.ts";

/** Converts one place of Apify's compass/crawler-google-places. */
function toApifyRecord(record: RecordFields): GoogleRecord {
  const text = textsOf(record);
  const point = readObject(record, "location");
  const [street, ward, city] = [text("street"), text("neighborhood"), text("city")];
  return {
    ids: { dataId: text("fid"), cid: text("cid"), placeId: text("placeId"), link: text("url") },
    title: readField(record, "title", asText),
    latitude: readField(point, "lat", asLooseNumber),
    longitude: readField(point, "lng", asLooseNumber),
    categories: [text("categoryName"), ...readElements(record, "categories", asText)],
    rating: readField(record, "totalScore", asLooseNumber) ?? 0,
    reviews: readField(record, "reviewsCount", asLooseCount) ?? 0,
    price: text("price"),
    contacts: { phone: text("phone", "phoneUnformatted"), website: text("website") },
    address: {
      full: includeParts(text("address"), { street, ward, city }),
      street,
      // Where Google knows no neighbourhood, Apify repeats the street.
      ward: ward === city || ward === street ? "" : ward,
      city: city || text("state"),
      country: "",
    },
    timezone: "",
    countryCode: toCountryCode(text("countryCode")),
    state: stateOf(record),
    hours: readHours(record),
    attributes: readAttributes(record),
    description: text("description"),
    busyHours: readBusyHours(record),
    reviewList: readObjects(record, "reviews", (review) => readReview(review, REVIEW_FIELDS)),
    pictures: readPictures(record, text("imageUrl")),
  };
}

function stateOf({ values }: RecordFields): string {
  if (isTrue(values["permanentlyClosed"])) return "Permanently closed";
  return isTrue(values["temporarilyClosed"]) ? "Temporarily closed" : "";
}

/** `[{"day": "Monday", "hours": "8 AM to 5 PM"}]` */
const readHours = (record: RecordFields): DayTexts[] =>
  readObjects(record, "openingHours", (day) => ({
    day: readField(day, "day", asText) ?? "",
    texts: [readField(day, "hours", asText) ?? ""],
  }));

/** `{"Service options": [{"Delivery": true}, {"Takeout": false}]}` */
function readAttributes(record: RecordFields): Attribute[] {
  const sections = Object.entries(readField(record, "additionalInfo", asObject) ?? {});
  return sections.flatMap(([section, options]) =>
    (asList(options) ?? [])
      .flatMap((option) => Object.entries(asObject(option) ?? {}))
      .filter(([, value]) => isTrue(value))
      .map(([name]) => ({ section, name })),
  );
}

/** The histogram's names of the days. Some of them mean another day in Vietnamese. */
const DAYS: Readonly<Record<string, string>> = {
  Mo: "Monday",
  Tu: "Tuesday",
  We: "Wednesday",
  Th: "Thursday",
  Fr: "Friday",
  Sa: "Saturday",
  Su: "Sunday",
};

/** `{"Mo": [{"hour": 6, "occupancyPercent": 12}]}` */
function readBusyHours(record: RecordFields): BusyHour[] {
  const days = Object.entries(readField(record, "popularTimesHistogram", asObject) ?? {});
  return days.flatMap(([day, hours]) =>
    (asList(hours) ?? []).map((hour) => {
      const { hour: time, occupancyPercent: percent } = asObject(hour) ?? {};
      return toBusyHour(DAYS[day] ?? day, time, percent);
    }),
  );
}

const REVIEW_FIELDS = {
  rating: ["stars", "rating"],
  id: "reviewId",
  author: "name",
  picture: "reviewerPhotoUrl",
  text: "text",
  photos: "reviewImageUrls",
};

/** All pictures of the place, else the one from the list of results. */
function readPictures(record: RecordFields, first: string): TitledPicture[] {
  const detailed = readObjects(record, "images", (image) => readField(image, "imageUrl", asText));
  const urls = [...readElements(record, "imageUrls", asText), ...detailed];
  return (urls.length === 0 && first !== "" ? [first] : urls).map((url) => ({ title: "", url }));
}

/** Describes the required columns that a header lacks; `undefined` for a valid header. */
export const problemOfApifyHeader = (columns: readonly string[]): string | undefined =>
  describeMissingColumns("Apify's Google Maps Scraper", columns, {
    required: ["title", "location/lat", "location/lng"],
    ids: ["placeId", "fid", "cid", "url"],
  });

/** `reviews/0/reviewImageUrls/0` is the deepest that is read. */
const MAX_DEPTH = 4;

/** Fields by name, without a prototype, since names come from the file. */
type Fields = Record<string, unknown>;
const createFields = (): Fields => ({ __proto__: null }) as unknown as Fields;

/**
 * Puts the columns of a table together as they are in JSON: `location/lat`, `categories/0`,
 * `openingHours/0/day`.
 */
function toFields(cells: ReadonlyMap<string, string>): Fields {
  const fields = createFields();
  for (const [column, cell] of cells) {
    const names = column.split("/");
    if (names.length > MAX_DEPTH) continue;
    const last = names.pop() ?? "";
    const parent = names.reduce<Fields | undefined>(
      (outer, name) => outer && asObject((outer[name] ??= createFields())),
      fields,
    );
    if (parent) parent[last] = cell;
  }
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, withLists(value)]));
}

/** Makes lists of the objects whose fields are numbers. */
function withLists(value: unknown): unknown {
  const fields = asObject(value);
  if (!fields) return value;
  const entries = Object.entries(fields).map(([name, inner]) => [name, withLists(inner)] as const);
  return entries.every(([name]) => /^\d+$/.test(name))
    ? entries.map(([, inner]) => inner)
    : Object.fromEntries(entries);
}

const createMapper = createGoogleMapper(toApifyRecord);

/** Reads the JSON list of a dataset. */
export const readApifyList = createListReader(createMapper);

/** Reads places one after the other, as the JSON lines of a dataset. */
export const readApifyLines = createValuesReader(createMapper);

/** Reads the CSV of a dataset. */
export const readApifyCsv = createCsvReader(createRowMapper(toApifyRecord, toFields), problemOfApifyHeader);
