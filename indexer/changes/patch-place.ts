import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { cleanToDocument } from "../clean/clean-records.ts";
import {
  isRejection,
  type CleanContext,
  type NoteField,
  type PlaceDraft,
  type Rejection,
} from "../clean/place-draft.ts";
import { toNativeDraft, toNativeRecord } from "../sources/native/native-place.ts";
import { asObject } from "../sources/record-fields.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** Merges as RFC 7396: fields that are not named stay, `null` removes one, a list is replaced as a whole. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  const changes = asObject(patch);
  if (!changes) return patch;
  const merged: Record<string, unknown> = { ...asObject(target) };
  for (const [name, value] of Object.entries(changes)) {
    if (name === "__proto__") continue;
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

/**
 * Changes some fields of a place, as its native record has them, and cleans the result like any record. Its id stays. A new
 * part of the address is put into the one-line address, unless the patch has that too.
 */
export function patchPlace(
  place: PlaceDocument,
  patch: JsonObject,
  context: CleanContext,
): PlaceDocument | Rejection {
  const { data_id: _, source: __, source_id: ___, ...changes } = patch;
  const record = mergePatch(withoutEstimate(withNewLine(toNativeRecord(place), patch), patch), changes);
  let refused: Rejection | undefined;
  // What an import would leave out would be lost here: the place keeps what it had.
  const refuse: NoteField = (field, kind, value) =>
    void (refused ??= { field, reason: kind.replace(/, (?:ignored|dropped)$/, ""), value });
  const draft = toNativeDraft(record, refuse);
  if (refused ?? isRejection(draft)) return refused ?? (draft as Rejection);
  const note: NoteField = (field, kind, value) =>
    field.startsWith("contacts.") && kind.endsWith("dropped") && "contacts" in changes
      ? refuse(field, kind, value)
      : context.note(field, kind, value);
  const cleaned = cleanToDocument(draft as PlaceDraft, { ...context, note });
  return refused ?? cleaned;
}

/** A point that somebody has put there is no estimate. */
function withoutEstimate(record: object, patch: JsonObject): unknown {
  const location = asObject(patch["location"]) ?? {};
  const isPlaced = "latitude" in location || "longitude" in location;
  return isPlaced ? mergePatch(record, { location: { estimated_from: null } }) : record;
}

/** The one-line address repeats the parts: a part that changes is changed there too. */
function withNewLine(record: object, patch: JsonObject): object {
  const address = asObject(asObject(patch["location"])?.["address"]);
  if (!address || "full" in address) return record;
  const before = asObject(asObject((record as JsonObject)["location"])?.["address"]) ?? {};
  let full = String(before["full"]);
  for (const [part, value] of Object.entries(address)) {
    const [old, now] = [before[part], value ?? ""];
    if (typeof old === "string" && old !== "" && typeof now === "string") full = full.replace(old, () => now);
  }
  return mergePatch(record, { location: { address: { full: full.replace(/^[, ]+/, "") } } }) as object;
}
