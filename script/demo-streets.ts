import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import type { Feature, FeatureCollection, MultiPolygon, Polygon } from "geojson";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import whichPolygon from "which-polygon";
import type { City, MappedStreet } from "../indexer/demo/cities.ts";
import { localStreets } from "../indexer/demo/city-map.ts";
import { readAreas } from "../src/place/geometry/areas.ts";
import { fold } from "../src/place/text/fold.ts";

/** Streets that the extract knows by another name than addresses do. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  "Cách Mạng Tháng Tám": "Cách Mạng Tháng 8",
  "Nguyễn Gia Trí": "Đường D2",
  "Võ Nguyên Giáp": "Xa lộ Hà Nội",
};

/** "Đồng Khởi (ex Catinat)" and "Nguyễn Huệ Boulevard" as signs have them. */
export const streetName = (name: string): string =>
  (name.split("(", 1)[0] ?? "").replace(/ Boulevard *$/, "").trim();

/** The courses in the files of cities are approximate: the real street is at most this far from them, or from the edge of the ward. */
const AVENUE_ERROR_METERS = 500;
const WARD_ERROR_METERS = 300;
/** Two ways of a street that run this close are its two carriageways. */
const CARRIAGEWAY_METERS = 45;
/** Pieces shorter than this are ends that a border or a bridge cut off. */
const SHORTEST_METERS = 30;
/** A simplified course is at most this far from the real one. */
const TOLERANCE_METERS = 3;
/** Houses on the street stand this far from its middle, and those in lanes at most this far. */
const FRONT_METERS = 15;
const LANE_METERS = 140;
const STEP_METERS = 10;

/** No lane leads across these: `highway` of the streets that end a block. */
const WIDE_STREETS: ReadonlySet<string> = new Set(
  "trunk primary secondary tertiary unclassified residential living_street pedestrian".split(" "),
);
/** No house stands in these: values of `natural`, `waterway`, `leisure` and `landuse`. */
const OPEN_SPACES: ReadonlySet<string> = new Set(
  "water riverbank dock wetland park garden pitch stadium golf_course reservoir basin cemetery".split(" "),
);

/** Metres east and north of the centre of the city. */
type Point = readonly [east: number, north: number];
type Course = readonly Point[];
type ToDegrees = (point: Point) => readonly [latitude: number, longitude: number];

/**
 * Finds the streets of a demo city in an extract of OpenStreetMap: their courses, cut at the borders of wards, and how far from
 * them there may be houses before there is water, a park or the next block.
 */
export function traceStreets(features: readonly Feature[], city: City): MappedStreet[] {
  const { toMeters, toDegrees } = createPlane(city);
  const ways = features.flatMap(({ geometry, properties }) =>
    geometry.type === "LineString" && properties?.["highway"] !== undefined
      ? [
          {
            key: streetKey(`${properties["name"] ?? ""}`),
            isWide: WIDE_STREETS.has(`${properties["highway"]}`),
            course: geometry.coordinates.map(toMeters),
          },
        ]
      : [],
  );
  const byKey = Map.groupBy(ways, ({ key }) => key);
  const blocks = createBlocks(ways.flatMap(({ isWide, course }) => (isWide ? [course] : [])));
  const isOpen = createOpenSpaces(features);
  const reachOf = createReach(blocks, (point) => isOpen(toDegrees(point)));
  const wardAt = createWardAt(city);
  return wantedStreets(city, toMeters).flatMap(({ name, isNear, isNearMain }) => {
    const courses = (byKey.get(streetKey(OTHER_NAMES[name] ?? name)) ?? []).map(({ course }) => course);
    let mainMeters = 0;
    return toCentreLines(joinWays(courses).filter((chain) => chain.some(isNear))).flatMap(
      ({ course, setback }) => {
        const isMain = course.some(isNearMain);
        // The parts of a main road, between which it has other names, are numbered one after the other.
        const start = isMain ? mainMeters : 0;
        if (isMain) mainMeters += lengthOf(course);
        return cutAtWards(simplify(course), (point) => wardAt(toDegrees(point))).map(
          ({ ward, from, path }): MappedStreet => ({
            name,
            ward,
            ...(isMain && { isMain }),
            from: Math.round(start + from),
            ...(setback > 0 && { setback }),
            path: path.map((point) => [...toDegrees(point)]),
            reach: sidesOf(path).map((side) => reachOf(side, setback)),
          }),
        );
      },
    );
  });
}

