import { createReadStream, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createGunzip, gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import type { Coordinates } from "../../src/place/geometry/coordinates.ts";

/**
 * The areas of Viet Nam that contain a point. Ward and city are the current ones, district and old ward those
 * until June 2025, empty where they are unknown.
 */
export interface PlaceArea {
  readonly ward: string;
  readonly oldWard: string;
  readonly district: string;
  readonly city: string;
}

export interface Areas {
  locate(point: Coordinates): PlaceArea | undefined;
}

type Ring = readonly (readonly [longitude: number, latitude: number])[];

interface Ward {
  readonly code: string;
  readonly name: string;
  readonly city: string;
  readonly polygons: readonly (readonly Ring[])[];
  readonly box: { west: number; south: number; east: number; north: number };
}

interface OldWard extends Coordinates {
  readonly name: string;
  readonly district: string;
}

interface Mapping {
  readonly new_ward_code: string;
  readonly old_ward_name: string;
  readonly old_district_name: string;
  readonly old_province_name: string;
}

/**
 * Reads the current wards with their boundaries, and the old wards that each was made of. A point belongs to
 * the old ward with the nearest centre, because the old boundaries are unknown.
 */
export async function readAreas(folder: string): Promise<Areas> {
  const wards = await readWards(join(folder, "wards-2025.geojson.gz"));
  const oldWards = readOldWards(folder);
  return {
    locate(point) {
      const ward = wards.find(
        (one) => isInBox(point, one) && one.polygons.some((rings) => isInside(point, rings)),
      );
      const old = ward && nearest(oldWards.get(ward.code) ?? [], point);
      if (ward === undefined) return undefined;
      return { ward: ward.name, oldWard: old?.name ?? "", district: old?.district ?? "", city: ward.city };
    },
  };
}

async function readWards(file: string): Promise<Ward[]> {
  if (!existsSync(file)) throw new Error(`There is no ${file}.`);
  const wards: Ward[] = [];
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) {
    if (!line.startsWith('{"type":"Feature",')) continue;
    const { properties, geometry } = JSON.parse(line.replace(/,$/, "")) as {
      readonly properties: { readonly code: string; readonly name: string; readonly province: string };
      readonly geometry: { readonly type: string; readonly coordinates: unknown };
    };
    const polygons = (
      geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates
    ) as Ring[][];
    const points = polygons.flatMap(([outer]) => outer ?? []);
    const [longitudes, latitudes] = [
      points.map(([longitude]) => longitude),
      points.map(([, latitude]) => latitude),
    ];
    wards.push({
      code: properties.code,
      name: properties.name,
      city: properties.province.replace(/^(?:Thành phố|Tỉnh) /, ""),
      polygons,
      box: {
        west: least(longitudes),
        east: -least(longitudes.map((one) => -one)),
        south: least(latitudes),
        north: -least(latitudes.map((one) => -one)),
      },
    });
  }
  return wards;
}

const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Infinity);

function readOldWards(folder: string): Map<string, OldWard[]> {
  const centres = new Map<string, Coordinates>();
  const rows = parse(gunzipSync(readFileSync(join(folder, "wards-before-2025.csv.gz"))), { columns: true });
  for (const { address, latitude, longitude } of rows as Record<string, string>[])
    centres.set(keyOf(address!), { latitude: Number(latitude), longitude: Number(longitude) });
  const tables = JSON.parse(
    gunzipSync(readFileSync(join(folder, "ward-mappings-2025.json.gz"))).toString(),
  ) as readonly { readonly name?: string; readonly data?: readonly Mapping[] }[];
  const mappings = tables.find(({ name }) => name === "ward_mappings")?.data ?? [];
  const byWard = new Map<string, OldWard[]>();
  for (const { new_ward_code, old_ward_name, old_district_name, old_province_name } of mappings) {
    const centre = centres.get(keyOf(`${old_ward_name}, ${old_district_name}, ${old_province_name}`));
    if (centre === undefined) continue;
    byWard
      .getOrInsertComputed(new_ward_code, () => [])
      .push({ ...centre, name: old_ward_name, district: old_district_name });
  }
  return byWard;
}

/** "Phường 01" and "Phường 1" are one ward; letters may be composed or decomposed. */
const keyOf = (address: string): string =>
  address
    .normalize("NFC")
    .replace(/ 0+(\d)/g, " $1")
    .toLowerCase();

const isInBox = ({ latitude, longitude }: Coordinates, { box }: Ward): boolean =>
  latitude >= box.south && latitude <= box.north && longitude >= box.west && longitude <= box.east;

/** Even-odd rule: inside the outer ring and outside of the holes. */
const isInside = (point: Coordinates, rings: readonly Ring[]): boolean =>
  rings.filter((ring) => isInRing(point, ring)).length % 2 === 1;

function isInRing({ latitude, longitude }: Coordinates, ring: Ring): boolean {
  let inside = false;
  for (let at = 0, before = ring.length - 1; at < ring.length; before = at++) {
    const [x, y] = ring[at]!;
    const [beforeX, beforeY] = ring[before]!;
    if (
      y > latitude !== beforeY > latitude &&
      longitude < ((beforeX - x) * (latitude - y)) / (beforeY - y) + x
    )
      inside = !inside;
  }
  return inside;
}

function nearest(wards: readonly OldWard[], { latitude, longitude }: Coordinates): OldWard | undefined {
  const squares = wards.map((ward) => (ward.latitude - latitude) ** 2 + (ward.longitude - longitude) ** 2);
  return wards[squares.indexOf(least(squares))];
}
