import { none } from "stream-chain/core";
import { getManyValues, isMany } from "stream-chain/defs.js";
import { jsonParser, type Token } from "stream-json/parser.js";

/** The formats the indexer reads. */
export type FormatName = "native" | "overpass" | "geojson";

const NATIVE_MEMBERS = ["title", "data_id", "source_id", "location"];

/** A broken first line or two must not hide what the others are. */
const MAX_LINES = 20;

/** What a file is, by its beginning; `undefined` when it is none of our formats or too short to tell. */
export function detectFormat(head: Buffer): FormatName | undefined {
  const text = new TextDecoder().decode(head);
  const candidates = [text, ...text.split("\n").slice(1, MAX_LINES)];
  for (const candidate of candidates) {
    const format = formatOf(readTopMembers(candidate));
    if (format) return format;
  }
  return undefined;
}

/** Names of the outermost object's members, each with its value when that is a text. */
type TopMembers = ReadonlyMap<string, string>;

function formatOf(members: TopMembers): FormatName | undefined {
  if (members.has("elements") || members.has("osm3s")) return "overpass";
  if (members.get("type") === "FeatureCollection" || (members.has("features") && !members.has("title")))
    return "geojson";
  return NATIVE_MEMBERS.some((name) => members.has(name)) ? "native" : undefined;
}

/** As far as the text goes, and as far as it is JSON. */
function readTopMembers(text: string): TopMembers {
  const members = new Map<string, string>();
  let depth = 0;
  let key = "";
  for (const token of tokensOf(text)) {
    if (token.name === "startObject" || token.name === "startArray") depth += 1;
    else if (token.name === "endObject" || token.name === "endArray") depth -= 1;
    else if (depth === 1 && token.name === "keyValue") members.set((key = token.value), "");
    else if (depth === 1 && token.name === "stringValue") members.set(key, token.value);
    if (depth === 0) break;
  }
  return members;
}

/** Small pieces, so that the tokens before a mistake are not lost with it. */
const PIECE_LENGTH = 64;

function* tokensOf(text: string): Generator<Token> {
  const parse = jsonParser({ packValues: true, streamValues: false, jsonStreaming: true });
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  for (let from = start; from < text.length; from += PIECE_LENGTH) {
    try {
      const tokens = parse(text.slice(from, from + PIECE_LENGTH));
      if (tokens !== none) yield* (isMany(tokens) ? getManyValues(tokens) : [tokens]) as Token[];
    } catch {
      return;
    }
  }
}
