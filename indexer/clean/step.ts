import type { NoteField, PlaceDraft, Rejection } from "./place-draft.ts";

export interface CleanContext {
  readonly note: NoteField;
  readonly today: Temporal.PlainDate;
}

/** One step of the cleaning: a better draft, or why there can be no place. */
export type CleanStep = (draft: PlaceDraft, context: CleanContext) => PlaceDraft | Rejection;
