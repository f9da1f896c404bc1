import * as v from "valibot";
import { placeDocumentSchema, type PlaceDocument } from "../src/place/place-document.ts";
import type { PlaceDraft, Rejection } from "./place-draft.ts";

/**
 * The last look before the index: a cleaned draft that the schema of the place document accepts. Only a mistake of a source
 * or a step ends here, so the reason is the schema's own.
 */
export function toPlaceDocument(draft: PlaceDraft): PlaceDocument | Rejection {
  const checked = v.safeParse(placeDocumentSchema, draft, { abortEarly: true });
  if (checked.success) return checked.output;
  const [issue] = checked.issues;
  return {
    field: (v.getDotPath(issue) ?? "record").replaceAll(/\.\d+/g, "[]"),
    reason: `the place document wants ${issue.expected ?? "something else"}`,
    value: issue.received,
  };
}
