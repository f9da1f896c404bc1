import type { ParameterProblem, ProblemCode } from "../errors.ts";

/** The body of an answer that is not a success (RFC 9457); docs/errors.md says what each code means. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: ProblemCode;
  readonly request_id: string;
  readonly errors?: readonly ParameterProblem[];
}

/**
 * What went wrong without an answer of Hereabouts: no connection or a cut one, no answer in time, an answer of somebody else (a
 * proxy, a login page).
 */
export type ClientCode = "network_error" | "timed_out" | "unexpected_answer";

interface Circumstances {
  readonly status?: number;
  readonly problem?: Problem;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** A request that did not succeed, after all its retries. A request that the caller aborted throws the reason of the signal instead. */
export class HereaboutsError extends Error {
  override readonly name = "HereaboutsError";
  /** Decide by it: the code of the problem body, or what stood in its way. */
  readonly code: ProblemCode | ClientCode;
  /** 0 where there was no answer. */
  readonly status: number;
  /** Every bad parameter, for `invalid_parameter`. */
  readonly errors: readonly ParameterProblem[];
  /** What the server's log knows the request by. */
  readonly requestId: string | undefined;
  /** How long the server asks to wait. */
  readonly retryAfterSeconds: number | undefined;
  /** The whole body, where the server sent one. */
  readonly problem: Problem | undefined;

  constructor(code: ProblemCode | ClientCode, message: string, circumstances: Circumstances = {}) {
    super(message, { cause: circumstances.cause });
    const { problem, status = 0, requestId, retryAfterSeconds } = circumstances;
    this.code = code;
    this.status = status;
    this.errors = problem?.errors ?? [];
    this.requestId = problem?.request_id ?? requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.problem = problem;
  }
}
