import type { Coordinates } from "../../../src/place/geometry/coordinates.ts";

const DECIMAL = String.raw`[+-]?\d{1,3}(?:[.,]\d+)?`;

/** `21.0285, 105.8542`, `(21.0285 105.8542)`, and with decimal commas `21,0285; 105,8542`. */
const PAIR = new RegExp(String.raw`^\(?(${DECIMAL})(?: ?[,;] ?| )(${DECIMAL})\)?$`);

/** Well-known text has the longitude first: `POINT (105.8542 21.0285)`. */
const WELL_KNOWN_TEXT = /^POINT\s*\(\s*([+-]?[\d.]+)\s+([+-]?[\d.]+)\s*\)$/i;

/** In links of Google Maps, the pin comes before the middle of the view: `!3d21.02!4d105.85`, `?q=21.02,105.85`, `@21.02,105.85,17z`. */
const IN_LINKS = [
  /!3d(-?\d+\.\d+)!4d(-?\d+\.\d+)/,
  /[?&](?:q|query|ll|destination|center)=(-?\d+\.\d+)(?:,|%2C)(-?\d+\.\d+)/i,
  /@(-?\d+\.\d+),(-?\d+\.\d+)/,
];

const DEGREES = String.raw`(\d{1,3})[°º] ?(\d{1,2})['′’] ?(\d{1,2}(?:[.,]\d+)?)(?:"|″|”|'')`;

/** `21°01'42.6"N 105°51'15.1"E`, as maps show and copy it. In Vietnamese, B, N, Đ and T are north, south, east and west. */
const IN_MINUTES = new RegExp(`^${DEGREES} ?([NSBnsb]),? ?${DEGREES} ?([EWĐTewđt])$`);

/** A centimetre; more is noise of the division. */
const DECIMALS = 7;

/** Degrees, minutes and seconds in degrees. */
const toDegrees = ([degrees = "", minutes = "", seconds = ""]: readonly string[]): number =>
  Number(
    (Number(degrees) + Number(minutes) / 60 + Number(seconds.replace(",", ".")) / 3_600).toFixed(DECIMALS),
  );

function parseMinutes(text: string): Coordinates | undefined {
  const found = IN_MINUTES.exec(text);
  if (!found) return undefined;
  const [north = "", east = ""] = [found[4], found[8]].map((letter) => letter?.toUpperCase());
  // "N" is "nam", the south, beside "đông" and "tây".
  const isVietnamese = east === "Đ" || east === "T";
  const isSouth = north === "S" || (north === "N" && isVietnamese);
  const isWest = east === "W" || east === "T";
  return {
    latitude: (isSouth ? -1 : 1) * toDegrees(found.slice(1, 4)),
    longitude: (isWest ? -1 : 1) * toDegrees(found.slice(5, 8)),
  };
}

/**
 * Reads coordinates of one cell: latitude and longitude in degrees, or with minutes and seconds, well-known text, or a link to a map;
 * `undefined` for anything else.
 */
export function parsePoint(text: string): Coordinates | undefined {
  const [, x, y] = WELL_KNOWN_TEXT.exec(text) ?? [];
  if (x !== undefined && y !== undefined) return { latitude: Number(y), longitude: Number(x) };
  const inMinutes = parseMinutes(text.trim().replaceAll(/\s+/g, " "));
  if (inMinutes) return inMinutes;
  const found = /^https?:/i.test(text)
    ? IN_LINKS.map((pattern) => pattern.exec(text)).find((match) => match !== null)
    : PAIR.exec(text.trim().replaceAll(/\s+/g, " "));
  if (!found) return undefined;
  const [latitude = Number.NaN, longitude = Number.NaN] = found
    .slice(1, 3)
    .map((part) => Number(part.replace(",", ".")));
  return { latitude, longitude };
}
