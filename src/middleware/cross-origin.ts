import cors from "@koa/cors";
import type { HttpContext, HttpMiddleware } from "./request-state.ts";

/** What a page may read of an answer besides its body. */
const EXPOSED_HEADERS = [
  "ETag",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
];

/** What a page may send. The second is for those who follow a request through their own logs. */
const ALLOWED_HEADERS = ["x-api-key", "x-request-id"];

/** Browsers keep a preflight no longer than two hours, whatever they are told. */
const PREFLIGHT_MAX_AGE_SECONDS = 7_200;

/**
 * Lets pages of other origins call the API: those of the list, or all of them for `*`. With an empty list no browser does. A preflight is
 * answered here, without a key and without asking anybody. Credentials in the browser's sense (cookies) are never allowed: a caller is
 * who sends a key.
 */
export function crossOrigin(origins: readonly string[]): HttpMiddleware {
  if (origins.length === 0) return (_ctx, next) => next();
  const isForAll = origins.includes("*");
  return cors({
    origin: (ctx: HttpContext) => (isForAll ? "*" : allowedOrigin(origins, ctx.get("origin"))),
    allowMethods: ["GET", "HEAD", "OPTIONS"],
    allowHeaders: ALLOWED_HEADERS,
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
  }) as HttpMiddleware;
}

/** The one of the list, so that nothing of the request stands in the answer. An empty text allows nobody. */
const allowedOrigin = (origins: readonly string[], asked: string): string =>
  origins.find((origin) => origin === asked) ?? "";
