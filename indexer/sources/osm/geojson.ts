import type { Head } from "../head.ts";
import type { Input } from "../input.ts";
import { readJsonList, readJsonLines, describeJsonError } from "../json.ts";
import { createOsmMapper } from "./osm-mapper.ts";
import type { SourceContext, SourceItem } from "../source.ts";
import { readLines } from "../lines.ts";
import { CommandError } from "../../../src/cli/errors.ts";
import { hash } from "node:crypto";
import { centreOf } from "../geometry.ts";
import { tagOf, toTags, type OsmElement, type OsmTags } from "./osm-element.ts";

/** Reads one OpenStreetMap feature. */
export async function* readGeojsonFeature(input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  const record = await readOneFeature(input);
  const position = { file: input.name, part: "element", number: 1 } as const;
  yield { ...createOsmMapper(context)(toOsmElement(record), position), record };
}

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
 * Reads a sequence of OpenStreetMap features, as osmium writes them: one a line, or as a text sequence (RFC
 * 8142), whose records begin with a record separator and may contain line ends. A bad record is rejected and
 * skipped. An incomplete record at the end of the file ends the import.
 */
export async function* readGeojsonSeq(input: Input, context: SourceContext): AsyncGenerator<SourceItem> {
  const mapElement = createOsmMapper(context);
  const records = createRecords(input.chunks());
  for await (const line of readJsonLines(readLines(records.chunks), input.name)) {
    const position = records.toPosition(line.number, input.name);
    if ("rejected" in line) yield { position, record: line.text, rejected: line.rejected };
    else yield { ...mapElement(toOsmElement(line.value), position), record: line.value };
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
    toPosition: (lineNumber: number, file: string): SourceItem["position"] =>
      isSequence
        ? { file, part: "element", number: lineNumber - 1 }
        : { file, part: "line", number: lineNumber },
  };
}

const toLineByte = (byte: number): number =>
  byte === LINE_FEED ? SPACE : byte === RECORD_SEPARATOR ? LINE_FEED : byte;

/** A single place with all its reviews has some hundred kilobytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Whether a file is one GeoJSON feature over several lines, as in examples and in responses about one place.
 */
export function isOneFeature({ bytes, document, lines, text }: Head): boolean {
  const isSequence =
    bytes[0] === RECORD_SEPARATOR || lines.slice(1).some((line) => line.get("type") === "Feature");
  return document.get("type") === "Feature" && !isSequence && !isJson(text.split("\n", 1)[0] ?? "");
}

/** Begins each record of a text sequence (RFC 8142), which may contain line ends. */

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @throws {CommandError} when the file is not JSON, or far too large for one place. */
export async function readOneFeature(input: Input): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input.chunks()) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new CommandError(`${input.name} is too large for a single feature.`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  try {
    return JSON.parse(text);
  } catch (error) {
    const problem = describeJsonError(error as SyntaxError, text);
    throw new CommandError(`${input.name} is broken or cut off: ${problem}.`, { cause: error });
  }
}

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
  return { id: idOf(feature.id, tags) ?? hashedId(tags, centre), ...centre, tags };
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

/** For an export without ids: the same name at the same point is the same place. */
function hashedId(tags: OsmTags, { latitude, longitude }: { latitude: number; longitude: number }): string {
  const digest = hash("sha256", `${tagOf(tags, "name", "brand") ?? ""}\0${latitude}\0${longitude}`);
  return `hash/${digest.slice(0, 16)}`;
}
