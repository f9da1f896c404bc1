/** What the page shows, as far as its address contains it. */
export interface View {
  readonly query: string;
  readonly point: Point | undefined;
  readonly filters: Filters;
  /** The `data_id` of the place that is open. */
  readonly place: string | undefined;
  readonly isExplained: boolean;
  /** Without a query: the places around the point. */
  readonly isAround: boolean;
  /** The other settings of a comparison. */
  readonly compared?: Compared | undefined;
}

/** Orders of the second list of a comparison: those of the API, and relevance with other weights. */
export const COMPARED_ORDERS = ["relevance", "distance", "rating", "nearer", "anywhere", "known"] as const;

/** What the second list of a comparison differs in. */
export interface Compared {
  readonly sort: (typeof COMPARED_ORDERS)[number];
  /** Its centre; the same as of the first list when absent. */
  readonly point?: Point | undefined;
}

export interface Point {
  readonly lat: number;
  readonly lng: number;
}

/** A rectangle, as the API's `bbox` has it. */
export type Box = readonly [west: number, south: number, east: number, north: number];

/** The API's filters, with their names in the API. */
export interface Filters {
  readonly open_now?: true;
  readonly category?: string;
  readonly min_rating?: number;
  readonly max_price?: number;
  readonly radius?: number;
  readonly sort?: "distance" | "rating";
  readonly bbox?: Box;
}

const NUMBERS = ["min_rating", "max_price", "radius"] as const;

/** Reads a shared address; ignores invalid values, and what exceeds the longest query. */
export function parseView(search: string, maxQueryLength?: number): View {
  const query = new URLSearchParams(search);
  return {
    query: (query.get("q") ?? "").slice(0, maxQueryLength),
    point: parsePoint(query.get("lat"), query.get("lng")),
    filters: parseFilters(query),
    place: query.get("place") || undefined,
    isExplained: query.get("explain") === "true",
    isAround: query.get("around") === "true",
    ...parseCompared(query.get("compare")),
  };
}

/** The query string of a view: `parseView` gives the same view back. */
export function toSearch(view: View): string {
  const { query, point, filters, place, isExplained, isAround, compared } = view;
  const parts = {
    q: query || undefined,
    lat: point?.lat,
    lng: point?.lng,
    ...filters,
    place,
    explain: isExplained || undefined,
    around: isAround || undefined,
    compare: compared && [compared.sort, compared.point?.lat, compared.point?.lng].filter(isGiven).join(","),
  };
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parts)) if (value !== undefined) search.set(name, String(value));
  // The colon of a data id needs no encoding here and is easier to read.
  return search.size === 0 ? "" : `?${search.toString().replaceAll("%3A", ":")}`;
}

const isGiven = (value: string | number | undefined): boolean => value !== undefined;

/** `rating`, or with another centre `rating,10.77,106.7`. */
function parseCompared(text: string | null): Pick<View, "compared"> {
  const [name, lat = null, lng = null] = (text ?? "").split(",");
  const sort = COMPARED_ORDERS.find((order) => order === name);
  if (sort === undefined) return {};
  const point = parsePoint(lat, lng);
  return { compared: { sort, ...(point && { point }) } };
}

function parseFilters(query: URLSearchParams): Filters {
  const category = query.get("category");
  const sort = query.get("sort");
  const numbers = NUMBERS.flatMap((name) => {
    const value = parseNumber(query.get(name));
    return value === undefined || value <= 0 ? [] : [[name, value] as const];
  });
  return {
    ...(query.get("open_now") === "true" && { open_now: true as const }),
    ...(category !== null && /^[A-Z_]+$/.test(category) && { category }),
    ...Object.fromEntries(numbers),
    ...((sort === "distance" || sort === "rating") && { sort }),
    ...parseBox(query.get("bbox")),
  };
}

function parseBox(text: string | null): Pick<Filters, "bbox"> {
  const [west, south, east, north, ...others] = (text ?? "").split(",").map(parseNumber);
  if (west === undefined || south === undefined || east === undefined || north === undefined) return {};
  const isOnEarth = [west, east].every((lng) => Math.abs(lng) <= 180) && south >= -90 && north <= 90;
  return others.length === 0 && isOnEarth && south <= north ? { bbox: [west, south, east, north] } : {};
}

function parsePoint(latText: string | null, lngText: string | null): Point | undefined {
  const lat = parseNumber(latText);
  const lng = parseNumber(lngText);
  if (lat === undefined || lng === undefined || Math.abs(lat) > 90 || Math.abs(lng) > 180) return undefined;
  return { lat, lng };
}

function parseNumber(text: string | null): number | undefined {
  return text !== null && /^-?\d{1,12}(?:\.\d{1,12})?$/.test(text) ? Number(text) : undefined;
}

/** Rounds to five decimals, about a metre; never returns minus zero. */
export function toPoint(lat: number, lng: number): Point {
  const round = (degrees: number): number => Math.round(degrees * 100_000) / 100_000 + 0;
  return { lat: round(lat), lng: round(((((lng + 180) % 360) + 360) % 360) - 180) };
}

/** A rectangle of the map, which may be on a copy of the world and show more than all of it. */
export function toBox([west, south, east, north]: Box): Box {
  const [southWest, northEast] = [toPoint(south, west), toPoint(north, east)];
  const [lowest, highest] = [Math.max(-90, southWest.lat), Math.min(90, northEast.lat)];
  return east - west >= 360 ? [-180, lowest, 180, highest] : [southWest.lng, lowest, northEast.lng, highest];
}
