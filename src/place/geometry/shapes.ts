import {
  cellsOfShape,
  centreOf,
  type Closeness,
  depthInBounds,
  isSurelyIn,
  metersFromBounds,
  metersToCorner,
} from "./cells.ts";
import { distanceMeters, middleOf, type Bounds, type Coordinates } from "./coordinates.ts";

/**
 * Shapes that callers draw. Between two points a line is straight in degrees, as GeoJSON says (RFC 7946 §3.1.1). Longitudes go on
 * past 180 where a line crosses the antimeridian.
 */
export type Line = readonly Coordinates[];

/** What lies in an odd number of its rings, or on one: the first ring but for the holes in it. Each ring ends where it begins. */
export interface Polygon {
  readonly rings: readonly Line[];
}

/** A way, and the corridor beside it. */
export interface Route {
  readonly line: Line;
  readonly radiusMeters: number;
}

/** From the middle of a shape to the corners of its rectangle, at most: cells of all sizes cover it, and a day's drive lies in it. */
export const WIDEST_SHAPE_METERS = 150_000;

/** Nearer to the poles, a line that is straight in degrees bends too much for the distances here. */
export const HIGHEST_SHAPE_LATITUDE = 80;

/** The longitude of the same meridian that is nearest to another longitude. */
export const longitudeNear = (longitude: number, reference: number): number =>
  longitude + 360 * Math.round((reference - longitude) / 360);

const pointsOf = (shape: Polygon | Route): Line => ("rings" in shape ? shape.rings.flat() : shape.line);

/** The rectangle around points. */
function boundsOf(points: Line): Bounds {
  const latitudes = points.map(({ latitude }) => latitude);
  const longitudes = points.map(({ longitude }) => longitude);
  return {
    west: Math.min(...longitudes),
    south: Math.min(...latitudes),
    east: Math.max(...longitudes),
    north: Math.max(...latitudes),
  };
}

/** The middle of the rectangle around points, and how far from it the corners are in metres. */
export function extentOf(points: Line): { readonly middle: Coordinates; readonly meters: number } {
  const bounds = boundsOf(points);
  const { latitude, longitude } = middleOf(bounds);
  const middle = { latitude, longitude: longitudeNear(longitude, 0) };
  const corners = [bounds.south, bounds.north].map((edge) => ({ latitude: edge, longitude: bounds.west }));
  const isRoundTheWorld = bounds.east - bounds.west > 180;
  const meters = corners.map((corner) => distanceMeters(middle, corner));
  return { middle, meters: isRoundTheWorld ? Infinity : Math.max(...meters) };
}

/** The centre of a request with this shape and no other: the middle of a polygon, the start of a way. */
export function centreOfShape(shape: Polygon | Route): Coordinates {
  const [first] = pointsOf(shape);
  const { latitude, longitude } = "line" in shape && first ? first : extentOf(pointsOf(shape)).middle;
  return { latitude, longitude: longitudeNear(longitude, 0) };
}

/** True when the point lies in the polygon or on its edge. */
export function isInPolygon({ rings }: Polygon, point: Coordinates): boolean {
  const y = point.latitude;
  const x = longitudeNear(point.longitude, rings[0]?.[0]?.longitude ?? 0);
  let isInside = false;
  for (const ring of rings) {
    for (let index = 1; index < ring.length; index += 1) {
      const { latitude: y1, longitude: x1 } = ring[index - 1]!;
      const { latitude: y2, longitude: x2 } = ring[index]!;
      // Most lines of a polygon lie above the point, or below it.
      if ((y1 > y && y2 > y) || (y1 < y && y2 < y)) continue;
      const side = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
      const isBeside = x >= Math.min(x1, x2) && x <= Math.max(x1, x2);
      if (side === 0 && isBeside) return true;
      if (y1 > y !== y2 > y && side > 0 === y2 > y1) isInside = !isInside;
    }
  }
  return isInside;
}

