import { countryCoder } from "../large-libraries.ts";
import type { CleanStep } from "./step.ts";

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
