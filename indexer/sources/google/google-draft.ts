import * as v from "valibot";
import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { parseWeekTexts, type DayTexts } from "../../clean/day-text.ts";
import {
  emptyDraft,
  isRejection,
  type NoteField,
  type PlaceDraft,
  type Rejection,
} from "../../clean/place-draft.ts";
import {
  asList,
  asText,
  readElements,
  readField,
  readFirst,
  type ReadValue,
  type RecordFields,
} from "../record-fields.ts";
import { parsePriceText } from "../../clean/price-text.ts";
import { readTable, textSchema } from "../../../src/place/read-table.ts";
import galleriesTable from "./galleries.json" with { type: "json" };
import { featuresOf, type Attribute } from "./attributes.ts";
import { typeOfCategories } from "./type-of-categories.ts";
import { refineByName } from "../osm/type-of-tags.ts";
import { fold } from "../../../src/place/text/fold.ts";
import { isCoordinates, type Coordinates } from "../../../src/place/geometry/coordinates.ts";
import { buildDataId, parseDataId } from "../../../src/place/document/data-id.ts";
import { leafCell } from "../../clean/location.ts";
import { parseDay } from "../native/native-hours.ts";
import { DAYS_PER_WEEK } from "../../../src/place/time/time-units.ts";

/**
 * A place of Google Maps as a scraper stored it, with the texts that Google shows. Empty texts and lists mean
 * unknown.
 */
export interface GoogleRecord {
  readonly ids: GoogleIds;
  /** `undefined` when the record has none. */
  readonly title: string | undefined;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  /** The main category comes first; empty ones are left out. */
  readonly categories: readonly string[];
  readonly rating: number;
  readonly reviews: number;
  readonly price: string;
  readonly contacts: PlaceDraft["contacts"];
  readonly address: PlaceDraft["location"]["address"];
  readonly timezone: string;
  readonly countryCode: string;
  readonly state: string;
  readonly hours: readonly DayTexts[];
  readonly attributes: readonly Attribute[];
  readonly description: string;
  readonly busyHours: readonly BusyHour[];
  readonly reviewList: PlaceDocument["review_list"];
  readonly pictures: readonly TitledPicture[];
}

/**
 * Converts a record to a draft, or says why it cannot: it has no name, coordinates or id. Unknown values are
 * noted.
 */
export function toGoogleDraft(record: GoogleRecord, note: NoteField): PlaceDraft | Rejection {
  const { title, latitude, longitude } = record;
  if (!title) return { field: "title", reason: "missing or not a string" };
  if (latitude === undefined || longitude === undefined)
    return { field: "location", reason: "latitude or longitude is missing or not a number" };
  const identity = identityOf(record.ids, { latitude, longitude }, note);
  if (isRejection(identity)) return identity;
  return {
    ...emptyDraft(),
    ...identity,
    title,
    type: typeOf(record, note),
    rating: ratingOf(record, note),
    reviews: record.reviews,
    pricing: pricingOf(record, note),
    contacts: record.contacts,
    location: {
      address: withoutTitle(record.address, title),
      latitude,
      longitude,
      timezone: record.timezone,
      country_code: record.countryCode,
    },
    business_status: businessStatusOf(record.state),
    opening_hours: hoursOf(record, note),
    features: featuresOf(record.attributes, note),
    description: record.description,
    popular_times: popularTimesOf(record, note),
    review_list: record.reviewList,
    photos: toGalleries(record.pictures),
  };
}

function typeOf({ categories: named, title = "" }: GoogleRecord, note: NoteField): string {
  const categories = named.filter((name) => name !== "");
  const code = typeOfCategories(categories);
  if (code === undefined && categories[0])
    note(`category: ${categories[0]}`, "no type code for it, read as PLACE");
  return refineByName(code ?? "PLACE", title);
}

function ratingOf({ rating }: GoogleRecord, note: NoteField): number {
  if (rating === 0 || (rating >= 1 && rating <= 5)) return rating;
  note("rating", "not from 1 to 5, dropped");
  return 0;
}

function pricingOf({ price }: GoogleRecord, note: NoteField): PlaceDraft["pricing"] {
  const prices = price.trim() === "" ? undefined : parsePriceText(price);
  if (price.trim() !== "" && prices === undefined) note("price", "not understood, dropped");
  return prices ?? { min: 0, max: 0 };
}

function hoursOf({ hours }: GoogleRecord, note: NoteField): PlaceDraft["opening_hours"] {
  const parsed = parseWeekTexts(hours);
  if ("week" in parsed) return { week: parsed.week, special_days: [] };
  if (parsed.problem !== "unknown") note("opening_hours", parsed.problem);
  return null;
}

function popularTimesOf({ busyHours }: GoogleRecord, note: NoteField): PlaceDraft["popular_times"] {
  const { week, dropped } = toPopularTimes(busyHours);
  if (dropped > 0) note("popular_times", "an hour or day not understood, dropped");
  return week;
}

