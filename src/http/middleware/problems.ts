import { CallerGoneError, ProblemError } from "../../errors.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { buildProblemBody } from "../../answers/problem.ts";
import { CALLER_GONE_STATUS, type HttpContext, type HttpMiddleware } from "../request-state.ts";
import { parseLanguage, toPageLanguage } from "../../place/document/localized-texts.ts";
import { buildNotFoundPage, NOT_FOUND_POLICY } from "../not-found-page.ts";
import { readRoutePath } from "./request-target.ts";

interface ProblemsOptions {
  readonly publicBaseUrl: string;
  readonly logger: Logger;
  /** Whether there is a map page, to which people who followed a wrong link can go. */
  readonly hasMap?: boolean;
}

/**
 * Turns every error into an `application/problem+json` response; nothing else in the service writes one. Only a browser that opens
 * an unknown address gets a page.
 * Headers that were set before stay (Koa's own error handler would drop them). Failures of the server are
 * logged with their causes, which the response does not contain.
 */
export function problems({ publicBaseUrl, logger, hasMap = false }: ProblemsOptions): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof CallerGoneError) {
        ctx.status = CALLER_GONE_STATUS;
        return;
      }
      const problem = error instanceof ProblemError ? error : internalError(error);
      ctx.state.problem = problem.code;
      if (problem.status === 500) logFailure(logger, ctx, problem);
      ctx.status = problem.status;
      if (problem.code === "unknown_route" && prefersPage(ctx)) {
        const language = toPageLanguage(parseLanguage(undefined, ctx.get("Accept-Language"), "en"));
        ctx.set({ "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": NOT_FOUND_POLICY });
        ctx.body = buildNotFoundPage({ language, home: publicBaseUrl, hasMap });
        return;
      }
      ctx.set({ ...problem.headers, "Content-Type": "application/problem+json" });
      const occasion = { publicBaseUrl, path: readRoutePath(ctx), requestId: ctx.state.requestId };
      ctx.body = JSON.stringify(buildProblemBody(problem, occasion));
    }
  };
}

/** Browsers ask for HTML when a person opens an address; programs accept anything or JSON. */
const prefersPage = (ctx: HttpContext): boolean =>
  ctx.accepts("application/problem+json", "application/json", "text/html") === "text/html";

function internalError(cause: unknown): ProblemError {
  return new ProblemError("internal_error", { cause });
}

/**
 * An engine outage is logged once (`meilisearch/gate.ts`). The requests that fail because of it are only
 * counted, by the metrics.
 */
function logFailure(logger: Logger, ctx: HttpContext, problem: ProblemError): void {
  const event = problem.code === "engine_unavailable" ? "engine_failed" : "request_failed";
  const isKnown = (problem.cause as Error | undefined)?.name === "EngineRestingError";
  const err = problem.cause ?? problem;
  logger[isKnown ? "debug" : "error"]({ request_id: ctx.state.requestId, err }, event);
}
