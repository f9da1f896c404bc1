import { createMergeTally, type MergeTally } from "../merge/merge-tally.ts";
import type { NoteField, Rejection } from "./place-draft.ts";
import type { Position } from "../sources/source.ts";
import { dataIdIdentity } from "../../src/place/document/data-id.ts";
import type { PlaceDocument, PositionEstimate } from "../../src/place/document/place-document.ts";
import { fold } from "../../src/place/text/fold.ts";

/** A record of a reason or a note, with what stood there, as shown in the report. */
interface Example extends Position {
  readonly value?: string;
}

interface RejectionReason {
  readonly field: string;
  readonly reason: string;
  count: number;
  /** The first ones. */
  readonly examples: Example[];
}

export interface FieldNote {
  readonly field: string;
  readonly kind: string;
  count: number;
  /** The first ones. */
  readonly examples: Example[];
}

/** What became of the records of a file. */
export interface FileCounts {
  places: number;
  skipped: number;
  rejected: number;
}

/** A record that repeats an earlier one. */
interface Repeat {
  readonly title: string;
  readonly first: Position;
  readonly again: Position;
  /** Of two records with one id the later counts; two with different ids are both kept. */
  readonly by: "id" | "name and position";
}

/** A place whose point was estimated from its address. */
interface Estimate extends Position {
  readonly title: string;
  readonly address: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly estimated_from: PositionEstimate;
}

/** The places whose points were estimated from their addresses. */
interface Estimates {
  readonly counts: Map<PositionEstimate, number>;
  /** The first ones. */
  readonly examples: Estimate[];
}

/** The records that occur more than once. */
interface Repeats {
  count: number;
  /** The first ones. */
  readonly examples: Repeat[];
  /** Where ids, and names with their positions, occurred first. */
  readonly seen: Map<string, Position>;
}

/** Called for every rejected record. `record` is the original, when the source keeps it. */
export type OnRejected = (position: Position, rejection: Rejection, record: unknown) => void;

/** The counts of an import so far. */
export interface ImportTally {
  read: number;
  /** Documents sent to the engine. */
  written: number;
  /** Places whose type was taken from the title (`refineType`). */
  typesFromTitles: number;
  readonly skipped: Map<string, number>;
  readonly rejected: Map<string, RejectionReason>;
  /** Places whose kind neither the record nor the title tells. */
  withoutKind: number;
  readonly files: Map<string, FileCounts>;
  readonly repeats: Repeats;
  readonly estimates: Estimates;
  readonly notes: Map<string, FieldNote>;
  /** Failed checks of the swap that `--force` overrode, in words. */
  readonly overridden: string[];
  /** Records of several sources that were merged into one place. */
  readonly merges: MergeTally;
  /** Notes of the current record that become examples, by their values. */
  readonly newNotes: Map<FieldNote, string | undefined>;
  onRejected?: OnRejected;
}

/** Enough to see a pattern. */
const MAX_EXAMPLES = 3;
const MAX_REPEATS = 20;

/** Names and reasons come from the input too. A file of nonsense must not fill the memory with them. */
const MAX_KINDS = 200;
const MAX_TEXT_LENGTH = 80;

export function createTally(): ImportTally {
  return {
    read: 0,
    written: 0,
    typesFromTitles: 0,
    withoutKind: 0,
    files: new Map(),
    repeats: { count: 0, examples: [], seen: new Map() },
    estimates: { counts: new Map(), examples: [] },
    skipped: new Map(),
    rejected: new Map(),
    notes: new Map(),
    overridden: [],
    merges: createMergeTally(),
    newNotes: new Map(),
  };
}

/** Counts a record for its file. */
export function countFile({ files }: ImportTally, { file }: Position, what: keyof FileCounts): void {
  files.getOrInsertComputed(file, () => ({ places: 0, skipped: 0, rejected: 0 }))[what] += 1;
}

/** Spreadsheets have fewer rows. In longer files only the number of repeated ids is known in the end. */
const MAX_REMEMBERED = 50_000;

/** Eleven metres: two shops of a chain are farther apart. */
const SAME_POSITION_DECIMALS = 4;

