import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Feature, MultiPolygon, Polygon, Position } from "geojson";
import * as v from "valibot";
import whichPolygon from "which-polygon";
import { readTable } from "../../src/place/read-table.ts";
import levelsTable from "./area-levels.json" with { type: "json" };
import { CommandError } from "../../src/cli/errors.ts";
import { isInArea, type Area } from "../../src/place/geometry/areas.ts";
import type { Coordinates } from "../../src/place/geometry/coordinates.ts";
import { fold } from "../../src/place/text/fold.ts";
import type { FileMark } from "../../src/meilisearch/manifest.ts";
import { parseJson } from "../sources/json.ts";
import { cleanLine } from "./strings.ts";

/** The areas of `--areas`: boundaries for the import, and names for searches. */
export interface TeamAreas {
  /** Finds the areas that contain a point, the narrow before the wide. */
  readonly find: (point: Coordinates) => readonly Area[];
  readonly areas: readonly Area[];
  /** Additional names of the areas, as rows of a vocabulary file. */
  readonly nameRows: readonly string[];
  /** Identifies the files, so that a resumed import can check that they are the same. */
  readonly files: readonly FileMark[];
}

type Level = Area["level"];
type AreaBounds = Area["bounds"];

/** The narrow before the wide. */
const LEVELS = ["neighbourhood", "ward", "district", "province"] as const satisfies readonly Level[];

const levelsSchema = v.record(v.string(), v.picklist(LEVELS));

/** The form of `area-levels.json`. */
export const areaLevelsSchema = v.strictObject({
  /** The values of `subtype` in Overture's divisions, and other words for a level. */
  words: levelsSchema,
  /** `admin_level` of OpenStreetMap. In Vietnam 4 is a province and 6 a ward since 2025; districts were 6. */
  admin_levels: levelsSchema,
});

const { words: LEVEL_OF_WORD, admin_levels: LEVEL_OF_ADMIN_LEVEL } = readTable(
  "indexer/clean/area-levels.json",
  areaLevelsSchema,
  levelsTable,
);

const COUNTRY_ADMIN_LEVEL = 2;

/** Name columns of GADM. The narrowest of `NAME_1`, `NAME_2` and `NAME_3` is the name of the area itself. */
const LEVEL_OF_NAME_COLUMN: readonly (readonly [string, Level])[] = [
  ["NAME_3", "ward"],
  ["NAME_2", "district"],
  ["NAME_1", "province"],
];

/** A Vietnamese name begins with the word for its level. */
const LEVEL_OF_DESIGNATION: readonly (readonly [RegExp, Level])[] = [
  [/^(?:phường|xã|thị trấn|đặc khu) /iu, "ward"],
  [/^(?:quận|huyện|thị xã) /iu, "district"],
  [/^(?:tỉnh|thành phố) /iu, "province"],
];

type Shape = Polygon | MultiPolygon;

/** An area whose parent is not known yet. */
interface Outline {
  readonly level: Level;
  readonly name: string;
  readonly otherNames: readonly string[];
  /** The parent that the file states. */
  readonly within: string;
  readonly bounds: AreaBounds;
  readonly centre: Coordinates;
  readonly shape: Shape;
}

/**
 * Reads the GeoJSON files of `--areas`, plain or gzip: collections of polygons, or one feature a line.
 * @throws {CommandError} that names the file, the feature and the field.
 */
export function readAreaFiles(paths: readonly string[]): TeamAreas {
  const files = paths.map(readFile);
  const outlines = files.flatMap(({ path, text }) =>
    readFeatures(text, path).flatMap((feature, index) => toOutline(feature, `${path}: feature ${index + 1}`)),
  );
  const query = whichPolygon<Outline>({
    type: "FeatureCollection",
    features: outlines.map((outline) => ({ type: "Feature", properties: outline, geometry: outline.shape })),
  });
  const outlinesAt = ({ latitude, longitude }: Coordinates): Outline[] =>
    (query([longitude, latitude], true) ?? []).toSorted(byWidth);
  const areaOf = createAreas(outlinesAt);
  const areas = new Map<string, Area>();
  for (const outline of outlines.toSorted(byWidth).toReversed()) {
    const area = areaOf(outline);
    const known = areas.get(area.id);
    areas.set(area.id, known ? { ...known, bounds: unite(known.bounds, area.bounds) } : area);
  }
  return {
    find: (point) => [
      ...new Map(outlinesAt(point).map((outline) => [areaOf(outline).id, areaOf(outline)])).values(),
    ],
    areas: [...areas.values()],
    nameRows: outlines.flatMap((outline) => toNameRow(areaOf(outline).id, outline)),
    files: files.map(({ path, text }) => ({ name: path, head: hash("sha1", text) })),
  };
}

