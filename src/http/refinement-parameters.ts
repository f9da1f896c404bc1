import * as v from "valibot";
import { allTypes, isTypeCode, type TypeCode } from "../place/document/type-codes.ts";
import { parseCondition, type CustomCondition } from "../place/document/own-fields.ts";
import type { Bounds } from "../place/geometry/coordinates.ts";
import type { Line, Polygon } from "../place/geometry/shapes.ts";
import type { Refinements } from "../search/search-request.ts";
import { decimal, wholeNumber, published } from "./query-string.ts";
import { DEFAULT_ROUTE_RADIUS_METERS, MAX_ROUTE_RADIUS_METERS, polygon, route } from "./shape-parameters.ts";

/** Higher than any price, and a number that the engine can read. */
const MAX_PRICE_VND = 1_000_000_000_000;

/**
 * A search within a distance covers a town at most. Cells cover circles of up to 70 km (`cellsCovering`), so
 * within 50 km no place is missed, however the cells lie.
 */
export const MAX_RADIUS_METERS = 50_000;

const category = v.pipe(
  v.string(),
  published({
    type: "array",
    minItems: 1,
    items: {
      type: "string",
      // Read when the document is built: with the kinds of the index by then.
      get enum() {
        return allTypes();
      },
    },
    description:
      "Only places of these types: a comma list of type codes, in any case. A code includes its subtypes: `RESTAURANT` includes `PHO`. `GET /api/maps/kinds` lists those of the dataset.",
    examples: [["COFFEE", "BAR"]],
  }),
  v.transform((text) => text.toUpperCase().split(",")),
  v.everyItem(isTypeCode, "must be a comma list of type codes such as COFFEE or PHARMACY"),
  v.transform((codes): readonly TypeCode[] => [...new Set(codes.filter(isTypeCode))]),
);

/** In any letter case: some languages write booleans with a capital. */
const yesOrNo = v.pipe(
  v.string(),
  published({
    type: "boolean",
    description:
      "`true` (or `1`): only places that are open now, in their time zones. `false` (or `0`): no filter. Places with unknown hours never count as open.",
    examples: [true],
  }),
  v.toLowerCase(),
  v.picklist(["true", "false", "1", "0"], "must be true or false"),
  v.transform((text) => text === "true" || text === "1"),
);

const dateAndTime = v.pipe(
  v.string(),
  published({
    type: "string",
    format: "date-time",
    description:
      "Only places that are open at this time: an ISO 8601 date and time with `Z`, an offset or a zone in brackets, one of which is required because time zones differ. Encode a plus sign as `%2B`. Cannot be combined with `open_now`.",
    examples: ["2026-11-21T19:30:00+07:00"],
  }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const parsed = parseMoment(dataset.value);
    if (parsed !== undefined) return parsed;
    addIssue({
      message:
        "must be an ISO 8601 date and time with a time zone, such as 2026-11-20T20:00Z or 2026-11-20T20:00+07:00",
    });
    return NEVER;
  }),
);

/** Longer than any date and time with a zone name. */
const MAX_MOMENT_LENGTH = 64;

/** A plus sign that was not encoded arrives as a space. Nothing else can stand here. */
const LOST_PLUS_SIGN = /(T[\d:.]+) (?=\d)/i;

/**
 * Parses a moment with `Z`, an offset or a zone in brackets. Without one it is refused: places are in
 * different time zones, and a guess could silently use a wrong hour.
 */
function parseMoment(text: string): Temporal.Instant | undefined {
  if (text.length > MAX_MOMENT_LENGTH || !/^\d{4}/.test(text)) return undefined;
  const plain = text.replace(LOST_PLUS_SIGN, "$1+");
  try {
    return plain.endsWith("]")
      ? Temporal.ZonedDateTime.from(plain).toInstant()
      : Temporal.Instant.from(plain);
  } catch {
    return undefined;
  }
}

const longitudeSchema = { type: "number", minimum: -180, maximum: 180 };
const latitudeSchema = { type: "number", minimum: -90, maximum: 90 };

/** Four plain numbers: no exponent, plus sign or spaces. */
const RECTANGLE = /^(?:-?\d{1,3}(?:\.\d+)?,){3}-?\d{1,3}(?:\.\d+)?$/;

/** A rectangle of degrees as `west,south,east,north`. */
const rectangle = (description: string) =>
  v.pipe(
    v.string(),
    published({
      type: "array",
      minItems: 4,
      maxItems: 4,
      prefixItems: [longitudeSchema, latitudeSchema, longitudeSchema, latitudeSchema],
      description: `${description} \`west,south,east,north\` in decimal degrees with decimal points; south is at most north. Where west is greater than east, it crosses the antimeridian.`,
      examples: [[106.68, 10.76, 106.72, 10.79]],
    }),
    v.rawTransform(({ dataset, addIssue, NEVER }): Bounds => {
      const bounds = parseRectangle(dataset.value);
      if (bounds !== undefined) return bounds;
      addIssue({ message: "must be west,south,east,north in decimal degrees, with south at most north" });
      return NEVER;
    }),
  );

function parseRectangle(text: string): Bounds | undefined {
  if (!RECTANGLE.test(text)) return undefined;
  const [west = 0, south = 0, east = 0, north = 0] = text.split(",").map(Number);
  if (Math.abs(west) > 180 || Math.abs(east) > 180 || south < -90 || north > 90 || south > north)
    return undefined;
  // The antimeridian has two longitudes. An edge on it includes both.
  if (east === 180 && west > -180) return { west, south, east: -180, north };
  if (west === -180 && east < 180) return { west: 180, south, east, north };
  return { west, south, east, north };
}

