import { hash } from "node:crypto";
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { packPopularTimes, unpackPopularTimes } from "../place/time/busyness.ts";
import { dataIdIdentity, dataIdOf, locationHalfOf } from "../place/document/data-id.ts";
import { packFeatures, unpackFeatures } from "../place/document/feature-codes.ts";
import { packHours, unpackHours } from "../place/time/opening-hours.ts";
import {
  placeDocumentSchema,
  POSITION_ESTIMATES,
  USUAL,
  type Photo,
  type PlaceDocument,
  type PlaceSummaryDocument,
} from "../place/document/place-document.ts";

/**
 * A place as the engine keeps and returns it, without the fields that only find it. What an operator looks for is there to read;
 * the rest is packed into short texts: of the documents of a million places, as many as possible must fit into one page of 4 KB.
 */
export interface PackedPlace {
  /** The identity half of the data id. It stays when a place moves, so an old data id still leads to the place. */
  readonly id: string;
  /** The digits of the other half. */
  readonly location_half: string;
  readonly title: string;
  readonly type: string;
  /** Absent where nobody rated it. */
  readonly rating?: number;
  readonly reviews?: number;
  readonly _geo: { readonly lat: number; readonly lng: number };
  /** Absent for the usual one. */
  readonly timezone?: string;
  /** The other fields that a search returns (`packSummary`). */
  readonly summary: string;
  /** Ids of the areas that it lies in; absent without any. */
  readonly areas?: readonly string[];
  /** The source, the id there, and the type there where ours was estimated. */
  readonly source: string;
  /** The popular times of the PlaceDocument (`packPopularTimes`); absent without any. */
  readonly busy_hours?: string;
  /** Description, reviews and photos (`packLong`); absent without any. */
  readonly detail?: string;
  /** The team's own fields, and the names by language, each as JSON; absent without any. */
  readonly custom?: string;
  readonly names?: string;
}

/** The fields of a summary, and those of the whole PlaceDocument. */
export const SUMMARY_FIELDS = [
  "id",
  "location_half",
  "title",
  "type",
  "rating",
  "reviews",
  "_geo",
  "timezone",
  "summary",
] as const;
export const CONTENT_FIELDS = [
  ...SUMMARY_FIELDS,
  "areas",
  "source",
  "busy_hours",
  "detail",
  "custom",
  "names",
] as const;

export type PackedSummary = Pick<PackedPlace, (typeof SUMMARY_FIELDS)[number]>;

/** The stored fields of a place, and a hash that shows whether any of them changed. */
export function packPlace(place: PlaceDocument, version: string): PackedPlace & { content_hash: string } {
  const { location, areas = [] } = place;
  const busyHours = packPopularTimes(place.popular_times);
  const detail = packLong(place);
  return {
    id: dataIdIdentity(place.data_id),
    location_half: locationHalfOf(place.data_id),
    title: place.title,
    type: place.type,
    ...(place.rating > 0 && { rating: place.rating }),
    ...(place.reviews > 0 && { reviews: place.reviews }),
    _geo: { lat: location.latitude, lng: location.longitude },
    ...(location.timezone !== USUAL.timezone && { timezone: location.timezone }),
    summary: packSummary(place),
    ...(areas.length > 0 && { areas }),
    source: joinValues([place.source, place.source_id, place.source_type ?? ""]),
    ...(busyHours !== "" && { busy_hours: busyHours }),
    ...(detail !== "" && { detail: compress(detail) }),
    ...(hasAny(place.custom) && { custom: JSON.stringify(place.custom) }),
    ...(hasAny(place.names) && { names: JSON.stringify(place.names) }),
    content_hash: contentHash(place, version),
  };
}

const hasAny = (fields: object | undefined): boolean =>
  fields !== undefined && Object.keys(fields).length > 0;

