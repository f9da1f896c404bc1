import type { HttpMiddleware, HttpContext } from "../request-state.ts";
import cors from "@koa/cors";
import { isOrigin } from "../../keys/key-record.ts";
import type { Logger } from "../../telemetry/logger.ts";
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
const ALLOWED_HEADERS = ["authorization", "content-type", "x-api-key", "x-request-id"];

/** What a page needs to write, where there is a write API. */
const WRITING = {
  methods: ["DELETE", "PATCH", "PUT"],
  headers: ["idempotency-key", "if-match", "if-none-match", "prefer"],
  exposed: ["Location"],
};

/** The longest time that browsers cache a preflight response. */
const PREFLIGHT_MAX_AGE_SECONDS = 7_200;

interface CrossOriginOptions {
  readonly origins: readonly string[];
  readonly mayWrite?: boolean;
  readonly logger: Logger;
}

/**
 * Allows pages of other origins to call the API: those in the list, or all for `*`; an empty list allows
 * none. `http://localhost:*` is any port. Preflight requests need no key. Cookies are never allowed: a caller
 * is identified by its key. A browser tells nobody why a page gets no response, so the first request from
 * each refused origin is logged.
 */
export function crossOrigin({ origins, mayWrite = false, logger }: CrossOriginOptions): HttpMiddleware {
  const report = reportOnce(logger);
  const find = (ctx: HttpContext): string => {
    const asked = ctx.get("origin");
    const found = allowedOrigin(origins, asked);
    // The own page sends its origin with a POST; behind a proxy only the host says so.
    if (found === "" && asked.replace(/^https?:\/\//, "") !== ctx.host) report(asked);
    return found;
  };
  if (origins.length === 0)
    return (ctx, next) => {
      find(ctx);
      return next();
    };
  const isForAll = origins.includes("*");
  return cors({
    origin: (ctx: HttpContext) => (isForAll ? "*" : find(ctx)),
    allowMethods: ["GET", "HEAD", "OPTIONS", "POST", ...(mayWrite ? WRITING.methods : [])],
    allowHeaders: [...ALLOWED_HEADERS, ...(mayWrite ? WRITING.headers : [])],
    exposeHeaders: [...EXPOSED_HEADERS, ...(mayWrite ? WRITING.exposed : [])],
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
  }) as HttpMiddleware;
}

/**
 * Returns the entry of the list, so that no text of the request gets into the response; of an entry with `*`
 * as its port, that entry with the number. An empty text allows no origin.
 */
function allowedOrigin(origins: readonly string[], asked: string): string {
  const entry = origins.find((origin) => origin === asked || origin === asked.replace(/:\d{1,5}$/, ":*"));
  return entry?.replace("*", () => String(Number(/\d{1,5}$/.exec(asked)?.[0]))) ?? "";
}

/** Whoever makes up origins cannot fill the log. */
const MAX_REPORTED_ORIGINS = 20;

/** Logs each origin once. Only what is one: a caller can send any text. */
function reportOnce(logger: Logger): (origin: string) => void {
  const reported = new Set<string>();
  return (origin) => {
    if (reported.has(origin) || reported.size >= MAX_REPORTED_ORIGINS || !isOrigin(origin)) return;
    reported.add(origin);
    logger.warn({ origin, setting: "CORS_ORIGINS" }, "origin_refused");
  };
}
