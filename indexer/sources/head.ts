import { none } from "stream-chain/core";
import { getManyValues, isMany } from "stream-chain/defs.js";
import { jsonParser, type Token } from "stream-json/parser.js";
import { readCsvHeader } from "./csv.ts";

/**
 * The fields of a JSON value by their paths, as far as the head reaches: `title`, `location.latitude`,
 * `features[].properties.names.primary`, `[].title` in a list at the top. Each has its text, or "" for any
 * other value.
 */
export type JsonFields = ReadonlyMap<string, string>;

/** The beginning of an input, in the forms that format detection needs. */
export interface Head {
  /** At most 64 KiB, after decompression. */
  readonly bytes: Buffer;
  /** The bytes as UTF-8, without a byte order mark and without the record separators of GeoJSONSeq. */
  readonly text: string;
  /** The first JSON value: that of a whole document, or of the first line. */
  readonly document: JsonFields;
  /** The JSON values of the first lines; the first of them is `document`. */
  readonly lines: readonly JsonFields[];
  /** The names in the first line of a CSV, trimmed; empty when it is JSON or has only one column. */
  readonly columns: readonly string[];
}

/** A broken first line or two must not hide what the others are. */
const MAX_LINES = 20;

/** The beginning as text, without a byte order mark and the record separators of GeoJSONSeq. */
const toText = (bytes: Buffer): string => new TextDecoder().decode(bytes).replaceAll("\u001E", "");

export function buildHead(bytes: Buffer): Head {
  const text = toText(bytes);
  const document = readFields(text);
  const others = text.split("\n").slice(1, MAX_LINES).map(readFields);
  return { bytes, text, document, lines: [document, ...others], columns: readCsvHeader(text)?.columns ?? [] };
}

/** Enough for the lists and objects in which formats differ. Invalid data may nest without end. */
const MAX_DEPTH = 8;

/** Reads fields up to the end of the text or the first invalid JSON. */
function readFields(text: string): JsonFields {
  const fields = new Map<string, string>();
  /** The path of each open object and list. A field's name is appended while its value is read. */
  const open: string[] = [];
  let path = "";
  for (const token of tokensOf(text)) {
    if (token.name === "startObject") open.push(path);
    else if (token.name === "startArray") open.push((path = `${path}[]`));
    else if (token.name === "endObject" || token.name === "endArray") open.pop();
    else if (token.name === "keyValue") path = fieldPath(open.at(-1), token.value);
    else if (token.name === "stringValue" && open.length <= MAX_DEPTH) fields.set(path, token.value);
    if (token.name === "keyValue" && open.length <= MAX_DEPTH) fields.set(path, fields.get(path) ?? "");
    if (open.length === 0) break;
    if (token.name !== "keyValue") path = open.at(-1) ?? "";
  }
  return fields;
}

const fieldPath = (parent: string | undefined, name: string): string => (parent ? `${parent}.${name}` : name);

/** Small pieces, so that the tokens before an error are kept. */
const PIECE_LENGTH = 64;

function* tokensOf(text: string): Generator<Token> {
  const parse = jsonParser({ packValues: true, streamValues: false, jsonStreaming: true });
  for (let from = 0; from < text.length; from += PIECE_LENGTH) {
    try {
      const tokens = parse(text.slice(from, from + PIECE_LENGTH));
      if (tokens !== none) yield* (isMany(tokens) ? getManyValues(tokens) : [tokens]) as Token[];
    } catch {
      return;
    }
  }
}
