import { includeParts } from "../../clean/address.ts";
import type { DayTexts } from "../../clean/day-text.ts";
import { formatClock } from "../../../src/place/time/opening-hours.ts";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import {
  DAYS_PER_WEEK,
  MINUTES_PER_DAY,
  MINUTES_PER_HOUR,
  MINUTES_PER_WEEK,
} from "../../../src/place/time/time-units.ts";
import {
  asObject,
  asText,
  asWholeNumber,
  readElements,
  readField,
  readObject,
  readObjects,
  type ReadValue,
  type RecordFields,
} from "../record-fields.ts";
import type { Attribute } from "./attributes.ts";
import {
  asLooseCount,
  asLooseNumber,
  asLooseText,
  textsOf,
  toMedia,
  type GoogleRecord,
} from "./google-draft.ts";
import { TOP_LIST } from "../json.ts";
import { createListReader, createValuesReader } from "../readers.ts";
import { createGoogleMapper } from "./google-reader.ts";

/** `places` of a search, or a single place. A search without results is an empty object. */
function placesOf(answer: unknown): unknown[] {
  const values = asObject(answer);
  if (values && Array.isArray(values["places"])) return values["places"] as unknown[];
  return values && Object.keys(values).length === 0 ? [] : [answer];
}

/** Converts a `Place` of the Google Places API (New). */
function toPlacesRecord(record: RecordFields): GoogleRecord {
  const text = textsOf(record);
  const point = readObject(record, "location");
  const address = readAddress(record);
  for (let count = readObjects(record, "photos", () => true).length; count > 0; count -= 1)
    record.note("photos[]", "only Google can show it, dropped");
  return {
    ids: {
      dataId: "",
      cid: CID_IN_LINK.exec(text("googleMapsUri"))?.[1] ?? "",
      placeId: text("id") || text("name").replace(/^places\//, ""),
      // The only field that contains Google's own data id: `…!1s0x31752f38f9d2c1e7:0x8c1f5a0b7e2d9436!…`.
      link: readField(readObject(record, "googleMapsLinks"), "directionsUri", asText) ?? "",
    },
    title: readText(record, "displayName"),
    latitude: readField(point, "latitude", asLooseNumber),
    longitude: readField(point, "longitude", asLooseNumber),
    categories: [text("primaryType"), ...readElements(record, "types", asText)],
    rating: readField(record, "rating", asLooseNumber) ?? 0,
    reviews: readField(record, "userRatingCount", asLooseCount) ?? 0,
    price: readPrice(record),
    contacts: {
      phone: text("internationalPhoneNumber", "nationalPhoneNumber"),
      website: text("websiteUri"),
    },
    ...address,
    timezone: readField(readObject(record, "timeZone"), "id", asText) ?? "",
    // "CLOSED_PERMANENTLY" is read as words.
    state: text("businessStatus"),
    hours: readHours(readObject(record, "regularOpeningHours")),
    attributes: readAttributes(record),
    description: readText(record, "editorialSummary") ?? "",
    busyHours: [],
    reviewList: readReviews(record),
    pictures: [],
  };
}

/** `https://maps.google.com/?cid=10281119596374313554` */
const CID_IN_LINK = /[?&]cid=(\d{1,20})(?!\d)/;

/** `{"text": "…", "languageCode": "vi"}` */
const readText = (record: RecordFields, name: string): string | undefined =>
  readField(readObject(record, name), "text", asText);

/** The signs that Google shows for its levels. */
const LEVELS: Readonly<Record<string, string>> = {
  PRICE_LEVEL_INEXPENSIVE: "$",
  PRICE_LEVEL_MODERATE: "$$",
  PRICE_LEVEL_EXPENSIVE: "$$$",
  PRICE_LEVEL_VERY_EXPENSIVE: "$$$$",
};

const asLevel: ReadValue<string> = (value) =>
  typeof value === "string" && Object.hasOwn(LEVELS, value) ? LEVELS[value] : undefined;

/** Places without a price, and public ones, have a level that says nothing. */
const NO_LEVELS: ReadonlySet<unknown> = new Set(["PRICE_LEVEL_UNSPECIFIED", "PRICE_LEVEL_FREE"]);

/** `priceRange` has amounts, which say more than the level. */
function readPrice(record: RecordFields): string {
  const range = readObject(record, "priceRange");
  const [low, high] = ["startPrice", "endPrice"].map((name) => readObject(range, name));
  const units = (price: RecordFields | undefined): string =>
    (price && readField(price, "units", asLooseText)) ?? "";
  const currency = (low && readField(low, "currencyCode", asText)) ?? "";
  const amounts = [units(low), units(high)].filter((amount) => amount !== "");
  if (amounts.length > 0) return `${amounts.join("–")} ${currency}`;
  return NO_LEVELS.has(record.values["priceLevel"]) ? "" : (readField(record, "priceLevel", asLevel) ?? "");
}

interface Component {
  readonly long: string;
  readonly short: string;
  readonly types: readonly string[];
}

/**
 * Reads `addressComponents`, of which each has several types. In Vietnam the first level is the province and
 * the second the district; elsewhere a place is in a locality.
 */
function readAddress(record: RecordFields): Pick<GoogleRecord, "address" | "countryCode"> {
  const components = readObjects(record, "addressComponents", (component): Component => ({
    long: readField(component, "longText", asText) ?? "",
    short: readField(component, "shortText", asText) ?? "",
    types: readElements(component, "types", asText),
  }));
  const find = (type: string): Component | undefined => components.find(({ types }) => types.includes(type));
  const first = (...types: string[]): string =>
    types.map((type) => find(type)?.long ?? "").find((name) => name !== "") ?? "";
  const countryCode = find("country")?.short ?? "";
  const isVietnam = countryCode === "VN";
  const city = isVietnam
    ? first("administrative_area_level_1", "locality")
    : first("locality", "postal_town", "administrative_area_level_1");
  const district = isVietnam ? first("administrative_area_level_2") : "";
  const wards = [
    "sublocality_level_1",
    "administrative_area_level_3",
    "sublocality",
    "neighborhood",
    "locality",
  ];
  const ward = wards.map((type) => first(type)).find((name) => ![city, district, ""].includes(name)) ?? "";
  const street = [first("street_number"), first("route")].filter((part) => part !== "").join(" ");
  const full = readField(record, "formattedAddress", asText) ?? "";
  return {
    address: {
      full: components.length === 0 ? full : includeParts(full, { street, ward, district, city }),
      street,
      ward: ward || (district === city ? "" : district),
      city,
      country: first("country"),
    },
    countryCode,
  };
}

/** Sunday is Google's first day of the week. */
const DAY_NAMES = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** The minute of the week at which a place opens or closes. */
function readMinute(point: RecordFields): number | undefined {
  const day = readField(point, "day", asWholeNumber(0, DAYS_PER_WEEK - 1));
  const hour = readField(point, "hour", asWholeNumber(0, 24)) ?? 0;
  const minute = readField(point, "minute", asWholeNumber(0, MINUTES_PER_HOUR - 1)) ?? 0;
  return day === undefined ? undefined : day * MINUTES_PER_DAY + hour * MINUTES_PER_HOUR + minute;
}

/** `periods`; without any, the texts that Google shows ("Monday: 9:00 AM – 5:00 PM"). */
function readHours(hours: RecordFields): DayTexts[] {
  const periods = readObjects(hours, "periods", (period) => {
    const opens = readMinute(readObject(period, "open"));
    if (opens === undefined) return undefined;
    // Without an end it is always open.
    const closes = period.values["close"]
      ? readMinute(readObject(period, "close"))
      : opens + MINUTES_PER_WEEK;
    return closes === undefined
      ? undefined
      : toDays(opens, closes > opens ? closes : closes + MINUTES_PER_WEEK);
  });
  if (periods.length > 0) return periods.flat();
  return readElements(hours, "weekdayDescriptions", asText).map((text) => {
    const [day = "", ...texts] = text.split(/[:：]/u);
    return { day, texts: [texts.join(":").trim()] };
  });
}

/** Splits a period at the end of each whole day that it covers. */
function toDays(opens: number, closes: number): DayTexts[] {
  const days: DayTexts[] = [];
  for (let from = opens; from < closes;) {
    const midnight = (Math.floor(from / MINUTES_PER_DAY) + 1) * MINUTES_PER_DAY;
    const to = closes - from <= MINUTES_PER_DAY ? closes : midnight;
    const day = DAY_NAMES[Math.floor(from / MINUTES_PER_DAY) % DAYS_PER_WEEK] ?? "";
    const opening = formatClock(from % MINUTES_PER_DAY);
    days.push({ day, texts: [`${opening}–${formatClock(to - midnight + MINUTES_PER_DAY)}`] });
    from = to;
  }
  return days;
}

/** The objects with flags, besides the place itself. */
const SECTIONS = ["paymentOptions", "parkingOptions", "accessibilityOptions"];

/** Flags are fields: `"servesBeer": true` is read as "serves beer". */
function readAttributes(record: RecordFields): Attribute[] {
  const objects = [record, ...SECTIONS.map((name) => readObject(record, name))];
  return objects.flatMap(({ values }) =>
    Object.entries(values)
      .filter(([name, value]) => value === true && !NO_ATTRIBUTES.has(name))
      .map(([name]) => ({ section: "", name: name.replaceAll(/(?=[A-Z])/g, " ") })),
  );
}

/** Flags that say nothing about what a place offers. */
const NO_ATTRIBUTES: ReadonlySet<string> = new Set(["pureServiceAreaBusiness", "movedPlace"]);

function readReviews(record: RecordFields): PlaceDocument["review_list"] {
  return readObjects(record, "reviews", (review) => {
    const rating = Math.round(readField(review, "rating", asLooseNumber) ?? 0);
    if (rating < 1 || rating > 5) return undefined;
    const author = readObject(review, "authorAttribution");
    return {
      review_id: (readField(review, "name", asText) ?? "").split("/reviews/").at(-1) ?? "",
      author_name: readField(author, "displayName", asText) ?? "",
      author_profile_pic: toMedia(readField(author, "photoUri", asText) ?? "")?.url ?? "",
      rating,
      text: readText(review, "originalText") ?? readText(review, "text") ?? "",
      photos: [],
    };
  });
}

const createMapper = createGoogleMapper(toPlacesRecord);

/** Reads a list of responses of the Google Places API (New), or of the places in them. */
export const readPlacesApiList = createListReader(createMapper, TOP_LIST, placesOf);

/** Reads responses of the Google Places API (New), or places of them, one after the other. */
export const readPlacesApi = createValuesReader(createMapper, placesOf);
