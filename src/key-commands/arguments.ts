import { InvalidArgumentError } from "commander";
import { listOf } from "../cli/options.ts";
import { isKeyId, isNetwork, isOrigin, MAX_NAME_LENGTH } from "../keys/key-record.ts";

const DAY_MS = 86_400_000;

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY_MS };

/** A key that should live longer gets no expiry. */
const MAX_DURATION_MS = 36_500 * DAY_MS;

/** Parses the id of a key. Accepts a whole key too, so that a leaked one can be revoked as it was found. */
export function parseId(text: string): string {
  const id = /^hab_([^_]*)/.exec(text)?.[1] ?? text;
  if (!isKeyId(id))
    throw new InvalidArgumentError('An id is 12 digits and lower-case letters; "keys list" shows all.');
  return id;
}

/** Parses a name of one line. */
export function parseName(text: string): string {
  const name = text.trim();
  if (name !== "" && name.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(name)) return name;
  throw new InvalidArgumentError(`A name is one line of 1 to ${MAX_NAME_LENGTH} letters.`);
}

/** Parses `90d`, `12h`, `30m` or `0` to milliseconds. */
export function parseDuration(text: string): number {
  const [, count = "", unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const durationMs = text === "0" ? 0 : Number(count) * (UNIT_MS[unit] ?? Number.NaN);
  if (durationMs <= MAX_DURATION_MS) return durationMs;
  throw new InvalidArgumentError("Give minutes, hours or days: 30m, 12h, 90d.");
}

/**
 * Parses a duration from now, a date (the last valid day, in UTC), or a time such as `2027-01-31T18:00:00Z`.
 */
export function parseEnd(text: string, now: Date): Date {
  const end = new Date(toEndMs(text, now));
  if (Number.isNaN(end.getTime())) {
    throw new InvalidArgumentError(
      "Give 30m, 12h, 90d, a last day 2027-01-31, or a time 2027-01-31T18:00:00Z.",
    );
  }
  if (end <= now) throw new InvalidArgumentError("That is in the past.");
  return end;
}

function toEndMs(text: string, now: Date): number {
  if (/^\d+[mhd]$/.test(text)) return now.getTime() + parseDuration(text);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return isRealDay(text) ? Date.parse(text) + DAY_MS : Number.NaN;
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  return isTime && isRealDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
}

/** JavaScript reads the 31st of February as the 3rd of March. */
const isRealDay = (day: string): boolean => {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
};

/** Parse the origins and the addresses to which a key is restricted. */
export const parseOrigins = listOf(isOrigin, "origins such as https://app.example");
export const parseAddresses = listOf(isNetwork, "addresses or networks such as 192.0.2.7 or 192.0.2.0/24");

/** Parses as `parse` does, but also accepts the given word. */
export const parseOr =
  <Word extends string, T>(word: Word, parse: (text: string) => T) =>
  (text: string): T | Word =>
    text === word ? word : parse(text);
