import { ProblemError, PROBLEMS, type ProblemCode } from "../errors.ts";
import { buildProblemBody } from "../answers/problem.ts";
import { ATTRIBUTION_HEADER } from "../http/middleware/response-headers.ts";
import { IGNORED_HEADER } from "../http/query-string.ts";
import { MISSING_HEADER } from "../http/send.ts";
import { LIMIT_HEADERS } from "../http/middleware/rate-limit.ts";
import { toRef, type JsonObject } from "./parameters.ts";

type ProblemStatus = 401 | 403 | 404 | 412 | 413 | 422 | 429 | 500 | 503;

/** The name of each status in the document, and its meaning. */
const RESPONSES: Readonly<Record<ProblemStatus, { readonly name: string; readonly description: string }>> = {
  401: { name: "Unauthorized", description: "The key is missing or not accepted." },
  403: { name: "Forbidden", description: "The key is valid, but may not be used for this operation." },
  404: { name: "UnknownPlace", description: "The `data_id` is valid, but no place has it." },
  412: { name: "PreconditionFailed", description: "The place is not as the request expects it." },
  413: { name: "BodyTooLarge", description: "The body has too many bytes or records." },
  422: {
    name: "InvalidParameter",
    description: "One or more parameters are missing, repeated or wrong, or make the request too expensive.",
  },
  429: {
    name: "TooManyRequests",
    description: "The limit of the key is reached. Wait `Retry-After` seconds.",
  },
  500: { name: "ServerError", description: "The server failed. Try again in a few seconds." },
  503: {
    name: "Unavailable",
    description: "The server is too busy or about to stop. Wait `Retry-After` seconds.",
  },
};

/** The values used in the examples' details. */
const EXAMPLE_VALUES = {
  limit: 600,
  seconds: 12,
  scope: "search",
  parameters: "q, lat",
  methods: "GET, HEAD",
  bytes: 4_194_304,
  records: 1_000,
  problem: "The body is not JSON.",
};

const WRONG_PARAMETERS = [
  { parameter: "q", code: "missing", message: "q is required." },
  { parameter: "lat", code: "out_of_range", message: "lat must be a number from -90 to 90." },
] as const;

const STATUSES = Object.keys(RESPONSES).map(Number) as ProblemStatus[];

/** The responses of all problems, for operations to refer to. */
export const buildProblemResponses = (publicBaseUrl: string): JsonObject =>
  Object.fromEntries(STATUSES.map((status) => [RESPONSES[status].name, toResponse(status, publicBaseUrl)]));

/** References to the problem responses of some statuses. */
export const problemRefs = (statuses: readonly ProblemStatus[]): JsonObject =>
  Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${RESPONSES[status].name}` }]),
  );

function toResponse(status: ProblemStatus, publicBaseUrl: string): JsonObject {
  const codes = (Object.keys(PROBLEMS) as ProblemCode[]).filter(
    (code) => PROBLEMS[code].status === status && code !== "unknown_route",
  );
  const meanings = codes.map((code) => `- \`${code}\`: ${PROBLEMS[code].when}.`);
  return {
    description: [RESPONSES[status].description, "", ...meanings].join("\n"),
    headers: HEADERS_OF[status],
    content: {
      "application/problem+json": {
        schema: {
          allOf: [
            { $ref: toRef("Problem") },
            { properties: { status: { const: status }, code: { enum: codes } } },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, toExample(code, publicBaseUrl)])),
      },
    },
  };
}

function toExample(code: ProblemCode, publicBaseUrl: string): JsonObject {
  const errors = code === "invalid_parameter" ? WRONG_PARAMETERS : [];
  const occasion = {
    publicBaseUrl,
    path: code === "unknown_place" ? "/api/maps/place" : "/api/maps/search",
    requestId: "0b6f2f0e-6f3c-4f0e-9a55-0d5f6c1f5f0a",
  };
  const problem = new ProblemError(code, { values: EXAMPLE_VALUES, errors });
  return { summary: PROBLEMS[code].title, value: buildProblemBody(problem, occasion) };
}

interface Header {
  readonly description: string;
  readonly schema: JsonObject;
  readonly example: unknown;
}

