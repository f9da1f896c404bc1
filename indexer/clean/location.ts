import { isCoordinates, type Coordinates } from "../../src/place/coordinates.ts";
import type { CleanStep, PlaceDraft } from "./place-draft.ts";
import { fold } from "../../src/place/text/fold.ts";
import { countryCoder, geoTz } from "../large-libraries.ts";
import { s2 } from "s2js";

/** Two decimals are up to a kilometre, which is the next quarter. */
const FEW_DECIMALS_FACTOR = 100;

/**
 * Refuses coordinates that are no point of the Earth, and 0/0, the sea off Africa where lost coordinates go. A point of two
 * decimals or less is kept, and noted.
 */
export const checkCoordinates: CleanStep = (draft, { note }) => {
  const { latitude, longitude } = draft.location;
  const value = `${latitude}, ${longitude}`;
  if (Number.isNaN(latitude) || Number.isNaN(longitude))
    return { field: "location", reason: "not a number", value };
  if (!isCoordinates(draft.location)) {
    return { field: "location", reason: "outside latitude ±90 or longitude ±180", value };
  }
  if (latitude === 0 && longitude === 0) return { field: "location", reason: "0, 0 means no coordinates" };
  if (isRough(latitude) && isRough(longitude))
    note("location", "two decimals or fewer, up to a kilometre off");
  return draft;
};

/** The product of 10.77 and 100 is not quite 1077. */
const isRough = (degrees: number): boolean =>
  Math.round(degrees * FEW_DECIMALS_FACTOR) / FEW_DECIMALS_FACTOR === degrees;

/**
 * Latitude and longitude the right way round, where a record says which country it is in, its point lies elsewhere, and the
 * swapped one lies there. Without that evidence a point is left as it is: half the Earth is land somewhere.
 */
export const unswapCoordinates: CleanStep = (draft, { note }) => {
  const { location } = draft;
  const swapped = { latitude: location.longitude, longitude: location.latitude };
  // In Viet Nam and everywhere else beyond 90 degrees this is the end of it.
  if (!isCoordinates(swapped)) return draft;
  const country = statedCountry(draft);
  if (country === "" || countryAt(location) === country || countryAt(swapped) !== country) return draft;
  note("location", "latitude and longitude swapped, corrected");
  return { ...draft, location: { ...location, ...swapped } };
};

/** The country of land or sea at a point, without its territories; "" on the high seas and for what is no point. */
function countryAt({ latitude, longitude }: Coordinates): string {
  if (!isCoordinates({ latitude, longitude })) return "";
  return countryCoder().iso1A2Code([longitude, latitude]) ?? "";
}

const ANY_COUNTRY_CODE = /^[a-z]{2}$/i;

/** The record's code, else the country that its address ends with; "" when it says nothing. */
function statedCountry({ location }: PlaceDraft): string {
  const { country_code: code, address } = location;
  if (ANY_COUNTRY_CODE.test(code)) return code.toUpperCase();
  const name = address.country || address.full.slice(address.full.lastIndexOf(",") + 1);
  return CODE_OF_NAME.get(fold(name)) ?? "";
}

const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index));

/** Names of countries in Vietnamese and English, by what the runtime knows of every pair of letters. */
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
 * The ISO 3166-1 code of the country or territory: the record's own, else the one whose land or waters hold the point.
 * Stays empty on the high seas. The country's name follows the code where the record has none.
 */
export const fillCountry: CleanStep = (draft, { note }) => {
  const { location } = draft;
  const given = location.country_code.toUpperCase();
  if (given !== "" && !COUNTRY_CODE.test(given))
    note("location.country_code", "not two letters, taken from the coordinates");
  const code = COUNTRY_CODE.test(given) ? given : codeAt(location);
  const country = location.address.country || countryName(code);
  return {
    ...draft,
    location: { ...location, country_code: code, address: { ...location.address, country } },
  };
};

/** Territories (Hong Kong, Puerto Rico) have codes of their own. */
function codeAt({ latitude, longitude }: { latitude: number; longitude: number }): string {
  return countryCoder().iso1A2Code([longitude, latitude], { level: "territory" }) ?? "";
}

/** In Vietnamese, the language our own texts come in by default. */
const COUNTRY_NAMES = new Intl.DisplayNames("vi", { type: "region", fallback: "none" });

const remembered = new Map([["", ""]]);

const countryName = (code: string): string =>
  remembered.getOrInsertComputed(code, () => COUNTRY_NAMES.of(code) ?? "");

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

/** The S2 leaf cell of a point, the first half of a data id. */
export const leafCell = ({ latitude, longitude }: Coordinates): bigint =>
  s2.cellid.fromLatLng(s2.LatLng.fromDegrees(latitude, longitude));