/** Counts a place whose id, or whose name and position, occurred before. */
export function countRepeats({ repeats }: ImportTally, place: PlaceDocument, position: Position): void {
  const { seen, examples } = repeats;
  if (seen.size >= MAX_REMEMBERED) return;
  const { latitude, longitude } = place.location;
  const at = [latitude, longitude].map((degrees) => degrees.toFixed(SAME_POSITION_DECIMALS)).join();
  const keys = [
    ["name and position", `${fold(place.title)} ${at}`],
    ["id", dataIdIdentity(place.data_id)],
  ] as const;
  const [by, known] = keys.find(([, key]) => seen.has(key)) ?? [];
  for (const [, key] of keys) seen.getOrInsert(key, position);
  if (by === undefined) return;
  repeats.count += 1;
  const isOneId = seen.get(keys[1][1]) !== position;
  const first = seen.get(known)!;
  if (examples.length < MAX_REPEATS)
    examples.push({ title: place.title, first, again: position, by: isOneId ? "id" : by });
}

/** Enough to look at each of a spreadsheet; the index has the rest with their mark. */
const MAX_ESTIMATES = 1_000;

/** Counts a place whose point was estimated. */
export function countEstimate(
  { estimates: { counts, examples } }: ImportTally,
  { title, location }: PlaceDocument,
  position: Position,
): void {
  const { address, latitude, longitude, estimated_from: estimate } = location;
  if (estimate === undefined) return;
  counts.set(estimate, (counts.get(estimate) ?? 0) + 1);
  if (examples.length < MAX_ESTIMATES)
    examples.push({
      ...position,
      title,
      address: address.full,
      latitude,
      longitude,
      estimated_from: estimate,
    });
}

export function countSkipped({ skipped }: ImportTally, reason: string): void {
  const key = skipped.size < MAX_KINDS || skipped.has(reason) ? reason : "(other reasons)";
  skipped.set(key, (skipped.get(key) ?? 0) + 1);
}

/** Counts a rejected record. `record` is the original, for listeners that keep it. */
export function countRejected(
  tally: ImportTally,
  position: Position,
  rejection: Rejection,
  record?: unknown,
): void {
  const { rejected } = tally;
  const isKnown = rejected.size < MAX_KINDS || rejected.has(`${rejection.field} ${rejection.reason}`);
  const { field, reason } = isKnown ? rejection : { field: "record", reason: "(other reasons)" };
  const entry = rejected.getOrInsertComputed(`${field} ${reason}`, () => ({
    field,
    reason,
    count: 0,
    examples: [],
  }));
  entry.count += 1;
  countFile(tally, position, "rejected");
  const { value } = rejection;
  if (entry.examples.length < MAX_EXAMPLES)
    entry.examples.push(value === undefined ? position : { ...position, value: toShortText(value) });
  tally.onRejected?.(position, rejection, record);
}

/** Creates the function with which sources and steps note fields. */
export function createNotes(tally: ImportTally): NoteField {
  const { notes, newNotes } = tally;
  return (field, kind, value) => {
    const note = notes.get(`${field} ${kind}`) ?? addNote(tally, field, kind);
    note.count += 1;
    if (note.examples.length < MAX_EXAMPLES && !newNotes.has(note))
      newNotes.set(note, value === undefined ? undefined : toShortText(value));
  };
}

function addNote({ notes }: ImportTally, field: string, kind: string): FieldNote {
  const name = notes.size < MAX_KINDS ? toShortText(field) : "(other fields)";
  return notes.getOrInsertComputed(`${name} ${kind}`, () => ({ field: name, kind, count: 0, examples: [] }));
}

/** Assigns the notes since the last call to a record. */
export function placeNotes({ newNotes }: ImportTally, position: Position): void {
  if (newNotes.size === 0) return;
  for (const [note, value] of newNotes)
    note.examples.push(value === undefined ? position : { ...position, value });
  newNotes.clear();
}

/** The number of all rejections. */
export function totalRejected({ rejected }: ImportTally): number {
  let total = 0;
  for (const { count } of rejected.values()) total += count;
  return total;
}

/** Lists and objects may have any size and depth, so only their type is shown. */
export function toShortText(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = String(value).replaceAll(/\p{Cc}+/gu, " ");
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…`.toWellFormed() : text;
}

/** The most frequent first. */
export const byCount = <T extends { readonly count: number }>(entries: Iterable<T>): T[] =>
  [...entries].toSorted((one, other) => other.count - one.count);
