import { hash } from "node:crypto";
import { buildDataId, parseDataId } from "../../src/place/data-id.ts";
import { leafCell, checkCoordinates, fillCountry, unswapCoordinates, fillTimeZone } from "./location.ts";
import type { CleanStep, CleanContext } from "./step.ts";
import { isRejection, type PlaceDraft, type Rejection } from "./place-draft.ts";
import { completeAddress, splitAddress } from "./address.ts";
import { dateHolidays } from "./holidays.ts";
import { cleanNames, cleanStrings } from "./strings.ts";
import { cleanPhone, cleanWebsite } from "./phone.ts";

/**
 * The record's own data id in its canonical form. Without one, the S2 leaf cell of the location and the first 64 bits of
 * SHA-256 over source and source id: the same for as long as the source keeps the place's id.
 */
export const fillDataId: CleanStep = (draft) => {
  if (draft.data_id !== "") {
    const dataId = parseDataId(draft.data_id);
    return dataId === undefined
      ? { field: "data_id", reason: "not of the form 0x<hex>:0x<hex>", value: draft.data_id }
      : { ...draft, data_id: dataId };
  }
  if (draft.source_id === "") return { field: "source_id", reason: "empty, and no data_id either" };
  return { ...draft, data_id: buildDataId(leafCell(draft.location), identityOf(draft)) };
};

/**
 * The identity of a place that is known by its source and source id only. A NUL parts the two, so that no other pair joins to
 * the same text.
 */
export function identityOf({ source, source_id: sourceId }: { source: string; source_id: string }): bigint {
  return BigInt(`0x${hash("sha256", `${source}\0${sourceId}`).slice(0, 16)}`);
}

/** Every draft goes through these in this order; what a step needs from another stands above it. */
const STEPS: readonly CleanStep[] = [
  cleanStrings,
  cleanNames,
  unswapCoordinates,
  checkCoordinates,
  cleanWebsite,
  fillCountry,
  cleanPhone,
  fillTimeZone,
  splitAddress,
  completeAddress,
  dateHolidays,
  fillDataId,
];

/** The draft after all steps, or the first reason for which it is refused. */
export function cleanDraft(draft: PlaceDraft, context: CleanContext): PlaceDraft | Rejection {
  let cleaned = draft;
  for (const step of STEPS) {
    const result = step(cleaned, context);
    if (isRejection(result)) return result;
    cleaned = result;
  }
  return cleaned;
}
