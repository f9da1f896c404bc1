import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { distinctAreaName, type Area } from "../place/geometry/areas.ts";
import { loadVocabulary } from "../search/vocabulary/read-vocabulary.ts";

/** The borders and names of one file of areas, as the map draws them. */
export interface AreaOutlines {
  /** Coordinates are whole steps of a grid: `longitude = x * scale[0] + translate[0]`. */
  readonly scale: readonly [number, number];
  readonly translate: readonly [number, number];
  /** Borders, each once. Each point but the first of a line is the step from the one before. */
  readonly lines: readonly (readonly (readonly [x: number, y: number])[])[];
  readonly names: readonly AreaName[];
}

/** A name, where it stands, and how wide the area is in degrees. */
type AreaName = readonly [name: string, latitude: number, longitude: number, width: number];

/** Where there are wards: the file `areas/43,426.json` has those around 10.75° N, 106.5° E. */
export interface AreaCells {
  readonly degrees: number;
  readonly cells: readonly string[];
}

/** A map of a city shows one to four cells. */
const CELL_DEGREES = 0.25;

const AREAS = new URL("../place/geometry/areas/", import.meta.url);
const PROVINCES = "provinces.topo.json.br";

/** A file of the map page that is made of data files. */
interface AreaFile {
  readonly path: string;
  /** Changes when the content does. */
  readonly origin: string;
  readonly build: () => Buffer;
}

/**
 * The outlines of the provinces and wards of Vietnam for the map page: a file with the wards of each cell of a grid, a list of these
 * cells, and a file with all provinces for a map of the country.
 */
export function readAreaFiles(): AreaFile[] {
  const version = hashFolder();
  const toFile = (path: string, read: () => object): AreaFile => ({
    path: `areas/${path}.json`,
    origin: `${version} ${path}`,
    build: () => Buffer.from(JSON.stringify(read())),
  });
  const areas = loadVocabulary()
    .areas.values()
    .filter(({ valid }) => valid !== "old")
    .toArray();
  const cells = groupByCell(areas.filter(({ level }) => level === "ward"));
  return [
    toFile("cells", (): AreaCells => ({ degrees: CELL_DEGREES, cells: [...cells.keys()] })),
    toFile("provinces", () =>
      readOutlines(
        PROVINCES,
        areas.filter(({ level }) => level === "province"),
      ),
    ),
    ...[...cells].map(([cell, wards]) => toFile(cell, () => readCell(wards))),
  ];
}

/** Changes with any data file of areas. */
function hashFolder(): string {
  const files = readdirSync(AREAS, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const hash = createHash("sha256");
  for (const { parentPath, name } of files) hash.update(name).update(readFileSync(join(parentPath, name)));
  return hash.digest("base64url");
}

/** The wards of each cell, by their centres. */
function groupByCell(wards: readonly Area[]): Map<string, Area[]> {
  const cellOf = (degrees: number): number => Math.floor(degrees / CELL_DEGREES);
  return Map.groupBy(wards, ({ centre }) => `${cellOf(centre.latitude)},${cellOf(centre.longitude)}`);
}

/** The files of wards are by province. */
function readCell(wards: readonly Area[]): AreaOutlines {
  const parts = [...Map.groupBy(wards, ({ parent = "" }) => parent)].map(([province, found]) =>
    readOutlines(`wards/${province}.topo.json.br`, found),
  );
  const [first] = parts;
  if (first === undefined) throw new Error("A cell has wards");
  // All files of wards have the same grid.
  const { scale, translate } = first;
  return {
    scale,
    translate,
    lines: parts.flatMap(({ lines }) => lines),
    names: parts.flatMap(({ names }) => names),
  };
}

/** The part of a topology that is drawn. */
interface StoredTopology {
  readonly transform: Pick<AreaOutlines, "scale" | "translate">;
  readonly arcs: AreaOutlines["lines"];
  readonly objects: Readonly<
    Record<string, { readonly geometries: readonly { readonly id: string; readonly arcs: unknown[] }[] }>
  >;
}

/** The borders of these areas, each once, and their names. */
function readOutlines(file: string, areas: readonly Area[]): AreaOutlines {
  const json = brotliDecompressSync(readFileSync(new URL(file, AREAS))).toString();
  const { transform, arcs, objects } = JSON.parse(json) as StoredTopology;
  const wanted = new Set(areas.map(({ id }) => id));
  const geometries = Object.values(objects).flatMap((collection) => collection.geometries);
  const used = geometries
    .filter(({ id }) => wanted.has(id))
    .flatMap(({ arcs: rings }) => rings.flat(Infinity) as number[]);
  // The complement of an index is the same border backwards.
  const lines = new Set(used.map((index) => (index < 0 ? ~index : index)));
  return { ...transform, lines: [...lines].map((index) => arcs[index] ?? []), names: areas.map(toName) };
}

function toName({ name, centre, bounds }: Area): AreaName {
  const width = Math.round((bounds.east - bounds.west) * 1000) / 1000;
  return [distinctAreaName(name), centre.latitude, centre.longitude, width];
}
