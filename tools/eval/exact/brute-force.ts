import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import type { Points } from "../../../test/support/polyline.ts";

/**
 * Finds the right list by checking every place. It shares nothing with the program except the type of a
 * place.
 */

/** What to look for, in explicit terms. */
export interface Wanted {
  readonly query: string;
  /** The kind's types, and phrases for it in names; for a name, the words it must contain. */
  readonly types?: readonly string[];
  readonly phrase?: string;
  readonly words?: readonly string[];
  /** Ids of the areas of which the place must be in one. */
  readonly areas?: readonly string[];
  /** The words of a street, and the number before it; if no place has the number, the whole street counts. */
  readonly street?: readonly string[];
  readonly house?: string;
  /** A typed point: it is the centre, and every place matches. */
  readonly point?: { readonly lat: number; readonly lng: number };
}

/** What requests without words look for. */
export const ANYTHING: Wanted = { query: "", words: [] };

export const WANTED: readonly Wanted[] = [
  { query: "nhà thuốc", types: ["PHARMACY"], phrase: "thuoc" },
  { query: "pharmacy", types: ["PHARMACY"], phrase: "pharmacy" },
  { query: "cafe", types: ["COFFEE"], phrase: "cafe" },
  { query: "khách sạn", types: ["HOTEL", "RESORT"], phrase: "khach san" },
  { query: "hotel", types: ["HOTEL", "RESORT"], phrase: "hotel" },
  { query: "zorbix", words: ["zorbix"] },
  { query: "wuvvle", words: ["wuvvle"] },
  { query: "trizzik vlompir", words: ["trizzik", "vlompir"] },
  { query: "nhà thuốc cao bằng", types: ["PHARMACY"], phrase: "thuoc", areas: ["p04", "o18", "d204"] },
  { query: "zorbix cao bằng", words: ["zorbix"], areas: ["p04", "o18", "d204"] },
  { query: "cao bằng", words: [], areas: ["p04", "o18", "d204"] },
  { query: "12 đường vlompir", street: ["vlompir"], house: "12" },
  { query: "777 đường vlompir", street: ["vlompir"], house: "777" },
  { query: "đường quandle zorbix", street: ["quandle", "zorbix"] },
  { query: "10.79,106.69", words: [], point: { lat: 10.79, lng: 106.69 } },
  { query: "-17.45, 179.999", words: [], point: { lat: -17.45, lng: 179.999 } },
];

/** The types that a code of `category` means. */
export const CATEGORIES: ReadonlyMap<string, readonly string[]> = new Map([
  ["PHARMACY", ["PHARMACY"]],
  ["HOTEL", ["HOTEL", "RESORT"]],
  ["COFFEE", ["COFFEE"]],
  ["PARK", ["PARK", "GARDEN"]],
]);

/** A rectangle: west, south, east, north. */
export type Box = readonly [west: number, south: number, east: number, north: number];

/** One request in the brute force's terms. */
export interface ListRequest {
  readonly operation: "search" | "nearby";
  readonly wanted: Wanted;
  /** Absent where the middle of the rectangle is the centre. */
  readonly lat?: number;
  readonly lng?: number;
  readonly sort: "distance" | "rating" | "relevance" | "prominence" | "detour";
  readonly bbox?: Box;
  /** The points of a ring, the last of which is the first. */
  readonly polygon?: Points;
  /** The points of a way, and how far from it a place may be. */
  readonly route?: Points;
  readonly route_radius?: number;
  readonly category?: string;
  readonly radius?: number;
  readonly min_rating?: number;
  readonly max_price?: number;
  readonly open_at?: string;
  readonly busy_max?: number;
}

/** A place and how far it is, in metres. */
export interface Measured {
  readonly place: PlaceDocument;
  readonly meters: number;
}

const EARTH_RADIUS_METERS = 6_371_008.8;

