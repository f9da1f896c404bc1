import type { PlaceDocument } from "../../../src/place/place-document.ts";
import { pointAt } from "../../support/points.ts";
import { createRandom, type Random } from "../../support/random.ts";
import {
  busynessAt,
  CATEGORIES,
  isMatch,
  isOpen,
  listAll,
  metersBetween,
  WANTED,
  type ListRequest,
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

/** Sends a request to the API. Resolves to the body of a 200. */
type Get = (target: string) => Promise<unknown>;

interface CheckOptions {
  readonly places: readonly PlaceDocument[];
  readonly get: Get;
  readonly count: number;
  readonly seed: number;
  /** The moment that the server uses as now. */
  readonly now: Temporal.Instant;
  /** True when the server supports `include=total`; otherwise only lists are compared. */
  readonly hasTotal?: boolean;
}

const MAX_LIMIT = 50;
const MAX_OFFSET = 200;
/** Totals above this number are this number. */
const MOST_COUNTED = 1_000;
/** The two formulas differ by less than this. */
const ERROR_METERS = 0.01;

/** Sends `count` random requests in turn and counts the lists with each fault. */
export async function checkLists(options: CheckOptions): Promise<Checked> {
  const random = createRandom(`lists ${options.seed}`);
  const byId = new Map(options.places.map((place) => [place.data_id, place]));
  const faults = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>;
  const examples = new Map<Fault, string>();
  for (let number = 0; number < options.count; number += 1) {
    const request = createRequest(random);
    const offset = random.pick([0, 0, 20, random.below(MAX_OFFSET + 1), MAX_OFFSET]);
    const limit = random.pick([20, MAX_LIMIT, 1 + random.below(MAX_LIMIT)]);
    const found = await checkList(request, { offset, limit }, { ...options, byId });
    for (const fault of found) {
      faults[fault] += 1;
      if (!examples.has(fault)) examples.set(fault, `${fault}: ${targetOf(request, offset, limit)}`);
    }
  }
  return { lists: options.count, faults, examples: [...examples.values()] };
}

const CENTRE_DISTANCES_METERS = [0, 0, 300, 3_000, 30_000];
const MINUTES_OF_THREE_DAYS = 4_320;

function createRequest(random: Random): ListRequest {
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
    radius: maybe(0.5, () => Math.round(10 ** (1.5 + 3.19 * random.fraction()))),
    min_rating: maybe(0.2, () => 1 + random.below(40) / 10),
    max_price: maybe(0.2, () => random.below(12) * 10_000),
    open_at: openAt,
    busy_max: maybe(0.25, () => random.pick([0, 100, 9, 10, random.below(101)])),
  };
  const given = Object.entries(drawn).filter(([, value]) => value !== undefined);
  return {
    wanted: random.pick(WANTED),
    lat: Number(centre.latitude.toFixed(6)),
    lng: Number(centre.longitude.toFixed(6)),
    sort: random.pick(["distance", "distance", "rating", "rating", "relevance"]),
    ...(Object.fromEntries(given) as Omit<ListRequest, "wanted" | "lat" | "lng" | "sort">),
  };
}

function targetOf(
  { wanted, ...request }: ListRequest,
  offset: number,
  limit: number,
  include = "distance",
): string {
  const texts = Object.entries({ q: wanted.query, ...request, offset, limit, include });
  return `/api/maps/search?${new URLSearchParams(texts.map(([name, value]) => [name, String(value)])).toString()}`;
}

interface PageOf {
  readonly offset: number;
  readonly limit: number;
}

type Checking = CheckOptions & { readonly byId: ReadonlyMap<string, PlaceDocument> };

async function checkList(request: ListRequest, page: PageOf, options: Checking): Promise<Set<Fault>> {
  const { places, get, byId, now, hasTotal = true } = options;
  const expected = listAll(places, request, now);
  const include = hasTotal ? "distance,busyness,total" : "distance,busyness";
  const read = async ({ offset, limit }: PageOf): Promise<Page> =>
    (await get(targetOf(request, offset, limit, include))) as Page;
  const { local_result: elements, total } = await read(page);
  const faults = new Set<Fault>();
  // When nothing matches, similar names may be shown.
  if (expected.length === 0) return faults;
  const found = elements.map(({ data_id: id, distance_m: meters, open_state: state, busyness }): Measured => {
    const place = byId.get(id)!;
    const { latitude, longitude } = place.location;
    const measured = metersBetween(request.lat, request.lng, latitude, longitude);
    if (Math.abs(measured - meters) > 0.5 + ERROR_METERS) faults.add("distance");
    if (state.is_open_now !== isOpen(place, now)) faults.add("open_state");
    const moment = request.open_at === undefined ? now : Temporal.Instant.from(request.open_at);
    if (busyness?.occupancy_percent !== busynessAt(place, moment)) faults.add("busyness");
    return { place, meters: measured };
  });
  if (new Set(elements.map(({ data_id: id }) => id)).size < elements.length) faults.add("repeat");
  if (hasTotal && total !== Math.min(expected.length, MOST_COUNTED)) faults.add("total");
  if (request.sort === "relevance") {
    for (const fault of await checkRelevance(request, { expected, found, read, now })) faults.add(fault);
    return faults;
  }
  for (const fault of compare(expected.slice(page.offset, page.offset + page.limit), found, { request, now }))
    faults.add(fault);
  return faults;
}

/**
 * A page must have the expected places in the expected order. Places at the same distance, within the error,
 * may change places.
 */
function compare(
  expected: readonly Measured[],
  found: readonly Measured[],
  { request, now }: { readonly request: ListRequest; readonly now: Temporal.Instant },
): Set<Fault> {
  const faults = new Set<Fault>();
  if (found.some(({ place }) => !isMatch(place, request, now))) faults.add("member");
  if (found.length < expected.length) faults.add("early_end");
  for (const [index, { place, meters }] of expected.entries()) {
    const there = found[index];
    if (there === undefined || there.place.data_id === place.data_id) continue;
    const { latitude, longitude } = there.place.location;
    const isSamePoint = latitude === place.location.latitude && longitude === place.location.longitude;
    const isTie =
      request.sort === "distance" && !isSamePoint && Math.abs(there.meters - meters) < ERROR_METERS;
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
 * By relevance, similar names may be shown too. With a radius every match is on some page, as far as pages
 * go.
 */
async function checkRelevance(
  request: ListRequest,
  { expected, found, read, now }: Relevance,
): Promise<Set<Fault>> {
  const faults = new Set<Fault>();
  // Every place matches "anything", so only the refinements are checked.
  const anything = { ...request, wanted: { query: "", words: [] } };
  if (found.some(({ place }) => !isMatch(place, anything, now))) faults.add("member");
  if (request.radius === undefined || expected.length > MAX_OFFSET) return faults;
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
