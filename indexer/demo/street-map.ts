import type { Writable } from "node:stream";
import { worldFor, type City } from "./cities.ts";
import { buildCityMap, type Course } from "./city-map.ts";

/** A shape with OpenStreetMap tags, as GeoJSON. */
interface StreetFeature {
  readonly type: "Feature";
  readonly properties: Readonly<Record<string, string>>;
  readonly geometry:
    | { readonly type: "Point"; readonly coordinates: readonly [number, number] }
    | { readonly type: "LineString"; readonly coordinates: readonly (readonly [number, number])[] };
}

/**
 * Writes the streets along which the demo places lie, one GeoJSON feature a line, with the names of wards and cities. The
 * number of places decides the cities.
 */
export function writeStreets(places: number, output: Writable): void {
  for (const { city } of worldFor(places).cities)
    for (const feature of featuresOf(city)) output.write(`${JSON.stringify(feature)}\n`);
}

function featuresOf(city: City): StreetFeature[] {
  return [
    nameAt("city", city.localName, city.centre),
    ...city.wards.map((ward) => nameAt("quarter", ward.name, ward)),
    ...buildCityMap(city).courses.map(toStreet),
  ];
}

const nameAt = (
  place: string,
  name: string,
  { latitude, longitude }: { readonly latitude: number; readonly longitude: number },
): StreetFeature => ({
  type: "Feature",
  properties: { place, name },
  geometry: { type: "Point", coordinates: [longitude, latitude] },
});

const toStreet = ({ street, isLocal, path }: Course): StreetFeature => ({
  type: "Feature",
  properties: { highway: isLocal ? "residential" : "primary", name: street },
  geometry: { type: "LineString", coordinates: path.map(([latitude, longitude]) => [longitude, latitude]) },
});
