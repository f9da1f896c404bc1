import type { PlaceDocument } from "../../../src/place/document/place-document.ts";
import { pointAt } from "../../../test/support/points.ts";
import { encodePolyline, type Points } from "../../../test/support/polyline.ts";
import { createRandom, type Random } from "../../../test/support/random.ts";
import {
  busynessAt,
  ANYTHING,
  CATEGORIES,
  centreOf,
  isMatch,
  isOpen,
  listAll,
  metersBetween,
  WANTED,
  type Box,
  type ListRequest,
  metersFromWay,
  type Measured,
} from "./brute-force.ts";
import { CENTRES, CHANGE_DAYS } from "./hostile-places.ts";

/** Random requests over all parameters, each compared with the brute force. */

const FAULTS = [
  "member",
  "missing",
  "order",
  "repeat",
  "distance",
  "open_state",
  "busyness",
  "total",
  "early_end",
  "address",
] as const;
type Fault = (typeof FAULTS)[number];

/** The number of lists with each fault, and one request for each. */
interface Checked {
  readonly lists: number;
  readonly faults: Readonly<Record<Fault, number>>;
  readonly examples: readonly string[];
}

interface Element {
  readonly data_id: string;
  readonly distance_m: number;
  readonly open_state: { readonly is_open_now: boolean };
  readonly busyness: { readonly occupancy_percent: number } | null;
}

interface Page {
  readonly local_result: readonly Element[];
  readonly total?: number;
}

interface ReversePage extends Page {
  readonly reverse_result: {
    readonly address: Readonly<Record<string, string>>;
    readonly address_sources: Readonly<
      Record<string, { readonly distance_m: number; readonly data_id?: string }>
    >;
  };
}

/** Sends a request to the API. Resolves to the body of a 200. */
type Get = (target: string) => Promise<unknown>;

interface CheckOptions {
  readonly places: readonly PlaceDocument[];
  readonly get: Get;
  readonly count: number;
  readonly seed: number;
  /** The moment that the server uses as now. */
  readonly now: Temporal.Instant;
  /**
   * False for a server that knows only search, without rectangles, totals and exact lists of areas, addresses and points;
   * other requests are left out.
   */
  readonly hasGeography?: boolean;
}

const MAX_LIMIT = 50;
const MAX_OFFSET = 200;
/** Totals above this number are this number. */
const MOST_COUNTED = 1_000;
const MOST_BUSY_COUNTED = 300;
/** The two formulas differ by less than this. */
const ERROR_METERS = 0.01;

/** Sends `count` random requests in turn and counts the lists with each fault. */
export async function checkLists(options: CheckOptions): Promise<Checked> {
  const random = createRandom(`lists ${options.seed}`);
  const byId = new Map(options.places.map((place) => [place.data_id, place]));
  const faults = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>;
  const examples = new Map<Fault, string>();
  for (let number = 0; number < options.count; number += 1) {
    const { target, found } =
      random.below(REVERSE_EVERY) === 0
        ? await checkReverse(random, { ...options, byId })
        : await checkRandomList(random, { ...options, byId });
    for (const fault of found) {
      faults[fault] += 1;
      if (!examples.has(fault)) examples.set(fault, `${fault}: ${target}`);
    }
  }
  return { lists: options.count, faults, examples: [...examples.values()] };
}

/** One request of so many is for the address of a point. */
const REVERSE_EVERY = 12;

interface CheckedList {
  readonly target: string;
  readonly found: ReadonlySet<Fault>;
}

async function checkRandomList(random: Random, options: Checking): Promise<CheckedList> {
  const request = createRequest(random, options.places);
  const offset = random.pick([0, 0, 20, random.below(MAX_OFFSET + 1), MAX_OFFSET]);
  const limit = random.pick([20, MAX_LIMIT, 1 + random.below(MAX_LIMIT)]);
  const target = targetOf(request, { offset, limit }, "distance");
  const { operation, wanted, bbox, busy_max, polygon, route } = request;
  const isOld =
    operation === "search" &&
    [bbox, busy_max, polygon, route, wanted.areas, wanted.street, wanted.point].every(
      (one) => one === undefined,
    );
  if (options.hasGeography === false && !isOld) return { target, found: new Set() };
  return { target, found: await checkList(request, { offset, limit }, options) };
}

const CENTRE_DISTANCES_METERS = [0, 0, 300, 3_000, 30_000];
const MINUTES_OF_THREE_DAYS = 4_320;

/** Widths and heights of rectangles in degrees: a street, a city, a country, half the world. */
const BOX_SIZES_DEGREES = [0.01, 0.1, 0.5, 4, 30, 170];

