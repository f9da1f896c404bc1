import * as v from "valibot";
import type { Language } from "../document/localized-texts.ts";
import { isInBounds, type Bounds, type Coordinates } from "./coordinates.ts";
import { readTable, textSchema } from "../read-table.ts";
import table from "./areas/designations.json" with { type: "json" };

const LEVELS = ["province", "district", "ward", "neighbourhood"] as const;
const VALID = ["old", "new", "both"] as const;

const TextSchema = v.pipe(v.string("is missing"), v.nonEmpty("is empty"));
const DegreesSchema = v.pipe(TextSchema, v.transform(Number), v.finite("is no number"));

/** The columns of an area file, in their order. */
const COLUMNS = [
  "id",
  "level",
  "valid",
  "name",
  "parent",
  "lat",
  "lng",
  "south",
  "west",
  "north",
  "east",
] as const;

/** One row: a tuple, because fourteen thousand objects of eleven fields take three times as long to check. */
const RowSchema = v.tuple([
  TextSchema,
  v.picklist(LEVELS, `is none of ${LEVELS.join(", ")}`),
  v.picklist(VALID, `is none of ${VALID.join(", ")}`),
  TextSchema,
  v.string("is missing"),
  DegreesSchema,
  DegreesSchema,
  DegreesSchema,
  DegreesSchema,
  DegreesSchema,
  DegreesSchema,
]);

/** The format of `areas/designations.json`: what comes before the name of an area that people use. */
export const designationsSchema = v.array(
  v.strictObject({
    vi: textSchema,
    en: textSchema,
    /** The level that people mean by it: a "Thành phố" below a province is as well known as one beside it. */
    level: v.picklist(LEVELS),
    /** Areas with it are meant by their bare names from far away too. */
    isTown: v.optional(v.boolean()),
    /** Of areas with the same initials, those with it are meant: "hd" is Quận Hà Đông rather than Huyện Hoài Đức. */
    isUrban: v.optional(v.boolean()),
    /** Streets are called like areas with it: "gần Hai Bà Trưng". */
    isStreetLike: v.optional(v.boolean()),
    /** Long enough, in Vietnamese and in English, to be completed when half of it is typed. */
    isCompleted: v.optional(v.boolean()),
    /** How it is written together with the name: "q1", "tpvinh". */
    joined: v.optional(v.array(textSchema)),
    /** The one of them that stands before initials too: "qbt". */
    beforeInitials: v.optional(textSchema),
  }),
);

/** A designation. */
export type Designation = v.InferOutput<typeof designationsSchema>[number];

/** All of them, large areas first. */
export const DESIGNATIONS: readonly Designation[] = readTable(
  "src/place/geometry/areas/designations.json",
  designationsSchema,
  table,
);

const BY_NAME: ReadonlyMap<string, Designation> = new Map(DESIGNATIONS.map((one) => [one.vi, one]));
const DESIGNATION = new RegExp(`^(${DESIGNATIONS.map(({ vi }) => vi).join("|")}) `);

/** An area as an index stores it. */
export const areaSchema = v.object({
  id: v.string(),
  level: v.picklist(LEVELS),
  valid: v.picklist(VALID),
  name: v.string(),
  parent: v.exactOptional(v.string()),
  centre: v.object({ latitude: v.number(), longitude: v.number() }),
  bounds: v.object({ west: v.number(), south: v.number(), east: v.number(), north: v.number() }),
});

/** A province, district, ward or neighbourhood. */
export interface Area {
  readonly id: string;
  readonly level: (typeof LEVELS)[number];
  /**
   * When the area exists: `old` until the reform of June 2025 (its bounds are estimates), `new` since then,
   * `both` always.
   */
  readonly valid: (typeof VALID)[number];
  /** The full name, such as "Phường Bến Nghé". */
  readonly name: string;
  /** The id of the area that contains this one. */
  readonly parent?: string;
  /** The centre as people see it: for a province, its main town. */
  readonly centre: Coordinates;
  readonly bounds: Bounds;
}

