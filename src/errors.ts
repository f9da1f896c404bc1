/** The stable, documented codes of a problem body (docs/errors.md says when each is sent). */
export type ProblemCode =
  | "missing_api_key"
  | "invalid_api_key"
  | "revoked_api_key"
  | "expired_api_key"
  | "rate_limit_minute"
  | "rate_limit_day"
  | "invalid_parameter"
  | "unknown_place"
  | "unknown_route"
  | "method_not_allowed"
  | "engine_unavailable"
  | "overloaded"
  | "shutting_down"
  | "internal_error";

/** What can be wrong with a parameter. */
export type ParameterProblemCode =
  | "missing"
  | "repeated"
  | "empty"
  | "too_long"
  | "malformed"
  | "out_of_range"
  | "unknown_value"
  | "conflicting";

/** One bad parameter: its name, a stable code of what is wrong and a sentence for a person. */
export interface ParameterProblem {
  readonly parameter: string;
  readonly code: ParameterProblemCode;
  readonly message: string;
}

interface ProblemOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: readonly ParameterProblem[];
  readonly cause?: unknown;
}

/** An answer that is not a success. Thrown anywhere, turned into an RFC 9457 body in one place (`middleware/problems.ts`). */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly status: number;
  readonly code: ProblemCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: readonly ParameterProblem[];

  constructor(status: number, code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause });
    this.status = status;
    this.code = code;
    this.headers = options.headers ?? {};
    this.errors = options.errors ?? [];
  }
}

/** 422 that names every bad parameter at once. */
export function invalidParameters(errors: readonly ParameterProblem[]): ProblemError {
  const names = errors.map((error) => error.parameter).join(", ");
  return new ProblemError(422, "invalid_parameter", `Invalid or missing: ${names}.`, { errors });
}

/** 404 for a well-formed `data_id` that belongs to no place. */
export function unknownPlace(): ProblemError {
  return new ProblemError(404, "unknown_place", "No place has this data_id.");
}

/** 500 for an engine that is down, too slow, or has no usable index. The cause is logged, never sent. */
export function engineUnavailable(cause: unknown): ProblemError {
  return new ProblemError(
    500,
    "engine_unavailable",
    "The search engine does not answer. Try again shortly.",
    { cause },
  );
}

/** Callers who were turned away together should not come back together. */
const RETRY_SECONDS = [1, 2, 3] as const;

const retryLater = (): Record<string, string> => ({
  "Retry-After": String(RETRY_SECONDS[Math.floor(Math.random() * RETRY_SECONDS.length)]),
});

/** 503 for a request that would have to wait behind too many others. It has cost next to nothing, and may be sent again. */
export function overloaded(): ProblemError {
  return new ProblemError(503, "overloaded", "The service is too busy. Try again shortly.", {
    headers: retryLater(),
  });
}

/** 503 for a request that reaches a process which takes no more; another one will answer it. */
export function shuttingDown(): ProblemError {
  return new ProblemError(503, "shutting_down", "This server is shutting down. Try again.", {
    headers: retryLater(),
  });
}

/** Why work was given up: nobody waits for it any more. No failure, and answered to nobody. */
export class CallerGoneError extends Error {
  override readonly name = "CallerGoneError";

  constructor() {
    super("The caller has hung up.");
  }
}
