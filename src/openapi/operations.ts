import type { LinkSettings } from "../answers/links.ts";
import {
  autocompleteParameters,
  kindsParameters,
  nearbyParameters,
  photonParameters,
  photonReverseParameters,
  placeParameters,
  placesParameters,
  reverseParameters,
  searchParameters,
} from "../http/parameters.ts";
import { MAX_MATCHED_RECORDS, MAX_PLACES, type RequestDefaults } from "../place/request-defaults.ts";
import type { MatchAnswer } from "../answers/match-response.ts";
import { RECORDS_PER_REQUEST } from "../http/routes/match.ts";
import type { StatusAnswer } from "../answers/status.ts";
import type { KindsAnswer } from "../answers/kinds.ts";
import type { UsageAnswer } from "../answers/usage.ts";
import type { SchemaName } from "./schemas.ts";
import {
  buildAutocompleteExamples,
  buildNearbyExamples,
  buildPhotonExamples,
  buildPlaceExamples,
  buildPlacesExamples,
  buildReverseExamples,
  buildSearchExamples,
} from "./examples.ts";
import { GEOJSON_TYPE } from "../answers/geojson.ts";
import { HEADERS_OF, problemRefs } from "./problem-responses.ts";
import { WRITE_PATHS } from "./write-operations.ts";
import { toRef, type JsonObject, toParameters } from "./parameters.ts";

export const TAGS = [
  { name: "Places", description: "Find places and get their details. Requires a key." },
  {
    name: "Writing",
    description:
      "Change places. Requires a key with the scope `write`, and a server with `WRITE_API=on`; elsewhere these operations do not exist.",
  },
  { name: "Photon", description: "The same places for libraries that are made for Photon." },
  { name: "Keys", description: "The usage of the caller's key." },
  { name: "Status", description: "The state of the service. Requires a key with the scope `admin`." },
  { name: "Health", description: "For operators. Requires no key." },
] as const;

/** The response to a request with a matching `If-None-Match`. */
const NOT_MODIFIED = {
  description: "Not modified: the caller's copy is still current.",
  headers: HEADERS_OF.success,
};

/** Every path with its operation. A new operation needs one entry here. */
export const buildPaths = (links: LinkSettings, defaults: RequestDefaults): JsonObject => ({
  "/api/maps/search": { get: searchOperation(links, defaults) },
  "/api/maps/nearby": { get: nearbyOperation(links) },
  "/api/maps/reverse": { get: reverseOperation(links) },
  "/api/maps/place": { get: placeOperation(links) },
  ...WRITE_PATHS,
  "/api/maps/places": { get: placesOperation(links), ...WRITE_PATHS["/api/maps/places"] },
  "/api/maps/autocomplete": { get: autocompleteOperation(defaults) },
  "/api/maps/kinds": { get: kindsOperation() },
  "/api/maps/match": { post: matchOperation() },
  "/photon/api": { get: photonOperation() },
  "/photon/reverse": { get: photonReverseOperation() },
  "/api/usage": { get: usageOperation() },
  "/api/status": { get: statusOperation() },
  "/healthz": { get: livenessOperation() },
  "/readyz": { get: readinessOperation() },
});

const centreDefaults = ({ centre: { latitude, longitude } }: RequestDefaults): JsonObject => ({
  lat: latitude,
  lng: longitude,
});

const searchOperation = (links: LinkSettings, defaults: RequestDefaults): JsonObject => ({
  operationId: "searchPlaces",
  tags: ["Places"],
  summary: "Search places",
  description: [
    "Returns the places that match a text, best first, around a centre.",
    "The centre is a preference, not a limit: an exact name far away is found as well. `radius`, `bbox`, `polygon`, `route`, `category`, `open_now`, `open_at`, `min_rating` and `max_price` are filters; a place must meet all of them.",
    "Every field is always present; an unknown value is an empty string, an empty array or 0. Only `place_id` may be absent, and the fields that `type` and `include` add. With `fields`, a place has `data_id`, the fields that it names and those of `include`, and no others.",
  ].join("\n\n"),
  parameters: toParameters(searchParameters, { ...centreDefaults(defaults), sort: "relevance" }),
  responses: {
    200: success(
      "The matching places.",
      { json: "SearchAnswer", geojson: "SearchFeatures" },
      buildSearchExamples(links),
    ),
    304: NOT_MODIFIED,
    ...problemRefs([401, 403, 422, 429, 500, 503]),
  },
});

