import type { NoteField, Rejection } from "./place-draft.ts";
import type { Position } from "./sources/source.ts";

/** One rejected record, as the report shows it. */
interface RejectionExample extends Position {
  readonly value?: string;
}

export interface RejectionReason {
  readonly field: string;
  readonly reason: string;
  count: number;
  readonly examples: RejectionExample[];
}

export interface FieldNote {
  readonly field: string;
  readonly kind: string;
  count: number;
}

/** What an import has counted so far. */
export interface ImportTally {
  read: number;
  /** Documents handed to the engine. */
  written: number;
  readonly skipped: Map<string, number>;
  readonly rejected: Map<string, RejectionReason>;
  readonly notes: Map<string, FieldNote>;
  /** What spoke against the swap and was overridden, in words. */
  readonly overridden: string[];
}

/** Enough to see a pattern. */
const MAX_EXAMPLES = 3;

/** Field names come from the input as well; a file of nonsense must not fill the memory with them. */
const MAX_KINDS = 200;
const MAX_TEXT_LENGTH = 80;

export function createTally(): ImportTally {
  return { read: 0, written: 0, skipped: new Map(), rejected: new Map(), notes: new Map(), overridden: [] };
}

export function countSkipped({ skipped }: ImportTally, reason: string): void {
  skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
}

export function countRejected({ rejected }: ImportTally, position: Position, rejection: Rejection): void {
  const { field, reason, value } = rejection;
  const entry = rejected.getOrInsertComputed(`${field} ${reason}`, () => ({
    field,
    reason,
    count: 0,
    examples: [],
  }));
  entry.count += 1;
  if (entry.examples.length >= MAX_EXAMPLES) return;
  entry.examples.push(value === undefined ? position : { ...position, value: toShortText(value) });
}

/** The notebook the sources and steps write into. */
export function createNotes({ notes }: ImportTally): NoteField {
  return (field, kind) => {
    const name =
      notes.size < MAX_KINDS || notes.has(`${field} ${kind}`) ? toShortText(field) : "(other members)";
    notes.getOrInsertComputed(`${name} ${kind}`, () => ({ field: name, kind, count: 0 })).count += 1;
  };
}

/** All rejections together. */
export function totalRejected({ rejected }: ImportTally): number {
  return [...rejected.values()].reduce((sum, { count }) => sum + count, 0);
}

/** Lists and objects may be of any size and depth, so only their kind is told. */
function toShortText(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = String(value).replaceAll(/\p{Cc}+/gu, " ");
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…`.toWellFormed() : text;
}
