import * as v from "valibot";
import type { Area } from "../place/geometry/areas.ts";
import type { PlaceSummaryDocument } from "../place/document/place-document.ts";
import { MAX_RESULTS } from "../place/request-defaults.ts";
import { featureCollectionSchema } from "./geojson.ts";
import { addressSchema, placeFields } from "./place-fields.ts";
import { searchResultSchema } from "./search-response.ts";

/** The response of `GET /api/maps/reverse`: its schema, and how an address is put together. */

const about = v.description;

const sourceSchema = v.strictObject({
  distance_m: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    about(
      "Whole metres from the point to the place that has this part; 0 for an area that contains the point.",
    ),
  ),
  data_id: v.optional(placeFields.data_id),
});

const sourcesSchema = v.pipe(
  v.strictObject({
    street: v.optional(sourceSchema),
    ward: v.optional(sourceSchema),
    city: v.optional(sourceSchema),
    country: v.optional(sourceSchema),
  }),
  about(
    "Where each known part of the address comes from. Without `data_id`, from an area that contains the point.",
  ),
);

export const reverseResultSchema = v.pipe(
  v.strictObject({ address: addressSchema, address_sources: sourcesSchema }),
  about("The address of the point, as far as nearby places and known areas have it."),
);

export const reverseAnswerSchema = v.strictObject({
  reverse_result: reverseResultSchema,
  local_result: v.pipe(
    v.array(searchResultSchema),
    v.maxLength(MAX_RESULTS),
    about("The nearest places within the radius, nearest first."),
  ),
});

export const reverseFeaturesSchema = featureCollectionSchema(searchResultSchema, {
  reverse_result: reverseResultSchema,
});

/** `GET /api/maps/reverse` */
export type ReverseAnswer = v.InferOutput<typeof reverseAnswerSchema>;
export type ReverseFeatures = v.InferOutput<typeof reverseFeaturesSchema>;
type ReverseResult = v.InferOutput<typeof reverseResultSchema>;

type Part = keyof ReverseResult["address_sources"];

/**
 * How far away a place may be for its part of the address to count, in metres: a block, a ward of a town, a city with its
 * surroundings, a country with empty land.
 */
const FURTHEST_METERS: Readonly<Record<Part, number>> = {
  street: 150,
  ward: 1_000,
  city: 20_000,
  country: 50_000,
};

/** Places further away say nothing about the address of a point. */
export const ADDRESS_RADIUS_METERS = Math.max(...Object.values(FURTHEST_METERS));

const PARTS = Object.keys(FURTHEST_METERS) as Part[];

/** A place and its distance from the point. */
export interface PlaceNear {
  readonly place: Pick<PlaceSummaryDocument, "data_id" | "location">;
  readonly distanceMeters: number;
}

/**
 * The address of a point: each part from the nearest place that has it, and ward and city, if no place has them, from the areas
 * that contain the point.
 * @param places nearest first.
 * @param areas the areas whose boxes contain the point.
 */
export function toReverseResult(places: readonly PlaceNear[], areas: readonly Area[]): ReverseResult {
  const address = { street: "", ward: "", city: "", country: "" };
  const address_sources: ReverseResult["address_sources"] = {};
  for (const part of PARTS) {
    const nearest = places.find(
      ({ place, distanceMeters }) =>
        place.location.address[part] !== "" && distanceMeters <= FURTHEST_METERS[part],
    );
    const area = nearest ? undefined : areaFor(part, areas);
    if (nearest) {
      address[part] = nearest.place.location.address[part];
      const distance_m = Math.round(nearest.distanceMeters);
      address_sources[part] = { distance_m, data_id: nearest.place.data_id };
    } else if (area) {
      address[part] = area.name;
      address_sources[part] = { distance_m: 0 };
    }
  }
  const full = PARTS.map((part) => address[part]).filter((text) => text !== "");
  return { address: { full: full.join(", "), ...address }, address_sources };
}

const LEVELS: Readonly<Partial<Record<Part, Area["level"]>>> = { ward: "ward", city: "province" };

/** The only present-day area of the level. The boxes of neighbours overlap, and then none is certain. */
function areaFor(part: Part, areas: readonly Area[]): Area | undefined {
  const [first, ...others] = areas.filter(({ level, valid }) => level === LEVELS[part] && valid !== "old");
  return others.length === 0 ? first : undefined;
}
