import { geoTz } from "../large-libraries.ts";
import type { CleanStep } from "./step.ts";

/** The tables of borders put the north of Viet Nam under Bangkok; the law has one zone for the whole country. */
const ZONE_OF_COUNTRY: Readonly<Record<string, string>> = { VN: "Asia/Ho_Chi_Minh" };

/** The IANA zone of the place: its country's where there is but one to name, else the record's own, else the one of its point. */
export const fillTimeZone: CleanStep = (draft, { note }) => {
  const { location } = draft;
  const national = ZONE_OF_COUNTRY[location.country_code];
  const isKnown = location.timezone !== "" && isTimeZone(location.timezone);
  if (location.timezone !== "" && !isKnown)
    note("location.timezone", "not a time zone, taken from the coordinates");
  const timezone = national ?? (isKnown ? location.timezone : zoneAt(location));
  return { ...draft, location: { ...location, timezone } };
};

/** Looked up each time: it takes some microseconds, and a cache of rounded points would be wrong along borders. */
function zoneAt({ latitude, longitude }: { latitude: number; longitude: number }): string {
  return geoTz().find(latitude, longitude)[0] ?? "Etc/UTC";
}

/** There are some hundred zones, but a record may say anything: only names that passed are remembered. */
const known = new Set<string>();

/** Named zones only: an offset such as `+07:00` knows no daylight saving. */
function isTimeZone(name: string): boolean {
  if (known.has(name)) return true;
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    known.add(name);
    return true;
  } catch {
    return false;
  }
}
