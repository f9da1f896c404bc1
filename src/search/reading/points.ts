import { decode, expand } from "pluscodes";
import { isCoordinates, type Coordinates } from "../../place/coordinates.ts";

/** In a link of Google Maps: the place itself comes before the middle of the map. */
const LINK_FORMS = [
  /!3d(-?\d+(?:\.\d+)?)!4d(-?\d+(?:\.\d+)?)/,
  /[?&](?:q|query|ll|center|daddr|destination|sll|viewpoint)=(?:loc:)?(-?\d+(?:\.\d+)?)(?:,|%2C)\+?(-?\d+(?:\.\d+)?)/i,
  /\/(?:search|place|dir)\/(-?\d+(?:\.\d+)?),\+?(-?\d+(?:\.\d+)?)/,
  /@(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)/,
];

const DECIMAL_POINT =
  /^\(?([+-]?\d{1,2}(?:\.\d+)?)°?\s*([NS])?\s*[,;\s]\s*([+-]?\d{1,3}(?:\.\d+)?)°?\s*([EW])?\)?$/i;
const DECIMAL_COMMA = /^\(?([+-]?\d{1,2},\d+)°?\s*([NS])?\s*[;\s]\s*([+-]?\d{1,3},\d+)°?\s*([EW])?\)?$/i;
/** `10°46'30.5"N 106°42'0"E`, also with spaces, prime signs, and the letter first. */
const MINUTES =
  /^([NS])?\s*(\d{1,2})\s*[°º d]\s*(?:(\d{1,2}(?:[.,]\d+)?)\s*['’′ m]\s*)?(?:(\d{1,2}(?:[.,]\d+)?)\s*["”″ s]?(?:'')?\s*)?([NS])?[\s,;]+([EW])?\s*(\d{1,3})\s*[°º d]\s*(?:(\d{1,2}(?:[.,]\d+)?)\s*['’′ m]\s*)?(?:(\d{1,2}(?:[.,]\d+)?)\s*["”″ s]?(?:'')?\s*)?([EW])?$/i;

/** A plus code with what may follow it: "QPG5+2C Quận 1, Hồ Chí Minh". */
const PLUS_CODE = /^([23456789CFGHJMPQRVWX]{2,8}\+[23456789CFGHJMPQRVWX]{2,7})(?:[\s,]+(.*))?$/i;
/** Letters before the plus of a code that names its place alone. */
const FULL_CODE_PREFIX = 8;

/** The point that a whole query is; `undefined` when it is none. */
export function readPoint(text: string): Coordinates | undefined {
  const trimmed = text.trim();
  if (/^https?:\/\//i.test(trimmed)) return readLink(trimmed);
  // Words without a digit are no point, and most queries are such.
  if (!/\d.*\d/.test(trimmed)) return undefined;
  const decimal = DECIMAL_POINT.exec(trimmed) ?? DECIMAL_COMMA.exec(trimmed);
  if (decimal) return readDecimal(decimal);
  return readMinutes(trimmed);
}

/** A plus code at the beginning of a query, and the text after it, which names where a short code is. */
export function readPlusCode(text: string): { readonly code: string; readonly rest: string } | undefined {
  const match = PLUS_CODE.exec(text.trim());
  return match?.[1] === undefined ? undefined : { code: match[1].toUpperCase(), rest: match[2] ?? "" };
}

/** The middle of a plus code; a short one means the nearest such code. `undefined` without anything to be near to. */
export function locatePlusCode(code: string, near: Coordinates | undefined): Coordinates | undefined {
  const isFull = code.indexOf("+") === FULL_CODE_PREFIX;
  if (!isFull && near === undefined) return undefined;
  const full = isFull || near === undefined ? code : expand(code, near);
  const location = full === null ? null : decode(full);
  return location ? toPoint(location.latitude, location.longitude) : undefined;
}

function readLink(link: string): Coordinates | undefined {
  for (const form of LINK_FORMS) {
    const match = form.exec(link);
    if (match) return toPoint(Number(match[1]), Number(match[2]));
  }
  return undefined;
}

function readDecimal([, latitude = "", ns, longitude = "", ew]: RegExpExecArray): Coordinates | undefined {
  // Two short whole numbers are more likely something else: "12 34".
  if (![latitude, longitude].some((value) => /[.,]/.test(value)) && ns === undefined && ew === undefined)
    return undefined;
  const sign = (letter: string | undefined): number => (/[SW]/i.test(letter ?? "") ? -1 : 1);
  return toPoint(sign(ns) * toNumber(latitude), sign(ew) * toNumber(longitude));
}

function readMinutes(text: string): Coordinates | undefined {
  const match = MINUTES.exec(text);
  if (!match) return undefined;
  const [
    ,
    nsFirst,
    latitude,
    latitudeMinutes,
    latitudeSeconds,
    ns,
    ewFirst,
    longitude,
    minutes,
    seconds,
    ew,
  ] = match;
  const northSouth = nsFirst ?? ns;
  const eastWest = ewFirst ?? ew;
  if (northSouth === undefined || eastWest === undefined) return undefined;
  return toPoint(
    toDegrees([latitude, latitudeMinutes, latitudeSeconds], northSouth),
    toDegrees([longitude, minutes, seconds], eastWest),
  );
}

function toDegrees(parts: readonly (string | undefined)[], letter: string): number {
  const [degrees = 0, minutes = 0, seconds = 0] = parts.map((part) => toNumber(part ?? "0"));
  return (degrees + minutes / 60 + seconds / 3600) * (/[SW]/i.test(letter) ? -1 : 1);
}

const toNumber = (text: string): number => Number(text.replace(",", "."));

function toPoint(latitude: number, longitude: number): Coordinates | undefined {
  const point = { latitude, longitude };
  return Number.isFinite(latitude + longitude) && isCoordinates(point) ? point : undefined;
}