/**
 * Parses areas from CSV text with the columns id, level, valid, name, parent, lat, lng, south, west, north,
 * east. Lines that begin with # are comments.
 * @throws {Error} that names the file, the line and the column.
 */
export function parseAreas(csv: string, file: string): Area[] {
  const areas: Area[] = [];
  for (const [index, line] of csv.split("\n").entries()) {
    if (line === "" || line.startsWith("#") || line.startsWith("id,")) continue;
    const result = v.safeParse(RowSchema, line.trimEnd().split(","));
    if (!result.success) {
      const [issue] = result.issues;
      throw new Error(`${file}:${index + 1}: ${COLUMNS[Number(issue.path?.[0].key)]} ${issue.message}`);
    }
    areas.push(toArea(result.output));
  }
  return areas;
}

/**
 * Reads the project's own area files, which a test checks with `parseAreas`. Checking 14,000 rows takes a tenth of a second, and so
 * do their positions, which are read when they are needed.
 */
export const readAreas = (csv: string): Area[] =>
  csv.split("\n").flatMap((line) => (/^(?:#|id,|$)/.test(line) ? [] : new AreaOfLine(line)));

/** One text for all areas of a level, where each line would bring its own. */
const LEVEL_OF = new Map<string | undefined, Area["level"]>(LEVELS.map((level) => [level, level]));
const VALID_OF = new Map<string | undefined, Area["valid"]>(VALID.map((valid) => [valid, valid]));

class AreaOfLine implements Area {
  readonly id: string;
  readonly level: Area["level"];
  readonly valid: Area["valid"];
  readonly name: string;
  readonly parent?: string;
  readonly #degrees: string;
  #position: Pick<Area, "centre" | "bounds"> | undefined;

  constructor(line: string) {
    const [id = "", level, valid, name = "", parent = ""] = line.split(",", 5);
    this.id = id;
    this.level = (LEVEL_OF.get(level) ?? level) as Area["level"];
    this.valid = (VALID_OF.get(valid) ?? valid) as Area["valid"];
    this.name = name;
    if (parent !== "") this.parent = parent;
    this.#degrees = line;
  }

  get centre(): Coordinates {
    return this.#read().centre;
  }

  get bounds(): Bounds {
    return this.#read().bounds;
  }

  #read(): Pick<Area, "centre" | "bounds"> {
    return (this.#position ??= toPosition(this.#degrees.split(",").slice(5).map(Number) as Degrees));
  }
}

function toArea(row: v.InferOutput<typeof RowSchema>): Area {
  const [id, level, valid, name, parent, ...degrees] = row;
  return { id, level, valid, name, ...(parent !== "" && { parent }), ...toPosition(degrees) };
}

type Degrees = [lat: number, lng: number, south: number, west: number, north: number, east: number];

const toPosition = ([latitude, longitude, south, west, north, east]: Degrees): Pick<
  Area,
  "centre" | "bounds"
> => ({
  centre: { latitude, longitude },
  bounds: { south, west, north, east },
});

/** True when the point lies in the box of the area. */
export const isInArea = ({ bounds }: Pick<Area, "bounds">, point: Coordinates): boolean =>
  isInBounds(bounds, point);
/** The full name in a language: "Quận 3" is "District 3" in English, "Quận Bình Thạnh" is "Bình Thạnh District". */
export function areaLabel(name: string, language: Language): string {
  const designation = designationOf(name)?.en;
  if (language === "vi" || designation === undefined) return name;
  const short = shortAreaName(name);
  return /^\d/.test(short) ? `${designation} ${short}` : `${short} ${designation}`;
}

/** The designation that a full name begins with, such as "Quận". */
export const designationOf = (name: string): Designation | undefined =>
  BY_NAME.get(DESIGNATION.exec(name)?.[1] ?? "");

/** The name without its designation: "Bến Nghé" for "Phường Bến Nghé", "1" for "Quận 1". */
export const shortAreaName = (name: string): string => name.replace(DESIGNATION, "");

/** The short name, but for a number: "Phường 3" is not "3". */
export function distinctAreaName(name: string): string {
  const short = shortAreaName(name);
  return /^\d/.test(short) ? name : short;
}