/**
 * Creates areas from outlines. The parent of an area is the one around its centre. The id comes from the
 * names and levels of both, so it stays the same. Without a parent, areas with one name are distinguished by
 * what the file says about them and by their approximate location.
 */
function createAreas(outlinesAt: (point: Coordinates) => readonly Outline[]): (outline: Outline) => Area {
  const known = new Map<Outline, Area>();
  return function areaOf(outline): Area {
    return known.getOrInsertComputed(outline, () => {
      const { level, name, centre, bounds } = outline;
      const around = outlinesAt(centre).find((other) => LEVELS.indexOf(other.level) > LEVELS.indexOf(level));
      const parent = around && areaOf(around).id;
      const { latitude, longitude } = centre;
      const about = `${Math.round(latitude)},${Math.round(longitude)}`;
      const where = parent ?? `${outline.within}|${about}`;
      const id = `x${hash("sha256", `${level}\0${fold(name)}\0${where}`).slice(0, ID_DIGITS)}`;
      return { id, level, valid: "both", name, ...(parent !== undefined && { parent }), centre, bounds };
    });
  };
}

/** 48 bits: among a million areas, the chance that two have the same id is one in 600. */
const ID_DIGITS = 12;

function byWidth(one: Outline, other: Outline): number {
  const size = ({ south, west, north, east }: AreaBounds): number => (north - south) * (east - west);
  return LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level) || size(one.bounds) - size(other.bounds);
}

const unite = (one: AreaBounds, other: AreaBounds): AreaBounds => ({
  south: Math.min(one.south, other.south),
  west: Math.min(one.west, other.west),
  north: Math.max(one.north, other.north),
  east: Math.max(one.east, other.east),
});

const toNameRow = (id: string, { otherNames }: Outline): string[] =>
  otherNames.length === 0 ? [] : [`area,${id},und,${otherNames.join("; ")}`];

const GZIP_MAGIC = 0x1f8b;

function readFile(path: string): { readonly path: string; readonly text: string } {
  try {
    const bytes = readFileSync(path);
    const isGzip = bytes.length > 2 && bytes.readUInt16BE(0) === GZIP_MAGIC;
    return { path, text: (isGzip ? gunzipSync(bytes) : bytes).toString() };
  } catch (error) {
    throw new CommandError(`${path} could not be read: ${(error as Error).message}`);
  }
}

function readFeatures(text: string, path: string): Feature[] {
  const whole = parseJson(text);
  if (whole !== undefined) {
    const { type, features } = (whole ?? {}) as { type?: unknown; features?: unknown };
    if (type === "FeatureCollection" && Array.isArray(features)) return features as Feature[];
    if (type === "Feature") return [whole as Feature];
    throw new CommandError(`${path} is not GeoJSON: it must be a FeatureCollection or features, one a line.`);
  }
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    const feature = parseJson(line);
    if (feature === undefined) throw new CommandError(`${path}:${index + 1}: not JSON`);
    return [feature as Feature];
  });
}

type Properties = Readonly<Record<string, unknown>>;

/** Leaves out countries and features that are not areas, such as the point of a town. */
function toOutline(feature: Feature, at: string): Outline[] {
  const { geometry } = (feature ?? {}) as Partial<Feature>;
  const properties: Properties = ((feature ?? {}) as Partial<Feature>).properties ?? {};
  const subtype = properties["subtype"];
  const isCountry = subtype === "country" || Number(properties["admin_level"]) === COUNTRY_ADMIN_LEVEL;
  if (isCountry || geometry?.type === "Point") return [];
  if (geometry?.type !== "Polygon" && geometry?.type !== "MultiPolygon")
    throw new CommandError(`${at}: geometry is no Polygon or MultiPolygon`);
  const bounds = boundsOf(geometry);
  if (bounds === undefined) throw new CommandError(`${at}: geometry has no coordinates in degrees`);
  const name = nameOf(properties);
  if (name === undefined)
    throw new CommandError(`${at}: name is missing (name, names.primary, name:vi, NAME_1, NAME_2 or NAME_3)`);
  const level = levelOf(properties, name, at);
  return [
    {
      level,
      name,
      otherNames: otherNamesOf(properties, name),
      within: WITHIN_KEYS.flatMap((key) => textAt(properties, key) ?? []).join("|"),
      bounds,
      centre: { latitude: (bounds.south + bounds.north) / 2, longitude: (bounds.west + bounds.east) / 2 },
      shape: geometry,
    },
  ];
}

