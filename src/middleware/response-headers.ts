import type { HttpMiddleware } from "./request-state.ts";

/** The headers of every reply. Answers depend on the key, the language and the minute, so no cache may keep them. */
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
