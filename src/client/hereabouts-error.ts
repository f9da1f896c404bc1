import type { ProblemBody } from "./answers.ts";

type ProblemCode = ProblemBody["code"];
type ParameterProblem = NonNullable<ProblemBody["errors"]>[number];

/**
 * What went wrong without an answer of Hereabouts: no connection or a cut one, no answer in time, an answer of somebody else (a
 * proxy, a login page).
 */
export type ClientCode = "network_error" | "timed_out" | "unexpected_answer";

interface Circumstances {
  readonly status?: number;
  readonly problem?: ProblemBody;
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
  readonly problem: ProblemBody | undefined;

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
