import type { Head } from "../head.ts";
import type { Input } from "../input.ts";
import { TYPE_KEYS } from "./type-of-tags.ts";
import { readJsonList } from "../json.ts";
import { readJsonLines } from "../json-lines.ts";
import { createOsmMapper } from "./osm-mapper.ts";
import type { Rejection } from "../../clean/place-draft.ts";
import { hashedId, type Position, type SourceContext, type SourceItem } from "../source.ts";
import { readLines } from "../lines.ts";
import { centreOf } from "../geometry.ts";
import { tagOf, toTags, type OsmElement, type OsmTags } from "./osm-element.ts";

/**
 * Reads a GeoJSON collection of OpenStreetMap features, as overpass-turbo, osmtogeojson, OSMnx and others
 * write them.
 */
export async function* readGeojson(input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  const mapElement = createOsmMapper(context);
  let number = 0;
  for await (const record of readJsonList(input, "features")) {
    number += 1;
    const position = { file: input.name, part: "element", number } as const;
    yield { ...mapElement(toOsmElement(record), position), record };
  }
}

/**
 * Whether a collection begins with outlines of something that is no place of OpenStreetMap, such as wards. A
 * point with a name may be one.
 */
export function hasOnlyOutlines({ document }: Head): boolean {
  const feature = "features[].";
  const isOutline = /Polygon|LineString/.test(document.get(`${feature}geometry.type`) ?? "");
  const prefixes = [`${feature}properties.`, `${feature}properties.tags.`];
  return isOutline && !prefixes.some((prefix) => TYPE_KEYS.some((key) => document.has(prefix + key)));
}

/** Reads a sequence of OpenStreetMap features, as osmium writes them. */
export async function* readGeojsonSeq(input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  const mapElement = createOsmMapper(context);
  for await (const { position, record, ...feature } of readFeatures(input)) {
    if ("rejected" in feature) yield { position, record, rejected: feature.rejected };
    else yield { ...mapElement(toOsmElement(feature.value), position), record };
  }
}

/** One feature of a sequence: its value, or why it has none. */
type FeatureItem = { readonly position: Position; readonly record: unknown } & (
  | { readonly value: unknown }
  | { readonly rejected: Rejection }
);

/**
 * Reads GeoJSON features one after the other: one a line, each over several lines, or as a text sequence (RFC
 * 8142), whose records begin with a record separator. A bad record is rejected and skipped.
 * @throws {CommandError} for an incomplete record at the end.
 */
export async function* readFeatures(input: Input): AsyncGenerator<FeatureItem> {
  const records = createRecords(input.chunks());
  for await (const line of readJsonLines(readLines(records.chunks), input.name)) {
    const position = records.toPosition(line.number, input.name);
    if ("rejected" in line) yield { position, record: line.text, rejected: line.rejected };
    else yield { position, record: line.value, value: line.value };
  }
}

const RECORD_SEPARATOR = 0x1e;
const LINE_FEED = 0x0a;
const SPACE = 0x20;

/**
 * Converts a text sequence to lines. Line ends within a record become white space, and each separator ends
 * the record before it. The last record is complete when a line end follows it. A file of lines passes
 * unchanged. The first byte shows which it is.
 */
function createRecords(chunks: AsyncIterable<Buffer>) {
  let isSequence: boolean | undefined;
  async function* toLines(): AsyncGenerator<Buffer> {
    let lastByte: number | undefined;
    for await (const chunk of chunks) {
      isSequence ??= chunk[0] === RECORD_SEPARATOR;
      lastByte = chunk.at(-1);
      yield isSequence ? Buffer.from(chunk.map(toLineByte)) : chunk;
    }
    if (isSequence && lastByte === LINE_FEED) yield Buffer.of(LINE_FEED);
  }
  return {
    chunks: toLines(),
    /** Does not count the empty record before the first separator. */
    toPosition: (lineNumber: number, file: string): Position =>
      isSequence
        ? { file, part: "element", number: lineNumber - 1 }
        : { file, part: "line", number: lineNumber },
  };
}

const toLineByte = (byte: number): number =>
  byte === LINE_FEED ? SPACE : byte === RECORD_SEPARATOR ? LINE_FEED : byte;

interface Feature {
  readonly id?: unknown;
  readonly geometry?: unknown;
  readonly properties?: { readonly tags?: unknown } | null;
}

/** Converts a feature with OpenStreetMap tags in its properties or under `tags`, or says why it cannot. */
function toOsmElement(value: unknown): OsmElement | string {
  const feature = (value ?? {}) as Feature;
  const centre = centreOf(feature.geometry);
  if (!centre) return "no coordinates";
  const properties = toTags(feature.properties);
  const nested = toTags(feature.properties?.tags);
  const tags = { ...properties, ...nested };
  return {
    id: idOf(feature.id, tags) ?? hashedId(tagOf(tags, "name", "brand") ?? "", centre),
    ...centre,
    tags,
  };
}

const OSM_ID = /^(?:node|way|relation)\/\d+$/;

/** `@id` of overpass-turbo, `id` of osmtogeojson, the two columns of OSMnx. */
function idOf(featureId: unknown, tags: OsmTags): string | undefined {
  const type = tagOf(tags, "element_type", "element", "osm_type", "@type");
  const number = tagOf(tags, "osmid", "osm_id", "@id", "id");
  return [tagOf(tags, "@id"), featureId, `${type}/${number}`].find(
    (id): id is string => typeof id === "string" && OSM_ID.test(id),
  );
}
