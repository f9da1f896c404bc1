import { isCoordinates, type Coordinates } from "../../src/place/geometry/coordinates.ts";
import type { CleanStep, NoteField, PlaceDraft, Rejection } from "./place-draft.ts";
import { fold } from "../../src/place/text/fold.ts";
import { countryCoder, phoneNumbers } from "../large-libraries.ts";
import { isProvince } from "./address.ts";
import { findTimeZone } from "./time-zones.ts";
import { s2 } from "s2js";

/** Two decimals are accurate to about a kilometre, which may be the next quarter. */
const FEW_DECIMALS_FACTOR = 100;

/**
 * Rejects coordinates that are not a point on Earth, and 0/0, the sea off Africa where missing coordinates
 * end up. A point with two decimals or fewer is kept and noted.
 */
export const checkCoordinates: CleanStep = (draft, { note }) => {
  const { latitude, longitude } = draft.location;
  const value = `${latitude}, ${longitude}`;
  if (Number.isNaN(latitude) && Number.isNaN(longitude)) return noCoordinates(draft);
  if (Number.isNaN(latitude) || Number.isNaN(longitude))
    return { field: "location", reason: "not a number", value };
  if (!isCoordinates(draft.location)) {
    const isSwapped = isCoordinates({ latitude: longitude, longitude: latitude });
    const hint = isSwapped ? "; latitude and longitude look swapped, --swap reads them the other way" : "";
    return { field: "location", reason: `outside latitude ±90 or longitude ±180${hint}`, value };
  }
  if (latitude === 0 && longitude === 0) return { field: "location", reason: "0, 0 means no coordinates" };
  if (isRough(latitude) && isRough(longitude))
    note("location", "two decimals or fewer, up to a kilometre off");
  return draft;
};

/** Why a draft without a point is rejected; its name and address help to find one. */
export const noCoordinates = (draft: PlaceDraft): Rejection => ({
  field: "location",
  reason: NO_COORDINATES,
  value: [draft.title, addressLine(draft)].filter((text) => text !== "").join(", ") || undefined,
});

/** The advice of a report counts these. */
export const NO_COORDINATES = "no coordinates";

/** The address as it would be written on a letter. */
const addressLine = ({ location: { address } }: PlaceDraft): string =>
  address.full || [address.street, address.ward, address.city].filter((part) => part !== "").join(", ");

/** Allows for rounding: 10.77 times 100 is not quite 1077. */
const isRough = (degrees: number): boolean =>
  Math.round(degrees * FEW_DECIMALS_FACTOR) / FEW_DECIMALS_FACTOR === degrees;

/**
 * Corrects swapped latitude and longitude. This requires evidence: the record states its country, the point
 * lies elsewhere, and the swapped point lies in that country. Without evidence the point does not change.
 */
export const unswapCoordinates: CleanStep = (draft, { note }) => {
  const { location } = draft;
  const swapped = { latitude: location.longitude, longitude: location.latitude };
  // A swapped point is invalid in Vietnam, and wherever else the longitude exceeds 90 degrees.
  if (!isCoordinates(swapped)) return draft;
  const country = statedCountry(draft);
  if (country === "" || countryAt(location) === country || countryAt(swapped) !== country) return draft;
  note("location", "latitude and longitude swapped, corrected");
  return { ...draft, location: { ...location, ...swapped } };
};

/**
 * The country of land or sea at a point, without its territories; "" on the high seas and for an invalid
 * point.
 */
function countryAt({ latitude, longitude }: Coordinates): string {
  if (!isCoordinates({ latitude, longitude })) return "";
  return countryCoder().iso1A2Code([longitude, latitude]) ?? "";
}

const ANY_COUNTRY_CODE = /^[a-z]{2}$/i;

/**
 * The record's country code, else the country at the end of its address, or Vietnam where one of its
 * provinces is there; "" when it states none.
 */
function statedCountry({ location }: PlaceDraft): string {
  const { country_code: code, address } = location;
  if (ANY_COUNTRY_CODE.test(code)) return code.toUpperCase();
  const last = address.full.slice(address.full.lastIndexOf(",") + 1);
  const named = CODE_OF_NAME.get(fold(address.country || last));
  return named ?? (isProvince(address.city || last) ? "VN" : "");
}

/** Where places lie that are not where their record says; the advice of a report counts these notes. */
export const ASTRAY = {
  sea: "in the open sea",
  coast: "in no ward of Vietnam: in the sea or behind a border",
  country: "outside the country of the phone or address",
} as const;

