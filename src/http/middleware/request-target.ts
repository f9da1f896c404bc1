import { methodNotAllowed, unknownRoute } from "../../errors.ts";
import type { HttpContext, HttpMiddleware } from "../request-state.ts";

/** The requested path without the query. Empty for a target that is not a URL (`http://[::1`). */
function readPath(ctx: HttpContext): string {
  try {
    // Koa says `string`; for the target `http://` it is null.
    return (ctx.path as string | null) ?? "";
  } catch {
    return "";
  }
}

interface Route {
  readonly path: string;
  readonly methods: readonly string[];
}

/** The routes with this path, for any method. Routes of middleware have no methods. */
const matchedRoutes = (ctx: HttpContext): readonly Route[] =>
  ((ctx as { matched?: readonly Route[] }).matched ?? []).filter(({ methods }) => methods.length > 0);

/**
 * The path of the requested route, as the list of routes has it. The caller's text is never repeated: for an
 * unknown path this is the empty reference, which means the requested URI itself (RFC 3986, 4.4).
 */
export const readRoutePath = (ctx: HttpContext): string => matchedRoutes(ctx)[0]?.path ?? "";

/** Refuses a request whose target is not a URL, because the router would throw on it. */
export function refuseMalformedTarget(): HttpMiddleware {
  return (ctx, next) => {
    if (readPath(ctx) === "") throw unknownRoute();
    return next();
  };
}

/** Runs last: no route matched, or the path exists only with other methods. */
export function refuseUnknownRoute(): HttpMiddleware {
  return (ctx) => {
    const methods = new Set(matchedRoutes(ctx).flatMap((route) => route.methods));
    throw methods.size === 0 ? unknownRoute() : methodNotAllowed([...methods].toSorted());
  };
}
