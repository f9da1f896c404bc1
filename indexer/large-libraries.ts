import type * as CountryCoder from "@rapideditor/country-coder";
import type Holidays from "date-holidays";
import type * as Phones from "libphonenumber-js/max";
import { createRequire } from "node:module";
import type OpeningHours from "opening_hours";

/**
 * Libraries with tables of 15 to 35 MB each, and up to half a second to load. Most imports need one or two of them, so each is
 * loaded by the first record that does.
 */

const require = createRequire(import.meta.url);

/** Loads with the first call, and remembers. */
export function onFirstUse<T>(load: () => T): () => T {
  let loaded: T | undefined;
  return () => (loaded ??= load());
}

export const countryCoder = onFirstUse(() => require("@rapideditor/country-coder") as typeof CountryCoder);

export const holidayCalendar = onFirstUse(() => require("date-holidays") as typeof Holidays);

export const phoneNumbers = onFirstUse(() => require("libphonenumber-js/max") as typeof Phones);

export const osmHours = onFirstUse(() => require("opening_hours") as typeof OpeningHours);
