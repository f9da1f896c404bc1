import { methodNotAllowed, unknownRoute } from "../../errors.ts";
import type { HttpContext, HttpMiddleware } from "../request-state.ts";

/** The path that was asked for, without the query. Empty for a target that is no URL (`http://[::1`). */
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

/** The routes that take this path, with whatever method; middleware that stands before routes has no methods. */
const matchedRoutes = (ctx: HttpContext): readonly Route[] =>
  ((ctx as { matched?: readonly Route[] }).matched ?? []).filter(({ methods }) => methods.length > 0);

/**
 * The path of the route that was asked for, as it stands in our list. What a caller wrote is never repeated: at a path that is none of
 * ours this is the empty reference, which means the very URI that was asked for (RFC 3986, 4.4).
 */
export const readRoutePath = (ctx: HttpContext): string => matchedRoutes(ctx)[0]?.path ?? "";

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
    const methods = new Set(matchedRoutes(ctx).flatMap((route) => route.methods));
    throw methods.size === 0 ? unknownRoute() : methodNotAllowed([...methods].toSorted());
  };
}
