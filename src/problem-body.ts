import * as v from "valibot";
import type { ProblemCode } from "./errors.ts";

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
} as const;

/** Every problem: its status, and when it is sent. docs/errors.md says what to do about it. */
export const PROBLEMS = {
  missing_api_key: [401, "there is no `x-api-key` header"],
  invalid_api_key: [401, "nobody holds this key"],
  revoked_api_key: [401, "the key was revoked"],
  expired_api_key: [401, "the key has expired"],
  rate_limit_minute: [429, "too many requests in the last 60 seconds"],
  rate_limit_day: [429, "too many requests since midnight UTC"],
  invalid_parameter: [422, "a parameter is missing, repeated or wrong; `errors` names each"],
  unknown_place: [404, "no place has this `data_id`"],
  unknown_route: [404, "there is nothing at this path"],
  method_not_allowed: [405, "the method is not GET or HEAD"],
  engine_unavailable: [500, "the search engine is down, too slow or has no index"],
  overloaded: [503, "the server has more to do than it can"],
  shutting_down: [503, "the server is about to stop"],
  internal_error: [500, "a mistake on the side of the server"],
} as const satisfies Readonly<Record<ProblemCode, readonly [status: number, when: string]>>;

const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] =>
  Object.keys(table) as Key[];

export const PROBLEM_CODES: readonly ProblemCode[] = keysOf(PROBLEMS);

export const parameterProblemSchema = v.pipe(
  v.strictObject({
    parameter: v.pipe(someText, about("Name of the parameter."), v.examples(["lat"])),
    code: v.pipe(
      v.picklist(keysOf(PARAMETER_PROBLEM_CODES)),
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
