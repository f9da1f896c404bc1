import { centreOf } from "../geometry.ts";
import type { Head, JsonFields } from "../head.ts";
import { parseJson } from "../json.ts";
import { createFeaturesReader, createListReader, type CreateMapper } from "../readers.ts";
import {
  asDate,
  asList,
  asObject,
  asNumber,
  asText,
  noteUnknownFields,
  readField,
  type RecordFields,
  readObjects,
  readElements,
  readObject,
} from "../record-fields.ts";
import { emptyDraft, readConfirmedOn, type PlaceDraft } from "../../clean/place-draft.ts";
import type { MapRecord, ParquetLayout } from "../parquet/read-rows.ts";
import {
  MAX_ALTERNATE_NAMES,
  type Position,
  type SourceContext,
  type SourceItem,
  hashedId,
  joinAddress,
  splitLocality,
} from "../source.ts";
import type { Coordinates } from "../../../src/place/geometry/coordinates.ts";
import { refineByName } from "../osm/type-of-tags.ts";
import type { TypeCode } from "../../../src/place/document/type-codes.ts";
import { createTypeOfCategories } from "../category-types.ts";
import types from "./types.json" with { type: "json" };

/** Creates the mapper of GeoJSON features. */
const createFeatureMapper: CreateMapper = (context) => {
  const map = createOvertureMapper(context);
  return (value, position) => mapFeature(value, position, map);
};

/** Reads Overture places from a GeoJSON collection. */
export const readOverture = createListReader(createFeatureMapper, "features");

/** Reads Overture places as GeoJSON features, one after the other. */
export const readOvertureFeatures = createFeaturesReader(createFeatureMapper);

function mapFeature(value: unknown, position: Position, map: MapRecord): SourceItem {
  const feature = asObject(value);
  const properties = asObject(feature?.["properties"]);
  if (!feature || !properties)
    return { position, rejected: { field: "properties", reason: "not a GeoJSON feature" } };
  const id = feature["id"] ?? properties["id"];
  return map({ ...withParsedTexts(properties), id }, centreOf(feature["geometry"]), position);
}

/** Converters write nested fields as text: `"names": "{\"primary\": …}"`. */
function withParsedTexts(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [
      name,
      isNestedText(value) ? (parseJson(value) ?? value) : value,
    ]),
  );
}