const nearbyOperation = (links: LinkSettings): JsonObject => ({
  operationId: "findNearby",
  tags: ["Places"],
  summary: "List places around a point",
  description: [
    "Returns the places around a point, without a query: nearest first, best known first, or best rated first. The list is complete on every page.",
    "Filters, fields and pages are those of search. The key requires the scope `search`.",
  ].join("\n\n"),
  parameters: toParameters(nearbyParameters, { sort: "distance" }),
  responses: {
    200: success(
      "The places around the point.",
      { json: "NearbyAnswer", geojson: "NearbyFeatures" },
      buildNearbyExamples(links),
    ),
    304: NOT_MODIFIED,
    ...problemRefs([401, 403, 422, 429, 500, 503]),
  },
});

const reverseOperation = (links: LinkSettings): JsonObject => ({
  operationId: "reverse",
  tags: ["Places"],
  summary: "Get the address of a point",
  description: [
    "Returns the address of a point, as far as it is known, and the nearest places. The address has street, ward, city and country, each from the nearest place that has it.",
    "`address_sources` says how far away that place is. The key requires the scope `search`.",
  ].join("\n\n"),
  parameters: toParameters(reverseParameters),
  responses: {
    200: success(
      "The address and the nearest places.",
      { json: "ReverseAnswer", geojson: "ReverseFeatures" },
      buildReverseExamples(links),
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
    "Returns the full record of one place: the fields of search with `type=full`, and the description, plus code, popular times, reviews and galleries.",
    "The old `data_id` of a place that moved or was merged returns the place with its current `data_id`. `lat` and `lng` affect only `distance_m` and the centre of `link_search_value`; send both or neither.",
    "With `fields`, the place has `data_id`, the fields that it names and those of `include`, and no others.",
  ].join("\n\n"),
  parameters: toParameters(placeParameters),
  responses: {
    200: success("The place.", { json: "PlaceAnswer", geojson: "PlaceFeature" }, buildPlaceExamples(links)),
    304: NOT_MODIFIED,
    ...problemRefs([401, 403, 404, 422, 429, 500, 503]),
  },
});

const placesOperation = (links: LinkSettings): JsonObject => ({
  operationId: "getPlaces",
  tags: ["Places"],
  summary: "Get several places",
  description: [
    `The details of up to ${MAX_PLACES} places in one request, in the order of the request: repeat \`data_id\`. The request counts as one request for each place; when fewer are left, it is refused with 429 and does not count.`,
    "A place that has another `data_id` now has the requested one in `redirected_from`. `unknown_ids` lists those that no place has; such a response is a 200 too.",
  ].join("\n\n"),
  parameters: toParameters(placesParameters),
  responses: {
    200: success(
      "The places.",
      { json: "PlacesAnswer", geojson: "PlacesFeatures" },
      buildPlacesExamples(links),
    ),
    304: NOT_MODIFIED,
    ...problemRefs([401, 403, 422, 429, 500, 503]),
  },
});

const autocompleteOperation = (defaults: RequestDefaults): JsonObject => ({
  operationId: "autocomplete",
  tags: ["Places"],
  summary: "Suggest places while typing",
  description: [
    "Returns a few places for an input field while a person types: those whose names begin with the text and, where these are few, those that a search for it finds. Several places of one name appear once, with the nearest. Each suggestion has a `data_id` for place detail.",
    "With `include=queries` it also suggests kinds of places and areas, such as `quán cà phê` and `Quận 3`. Each element then has a `type` (`place`, `kind` or `area`) and a `query`, the text to search with. `format=geojson` returns places only.",
  ].join("\n\n"),
  parameters: toParameters(autocompleteParameters, centreDefaults(defaults)),
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

const kindsOperation = (): JsonObject => ({
  operationId: "listKinds",
  tags: ["Places"],
  summary: "List the kinds of places",
  description:
    "Returns the kinds that the dataset has, with those above them: the values of `type` and `category`, each with its label, icon and number of places. The key requires the scope `search`.",
  parameters: toParameters(kindsParameters),
  responses: {
    200: success("The kinds.", { json: "KindsAnswer" }, { kinds: { value: KINDS_EXAMPLE } }),
    304: NOT_MODIFIED,
    ...problemRefs([401, 403, 422, 429, 500, 503]),
  },
});

const KINDS_EXAMPLE: KindsAnswer = {
  kinds: [
    {
      code: "COFFEE",
      parent: null,
      label: "Quán cà phê",
      places: 1_240,
      own_places: 1_198,
      icon: "drink",
      colour: null,
    },
    {
      code: "VOT_COFFEE",
      parent: "COFFEE",
      label: "Cà phê vợt",
      places: 42,
      own_places: 42,
      icon: "☕",
      colour: "#7a4b2a",
    },
  ],
};

const photonResponses = () => ({
  200: {
    description: "The places, in the form of Photon.",
    headers: HEADERS_OF.success,
    content: {
      "application/json": { schema: { $ref: toRef("PhotonAnswer") }, examples: buildPhotonExamples() },
    },
  },
  304: NOT_MODIFIED,
  ...problemRefs([401, 403, 422, 429, 500, 503]),
});

const photonOperation = (): JsonObject => ({
  operationId: "photonSearch",
  tags: ["Photon"],
  summary: "Search as Photon does",
  description:
    "The same search with the parameters and the response of Photon, for libraries that are made for it. The key requires the scope `search`; a key that is restricted to origins may be the parameter `key`.",
  parameters: toParameters(photonParameters),
  responses: photonResponses(),
});

const photonReverseOperation = (): JsonObject => ({
  operationId: "photonReverse",
  tags: ["Photon"],
  summary: "Find the nearest place as Photon does",
  description: "The places nearest to a point, with the parameters and the response of Photon.",
  parameters: toParameters(photonReverseParameters),
  responses: photonResponses(),
});

const usageOperation = (): JsonObject => ({
  operationId: "getUsage",
  tags: ["Keys"],
  summary: "Get the usage of the key",
  description:
    "Returns how much of its limits the key has used, and what is left. This operation has its own limit of 60 requests a minute and does not count towards the others, so it works when those are used up. The limit headers of this response are about its own limit.",
  responses: {
    200: {
      description: "The usage of the key.",
      headers: HEADERS_OF.usage,
      content: { "application/json": { schema: { $ref: toRef("UsageAnswer") }, example: USAGE_EXAMPLE } },
    },
    ...problemRefs([401, 403, 429, 500, 503]),
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

const statusOperation = (): JsonObject => ({
  operationId: "getStatus",
  tags: ["Status"],
  summary: "Get the state of the service",
  description:
    "Returns what operators want to know: the index and what its places have, the last imports, keys and their use, Redis, and with `QUERY_LOG` the most frequent queries. A part that cannot be read is `null`. The page `/status` shows the same. It changes nothing. It shares the limit of `/api/usage`.",
  responses: {
    200: {
      description: "The state of the service.",
      headers: HEADERS_OF.usage,
      content: { "application/json": { schema: { $ref: toRef("StatusAnswer") }, example: STATUS_EXAMPLE } },
    },
    ...problemRefs([401, 403, 429, 500, 503]),
  },
});

const STATUS_EXAMPLE: StatusAnswer = {
  status: {
    at: "2026-11-20T12:00:00Z",
    server: { version: "0.1.0", processes: 1, started_at: "2026-11-19T08:00:00Z" },
    index: {
      state: "ready",
      form: "1.9",
      places: 5_000,
      built_at: "2026-11-19T08:00:04.120Z",
      checked_at: "2026-11-20T02:30:01.500Z",
      document_bytes: 13_800_000,
    },
    redis: { state: "up", memory_bytes: 2_100_000 },
    checks: [{ name: "index", state: "ok", text: "The index is live and can be searched." }],
    coverage: { sampled: 500, fields: [{ field: "opening hours", places: 452 }] },
    runs: [
      {
        command: "import",
        outcome: "done",
        error: null,
        started_at: "2026-11-19T08:00:04.120Z",
        duration_s: 4.2,
        counts: { read: 5_000, rejected: 0, indexed: 5_000 },
      },
    ],
    keys: {
      configured: 0,
      stored: 1,
      list: [
        {
          id: "k3v9x0q2m7ab",
          name: "web page",
          state: "active",
          scopes: ["search", "autocomplete"],
          last_used_at: "2026-11-20T11:58:00Z",
          days: [{ date: "2026-11-20", requests: 1_234 }],
        },
      ],
    },
    queries: {
      days: 8,
      frequent: [{ query: "ca phe", searches: 320, empty: 0 }],
      empty: [{ query: "tram sac xe", searches: 41, empty: 40 }],
    },
  },
};

const livenessOperation = (): JsonObject => ({
  operationId: "getLiveness",
  tags: ["Health"],
  summary: "Check that the process is alive",
  description: "Returns 200 while the process is alive, even when other parts fail.",
  security: [],
  responses: {
    200: withoutKey("The process is alive.", "Liveness", { status: "alive" }),
    ...problemRefs([500]),
  },
});

const readinessOperation = (): JsonObject => ({
  operationId: "getReadiness",
  tags: ["Health"],
  summary: "Check that the server can serve requests",
  description: "Returns the state of each part that the server needs.",
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

const MATCH_REQUEST_EXAMPLE = {
  records: [
    { id: "12", name: "bun cha huong lien", address: "24 Lê Văn Hưu", lat: 21.0182, lng: 105.8541 },
    { id: "13", phone: "024 3943 4106" },
  ],
  min_confidence: 0.8,
};

const MATCH_EXAMPLE: MatchAnswer = {
  matches: [
    {
      id: "12",
      match: {
        data_id: "0x31752f38f9d2c1e7:0x8c1f5a0b7e2d9436",
        title: "Bún chả Hương Liên",
        location: {
          address: {
            full: "24 Lê Văn Hưu, Hai Bà Trưng, Hà Nội",
            street: "24 Lê Văn Hưu",
            ward: "Hai Bà Trưng",
            city: "Hà Nội",
            country: "Việt Nam",
          },
          latitude: 21.01813,
          longitude: 105.85397,
          timezone: "Asia/Ho_Chi_Minh",
          country_code: "VN",
        },
      },
      confidence: 0.996,
      reasons: ["name_same", "address_same", "near"],
    },
    { id: "13", match: null, confidence: 0, reasons: [] },
  ],
};

const matchOperation = (): JsonObject => ({
  operationId: "matchRecords",
  tags: ["Places"],
  summary: "Match records with places",
  description: [
    `Says for up to ${MAX_MATCHED_RECORDS} records of your own file which place each is, with a confidence from 0 to 1 and the reasons. A record has a name, address, phone, website or position, any of them; the more it has, the surer is the match.`,
    `Every ${RECORDS_PER_REQUEST} records, or fewer, count as one request. The key requires the scope \`search\`.`,
  ].join("\n\n"),
  requestBody: {
    required: true,
    description: "The records.",
    content: {
      "application/json": { schema: { $ref: toRef("MatchRequest") }, example: MATCH_REQUEST_EXAMPLE },
    },
  },
  responses: {
    200: {
      description: "The likeliest place of each record.",
      headers: HEADERS_OF.matched,
      content: { "application/json": { schema: { $ref: toRef("MatchAnswer") }, example: MATCH_EXAMPLE } },
    },
    ...problemRefs([401, 403, 413, 422, 429, 500, 503]),
  },
});

/** A response as JSON and, where `format=geojson` exists, as GeoJSON. */
const success = (
  description: string,
  { json, geojson }: { readonly json: SchemaName; readonly geojson?: SchemaName },
  examples: JsonObject,
): JsonObject => ({
  description,
  headers: HEADERS_OF.success,
  content: {
    "application/json": { schema: { $ref: toRef(json) }, examples },
    ...(geojson && { [GEOJSON_TYPE]: { schema: { $ref: toRef(geojson) } } }),
  },
});

const withoutKey = (description: string, schema: SchemaName, example: JsonObject): JsonObject => ({
  description,
  headers: HEADERS_OF.withoutKey,
  content: { "application/json": { schema: { $ref: toRef(schema) }, example } },
});
