import { decode, expand } from "pluscodes";
import { isCoordinates, type Coordinates } from "./coordinates.ts";

/** In a Google Maps link, the coordinates of the place come before those of the map's centre. */
const LINK_FORMS = [
  /!3d(-?\d+(?:\.\d+)?)!4d(-?\d+(?:\.\d+)?)/,
  /[?&](?:q|query|ll|center|daddr|destination|sll|viewpoint)=(?:loc:)?(-?\d+(?:\.\d+)?)(?:,|%2C)\+?(-?\d+(?:\.\d+)?)/i,
  /\/(?:search|place|dir)\/(-?\d+(?:\.\d+)?),\+?(-?\d+(?:\.\d+)?)/,
  /@(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)/,
];

/** The signs of points. The longest that programs write, with fifteen decimals, have half of these 100. */
const POINT_SIGNS = /^[-+\d.,;°º'’′"”″() NSEWDM]{3,100}$/i;

// The patterns read text whose runs of white space are one space: neighbouring parts that share a run of any length would be tried with
// every way to divide it.
const DECIMAL_POINT =
  /^\(?([+-]?\d{1,2}(?:\.\d+)?)°? ?([NS])? ?[,; ] ?([+-]?\d{1,3}(?:\.\d+)?)°? ?([EW])?\)?$/i;
const DECIMAL_COMMA = /^\(?([+-]?\d{1,2},\d+)°? ?([NS])? ?[; ] ?([+-]?\d{1,3},\d+)°? ?([EW])?\)?$/i;
/** `46'30.5"`, perhaps without the seconds. */
const MINUTES = String.raw`(?:(\d{1,2}(?:[.,]\d+)?) ?['’′ m] ?)?(?:(\d{1,2}(?:[.,]\d+)?) ?["”″ s]?(?:'')? ?)?`;
/** `10°46'30.5"N 106°42'0"E`, also with spaces, prime signs, or the letter first. */
const DEGREES = new RegExp(
  String.raw`^([NS])? ?(\d{1,2}) ?[°º d] ?${MINUTES}([NS])?[ ,;]{1,4}([EW])? ?(\d{1,3}) ?[°º d] ?${MINUTES}([EW])?$`,
  "i",
);

/** A plus code and the text that may follow it: "QPG5+2C Quận 1, Hồ Chí Minh". */
const PLUS_CODE = /^([23456789CFGHJMPQRVWX]{2,8}\+[23456789CFGHJMPQRVWX]{2,7})(?:[\s,]+([^\s,].*)?)?$/is;
/** The number of letters before the plus sign in a full code, which needs no area. */
const FULL_CODE_PREFIX = 8;

/** Reads a query that is nothing but a point; otherwise returns `undefined`. */
export function readPoint(text: string): Coordinates | undefined {
  const trimmed = text.trim();
  if (/^https?:\/\//i.test(trimmed)) return readLink(trimmed);
  const plain = trimmed.replaceAll(/\s+/g, " ");
  if (!POINT_SIGNS.test(plain)) return undefined;
  const decimal = DECIMAL_POINT.exec(plain) ?? DECIMAL_COMMA.exec(plain);
  return decimal ? readDecimal(decimal) : readDegrees(plain);
}

/** A plus code at the beginning of a query, and the text after it, which says where a short code is. */
export function readPlusCode(text: string): { readonly code: string; readonly rest: string } | undefined {
  const match = PLUS_CODE.exec(text.trim());
  return match?.[1] === undefined ? undefined : { code: match[1].toUpperCase(), rest: match[2] ?? "" };
}

/** The centre of a plus code. A short code means the nearest one; `undefined` when there is nothing to be near to. */
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
  // Two short whole numbers, such as "12 34", are more likely something else.
  if (![latitude, longitude].some((value) => /[.,]/.test(value)) && ns === undefined && ew === undefined)
    return undefined;
  const sign = (letter: string | undefined): number => (/[SW]/i.test(letter ?? "") ? -1 : 1);
  return toPoint(sign(ns) * toNumber(latitude), sign(ew) * toNumber(longitude));
}

function readDegrees(text: string): Coordinates | undefined {
  const match = DEGREES.exec(text);
  const northSouth = match?.[1] ?? match?.[5];
  const eastWest = match?.[6] ?? match?.[10];
  if (!match || northSouth === undefined || eastWest === undefined) return undefined;
  return toPoint(toDegrees(match.slice(2, 5), northSouth), toDegrees(match.slice(7, 10), eastWest));
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
