import type { PlaceDocument } from "../../../src/place/place-document.ts";

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
}

export const WANTED: readonly Wanted[] = [
  { query: "nhà thuốc", types: ["PHARMACY"], phrase: "thuoc" },
  { query: "pharmacy", types: ["PHARMACY"], phrase: "pharmacy" },
  { query: "cafe", types: ["COFFEE"], phrase: "cafe" },
  { query: "khách sạn", types: ["HOTEL", "RESORT"], phrase: "khach san" },
  { query: "hotel", types: ["HOTEL", "RESORT"], phrase: "hotel" },
  { query: "zorbix", words: ["zorbix"] },
  { query: "wuvvle", words: ["wuvvle"] },
  { query: "trizzik vlompir", words: ["trizzik", "vlompir"] },
];

/** The types that a code of `category` means. */
export const CATEGORIES: ReadonlyMap<string, readonly string[]> = new Map([
  ["PHARMACY", ["PHARMACY"]],
  ["HOTEL", ["HOTEL", "RESORT"]],
  ["COFFEE", ["COFFEE"]],
  ["PARK", ["PARK", "GARDEN"]],
]);

/** One request in the brute force's terms. */
export interface ListRequest {
  readonly wanted: Wanted;
  readonly lat: number;
  readonly lng: number;
  readonly sort: "distance" | "rating" | "relevance";
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
  const [one, other] = [vectorOf(lat1, lng1), vectorOf(lat2, lng2)];
  const chord = Math.hypot(...one.map((value, axis) => value - other[axis]!));
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, chord / 2));
}

function vectorOf(lat: number, lng: number): readonly number[] {
  const [phi, lambda] = [(lat / 180) * Math.PI, (lng / 180) * Math.PI];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

const plain = (text: string): string =>
  text.toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("đ", "d");

const LABELS: Readonly<Record<string, string>> = {
  PHARMACY: "nha thuoc pharmacy",
  COFFEE: "quan ca phe coffee shop",
  HOTEL: "khach san hotel",
};

/** True when a place matches the query, by its words alone. */
function isMeant({ title, type, location }: PlaceDocument, { types, phrase, words }: Wanted): boolean {
  const name = plain(title);
  if (words) {
    const all = `${name} ${LABELS[type] ?? ""} ${plain(location.address.full)}`.split(" ");
    return words.every((word) => all.includes(word));
  }
  return types?.includes(type) === true || ` ${name} `.includes(` ${phrase} `);
}

/**
 * True when a place belongs in a list: the words and every refinement match. Without `open_at`, busyness counts at `now`.
 */
export function isMatch(place: PlaceDocument, request: ListRequest, now: Temporal.Instant): boolean {
  const { wanted, category, min_rating = 0, max_price, open_at, radius = Infinity, lat, lng } = request;
  const { busy_max } = request;
  const { latitude, longitude } = place.location;
  if (!isMeant(place, wanted)) return false;
  if (category !== undefined && CATEGORIES.get(category)?.includes(place.type) !== true) return false;
  if (place.rating < min_rating) return false;
  if (max_price !== undefined && (place.pricing.max === 0 || place.pricing.max > max_price)) return false;
  if (radius !== Infinity && metersBetween(lat, lng, latitude, longitude) > radius) return false;
  const moment = open_at === undefined ? now : Temporal.Instant.from(open_at);
  if (open_at !== undefined && !isOpen(place, moment)) return false;
  return busy_max === undefined || (busynessAt(place, moment) ?? Infinity) <= busy_max;
}

/** The percentage in the hour that the local clock shows, by the formatted local time. */
export function busynessAt(place: PlaceDocument, moment: Temporal.Instant): number | undefined {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: place.location.timezone,
    weekday: "short",
    hour: "2-digit",
    hourCycle: "h23",
  }).formatToParts(moment.epochMilliseconds);
  const partOf = (type: string): string => parts.find((part) => part.type === type)!.value;
  const day = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].indexOf(partOf("weekday"));
  const found = place.popular_times[day]?.filter(({ hour }) => hour === Number(partOf("hour"))) ?? [];
  return found[0]?.occupancy_percent;
}

const CITY_METERS = 20_000;
const SURROUNDINGS_METERS = 100_000;

/**
 * The whole list in order. By rating without a radius, of the city, or without a city, of its surroundings.
 */
export function listAll(
  places: readonly PlaceDocument[],
  request: ListRequest,
  now: Temporal.Instant,
): Measured[] {
  const { lat, lng, sort, radius } = request;
  const matches = places
    .filter((place) => isMatch(place, request, now))
    .map((place) => ({
      place,
      meters: metersBetween(lat, lng, place.location.latitude, place.location.longitude),
    }));
  if (sort !== "rating") return matches.toSorted((a, b) => a.meters - b.meters || byId(a, b));
  const within = (meters: number): Measured[] => matches.filter((match) => match.meters <= meters);
  const inCity = within(CITY_METERS);
  const inScope = radius !== undefined ? matches : inCity.length > 0 ? inCity : within(SURROUNDINGS_METERS);
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
