import { addAbortSignal, type Readable } from "node:stream";
import { dataIdIdentity, parseDataId } from "../../src/place/document/data-id.ts";
import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { patchPlace } from "./patch-place.ts";
import { identityOf, toDocument } from "../clean/clean-records.ts";
import { isRejection, type AddressPoints, type CleanContext, type Rejection } from "../clean/place-draft.ts";
import { toNativeDraft } from "../sources/native/native-place.ts";
import type { Change } from "./change-queue.ts";
import { cleanLine } from "../clean/strings.ts";
import { CommandError } from "../../src/cli/errors.ts";
import { countRejected, createNotes, placeNotes, type ImportTally } from "../clean/import-tally.ts";
import { openInput } from "../sources/input.ts";
import { openUnlessLines, type Source } from "../sources/open-sources.ts";
import { readLines, type Line } from "../sources/lines.ts";
import { asObject } from "../sources/record-fields.ts";
import type { Adjustments, Position, SourceContext } from "../sources/source.ts";
import type { LiveIndex } from "../index/live-index.ts";

/** Options for reading a stream of changes. */
export interface ReadChangesOptions {
  readonly tally: ImportTally;
  readonly today: Temporal.PlainDate;
  readonly findTeamAreas?: SourceContext["findTeamAreas"];
  readonly format?: string | undefined;
  readonly adjust?: Adjustments | undefined;
  /** Estimates missing points. */
  readonly points?: AddressPoints | undefined;
  readonly stdin: Readable;
  /** The names of paths that are copies of something else. */
  readonly names?: ReadonlyMap<string, string> | undefined;
  /** Aborts a read that is waiting for input. */
  readonly signal: AbortSignal;
}

/**
 * Reads changes from files, one after the other; `-` is the standard input (docs/indexing.md). JSON lines are changes, and
 * any other file that an import reads has places to add or replace. A bad line is counted in the tally and skipped.
 * @throws {CommandError} for a file that cannot be read or ends in the middle of a line.
 */
export async function* readChanges(
  paths: readonly string[],
  options: ReadChangesOptions,
): AsyncGenerator<Change> {
  const { today, findTeamAreas, points } = options;
  const context: SourceContext = { note: createNotes(options.tally), points, today, findTeamAreas };
  for (const { path, source } of await openUnlessLines(paths, options)) {
    if (source) yield* readPlaces(source, context, options.tally);
    if (source) continue;
    const file = path === "-" ? "stdin" : (options.names?.get(path) ?? path);
    for await (const line of readLines(readChunks(path, options))) {
      if ("text" in line && line.text.trim() === "") continue;
      const change = toChange(line, file, context, options.tally);
      if (change) yield change;
    }
  }
}

/** The places of a file that an import reads too. */
async function* readPlaces(
  { input, read }: Source,
  context: SourceContext,
  tally: ImportTally,
): AsyncGenerator<Change> {
  try {
    for await (const item of read(input, context)) {
      const place = toDocument(item, context, tally);
      placeNotes(tally, item.position);
      if (!place) continue;
      context.points?.learn(place);
      const hasMadeId = "draft" in item && item.draft.data_id === "";
      yield { identity: dataIdIdentity(place.data_id), bytes: PLACE_BYTES, place, hasMadeId };
    }
  } finally {
    input.close();
  }
}

/** About as much as a place with hours and an address takes as JSON. */
const PLACE_BYTES = 2_000;

/**
 * Reads chunks as they arrive. A stream may be slow, so this does not wait for a head to detect the format.
 */
async function* readChunks(
  path: string,
  { stdin, signal, names }: Pick<ReadChangesOptions, "stdin" | "signal" | "names">,
): AsyncGenerator<Buffer> {
  if (path === "-") {
    yield* addAbortSignal(signal, stdin) as AsyncIterable<Buffer>;
    return;
  }
  const { input } = await openInput(path, signal, stdin, names?.get(path));
  try {
    yield* input.chunks();
  } finally {
    input.close();
  }
}

function toChange(line: Line, file: string, context: SourceContext, tally: ImportTally): Change | undefined {
  const position = { file, part: "line", number: line.number } as const;
  const reject = (rejected: Rejection): undefined => {
    tally.read += 1;
    countRejected(tally, position, rejected);
  };
  const parsed = parseLine(line, file);
  if ("rejected" in parsed) return reject(parsed.rejected);
  const { op, ...record } = parsed.value;
  const { bytes } = parsed;
  if (op === "delete" || op === "patch") {
    const named = toRemoval(record);
    if (isRejection(named)) return reject(named);
    tally.read += 1;
    if (op === "delete") return { ...named, bytes };
    const { identity, deleted } = named;
    return { identity, bytes, named: deleted, patch: createPatch(record, position, context, tally) };
  }
  if (op !== undefined && op !== "upsert")
    return reject({ field: "op", reason: "neither upsert, patch nor delete", value: op });
  const draft = toNativeDraft(record, context.note);
  const item = isRejection(draft) ? { position, rejected: draft } : { position, draft };
  const place = toDocument(item, context, tally);
  if (!place) return undefined;
  const hasMadeId = "draft" in item && item.draft.data_id === "";
  return { identity: dataIdIdentity(place.data_id), bytes, place, hasMadeId };
}

