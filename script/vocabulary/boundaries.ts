import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gunzipSync } from "node:zlib";
import type { Feature, FeatureCollection, MultiPolygon, Polygon } from "geojson";
import { merge, quantize } from "topojson-client";
import type {
  GeometryCollection,
  MultiPolygon as ArcMultiPolygon,
  Polygon as ArcPolygon,
  Topology,
} from "topojson-specification";
import { topology } from "topojson-server";
import {
  filter,
  filterWeight,
  presimplify,
  simplify,
  sphericalRingArea,
  sphericalTriangleArea,
} from "topojson-simplify";
import { fold } from "../../src/place/text/fold.ts";

const FORMER_WARDS = new URL("../../indexer/clean/area-data/former-wards.csv", import.meta.url);
const AREAS = new URL("../../src/place/geometry/areas/", import.meta.url);
const AREA_LIST = new URL("vietnam.csv", AREAS);
const WARDS = new URL("wards/", AREAS);

/**
 * Borders lose their corners below this area: of random points, most of them near a border, 1.7 % change their ward and
 * 0.3 % fall into a gap (filled by the nearest ward), and the file takes 1 MB instead of 7.5.
 */
const SMALLEST_CORNER_SQUARE_METERS = 2_000;
const EARTH_RADIUS_METERS = 6_371_000;

/** Steps of the grid that coordinates are rounded to, over 15 degrees: 11 metres. */
const GRID_STEPS = 200_000;

/** Provinces are drawn when a pixel is a kilometre or more: corners below 20 km² and smaller islands are not seen. */
const SMALLEST_PROVINCE_CORNER_SQUARE_METERS = 20_000_000;
const PROVINCE_GRID_STEPS = 20_000;

/** Finer than the corners of the source, so that shared borders are recognised: 1.7 metres. */
const INPUT_STEPS = 1_000_000;

type Wards = Topology<{ wards: GeometryCollection<object> }>;

/**
 * Writes the boundaries of the wards since July 2025, a file for each province with shared borders stored once, and rougher ones of
 * the provinces (`wards-2025.geojson.gz`, derived from thanglequoc/vietnamese-provinces-database, MIT), and `former-wards.csv`, which
 * wards each of them was made of (`ward-mappings-2025.json.gz`, MIT). `AREA_LIST` must be up to date.
 */
export async function writeBoundaries(folder: string): Promise<void> {
  const areas = await readFile(AREA_LIST, "utf8");
  const geojson = gunzipSync(await readFile(join(folder, "wards-2025.geojson.gz"))).toString();
  await writeAreaFiles(simplifyBoundaries(geojson), areas);
  const mappings = gunzipSync(await readFile(join(folder, "ward-mappings-2025.json.gz"))).toString();
  await writeFile(FORMER_WARDS, listFormerWards(mappings, areas));
}

function simplifyBoundaries(geojson: string): Wards {
  const wards = JSON.parse(geojson) as FeatureCollection<Polygon | MultiPolygon, Record<string, unknown>>;
  for (const ward of wards.features) {
    ward.id = `w${String(ward.properties["code"])}`;
    ward.properties = {};
  }
  const whole = presimplify(topology({ wards }, INPUT_STEPS) as Wards, sphericalTriangleArea);
  return quantize(
    simplify(whole, SMALLEST_CORNER_SQUARE_METERS / EARTH_RADIUS_METERS ** 2),
    GRID_STEPS,
  ) as Wards;
}

/** Writes `wards/p79.topo.json.br` and its like, and `provinces.topo.json.br`. */
async function writeAreaFiles(whole: Wards, areas: string): Promise<void> {
  const provinceOf = new Map(areas.split("\n").map((line) => [line.split(",")[0], line.split(",")[4] ?? ""]));
  const geometries = whole.objects.wards.geometries as readonly ArcShape[];
  const byProvince = Map.groupBy(geometries, ({ id }) => provinceOf.get(String(id)) ?? "");
  await mkdir(WARDS, { recursive: true });
  for (const [province, wards] of byProvince)
    await writeFile(new URL(`${province}.topo.json.br`, WARDS), compress(selectWards(whole, wards)));
  await writeFile(new URL("provinces.topo.json.br", AREAS), compress(mergeProvinces(whole, byProvince)));
}