/** Removes the title from the beginning of the one-line address, where Google's often has it. */
function withoutTitle(
  address: PlaceDraft["location"]["address"],
  title: string,
): PlaceDraft["location"]["address"] {
  const prefix = `${title}, `;
  return address.full.startsWith(prefix) ? { ...address, full: address.full.slice(prefix.length) } : address;
}

type BusinessStatus = PlaceDocument["business_status"];

const WORDS: readonly (readonly [RegExp, BusinessStatus])[] = [
  [/\b(?:permanently closed|closed permanently|dong cua vinh vien|ngung hoat dong)\b/, "closed_permanently"],
  [
    /\b(?:temporarily closed|closed temporarily|tam thoi dong cua|dong cua tam thoi|tam dong cua)\b/,
    "closed_temporarily",
  ],
];

/**
 * Reads the current state from Google: "Permanently closed", "Tạm thời đóng cửa". "Closed ⋅ Opens 7 AM" means
 * in operation.
 */
function businessStatusOf(state: string): BusinessStatus {
  const folded = fold(state);
  return WORDS.find(([words]) => words.test(folded))?.[1] ?? "operational";
}

/** Google's ids of a place. A text is empty when the record lacks it. */
interface GoogleIds {
  /** `0x<cell>:0x<cid>` in hex. */
  readonly dataId: string;
  /** The second half of the data id, in decimal. */
  readonly cid: string;
  /** `ChIJ…` */
  readonly placeId: string;
  /** The URL of the place's page, which contains its data id. */
  readonly link: string;
}

type Identity = Pick<PlaceDraft, "data_id" | "source" | "source_id" | "place_id">;

const SOURCE = "google";

const DATA_ID_IN_LINK = /0x[0-9a-f]{1,16}:0x[0-9a-f]{1,16}/i;

/**
 * The record's data id, or one made of its cid and its point. Both have the cid as their second half, which
 * is the identity of a place. Without either, the place id identifies it.
 */
function identityOf(ids: GoogleIds, point: Coordinates, note: NoteField): Identity | Rejection {
  const dataId = ownDataId(ids, note) || dataIdOfCid(ids.cid, point, note);
  const sourceId = ids.placeId || ids.cid || dataId;
  if (sourceId === "") return { field: "data_id", reason: "missing, and no cid or place_id either" };
  return {
    data_id: dataId,
    source: SOURCE,
    source_id: sourceId,
    ...(ids.placeId && { place_id: ids.placeId }),
  };
}

function ownDataId({ dataId, link }: GoogleIds, note: NoteField): string {
  const own = parseDataId(dataId.trim());
  if (dataId.trim() !== "" && own === undefined)
    note("data_id", "not of the form 0x<hex>:0x<hex>, another id used");
  return own ?? parseDataId(DATA_ID_IN_LINK.exec(link)?.[0] ?? "") ?? "";
}

const MAX_CID = 2n ** 64n - 1n;

function dataIdOfCid(cid: string, point: Coordinates, note: NoteField): string {
  if (cid === "") return "";
  const identity = /^\d{1,20}$/.test(cid) ? BigInt(cid) : 0n;
  if (identity > 0n && identity <= MAX_CID)
    return buildDataId(isCoordinates(point) ? leafCell(point) : 0n, identity);
  note("cid", "not a number of 64 bits, another id used");
  return "";
}

/** A number, or a text that contains one, as in a CSV. */
export const asLooseNumber: ReadValue<number> = (value) => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
};

/** A whole number from 0, also with separated thousands: "1,204". */
export const asLooseCount: ReadValue<number> = (value) => {
  const text = typeof value === "string" ? value.trim().replaceAll(/[.,](?=\d{3}(?!\d))/g, "") : value;
  const number = asLooseNumber(text);
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
};

/**
 * A text, or a number that represents one, since ids are written both ways. Numbers too large to be exact are
 * rejected.
 */
export const asLooseText: ReadValue<string> = (value) =>
  typeof value === "number" && Number.isSafeInteger(value)
    ? String(value)
    : typeof value === "string"
      ? value
      : undefined;

/** The texts of a record: the first under one of these names; empty without any. */
export const textsOf =
  (record: RecordFields) =>
  (...names: string[]): string =>
    readFirst(record, names, asLooseText) ?? "";

/** `{"Monday": ["7 AM–8:30 PM"]}`. Some exports have a text instead of the list. */
export const toDayTexts = (days: Readonly<Record<string, unknown>>): DayTexts[] =>
  Object.entries(days).map(([day, texts]) => ({
    day,
    texts: (asList(texts) ?? [texts]).filter((text) => typeof text === "string"),
  }));

/** True, or a word for it, since CSV exports write flags as text. */
export const isTrue = (value: unknown): boolean => value === true || value === "true" || value === 1;

type Gallery = PlaceDocument["photos"][number];
type Media = Gallery["media"][number];

/** A picture and its heading on Google's page. An empty heading means all pictures. */
export interface TitledPicture {
  readonly title: string;
  readonly url: string;
}

