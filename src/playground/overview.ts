import type { PageOverview } from "../assets/assets.ts";
import { L, type Leaflet } from "./leaflet.ts";
import { type Point, toPoint } from "./view.ts";

/** The corners of a cell in degrees: latitude and longitude alternate. */
export function readOutline(steps: readonly number[]): number[] {
  const units: number[] = [];
  for (const [index, step] of steps.entries()) units.push(step + (units[index - 2] ?? 0));
  return units.map((unit) => unit / 10_000);
}

/** The centre of the cell with the most places, where the map starts. */
export function centreOf(overview: PageOverview | undefined): Point | undefined {
  const densest = overview?.levels[0]?.toSorted((one, other) => other.places - one.places)[0];
  if (densest === undefined) return undefined;
  const { lat, lng } = toBounds(densest.outline).getCenter();
  return toPoint(lat, lng);
}

/** How far the nearest place is from a point, within the width of a cell; undefined when nobody knows. */
export function metersToPlaces(overview: PageOverview | undefined, { lat, lng }: Point): number | undefined {
  const at = L.latLng(lat, lng);
  // Over tiles, the first level is one cell alone.
  const whole = overview?.levels.find((cells) => sumOf(cells) === overview.places) ?? [];
  const distances = whole.map(({ outline }) => {
    const bounds = toBounds(outline);
    const middle = bounds.getCenter();
    return Math.max(0, middle.distanceTo(at) - middle.distanceTo(bounds.getNorthEast()));
  });
  return distances.length === 0 ? undefined : Math.min(...distances);
}

const sumOf = (cells: PageOverview["levels"][number]): number =>
  cells.reduce((sum, { places }) => sum + places, 0);

function toBounds(steps: readonly number[]): Leaflet.LatLngBounds {
  const degrees = readOutline(steps);
  const corners: Leaflet.LatLng[] = [];
  for (let index = 0; index + 1 < degrees.length; index += 2)
    corners.push(L.latLng(degrees[index] ?? 0, degrees[index + 1] ?? 0));
  return L.latLngBounds(corners);
}
