import * as v from "valibot";
import { parseDataId } from "../place/document/data-id.ts";
import { middleOf, type Bounds, type Coordinates } from "../place/geometry/coordinates.ts";
import {
  MAX_OFFSET,
  MAX_PLACES,
  MAX_QUERY_LENGTH,
  MAX_RESULTS,
  MAX_SUGGESTIONS,
  type RequestDefaults,
} from "../place/request-defaults.ts";
import { centreOfShape } from "../place/geometry/shapes.ts";
import { PLACE_FIELDS, SEARCH_FIELDS } from "../answers/chosen-fields.ts";
import { INCLUDED_NAMES, type Included } from "../answers/included-fields.ts";
import { decimal, wholeNumber, published } from "./query-string.ts";
import {
  bbox,
  bboxBias,
  MAX_RADIUS_METERS,
  refinementEntries,
  shapeEntries,
  toShapes,
  type ShapeParameters,
} from "./refinement-parameters.ts";

/** White space of any kind and length, such as a paste may contain, becomes one plain space. */
const WHITE_SPACE = /[\s\u0085]+/g;
/** No control characters, and no replacement characters, which stand for invalid UTF-8. */
const READABLE_TEXT = /^[^\p{Cc}\uFFFD]*$/u;
/** The format of a language tag (RFC 5646). Unsupported languages fall back, so any tag is accepted. */
const LANGUAGE_TAG = /^[a-z]{2,8}(?:[-_][a-z\d]{1,8}){0,8}$/i;

const q = v.pipe(
  v.string(),
  published({
    type: "string",
    minLength: 1,
    maxLength: MAX_QUERY_LENGTH,
    pattern: "\\S",
    description: `The text to search for: a name, an address, a brand, a kind of place or a sentence ("quán cà phê quận 3 đang mở cửa"), with or without Vietnamese marks. 1 to ${MAX_QUERY_LENGTH} characters after trimming, Unicode normalization (NFC) and shortening each run of white space to one space, without control characters.`,
    examples: ["cà phê", "highlands coffee", "nha thuoc"],
  }),
  v.transform((text) => text.replaceAll(WHITE_SPACE, " ").trim().normalize("NFC")),
  v.regex(READABLE_TEXT, "must be UTF-8 text without control characters"),
  v.nonEmpty("must not be empty"),
  v.maxCodePoints(MAX_QUERY_LENGTH, `must have ${MAX_QUERY_LENGTH} characters or fewer`),
);

/** What readers see of a `data_id`. */
const DATA_ID = {
  type: "string",
  maxLength: 128,
  pattern: "^0[xX]0*[0-9a-fA-F]{1,16}:0[xX]0*[0-9a-fA-F]{1,16}$",
} as const;

const dataId = v.pipe(
  v.string(),
  published({
    ...DATA_ID,
    description:
      "The identifier of a place from search or autocomplete: two hexadecimal numbers of up to 64 bits, in either case, with or without leading zeros. The colon may be encoded as `%3A`.",
    examples: ["0x31752f38f9ed6bb7:0xa1b2c3d4e5f60718"],
  }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const canonical = parseDataId(dataset.value);
    if (canonical !== undefined) return canonical;
    addIssue({ message: "must be two hexadecimal numbers, 0x<hex>:0x<hex>" });
    return NEVER;
  }),
);

const isIncluded = (name: string): name is Included => (INCLUDED_NAMES as readonly string[]).includes(name);

