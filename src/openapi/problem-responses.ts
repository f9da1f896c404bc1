import { ProblemError, type ProblemCode } from "../errors.ts";
import { buildProblemBody, PROBLEM_CODES, PROBLEMS } from "../middleware/problem-body.ts";
import { HEADERS_OF } from "./headers.ts";
import { toRef, type JsonObject } from "./json-schema.ts";

type ProblemStatus = 401 | 404 | 422 | 429 | 500 | 503;

/** What each status is called in the document, and what it means. */
const RESPONSES: Readonly<Record<ProblemStatus, { readonly name: string; readonly description: string }>> = {
  401: { name: "Unauthorized", description: "The key is missing or not accepted." },
  404: { name: "UnknownPlace", description: "The `data_id` is well formed, and no place has it." },
  422: { name: "InvalidParameter", description: "One or more parameters are missing, repeated or wrong." },
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

/** A sentence and details for each code, as a caller may see them. */
const DETAILS: Readonly<Record<ProblemCode, string>> = {
  missing_api_key: "The header x-api-key is missing.",
  invalid_api_key: "The API key is not accepted.",
  revoked_api_key: "The API key was revoked.",
  expired_api_key: "The API key has expired.",
  rate_limit_minute: "More than 600 requests in a minute. Try again in 12 s.",
  rate_limit_day: "More than 100000 requests in a day. Try again in 3600 s.",
  invalid_parameter: "Invalid or missing: q, lat.",
  unknown_place: "No place has this data_id.",
  unknown_route: "There is nothing at this path.",
  method_not_allowed: "This path answers GET, HEAD only.",
  engine_unavailable: "The search engine does not answer. Try again shortly.",
  overloaded: "The server is too busy. Try again in 1 s.",
  shutting_down: "The server is about to stop. Try again in 1 s.",
  internal_error: "Something went wrong on our side.",
};

const WRONG_PARAMETERS = [
  { parameter: "q", code: "missing", message: "q is required." },
  { parameter: "lat", code: "out_of_range", message: "lat must be a number from -90 to 90." },
] as const;

const STATUSES = Object.keys(RESPONSES).map(Number) as ProblemStatus[];

/** The responses of all problems, to be referred to. */
export const buildProblemResponses = (publicBaseUrl: string): JsonObject =>
  Object.fromEntries(STATUSES.map((status) => [RESPONSES[status].name, toResponse(status, publicBaseUrl)]));

/** References to the responses of some statuses. */
export const problemRefs = (statuses: readonly ProblemStatus[]): JsonObject =>
  Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${RESPONSES[status].name}` }]),
  );

function toResponse(status: ProblemStatus, publicBaseUrl: string): JsonObject {
  const codes = PROBLEM_CODES.filter((code) => PROBLEMS[code].status === status && code !== "unknown_route");
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
  const { status, title } = PROBLEMS[code];
  const errors = code === "invalid_parameter" ? WRONG_PARAMETERS : [];
  const occasion = {
    publicBaseUrl,
    path: code === "unknown_place" ? "/api/maps/place" : "/api/maps/search",
    requestId: "0b6f2f0e-6f3c-4f0e-9a55-0d5f6c1f5f0a",
  };
  const problem = new ProblemError(status, code, DETAILS[code], { errors });
  return { summary: title, value: buildProblemBody(problem, occasion) };
}