/** The response headers that a program may read. */
const HEADERS = {
  "X-Request-Id": {
    description:
      "Identifies the request in the server's log. To use your own id, send this header with up to 64 letters, digits, `_` and `-`.",
    schema: { type: "string", pattern: "^[A-Za-z0-9_-]{1,64}$" },
    example: "0b6f2f0e-6f3c-4f0e-9a55-0d5f6c1f5f0a",
  },
  [LIMIT_HEADERS.total]: {
    description: "The number of requests that the window with fewer left (minute or day) allows.",
    schema: { type: "integer", minimum: 1 },
    example: 600,
  },
  [LIMIT_HEADERS.remaining]: {
    description: "The number of requests left in it.",
    schema: { type: "integer", minimum: 0 },
    example: 599,
  },
  [LIMIT_HEADERS.reset]: {
    description: "When requests become available again, in seconds since 1970 (UTC).",
    schema: { type: "integer", minimum: 0 },
    example: 1_795_143_660,
  },
  [LIMIT_HEADERS.windows]: {
    description:
      "For each window, the requests left (`r`) and the seconds until more become available (`t`).",
    schema: { type: "string", pattern: '^"(?:minute|day|usage)";r=\\d+;t=\\d+(?:, "day";r=\\d+;t=\\d+)?$' },
    example: '"minute";r=599;t=60, "day";r=99999;t=3600',
  },
  [LIMIT_HEADERS.policy]: {
    description: "The limits of the key: requests (`q`) per number of seconds (`w`).",
    schema: { type: "string", pattern: '^"(?:minute|usage)";q=\\d+;w=60(?:, "day";q=\\d+;w=86400)?$' },
    example: '"minute";q=600;w=60, "day";q=100000;w=86400',
  },
  [ATTRIBUTION_HEADER]: {
    description: "Whom to credit where the places are shown, if the operator of the server has set it.",
    schema: { type: "string", pattern: "^[ -~]{1,300}$" },
    example: "Data: OpenStreetMap contributors, https://www.openstreetmap.org/copyright",
  },
  [IGNORED_HEADER]: {
    description:
      "The parameters of the request that the operation does not know. They had no effect. `*` stands for names with other characters than letters, digits and `_`, and for those after the eighth.",
    schema: { type: "string", pattern: "^(?:\\*|[A-Za-z]\\w{0,29})(?:, (?:\\*|[A-Za-z]\\w{0,29})){0,8}$" },
    example: "radius_m",
  },
  [MISSING_HEADER]: {
    description:
      "The numbers of the partitions of the index that may hold matches and could not be asked, because their engines are down. All of them are far from the caller. Absent when the response is complete.",
    schema: { type: "string", pattern: "^\\d{1,4}(?:, \\d{1,4})*$" },
    example: "3, 4",
  },
  "Cache-Control": {
    description:
      "The seconds that the caller may cache the response: until one of its places opens or closes, at most 5 minutes.",
    schema: { type: "string", pattern: "^private, max-age=\\d{1,3}, must-revalidate$" },
    example: "private, max-age=60, must-revalidate",
  },
  ETag: {
    description:
      "Identifies this exact response. Send it in `If-None-Match` to get a 304 when nothing has changed.",
    schema: { type: "string", pattern: '^"[A-Za-z0-9_-]{43}"$' },
    example: '"Y8fuU2Nw0R5vVv2hO0y0m3xJ3lqjPp1d2yq5nS4bKcE"',
  },
  Location: {
    description: "Where the state of the write is.",
    schema: { type: "string", format: "uri" },
    example: "https://places.example/api/maps/writes/5b0c8f0e-6f3c-4f0e-9a55-0d5f6c1f5f0a",
  },
  "Retry-After": {
    description: "Seconds to wait before the next request, at least 1.",
    schema: { type: "integer", minimum: 1 },
    example: 12,
  },
  "WWW-Authenticate": {
    description: "The challenge that HTTP requires with a 401. It names the header `x-api-key`.",
    schema: { type: "string" },
    example: 'ApiKey realm="hereabouts", header="x-api-key"',
  },
} as const satisfies Readonly<Record<string, Header>>;

type HeaderName = keyof typeof HEADERS;

const EVERY_ANSWER: readonly HeaderName[] = ["X-Request-Id"];

/** Every response to an accepted key has these headers. */
const LIMITS: readonly HeaderName[] = Object.values(LIMIT_HEADERS);

interface HeaderRule {
  readonly always?: readonly HeaderName[];
  readonly sometimes?: readonly HeaderName[];
}

const required = (name: HeaderName): [string, JsonObject] => [name, { ...HEADERS[name], required: true }];
const optional = (name: HeaderName): [string, JsonObject] => [name, { ...HEADERS[name], required: false }];

/** The headers of a response. Those that are always present are marked as required. */
function toHeaders({ always = [], sometimes = [] }: HeaderRule): JsonObject {
  const all = [...[...EVERY_ANSWER, ...always].map(required), ...sometimes.map(optional)];
  return Object.fromEntries(all);
}

/**
 * These limit headers are missing from a 429 to an address without an accepted key, and from failures before
 * the limits are known.
 */
export const HEADERS_OF = {
  withoutKey: toHeaders({}),
  success: toHeaders({
    always: [...LIMITS, "Cache-Control", "ETag"],
    sometimes: [IGNORED_HEADER, ATTRIBUTION_HEADER, MISSING_HEADER],
  }),
  usage: toHeaders({ always: LIMITS }),
  matched: toHeaders({ always: LIMITS, sometimes: [ATTRIBUTION_HEADER, MISSING_HEADER] }),
  written: toHeaders({ always: LIMITS }),
  accepted: toHeaders({ always: [...LIMITS, "Location", "Retry-After"] }),
  401: toHeaders({ always: ["WWW-Authenticate"] }),
  403: toHeaders({}),
  404: toHeaders({ always: LIMITS, sometimes: [IGNORED_HEADER] }),
  412: toHeaders({ always: LIMITS }),
  413: toHeaders({ always: LIMITS }),
  422: toHeaders({ always: LIMITS, sometimes: [IGNORED_HEADER] }),
  429: toHeaders({ always: ["Retry-After"], sometimes: LIMITS }),
  500: toHeaders({ sometimes: LIMITS }),
  503: toHeaders({ always: ["Retry-After"], sometimes: LIMITS }),
} as const;