/**
 * Notes that a place lies in the open sea, or in another country than its phone and its address, as the
 * record has them. `at` is the country or territory at its point.
 */
function noteAstray({ location, contacts }: PlaceDraft, at: string, stated: string, note: NoteField): void {
  if (at === "") note("location", ASTRAY.sea, `${location.latitude}, ${location.longitude}`);
  else if (isElsewhere(at, contacts.phone, stated))
    note("location", ASTRAY.country, `${location.latitude}, ${location.longitude}: ${countryName(at)}`);
}

function isElsewhere(at: string, phone: string, stated: string): boolean {
  if (stated !== "") return stated !== at && countryOf(stated) !== countryOf(at);
  if (!phone.trimStart().startsWith("+") || !phoneNumbers().isSupportedCountry(at)) return false;
  return !phone.replaceAll(/[\s().-]/g, "").startsWith(`+${phoneNumbers().getCountryCallingCode(at)}`);
}

/** Hong Kong lies in China: the country of a territory. */
const countryOf = (code: string): string => countryCoder().iso1A2Code(code, { level: "country" }) ?? code;

const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index));

/** Names of countries in Vietnamese and English: every pair of letters that the runtime has a name for. */
const CODE_OF_NAME: ReadonlyMap<string, string> = new Map(
  ["vi", "en"].flatMap((language) => {
    const names = new Intl.DisplayNames(language, { type: "region", fallback: "none" });
    const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
    return codes.flatMap((code) => {
      const name = names.of(code);
      return name === undefined ? [] : [[fold(name), code] as const];
    });
  }),
);

const COUNTRY_CODE = /^[A-Z]{2}$/;

/**
 * Fills in the ISO 3166-1 code of the country or territory: the record's, else the one whose land or waters
 * contain the point. It stays empty on the high seas. Also fills in the country's name when the record has
 * none.
 */
export const fillCountry: CleanStep = (draft, { note }) => {
  const { location } = draft;
  const given = location.country_code.toUpperCase();
  if (given !== "" && !COUNTRY_CODE.test(given))
    note("location.country_code", "not two letters, taken from the coordinates");
  const isGiven = COUNTRY_CODE.test(given);
  const code = isGiven ? given : codeAt(location);
  if (!isGiven) noteAstray(draft, code, statedCountry(draft), note);
  const country = location.address.country || countryName(code);
  return {
    ...draft,
    location: { ...location, country_code: code, address: { ...location.address, country } },
  };
};

/** Territories such as Hong Kong and Puerto Rico have separate codes. */
function codeAt({ latitude, longitude }: { latitude: number; longitude: number }): string {
  return countryCoder().iso1A2Code([longitude, latitude], { level: "territory" }) ?? "";
}

/** In Vietnamese, the default language of our texts. */
const COUNTRY_NAMES = new Intl.DisplayNames("vi", { type: "region", fallback: "none" });

const countryNames = new Map([["", ""]]);

const countryName = (code: string): string =>
  countryNames.getOrInsertComputed(code, () => COUNTRY_NAMES.of(code) ?? "");

/** The border data puts the north of Vietnam in Bangkok's zone. By law the whole country has one zone. */
const ZONE_OF_COUNTRY: Readonly<Record<string, string>> = { VN: "Asia/Ho_Chi_Minh" };

/**
 * Fills in the IANA time zone: the country's when it has a single known one, else the record's, else the one
 * at its point.
 */
export const fillTimeZone: CleanStep = (draft, { note }) => {
  const { location } = draft;
  const national = ZONE_OF_COUNTRY[location.country_code];
  const isKnown = location.timezone !== "" && isTimeZone(location.timezone);
  if (location.timezone !== "" && !isKnown)
    note("location.timezone", "not a time zone, taken from the coordinates");
  const timezone = national ?? (isKnown ? location.timezone : findTimeZone(location));
  return { ...draft, location: { ...location, timezone } };
};

/** There are some hundred zones, but a record may contain any text. Only valid names are cached. */
const known = new Set<string>();

/** Accepts named zones only: an offset such as `+07:00` does not handle daylight saving. */
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

/** The S2 leaf cell of a point, the first half of a data id. */
export const leafCell = ({ latitude, longitude }: Coordinates): bigint =>
  s2.cellid.fromLatLng(s2.LatLng.fromDegrees(latitude, longitude));