/** More than a person chooses; each costs the engine a part of a millisecond. */
const MAX_CONDITIONS = 10;

const custom = v.pipe(
  v.array(v.string()),
  published({
    type: "array",
    maxItems: MAX_CONDITIONS,
    items: { type: "string", minLength: 3 },
    description:
      "Only places whose own fields meet this condition: `name=value` (or one of several, separated by commas), `name>=number`, `name<=number`; dates like numbers. May be repeated; all conditions must hold. `custom.floor>=3` is short for `custom=floor>=3`. Fields are those that the dataset declares; without declared fields, any condition is refused.",
    examples: [["floor>=3"]],
  }),
  v.maxLength(MAX_CONDITIONS, `may be given ${MAX_CONDITIONS} times at most`),
  v.rawTransform(({ dataset, addIssue, NEVER }): readonly CustomCondition[] => {
    const read = dataset.value.map(parseCondition);
    for (const condition of read) if ("problem" in condition) addIssue({ message: condition.problem });
    const known = read.filter((condition): condition is CustomCondition => !("problem" in condition));
    return known.length === read.length ? known : NEVER;
  }),
);

export const bbox = rectangle("Only places in this rectangle:");

export const bboxBias = rectangle("Prefers places in this rectangle to others that match about as well:");

/** The parameters that restrict a search to a shape. */
export const shapeEntries = {
  polygon: v.optional(polygon),
  route: v.optional(route),
  route_radius: v.optional(
    wholeNumber(1, MAX_ROUTE_RADIUS_METERS, {
      description: `How far from \`route\` a place may be, in whole metres; ${DEFAULT_ROUTE_RADIUS_METERS} by default.`,
      examples: [500],
    }),
  ),
};

/**
 * The parameters that restrict and order a search. All are optional, and a missing one does not change the
 * response.
 */
export const refinementEntries = {
  category: v.optional(category),
  open_now: v.optional(yesOrNo),
  open_at: v.optional(dateAndTime),
  min_rating: v.optional(
    decimal(0, 5, {
      description: "Only places with at least this rating, from 0 to 5. Places without ratings have 0.",
      examples: [4],
    }),
  ),
  max_price: v.optional(
    wholeNumber(0, MAX_PRICE_VND, {
      description:
        "Only places whose highest price is at most this, in whole VND. Excludes places with unknown prices.",
      examples: [200_000],
    }),
  ),
  busy_max: v.optional(
    wholeNumber(0, 100, {
      description:
        "Only places that are usually at most so busy, in percent, in the hour of `open_at` or else of now, by their own clocks and `popular_times`. Places whose busyness in this hour is unknown are left out.",
      examples: [40],
    }),
  ),
  custom: v.optional(custom),
  radius: v.optional(
    wholeNumber(1, MAX_RADIUS_METERS, {
      description: "Only places within this many metres of the centre. A whole number; exact to the metre.",
      examples: [2000],
    }),
  ),
  bbox: v.optional(bbox),
  ...shapeEntries,
  sort: v.optional(
    v.pipe(
      v.picklist(
        ["relevance", "distance", "rating", "detour"],
        "must be relevance, distance, rating or detour",
      ),
      v.description(
        "The order; `relevance` by default, and `detour` with `route`. `detour`: nearest to the way first, only with `route`. `distance` (nearest first) and `rating` (best rating first, then most reviews) list all places that match every word, complete on every page; if none match, similar names. `rating` sorts the places of the radius, of the rectangle, of the area in the query, else of 20 km around the centre, or 100 km if there is none.",
      ),
    ),
  ),
};

export interface ShapeParameters {
  readonly polygon?: Polygon | undefined;
  readonly route?: Line | undefined;
  readonly route_radius?: number | undefined;
}

/** The restriction to shapes. */
export const toShapes = ({
  polygon: inside,
  route: line,
  route_radius: radiusMeters = DEFAULT_ROUTE_RADIUS_METERS,
}: ShapeParameters): Pick<Refinements, "polygon" | "route"> => ({
  ...(inside && { polygon: inside }),
  ...(line && { route: { line, radiusMeters } }),
});

export type RefinementParameters = Omit<
  v.InferOutput<v.ObjectSchema<typeof refinementEntries, undefined>>,
  "sort"
>;

/** Hours are known to the minute, so searches within one minute become the same request. */
export const toMinute = (moment: Temporal.Instant): Temporal.Instant =>
  moment.round({ smallestUnit: "minute", roundingMode: "floor" });

/** Converts the parameters for the search. `now` is the moment that `open_now` refers to. */
export function toRefinements(parameters: RefinementParameters, now: Temporal.Instant): Refinements {
  const { category: types, open_now, open_at, min_rating, max_price } = parameters;
  const { radius, bbox: bounds, busy_max, custom } = parameters;
  const moment = open_now === true ? now : open_at;
  const openAt = moment && toMinute(moment);
  return {
    ...(types && { types }),
    ...(openAt && { openAt }),
    ...(min_rating !== undefined && { minRating: min_rating }),
    ...(max_price !== undefined && { maxPrice: max_price }),
    ...(custom && { custom }),
    ...(radius !== undefined && { radiusMeters: radius }),
    ...(bounds && { bounds }),
    ...toShapes(parameters),
    ...(busy_max !== undefined && { busy: { at: toMinute(open_at ?? now), maxPercent: busy_max } }),
  };
}
