import { readLocalDays, toEpochMs, TODAY, type LocalDay, type LocalDays } from "./local-days.ts";
import { openLabel, type Language } from "../document/localized-texts.ts";
import { readLocalClock } from "./open-slots.ts";
import { formatClock } from "./opening-hours.ts";
import type { OpeningHours, OpenRange, PlaceDocument } from "../document/place-document.ts";
import { memoize } from "../text/memoize.ts";
import { DAYS_PER_WEEK, MINUTES_PER_DAY } from "./time-units.ts";

/** A week and a day, so that every day of the week comes once after any moment. */
const HORIZON_MS = 8 * 86_400_000;

/** The hours at which a query may wish places to be open: "đang mở cửa", "ăn khuya", "mở cửa sớm", "mở thứ bảy", "24/24". */
export const OPENING_WISHES = ["now", "late", "early", "saturday", "sunday", "24h"] as const;

export type OpeningWish = (typeof OPENING_WISHES)[number];

/** A moment that depends on the local clock; `undefined` for an unknown time zone. */
export type MomentIn = (timezone: string) => Temporal.Instant | undefined;

/** Late is eleven at night, early half past six, on days of the weekend ten in the morning. Who is open at three in the night and all day is open around the clock. */
const WISHED_TIMES: Readonly<Record<Exclude<OpeningWish, "now">, string>> = {
  late: "23:00",
  early: "06:30",
  saturday: "10:00",
  sunday: "10:00",
  "24h": "03:00",
};

/** The days of the weekend as days of the week, Monday is 1. The other wishes mean today. */
const WISHED_DAYS: Readonly<Partial<Record<OpeningWish, number>>> = { saturday: 6, sunday: 7 };

/** When a place must be open to meet a wish, by the clock of its own time zone. `undefined` without a wish or without `now`. */
export function momentOf(
  wish: OpeningWish | undefined,
  now: Temporal.Instant | undefined,
): MomentIn | undefined {
  if (wish === undefined || now === undefined) return undefined;
  if (wish === "now") return () => now;
  return memoize((timezone) => {
    const local = readLocalClock(now, timezone);
    if (local === undefined) return undefined;
    const days = ((WISHED_DAYS[wish] ?? local.dayOfWeek) - local.dayOfWeek + DAYS_PER_WEEK) % DAYS_PER_WEEK;
    const day = local.toPlainDate().add({ days });
    return day.toZonedDateTime({ timeZone: timezone, plainTime: WISHED_TIMES[wish] }).toInstant();
  });
}

/** The fields that open states are computed from. */
export interface OpenStatePlace extends Pick<PlaceDocument, "opening_hours" | "business_status"> {
  readonly location: Pick<PlaceDocument["location"], "timezone">;
}

/** The `open_state` field of a response. */
export interface OpenState {
  is_open_now: boolean;
  text: string;
}

/** A closing time: the moment, and its day and minute in local time. */
interface Closing {
  readonly epochMs: number;
  readonly dayIndex: number;
  readonly minute: number;
}

/**
 * Whether a place is open at a moment, with a text for people, which is empty unless the place is open.
 * Places with unknown hours or an unknown time zone, and those closed temporarily or permanently, are not open.
 */
export function readOpenState(place: OpenStatePlace, now: Temporal.Instant, language: Language): OpenState {
  const plan = readPlan(place, now);
  const closing = plan && findClosing(plan);
  if (plan === undefined || closing === undefined) return { is_open_now: false, text: "" };
  return { is_open_now: true, text: openText(plan, closing, language) };
}

/**
 * Whether a place is open at a moment. Ranges are half open: they include the opening time, but not the
 * closing time.
 */
export function isOpenAt(place: OpenStatePlace, now: Temporal.Instant): boolean {
  const plan = readPlan(place, now);
  return plan !== undefined && findClosing(plan) !== undefined;
}

/** The same at a moment that depends on the place's clock. */
export function isOpenThen(place: OpenStatePlace, momentIn: MomentIn): boolean {
  const moment = momentIn(place.location.timezone);
  return moment !== undefined && isOpenAt(place, moment);
}

/**
 * The next moment at which the place opens or closes, within eight days. `undefined` when it is open around
 * the clock, or when its hours are unknown.
 */
