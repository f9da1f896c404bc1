import { createMergeTally, type MergeTally } from "../merge/merge-tally.ts";
import type { NoteField, Rejection } from "./place-draft.ts";
import type { Position } from "../sources/source.ts";

/** One rejected record, as shown in the report. */
interface RejectionExample extends Position {
  readonly value?: string;
}

export interface RejectionReason {
  readonly field: string;
  readonly reason: string;
  count: number;
  /** The first ones. */
  readonly examples: RejectionExample[];
}

export interface FieldNote {
  readonly field: string;
  readonly kind: string;
  count: number;
  /** The first record with this note; `undefined` until that record is counted. */
  first?: Position;
  /** The value that was rejected, when it is known. */
  readonly value?: string;
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
  /** Rejected records by file. */
  readonly rejectedByFile: Map<string, number>;
  readonly notes: Map<string, FieldNote>;
  /** Failed checks of the swap that `--force` overrode, in words. */
  readonly overridden: string[];
  /** Records of several sources that were merged into one place. */
  readonly merges: MergeTally;
  /** Notes of kinds that first occur in the current record. */
  newNotes: FieldNote[];
  onRejected?: OnRejected;
}

/** Enough to see a pattern. */
const MAX_EXAMPLES = 3;

/** Names and reasons come from the input too. A file of nonsense must not fill the memory with them. */
const MAX_KINDS = 200;
const MAX_TEXT_LENGTH = 80;

export function createTally(): ImportTally {
  return {
    read: 0,
    written: 0,
    typesFromTitles: 0,
    skipped: new Map(),
    rejected: new Map(),
    rejectedByFile: new Map(),
    notes: new Map(),
    overridden: [],
    merges: createMergeTally(),
    newNotes: [],
  };
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
  const { rejected, rejectedByFile } = tally;
  const isKnown = rejected.size < MAX_KINDS || rejected.has(`${rejection.field} ${rejection.reason}`);
  const { field, reason } = isKnown ? rejection : { field: "record", reason: "(other reasons)" };
  const entry = rejected.getOrInsertComputed(`${field} ${reason}`, () => ({
    field,
    reason,
    count: 0,
    examples: [],
  }));
  entry.count += 1;
  rejectedByFile.set(position.file, (rejectedByFile.get(position.file) ?? 0) + 1);
  const { value } = rejection;
  if (entry.examples.length < MAX_EXAMPLES)
    entry.examples.push(value === undefined ? position : { ...position, value: toShortText(value) });
  tally.onRejected?.(position, rejection, record);
}

/** Creates the function with which sources and steps note fields. */
export function createNotes(tally: ImportTally): NoteField {
  const { notes } = tally;
  return (field, kind, value) => {
    const known = notes.get(`${field} ${kind}`);
    if (known) {
      known.count += 1;
      return;
    }
    const name = notes.size < MAX_KINDS ? toShortText(field) : "(other fields)";
    const note = notes.getOrInsertComputed(`${name} ${kind}`, () => {
      const fresh = {
        field: name,
        kind,
        count: 0,
        ...(value !== undefined && { value: toShortText(value) }),
      };
      tally.newNotes.push(fresh);
      return fresh;
    });
    note.count += 1;
  };
}

/** Assigns the notes since the last call to a record. */
export function placeNotes(tally: ImportTally, position: Position): void {
  if (tally.newNotes.length === 0) return;
  for (const note of tally.newNotes) note.first = position;
  tally.newNotes = [];
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
