import { ImportError } from "../import-error.ts";
import { isRejection, type NoteField, type PlaceDraft, type Rejection } from "../place-draft.ts";
import { toGoogleDraft } from "./google/google-draft.ts";
import { toSerpapiRecord } from "./google/serpapi-record.ts";
import type { Input } from "./input.ts";
import { readJsonList, TOP_LIST } from "./json-list.ts";
import { readLines } from "./native/lines.ts";
import { asObject } from "./native/members.ts";
import type { SourceContext, SourceItem } from "./source.ts";

/** A list of answers of SerpApi's `google_maps`, or of the places in them. */
export async function* readSerpapiList(input: Input, { note }: SourceContext): AsyncGenerator<SourceItem> {
  const nextPosition = createPositions(input.name);
  for await (const answer of readJsonList(input, TOP_LIST)) {
    for (const place of placesOf(answer)) yield toItem(place, nextPosition(), note);
  }
}

/** One answer of SerpApi's `google_maps` as it came, or one a line. A bad line is rejected and the next one read. */
export async function* readSerpapiAnswers(input: Input, { note }: SourceContext): AsyncGenerator<SourceItem> {
  const nextPosition = createPositions(input.name);
  for await (const { value, text } of readAnswers(input)) {
    if (value === undefined)
      yield {
        position: nextPosition(),
        record: text,
        rejected: { field: "line", reason: "not JSON", value: text },
      };
    else for (const place of placesOf(value)) yield toItem(place, nextPosition(), note);
  }
}

/** The places are counted: an answer holds up to twenty. */
function createPositions(file: string): () => SourceItem["position"] {
  let number = 0;
  return () => ({ file, part: "element", number: (number += 1) });
}

interface Answer {
  /** `undefined` for a line that is no JSON. */
  readonly value: unknown;
  readonly text: string;
}

/** An answer takes some hundred kilobytes; what does not end before this is none. */
const MAX_ANSWER_LENGTH = 32 * 1024 * 1024;

/**
 * One value that is spread over many lines, or one in each line: the first line tells.
 * @throws {ImportError} when the one value is malformed or cut off.
 */
async function* readAnswers(input: Input): AsyncGenerator<Answer> {
  const spread: string[] = [];
  let length = 0;
  let hasLines = false;
  for await (const line of readLines(input.chunks())) {
    const text = "text" in line ? line.text : "";
    if (text.trim() === "" && "text" in line) continue;
    const value = spread.length === 0 ? parseJson(text) : undefined;
    hasLines ||= value !== undefined;
    if (hasLines) yield { value, text };
    else spread.push(text);
    length += text.length;
    if (!hasLines && length > MAX_ANSWER_LENGTH) break;
  }
  if (hasLines) return;
  const value = parseJson(spread.join("\n"));
  if (value === undefined)
    throw new ImportError(`${input.name} is broken or cut off: it is no whole answer of SerpApi.`);
  yield { value, text: "" };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** `local_results` of a search, `place_results` of one place; a place by itself where somebody took the answers apart. */
function placesOf(answer: unknown): unknown[] {
  const { local_results: list, place_results: place, search_metadata: metadata } = asObject(answer) ?? {};
  const places = [...(Array.isArray(list) ? (list as unknown[]) : []), ...(asObject(place) ? [place] : [])];
  return places.length > 0 || metadata !== undefined ? places : [answer];
}

function toItem(record: unknown, position: SourceItem["position"], note: NoteField): SourceItem {
  const draft = toSerpapiDraft(record, note);
  return isRejection(draft) ? { position, record, rejected: draft } : { position, record, draft };
}

function toSerpapiDraft(record: unknown, note: NoteField): PlaceDraft | Rejection {
  const values = asObject(record);
  if (!values) return { field: "record", reason: "not a JSON object" };
  return toGoogleDraft(toSerpapiRecord({ values, path: "", note }), note);
}
