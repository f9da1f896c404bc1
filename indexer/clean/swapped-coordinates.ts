import { isCoordinates, type Coordinates } from "../../src/place/coordinates.ts";
import { fold } from "../../src/text/fold.ts";
import { countryCoder } from "../large-libraries.ts";
import type { PlaceDraft } from "../place-draft.ts";
import type { CleanStep } from "./step.ts";

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
  note("location", "latitude and longitude swapped, put right");
  return { ...draft, location: { ...location, ...swapped } };
};

/** The country of land or sea at a point, without its territories; "" on the high seas and for what is no point. */
function countryAt({ latitude, longitude }: Coordinates): string {
  if (!isCoordinates({ latitude, longitude })) return "";
  return countryCoder().iso1A2Code([longitude, latitude]) ?? "";
}

const COUNTRY_CODE = /^[a-z]{2}$/i;

/** The record's code, else the country that its address ends with; "" when it says nothing. */
function statedCountry({ location }: PlaceDraft): string {
  const { country_code: code, address } = location;
  if (COUNTRY_CODE.test(code)) return code.toUpperCase();
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
