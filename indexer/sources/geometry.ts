import type { Coordinates } from "../../src/place/geometry/coordinates.ts";

/** In degrees. A longitude range wider than half the Earth crosses the 180th meridian. */
const HALF_TURN = 180;
const FULL_TURN = 360;

/**
 * The centre of the bounding box of any GeoJSON geometry (RFC 7946), as Overpass computes its `center`.
 * `undefined` when it has no position.
 */
export function centreOf(geometry: unknown): Coordinates | undefined {
  const positions = [...positionsOf(geometry)];
  if (positions.length === 0) return undefined;
  const latitude = middle(positions.map((position) => position.latitude));
  const longitudes = positions.map((position) => position.longitude);
  const width = largest(longitudes) - smallest(longitudes);
  if (positions.length === 1 || width <= HALF_TURN) return { latitude, longitude: middle(longitudes) };
  const eastward = middle(longitudes.map((longitude) => (longitude < 0 ? longitude + FULL_TURN : longitude)));
  return { latitude, longitude: eastward > HALF_TURN ? eastward - FULL_TURN : eastward };
}

function* positionsOf(geometry: unknown): Generator<Coordinates> {
  const { coordinates, geometries } = (geometry ?? {}) as { coordinates?: unknown; geometries?: unknown };
  const parts = Array.isArray(geometries) ? (geometries as { coordinates?: unknown }[]) : [{ coordinates }];
  for (const part of parts) yield* positionsIn(part?.coordinates, MAX_LIST_DEPTH);
}

/** Positions are nested in up to three lists: points, rings and polygons. */
const MAX_LIST_DEPTH = 3;

function* positionsIn(coordinates: unknown, depth: number): Generator<Coordinates> {
  if (!Array.isArray(coordinates)) return;
  const [longitude, latitude] = coordinates as unknown[];
  if (typeof longitude === "number" && typeof latitude === "number") yield { latitude, longitude };
  else if (depth > 0) for (const part of coordinates as unknown[]) yield* positionsIn(part, depth - 1);
}

const smallest = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b));
const largest = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b));
const middle = (values: readonly number[]): number => (smallest(values) + largest(values)) / 2;