/** The team's own fields and the names of a place, as `packPlace` wrote them. */
export const unpackOwn = ({
  custom,
  names,
}: {
  readonly custom?: string | undefined;
  readonly names?: string | undefined;
}): Pick<PlaceDocument, "custom" | "names"> => ({
  ...(custom !== undefined && { custom: JSON.parse(custom) as NonNullable<PlaceDocument["custom"]> }),
  ...(names !== undefined && { names: JSON.parse(names) as NonNullable<PlaceDocument["names"]> }),
});

/** 64 bits: one change in 2^64 goes unnoticed. */
const HEX_DIGITS = 16;

/** Places from the index and from a file have their fields in another order. */
const FIELDS = Object.keys(placeDocumentSchema.entries) as (keyof PlaceDocument)[];

/** Differs when anything of a place differs, or the form it is stored in. A `sync` makes it for every record; packing takes twice the time. */
export const contentHash = (place: PlaceDocument, version: string): string =>
  hash("sha1", JSON.stringify([version, ...FIELDS.map((field) => place[field] ?? null)])).slice(
    0,
    HEX_DIGITS,
  );

/** The PlaceDocument of the stored fields. */
export function toPlaceDocument(packed: PackedPlace): PlaceDocument {
  const [source = "", source_id = "", sourceType = ""] = splitValues(packed.source);
  const [, flags = ""] = splitValues(packed.summary);
  const hasAreas = packed.areas !== undefined || flags.includes(FLAGS.noAreas);
  return {
    ...toSummary(packed),
    ...unpackLong(packed.detail),
    ...unpackOwn(packed),
    source,
    source_id,
    ...(sourceType !== "" && { source_type: sourceType }),
    ...(hasAreas && { areas: [...(packed.areas ?? [])] }),
    ...(flags.includes(FLAGS.estimatedAreas) && { has_estimated_areas: true }),
    popular_times: unpackPopularTimes(packed.busy_hours ?? ""),
  };
}

/** The source that a place names. */
export const sourceOf = ({ source }: Pick<PackedPlace, "source">): string => splitValues(source)[0] ?? "";

/** Values are separated by a bar. Bars within them are rare. */
const SEPARATOR = "|";
const ESCAPE = "^";

const escape = (value: string): string =>
  value.includes(SEPARATOR) || value.includes(ESCAPE)
    ? value.replaceAll(ESCAPE, "^0").replaceAll(SEPARATOR, "^1")
    : value;

const unescape = (value: string): string =>
  value.includes(ESCAPE) ? value.replaceAll("^1", SEPARATOR).replaceAll("^0", ESCAPE) : value;

/** Empty values at the end are left out. */
function joinValues(values: readonly string[]): string {
  const last = values.findLastIndex((value) => value !== "");
  return values
    .slice(0, last + 1)
    .map(escape)
    .join(SEPARATOR);
}

function splitValues(text: string): string[] {
  const values = text.split(SEPARATOR);
  return text.includes(ESCAPE) ? values.map(unescape) : values;
}

/** Letters for facts that few places have. */
const FLAGS = {
  givenId: "g",
  estimatedAreas: "e",
  /** The place lies in no known area; without this letter its areas were never looked up. */
  noAreas: "n",
  /** The point was estimated from the address. */
  house: "h",
  street: "s",
  ward: "w",
  closed_temporarily: "t",
  closed_permanently: "p",
} as const;

function flagsOf(place: PlaceDocument): string {
  return [
    place.has_given_id ? FLAGS.givenId : "",
    place.has_estimated_areas ? FLAGS.estimatedAreas : "",
    place.areas?.length === 0 ? FLAGS.noAreas : "",
    place.location.estimated_from === undefined ? "" : FLAGS[place.location.estimated_from],
    place.business_status === "operational" ? "" : FLAGS[place.business_status],
  ].join("");
}

function statusOf(flags: string): PlaceDocument["business_status"] {
  if (flags.includes(FLAGS.closed_permanently)) return "closed_permanently";
  return flags.includes(FLAGS.closed_temporarily) ? "closed_temporarily" : "operational";
}