/** A rectangle around a point, beside a place, at a pole, or of the whole world. */
function createBox(centre: (typeof CENTRES)[number], random: Random, places: readonly PlaceDocument[]): Box {
  if (random.below(12) === 0)
    return random.pick<Box>([
      [-180, -90, 180, 90],
      [-180, 85, 180, 90],
      [0, -90, -180, 90],
    ]);
  // With a place exactly in a corner, which counts.
  const { latitude, longitude } = random.below(4) === 0 ? random.pick(places).location : centre;
  const [width, height] = [random.pick(BOX_SIZES_DEGREES), random.pick(BOX_SIZES_DEGREES)];
  const [before, below] = [random.pick([0, 0.5, 0.9]), random.pick([0, 0.5, 0.9])];
  const around = (degrees: number): number => ((((degrees + 180) % 360) + 360) % 360) - 180;
  const west = before === 0 ? longitude : around(longitude - before * width);
  const east = around(longitude + (1 - before) * width);
  const south = below === 0 ? latitude : Math.max(-90, latitude - below * height);
  const north = Math.min(90, latitude + (1 - below) * height);
  return [plainDegrees(west), plainDegrees(south), plainDegrees(east), plainDegrees(north)];
}

/** From the middle of a shape to its furthest point. */
const SHAPE_SIZES_METERS = [300, 3_000, 9_000, 30_000, 100_000];

/** The server refuses shapes from 80 degrees on, and a large one reaches further than its middle. */
const HIGHEST_SHAPE_LATITUDE = 70;

const toFiveDecimals = ({ longitude, latitude }: (typeof CENTRES)[number]): readonly [number, number] => [
  Number(longitude.toFixed(5)),
  Number(latitude.toFixed(5)),
];

/** A ring around a point, now near and now far from it, which never crosses itself. */
function createRing(centre: (typeof CENTRES)[number], random: Random): Points {
  const size = random.pick(SHAPE_SIZES_METERS);
  const corners = 3 + random.below(10);
  const ring = Array.from({ length: corners }, (_, index) =>
    toFiveDecimals(pointAt(centre, size * (0.2 + 0.8 * random.fraction()), (360 * index) / corners)),
  );
  return [...ring, ring[0]!];
}

/** A way with turns of any angle, which may cross itself. */
function createWay(centre: (typeof CENTRES)[number], random: Random): Points {
  const size = random.pick(SHAPE_SIZES_METERS);
  return Array.from({ length: 2 + random.below(20) }, () =>
    toFiveDecimals(pointAt(centre, size * random.fraction(), random.below(360))),
  );
}

/** Without an exponent, which the API does not read. */
const plainDegrees = (degrees: number): number => (Math.abs(degrees) < 1e-6 ? 0 : degrees);

/** A polygon, a way or mostly neither. */
function createShape(
  centre: (typeof CENTRES)[number],
  random: Random,
): Pick<ListRequest, "polygon" | "route" | "route_radius"> {
  const drawn = random.below(8);
  if (Math.abs(centre.latitude) > HIGHEST_SHAPE_LATITUDE || drawn > 2) return {};
  if (drawn === 0) return { polygon: createRing(centre, random) };
  return { route: createWay(centre, random), route_radius: random.pick([1, 50, 300, 1_000, 5_000]) };
}

function createRequest(random: Random, places: readonly PlaceDocument[]): ListRequest {
  const maybe = <T>(share: number, draw: () => T): T | undefined =>
    random.fraction() < share ? draw() : undefined;
  const centre = pointAt(random.pick(CENTRES), random.pick(CENTRE_DISTANCES_METERS), random.below(360));
  const openAt = maybe(0.35, () =>
    Temporal.Instant.from(`${random.pick(CHANGE_DAYS)}T00:00Z`)
      .add({ minutes: random.below(MINUTES_OF_THREE_DAYS) - MINUTES_OF_THREE_DAYS / 2 })
      .toString(),
  );
  const drawn = {
    category: maybe(0.2, () => random.pick([...CATEGORIES.keys()])),
    bbox: maybe(0.3, () => createBox(centre, random, places)),
    ...createShape(centre, random),
    radius: maybe(0.4, () => Math.round(10 ** (1.5 + 3.19 * random.fraction()))),
    min_rating: maybe(0.2, () => 1 + random.below(40) / 10),
    max_price: maybe(0.2, () => random.below(12) * 10_000),
    open_at: openAt,
    busy_max: maybe(0.25, () => random.pick([0, 100, 9, 10, random.below(101)])),
  };
  const given = Object.fromEntries(
    Object.entries(drawn).filter(([, value]) => value !== undefined),
  ) as Partial<ListRequest>;
  const point = { lat: Number(centre.latitude.toFixed(6)), lng: Number(centre.longitude.toFixed(6)) };
  if (random.below(3) === 0) {
    const sort = drawn.route
      ? random.pick(["detour", "detour", "distance", "rating"] as const)
      : random.pick(["distance", "prominence", "rating"] as const);
    return { operation: "nearby", wanted: ANYTHING, ...point, sort, ...given };
  }
  const isInMiddle = drawn.bbox !== undefined && random.below(2) === 0;
  return {
    operation: "search",
    wanted: random.pick(WANTED),
    ...(isInMiddle ? {} : point),
    sort: drawn.route
      ? random.pick(["detour", "detour", "relevance"])
      : random.pick(["distance", "distance", "rating", "rating", "relevance"]),
    ...given,
  };
}

