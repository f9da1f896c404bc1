import * as v from "valibot";
import { PARAMETER_PROBLEMS, PROBLEMS, type ProblemError } from "../errors.ts";

const about = v.description;
const someText = v.pipe(v.string(), v.nonEmpty());

const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] =>
  Object.keys(table) as Key[];

export const parameterProblemSchema = v.pipe(
  v.strictObject({
    parameter: v.pipe(someText, about("Name of the parameter."), v.examples(["lat"])),
    code: v.pipe(
      v.picklist(keysOf(PARAMETER_PROBLEMS)),
      about(
        `What is wrong with it. ${Object.entries(PARAMETER_PROBLEMS)
          .map(([code, when]) => `\`${code}\`: ${when}`)
          .join("; ")}.`,
      ),
    ),
    message: v.pipe(
      someText,
      about("An English sentence for people; it may change."),
      v.examples(["lat must be a number from -90 to 90."]),
    ),
  }),
  about("An invalid parameter."),
);

/** The body of every response that is not a success (RFC 9457). */
export const problemBodySchema = v.pipe(
  v.strictObject({
    type: v.pipe(v.string(), v.url(), about("The page that describes the code.")),
    title: v.pipe(
      someText,
      about("Title of the problem in English; the same for every problem with this code."),
    ),
    status: v.pipe(v.number(), v.integer(), about("The HTTP status.")),
    detail: v.pipe(someText, about("Details in English; they may change.")),
    instance: v.pipe(v.string(), about("The path of the request, without its query.")),
    code: v.pipe(v.picklist(keysOf(PROBLEMS)), about("Stable code for programs.")),
    request_id: v.pipe(
      v.string(),
      v.regex(/^[\w-]{1,64}$/),
      about("The value of the header `X-Request-Id`. Finds the request in the server's log."),
    ),
    errors: v.optional(
      v.pipe(
        v.array(parameterProblemSchema),
        v.minLength(1),
        about("Only with `invalid_parameter`: every invalid parameter."),
      ),
    ),
  }),
  about("A problem body (RFC 9457). It never contains the query or the key."),
);

export type ProblemBody = v.InferOutput<typeof problemBodySchema>;

interface Occasion {
  readonly publicBaseUrl: string;
  /** The route's path without the query: nothing that a caller sent is sent back. */
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