/** The form of `galleries.json`: Google's headings, folded, of each of our galleries. */
export const galleriesSchema = v.record(v.string(), v.array(textSchema));

const GALLERIES: ReadonlyMap<string, string> = new Map(
  Object.entries(readTable("indexer/sources/google/galleries.json", galleriesSchema, galleriesTable)).flatMap(
    ([id, titles]) => titles.map((title) => [title, id]),
  ),
);

/** Sorts pictures into galleries. An unknown heading keeps its wording. */
function toGalleries(pictures: readonly TitledPicture[]): Gallery[] {
  const galleries = new Map<string, Gallery>();
  for (const { title, url } of pictures) {
    const media = toMedia(url);
    if (media === undefined) continue;
    const folded = fold(title);
    const known = folded === "" ? "all" : GALLERIES.get(folded);
    const id = known ?? folded.replaceAll(" ", "_");
    const gallery = galleries.getOrInsertComputed(id, () => ({
      category_id: id,
      category_label: known === undefined ? title : "",
      media: [],
    }));
    if (gallery.media.every((other) => other.url !== media.url)) gallery.media.push(media);
  }
  return [...galleries.values()];
}

const WEB_ADDRESS = /^https?:\/\/\S+$/i;

/** The size at the end of the URL on Google's picture server: `…=w408-h306-k-no`. */
const SIZE = /[=-]w(\d{1,5})-h(\d{1,5})/;

/** A picture by its URL; `undefined` for anything but a web URL, since callers use it in their pages. */
export function toMedia(url: string): Media | undefined {
  if (!WEB_ADDRESS.test(url)) return undefined;
  const [, width = "0", height = "0"] = SIZE.exec(url) ?? [];
  return { id: "", url, width: Number(width), height: Number(height) };
}

type PopularTimes = PlaceDocument["popular_times"];

/** How busy one hour of a day is, as the source has it. */
export interface BusyHour {
  readonly day: string;
  /** `6`, `06:00`, `6 AM`, `6 SA`. */
  readonly hour: string;
  readonly percent: number;
}

/** How busy an hour is, from values as a source has them. */
export const toBusyHour = (day: string, hour: unknown, percent: unknown): BusyHour => ({
  day,
  hour: asLooseText(hour) ?? "",
  percent: asLooseNumber(percent) ?? Number.NaN,
});

/** Seven lists, Monday first, and the number of unreadable hours. No list when no hour is readable. */
function toPopularTimes(hours: readonly BusyHour[]): { week: PopularTimes; dropped: number } {
  const week = Array.from({ length: DAYS_PER_WEEK }, () => new Map<number, number>());
  let dropped = 0;
  for (const { day, hour: text, percent } of hours) {
    const ofDay = week[parseDay(day) ?? -1];
    const hour = parseHour(text);
    if (ofDay && hour !== undefined && percent >= 0 && percent <= 100) ofDay.set(hour, Math.round(percent));
    else dropped += 1;
  }
  const isEmpty = week.every((ofDay) => ofDay.size === 0);
  return { week: isEmpty ? [] : week.map(toSortedHours), dropped };
}

const toSortedHours = (ofDay: ReadonlyMap<number, number>): PopularTimes[number] =>
  [...ofDay]
    .toSorted(([one], [other]) => one - other)
    .map(([hour, occupancy_percent]) => ({ hour, occupancy_percent }));

const HOUR = /^(\d{1,2})(?::00| ?h| giờ)?(?: ?([ap])\.?m\.?| ?(sa|ch))?$/;

/** Leaves out 24, midnight at the end of a day, since it belongs to the next day. */
function parseHour(text: string): number | undefined {
  const parts = HOUR.exec(text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim());
  if (parts === null) return undefined;
  const half = parts[2] ?? (parts[3] === undefined ? undefined : parts[3] === "sa" ? "a" : "p");
  const hour = Number(parts[1]);
  if (half === undefined) return hour <= 23 ? hour : undefined;
  return hour >= 1 && hour <= 12 ? (hour % 12) + (half === "p" ? 12 : 0) : undefined;
}

/** The names of the fields of a review in one format. */
interface ReviewFields {
  readonly rating: readonly string[];
  readonly id: string;
  readonly author: string;
  readonly picture: string;
  readonly text: string;
  readonly photos: string;
}

/** Reads a review; `undefined` without a rating from 1 to 5. */
export function readReview(
  review: RecordFields,
  names: ReviewFields,
): PlaceDocument["review_list"][number] | undefined {
  const ratings = names.rating.map((name) => readField(review, name, asLooseNumber));
  const rating = Math.round(ratings.find((value) => value !== undefined) ?? 0);
  if (rating < 1 || rating > 5) return undefined;
  const text = textsOf(review);
  return {
    review_id: text(names.id),
    author_name: text(names.author),
    author_profile_pic: toMedia(text(names.picture))?.url ?? "",
    rating,
    text: text(names.text),
    photos: readElements(review, names.photos, asText).flatMap((url) => toMedia(url) ?? []),
  };
}