type ArcShape = ArcPolygon | ArcMultiPolygon;

/** A topology with some of the wards, and only their borders. */
function selectWards(whole: Wards, wards: readonly ArcShape[]): object {
  const places = new Map<number, number>();
  /** The complement of an index means the arc backwards. */
  const move = (index: number): number =>
    index < 0 ? ~move(~index) : places.getOrInsertComputed(index, () => places.size);
  const moveAll = (arcs: unknown): unknown =>
    Array.isArray(arcs) ? arcs.map(moveAll) : move(arcs as number);
  const geometries = wards.map((ward) => ({ ...ward, arcs: moveAll(ward.arcs) }));
  const arcs = [...places.keys()].map((index) => whole.arcs[index]);
  const { transform } = whole;
  return {
    type: "Topology",
    transform,
    objects: { wards: { type: "GeometryCollection", geometries } },
    arcs,
  };
}

function mergeProvinces(whole: Wards, byProvince: ReadonlyMap<string, readonly ArcShape[]>): object {
  const features = [...byProvince].map(([id, wards]): Feature => ({
    type: "Feature",
    id,
    properties: {},
    geometry: merge(whole, [...wards] as Parameters<typeof merge>[1]),
  }));
  // Anew, because the borders of wards cut those of provinces into thousands of pieces.
  const collection: FeatureCollection = { type: "FeatureCollection", features };
  const provinces = topology({ provinces: collection }) as Topology<
    Record<string, GeometryCollection<object>>
  >;
  const smallest = SMALLEST_PROVINCE_CORNER_SQUARE_METERS / EARTH_RADIUS_METERS ** 2;
  const simple = simplify(presimplify(provinces, sphericalTriangleArea), smallest);
  const isSeen = filterWeight(simple, smallest, (ring) => sphericalRingArea(ring, false));
  return quantize(filter(simple, isSeen), PROVINCE_GRID_STEPS);
}

const compress = (value: object): Buffer =>
  brotliCompressSync(JSON.stringify(value), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });

type Row = Readonly<Record<string, string>>;
interface Table {
  readonly name?: string;
  readonly data?: readonly Row[];
}

/** One line for each ward of today, `ward,former`: the ids of the wards it was made of, parted by spaces. */
function listFormerWards(mappings: string, areas: string): string {
  const names = new Map<string, { name: string; parent: string }>();
  for (const line of areas.split("\n")) {
    const [id = "", , , name = "", parent = ""] = line.split(",");
    if (id !== "" && name !== "") names.set(id, { name, parent });
  }
  const pathOf = (id: string): string => {
    const area = names.get(id);
    return area === undefined ? "" : `${key(area.name)}|${pathOf(area.parent)}`;
  };
  const byPath = new Map([...names.keys()].filter((id) => /^v\d/.test(id)).map((id) => [pathOf(id), id]));
  const former = new Map<string, Set<string>>();
  for (const row of (JSON.parse(mappings) as readonly Table[]).find(({ name }) => name === "ward_mappings")
    ?.data ?? []) {
    const path = [row["old_ward_name"], row["old_district_name"], row["old_province_name"]].map((name) =>
      key(name ?? ""),
    );
    const id = byPath.get(`${path.join("|")}|`);
    const ward = `w${row["new_ward_code"]}`;
    // A few wards were renamed between the two lists.
    if (id !== undefined) former.set(ward, (former.get(ward) ?? new Set()).add(id));
  }
  const rows = [...former]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([ward, ids]) => `${ward},${[...ids].join(" ")}`);
  return [
    "# Which wards of before July 2025 today's wards were made of. Generated by script/vocabulary.",
    "ward,former",
    ...rows,
    "",
  ].join("\n");
}

/** "Phường 08" and "Phường 8" are one, and so are "Hoà" and "Hòa". */
const key = (name: string): string => fold(name).replaceAll(/\b0+(?=\d)/g, "");
