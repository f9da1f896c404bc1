import type { NoteField, PlaceDraft, Rejection } from "../place-draft.ts";
import type { Input } from "./input.ts";

/** Where a record stands, so that a person finds it again: line 12 of a file of lines, element 12 of a list. Counted from 1. */
export interface Position {
  readonly file: string;
  readonly part: "line" | "element";
  readonly number: number;
}

/** What became of one record of the input: a draft to go on with, a record left out on purpose, or one that is wrong. */
export type SourceItem = {
  readonly position: Position;
  /** The record as it was read, a text or a JSON value, for the file of rejected records. */
  readonly record?: unknown;
} & ({ readonly draft: PlaceDraft } | { readonly skipped: string } | { readonly rejected: Rejection });

/** What a source may need besides the bytes. */
export interface SourceContext {
  readonly note: NoteField;
  /** Rules such as "closed in winter" are read for the year that begins here. */
  readonly today: Temporal.PlainDate;
}

/**
 * Reads one input from its beginning to its end, in constant memory.
 * @throws {ImportError} when the input as a whole cannot be read on: cut off, malformed, not what it seemed to be.
 */
export type ReadSource = (input: Input, context: SourceContext) => AsyncGenerator<SourceItem>;