const include = v.pipe(
  v.string(),
  published({
    type: "array",
    minItems: 1,
    items: { type: "string", enum: INCLUDED_NAMES },
    description:
      "Additional fields, as a comma list. `distance`: metres from the centre. `detour`: metres from the way of `route` and back (search and nearby only). `periods`: opening hours in a form for programs, and the next change. `explain`: why the place has its rank (search only). `match`: which parts of the name match the query (search and autocomplete only). `total`: how many places match, exact up to 1,000 (search and nearby only). `freshness`: when the source last confirmed the place and when it was indexed (all but autocomplete). `busyness`: how busy it usually is in the hour of `open_at` or now (search, nearby and reverse only). `photo`: the first picture (search, nearby and reverse only). `areas`: the former district in the address, and a one-line address from its parts where the source has none (all but autocomplete). `names`: the name in several languages (all but autocomplete). `custom`: the fields that the dataset has of its own (all but autocomplete). `queries`: kinds and areas that the text may become, marked as such (autocomplete only). A word without meaning for the operation is accepted and has no effect.",
    examples: [["distance", "periods"]],
  }),
  v.transform((text) => text.split(",")),
  v.everyItem(isIncluded, `must be a comma list of ${INCLUDED_NAMES.join(", ")}`),
  v.transform((names): ReadonlySet<Included> => new Set(names.filter(isIncluded))),
);

const lat = decimal(-90, 90, {
  description:
    "Latitude of the caller in decimal degrees, WGS 84: plain digits with a decimal point or a decimal comma (`10.7769` or `10,7769`), no exponent.",
  examples: [10.7769],
});
const lng = decimal(-180, 180, {
  description:
    "Longitude of the caller in decimal degrees, WGS 84: plain digits with a decimal point or a decimal comma (`106.7009` or `106,7009`), no exponent.",
  examples: [106.7009],
});

const lang = v.optional(
  v.pipe(
    v.string(),
    published({
      type: "string",
      pattern: "^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,8}$",
      description:
        "Language of day names, open states and labels, as a language tag: Vietnamese (`vi`), English (`en`), Japanese (`ja`), Korean (`ko`) or Chinese (`zh`, simplified); any other language returns Vietnamese. Features, areas and galleries are in English for the last three. Places that have a name in this language, of any, are titled with it. By default, the header `Accept-Language` decides. Codes are not translated.",
      examples: ["en"],
    }),
    v.regex(LANGUAGE_TAG, "must be a language tag such as vi or en"),
  ),
);

/** Which of these fields every place of the response holds. */
const chosenFields = (names: readonly string[]) =>
  v.optional(
    v.pipe(
      v.string(),
      published({
        type: "array",
        minItems: 1,
        items: { type: "string", enum: names },
        description:
          "Returns only these fields of each place: a comma list, with dots for nested fields. `data_id` and the fields of `include` are always returned. By default, all fields.",
        examples: [["title", "location.address.full"]],
      }),
      v.transform((text) => text.split(",")),
      v.everyItem((name) => names.includes(name), `must be a comma list of ${names.join(", ")}`),
      v.transform((chosen): ReadonlySet<string> => new Set(chosen)),
    ),
  );

const format = v.optional(
  v.pipe(
    v.picklist(["json", "geojson"], "must be json or geojson"),
    v.description(
      "`geojson`: the same places as GeoJSON (RFC 7946), with their fields as `properties` and the content type `application/geo+json`.",
    ),
  ),
  "json",
);

/** The parameters that search and autocomplete share. */
const queryAndCentre = {
  q,
  lat: v.optional(lat),
  lng: v.optional(lng),
  lang,
  include: v.optional(include),
  format,
};

interface CentreParameters extends ShapeParameters {
  readonly lat?: number | undefined;
  readonly lng?: number | undefined;
  readonly bbox?: Bounds | undefined;
  readonly bbox_bias?: Bounds | undefined;
}

/** The centre of a request: its coordinates, else the middle of its rectangle or polygon, else the start of its way. One coordinate alone has the other from the defaults. */
export function toCentre(
  { lat, lng, bbox: restriction, bbox_bias: bias, ...shapes }: CentreParameters,
  { centre }: RequestDefaults,
): Coordinates {
  const rectangle = restriction ?? bias;
  if (lat === undefined && lng === undefined) {
    const { polygon, route } = toShapes(shapes);
    if (rectangle) return middleOf(rectangle);
    const shape = polygon ?? route;
    if (shape) return centreOfShape(shape);
  }
  return { latitude: lat ?? centre.latitude, longitude: lng ?? centre.longitude };
}

