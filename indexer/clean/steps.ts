import { isRejection, type PlaceDraft, type Rejection } from "../place-draft.ts";
import { completeAddress, splitAddress } from "./address.ts";
import { checkCoordinates } from "./coordinates.ts";
import { fillCountry } from "./country.ts";
import { fillDataId } from "./data-id.ts";
import { dateHolidays } from "./holidays.ts";
import { cleanNames } from "./names.ts";
import { cleanPhone } from "./phone.ts";
import type { CleanContext, CleanStep } from "./step.ts";
import { cleanStrings } from "./strings.ts";
import { unswapCoordinates } from "./swapped-coordinates.ts";
import { fillTimeZone } from "./time-zone.ts";
import { cleanWebsite } from "./website.ts";

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