/** Of a way across a city, a stretch of so many lines is short beside the whole, and few stretches are near a point. */
const LINES_OF_STRETCH = 16;

/** Some of the lines between two points next to each other, and the rectangle around them. */
interface Stretch extends Bounds {
  readonly first: number;
  readonly end: number;
}

const knownStretches = new WeakMap<Line, readonly Stretch[]>();

const stretchesOf = (line: Line): readonly Stretch[] =>
  knownStretches.getOrInsertComputed(line, () =>
    Array.from({ length: Math.ceil(line.length / LINES_OF_STRETCH) }, (_, index) => {
      const first = index * LINES_OF_STRETCH;
      const end = Math.min(line.length, first + LINES_OF_STRETCH);
      return { first, end, ...boundsOf(line.slice(Math.max(0, first - 1), end)) };
    }),
  );

/** A point, and how long a degree east is there in degrees north. */
interface Seen extends Coordinates {
  readonly east: number;
}

/** The square of the distance from a rectangle, in degrees north. */
function squaredFromBounds({ west, south, east: to, north }: Bounds, point: Seen): number {
  const x = Math.max(west - point.longitude, 0, point.longitude - to) * point.east;
  const y = Math.max(south - point.latitude, 0, point.latitude - north);
  return x * x + y * y;
}

/** The square of the distance from the line that ends at a point of a longer one, in degrees north. */
function squaredFromLineTo(line: Line, index: number, point: Seen): number {
  const from = line[Math.max(0, index - 1)]!;
  const to = line[index]!;
  const share = shareOfNearest(from, to, point, point.east);
  const x = (from.longitude + share * (to.longitude - from.longitude) - point.longitude) * point.east;
  const y = from.latitude + share * (to.latitude - from.latitude) - point.latitude;
  return x * x + y * y;
}

/** The end of the nearest of the lines. Looks first at the stretch that is nearest, and then at those only that may be nearer. */
function nearestLineTo(line: Line, point: Seen): number {
  const stretches = stretchesOf(line);
  let [nearest, squared] = [0, Infinity];
  const lookAt = ({ first, end }: Stretch): void => {
    for (let index = first; index < end; index += 1) {
      const one = squaredFromLineTo(line, index, point);
      if (one < squared) [nearest, squared] = [index, one];
    }
  };
  let [likely, least] = [stretches[0]!, Infinity];
  for (const stretch of stretches) {
    const one = squaredFromBounds(stretch, point);
    if (one < least) [likely, least] = [stretch, one];
  }
  lookAt(likely);
  for (const stretch of stretches) {
    if (stretch !== likely && squaredFromBounds(stretch, point) < squared) lookAt(stretch);
  }
  return nearest;
}

/** The distance from the line, in metres: that of its nearest point. */
export function metersFromLine(line: Line, point: Coordinates): number {
  const { latitude } = point;
  const longitude = longitudeNear(point.longitude, line[0]?.longitude ?? 0);
  const seen = { latitude, longitude, east: Math.cos((latitude * Math.PI) / 180) };
  const index = nearestLineTo(line, seen);
  // Degrees of longitude are as long as half way to the nearest point, which is known only now.
  const [from, to] = [line[Math.max(0, index - 1)]!, line[index]!];
  const near = along(from, to, shareOfNearest(from, to, seen, seen.east));
  const eastBetween = Math.cos((((latitude + near.latitude) / 2) * Math.PI) / 180);
  return distanceMeters(point, along(from, to, shareOfNearest(from, to, seen, eastBetween)));
}

const along = (from: Coordinates, to: Coordinates, share: number): Coordinates => ({
  latitude: from.latitude + share * (to.latitude - from.latitude),
  longitude: from.longitude + share * (to.longitude - from.longitude),
});