export function nextChange(place: OpenStatePlace, now: Temporal.Instant): Temporal.Instant | undefined {
  const plan = readPlan(place, now);
  const changeMs = plan && findChangeMs(plan);
  return plan === undefined || changeMs === undefined || isBeyondHorizon(plan, changeMs)
    ? undefined
    : Temporal.Instant.fromEpochMilliseconds(changeMs);
}

/**
 * Until when (epoch milliseconds) the open state in a response stays true: until the place opens or closes,
 * until such a change comes within eight days, or until the local day ends, since texts name days. `Infinity`
 * when hours are unknown.
 */
export function openStateHoldsUntilMs(place: OpenStatePlace, now: Temporal.Instant): number {
  const plan = readPlan(place, now);
  if (plan === undefined) return Number.POSITIVE_INFINITY;
  const changeMs = findChangeMs(plan) ?? Number.POSITIVE_INFINITY;
  const saysOtherwiseMs = isBeyondHorizon(plan, changeMs) ? changeMs - HORIZON_MS : changeMs;
  return Math.min(saysOtherwiseMs, toEpochMs(plan, TODAY + 1, 0));
}

const findChangeMs = (plan: Plan): number | undefined => findClosing(plan)?.epochMs ?? findOpeningMs(plan);

/** A place's hours on the days around a moment. */
interface Plan extends LocalDays {
  readonly hours: OpeningHours;
  readonly nowMs: number;
}

function readPlan(place: OpenStatePlace, now: Temporal.Instant): Plan | undefined {
  const hours = place.opening_hours;
  if (hours === null || place.business_status !== "operational") return undefined;
  const nowMs = now.epochMilliseconds;
  const localDays = readLocalDays(place.location.timezone, nowMs);
  return localDays && { timezone: localDays.timezone, days: localDays.days, hours, nowMs };
}

/**
 * The closing time of a place that is open, else `undefined`. Ranges that touch count as one, also over
 * midnight. Yesterday comes first, since its last range may reach into today. The ranges must be in order of
 * their starts.
 */
function findClosing(plan: Plan): Closing | undefined {
  let closing: Closing | undefined;
  for (const [dayIndex, day] of plan.days.entries()) {
    for (const [opens, closes] of rangesOf(plan.hours, day)) {
      const openUntilMs = closing?.epochMs ?? plan.nowMs;
      if (toEpochMs(plan, dayIndex, opens) > openUntilMs) return closing;
      const epochMs = toEpochMs(plan, dayIndex, closes);
      if (epochMs > openUntilMs) closing = { epochMs, dayIndex, minute: closes };
    }
  }
  return closing;
}

/** The next opening of a place that is closed. A range that the clock skips completely does not count. */
function findOpeningMs(plan: Plan): number | undefined {
  for (const [dayIndex, day] of plan.days.entries()) {
    for (const [opens, closes] of rangesOf(plan.hours, day)) {
      const epochMs = toEpochMs(plan, dayIndex, opens);
      if (epochMs > plan.nowMs && toEpochMs(plan, dayIndex, closes) > epochMs) return epochMs;
    }
  }
  return undefined;
}

function rangesOf({ week, special_days: specialDays }: OpeningHours, day: LocalDay): readonly OpenRange[] {
  const special = specialDays.find(({ date }) => date === day.date);
  return special?.ranges ?? week[day.weekday] ?? [];
}

const isBeyondHorizon = ({ nowMs }: Plan, epochMs: number): boolean => epochMs - nowMs > HORIZON_MS;

/** With the time alone when the place closes today (midnight ends today), else with the day too. */
function openText(plan: Plan, { epochMs, dayIndex, minute }: Closing, language: Language): string {
  if (isBeyondHorizon(plan, epochMs)) return openLabel(language);
  if (dayIndex === TODAY && minute <= MINUTES_PER_DAY) return openLabel(language, formatClock(minute));
  const isNextDay = minute >= MINUTES_PER_DAY;
  const clock = formatClock(isNextDay ? minute - MINUTES_PER_DAY : minute);
  const closingDay = isNextDay ? dayIndex + 1 : dayIndex;
  if (closingDay === TODAY) return openLabel(language, clock);
  return openLabel(language, clock, plan.days[closingDay]?.weekday ?? 0);
}
