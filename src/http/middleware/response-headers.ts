import type { HttpMiddleware, HttpContext } from "../request-state.ts";
import cors from "@koa/cors";
import { LIMIT_HEADERS } from "./rate-limit.ts";
import { IGNORED_HEADER } from "../query-string.ts";
import { MISSING_HEADER } from "../send.ts";

interface HeaderOptions {
  /** How long browsers must use HTTPS only, in seconds; 0 omits the header. */
  readonly hstsMaxAgeSeconds: number;
  /** Whom to credit for the data; an empty text omits the header. */
  readonly attribution?: string;
}

/** The response header that says whom users of the data must credit. */
export const ATTRIBUTION_HEADER = "X-Attribution";

/**
 * Keeps browsers from treating a response as anything but data. The pages (documentation, map) set a
 * different Content-Security-Policy; their routes run later and win.
 */
const SECURITY_HEADERS = {
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  // Pages of other origins can read a response through CORS only, and cannot embed it as an image or a
  // script.
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  // For browsers that do not know frame-ancestors.
  "X-Frame-Options": "DENY",
};

/**
 * Caches store nothing, least of all errors, unless a route says for how long (`sendCacheable`). Responses
 * depend on the language and the key.
 */
const CACHE_HEADERS = {
  "Cache-Control": "private, no-store",
  Vary: "Accept-Language, Authorization, x-api-key",
};

/**
 * The headers of every response; routes may replace them. Runs first: when nothing else catches an error, Koa
 * drops the headers set so far, but sends those that the error carries.
 */
export function responseHeaders({ hstsMaxAgeSeconds, attribution = "" }: HeaderOptions): HttpMiddleware {
  const headers = {
    ...CACHE_HEADERS,
    ...SECURITY_HEADERS,
    ...(attribution !== "" && { [ATTRIBUTION_HEADER]: attribution }),
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
    cause instanceof Error ? cause : new Error("something that is not an error was thrown", { cause });
  const own = (error as { headers?: object }).headers;
  return Object.assign(error, { headers: { ...headers, ...own } });
}

/** The headers that a page of another origin may read. */
const EXPOSED_HEADERS = [
  "ETag",
  "Retry-After",
  "X-Request-Id",
  ATTRIBUTION_HEADER,
  IGNORED_HEADER,
  MISSING_HEADER,
  ...Object.values(LIMIT_HEADERS),
].toSorted();

/** The request headers that such a page may send. The last one follows a request through logs. */
const ALLOWED_HEADERS = ["authorization", "x-api-key", "x-request-id"];

/** The longest time that browsers cache a preflight response. */
const PREFLIGHT_MAX_AGE_SECONDS = 7_200;

/**
 * Allows pages of other origins to call the API: those in the list, or all for `*`; an empty list allows
 * none. Preflight requests need no key. Cookies are never allowed: a caller is identified by its key.
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

/**
 * Returns the entry of the list, so that no text of the request gets into the response. An empty text allows
 * no origin.
 */
const allowedOrigin = (origins: readonly string[], asked: string): string =>
  origins.find((origin) => origin === asked) ?? "";
