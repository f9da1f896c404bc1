import {
  asObject,
  asList,
  asText,
  noteUnknownFields,
  readElements,
  readField,
  readFirst,
  readObjects,
  toCountryCode,
  type RecordFields,
} from "../record-fields.ts";
import {
  type GoogleRecord,
  asLooseCount,
  asLooseNumber,
  isTrue,
  readReview,
  textsOf,
  toBusyHour,
  toDayTexts,
  type TitledPicture,
  type BusyHour,
} from "./google-draft.ts";
import { createCsvReader, createListReader, createValuesReader } from "../readers.ts";
import {
  createGoogleMapper,
  createRowMapper,
  describeMissingColumns,
  parseJsonCells,
} from "./google-reader.ts";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { includeParts } from "../../clean/address.ts";
import type { Attribute } from "./attributes.ts";

const REQUIRED_COLUMNS = ["title", "latitude", "longitude"];

/** One of these must identify the place. */
const ID_COLUMNS = ["data_id", "place_id", "cid", "link"];

/** Describes the required columns that a header lacks; `undefined` for a valid header. */
export const problemOfGosomHeader = (columns: readonly string[]): string | undefined =>
  describeMissingColumns("gosom/google-maps-scraper", columns, {
    required: REQUIRED_COLUMNS,
    ids: ID_COLUMNS,
  });

/** The columns with JSON that are read. `menu`, `owner` and others contain JSON too, but are not used. */
const JSON_COLUMNS: ReadonlySet<string> = new Set(
  "open_hours popular_times images complete_address about user_reviews user_reviews_extended".split(" "),
);

/** All fields of gosom/google-maps-scraper: of its CSV and its JSON, in older and newer versions. */
const KNOWN_FIELDS = new Set(
  [
    "input_id link title category categories address open_hours popular_times website web_site phone plus_code",
    "review_count review_rating reviews_per_rating latitude longitude longtitude cid status description descriptions",
    "reviews_link thumbnail timezone price_range data_id street_view_url place_id images reservations order_online menu",
    "owner complete_address credit_cards_accepted about user_reviews user_reviews_extended emails",
  ].flatMap((names) => names.split(" ")),
);

/**
 * Converts one record of gosom/google-maps-scraper, from JSON or from a CSV row with parsed nested columns.
 */
function toGosomRecord(record: RecordFields): GoogleRecord {
  noteUnknownFields(record, KNOWN_FIELDS);
  const text = textsOf(record);
  return {
    ids: { dataId: text("data_id"), cid: text("cid"), placeId: text("place_id"), link: text("link") },
    title: readField(record, "title", asText),
    latitude: readField(record, "latitude", asLooseNumber),
    // The scraper's JSON has always had this spelling.
    longitude: readFirst(record, ["longitude", "longtitude"], asLooseNumber),
    categories: [text("category"), ...readElements(record, "categories", asText)],
    rating: readField(record, "review_rating", asLooseNumber) ?? 0,
    reviews: readField(record, "review_count", asLooseCount) ?? 0,
    price: text("price_range"),
    contacts: { phone: text("phone"), website: text("website", "web_site") },
    ...readAddress(record, text("address")),
    timezone: text("timezone"),
    state: text("status"),
    hours: toDayTexts(readField(record, "open_hours", asObject) ?? {}),
    attributes: readAttributes(record),
    description: text("description", "descriptions"),
    busyHours: readBusyHours(record),
    reviewList: readReviews(record),
    pictures: readPictures(record, text("thumbnail")),
  };
}

const VIETNAM = /^(?:vn|vi[eệ]t ?nam|)$/iu;

/**
 * Reads the address. `country` is a code. In Vietnam `state` is the province, `city` usually the district
 * and `borough` the ward. Without a `state`, `city` is the province and `borough` the ward with its district
 * ("Phường 2, Tân Bình"). Elsewhere `city` is a city.
 */
