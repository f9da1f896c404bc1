/** The layers of a basemap, with the names of the Protomaps basemap, so that its styles draw ours. */
export const LAYERS = ["water", "landuse", "buildings", "roads", "boundaries", "places"] as const;

export type Layer = (typeof LAYERS)[number];

/** OpenStreetMap's coordinates have seven decimals, which fit into 32 bits. */
export const UNITS_PER_DEGREE = 1e7;

/** Longitudes and latitudes in turn, in units of a ten-millionth of a degree. */
export type Line = Int32Array;

/** Degrees, longitudes and latitudes in turn, as units. */
export const toUnits = (degrees: readonly number[]): Line =>
  Int32Array.from(degrees.map((value) => Math.round(value * UNITS_PER_DEGREE)));

/** Something to draw. */
export interface MapFeature {
  readonly layer: Layer;
  /** The first zoom at which it is drawn. */
  readonly minZoom: number;
  /** What styles and labels need: its kind and names. */
  readonly tags: Readonly<Record<string, string | number>>;
  readonly shape: "Point" | "LineString" | "Polygon";
  /** One line; for a polygon its outer ring and the holes in it. */
  readonly lines: readonly Line[];
}

/** In units: west, south, east, north. */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** The smallest box around the lines. */
export function boxOf(lines: readonly Line[]): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const line of lines)
    for (let at = 0; at < line.length; at += 2) {
      const [lng = 0, lat = 0] = [line[at], line[at + 1]];
      if (lng < west) west = lng;
      if (lng > east) east = lng;
      if (lat < south) south = lat;
      if (lat > north) north = lat;
    }
  return { west, south, east, north };
}