/** The distance by vectors, a different formula from the program's. */
export function metersBetween(lat1: number, lng1: number, lat2: number, lng2: number): number {
  const [x1, y1, z1] = vectorOf(lat1, lng1);
  const [x2, y2, z2] = vectorOf(lat2, lng2);
  const chord = Math.hypot(x1 - x2, y1 - y2, z1 - z2);
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, chord / 2));
}

function vectorOf(lat: number, lng: number): readonly [number, number, number] {
  const [phi, lambda] = [(lat / 180) * Math.PI, (lng / 180) * Math.PI];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

/** Keeps what it made of each text: every list asks for the same. */
function keep<Value>(make: (text: string) => Value): (text: string) => Value {
  const made = new Map<string, Value>();
  return (text) => {
    const value = made.get(text) ?? make(text);
    made.set(text, value);
    return value;
  };
}

const plain = keep((text) =>
  text.toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("đ", "d"),
);

const LABELS: Readonly<Record<string, string>> = {
  PHARMACY: "nha thuoc pharmacy",
  COFFEE: "quan ca phe coffee shop",
  HOTEL: "khach san hotel",
};

/** The words before a street in which its house number may be. */
const WORDS_BEFORE_STREET = 5;

/** True when the address has the words of the street in a row and, if given, no other number than the house's right before them. */
function isInStreet(address: string, street: readonly string[], house: string | undefined): boolean {
  const words = plain(address)
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const at = words.findIndex((_, index) => street.every((word, step) => words[index + step] === word));
  if (at === -1) return false;
  const before = words.slice(Math.max(0, at - WORDS_BEFORE_STREET), at);
  const numbers = before.slice(before.findLastIndex((word) => !/[0-9]/.test(word)) + 1);
  return house === undefined || (numbers.length === 1 && numbers[0] === house);
}

/** True when a place matches the query, by its words and areas alone. */
function isMeant(
  { title, type, location, areas: inAreas = [] }: PlaceDocument,
  { types, phrase, words, areas, street, house }: Wanted,
): boolean {
  const name = plain(title);
  if (areas && !areas.some((area) => inAreas.includes(area))) return false;
  if (street) return isInStreet(location.address.full, street, house);
  if (words) {
    const all = `${name} ${LABELS[type] ?? ""} ${plain(location.address.full)}`.split(" ");
    return words.every((word) => all.includes(word));
  }
  return types?.includes(type) === true || ` ${name} `.includes(` ${phrase} `);
}

/** The point that distances are measured from. */
export function centreOf({ wanted, lat, lng, bbox, route }: ListRequest): { lat: number; lng: number } {
  if (wanted.point) return wanted.point;
  if (lat !== undefined && lng !== undefined) return { lat, lng };
  if (!bbox && route) return { lat: route[0]![1], lng: route[0]![0] };
  if (!bbox) throw new Error("A request without a centre has a rectangle.");
  const [west, south, east, north] = bbox;
  const middle = east >= west ? (west + east) / 2 : (west + east + 360) / 2;
  return { lat: (south + north) / 2, lng: middle > 180 ? middle - 360 : middle };
}

/** True when the point is in the rectangle, edges included. The antimeridian has two longitudes. */
function isInBox([west, south, east, north]: Box, latitude: number, longitude: number): boolean {
  if (latitude < south || latitude > north) return false;
  const isBetween = (value: number): boolean =>
    west <= east ? value >= west && value <= east : value >= west || value <= east;
  return isBetween(longitude) || (Math.abs(longitude) === 180 && isBetween(-longitude));
}

/** The longitude of a point as near to another as it gets by going round the world. */
function besideLongitude(longitude: number, other: number): number {
  if (longitude - other > 180) return longitude - 360;
  return longitude - other < -180 ? longitude + 360 : longitude;
}

/** Winds around the point: the angles under which it sees the edges add up to a whole turn, or to none. */
function isInRing(ring: Points, lng: number, lat: number): boolean {
  let turned = 0;
  for (let index = 1; index < ring.length; index += 1) {
    const [one, other] = [ring[index - 1]!, ring[index]!].map(([x, y]) =>
      Math.atan2(y - lat, besideLongitude(x, lng) - lng),
    );
    const angle = other! - one!;
    turned += angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle;
  }
  return Math.abs(turned) > Math.PI;
}

const ROUTE_RADIUS_METERS = 1_000;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
const NARROWINGS = 42;

/** A line that is straight in degrees is hardly longer than the shortest. */
const LONGEST_DETOUR = 1.1;

/** The least distance to any point of the way: on each piece, by narrowing down where it is. Pieces further than `most` are left out. */
export function metersFromWay(way: Points, lng: number, lat: number, most = Infinity): number {
  let least = Infinity;
  for (let index = 1; index < way.length; index += 1) {
    const [[x1, y1], [x2, y2]] = [way[index - 1]!, way[index]!];
    const east = besideLongitude(x2, x1) - x1;
    const at = (share: number): number => metersBetween(lat, lng, y1 + share * (y2 - y1), x1 + share * east);
    const length = LONGEST_DETOUR * metersBetween(y1, x1, y2, x2);
    if (Math.min(at(0), at(1)) - length > Math.min(least, most)) continue;
    let [from, to] = [0, 1];
    for (let i = 0; i < NARROWINGS; i += 1) {
      const [left, right] = [to - GOLDEN * (to - from), from + GOLDEN * (to - from)];
      if (at(left) < at(right)) to = right;
      else from = left;
    }
    least = Math.min(least, at(0), at(1), at((from + to) / 2));
  }
  return least;
}

/**
 * True when a place belongs in a list: the words and every refinement match. Without `open_at`, busyness counts at `now`.
 */
export function isMatch(place: PlaceDocument, request: ListRequest, now: Temporal.Instant): boolean {
  const { wanted, category, min_rating = 0, max_price, open_at, radius = Infinity, bbox, busy_max } = request;
  const { polygon, route } = request;
  const { latitude, longitude } = place.location;
  const { lat, lng } = centreOf(request);
  if (!isMeant(place, wanted)) return false;
  if (bbox && !isInBox(bbox, latitude, longitude)) return false;
  if (polygon && !isInRing(polygon, longitude, latitude)) return false;
  const { route_radius: beside = ROUTE_RADIUS_METERS } = request;
  if (route && metersFromWay(route, longitude, latitude, beside) > beside) return false;
  if (category !== undefined && CATEGORIES.get(category)?.includes(place.type) !== true) return false;
  if (place.rating < min_rating) return false;
  if (max_price !== undefined && (place.pricing.max === 0 || place.pricing.max > max_price)) return false;
  if (radius !== Infinity && metersBetween(lat, lng, latitude, longitude) > radius) return false;
  const moment = open_at === undefined ? now : Temporal.Instant.from(open_at);
  if (open_at !== undefined && !isOpen(place, moment)) return false;
  return busy_max === undefined || (busynessAt(place, moment) ?? Infinity) <= busy_max;
}

const clockOf = keep(
  (timeZone) =>
    new Intl.DateTimeFormat("en-US", { timeZone, weekday: "short", hour: "2-digit", hourCycle: "h23" }),
);

/** The percentage in the hour that the local clock shows, by the formatted local time. */
export function busynessAt(place: PlaceDocument, moment: Temporal.Instant): number | undefined {
  const parts = clockOf(place.location.timezone).formatToParts(moment.epochMilliseconds);
  const partOf = (type: string): string => parts.find((part) => part.type === type)!.value;
  const day = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].indexOf(partOf("weekday"));
  const found = place.popular_times[day]?.filter(({ hour }) => hour === Number(partOf("hour"))) ?? [];
  return found[0]?.occupancy_percent;
}