const WITHIN_KEYS = ["country", "province", "NAME_0", "NAME_1", "NAME_2", "NAME_3"];

function textAt(properties: Properties, key: string): string | undefined {
  const value = properties[key];
  const text = typeof value === "string" ? cleanLine(value) : "";
  return text === "" ? undefined : text;
}

/** The `names` of an Overture division: an object or, in files written by GDAL, its JSON. */
function namesOf(properties: Properties): Properties {
  const { names } = properties;
  const value = typeof names === "string" ? parseJson(names) : names;
  return typeof value === "object" && value !== null ? (value as Properties) : {};
}

function nameOf(properties: Properties): string | undefined {
  const columns = LEVEL_OF_NAME_COLUMN.map(([key]) => textAt(properties, key));
  return (
    textAt(properties, "name:vi") ??
    textAt(properties, "fullName") ??
    textAt(properties, "name") ??
    textAt(namesOf(properties), "primary") ??
    columns.find((name) => name !== undefined)
  );
}

const OTHER_NAME_KEY = /^(?:name|alt_name|old_name|short_name|official_name)(?:[:_][a-z]{2,3})?$/;

function otherNamesOf(properties: Properties, name: string): string[] {
  const common = namesOf(properties)["common"];
  const values = [
    ...Object.keys(properties).flatMap((key) =>
      OTHER_NAME_KEY.test(key) ? (textAt(properties, key) ?? "").split(";") : [],
    ),
    ...(typeof common === "object" && common !== null ? Object.values(common as Properties) : []),
  ];
  const names = values.flatMap((value) => (typeof value === "string" ? cleanLine(value) : []));
  return [...new Set(names)].filter((other) => other !== "" && other !== name && !other.includes(";"));
}

function levelOf(properties: Properties, name: string, at: string): Level {
  for (const key of ["level", "subtype"]) {
    const word = textAt(properties, key);
    if (word === undefined) continue;
    const level = LEVEL_OF_WORD[word.toLowerCase()];
    if (level !== undefined) return level;
    throw new CommandError(`${at}: ${key} "${word}" is none of ${Object.keys(LEVEL_OF_WORD).join(", ")}`);
  }
  const byDesignation = LEVEL_OF_DESIGNATION.find(([pattern]) => pattern.test(name))?.[1];
  const adminLevel = properties["admin_level"];
  if (adminLevel !== undefined && adminLevel !== null) {
    const level = byDesignation ?? LEVEL_OF_ADMIN_LEVEL[Number(adminLevel)];
    if (level !== undefined) return level;
    throw new CommandError(`${at}: admin_level ${JSON.stringify(adminLevel)} is not 3 to 10`);
  }
  const ofColumn = LEVEL_OF_NAME_COLUMN.find(([key]) => textAt(properties, key) !== undefined)?.[1];
  const level = ofColumn ?? byDesignation;
  if (level !== undefined) return level;
  throw new CommandError(`${at}: level is missing (level, subtype or admin_level)`);
}

function boundsOf({ type, coordinates }: Shape): AreaBounds | undefined {
  const rings: Position[][] = type === "Polygon" ? coordinates : coordinates.flat();
  const box = { south: Infinity, west: Infinity, north: -Infinity, east: -Infinity };
  for (const [longitude = Number.NaN, latitude = Number.NaN] of rings.flat()) {
    box.south = Math.min(box.south, latitude);
    box.north = Math.max(box.north, latitude);
    box.west = Math.min(box.west, longitude);
    box.east = Math.max(box.east, longitude);
  }
  const world = { bounds: { south: -90, west: -180, north: 90, east: 180 } };
  const isOnEarth =
    isInArea(world, { latitude: box.south, longitude: box.west }) &&
    isInArea(world, { latitude: box.north, longitude: box.east });
  return isOnEarth ? box : undefined;
}
