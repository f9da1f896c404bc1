import { ImportError } from "../import-error.ts";
import { centreOf } from "./geometry.ts";
import type { Head, JsonMembers } from "./head.ts";
import type { Input } from "./input.ts";
import { readJsonList } from "./json-list.ts";
import { describeJsonError } from "./native/json-error.ts";
import { readLines } from "./native/lines.ts";
import { asObject } from "./native/members.ts";
import { isOneFeature, readOneFeature } from "./one-feature.ts";
import { createOvertureMapper } from "./overture/overture-mapper.ts";
import type { MapRecord } from "./parquet/layout.ts";
import type { Position, SourceContext, SourceItem } from "./source.ts";

/** Overture places in a GeoJSON collection. */
export async function* readOverture(input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  const map = createOvertureMapper(context);
  let number = 0;
  for await (const feature of readJsonList(input, "features")) {
    number += 1;
    yield mapFeature(feature, { file: input.name, part: "element", number }, map);
  }
}

/** One Overture place. */
export async function* readOvertureFeature(input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  const position = { file: input.name, part: "element", number: 1 } as const;
  yield mapFeature(await readOneFeature(input), position, createOvertureMapper(context));
}

/** Overture places as one GeoJSON feature a line, also with the record separators of RFC 8142. */
export async function* readOvertureLines(input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  const map = createOvertureMapper(context);
  for await (const line of readLines(input.chunks())) {
    const position = { file: input.name, part: "line", number: line.number } as const;
    if ("problem" in line) {
      const rejected = { field: "line", reason: line.problem, value: line.value };
      yield { position, record: line.raw, rejected };
      continue;
    }
    const text = line.text.replace("\u001E", "").trim();
    if (text !== "") yield toItem(text, line.isComplete, position, map);
  }
}

function toItem(text: string, isComplete: boolean, position: Position, map: MapRecord): SourceItem {
  try {
    return mapFeature(JSON.parse(text), position, map);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (!isComplete)
      throw new ImportError(`${position.file} breaks off in line ${position.number}: is it complete?`);
    const rejected = { field: "line", reason: "not JSON", value: describeJsonError(error, text) };
    return { position, record: text, rejected };
  }
}

function mapFeature(value: unknown, position: Position, map: MapRecord): SourceItem {
  const feature = asObject(value);
  const properties = asObject(feature?.["properties"]);
  if (!feature || !properties)
    return { position, record: value, rejected: { field: "properties", reason: "not a GeoJSON feature" } };
  const id = feature["id"] ?? properties["id"];
  return { ...map({ ...properties, id }, centreOf(feature["geometry"]), position), record: value };
}

/** Members that Overture's places have and OpenStreetMap's exports have not. */
const MARKS = ["names.primary", "taxonomy.primary", "categories.primary", "basic_category", "confidence"];

/** One of them may be anybody's, two are Overture's. */
const ENOUGH_MARKS = 2;

const looksLike = (members: JsonMembers, prefix: string): boolean =>
  members.get(`${prefix}theme`) === "places" ||
  MARKS.filter((name) => members.has(prefix + name)).length >= ENOUGH_MARKS;

/** Whether a collection begins with places of Overture. */
export const isOvertureCollection = ({ document }: Head): boolean =>
  looksLike(document, "features[].properties.");

/** Whether a single feature is a place of Overture. */
export const isOvertureFeature = (head: Head): boolean =>
  isOneFeature(head) && looksLike(head.document, "properties.");

/** Whether the first lines are places of Overture. */
export const isOvertureLines = ({ lines }: Head): boolean =>
  lines.some((line) => line.get("type") === "Feature" && looksLike(line, "properties."));
