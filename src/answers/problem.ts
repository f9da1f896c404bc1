import * as v from "valibot";
import type { ParameterProblemCode, ProblemCode, ProblemError } from "../errors.ts";

const about = v.description;
const someText = v.pipe(v.string(), v.nonEmpty());

/** What is wrong with a parameter, and when each is said. */
export const PARAMETER_PROBLEM_CODES = {
  missing: "required and not there",
  repeated: "given more than once",
  empty: "nothing is left of `q` without its white space",
  too_long: "`q` has more than 256 characters",
  malformed: "not of the form that is asked for",
  out_of_range: "a number that is too small or too large",
  unknown_value: "not one of the values there are",
  conflicting: "given together with a parameter that says something else",
} as const satisfies Readonly<Record<ParameterProblemCode, string>>;

/** What a code means: its status, its title (RFC 9457 wants the same for every problem of a type) and when it is sent. */
interface ProblemKind {
  readonly status: number;
  readonly title: string;
  readonly when: string;
}

const kind = (status: number, title: string, when: string): ProblemKind => ({ status, title, when });

/** Every problem there is. docs/errors.md says what to do about each. */
export const PROBLEMS: Readonly<Record<ProblemCode, ProblemKind>> = {
  missing_api_key: kind(401, "API key missing", "there is no `x-api-key` header"),
  invalid_api_key: kind(401, "API key not accepted", "nobody holds this key"),
  revoked_api_key: kind(401, "API key revoked", "the key was revoked"),
  expired_api_key: kind(401, "API key expired", "the key has expired"),
  rate_limit_minute: kind(429, "Too many requests in a minute", "too many requests in the last 60 seconds"),
  rate_limit_day: kind(429, "Too many requests in a day", "too many requests since midnight UTC"),
  invalid_parameter: kind(
    422,
    "Invalid parameter",
    "a parameter is missing, repeated or wrong; `errors` names each",
  ),
  unknown_place: kind(404, "Unknown place", "no place has this `data_id`"),
  unknown_route: kind(404, "Unknown path", "there is nothing at this path"),
  method_not_allowed: kind(405, "Method not allowed", "the method is not GET or HEAD"),
  engine_unavailable: kind(
    500,
    "Search engine unavailable",
    "the search engine is down, too slow or has no index",
  ),
  overloaded: kind(503, "Too busy", "the server has more to do than it can"),
  shutting_down: kind(503, "Shutting down", "the server is about to stop"),
  internal_error: kind(500, "Internal server error", "a mistake on the side of the server"),
};

const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] =>
  Object.keys(table) as Key[];

export const PROBLEM_CODES: readonly ProblemCode[] = keysOf(PROBLEMS);

const PARAMETER_CODES = keysOf(PARAMETER_PROBLEM_CODES);

export const parameterProblemSchema = v.pipe(
  v.strictObject({
    parameter: v.pipe(someText, about("Name of the parameter."), v.examples(["lat"])),
    code: v.pipe(
      v.picklist(PARAMETER_CODES),
      about(
        `What is wrong with it. ${Object.entries(PARAMETER_PROBLEM_CODES)
          .map(([code, when]) => `\`${code}\`: ${when}`)
          .join("; ")}.`,
      ),
    ),
    message: v.pipe(
      someText,
      about("The same as an English sentence; it may change."),
      v.examples(["lat must be a number from -90 to 90."]),
    ),
  }),
  about("One parameter that is wrong."),
);

/** The body of every answer that is not a success (RFC 9457). */
export const problemBodySchema = v.pipe(
  v.strictObject({
    type: v.pipe(v.string(), v.url(), about("The page that describes the code.")),
    title: v.pipe(
      someText,
      about("What kind of problem it is, in English; the same for every problem of a code."),
    ),
    status: v.pipe(v.number(), v.integer(), about("The HTTP status.")),
    detail: v.pipe(someText, about("What happened this time, in English; it may change.")),
    instance: v.pipe(v.string(), about("The path that was asked for, without its query.")),
    code: v.pipe(v.picklist(PROBLEM_CODES), about("Stable; decide by this.")),
    request_id: v.pipe(
      v.string(),
      v.regex(/^[\w-]{1,64}$/),
      about("The same as in the header `X-Request-Id`, to find the request in the server's log."),
    ),
    errors: v.optional(
      v.pipe(
        v.array(parameterProblemSchema),
        v.minLength(1),
        about("With `invalid_parameter` only: every parameter that is wrong."),
      ),
    ),
  }),
  about("A problem body (RFC 9457). It never repeats the query or the key."),
);

export type ProblemBody = v.InferOutput<typeof problemBodySchema>;

interface Occasion {
  readonly publicBaseUrl: string;
  /** The path that was asked for, without its query: nothing of a caller's is sent back. */
  readonly path: string;
  readonly requestId: string;
}

/** The body of a problem. */
export function buildProblemBody(
  { code, status, message, errors }: ProblemError,
  { publicBaseUrl, path, requestId }: Occasion,
): ProblemBody {
  return {
    type: `${publicBaseUrl}/docs/errors#${code}`,
    title: PROBLEMS[code].title,
    status,
    detail: message,
    instance: path,
    code,
    request_id: requestId,
    ...(errors.length > 0 && { errors: [...errors] }),
  };
}
