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

/** Reads coordinates of one cell: latitude and longitude, well-known text, or a link to a map; `undefined` for anything else. */
export function parsePoint(text: string): Coordinates | undefined {
  const [, x, y] = WELL_KNOWN_TEXT.exec(text) ?? [];
  if (x !== undefined && y !== undefined) return { latitude: Number(y), longitude: Number(x) };
  const found = /^https?:/i.test(text)
    ? IN_LINKS.map((pattern) => pattern.exec(text)).find((match) => match !== null)
    : PAIR.exec(text.trim().replaceAll(/\s+/g, " "));
  if (!found) return undefined;
  const [latitude = Number.NaN, longitude = Number.NaN] = found
    .slice(1, 3)
    .map((part) => Number(part.replace(",", ".")));
  return { latitude, longitude };
}
