import type { WriteAnswer } from "../answers/write-response.ts";
import { toRef, type JsonObject } from "./parameters.ts";
import { HEADERS_OF, problemRefs } from "./problem-responses.ts";

/** A parameter in the path or a header. */
const toTextParameter = (
  place: "path" | "header",
  name: string,
  description: string,
  example: string,
): JsonObject => ({
  name,
  in: place,
  required: place === "path",
  description,
  schema: { type: "string" },
  examples: { default: { value: example } },
});

const DATA_ID = toTextParameter("path", "data_id", "The place.", "0x31752f38f9d2c1e7:0x8c1f5a0b7e2d9436");
const IF_MATCH = toTextParameter(
  "header",
  "If-Match",
  "Versions in quotation marks, of which the place must have one, or `*` for any; otherwise 412. `include=version` of place detail returns the version.",
  '"4f1c2b7d5e8a6031"',
);
const IF_NONE_MATCH = toTextParameter(
  "header",
  "If-None-Match",
  "`*`: the place must not exist; otherwise 412.",
  "*",
);
const IDEMPOTENCY_KEY = toTextParameter(
  "header",
  "Idempotency-Key",
  "Any text of up to 128 visible ASCII characters. A request that comes again with it within a day is not done again and gets the outcome of the first.",
  "night-import-2026-11-20-17",
);
const PREFER = toTextParameter(
  "header",
  "Prefer",
  "`respond-async`: return 202 at once instead of the outcome.",
  "respond-async",
);

const WRITE_EXAMPLE: WriteAnswer = {
  write: {
    id: "5b0c8f0e-6f3c-4f0e-9a55-0d5f6c1f5f0a",
    state: "done",
    records: 1,
    results: [
      {
        line: 1,
        outcome: "changed",
        data_id: "0x31752f38f9d2c1e7:0x8c1f5a0b7e2d9436",
        version: "4f1c2b7d5e8a6031",
      },
    ],
  },
};

const WAITING_EXAMPLE: WriteAnswer = {
  write: { id: "5b0c8f0e-6f3c-4f0e-9a55-0d5f6c1f5f0a", state: "waiting", records: 1_000 },
};

const writeResponse = (
  description: string,
  headers: JsonObject,
  example: WriteAnswer = WRITE_EXAMPLE,
): JsonObject => ({
  description,
  headers,
  content: { "application/json": { schema: { $ref: toRef("WriteAnswer") }, example } },
});

const ACCEPTED = writeResponse(
  "Accepted and stored; `Location` says where its state is. Searches will see it.",
  HEADERS_OF.accepted,
  WAITING_EXAMPLE,
);

const jsonBody = (types: readonly string[], description: string, example: unknown): JsonObject => ({
  required: true,
  description,
  content: Object.fromEntries(types.map((type) => [type, { schema: { type: "object" }, example }])),
});

const RECORD_EXAMPLE = {
  title: "Lặng",
  type: "COFFEE",
  location: { latitude: 10.7712, longitude: 106.7012, address: { full: "12 Lê Lợi, Bến Thành" } },
};

const WRITE_SCOPE = "The key requires the scope `write`.";

const putPlaceOperation = (): JsonObject => ({
  operationId: "putPlace",
  tags: ["Writing"],
  summary: "Add or replace a place",
  description: `The body is a native record: the fields of a file that an import reads (the page on the data format lists them). What it does not name, the place does not have afterwards. ${WRITE_SCOPE}`,
  parameters: [DATA_ID, IF_MATCH, IF_NONE_MATCH, IDEMPOTENCY_KEY, PREFER],
  requestBody: jsonBody(["application/json"], "The place.", RECORD_EXAMPLE),
  responses: {
    200: writeResponse("Replaced.", HEADERS_OF.written),
    201: writeResponse("Added.", HEADERS_OF.written),
    202: ACCEPTED,
    ...problemRefs([401, 403, 412, 413, 422, 429, 500, 503]),
  },
});

const patchPlaceOperation = (): JsonObject => ({
  operationId: "patchPlace",
  tags: ["Writing"],
  summary: "Change fields of a place",
  description: `The body is a JSON merge patch (RFC 7396) of the native record: fields that it does not name stay, and \`null\` removes one. A value that an import would leave out changes nothing and returns 422. ${WRITE_SCOPE}`,
  parameters: [DATA_ID, IF_MATCH, IDEMPOTENCY_KEY, PREFER],
  requestBody: jsonBody(["application/merge-patch+json", "application/json"], "The fields to change.", {
    contacts: { website: "https://lang.example" },
  }),
  responses: {
    200: writeResponse("Changed.", HEADERS_OF.written),
    202: ACCEPTED,
    ...problemRefs([401, 403, 404, 412, 413, 422, 429, 500, 503]),
  },
});

const deletePlaceOperation = (): JsonObject => ({
  operationId: "deletePlace",
  tags: ["Writing"],
  summary: "Delete a place",
  description: `A place that is in the next import or sync comes back. ${WRITE_SCOPE}`,
  parameters: [DATA_ID, IF_MATCH, IDEMPOTENCY_KEY, PREFER],
  responses: {
    200: writeResponse("Deleted.", HEADERS_OF.written),
    202: ACCEPTED,
    ...problemRefs([401, 403, 404, 412, 422, 429, 500, 503]),
  },
});

const writePlacesOperation = (): JsonObject => ({
  operationId: "writePlaces",
  tags: ["Writing"],
  summary: "Change many places",
  description: `Up to 1,000 records, each like a line that \`apply\` reads: a native record, which adds or replaces a place, or one with \`"op": "patch"\` or \`"op": "delete"\`. They are applied in their order. A record that cannot be stored is \`rejected\` in the results; the others are applied. A place is named by its \`data_id\`, or by \`source\` and \`source_id\`. With the type \`application/x-ndjson\` the body has one record a line. ${WRITE_SCOPE}`,
  parameters: [IDEMPOTENCY_KEY, PREFER],
  requestBody: jsonBody(["application/json", "application/x-ndjson"], "The records.", {
    places: [
      { ...RECORD_EXAMPLE, source: "cafes", source_id: "12" },
      { op: "delete", data_id: "0x31752f38f9d2c1e7:0x8c1f5a0b7e2d9436" },
    ],
  }),
  responses: {
    200: writeResponse("Done; `results` has the outcome of each record.", HEADERS_OF.written),
    202: ACCEPTED,
    ...problemRefs([401, 403, 413, 422, 429, 500, 503]),
  },
});

const writeStatusOperation = (): JsonObject => ({
  operationId: "getWrite",
  tags: ["Writing"],
  summary: "Get the state of a write",
  description: `Whether a write of this key is done, and its results. Its state is kept for an hour, with an \`Idempotency-Key\` for a day. ${WRITE_SCOPE}`,
  parameters: [toTextParameter("path", "id", "The write.", WRITE_EXAMPLE.write.id)],
  responses: {
    200: writeResponse("The write.", HEADERS_OF.usage),
    ...problemRefs([401, 403, 404, 429, 500, 503]),
  },
});

/** The paths of the write API. */
export const WRITE_PATHS = {
  "/api/maps/places": { post: writePlacesOperation() },
  "/api/maps/places/{data_id}": {
    put: putPlaceOperation(),
    patch: patchPlaceOperation(),
    delete: deletePlaceOperation(),
  },
  "/api/maps/writes/{id}": { get: writeStatusOperation() },
} as const;