/** A function that changes a place as its native record says. A result that is no place is counted as rejected. */
export const createPatch =
  (patch: JsonObject, position: Position, context: CleanContext, tally: ImportTally) =>
  (place: PlaceDocument): PlaceDocument | undefined => {
    const patched = patchPlace(place, patch, context);
    if (!isRejection(patched)) return patched;
    countRejected(tally, position, patched);
    return undefined;
  };

type JsonObject = Readonly<Record<string, unknown>>;

type ParsedLine = { readonly value: JsonObject; readonly bytes: number } | { readonly rejected: Rejection };

function parseLine(line: Line, file: string): ParsedLine {
  if ("problem" in line) return { rejected: { field: "line", reason: line.problem } };
  const { text } = line;
  try {
    const value = asObject(JSON.parse(text));
    if (value) return { value, bytes: text.length };
    return { rejected: { field: "record", reason: "not a JSON object" } };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (!line.isComplete)
      throw new CommandError(`${file} ends in the middle of line ${line.number}: is it complete?`);
    return { rejected: { field: "line", reason: "not JSON", value: text } };
  }
}

/**
 * The identity of a place that is named by its data id, or by its id in a source.
 * @throws {CommandError} for an empty id.
 */
export function findNamedPlace(
  id: string,
  source: string | undefined,
): { readonly identity: string; readonly named: string } {
  const dataId = source === undefined ? parseDataId(id.trim()) : undefined;
  const found = toRemoval(dataId === undefined ? { source, source_id: id } : { data_id: dataId });
  if (isRejection(found)) throw new CommandError("The id of the place is empty.");
  return { identity: found.identity, named: found.deleted };
}

/** Finds the place that a record names by its data id, or by its source and source id. */
export function toRemoval({
  data_id: dataId,
  source = "",
  source_id: sourceId,
}: JsonObject): { readonly identity: string; readonly deleted: string } | Rejection {
  if (typeof dataId === "string") {
    const parsed = parseDataId(dataId.trim());
    if (parsed === undefined)
      return { field: "data_id", reason: "not of the form 0x<hex>:0x<hex>", value: dataId };
    return { identity: dataIdIdentity(parsed), deleted: parsed };
  }
  if (typeof sourceId !== "string" || typeof source !== "string" || cleanLine(sourceId) === "")
    return { field: "data_id", reason: "missing, and no source_id either" };
  const named = { source: cleanLine(source), source_id: cleanLine(sourceId) };
  return {
    identity: `0x${identityOf(named).toString(16)}`,
    deleted: `${named.source} ${named.source_id}`.trim(),
  };
}

/** Room for an identity and a name. */
const REMOVAL_BYTES = 100;

/** Removes a place by its data id in canonical form. */
const removalOf = (dataId: string): Change => ({
  identity: dataIdIdentity(dataId),
  deleted: dataId,
  bytes: REMOVAL_BYTES,
});

/** Reads data ids to remove, one a line. An invalid line is counted in the tally. */
export async function* readDeletions(
  path: string,
  options: Pick<ReadChangesOptions, "tally" | "stdin" | "signal">,
): AsyncGenerator<Change> {
  const file = path === "-" ? "stdin" : path;
  for await (const line of readLines(readChunks(path, options))) {
    const text = "text" in line ? line.text.trim() : "";
    if ("text" in line && text === "") continue;
    options.tally.read += 1;
    const dataId = parseDataId(text);
    if (dataId !== undefined) yield removalOf(dataId);
    else {
      const rejected = { field: "data_id", reason: "not of the form 0x<hex>:0x<hex>", value: text };
      countRejected(options.tally, { file, part: "line", number: line.number }, rejected);
    }
  }
}

/**
 * Yields a removal for each data id in canonical form, or for each id of a source.
 * @throws {CommandError} for an empty id.
 */
export async function* listDeletions(
  ids: readonly string[],
  { tally, source }: Pick<ReadChangesOptions, "tally"> & { readonly source?: string | undefined },
): AsyncGenerator<Change> {
  for (const id of ids) {
    tally.read += 1;
    const { identity, named } = findNamedPlace(id, source);
    yield { identity, deleted: named, bytes: REMOVAL_BYTES };
  }
}

interface FindOptions extends Pick<ReadChangesOptions, "tally" | "signal"> {
  /** Gets the number of places of each source. */
  readonly sources: Map<string, number>;
}

/**
 * Finds all places of a source and yields their removals. The whole index is read first, because deleting
 * places would shift the pages that are still to be read.
 */
export async function* findDeletions(
  source: string,
  live: LiveIndex,
  { tally, sources, signal }: FindOptions,
): AsyncGenerator<Change> {
  const identities: string[] = [];
  for await (const places of live.readSources()) {
    signal.throwIfAborted();
    for (const place of places) {
      sources.set(place.source, (sources.get(place.source) ?? 0) + 1);
      if (place.source === source) identities.push(place.id);
    }
  }
  for (const identity of identities) {
    tally.read += 1;
    yield { identity, deleted: identity, bytes: REMOVAL_BYTES };
  }
}
