/** What the API says about one kind of failure. */
interface ProblemKind {
  readonly status: number;
  /** The same for every problem of a code (RFC 9457). */
  readonly title: string;
  /** The sentence in the response. `{name}` is replaced by a value. */
  readonly detail: string;
  /** When the server returns it, for the docs. */
  readonly when: string;
  /** What the caller should do, for the docs. */
  readonly fix: string;
}

/**
 * All problems. The problem body, the OpenAPI document and the table in docs/errors.md come from this table. Run
 * `node script/errors-page.ts` after a change.
 */
export const PROBLEMS = {
  missing_api_key: {
    status: 401,
    title: "API key missing",
    detail: "The header x-api-key is missing.",
    when: "no `x-api-key` header",
    fix: "send it",
  },
  invalid_api_key: {
    status: 401,
    title: "API key not accepted",
    detail: "The API key is not accepted.",
    when: "the key does not exist",
    fix: "check the key; repeating does not help",
  },
  revoked_api_key: {
    status: 401,
    title: "API key revoked",
    detail: "The API key was revoked.",
    when: "the key was revoked",
    fix: "ask for a new one",
  },
  expired_api_key: {
    status: 401,
    title: "API key expired",
    detail: "The API key has expired, or was replaced by a newer one.",
    when: "the key has expired, or its secret was replaced",
    fix: "use the new key, or ask for one",
  },
  missing_scope: {
    status: 403,
    title: "Scope missing",
    detail: 'The API key does not have the scope "{scope}".',
    when: "the key is valid but lacks the scope for this path; `detail` names it",
    fix: "ask for a key with the scope",
  },
  origin_not_allowed: {
    status: 403,
    title: "Origin not allowed",
    detail: "The API key may not be used by this page: only pages of certain origins may use it.",
    when: "the key is valid but restricted to pages of other origins, or the request does not come from a page",
    fix: "use a key for this page, or ask to add its origin",
  },
  address_not_allowed: {
    status: 403,
    title: "Address not allowed",
    detail: "The API key may not be used from this address.",
    when: "the key is valid but restricted to other addresses",
    fix: "send the request from an allowed address, or ask to add this one",
  },
  rate_limit_minute: {
    status: 429,
    title: "Too many requests in a minute",
    detail: "More than {limit} requests in a minute. Try again in {seconds} s.",
    when: "too many requests in the last 60 seconds, or too many without an accepted key",
    fix: "wait `Retry-After` seconds",
  },
  rate_limit_day: {
    status: 429,
    title: "Too many requests in a day",
    detail: "More than {limit} requests in a day. Try again in {seconds} s.",
    when: "too many requests since midnight UTC",
    fix: "wait `Retry-After` seconds",
  },
  invalid_parameter: {
    status: 422,
    title: "Invalid parameter",
    detail: "Invalid or missing: {parameters}.",
    when: "a parameter is missing, repeated or wrong; `errors` names each",
    fix: "see `errors`",
  },
  query_too_expensive: {
    status: 422,
    title: "Query too expensive",
    detail: "This request takes longer than any may. Change {parameters}.",
    when: "the server worked on this request alone and could not finish it in time, or its shape lets few of thousands of places through; `errors` names what makes it expensive",
    fix: "ask for less, as `errors` says; repeating does not help",
  },
  unknown_place: {
    status: 404,
    title: "Unknown place",
    detail: "No place has this data_id.",
    when: "a well-formed `data_id` that no place has",
    fix: "delete the `data_id`; the place no longer exists",
  },
  unknown_write: {
    status: 404,
    title: "Unknown write",
    detail: "No write has this id.",
    when: "no write of this key has the id, or it was done more than an hour ago (with an `Idempotency-Key`, a day)",
    fix: "read the place to see whether the write was done",
  },
  precondition_failed: {
    status: 412,
    title: "Precondition failed",
    detail: "The place has another version now, so nothing was changed.",
    when: "the place is not of a version in `If-Match`, or exists despite `If-None-Match: *`",
    fix: "read the place again and decide anew",
  },
  body_too_large: {
    status: 413,
    title: "Body too large",
    detail: "The body has more than {bytes} bytes, or more than {records} records.",
    when: "the body of a request is too long, or has too many records",
    fix: "send several requests",
  },
  invalid_record: {
    status: 422,
    title: "Invalid record",
    detail: "{problem}",
    when: "the body of a request is not what the operation reads, or the place cannot be stored; `errors` names each field",
    fix: "see `errors`",
  },
  idempotency_key_reused: {
    status: 422,
    title: "Idempotency key used for another request",
    detail: "Another request had this Idempotency-Key.",
    when: "the `Idempotency-Key` came with a different request within a day",
    fix: "use a new key for each request",
  },
  unknown_route: {
    status: 404,
    title: "Unknown path",
    detail: "This path does not exist.",
    when: "no such path; paths are case-sensitive and end without a slash",
    fix: "check the path",
  },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    detail: "This path supports only {methods}.",
    when: "not GET or HEAD; `Allow` lists the allowed methods",
    fix: "use GET",
  },
  engine_unavailable: {
    status: 500,
    title: "Search engine unavailable",
    detail: "The search engine is unavailable. Try again shortly.",
    when: "the search engine does not respond, or has no index",
    fix: "try again in a few seconds",
  },
  overloaded: {
    status: 503,
    title: "Too busy",
    detail: "The service is too busy. Try again shortly.",
    when: "others are being served, or you have more requests under way than the server can finish in time",
    fix: "wait `Retry-After` seconds",
  },
  shutting_down: {
    status: 503,
    title: "Shutting down",
    detail: "This server is shutting down. Try again.",
    when: "this process is stopping and takes no more requests",
    fix: "send it again; another process responds",
  },
  writes_unavailable: {
    status: 503,
    title: "Writes unavailable",
    detail: "Writes cannot be accepted at the moment. Try again shortly.",
    when: "Redis does not respond or keeps no append-only file, or too many writes wait; the write may have been accepted nevertheless",
    fix: "send it again after `Retry-After` seconds, with the same `Idempotency-Key`",
  },
  internal_error: {
    status: 500,
    title: "Internal server error",
    detail: "Something went wrong on our side.",
    when: "a bug, or with `Retry-After` a key that cannot be checked right now",
    fix: "report it with the `request_id`",
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;

/** The stable, documented codes of a problem body. */
export type ProblemCode = keyof typeof PROBLEMS;

/** The codes of an invalid parameter, each with its meaning. */
export const PARAMETER_PROBLEMS = {
  missing: "a required parameter is missing",
  repeated: "the parameter appears more often than allowed",
  empty: "`q` has only white space",
  too_long: "`q`, or a text of a record, has more characters than allowed",
  malformed: "the value has the wrong format; for `q` also bytes that are not UTF-8, and control characters",
  out_of_range: "a number is too small or too large",
  unknown_value: "not one of the allowed values",
  conflicting: "the parameter contradicts another one",
  too_expensive: "with this value, the request takes longer than any may",
  rejected: "the field of a record that an import would reject, too",
} as const;

export type ParameterProblemCode = keyof typeof PARAMETER_PROBLEMS;

/** An invalid parameter: its name, a stable code, and a sentence for people. */
export interface ParameterProblem {
  readonly parameter: string;
  readonly code: ParameterProblemCode;
  readonly message: string;
}

interface ProblemOptions {
  /** Fills in the placeholders of the detail. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** Replaces the detail from the table. */
  readonly detail?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: readonly ParameterProblem[];
  readonly cause?: unknown;
}

/** An error response. `middleware/problems.ts` turns it into an RFC 9457 body. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly status: number;
  readonly code: ProblemCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: readonly ParameterProblem[];

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    const { detail = PROBLEMS[code].detail, values = {}, headers = {}, errors = [], cause } = options;
    super(
      detail.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? "")),
      { cause },
    );
    this.status = PROBLEMS[code].status;
    this.code = code;
    this.headers = headers;
    this.errors = errors;
  }
}

/** HTTP requires a challenge with every 401. This one names the header. */
const CHALLENGE = { "WWW-Authenticate": 'ApiKey realm="hereabouts", header="x-api-key"' };

/** 401 with a challenge. */
export const unauthorized = (
  code: "missing_api_key" | "invalid_api_key" | "revoked_api_key" | "expired_api_key",
): ProblemError => new ProblemError(code, { headers: CHALLENGE });

/** 403 for a valid key that may not be used for this operation. */
export const missingScope = (scope: string): ProblemError =>
  new ProblemError("missing_scope", { values: { scope } });

/** 403 for a valid key that pages of this origin may not use. */
export const originNotAllowed = (): ProblemError => new ProblemError("origin_not_allowed");

/** 403 for a valid key that may not be used from this address. */
export const addressNotAllowed = (): ProblemError => new ProblemError("address_not_allowed");

interface ExceededLimit {
  readonly name: string;
  readonly limit: number;
  readonly remaining: number;
  readonly secondsToReset: number;
}

const retryAfter = (seconds: number): Record<string, string> => ({ "Retry-After": String(seconds) });

/** 429 with the seconds to wait. `units`: as how many requests the request counts. */
export const limitExceeded = (
  { name, limit, remaining, secondsToReset: seconds }: ExceededLimit,
  units = 1,
): ProblemError =>
  new ProblemError(name === "day" ? "rate_limit_day" : "rate_limit_minute", {
    values: { limit, seconds, units, remaining, window: name === "day" ? "day" : "minute" },
    headers: retryAfter(seconds),
    ...(units > 1 && { detail: units > limit ? NEVER_ENOUGH : NOT_ENOUGH }),
  });

const NOT_ENOUGH =
  "This request counts as {units}, and {remaining} of {limit} are left in this {window}. Ask for fewer places, or try again in {seconds} s.";
const NEVER_ENOUGH =
  "This request counts as {units}, and the key allows {limit} in a {window}. Ask for fewer places.";

/** 429 for an address that sent too many requests without an accepted key. */
export const tooManyFailures = (seconds: number): ProblemError =>
  new ProblemError("rate_limit_minute", {
    detail: "Too many requests without an accepted key. Try again in {seconds} s.",
    values: { seconds },
    headers: retryAfter(seconds),
  });

/** 422 that names every bad parameter at once. */
export const invalidParameters = (errors: readonly ParameterProblem[]): ProblemError =>
  new ProblemError("invalid_parameter", {
    values: { parameters: errors.map(({ parameter }) => parameter).join(", ") },
    errors,
  });

/** 422 for a request that the server worked on alone and did not finish in time, naming what makes it expensive. */
export const queryTooExpensive = (parameter: string): ProblemError =>
  new ProblemError("query_too_expensive", {
    values: { parameters: parameter },
    errors: [{ parameter, code: "too_expensive", message: `${parameter} makes the request too expensive.` }],
  });

/** 404 for a well-formed `data_id` that belongs to no place. */
export const unknownPlace = (): ProblemError => new ProblemError("unknown_place");

/** 404 for a write that is not the caller's, or is forgotten. */
export const unknownWrite = (): ProblemError => new ProblemError("unknown_write");

/** 412 for a place of another version than the caller expects. */
export const preconditionFailed = (): ProblemError => new ProblemError("precondition_failed");

/** 413 for a body beyond these bounds. */
export const bodyTooLarge = (bounds: { bytes: number; records: number }): ProblemError =>
  new ProblemError("body_too_large", { values: bounds });

/** 422 for a body that is no record; `errors` for a record that cannot be stored. */
export const invalidRecord = (problem: string, errors: readonly ParameterProblem[] = []): ProblemError =>
  new ProblemError("invalid_record", { values: { problem }, errors });

/** 422 for a key that came with another request before. */
export const idempotencyKeyReused = (): ProblemError => new ProblemError("idempotency_key_reused");

/** 503 while writes cannot be stored. The cause is logged, never sent. */
export const writesUnavailable = (cause?: unknown): ProblemError =>
  new ProblemError("writes_unavailable", { headers: retryAfter(1), cause });

/** 404 for a path that does not exist. */
export const unknownRoute = (): ProblemError => new ProblemError("unknown_route");

/** 405 that lists the methods of the path. */
export const methodNotAllowed = (allowed: readonly string[]): ProblemError => {
  const methods = allowed.join(", ");
  return new ProblemError("method_not_allowed", { values: { methods }, headers: { Allow: methods } });
};

/** 500 for an engine that is down, too slow, or has no usable index. The cause is logged, never sent. */
export const engineUnavailable = (cause: unknown): ProblemError =>
  new ProblemError("engine_unavailable", { cause });

/** A random delay, so that refused callers do not all return at the same time. */
const RETRY_SECONDS = [1, 2, 3] as const;

const retryLater = (): Record<string, string> =>
  retryAfter(RETRY_SECONDS[Math.floor(Math.random() * RETRY_SECONDS.length)] ?? 1);

/** 503 for a request that would have to wait behind too many others. It may be sent again. */
export const overloaded = (): ProblemError => new ProblemError("overloaded", { headers: retryLater() });

/** 503 while too many keys that this process has not seen yet are looked up. */
export const tooManyNewKeys = (): ProblemError =>
  new ProblemError("overloaded", {
    detail: "Too many new keys are being checked. Try again shortly.",
    headers: retryAfter(1),
  });

/** 500 while the key store is down. Not 401, because the key may be valid, and a program might discard it after a 401. */
export const keyNotChecked = (): ProblemError =>
  new ProblemError("internal_error", {
    detail: "The API key cannot be checked at the moment. Try again shortly.",
    headers: retryAfter(1),
    cause: new Error("The key store does not respond, and this process has not seen the key before."),
  });

/** 503 for a request to a process that is stopping; another one will respond. */
export const shuttingDown = (): ProblemError => new ProblemError("shutting_down", { headers: retryLater() });

/** The caller closed the connection. This is not a failure, and nothing is sent. */
export class CallerGoneError extends Error {
  override readonly name = "CallerGoneError";

  constructor() {
    super("The caller has hung up.");
  }
}

/** An error that the operator can fix. The message is a sentence for the person at the terminal, and needs no stack. */
export class OperatorError extends Error {
  override readonly name: string = "OperatorError";
}

/** A setting is wrong, or does not go with another. The message has one line for each. */
export class ConfigError extends OperatorError {
  override readonly name: string = "ConfigError";
}