const streetKey = (name: string): string => fold(streetName(name)).replace(/^duong /, "");

const METERS_PER_DEGREE = 110_700;
const DEGREE_SCALE = 100_000;

function createPlane({ centre }: City): {
  toMeters: (position: readonly number[]) => Point;
  toDegrees: ToDegrees;
} {
  const metersPerLongitude = METERS_PER_DEGREE * Math.cos((centre.latitude * Math.PI) / 180);
  const round = (degrees: number): number => Math.round(degrees * DEGREE_SCALE) / DEGREE_SCALE;
  return {
    toMeters: ([longitude = 0, latitude = 0]) => [
      (longitude - centre.longitude) * metersPerLongitude,
      (latitude - centre.latitude) * METERS_PER_DEGREE,
    ],
    toDegrees: ([east, north]) => [
      round(centre.latitude + north / METERS_PER_DEGREE),
      round(centre.longitude + east / metersPerLongitude),
    ],
  };
}

interface WantedStreet {
  readonly name: string;
  /** Other streets of the city may have the same name. */
  readonly isNear: (point: Point) => boolean;
  /** Near the course of an avenue. */
  readonly isNearMain: (point: Point) => boolean;
}

function wantedStreets(city: City, toMeters: (position: readonly number[]) => Point): WantedStreet[] {
  const main = city.avenues.map(({ name, path }) => ({
    name,
    sides: sidesOf(path.map(([latitude, longitude]) => toMeters([longitude, latitude]))),
    margin: AVENUE_ERROR_METERS,
    isMain: true,
  }));
  const local = city.wards.flatMap((ward) => {
    const centre = toMeters([ward.longitude, ward.latitude]);
    return localStreets(city, ward).map((name) => ({
      name,
      sides: [[centre, centre] as const],
      margin: ward.radiusMeters + WARD_ERROR_METERS,
      isMain: false,
    }));
  });
  return [...Map.groupBy([...main, ...local], ({ name }) => name)].map(([name, rows]) => ({
    name,
    isNear: isNearAny(rows),
    isNearMain: isNearAny(rows.filter(({ isMain }) => isMain)),
  }));
}

interface Rough {
  readonly sides: readonly Segment[];
  readonly margin: number;
}

const isNearAny =
  (rows: readonly Rough[]) =>
  (point: Point): boolean =>
    rows.some(({ sides, margin }) => sides.some((side) => metersTo(point, side).meters < margin));

type Segment = readonly [Point, Point];

const sidesOf = (course: Course): Segment[] => course.slice(1).map((point, index) => [course[index]!, point]);

const between = ([fromEast, fromNorth]: Point, [east, north]: Point, share = 0.5): Point => [
  fromEast + (east - fromEast) * share,
  fromNorth + (north - fromNorth) * share,
];

const distance = ([fromEast, fromNorth]: Point, [east, north]: Point): number =>
  Math.hypot(east - fromEast, north - fromNorth);

const lengthOf = (course: Course): number =>
  sidesOf(course).reduce((sum, [from, to]) => sum + distance(from, to), 0);

/** How far a point is from a side, and the nearest point of it. */
function metersTo(point: Point, [from, to]: Segment): { readonly meters: number; readonly nearest: Point } {
  const [east, north] = [to[0] - from[0], to[1] - from[1]];
  const along = (point[0] - from[0]) * east + (point[1] - from[1]) * north;
  const nearest = between(from, to, Math.min(1, Math.max(0, along / (east * east + north * north || 1))));
  return { meters: distance(point, nearest), nearest };
}

/** Joins ways that meet at their ends; where three meet, the two that go on straightest. The longest come first. */
function joinWays(ways: readonly Course[]): Course[] {
  const rest = new Set(ways);
  const chains: Course[] = [];
  for (const way of ways) {
    if (!rest.delete(way)) continue;
    const ahead = extend(way, rest);
    chains.push(extend(ahead.toReversed(), rest).toReversed());
  }
  return chains.toSorted((one, other) => lengthOf(other) - lengthOf(one));
}

