import type { HttpMiddleware, HttpContext } from "../request-state.ts";
import cors from "@koa/cors";
import { LIMIT_HEADERS } from "./rate-limit.ts";

interface HeaderOptions {
  /** How long browsers shall come by HTTPS only, in seconds. 0 says nothing about it. */
  readonly hstsMaxAgeSeconds: number;
}

/**
 * What keeps browsers from making something else of an answer than what it is: data. A page of ours (documentation, playground) sets
 * a Content-Security-Policy of its own; its route comes after this and wins.
 */
const SECURITY_HEADERS = {
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  // Of another origin's page, only one that asks by CORS gets to see an answer; not one that embeds it as an image or a script.
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  // For browsers that do not know frame-ancestors.
  "X-Frame-Options": "DENY",
};

/**
 * Nothing may be kept by a cache, errors least of all, unless a route says for how long (`sendCacheable`). Answers depend on the language,
 * and the key decides whether there is one.
 */
const CACHE_HEADERS = { "Cache-Control": "private, no-store", Vary: "Accept-Language, x-api-key" };

/**
 * The headers of every reply; routes may set others in their place. It stands first: of an error that nothing else has caught Koa makes a
 * reply without the headers set so far, but with those that the error carries.
 */
export function responseHeaders({ hstsMaxAgeSeconds }: HeaderOptions): HttpMiddleware {
  const headers = {
    ...CACHE_HEADERS,
    ...SECURITY_HEADERS,
    ...(hstsMaxAgeSeconds > 0 && { "Strict-Transport-Security": `max-age=${hstsMaxAgeSeconds}` }),
  };
  return async (ctx, next) => {
    ctx.set(headers);
    try {
      await next();
    } catch (error) {
      throw withHeaders(error, headers);
    }
  };
}

function withHeaders(cause: unknown, headers: Readonly<Record<string, string>>): Error {
  const error =
    cause instanceof Error ? cause : new Error("something that is no error was thrown", { cause });
  const own = (error as { headers?: object }).headers;
  return Object.assign(error, { headers: { ...headers, ...own } });
}

/** What a page may read of an answer besides its body. */
const EXPOSED_HEADERS = ["ETag", "Retry-After", "X-Request-Id", ...Object.values(LIMIT_HEADERS)].toSorted();

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
