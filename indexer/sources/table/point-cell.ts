import type { Coordinates } from "../../../src/place/geometry/coordinates.ts";

const DECIMAL = String.raw`\d{1,3}(?:[.,]\d+)?`;
const MINUTES = String.raw`(?:(${DECIMAL}) ?['′’] ?)?(?:(${DECIMAL}) ?(?:"|″|”|''))?`;
const LETTER = "[NSEWBĐTnsewbđt]";

const IN_DEGREES = String.raw`([+-]?${DECIMAL})(?: ?[°º˚] ?${MINUTES})?`;

/** `N 10.7769°`, and `10.7769`, `10,7769`, `-33.86`, `10°46'37"N`, `10°46.617'`. In Vietnamese, B, N, Đ and T are north, south, east and west. */
const FORMS = [`(${LETTER}) ?${IN_DEGREES}()`, `()${IN_DEGREES}(?: ?(${LETTER}))?`];

const ONE = FORMS.map((form) => new RegExp(`^${form}$`));

/** `21.0285, 105.8542`, `(21.0285 105.8542)`, and with decimal commas `21,0285; 105,8542`. */
const PAIR = FORMS.map((form) => new RegExp(String.raw`^\(?${form}(?: ?[,;] ?| )${form}\)?$`));

/** The groups of the form that a text has. */
const match = (forms: readonly RegExp[], text: string): RegExpExecArray | undefined => {
  const plain = text.trim().replaceAll(/\s+/g, " ");
  return forms.map((form) => form.exec(plain)).find((found) => found !== null) ?? undefined;
};

/** Well-known text has the longitude first: `POINT (105.8542 21.0285)`. */
const WELL_KNOWN_TEXT = /^POINT\s*\(\s*([+-]?[\d.]+)\s+([+-]?[\d.]+)\s*\)$/i;

/** In links of Google Maps, the pin comes before the middle of the view: `!3d21.02!4d105.85`, `?q=21.02,105.85`, `@21.02,105.85,17z`, `/dir//21.02,105.85`. */
const IN_LINKS = [
  /!3d(-?\d+\.\d+)!4d(-?\d+\.\d+)/,
  /[?&](?:q|query|ll|destination|center)=(-?\d+\.\d+)(?:,|%2C)(-?\d+\.\d+)/i,
  /@(-?\d+\.\d+),(-?\d+\.\d+)/,
  /\/(-?\d+\.\d+),(?:\+|%20)?(-?\d+\.\d+)/,
];

/** A centimetre; more is noise of the division. */
const DECIMALS = 7;

/** The groups of one coordinate: a letter before, degrees, minutes, seconds, a letter after. */
const GROUPS = 5;

function toDegrees(groups: readonly (string | undefined)[], isNegative: (letter: string) => boolean): number {
  const [before = "", degrees = "", minutes = "0", seconds = "0", after = ""] = groups;
  const [whole = 0, part = 0, rest = 0] = [degrees, minutes, seconds].map((text) =>
    Number(text.replace(",", ".")),
  );
  const sum = Number((Math.abs(whole) + part / 60 + rest / 3_600).toFixed(DECIMALS));
  return degrees.startsWith("-") || isNegative((before + after).toUpperCase()) ? -sum : sum;
}

/**
 * Reads one coordinate, in degrees or with minutes and seconds; `undefined` for anything else. "N" is the
 * north; only a pair can say that it is "nam", the south.
 */
export function parseDegrees(text: string): number | undefined {
  const found = match(ONE, text);
  return found && toDegrees(found.slice(1), (letter) => ["S", "W", "T"].includes(letter));
}

function parsePair(text: string): Coordinates | undefined {
  const groups = match(PAIR, text)?.slice(1);
  if (!groups) return undefined;
  const [north, east] = [groups.slice(0, GROUPS), groups.slice(GROUPS)];
  const isVietnamese = /[ĐT]/i.test(`${east[0] ?? ""}${east[4] ?? ""}`);
  return {
    latitude: toDegrees(north, (letter) => letter === "S" || (letter === "N" && isVietnamese)),
    longitude: toDegrees(east, (letter) => letter === "W" || letter === "T"),
  };
}

/**
 * Reads coordinates of one cell: latitude and longitude in degrees, or with minutes and seconds, well-known text, or a link to a map;
 * `undefined` for anything else.
 */
export function parsePoint(text: string): Coordinates | undefined {
  const [, x, y] = WELL_KNOWN_TEXT.exec(text) ?? [];
  if (x !== undefined && y !== undefined) return { latitude: Number(y), longitude: Number(x) };
  if (!isLink(text)) return parsePair(text);
  const [, latitude, longitude] = match(IN_LINKS, text) ?? [];
  return latitude === undefined ? undefined : { latitude: Number(latitude), longitude: Number(longitude) };
}

/** Whether a cell has the address of a page. */
export const isLink = (text: string): boolean => /^https?:/i.test(text);
