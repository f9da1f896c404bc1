import type { LinkSettings } from "../answers/links.ts";
import { autocompleteParameters, placeParameters, searchParameters } from "../http/parameters.ts";
import type { UsageAnswer } from "../answers/usage.ts";
import type { SchemaName } from "./schemas.ts";
import { buildAutocompleteExamples, buildPlaceExamples, buildSearchExamples } from "./examples.ts";
import { GEOJSON_TYPE } from "../answers/geojson.ts";
import { HEADERS_OF, problemRefs } from "./problem-responses.ts";
import { toRef, type JsonObject, toParameters } from "./parameters.ts";

export const TAGS = [
  { name: "Places", description: "Find places and read about them. Each request carries a key." },
  { name: "Keys", description: "What the caller's own key has used." },
  { name: "Health", description: "For whoever runs the server. No key is needed." },
] as const;

/** The response to a request with a matching `If-None-Match`. */
const NOT_MODIFIED = {
  description: "The caller has this answer already: nothing in it has changed.",
  headers: HEADERS_OF.success,
};

/** Every path with its operation. A new operation needs one entry here. */
export const buildPaths = (links: LinkSettings): JsonObject => ({
  "/api/maps/search": { get: searchOperation(links) },
  "/api/maps/place": { get: placeOperation(links) },
  "/api/maps/autocomplete": { get: autocompleteOperation() },
  "/api/usage": { get: usageOperation() },
  "/healthz": { get: livenessOperation() },
  "/readyz": { get: readinessOperation() },
});

const searchOperation = (links: LinkSettings): JsonObject => ({
  operationId: "searchPlaces",
  tags: ["Places"],
  summary: "Search places",
  description: [
    "About twenty places that a text means, around a centre, best first.",
    "The centre is a bias and no restriction: an exact name far away is found too. `radius`, `category`, `open_now`, `open_at`, `min_rating` and `max_price` restrict; a place must meet all that are given.",
    "Every member is always there: what is unknown is an empty string, an empty array or 0. Only `place_id` may be absent, and members that are asked for with `type` and `include`. With `fields`, a place has `data_id`, the fields that it names and those of `include`, and no others.",
  ].join("\n\n"),
  parameters: toParameters(searchParameters),
  responses: {
    200: success(
      "The places found.",
      { json: "SearchAnswer", geojson: "SearchFeatures" },
      buildSearchExamples(links),
    ),
    304: NOT_MODIFIED,
    ...problemRefs([401, 403, 422, 429, 500, 503]),
  },
});

const placeOperation = (links: LinkSettings): JsonObject => ({
  operationId: "getPlace",
  tags: ["Places"],
  summary: "Get one place",
  description: [
    "Everything about one place: what search gives with `type=full`, and its description, plus code, popular times, reviews and galleries.",
    "An older `data_id` of a place that moved, or of a record that was merged into another, answers with the place and the `data_id` it has now. `lat` and `lng` change nothing but `distance_m` and the centre of `link_search_value`; both are needed for that.",
    "With `fields`, the place has `data_id`, the fields that it names and those of `include`, and no others.",
  ].join("\n\n"),
  parameters: toParameters(placeParameters),
  responses: {
    200: success("The place.", { json: "PlaceAnswer", geojson: "PlaceFeature" }, buildPlaceExamples(links)),
    304: NOT_MODIFIED,
    ...problemRefs([401, 403, 404, 422, 429, 500, 503]),
  },
});

const autocompleteOperation = (): JsonObject => ({
  operationId: "autocomplete",
  tags: ["Places"],
  summary: "Complete what is being typed",
  description:
    "A few places for an input field, while somebody types. A chain comes once, with its nearest branch. Each suggestion has the `data_id` that place detail takes.",
  parameters: toParameters(autocompleteParameters),
  responses: {
    200: success(
      "The suggestions.",
      { json: "AutocompleteAnswer", geojson: "SuggestionFeatures" },
      buildAutocompleteExamples(),
    ),
    304: NOT_MODIFIED,
    ...problemRefs([401, 403, 422, 429, 500, 503]),
  },
});

const usageOperation = (): JsonObject => ({
  operationId: "getUsage",
  tags: ["Keys"],
  summary: "See what the key has used",
  description:
    "What the key of the request has used of its limits and has left. Asking counts for no limit but its own, 60 times a minute, so that it answers a caller who has nothing left too; the limit headers of this answer tell of that one.",
  responses: {
    200: {
      description: "The use of the key.",
      headers: HEADERS_OF.usage,
      content: { "application/json": { schema: { $ref: toRef("UsageAnswer") }, example: USAGE_EXAMPLE } },
    },
    ...problemRefs([401, 429, 500, 503]),
  },
});

const USAGE_EXAMPLE: UsageAnswer = {
  usage: {
    key: { id: "3f9a1c2b7d5e8a60", scopes: ["search", "place", "autocomplete"] },
    minute: {
      limit: 600,
      used: 12,
      remaining: 588,
      resets_at: "2026-11-20T12:00:43Z",
      resets_in_s: 43,
    },
    day: {
      limit: 100_000,
      used: 1_234,
      remaining: 98_766,
      resets_at: "2026-11-21T00:00:00Z",
      resets_in_s: 43_200,
    },
    days: [
      { date: "2026-11-19", requests: 20_417 },
      { date: "2026-11-20", requests: 1_234 },
    ],
    counted_by: "all_processes",
  },
};

const livenessOperation = (): JsonObject => ({
  operationId: "getLiveness",
  tags: ["Health"],
  summary: "Whether the process lives",
  description: "Answers as long as the process lives, whatever else is broken.",
  security: [],
  responses: {
    200: withoutKey("It lives.", "Liveness", { status: "alive" }),
    ...problemRefs([500]),
  },
});

const readinessOperation = (): JsonObject => ({
  operationId: "getReadiness",
  tags: ["Health"],
  summary: "Whether requests can be answered",
  description: "Names each part the server needs and whether it is there.",
  security: [],
  responses: {
    200: withoutKey("Ready, or degraded: requests are served.", "Readiness", {
      status: "ready",
      redis: "up",
      engine: "up",
      index: { state: "ready", places: 5_000, built_at: "2026-11-20T02:00:00.000Z" },
    }),
    503: withoutKey("Not ready.", "Readiness", {
      status: "not_ready",
      redis: "up",
      engine: "down",
      index: { state: "unknown" },
    }),
    ...problemRefs([500]),
  },
});

/** A response as JSON and, with `format=geojson`, as GeoJSON. */
const success = (
  description: string,
  { json, geojson }: { readonly json: SchemaName; readonly geojson: SchemaName },
  examples: JsonObject,
): JsonObject => ({
  description,
  headers: HEADERS_OF.success,
  content: {
    "application/json": { schema: { $ref: toRef(json) }, examples },
    [GEOJSON_TYPE]: { schema: { $ref: toRef(geojson) } },
  },
});

const withoutKey = (description: string, schema: SchemaName, example: JsonObject): JsonObject => ({
  description,
  headers: HEADERS_OF.withoutKey,
  content: { "application/json": { schema: { $ref: toRef(schema) }, example } },
});
