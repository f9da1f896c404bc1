import * as v from "valibot";
import type { Coordinates } from "../place/geometry/coordinates.ts";
import {
  extentOf,
  HIGHEST_SHAPE_LATITUDE,
  longitudeNear,
  WIDEST_SHAPE_METERS,
  type Line,
  type Polygon,
} from "../place/geometry/shapes.ts";
import { published } from "./query-string.ts";

/** The shapes of a request: a polygon, and a way. */

/** More detail than a finger draws; each point costs time for every place. */
const MOST_POLYGON_POINTS = 200;
/** A way as routers simplify it for a map. */
const MOST_ROUTE_POINTS = 500;

/** Says what is wrong with a shape, as the end of a sentence. */
class ShapeFault extends Error {}

/** Encoded polylines count in steps of 1e-5 degrees, in groups of five bits. */
const STEPS_PER_DEGREE = 1e5;
const FIRST_CHARACTER = 63;
const BITS = 5;
const HAS_MORE = 2 ** BITS;

/** No coordinate has more groups. */
const MOST_GROUPS = 7;

/** The points of an encoded polyline (Google's format with five decimals). */
function decodePolyline(text: string, mostPoints: number, shown = mostPoints): Coordinates[] {
  const numbers: number[] = [];
  let number = 0;
  let groups = 0;
  for (const character of text) {
    const bits = (character.codePointAt(0) ?? 0) - FIRST_CHARACTER;
    if (bits < 0 || bits >= 2 * HAS_MORE || groups === MOST_GROUPS)
      throw new ShapeFault("must be an encoded polyline with five decimals");
    number += (bits % HAS_MORE) * HAS_MORE ** groups;
    groups += 1;
    if (bits >= HAS_MORE) continue;
    // The lowest bit is the sign.
    numbers.push(number % 2 === 1 ? -(number + 1) / 2 : number / 2);
    [number, groups] = [0, 0];
    if (numbers.length > 2 * mostPoints) throw new ShapeFault(`may have ${shown} points at most`);
  }
  if (groups > 0 || numbers.length % 2 === 1)
    throw new ShapeFault("ends too early: it is an encoded polyline that was cut");
  let [latitude, longitude] = [0, 0];
  return Array.from({ length: numbers.length / 2 }, (_, index) => {
    latitude += numbers[2 * index] ?? 0;
    longitude += numbers[2 * index + 1] ?? 0;
    return { latitude: latitude / STEPS_PER_DEGREE, longitude: longitude / STEPS_PER_DEGREE };
  });
}

const position = v.looseTuple([v.pipe(v.number(), v.finite()), v.pipe(v.number(), v.finite())]);
const geoJsonPolygon = v.object({
  type: v.literal("Polygon"),
  coordinates: v.pipe(v.array(v.pipe(v.array(position), v.minLength(1))), v.minLength(1)),
});

