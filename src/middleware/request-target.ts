import { ProblemError } from "../errors.ts";
import type { HttpContext, HttpMiddleware } from "./request-state.ts";

/** Characters that HTTP lets through in a path and URIs do not. */
const NOT_IN_URIS = /["<>\\^`{|}]/g;

/** The path that was asked for, without the query, as a URI reference. Empty for a target that is no URL (`http://[::1`). */
export function readPath(ctx: HttpContext): string {
  try {
    // Koa says `string`; for the target `http://` it is null.
    const path = ctx.path as string | null;
    return (path ?? "").replaceAll(NOT_IN_URIS, encodeURIComponent);
  } catch {
    return "";
  }
}

/** Ends a request whose target is no URL: the router would stumble over it. */
export function refuseMalformedTarget(): HttpMiddleware {
  return (ctx, next) => {
    if (readPath(ctx) === "") throw unknownRoute();
    return next();
  };
}

/** The end of the list: no route has answered. A known path was asked with a method it does not take. */
export function refuseUnknownRoute(): HttpMiddleware {
  return (ctx) => {
    const matched = (ctx as { matched?: readonly { methods: string[] }[] }).matched ?? [];
    const methods = new Set(matched.flatMap((layer) => layer.methods));
    throw methods.size === 0 ? unknownRoute() : methodNotAllowed([...methods].toSorted());
  };
}

/** 404 for a path that leads nowhere. */
export function unknownRoute(): ProblemError {
  return new ProblemError(404, "unknown_route", "There is nothing at this path.");
}

function methodNotAllowed(allowed: readonly string[]): ProblemError {
  const Allow = allowed.join(", ");
  return new ProblemError(405, "method_not_allowed", `This path answers ${Allow} only.`, {
    headers: { Allow },
  });
}
