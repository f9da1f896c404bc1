import type { HttpMiddleware } from "./request-state.ts";

/**
 * The headers of every reply. Nothing may be kept by a cache, errors least of all, unless a route says for how long
 * (`sendCacheable`). Answers depend on the language, and the key decides whether there is one.
 */
export function responseHeaders(): HttpMiddleware {
  return (ctx, next) => {
    ctx.set({
      "Cache-Control": "private, no-store",
      Vary: "Accept-Language, x-api-key",
      "X-Content-Type-Options": "nosniff",
    });
    return next();
  };
}