function targetOf({ wanted, operation, ...request }: ListRequest, page: PageOf, include: string): string {
  const query = operation === "search" ? { q: wanted.query } : {};
  const { polygon, route, ...others } = request;
  const shapes = {
    // The last digit of the first longitude decides: both notations must mean the same.
    ...(polygon && {
      polygon:
        Math.round(polygon[0]![0] * 1e5) % 2 === 0
          ? JSON.stringify({ type: "Polygon", coordinates: [polygon] })
          : encodePolyline(polygon),
    }),
    ...(route && { route: encodePolyline(route) }),
  };
  const texts = Object.entries({ ...query, ...others, ...shapes, ...page, include });
  return `/api/maps/${operation}?${new URLSearchParams(texts.map(([name, value]) => [name, String(value)])).toString()}`;
}

interface PageOf {
  readonly offset: number;
  readonly limit: number;
}

type Checking = CheckOptions & { readonly byId: ReadonlyMap<string, PlaceDocument> };

async function checkList(request: ListRequest, page: PageOf, options: Checking): Promise<Set<Fault>> {
  const { places, get, byId, now, hasGeography = true } = options;
  const expected = listAll(places, request, now);
  const include = hasGeography ? "distance,busyness,total" : "distance";
  const read = async (at: PageOf): Promise<Page> => (await get(targetOf(request, at, include))) as Page;
  const { local_result: elements, total } = await read(page);
  const faults = new Set<Fault>();
  // When no place matches the words, similar names may be shown.
  if (expected.length === 0 && request.operation === "search") return faults;
  const found = elements.map((element) => {
    const moment = request.open_at === undefined ? now : Temporal.Instant.from(request.open_at);
    const measured = measure(element, centreOf(request), { byId, now, faults });
    if (hasGeography && element.busyness?.occupancy_percent !== busynessAt(measured.place, moment))
      faults.add("busyness");
    return measured;
  });
  if (new Set(elements.map(({ data_id: id }) => id)).size < elements.length) faults.add("repeat");
  const most = request.busy_max === undefined ? MOST_COUNTED : MOST_BUSY_COUNTED;
  if (hasGeography && total !== Math.min(expected.length, most)) faults.add("total");
  if (request.sort === "relevance") {
    for (const fault of await checkRelevance(request, { expected, found, read, now })) faults.add(fault);
    return faults;
  }
  const { sort, route } = request;
  const ordered = sort === "detour" && route ? found.map((one) => alongWay(one, route)) : found;
  for (const fault of compare(expected, ordered, { ...page, sort })) faults.add(fault);
  return faults;
}

/** A place by its distance from the way instead of the centre. */
const alongWay = ({ place }: Measured, route: Points): Measured => ({
  place,
  meters: metersFromWay(route, place.location.longitude, place.location.latitude),
});

interface Measuring extends Pick<Checking, "byId" | "now"> {
  readonly faults: Set<Fault>;
}

/** The place of an element; adds the faults of its distance and open state. */
function measure(
  { data_id: id, distance_m: meters, open_state: state }: Element,
  { lat, lng }: { readonly lat: number; readonly lng: number },
  { byId, now, faults }: Measuring,
): Measured {
  const place = byId.get(id)!;
  const { latitude, longitude } = place.location;
  const measured = metersBetween(lat, lng, latitude, longitude);
  if (Math.abs(measured - meters) > 0.5 + ERROR_METERS) faults.add("distance");
  if (state.is_open_now !== isOpen(place, now)) faults.add("open_state");
  return { place, meters: measured };
}

/** How far away a place may be for its part of the address to count. */
const FURTHEST_METERS = { street: 150, ward: 1_000, city: 20_000, country: 50_000 } as const;

