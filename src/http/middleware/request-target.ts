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

/** The routes with this path, for any method; middleware in front of routes has no methods. */
const matchedRoutes = (ctx: HttpContext): readonly Route[] =>
  ((ctx as { matched?: readonly Route[] }).matched ?? []).filter(({ methods }) => methods.length > 0);

/**
 * The path of the requested route, as it stands in the list of routes. What a caller wrote is never repeated: for an unknown path this
 * is the empty reference, which means the requested URI itself (RFC 3986, 4.4).
 */
export const readRoutePath = (ctx: HttpContext): string => matchedRoutes(ctx)[0]?.path ?? "";

/** Refuses a request whose target is not a URL: the router would throw on it. */
export function refuseMalformedTarget(): HttpMiddleware {
  return (ctx, next) => {
    if (readPath(ctx) === "") throw unknownRoute();
    return next();
  };
}

/** The end of the list: no route matched, or the path exists with other methods only. */
export function refuseUnknownRoute(): HttpMiddleware {
  return (ctx) => {
    const methods = new Set(matchedRoutes(ctx).flatMap((route) => route.methods));
    throw methods.size === 0 ? unknownRoute() : methodNotAllowed([...methods].toSorted());
  };
}