/** How far along from one end (0) to the other (1) a line is nearest to a point. `east`: a degree east in degrees north. */
function shareOfNearest(from: Coordinates, to: Coordinates, point: Coordinates, east: number): number {
  const dx = (to.longitude - from.longitude) * east;
  const dy = to.latitude - from.latitude;
  const length = dx * dx + dy * dy;
  if (length === 0) return 0;
  const x = (point.longitude - from.longitude) * east;
  const share = (x * dx + (point.latitude - from.latitude) * dy) / length;
  return Math.min(1, Math.max(0, share));
}

/** What is measured of each point: to a line with 500 points it takes 8 µs, and a count, its list and the order of that ask for it. */
const measured = new WeakMap<Polygon | Line, WeakMap<Coordinates, number>>();

/** How far a point is from the way, or whether it is outside of the polygon (1) or not (0). */
const measure = (shape: Polygon | Route, point: Coordinates): number =>
  measured
    .getOrInsertComputed("rings" in shape ? shape : shape.line, () => new WeakMap<Coordinates, number>())
    .getOrInsertComputed(point, () =>
      "rings" in shape ? Number(!isInPolygon(shape, point)) : metersFromLine(shape.line, point),
    );

/** A visit from the way and back: the least that it can take, without knowing the streets. */
export const detourMeters = (route: Route, point: Coordinates): number => 2 * measure(route, point);

/** Whether a place lies in the shape, or in the corridor beside it. */
export const isInShape = (shape: Polygon | Route, point: Coordinates): boolean =>
  measure(shape, point) <= ("rings" in shape ? 0 : shape.radiusMeters);

/** A part of the Earth: a point and how far from it the part reaches, and what lies in it. */
export interface Part {
  readonly middle: Coordinates;
  readonly meters: number;
  /** How far from its edge a point is inside; less than 0 outside. */
  readonly depthOf: (point: Coordinates) => number;
}

/** A shape as such a part. */
export function toPart(shape: Polygon | Route): Part {
  const { middle, meters } = extentOf(pointsOf(shape));
  if ("line" in shape) {
    const { line, radiusMeters } = shape;
    return {
      middle,
      meters: meters + radiusMeters,
      depthOf: (point) => radiusMeters - metersFromLine(line, point),
    };
  }
  const toEdge = (point: Coordinates): number =>
    Math.min(...shape.rings.map((ring) => metersFromLine(ring, point)));
  return {
    middle,
    meters,
    depthOf: (point) => (isInPolygon(shape, point) ? 1 : -1) * toEdge(point),
  };
}

/** A circle. */
export const toCirclePart = (middle: Coordinates, meters: number): Part => ({
  middle,
  meters,
  depthOf: (point) => meters - distanceMeters(middle, point),
});

/** A rectangle. */
export const toBoundsPart = (bounds: Bounds): Part => ({
  middle: middleOf(bounds),
  meters: metersToCorner(bounds),
  depthOf: (point) => Math.max(0, depthInBounds(bounds, point)) || -metersFromBounds(bounds, point),
});

/** How far from the edge of what lies in all of these parts a point is inside, no more than it is; less than 0 outside. */
function depthInAll(parts: readonly Part[], point: Coordinates, most = Infinity): number {
  let depth = Infinity;
  // What is far from one of them needs no look at the others.
  for (const { depthOf } of parts) if (depth >= -most) depth = Math.min(depth, depthOf(point));
  return depth;
}

/** Cells that together cover what lies in all of these parts. */
export function cellsInAll(parts: readonly Part[], closeness: Closeness): readonly string[] {
  // Around the smallest.
  const { middle, meters } = parts.reduce((least, one) => (one.meters < least.meters ? one : least));
  return cellsOfShape(middle, meters, (point, most) => depthInAll(parts, point, most), closeness);
}

/** Those of some cells of which every point lies in all of these parts. */
export const surelyInAll = (parts: readonly Part[], cells: readonly string[]): readonly string[] =>
  cells.filter((cell) => {
    const middle = centreOf(cell);
    return isSurelyIn(depthInAll(parts, middle, 0), cell, middle);
  });