/** The nearest places of a random point, and each part of its address from the nearest place that has it. */
async function checkReverse(random: Random, options: Checking): Promise<CheckedList> {
  const { places, get, byId, now } = options;
  const at = pointAt(random.pick(CENTRES), random.pick(CENTRE_DISTANCES_METERS), random.below(360));
  const [lat, lng] = [Number(at.latitude.toFixed(6)), Number(at.longitude.toFixed(6))];
  const radius = random.pick([50, 1_000, MAX_RADIUS_METERS]);
  const limit = 1 + random.below(MAX_LIMIT);
  const target = `/api/maps/reverse?lat=${lat}&lng=${lng}&radius=${radius}&limit=${limit}&include=distance`;
  const found = new Set<Fault>();
  if (options.hasGeography === false) return { target, found };
  const { local_result: elements, reverse_result: result } = (await get(target)) as ReversePage;
  const request = { operation: "nearby", wanted: ANYTHING, lat, lng, sort: "distance" } as const;
  const expected = listAll(places, { ...request, radius }, now);
  const measured = elements.map((element) => measure(element, { lat, lng }, { byId, now, faults: found }));
  for (const fault of compare(expected, measured, { sort: "distance", offset: 0, limit })) found.add(fault);
  for (const [part, furthest] of Object.entries(FURTHEST_METERS) as [
    keyof typeof FURTHEST_METERS,
    number,
  ][]) {
    const [nearest, ...others] = listAll(places, { ...request, radius: furthest }, now).filter(
      ({ place }) => place.location.address[part] !== "",
    );
    const source = result.address_sources[part];
    if (nearest === undefined) {
      if (source?.data_id !== undefined) found.add("address");
      continue;
    }
    // Several places may be equally near.
    const equals = [nearest, ...others.filter(({ meters }) => meters - nearest.meters < ERROR_METERS)];
    const isOneOfThem = equals.some(
      ({ place }) =>
        place.data_id === source?.data_id && place.location.address[part] === result.address[part],
    );
    if (!isOneOfThem) found.add("address");
  }
  return { target, found };
}

const MAX_RADIUS_METERS = 50_000;

/**
 * A page must have the expected places in the expected order. Places at the same distance, within the error,
 * may change places.
 */
function compare(
  all: readonly Measured[],
  found: readonly Measured[],
  { sort, offset, limit }: PageOf & Pick<ListRequest, "sort">,
): Set<Fault> {
  const faults = new Set<Fault>();
  const expected = all.slice(offset, offset + limit);
  const isMatching = new Set(all.map(({ place }) => place.data_id));
  const isTooLong = found.length > expected.length;
  if (isTooLong || found.some(({ place }) => !isMatching.has(place.data_id))) faults.add("member");
  if (found.length < expected.length) faults.add("early_end");
  for (const [index, { place, meters }] of expected.entries()) {
    const there = found[index];
    if (there === undefined || there.place.data_id === place.data_id) continue;
    const { latitude, longitude } = there.place.location;
    const isSamePoint = latitude === place.location.latitude && longitude === place.location.longitude;
    const isTie =
      (sort === "distance" || sort === "detour") &&
      !isSamePoint &&
      Math.abs(there.meters - meters) < ERROR_METERS;
    if (isTie) continue;
    const isThere = found.some((one) => one.place.data_id === place.data_id);
    faults.add(isThere ? "order" : "missing");
  }
  return faults;
}

interface Relevance {
  readonly expected: readonly Measured[];
  readonly found: readonly Measured[];
  readonly read: (page: PageOf) => Promise<Page>;
  readonly now: Temporal.Instant;
}

/**
 * By relevance, similar names may be shown too. With a radius, a rectangle, a shape or a moment every match is on some
 * page, as far as pages go.
 */
async function checkRelevance(
  request: ListRequest,
  { expected, found, read, now }: Relevance,
): Promise<Set<Fault>> {
  const faults = new Set<Fault>();
  // Every place matches "anything", so only the refinements are checked.
  const { point } = request.wanted;
  const anything = { ...request, wanted: { ...ANYTHING, ...(point && { point }) } };
  if (found.some(({ place }) => !isMatch(place, anything, now))) faults.add("member");
  const isRestricted = [request.radius, request.bbox, request.open_at, request.polygon, request.route].some(
    (one) => one !== undefined,
  );
  if (!isRestricted || expected.length > MAX_OFFSET) return faults;
  const seen = new Set<string>();
  let shown = 0;
  for (let offset = 0; offset <= MAX_OFFSET; offset += MAX_LIMIT) {
    const { local_result: elements } = await read({ offset, limit: MAX_LIMIT });
    for (const { data_id: id } of elements) seen.add(id);
    shown += elements.length;
    if (elements.length < MAX_LIMIT) break;
  }
  if (seen.size < shown) faults.add("repeat");
  if (shown <= MAX_OFFSET && expected.some(({ place }) => !seen.has(place.data_id))) faults.add("early_end");
  return faults;
}