const CITY_METERS = 20_000;
const SURROUNDINGS_METERS = 100_000;

/**
 * How well known a place is, to a tenth: its rating, mixed with ten reviews of four stars, times the logarithm of its reviews. Places
 * that are closed, for good or for now, come last.
 */
function prominenceOf({ rating, reviews, business_status }: PlaceDocument): number {
  if (business_status !== "operational") return -1;
  const mixed = (rating * reviews + 40) / (reviews + 10);
  return Math.round(Math.round(mixed * Math.log(reviews + 1) * 100) / 10) / 10;
}

/**
 * The whole list in order. By rating and prominence without a radius, a rectangle or an area, of the city, or without a city, of
 * its surroundings. Where no place has the house number, its street.
 */
export function listAll(
  places: readonly PlaceDocument[],
  request: ListRequest,
  now: Temporal.Instant,
): Measured[] {
  const { house: _, ...street } = request.wanted;
  const found = listMatches(places, request, now);
  return found.length > 0 ? found : listMatches(places, { ...request, wanted: street }, now);
}

function listMatches(
  places: readonly PlaceDocument[],
  request: ListRequest,
  now: Temporal.Instant,
): Measured[] {
  const { sort, radius, bbox, wanted, route, polygon } = request;
  const { lat, lng } = centreOf(request);
  const matches = places
    .filter((place) => isMatch(place, request, now))
    .map((place) => ({
      place,
      meters: metersBetween(lat, lng, place.location.latitude, place.location.longitude),
    }));
  if (sort === "detour") {
    // Detours take the place of distances.
    return matches
      .map(({ place }) => ({
        place,
        meters: metersFromWay(route!, place.location.longitude, place.location.latitude),
      }))
      .toSorted((a, b) => a.meters - b.meters || byId(a, b));
  }
  if (sort === "distance" || sort === "relevance")
    return matches.toSorted((a, b) => a.meters - b.meters || byId(a, b));
  const within = (meters: number): Measured[] => matches.filter((match) => match.meters <= meters);
  const inCity = within(CITY_METERS);
  const hasScope = [radius, bbox, wanted.areas, route, polygon].some((one) => one !== undefined);
  const inScope = hasScope ? matches : inCity.length > 0 ? inCity : within(SURROUNDINGS_METERS);
  if (sort === "prominence")
    return inScope.toSorted((a, b) => prominenceOf(b.place) - prominenceOf(a.place) || byId(a, b));
  return inScope.toSorted(
    (a, b) => b.place.rating - a.place.rating || b.place.reviews - a.place.reviews || byId(a, b),
  );
}