const NO_ESTIMATE = {};

function estimateOf(flags: string): Pick<PlaceDocument["location"], "estimated_from"> {
  const estimate = flags === "" ? undefined : POSITION_ESTIMATES.find((from) => flags.includes(FLAGS[from]));
  return estimate === undefined ? NO_ESTIMATE : { estimated_from: estimate };
}

/** The values that every summary may have, in this order; other names follow. */
function packSummary(place: PlaceDocument): string {
  const { contacts, location, pricing, opening_hours, features } = place;
  const { full, street, ward, city, country } = location.address;
  const parts = full.split(PART_SEPARATOR);
  return joinValues([
    full,
    flagsOf(place),
    ...[street, ward, city].map((part) => toReference(part, parts)),
    country === USUAL.country ? "" : toReference(country, parts) || NOTHING,
    location.country_code === USUAL.countryCode ? "" : toLiteral(location.country_code) || NOTHING,
    contacts.phone,
    contacts.website,
    packHours(opening_hours),
    pricing.min === 0 ? "" : String(pricing.min),
    pricing.max === 0 ? "" : String(pricing.max),
    packFeatures(features),
    place.confirmed_on ?? "",
    place.place_id === undefined ? "" : toLiteral(place.place_id) || NOTHING,
    ...place.alternate_names,
  ]);
}

/** Reads a summary as `packPlace` wrote it. */
export function toSummary(packed: PackedSummary): PlaceSummaryDocument {
  const values = splitValues(packed.summary);
  const [full = "", flags = "", street = "", ward = "", city = "", country = "", countryCode = ""] = values;
  // By their numbers: a page has many summaries, and each list of the rest would be another one.
  const valueAt = (position: number): string => values[position] ?? "";
  const [confirmedOn, placeId] = [valueAt(13), valueAt(14)];
  const parts = full.split(PART_SEPARATOR);
  return {
    data_id: dataIdOf(packed),
    ...(flags.includes(FLAGS.givenId) && { has_given_id: true }),
    ...(placeId !== "" && { place_id: fromReference(placeId, parts) }),
    title: packed.title,
    alternate_names: values.slice(15),
    type: packed.type,
    rating: packed.rating ?? 0,
    reviews: packed.reviews ?? 0,
    pricing: { min: Number(valueAt(10)), max: Number(valueAt(11)) },
    contacts: { phone: valueAt(7), website: valueAt(8) },
    location: {
      address: {
        full,
        street: fromReference(street, parts),
        ward: fromReference(ward, parts),
        city: fromReference(city, parts),
        country: country === "" ? USUAL.country : fromReference(country, parts),
      },
      latitude: packed._geo.lat,
      longitude: packed._geo.lng,
      timezone: packed.timezone ?? USUAL.timezone,
      country_code: countryCode === "" ? USUAL.countryCode : fromReference(countryCode, parts),
      ...estimateOf(flags),
    },
    ...(confirmedOn !== "" && { confirmed_on: confirmedOn }),
    business_status: statusOf(flags),
    opening_hours: unpackHours(valueAt(9)),
    features: unpackFeatures(valueAt(12)),
  };
}

/** Marks what is not the text itself: parts of the address (`~0-1`), an empty text (`~`), and a text with this mark (`~=~`). */
const MARK = "~";
const NOTHING = MARK;
const LITERAL = `${MARK}=`;

const toLiteral = (text: string): string => (text.startsWith(MARK) ? LITERAL + text : text);

const PART_SEPARATOR = ", ";

/** A part of the address as the numbers of its first and last piece in the whole address, if it is there. */
function toReference(text: string, parts: readonly string[]): string {
  if (text === "") return "";
  const [start = "", ...others] = text.split(PART_SEPARATOR);
  const first = parts.findIndex(
    (part, at) => part === start && others.every((other, index) => parts[at + 1 + index] === other),
  );
  if (first === -1) return toLiteral(text);
  return others.length === 0 ? MARK + first : `${MARK}${first}-${first + others.length}`;
}

