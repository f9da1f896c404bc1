import type { Writable } from "node:stream";
import { worldFor } from "./cities.ts";
import { buildCityMap, type Course } from "./city-map.ts";

/** A street with OpenStreetMap tags, as GeoJSON. */
interface StreetFeature {
  readonly type: "Feature";
  readonly properties: { readonly highway: string; readonly name: string };
  readonly geometry: {
    readonly type: "LineString";
    readonly coordinates: readonly (readonly [number, number])[];
  };
}

/** Writes the streets along which the demo places lie, one GeoJSON feature a line. The number of places decides the cities. */
export function writeStreets(places: number, output: Writable): void {
  for (const { city } of worldFor(places).cities)
    for (const course of buildCityMap(city).courses) output.write(`${JSON.stringify(toStreet(course))}\n`);
}

const toStreet = ({ street, isLocal, path }: Course): StreetFeature => ({
  type: "Feature",
  properties: { highway: isLocal ? "residential" : "primary", name: street },
  geometry: { type: "LineString", coordinates: path.map(([latitude, longitude]) => [longitude, latitude]) },
});
