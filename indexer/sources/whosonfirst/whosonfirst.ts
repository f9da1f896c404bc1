import { emptyDraft, type PlaceDraft, type Rejection } from "../../clean/place-draft.ts";
import { includeParts } from "../../clean/address.ts";
import { createTypeOfCategories } from "../category-types.ts";
import { centreOf } from "../geometry.ts";
import type { Head, JsonFields } from "../head.ts";
import { createFeaturesReader, createListReader, toItem, type CreateMapper } from "../readers.ts";
import { refineByName } from "../osm/type-of-tags.ts";
import {
  asList,
  asObject,
  asText,
  readField,
  readObjects,
  toCountryCode,
  type RecordFields,
} from "../record-fields.ts";
import { MAX_ALTERNATE_NAMES, type SourceContext } from "../source.ts";
import type { Coordinates } from "../../../src/place/geometry/coordinates.ts";
import { fold } from "../../../src/place/text/fold.ts";
import types from "./types.json" with { type: "json" };

/** Reads venues of Who's On First from a GeoJSON collection. */
export const readWhosOnFirst = createListReader(createMapper, "features");

/** Reads venues of Who's On First as GeoJSON features: one in a file, as in its repositories, or several. */
export const readWhosOnFirstFeatures = createFeaturesReader(createMapper);

/** Every record has them, in the namespace of the project. */
const MARKS = ["wof:id", "wof:name", "wof:placetype", "wof:repo"];

const looksLike = (fields: JsonFields, prefix: string): boolean =>
  MARKS.some((name) => fields.has(`${prefix}properties.${name}`));

/** Whether a collection begins with a record of Who's On First. */
export const isWhosOnFirst = ({ document }: Head): boolean => looksLike(document, "features[].");

/** Whether the first features are records of Who's On First. */
export const isWhosOnFirstFeatures = ({ lines }: Head): boolean => lines.some((line) => looksLike(line, ""));

function createMapper({ note }: SourceContext): ReturnType<CreateMapper> {
  return (value, position) => {
    const feature = asObject(value);
    const values = asObject(feature?.["properties"]);
    if (!values) return { position, rejected: { field: "properties", reason: "not a GeoJSON feature" } };
    const record: RecordFields = { values, path: "", note };
    const skipped = reasonToSkip(record);
    if (skipped !== undefined) return { position, skipped };
    return toItem(toDraft(record, centreOf(feature?.["geometry"])), position);
  };
}

/** Countries and towns are records too. A record that another one replaced is kept for its id only. */
function reasonToSkip({ values }: RecordFields): string | undefined {
  if (values["wof:placetype"] !== "venue") return "not a venue";
  if ((asList(values["wof:superseded_by"]) ?? []).length > 0) return "superseded by another record";
  return isDate(values["edtf:deprecated"]) ? "deprecated" : undefined;
}

/** Dates are in EDTF: empty, `uuuu` and `..` mean that none is known. */
const isDate = (value: unknown): boolean => typeof value === "string" && /^\d{4}/.test(value);

function toDraft(record: RecordFields, centre: Coordinates | undefined): PlaceDraft | Rejection {
  const text = (...names: string[]): string => firstText(record, names);
  const id = record.values["wof:id"];
  const title = text("wof:name");
  if (title === "") return { field: "wof:name", reason: "missing" };
  if (!Number.isSafeInteger(id)) return { field: "wof:id", reason: "missing or not a number", value: id };
  if (!centre) return { field: "geometry", reason: "no coordinates" };
  return {
    ...emptyDraft(),
    source: "whosonfirst",
    source_id: String(id),
    title,
    alternate_names: readNames(record, title),
    type: refineByName(readType(record) ?? "PLACE", title),
    contacts: { phone: text("addr:phone", "sg:phone"), website: text("addr:website", "sg:website") },
    location: {
      address: readAddress(record),
      ...centre,
      timezone: "",
      country_code: toCountryCode(text("wof:country").toUpperCase()),
    },
    business_status: isClosed(record) ? "closed_permanently" : "operational",
  };
}

const isClosed = ({ values }: RecordFields): boolean =>
  values["mz:is_current"] === 0 || isDate(values["edtf:cessation"]);

/** The first of these fields with a text. */
function firstText(record: RecordFields, names: readonly string[]): string {
  for (const name of names) {
    const text = readField(record, name, asScalar)?.trim();
    if (text) return text;
  }
  return "";
}

const asScalar = (value: unknown): string | undefined =>
  typeof value === "number" ? String(value) : asText(value);

const NAME_FIELD = /^name:[a-z]{3}_x_(?:preferred|variant|colloquial|short)$/;

/** `"name:vie_x_preferred": ["Chợ Bến Thành"]` */
function readNames({ values }: RecordFields, title: string): string[] {
  const names = Object.entries(values)
    .filter(([field]) => NAME_FIELD.test(field))
    .flatMap(([, value]) => asList(value) ?? [])
    .filter((name) => typeof name === "string" && name !== "" && name !== title) as string[];
  return [...new Set(names)].slice(0, MAX_ALTERNATE_NAMES);
}

function readAddress(record: RecordFields): PlaceDraft["location"]["address"] {
  const text = (...names: string[]): string => firstText(record, names);
  const street = [text("addr:housenumber"), text("addr:street")].filter((part) => part !== "").join(" ");
  const city = text("addr:city", "sg:city");
  const full = text("addr:full", "sg:address");
  return { full: includeParts(full, { street, city }), street, ward: "", city, country: "" };
}

/** Categories of SimpleGeo, from which most venues came. */
const typeOfCategories = createTypeOfCategories("indexer/sources/whosonfirst/types.json", types);

/** `[{"type": "Food & Drink", "category": "Restaurant", "subcategory": "Vietnamese"}]` */
function readType(record: RecordFields): ReturnType<typeof typeOfCategories> {
  const [first, ...others] = ["sg:categories", "sg:classifiers"].flatMap((name) =>
    readObjects(record, name, readCategory),
  );
  const tags = (asList(record.values["sg:tags"]) ?? []).filter((tag) => typeof tag === "string");
  if (!first) return typeOfCategories([], tags);
  const code = typeOfCategories(first, [...others.flat(), ...tags]);
  if (code === undefined) record.note(`category: ${first[0] ?? ""}`, "not in the table, read as PLACE");
  return code;
}

/** The narrow before the wide: "Vietnamese Restaurant", "Vietnamese", "Restaurant", "Food & Drink". */
function readCategory(category: RecordFields): string[] | undefined {
  const [narrow, middle, wide] = ["subcategory", "category", "type"].map(
    (name) => readField(category, name, asText)?.trim() ?? "",
  );
  const both = narrow !== "" && middle !== "" && !fold(narrow ?? "").includes(fold(middle ?? ""));
  const names = [both ? `${narrow} ${middle}` : "", narrow, middle, wide].filter((name) => name);
  return names.length === 0 ? undefined : (names as string[]);
}
