import { ProblemError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { buildProblemBody } from "../problem-body.ts";
import type { HttpContext, HttpMiddleware } from "./request-state.ts";
import { readPath } from "./request-target.ts";

interface ProblemsOptions {
  readonly publicBaseUrl: string;
  readonly logger: Logger;
}

/**
 * Turns whatever is thrown further in into an `application/problem+json` reply; nothing else in the service writes one.
 * Headers that were set before stay (Koa's own error handler would drop them). Failures of ours are logged with their
 * causes, and the reply says nothing of those.
 */
export function problems({ publicBaseUrl, logger }: ProblemsOptions): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const problem = error instanceof ProblemError ? error : internalError(error);
      ctx.state.problem = problem.code;
      if (problem.status >= 500) logFailure(logger, ctx, problem);
      ctx.status = problem.status;
      ctx.set({ ...problem.headers, "Content-Type": "application/problem+json" });
      const occasion = { publicBaseUrl, path: readPath(ctx), requestId: ctx.state.requestId };
      ctx.body = JSON.stringify(buildProblemBody(problem, occasion));
    }
  };
}

function internalError(cause: unknown): ProblemError {
  return new ProblemError(500, "internal_error", "Something went wrong on our side.", { cause });
}

function logFailure(logger: Logger, ctx: HttpContext, problem: ProblemError): void {
  const event = problem.code === "engine_unavailable" ? "engine_failed" : "request_failed";
  logger.error({ request_id: ctx.state.requestId, err: problem.cause ?? problem }, event);
}