const idOf = ({ place }: Measured): string => place.data_id.split(":")[1]!;
const byId = (a: Measured, b: Measured): number => (idOf(a) < idOf(b) ? -1 : 1);

/** Whether a place is open: the ranges of today and yesterday, in local time. */
export function isOpen(
  { location, opening_hours, business_status }: PlaceDocument,
  at: Temporal.Instant,
): boolean {
  if (opening_hours === null || business_status !== "operational") return false;
  const today = at.toZonedDateTimeISO(location.timezone).toPlainDate();
  return [-1, 0].some((days) => {
    const date = today.add({ days });
    const special = opening_hours.special_days.find((day) => day.date === date.toString());
    const ranges = special ? special.ranges : (opening_hours.week[date.dayOfWeek - 1] ?? []);
    return ranges.some(([opens, closes]) => {
      const start = momentOf(date, opens, location.timezone);
      const end = momentOf(date, closes, location.timezone);
      return start <= at.epochMilliseconds && at.epochMilliseconds < end;
    });
  });
}

/** The first moment at which the local clock shows this minute of the day, or has passed it. */
function momentOf(date: Temporal.PlainDate, minute: number, timezone: string): number {
  const clock = date.toPlainDateTime().add({ minutes: minute });
  const moment = clock.toZonedDateTime(timezone, { disambiguation: "earlier" });
  if (moment.toPlainDateTime().equals(clock)) return moment.epochMilliseconds;
  return (moment.getTimeZoneTransition("next") ?? moment).epochMilliseconds;
}