/** How much of a list of places, and how detailed. */
const page = {
  type: v.optional(
    v.pipe(
      v.picklist(["minimal", "full"], "must be minimal or full"),
      v.description("Level of detail. `full` adds `opening_hours` and `features` to every place."),
    ),
    "minimal",
  ),
  limit: v.optional(wholeNumber(1, MAX_RESULTS, { description: "The maximum number of places." }), "20"),
  offset: v.optional(
    wholeNumber(0, MAX_OFFSET, {
      description:
        "The number of places to skip, for further pages. The order is the same for the same request.",
    }),
    "0",
  ),
};

interface Moments {
  readonly open_now?: boolean | undefined;
  readonly open_at?: Temporal.Instant | undefined;
}

const isOneMoment = ({ open_now, open_at }: Moments): boolean =>
  open_now === undefined || open_at === undefined;

const NOT_WITH_BBOX = "must not be given together with bbox";

const isOneRectangle = ({ bbox: restriction, bbox_bias: bias }: CentreParameters): boolean =>
  restriction === undefined || bias === undefined;

const NEEDS_ROUTE = "must be given together with route";

const isSortedAlongRoute = ({ route, sort }: ShapeParameters & { readonly sort?: string | undefined }) =>
  sort !== "detour" || route !== undefined;

const isRadiusOfRoute = ({ route, route_radius }: ShapeParameters): boolean =>
  route_radius === undefined || route !== undefined;

/** `GET /api/maps/search` */
export const searchParameters = v.pipe(
  v.object({
    ...queryAndCentre,
    ...page,
    ...refinementEntries,
    bbox_bias: v.optional(bboxBias),
    fields: chosenFields(SEARCH_FIELDS),
  }),
  v.forward(
    v.partialCheck([["open_now"], ["open_at"]], isOneMoment, "must not be given together with open_now"),
    ["open_at"],
  ),
  v.forward(v.partialCheck([["bbox"], ["bbox_bias"]], isOneRectangle, NOT_WITH_BBOX), ["bbox_bias"]),
  v.forward(v.partialCheck([["route"], ["sort"]], isSortedAlongRoute, NEEDS_ROUTE), ["sort"]),
  v.forward(v.partialCheck([["route"], ["route_radius"]], isRadiusOfRoute, NEEDS_ROUTE), ["route_radius"]),
);

/** `GET /api/maps/nearby`. The coordinates are required. */
export const nearbyParameters = v.pipe(
  v.object({
    lat,
    lng,
    lang,
    include: v.optional(include),
    format,
    ...page,
    ...refinementEntries,
    sort: v.optional(
      v.pipe(
        v.picklist(
          ["distance", "prominence", "rating", "detour"],
          "must be distance, prominence, rating or detour",
        ),
        v.description(
          "The order; `distance` by default, and `detour` with `route`. `detour`: nearest to the way first, only with `route`. `distance`: nearest first. `prominence`: best known first, by rating and number of reviews together. `rating`: best rating first, then most reviews. The last two sort the places of the radius, of the rectangle, else of 20 km around the centre, or 100 km if there is none.",
        ),
      ),
    ),
    fields: chosenFields(SEARCH_FIELDS),
  }),
  v.forward(
    v.partialCheck([["open_now"], ["open_at"]], isOneMoment, "must not be given together with open_now"),
    ["open_at"],
  ),
  v.forward(v.partialCheck([["route"], ["sort"]], isSortedAlongRoute, NEEDS_ROUTE), ["sort"]),
  v.forward(v.partialCheck([["route"], ["route_radius"]], isRadiusOfRoute, NEEDS_ROUTE), ["route_radius"]),
);

/** `GET /api/maps/kinds` */
export const kindsParameters = v.object({ lang });

/** `GET /api/maps/reverse`. The coordinates are required. */
export const reverseParameters = v.object({
  lat,
  lng,
  lang,
  include: v.optional(include),
  format,
  type: page.type,
  limit: v.optional(wholeNumber(1, MAX_RESULTS, { description: "The maximum number of places." }), "5"),
  radius: v.optional(
    wholeNumber(1, MAX_RADIUS_METERS, {
      description:
        "Only places within this distance of the point, in whole metres. The address does not depend on it.",
      examples: [200],
    }),
    "1000",
  ),
  fields: chosenFields(SEARCH_FIELDS),
});

