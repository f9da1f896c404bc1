import { readBusyness } from "../place/time/busyness.ts";
import { isOpenAt, isOpenThen, type MomentIn, type OpeningWish } from "../place/time/open-state.ts";
import type { PlaceSummaryDocument } from "../place/document/place-document.ts";
import { MINUTES_PER_DAY } from "../place/time/time-units.ts";
import { EXACT_LISTS, LOOKUPS } from "./numbers.ts";
import type { Refinements } from "./search-request.ts";

/** Whether places are open and quiet when a request or its query asks for it. The index decides that only roughly. */

/** Whether the index lets places through that are closed or too busy, so that `isAtItsHours` has to check each. */
export const hasHours = ({ openAt, busy }: Refinements): boolean =>
  openAt !== undefined || busy !== undefined;

/** Whether a place is open and quiet enough at the moments of the request. */
export function isAtItsHours(place: PlaceSummaryDocument, { openAt, busy }: Refinements): boolean {
  if (openAt && !isOpenAt(place, openAt)) return false;
  if (busy === undefined) return true;
  const percent = readBusyness(place, busy.at)?.occupancy_percent;
  return percent !== undefined && percent <= busy.maxPercent;
}

/** Whether a place is open as a query wishes: at the moment that the wish means, or around the clock. */
export const isOpenAsWished = (
  place: PlaceSummaryDocument,
  wish: OpeningWish | undefined,
  moment: MomentIn,
): boolean => isOpenThen(place, moment) && (wish !== "24h" || isAlwaysOpen(place));

/** Whether a place is open around the clock on every day. */
const isAlwaysOpen = ({ opening_hours: hours }: PlaceSummaryDocument): boolean =>
  hours !== null &&
  hours.week.every((ranges) => ranges.some(([opens, closes]) => opens === 0 && closes >= MINUTES_PER_DAY));

/** The first `needed` of a list that are open and quiet when they have to be, or all that are. Reads the hours of few others. */
export async function firstAtHours<One>(
  places: readonly One[],
  needed: number,
  atHours: (some: readonly One[]) => Promise<readonly One[]>,
): Promise<readonly One[]> {
  const found: One[] = [];
  let [begin, lot] = [0, needed + LOOKUPS.spare];
  while (begin < places.length && found.length < needed) {
    found.push(...(await atHours(places.slice(begin, begin + lot))));
    begin += lot;
    lot *= EXACT_LISTS.limitGrowth;
  }
  return found;
}
