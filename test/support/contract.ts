import * as v from "valibot";
import {
  INCLUDED_MEMBERS,
  INCLUDED_NAMES,
  textRangesSchema,
  type Included,
} from "../../src/place/included-members.ts";
import { placeDetailSchema } from "../../src/place/place-detail.ts";
import { fullPlaceSummarySchema, placeSummarySchema } from "../../src/place/place-summary.ts";

/** One answer of the API, whatever its status. */
export interface Answer {
  readonly method: string;
  /** Path and query, as asked. */
  readonly target: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  missing_api_key: 401,
  invalid_api_key: 401,
  revoked_api_key: 401,
  expired_api_key: 401,
  rate_limit_minute: 429,
  rate_limit_day: 429,
  invalid_parameter: 422,
  unknown_place: 404,
  unknown_route: 404,
  method_not_allowed: 405,
  engine_unavailable: 500,
  internal_error: 500,
  overloaded: 503,
  shutting_down: 503,
};

const text = v.pipe(v.string(), v.nonEmpty());
const requestId = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));

const parameterProblem = v.strictObject({
  parameter: text,
  code: v.picklist([
    "missing",
    "repeated",
    "empty",
    "too_long",
    "malformed",
    "out_of_range",
    "unknown_value",
    "conflicting",
  ]),
  message: text,
});

const problemMembers = {
  type: v.pipe(v.string(), v.url()),
  title: text,
  status: v.number(),
  detail: text,
  instance: v.string(),
  code: v.picklist(Object.keys(STATUS_BY_CODE)),
  request_id: requestId,
};
const problem = v.union([
  v.strictObject({
    ...problemMembers,
    code: v.literal("invalid_parameter"),
    errors: v.pipe(v.array(parameterProblem), v.minLength(1)),
  }),
  v.strictObject({
    ...problemMembers,
    code: v.picklist(Object.keys(STATUS_BY_CODE).filter((code) => code !== "invalid_parameter")),
  }),
]);

const suggestion = v.strictObject({
  value: text,
  subtext: text,
  latitude: v.number(),
  longitude: v.number(),
  data_id: text,
  place_id: v.optional(text),
});
const matchedSuggestion = v.strictObject({
  ...suggestion.entries,
  match: v.strictObject({ value: textRangesSchema }),
});

const readiness = v.strictObject({
  status: v.picklist(["ready", "not_ready"]),
  redis: v.picklist(["up", "down", "none"]),
  engine: v.picklist(["up", "down"]),
  index: v.variant("state", [
    v.strictObject({
      state: v.literal("ready"),
      places: v.number(),
      built_at: v.pipe(v.string(), v.isoTimestamp()),
    }),
    v.strictObject({ state: v.literal("wrong_version"), found: v.string(), wanted: v.string() }),
    v.strictObject({ state: v.picklist(["missing", "unknown"]) }),
  ]),
});

/** The schema of an answer with the members that were asked for: all of them, and no others. */
export function withIncluded(
  { entries }: { readonly entries: v.ObjectEntries },
  names: readonly Included[],
): v.GenericSchema<unknown> {
  const added = names.map((name): v.ObjectEntries => INCLUDED_MEMBERS[name]);
  return v.strictObject(Object.assign({}, entries, ...added) as v.ObjectEntries);
}

/** What a request may include at this place, and does. */
function includedOf(searchParams: URLSearchParams, possible: readonly Included[]): Included[] {
  const asked = searchParams.get("include")?.split(",") ?? [];
  return possible.filter((name) => asked.includes(name));
}

/** What a success at this path holds: nothing missing, nothing extra. */
function successSchema({ pathname, searchParams }: URL): v.GenericSchema<unknown> {
  switch (pathname) {
    case "/api/maps/search": {
      const element = searchParams.get("type") === "full" ? fullPlaceSummarySchema : placeSummarySchema;
      const included = includedOf(searchParams, INCLUDED_NAMES);
      return v.strictObject({ local_result: v.array(withIncluded(element, included)) });
    }
    case "/api/maps/place": {
      const hasCentre = searchParams.has("lat") && searchParams.has("lng");
      const included = includedOf(searchParams, hasCentre ? ["distance", "periods"] : ["periods"]);
      return v.strictObject({ place_result: withIncluded(placeDetailSchema, included) });
    }
    case "/api/maps/autocomplete": {
      const isMatched = includedOf(searchParams, ["match"]).length > 0;
      return v.strictObject({ suggestions: v.array(isMatched ? matchedSuggestion : suggestion) });
    }
    case "/healthz":
      return v.strictObject({ status: v.literal("alive") });
    case "/readyz":
      return readiness;
    default:
      throw new Error(`${pathname} should not answer with a success`);
  }
}

/** Checks an answer against the contract: the form of its body and the headers that go with its status. Throws. */
export function checkContract(answer: Answer): void {
  const url = new URL(answer.target, "http://test.invalid");
  // Being not ready is what /readyz is for: no problem, but its usual answer.
  const isProblem = answer.status >= 400 && !(url.pathname === "/readyz" && answer.status === 503);
  checkHeaders(answer, isProblem);
  if (answer.method === "HEAD") return;
  const body: unknown = JSON.parse(answer.text);
  const result = v.safeParse(isProblem ? problem : successSchema(url), body);
  if (!result.success)
    throw new Error(`${answer.target}: ${JSON.stringify(v.flatten(result.issues), null, 1)}`);
  if (isProblem) checkProblem(answer, body as v.InferOutput<typeof problem>, url.pathname);
}

function checkProblem(answer: Answer, body: v.InferOutput<typeof problem>, pathname: string): void {
  assertEqual(body.status, answer.status, "status of the body");
  assertEqual(STATUS_BY_CODE[body.code], answer.status, `status of ${body.code}`);
  assertEqual(body.request_id, answer.headers.get("x-request-id"), "request_id");
  assertEqual(body.type.split("#")[1], body.code, "fragment of the type");
  assertEqual(body.instance, pathname, "instance");
}

function checkHeaders({ status, headers }: Answer, isProblem: boolean): void {
  const expectedType = isProblem ? "application/problem+json" : "application/json; charset=utf-8";
  assertEqual(headers.get("content-type"), expectedType, "content type");
  assertEqual(headers.get("x-content-type-options"), "nosniff", "x-content-type-options");
  assertEqual(headers.get("cache-control"), "private, no-store", "cache-control");
  assertEqual(headers.has("www-authenticate"), status === 401, "a challenge");
  assertEqual(headers.has("allow"), status === 405, "allowed methods");
  assertEqual(headers.has("retry-after"), status === 429 || (isProblem && status === 503), "retry-after");
}

function assertEqual(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) throw new Error(`${what} is ${String(actual)}, not ${String(expected)}`);
}