function extend(start: Course, rest: Set<Course>): Course {
  const chain = [...start];
  for (;;) {
    const end = chain.at(-1)!;
    const way = directionOf(chain.at(-2)!, end);
    const [best] = [...rest]
      .flatMap((next) => [
        { next, course: next },
        { next, course: next.toReversed() },
      ])
      .filter(({ course }) => distance(course[0]!, end) < 1)
      .map((candidate) => ({
        ...candidate,
        turn: dot(way, directionOf(candidate.course[0]!, candidate.course[1]!)),
      }))
      .toSorted((one, other) => other.turn - one.turn);
    // A carriageway that comes back is no continuation.
    if (best === undefined || best.turn < 0) return chain;
    rest.delete(best.next);
    chain.push(...best.course.slice(1));
  }
}

function directionOf(from: Point, to: Point): Point {
  const length = distance(from, to) || 1;
  return [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
}

const dot = (one: Point, other: Point): number => one[0] * other[0] + one[1] * other[1];

/** A course, and how far its kerbs are from it beyond those of a narrow street. */
interface CentreLine {
  readonly course: Course;
  readonly setback: number;
}

/** Puts the two carriageways of a wide street together: houses stand beside both, not between them. */
function toCentreLines(chains: readonly Course[]): CentreLine[] {
  const kept: Course[] = [];
  const twins: Segment[] = [];
  for (const chain of chains) {
    const near = chain.filter((point) => nearestOf(point, kept.flatMap(sidesOf)).meters < CARRIAGEWAY_METERS);
    if (near.length > chain.length / 2) twins.push(...sidesOf(chain));
    else if (lengthOf(chain) >= SHORTEST_METERS) kept.push(chain);
  }
  return kept.map((chain) => {
    const gaps: number[] = [];
    const course = resample(chain).map((point) => {
      const { meters, nearest } = nearestOf(point, twins);
      if (meters >= CARRIAGEWAY_METERS) return point;
      gaps.push(meters / 2);
      return between(point, nearest);
    });
    const isWide = gaps.length > course.length / 2;
    return isWide ? { course, setback: Math.round(medianOf(gaps)) } : { course: chain, setback: 0 };
  });
}

const NOWHERE = { meters: Number.POSITIVE_INFINITY, nearest: [0, 0] as Point };

const nearestOf = (point: Point, sides: readonly Segment[]): ReturnType<typeof metersTo> =>
  sides.reduce((best, side) => {
    const found = metersTo(point, side);
    return found.meters < best.meters ? found : best;
  }, NOWHERE);

const medianOf = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? 0;

/** Adds points, so that no two are further apart than a few houses. */
const resample = (course: Course): Course => [
  course[0]!,
  ...sidesOf(course).flatMap(([from, to]) => {
    const pieces = Math.max(1, Math.ceil(distance(from, to) / (2 * STEP_METERS)));
    return Array.from({ length: pieces }, (_, piece) => between(from, to, (piece + 1) / pieces));
  }),
];

/** Leaves out points that the course hardly needs (Douglas and Peucker). */
function simplify(course: Course): Course {
  const side: Segment = [course[0]!, course.at(-1)!];
  const distances = course.map((point) => metersTo(point, side).meters);
  const furthest = distances.indexOf(Math.max(...distances));
  if (distances[furthest]! < TOLERANCE_METERS) return side;
  return [...simplify(course.slice(0, furthest + 1)), ...simplify(course.slice(furthest)).slice(1)];
}

interface Piece {
  readonly ward: string;
  /** Metres from the start of the street. */
  readonly from: number;
  readonly path: Course;
}

/** Cuts a course where it leaves a ward, to the next ten metres; what lies in no ward of the city is left out. */
function cutAtWards(course: Course, wardAt: (point: Point) => string | undefined): Piece[] {
  const pieces: { ward: string | undefined; from: number; path: Point[] }[] = [];
  let from = 0;
  for (const [start, end] of sidesOf(course)) {
    const steps = Math.max(1, Math.round(distance(start, end) / STEP_METERS));
    for (let step = 0; step < steps; step += 1) {
      const ward = wardAt(between(start, end, (step + 0.5) / steps));
      const last = pieces.at(-1);
      const next = between(start, end, (step + 1) / steps);
      if (last && last.ward === ward) {
        // Along one side, the end moves on; at its start, a corner is added.
        if (step > 0 && last.path.length > 1) last.path.pop();
        last.path.push(next);
      } else pieces.push({ ward, from, path: [between(start, end, step / steps), next] });
      from += distance(start, end) / steps;
    }
  }
  return pieces.flatMap(({ ward, from: start, path }) =>
    ward === undefined || lengthOf(path) < SHORTEST_METERS ? [] : [{ ward, from: start, path }],
  );
}

const WARD_BORDERS = new URL("../src/place/geometry/areas/wards/p79.topo.json.br", import.meta.url);
const AREA_LIST = new URL("../src/place/geometry/areas/vietnam.csv", import.meta.url);

/** The ward of a point as the city's rows name it; undefined outside of them. */
function createWardAt({ wards }: City): (degrees: readonly [number, number]) => string | undefined {
  const names = new Map(readAreas(readFileSync(AREA_LIST, "utf8")).map(({ id, name }) => [id, name]));
  const rows = new Set(wards.map(({ name }) => name));
  const topology = JSON.parse(brotliDecompressSync(readFileSync(WARD_BORDERS)).toString()) as Topology<
    Record<string, GeometryCollection>
  >;
  const borders = Object.values(topology.objects).flatMap(
    (collection) => feature(topology, collection).features as Feature<Polygon | MultiPolygon>[],
  );
  const query = whichPolygon<{ readonly name: string }>({
    type: "FeatureCollection",
    features: borders.map((border) => ({ ...border, properties: { name: names.get(`${border.id}`) ?? "" } })),
  });
  return ([latitude, longitude]) => {
    const { name = "" } = query([longitude, latitude]) ?? {};
    return [name, name.replace(/^Phường /, "")].find((one) => rows.has(one));
  };
}

/** Whether there is water, a park or the like at a point. */
function createOpenSpaces(features: readonly Feature[]): (degrees: readonly [number, number]) => boolean {
  const spaces = features.filter(
    ({ geometry, properties }) =>
      geometry.type.endsWith("Polygon") &&
      ["natural", "waterway", "leisure", "landuse"].some((tag) => OPEN_SPACES.has(`${properties?.[tag]}`)),
  );
  const query = whichPolygon({ type: "FeatureCollection", features: spaces } as FeatureCollection<
    Polygon | MultiPolygon,
    object
  >);
  return ([latitude, longitude]) => query([longitude, latitude]) !== null;
}

/** The sides of streets near a point. */
type Blocks = (point: Point) => readonly Segment[];

function createBlocks(courses: readonly Course[]): Blocks {
  const cell = ([east, north]: Point): string =>
    `${Math.floor(east / LANE_METERS)},${Math.floor(north / LANE_METERS)}`;
  const cells = new Map<string, Set<Segment>>();
  for (const side of courses.flatMap((course) => sidesOf(resample(course))))
    for (const point of side) cells.getOrInsertComputed(cell(point), () => new Set()).add(side);
  return ([east, north]) =>
    [-1, 0, 1].flatMap((column) =>
      [-1, 0, 1].flatMap((row) => [
        ...(cells.get(cell([east + column * LANE_METERS, north + row * LANE_METERS])) ?? []),
      ]),
    );
}

/**
 * How far from a side of a street houses may stand, to its left and to its right: up to open space, or to the middle of the block,
 * behind which the lanes are those of the next street. 0 where there is no house.
 */
const createReach =
  (blocks: Blocks, isOpen: (point: Point) => boolean) =>
  ([from, to]: Segment, setback: number): [left: number, right: number] => {
    const [east, north] = directionOf(from, to);
    const steps = Math.max(1, Math.round(distance(from, to) / (2 * STEP_METERS)));
    const reaches = (across: Point): number =>
      medianOf(
        Array.from({ length: steps }, (_, step) => reachAt(between(from, to, (step + 0.5) / steps), across)),
      );
    function reachAt(start: Point, across: Point): number {
      const near = blocks(start);
      const at = (meters: number): Point => [start[0] + across[0] * meters, start[1] + across[1] * meters];
      for (let meters = FRONT_METERS; meters <= LANE_METERS; meters += STEP_METERS) {
        const point = at(setback + meters);
        // Between a street and a park there is at most a pavement.
        if (isOpen(point)) return meters <= FRONT_METERS + STEP_METERS ? 0 : meters - STEP_METERS;
        const isNextStreet =
          meters > 2 * FRONT_METERS && near.some((side) => metersTo(point, side).meters < STEP_METERS / 2);
        if (isNextStreet) return Math.max(FRONT_METERS, Math.floor(meters / 2));
      }
      return LANE_METERS;
    }
    return [reaches([-north, east]), reaches([north, -east])];
  };