/** The rings of a polygon in GeoJSON, or of a feature with one. */
function readGeoJson(text: string): Coordinates[][] {
  const read = v.safeParse(
    v.union([geoJsonPolygon, v.object({ type: v.literal("Feature"), geometry: geoJsonPolygon })]),
    parseJson(text),
  );
  if (!read.success) throw new ShapeFault("must be a GeoJSON polygon or an encoded polyline");
  const { coordinates } = "geometry" in read.output ? read.output.geometry : read.output;
  const rings = coordinates.map((ring) => ring.map(([longitude, latitude]) => ({ latitude, longitude })));
  for (const ring of rings) {
    const [first, last] = [ring[0]!, ring.at(-1)!];
    if (first.latitude !== last.latitude || first.longitude !== last.longitude)
      throw new ShapeFault("has an open ring: its last point must be its first");
  }
  return rings;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Points in range, with longitudes that go on past 180 where the line crosses the antimeridian. */
function toLine(points: Line, start?: Coordinates): Line {
  let last = start?.longitude;
  return points.map(({ latitude, longitude }) => {
    if (Math.abs(latitude) > HIGHEST_SHAPE_LATITUDE || Math.abs(longitude) > 180)
      throw new ShapeFault(
        `must lie between ${HIGHEST_SHAPE_LATITUDE}° south and north, with longitudes from -180 to 180`,
      );
    last = last === undefined ? longitude : longitudeNear(longitude, last);
    return { latitude, longitude: last };
  });
}

function checkExtent(points: Line): void {
  if (extentOf(points).meters <= WIDEST_SHAPE_METERS) return;
  throw new ShapeFault(`may be ${(2 * WIDEST_SHAPE_METERS) / 1_000} km from corner to corner at most`);
}

type Edge = readonly [from: Coordinates, to: Coordinates];

const edgesOf = (ring: Line): Edge[] => ring.slice(1).map((to, index) => [ring[index]!, to]);

/** On which side of a line a point lies: the sign says, and 0 is on it. */
const sideOf = ([from, to]: Edge, point: Coordinates): number =>
  Math.sign(
    (to.longitude - from.longitude) * (point.latitude - from.latitude) -
      (to.latitude - from.latitude) * (point.longitude - from.longitude),
  );

/** Whether two edges cross; to touch is allowed, since even so it is clear what lies inside. */
const doCross = (one: Edge, other: Edge): boolean =>
  sideOf(one, other[0]) * sideOf(one, other[1]) < 0 && sideOf(other, one[0]) * sideOf(other, one[1]) < 0;

function parsePolygon(text: string): Polygon {
  // A polyline may begin with a brace, and never has a quotation mark.
  const isJson = text.includes('"');
  const given = isJson
    ? readGeoJson(text)
    : [closed(decodePolyline(text, MOST_POLYGON_POINTS + 1, MOST_POLYGON_POINTS))];
  const points = given.reduce((sum, ring) => sum + ring.length - 1, 0);
  if (points > MOST_POLYGON_POINTS) throw new ShapeFault(`may have ${MOST_POLYGON_POINTS} points at most`);
  const rings = given.map((ring) => toLine(ring, given[0]?.[0]));
  checkExtent(rings.flat());
  for (const ring of rings) {
    const [first, second] = ring;
    const isFlat = !first || !second || ring.every((point) => sideOf([first, second], point) === 0);
    if (isFlat)
      throw new ShapeFault("has a ring without an area: three points at least must not lie in a line");
  }
  const edges = rings.flatMap(edgesOf);
  const isCrossed = edges.some((one, index) => edges.slice(0, index).some((other) => doCross(one, other)));
  if (isCrossed) throw new ShapeFault("crosses itself");
  return { rings };
}

/** An encoded ring need not repeat its first point. */
function closed(points: Coordinates[]): Coordinates[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) throw new ShapeFault("must be a GeoJSON polygon or an encoded polyline");
  return first.latitude === last.latitude && first.longitude === last.longitude ? points : [...points, first];
}

function parseLine(text: string): Line {
  const line = toLine(decodePolyline(text, MOST_ROUTE_POINTS));
  if (line.length < 2) throw new ShapeFault("must have two points at least");
  checkExtent(line);
  return line;
}

/** The schema of a shape that `parse` reads; what it throws is the message. */
const shape = <Shape>(description: string, examples: readonly string[], parse: (text: string) => Shape) =>
  v.pipe(
    v.string(),
    published({ type: "string", minLength: 1, description, examples }),
    v.rawTransform(({ dataset, addIssue, NEVER }): Shape => {
      try {
        return parse(dataset.value);
      } catch (error) {
        if (!(error instanceof ShapeFault)) throw error;
        addIssue({ message: error.message });
        return NEVER;
      }
    }),
  );

const LARGEST = `at most ${(2 * WIDEST_SHAPE_METERS) / 1_000} km from corner to corner, between ${HIGHEST_SHAPE_LATITUDE}° south and north`;

export const polygon = shape(
  `Only places in this polygon, its edge included: a GeoJSON polygon (with holes, or as the geometry of a feature) or one ring as an encoded polyline. Up to ${MOST_POLYGON_POINTS} points, ${LARGEST}; it must not cross itself, and may cross the antimeridian. Lines are straight in degrees.`,
  [
    '{"type":"Polygon","coordinates":[[[106.69,10.77],[106.71,10.77],[106.7,10.79],[106.69,10.77]]]}',
    "oov`Ao{djS?_|B_|Bn}@",
  ],
  parsePolygon,
);

export const route = shape(
  `Only places within \`route_radius\` of this way: an encoded polyline with five decimals, of 2 to ${MOST_ROUTE_POINTS} points, ${LARGEST}. Without \`sort\`, the least detour comes first.`,
  ["gau`A_bcjSku@c|A_b@{w@"],
  parseLine,
);

/** A street away is on the way; five kilometres are a trip of their own. */
export const DEFAULT_ROUTE_RADIUS_METERS = 1_000;
export const MAX_ROUTE_RADIUS_METERS = 5_000;