const isNestedText = (value: unknown): value is string => typeof value === "string" && /^\s*[[{]/.test(value);

/** Fields that Overture's places have and OpenStreetMap's exports lack. */
const MARKS = [
  ["names.primary", "taxonomy.primary", "categories.primary", "basic_category", "confidence"],
  // Releases of 2023.
  ["names.common[].value", "categories.main"],
].flat();

/** Nested fields that some converters write as text. */
const NESTED_MARKS = ["names", "taxonomy", "categories"];

/** One such field may come from anywhere; two mean Overture. */
const ENOUGH_MARKS = 2;

const looksLike = (fields: JsonFields, prefix: string): boolean =>
  fields.get(`${prefix}theme`) === "places" ||
  MARKS.filter((name) => fields.has(prefix + name)).length +
    NESTED_MARKS.filter((name) => isNestedText(fields.get(prefix + name))).length >=
    ENOUGH_MARKS;

/** Whether a collection begins with Overture places. */
export const isOvertureCollection = ({ document }: Head): boolean =>
  looksLike(document, "features[].properties.");

/** Whether the first features are Overture places. */
export const isOvertureFeatures = ({ lines }: Head): boolean =>
  lines.some((line) => line.get("type") === "Feature" && looksLike(line, "properties."));

/**
 * Overture's estimate of whether a place exists. Below one half, it considers that unlikely. Places without
 * an estimate are kept.
 */
const MIN_CONFIDENCE = 0.5;

/**
 * The fields that are read, and known ones that are ignored: origin, version, and what the theme or the
 * file's partition states.
 */
const KNOWN_FIELDS = new Set(
  [
    "id names categories basic_category taxonomy confidence websites socials emails phones brand addresses",
    "operating_status geometry sources version theme type bbox update_time updatetime updateTime filename",
  ].flatMap((names) => names.split(" ")),
);

/** Creates the mapper of one input. A record is the `id` and the properties of a place. */
function createOvertureMapper({ note }: SourceContext): MapRecord {
  return (value, coordinates, position) => {
    const values = asObject(value);
    if (!values) return { position, rejected: { field: "record", reason: "not an object" } };
    const record: RecordFields = { values, path: "", note };
    const status = readStatus(record);
    const confidence = readField(record, "confidence", asNumber(0, 1)) ?? 1;
    // Permanently closed places have a confidence of 0 by definition.
    if (confidence < MIN_CONFIDENCE && status !== "closed_permanently")
      return { position, skipped: `confidence below ${MIN_CONFIDENCE}` };
    const names = readNames(record);
    if (!names) return { position, rejected: { field: "names.primary", reason: "missing" } };
    if (!coordinates) return { position, rejected: { field: "geometry", reason: "not a point" } };
    noteUnknownFields(record, KNOWN_FIELDS);
    return { position, draft: { ...toDraft(record, coordinates, names), business_status: status } };
  };
}

function toDraft(
  record: RecordFields,
  coordinates: Coordinates,
  names: Pick<PlaceDraft, "title" | "alternate_names">,
): PlaceDraft {
  const type = readCategories(record) ?? "PLACE";
  const { address, countryCode } = readAddress(record);
  return {
    ...emptyDraft(),
    ...names,
    source: "overture",
    source_id: readId(record) ?? hashedId(names.title, coordinates),
    type: refineByName(type, names.title),
    contacts: readContacts(record),
    location: { address, ...coordinates, timezone: "", country_code: countryCode },
    ...readConfirmedOn(latestUpdate(record.values)),
  };
}

function readId(record: RecordFields): string | undefined {
  const id = readField(record, "id", asText);
  if (!id) record.note("id", "missing, made from name and point");
  return id || undefined;
}

/** The latest date on which one of its sources updated the place; older releases have one date for the whole. */
function latestUpdate({ sources, update_time: whole }: RecordFields["values"]): string | undefined {
  const times = (asList(sources) ?? []).map((source) => asObject(source)?.["update_time"]);
  return [...times, whole]
    .flatMap((time) => asDate(time) ?? [])
    .toSorted()
    .at(-1);
}

const STATUSES: Readonly<Record<string, PlaceDraft["business_status"]>> = {
  open: "operational",
  temporarily_closed: "closed_temporarily",
  permanently_closed: "closed_permanently",
};

/** YAML and hand-made files contain extra white space. */
const asStatus = (value: unknown): PlaceDraft["business_status"] | undefined =>
  typeof value === "string" && Object.hasOwn(STATUSES, value.trim()) ? STATUSES[value.trim()] : undefined;

const readStatus = (record: RecordFields): PlaceDraft["business_status"] =>
  readField(record, "operating_status", asStatus) ?? "operational";

interface OvertureAddress {
  readonly freeform: string;
  readonly locality: string;
  readonly region: string;
  readonly country: string;
  readonly postcode: string;
}

interface ReadAddress {
  readonly address: PlaceDraft["location"]["address"];
  readonly countryCode: string;
}

/** `VN-SG`: an ISO 3166-2 code, which people do not search by. Some regions have names instead. */
const REGION_CODE = /^[A-Z]{2}-[A-Z0-9]{1,3}$/;

const COUNTRY_CODE = /^[A-Z]{2}$/;

/** Reads the first address of a place, and the country from any of its addresses. */
function readAddress(record: RecordFields): ReadAddress {
  const addresses = readObjects(record, "addresses", readParts);
  const [first] = addresses;
  for (let index = 1; index < addresses.length; index += 1)
    record.note("addresses[]", "more than one, the first is used");
  const countryCode = addresses.find(({ country }) => COUNTRY_CODE.test(country))?.country ?? "";
  if (!first) return { address: { full: "", street: "", ward: "", city: "", country: "" }, countryCode };
  if (first.postcode !== "") record.note("addresses[].postcode", "no field for it, dropped");
  const region = REGION_CODE.test(first.region) ? "" : first.region;
  return { address: toAddress(first, region), countryCode };
}

function toAddress({ freeform, locality }: OvertureAddress, region: string): ReadAddress["address"] {
  return {
    full: joinAddress([freeform, locality, region]),
    street: freeform,
    ...splitLocality(locality, region),
    country: "",
  };
}

function readParts(address: RecordFields): OvertureAddress {
  const part = (name: string): string => readField(address, name, asText)?.trim() ?? "";
  return {
    freeform: part("freeform"),
    locality: part("locality"),
    region: part("region"),
    country: part("country").toUpperCase(),
    postcode: part("postcode"),
  };
}

/**
 * `types.json` lists names of the taxonomy of 2025-12, of the categories before it, and of `basic_category`,
 * with Overture's spelling (including "worshop"). That taxonomy calls every noodle shop in Asia a ramen
 * restaurant, so both are NOODLE_RESTAURANT. A category that is not listed has the type of the next one above
 * it.
 */
const typeOfCategories = createTypeOfCategories("indexer/sources/overture/types.json", types);

/**
 * Finds the type from `taxonomy`, from the place's category upwards; then from the older `categories` and
 * from `basic_category`. `undefined`, with a note, when none is known.
 */
function readCategories(record: RecordFields): TypeCode | undefined {
  const taxonomy = readObject(record, "taxonomy");
  const categories = readObject(record, "categories");
  const own = [
    readField(taxonomy, "primary", asText),
    ...readElements(taxonomy, "hierarchy", asText).toReversed(),
    readField(categories, "primary", asText),
    // The name of the primary category in 2023.
    readField(categories, "main", asText),
    readField(record, "basic_category", asText),
  ].filter((name) => name !== undefined);
  const others = [
    ...readElements(taxonomy, "alternates", asText),
    ...readElements(categories, "alternate", asText),
  ];
  const code = typeOfCategories(own, others);
  if (code === undefined && own.length > 0)
    record.note("categories", "not in the category table, read as PLACE");
  return code;
}

/** A Facebook page counts as a website, since most small businesses in Vietnam have no other. */
const FACEBOOK_PAGE = /^https?:\/\/(?:[a-z-]{1,10}\.)?(?:facebook|fb)\.com\//i;

/** The first number and the first website. The document has no field for more, so the others are counted. */
function readContacts(record: RecordFields): PlaceDraft["contacts"] {
  const [phone = "", ...morePhones] = readElements(record, "phones", asText);
  const [website, ...moreWebsites] = readElements(record, "websites", asText);
  const socials = readElements(record, "socials", asText);
  const page = website === undefined ? socials.find((social) => FACEBOOK_PAGE.test(social)) : undefined;
  noteLost(record, "phones", morePhones.length);
  noteLost(record, "websites", moreWebsites.length);
  noteLost(record, "socials", socials.length - (page === undefined ? 0 : 1));
  noteLost(record, "emails", readElements(record, "emails", asText).length);
  return { phone, website: website ?? page ?? "" };
}

function noteLost({ note }: RecordFields, name: string, count: number): void {
  for (let index = 0; index < count; index += 1) note(`${name}[]`, "no field for it, dropped");
}

/** The preferred languages when there is no primary name. */
const TITLE_LANGUAGES = ["vi", "en"];

/** Reads all names. A place without a name has that of its brand; `undefined` when it has neither. */
function readNames(record: RecordFields): Pick<PlaceDraft, "title" | "alternate_names"> | undefined {
  const own = readNameSet(readObject(record, "names"));
  const brand = readNameSet(readObject(readObject(record, "brand"), "names"));
  const title = own.primary ?? own.others[0] ?? brand.primary ?? brand.others[0];
  if (title === undefined) return undefined;
  const others = new Set([...own.others, ...(brand.primary ? [brand.primary] : []), ...brand.others]);
  others.delete(title);
  return { title, alternate_names: [...others].slice(0, MAX_ALTERNATE_NAMES) };
}

interface NameSet {
  readonly primary: string | undefined;
  readonly others: readonly string[];
}

/** `primary`, `common` by language or, in 2023, as a list of values, and `rules` with official, short and alternate names. */
function readNameSet(names: RecordFields): NameSet {
  if (Array.isArray(names.values["common"])) {
    const listed = readObjects(names, "common", (name) => readField(name, "value", asName));
    return { primary: undefined, others: listed };
  }
  const common = readObject(names, "common");
  const languages = Object.keys(common.values).toSorted((a, b) => rankOf(a) - rankOf(b));
  const ruled = readObjects(names, "rules", (rule) => readField(rule, "value", asName));
  return {
    primary: readField(names, "primary", asText)?.trim() || undefined,
    others: [...languages.flatMap((language) => readField(common, language, asName) ?? []), ...ruled],
  };
}

const rankOf = (language: string): number => {
  const index = TITLE_LANGUAGES.indexOf(language);
  return index === -1 ? TITLE_LANGUAGES.length : index;
};

const asName = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;

/** Overture's place theme as GeoParquet: https://docs.overturemaps.org/schema/reference/places/place/ */
export const OVERTURE_LAYOUT: ParquetLayout = {
  title: "Overture places",
  required: { id: /./, names: /^STRUCT\(.*"?primary"? VARCHAR/, geometry: /^(?:BLOB|GEOMETRY)/ },
  optional: [
    "categories basic_category taxonomy confidence websites socials emails phones brand addresses",
    // When a source last updated the place.
    "operating_status sources update_time",
  ].flatMap((names) => names.split(" ")),
  geometry: "geometry",
  // The corners are 32-bit floats, which are accurate to some metres near 180°.
  bounds: {
    west: "bbox.xmin",
    south: "bbox.ymin",
    east: "bbox.xmax",
    north: "bbox.ymax",
    needs: "bbox",
    slack: 0.0001,
  },
  createMapper: createOvertureMapper,
};