/** `GET /api/maps/place`. Here the coordinates have no defaults. */
export const placeParameters = v.object({
  data_id: dataId,
  lat: v.optional(lat),
  lng: v.optional(lng),
  lang,
  include: v.optional(include),
  fields: chosenFields(PLACE_FIELDS),
  format,
});

/** `GET /api/maps/places`: `data_id` may be repeated. */
export const placesParameters = v.object({
  ...placeParameters.entries,
  data_id: v.pipe(
    v.array(dataId),
    published({
      type: "array",
      minItems: 1,
      maxItems: MAX_PLACES,
      items: DATA_ID,
      description: `The identifiers of up to ${MAX_PLACES} places, each as a separate \`data_id=\`.`,
      examples: [["0x31752f38f9ed6bb7:0xa1b2c3d4e5f60718"]],
    }),
    v.maxLength(MAX_PLACES, `may be given ${MAX_PLACES} times at most`),
    v.readonly(),
  ),
});

/** `GET /api/maps/autocomplete` */
export const autocompleteParameters = v.pipe(
  v.object({
    ...queryAndCentre,
    bbox: v.optional(bbox),
    bbox_bias: v.optional(bboxBias),
    ...shapeEntries,
    limit: v.optional(
      wholeNumber(1, MAX_SUGGESTIONS, { description: "The maximum number of suggestions." }),
      "4",
    ),
  }),
  v.forward(v.partialCheck([["bbox"], ["bbox_bias"]], isOneRectangle, NOT_WITH_BBOX), ["bbox_bias"]),
  v.forward(v.partialCheck([["route"], ["route_radius"]], isRadiusOfRoute, NEEDS_ROUTE), ["route_radius"]),
);

/** Parameters of Photon that are accepted and have no effect. */
const withoutEffect = (name: string) =>
  v.optional(
    v.pipe(
      v.array(v.string()),
      published({
        type: "array",
        items: { type: "string" },
        description: `\`${name}\` of Photon: accepted, has no effect.`,
        examples: [[]],
      }),
    ),
  );

/** What the two operations of Photon share. */
const photonEntries = {
  lang,
  osm_tag: withoutEffect("osm_tag"),
  layer: withoutEffect("layer"),
  key: v.optional(
    v.pipe(
      v.string(),
      v.description(
        "The API key, for map controls that cannot send a header. Only for keys that are restricted to origins.",
      ),
    ),
  ),
};

const MAX_RADIUS_KILOMETERS = MAX_RADIUS_METERS / 1_000;

/** `GET /photon/api` */
export const photonParameters = v.object({
  q,
  lat: v.optional(lat),
  lon: v.optional(lng),
  limit: v.optional(wholeNumber(1, MAX_RESULTS, { description: "The maximum number of places." }), "15"),
  bbox: v.optional(bbox),
  location_bias_scale: withoutEffect("location_bias_scale"),
  zoom: withoutEffect("zoom"),
  ...photonEntries,
});

/** `GET /photon/reverse` */
export const photonReverseParameters = v.object({
  lat,
  lon: lng,
  radius: v.optional(
    decimal(0, MAX_RADIUS_KILOMETERS, { description: "Only places within this many kilometres." }),
    "1",
  ),
  limit: v.optional(wholeNumber(1, MAX_RESULTS, { description: "The maximum number of places." }), "1"),
  distance_sort: withoutEffect("distance_sort"),
  ...photonEntries,
});

/** The names of all parameters, which a log may contain. */
export const PARAMETER_NAMES: ReadonlySet<string> = new Set(
  [
    searchParameters,
    nearbyParameters,
    reverseParameters,
    placesParameters,
    autocompleteParameters,
    kindsParameters,
    photonParameters,
    photonReverseParameters,
  ].flatMap(({ entries }) => Object.keys(entries)),
);