function fromReference(text: string, parts: readonly string[]): string {
  if (!text.startsWith(MARK)) return text;
  if (text.startsWith(LITERAL)) return text.slice(LITERAL.length);
  if (text === NOTHING) return "";
  if (text.length === MARK.length + 1) return parts[Number(text[MARK.length])] ?? "";
  const [first = 0, last = first] = text.slice(MARK.length).split("-").map(Number);
  return first === last ? (parts[first] ?? "") : parts.slice(first, last + 1).join(PART_SEPARATOR);
}

type PackedMedia = [id: string, url: string, width: number, height: number];
type PackedLong = [
  description?: string,
  reviews?: [
    id: string,
    author: string,
    picture: string,
    rating: number,
    text: string,
    photos: PackedMedia[],
  ][],
  photos?: [id: string, label: string, media: PackedMedia[]][],
];

const packMedia = ({ id, url, width, height }: Photo): PackedMedia => [id, url, width, height];

const unpackMedia = ([id, url, width, height]: PackedMedia): Photo => ({ id, url, width, height });

/** Description, reviews and photos as JSON without names of fields; empty without any of them. */
function packLong({ description, review_list, photos }: PlaceDocument): string {
  if (description === "" && review_list.length === 0 && photos.length === 0) return "";
  const long: PackedLong = [
    description,
    review_list.map((review) => [
      review.review_id,
      review.author_name,
      review.author_profile_pic,
      review.rating,
      review.text,
      review.photos.map(packMedia),
    ]),
    photos.map(({ category_id, category_label, media }) => [
      category_id,
      category_label,
      media.map(packMedia),
    ]),
  ];
  return JSON.stringify(long);
}

function unpackLong(
  detail: string | undefined,
): Pick<PlaceDocument, "description" | "review_list" | "photos"> {
  const [description = "", reviews = [], photos = []] = readLong(detail);
  return {
    description,
    review_list: reviews.map(([review_id, author_name, author_profile_pic, rating, text, pictures]) => ({
      review_id,
      author_name,
      author_profile_pic,
      rating,
      text,
      photos: pictures.map(unpackMedia),
    })),
    photos: photos.map(([category_id, category_label, media]) => ({
      category_id,
      category_label,
      media: media.map(unpackMedia),
    })),
  };
}

const readLong = (detail: string | undefined): PackedLong =>
  detail === undefined ? [] : (JSON.parse(decompress(detail)) as PackedLong);

/** The first picture of a place, from its other fields; nothing where it has none. */
export function readFirstPhoto({ detail }: Pick<PackedPlace, "detail">): { readonly first_photo?: Photo } {
  const [, , photos = []] = readLong(detail);
  const [first] = photos.flatMap(([, , media]) => media);
  return first === undefined ? {} : { first_photo: unpackMedia(first) };
}

/** Shorter texts hardly get shorter, and are read faster as they are. */
const MIN_COMPRESSED = 200;

/** JSON, or compressed JSON in base64: the first letter, `[`, tells them apart. */
function compress(json: string): string {
  if (json.length < MIN_COMPRESSED) return json;
  const compressed = deflateRawSync(json, COMPRESSION).toString("base64");
  return compressed.length < json.length ? compressed : json;
}

const decompress = (text: string): string =>
  text.startsWith("[") ? text : inflateRawSync(Buffer.from(text, "base64"), COMPRESSION).toString();

/** Most texts fit into 4 KB. With its default of 16 KB, Node takes 17 to 37 µs to read a text of 800 letters, not 7 to 11. */
const CHUNK_BYTES = 4_096;

const COMPRESSION = {
  level: constants.Z_DEFAULT_COMPRESSION,
  memLevel: 5,
  windowBits: 13,
  chunkSize: CHUNK_BYTES,
} as const;