function readAddress(record: RecordFields, full: string): Pick<GoogleRecord, "address" | "countryCode"> {
  const values = readField(record, "complete_address", asObject) ?? {};
  const parts: RecordFields = { values, path: "complete_address.", note: record.note };
  const text = textsOf(parts);
  const part = (name: string): string => text(name).trim();
  const country = part("country");
  const countryCode = toCountryCode(country);
  const isProvince = VIETNAM.test(country) && part("state") !== "";
  const [city, cityOfProvince] = isProvince
    ? [part("state"), part("city")]
    : [part("city") || part("state"), ""];
  const [borough = "", ...around] = part("borough")
    .split(",")
    .map((name) => name.trim());
  const district = cityOfProvince || around.join(", ");
  const ward = borough || district;
  const street = part("street");
  return {
    address: {
      full: includeParts(full, { street, ward: borough, district, city }),
      street,
      ward: ward === city ? "" : ward,
      city,
      country: countryCode === "" ? country : "",
    },
    countryCode,
  };
}

/** `[{"id": "service_options", "name": …, "options": [{"name": "Takeout", "enabled": true}]}]` */
function readAttributes(record: RecordFields): Attribute[] {
  const sections = readObjects(record, "about", (section) => {
    const id = readFirst(section, ["id", "name"], asText) ?? "";
    const options = readField(section, "options", asList) ?? [];
    return options.flatMap((option) => toAttribute(id, asObject(option)));
  });
  return sections.flat();
}

function toAttribute(section: string, option: Record<string, unknown> | undefined): Attribute[] {
  const name = option?.["name"];
  return typeof name === "string" && isTrue(option?.["enabled"]) ? [{ section, name }] : [];
}

/** `{"Monday": {"6": 12, "7": 40}}` */
function readBusyHours(record: RecordFields): BusyHour[] {
  const days = Object.entries(readField(record, "popular_times", asObject) ?? {});
  return days.flatMap(([day, hours]) =>
    Object.entries(asObject(hours) ?? {}).map(([hour, percent]) => toBusyHour(day, hour, percent)),
  );
}

/** Collects the reviews on the page and those fetched separately, each once. */
function readReviews(record: RecordFields): PlaceDocument["review_list"] {
  const reviews = ["user_reviews", "user_reviews_extended"].flatMap((name) =>
    readObjects(record, name, (review) => readReview(review, REVIEW_FIELDS)),
  );
  const byAuthor = new Map(
    reviews.map((review) => [review.review_id || `${review.author_name}\0${review.text}`, review]),
  );
  return [...byAuthor.values()];
}

const REVIEW_FIELDS = {
  rating: ["Rating"],
  id: "review_id",
  author: "Name",
  picture: "ProfilePicture",
  text: "Description",
  photos: "Images",
};

/** `[{"title": "All", "image": "https://…"}]`. Without any, the thumbnail from the list of results. */
function readPictures(record: RecordFields, thumbnail: string): TitledPicture[] {
  const pictures = readObjects(record, "images", (picture) => {
    const url = readFirst(picture, ["image", "url", "thumbnail"], asText);
    return url === undefined ? undefined : { title: readFirst(picture, ["title"], asText) ?? "", url };
  });
  return pictures.length === 0 && thumbnail !== "" ? [{ title: "", url: thumbnail }] : pictures;
}

const createMapper = createGoogleMapper(toGosomRecord);

/** Reads the JSON list that gosom/google-maps-scraper writes. */
export const readGosomList = createListReader(createMapper);

/** Reads the same with one record after the other. */
export const readGosomLines = createValuesReader(createMapper);

/** Reads the CSV, whose nested columns contain JSON. */
export const readGosomCsv = createCsvReader(
  createRowMapper(toGosomRecord, (cells, note) => parseJsonCells(cells, JSON_COLUMNS, note)),
  problemOfGosomHeader,
);
