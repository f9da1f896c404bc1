import Router from "@koa/router";
import Koa from "koa";
import type { Config } from "../config.ts";
import type { PublishedAsset } from "../assets/assets.ts";
import type { Scope } from "../keys/key-record.ts";
import type { Callers } from "../keys/callers.ts";
import type { Logger } from "../telemetry/logger.ts";
import { accessLog, traceRequests } from "./middleware/access-log.ts";
import { authenticate, requireAllowedUse, requireScope } from "./middleware/authenticate.ts";
import { crossOrigin, responseHeaders } from "./middleware/response-headers.ts";
import {
  closeConnections,
  refuseWhileClosing,
  createLifecycle,
  type Lifecycle,
} from "./middleware/lifecycle.ts";
import { createFailedKeys } from "../limits/failed-keys.ts";
import { problems } from "./middleware/problems.ts";
import { rateLimit, type CountUnits, type Limiter } from "./middleware/rate-limit.ts";
import { requestId, type HttpMiddleware, type RequestState } from "./request-state.ts";
import { refuseMalformedTarget, refuseUnknownRoute } from "./middleware/request-target.ts";
import { paceRefusals, shareFairly } from "./middleware/shed-load.ts";
import type { PlaceIndex } from "../meilisearch/place-index.ts";
import type { RedisConnection } from "../redis/connection.ts";
import { autocompleteRoute } from "./routes/autocomplete.ts";
import { kindsRoute } from "./routes/kinds.ts";
import { mcpRoute, type AnswerMcp } from "./routes/mcp.ts";
import { livenessRoute, readinessRoute } from "./routes/health.ts";
import { overviewRoute, addPlaygroundRoutes, type Playground } from "./routes/playground.ts";
import { PARAMETER_NAMES } from "./parameters.ts";
import type { RouteSteps } from "./query-string.ts";
import { matchRoute } from "./routes/match.ts";
import { countPlaces, placeRoute, placesRoute } from "./routes/place.ts";
import { nearbyRoute, reverseRoute, searchRoute } from "./routes/search.ts";
import { photonReverseRoute, photonRoute } from "./routes/photon.ts";
import { sendAsset } from "./send.ts";
import { statusRoute, type StatusRouteOptions } from "./routes/status.ts";
import { usageRoute } from "./routes/usage.ts";
import { createWriteRoutes } from "./routes/writes.ts";
import type { WriteQueue } from "../redis/write-queue.ts";
import type { PlaceSearch } from "../search/search-request.ts";
import { toRequestDefaults } from "../config.ts";
import { noTelemetry, type Telemetry } from "../telemetry/telemetry.ts";
import type { RequestTracer } from "../telemetry/telemetry.ts";
import type { QueryNotes } from "../telemetry/query-notes.ts";

export interface AppOptions {
  readonly config: Pick<Config, "PUBLIC_BASE_URL" | "EXTERNAL_MAPS_URL"> &
    Partial<
      Pick<
        Config,
        | "CORS_ORIGINS"
        | "HSTS_MAX_AGE_SECONDS"
        | "ATTRIBUTION"
        | "TRUST_PROXY"
        | "READY_NEEDS_REDIS"
        | "DEFAULT_CENTER"
        | "DEFAULT_LANGUAGE"
        | "WORKERS"
        | "API_KEYS"
        | "QUERY_LOG"
      >
    >;
  readonly callers: Callers;
  readonly limiter: Limiter;
  readonly index: PlaceIndex;
  readonly search: PlaceSearch;
  /** Optional; without it each process limits by itself. */
  readonly redis?: RedisConnection | undefined;
  /** Takes the writes of callers; without it there is no write API. */
  readonly writes?: WriteQueue | undefined;
  /** `/openapi.json` and the pages under `/docs`; optional. */
  readonly docs?: readonly PublishedAsset[];
  /** Optional; without it there is no map at `/`. */
  readonly playground?: Playground | undefined;
  /** Answers messages to `/mcp`; optional. */
  readonly mcp?: AnswerMcp | undefined;
  readonly logger: Logger;
  readonly now: () => Temporal.Instant;
  /** Optional; telemetry is off by default. */
  readonly telemetry?: Telemetry;
  /** Optional; what is searched is not noted by default. */
  readonly noteSearch?: QueryNotes["note"] | undefined;
  /** Optional; requests are not traced by default. */
  readonly tracer?: RequestTracer | undefined;
  /** Requests that take this long are logged as slow; by default none are. */
  readonly slowRequestMs?: number;
  /** Optional; by default the app never stops serving. */
  readonly lifecycle?: Lifecycle;
}

/**
 * Builds the HTTP side of the server: what happens to a request, top to bottom. Opens nothing and does not
 * listen.
 */
export function createApp(options: AppOptions): Koa<RequestState> {
  const { config, logger, telemetry = noTelemetry, lifecycle = createLifecycle() } = options;
  const { slowRequestMs = Infinity, noteSearch } = options;
  // This many trusted proxies stand in front. Only their entries in `X-Forwarded-For` are believed.
  const app = new Koa<RequestState>({
    proxy: (config.TRUST_PROXY ?? 0) > 0,
    maxIpsCount: config.TRUST_PROXY ?? 0,
  });
  app.on("error", (err: unknown) => logStrayError(logger, err));

  const { HSTS_MAX_AGE_SECONDS: hstsMaxAgeSeconds = 0, ATTRIBUTION: attribution = "" } = config;
  app.use(responseHeaders({ hstsMaxAgeSeconds, attribution }));
  app.use(requestId());
  if (options.tracer) app.use(traceRequests(options.tracer));
  app.use(accessLog({ logger, telemetry, slowRequestMs, parameterNames: PARAMETER_NAMES, noteSearch }));
  app.use(closeConnections(lifecycle));
  const mayWrite = options.writes !== undefined;
  app.use(crossOrigin({ origins: config.CORS_ORIGINS ?? [], mayWrite, logger }));
  const hasMap = options.playground !== undefined;
  app.use(problems({ publicBaseUrl: config.PUBLIC_BASE_URL, logger, hasMap }));
  app.use(refuseMalformedTarget());
  app.use(refuseWhileClosing(lifecycle, telemetry));
  app.use(createRouter(options, lifecycle).routes());
  app.use(createPageRouter(options).routes());
  app.use(refuseUnknownRoute());
  return app;
}

/** The steps of a request that differ on some paths. */
interface CallerSteps {
  readonly limit: HttpMiddleware;
  readonly identify: HttpMiddleware;
}

/** Each path has one spelling; `/API/maps/search/` is a different, unknown path. */
const ONE_SPELLING = { sensitive: true, strict: true };

function createRouter(options: AppOptions, lifecycle: Lifecycle): Router<RequestState> {
  const { config, callers, limiter, index, search, redis, logger, now } = options;
  const { mcp, telemetry = noTelemetry } = options;
  const links = { publicBaseUrl: config.PUBLIC_BASE_URL, externalMapsUrl: config.EXTERNAL_MAPS_URL };
  const defaults = toRequestDefaults(config);
  const identified = { callers, failedKeys: createFailedKeys(), telemetry };
  const authenticated = authenticate(identified);
  const limited = rateLimit({ take: limiter.take, now });
  const usageLimited = rateLimit({ take: limiter.takeUsageRequest, now });
  const paced = paceRefusals();
  const uncounted = [paced, authenticated, requireAllowedUse()] as const;
  const shared = shareFairly({ telemetry, processes: config.WORKERS ?? 1 });
  /** All steps of a route for keys with the scope. */
  const forCallers = (
    scope: Scope,
    { check, respond }: RouteSteps,
    { limit = limited, identify = authenticated }: Partial<CallerSteps> = {},
  ) => [paced, identify, requireAllowedUse(), requireScope(scope), limit, check, shared, respond] as const;
  const limitedBy = (unitsOf: CountUnits) => rateLimit({ take: limiter.take, unitsOf, now });

  const router = new Router<RequestState>(ONE_SPELLING);
  router.get("/healthz", livenessRoute());
  const needsRedis = config.READY_NEEDS_REDIS ?? false;
  router.get("/readyz", readinessRoute({ index, redis, lifecycle, needsRedis }));
  const lists = { search, links, logger, now, defaults };
  const details = { index, search, links, now, defaults };
  router.get("/api/maps/search", ...forCallers("search", searchRoute(lists)));
  router.get("/api/maps/nearby", ...forCallers("search", nearbyRoute(lists)));
  router.get("/api/maps/reverse", ...forCallers("search", reverseRoute(lists)));
  router.post("/api/maps/match", ...uncounted, ...matchRoute(search, { limitedBy, shared }));
  router.get("/api/maps/kinds", ...forCallers("search", kindsRoute(search, defaults)));
  router.get("/api/maps/place", ...forCallers("place", placeRoute(details)));
  const byPlaces = { limit: limitedBy(countPlaces) };
  router.get("/api/maps/places", ...forCallers("place", placesRoute(details), byPlaces));
  router.get("/api/maps/autocomplete", ...forCallers("autocomplete", autocompleteRoute(search, defaults)));
  const withKeyInQuery = { identify: authenticate({ ...identified, mayBeInQuery: true }) };
  for (const end of ["", "/"]) {
    router.get(`/photon/api${end}`, ...forCallers("search", photonRoute(lists), withKeyInQuery));
    router.get(`/photon/reverse${end}`, ...forCallers("search", photonReverseRoute(lists), withKeyInQuery));
  }
  router.get("/api/usage", ...uncounted, usageLimited, usageRoute({ limiter, now }));
  const forAdmins = [...uncounted, requireScope("admin"), usageLimited] as const;
  router.get("/api/status", ...forAdmins, statusRoute(toStatusOptions(options)));
  // They ask the engine for nothing, so they need no turn.
  addWriteRoutes(router, options, [...uncounted, requireScope("write"), limited]);
  if (mcp) router.post("/mcp", ...uncounted, mcpRoute(mcp, limited));
  if (options.playground) router.get("/playground/overview", ...forCallers("search", overviewRoute(index)));
  return router;
}

/** The write API, where the server has one. */
function addWriteRoutes(
  router: Router<RequestState>,
  { writes: queue, config, logger }: AppOptions,
  forWriters: readonly HttpMiddleware[],
): void {
  if (!queue) return;
  const writes = createWriteRoutes({ queue, publicBaseUrl: config.PUBLIC_BASE_URL, logger });
  router.put("/api/maps/places/:data_id", ...forWriters, writes.put);
  router.patch("/api/maps/places/:data_id", ...forWriters, writes.patch);
  router.delete("/api/maps/places/:data_id", ...forWriters, writes.delete);
  router.post("/api/maps/places", ...forWriters, writes.post);
  router.get("/api/maps/writes/:id", ...forWriters, writes.status);
}

/** The docs, the map and the status page. Their many paths have a router of their own, since a router tries each of its paths. */
function createPageRouter({ docs = [], playground }: AppOptions): Router<RequestState> {
  const router = new Router<RequestState>(ONE_SPELLING);
  for (const page of docs) router.get(page.asset.path, (ctx) => sendAsset(ctx, page.asset, page));
  if (playground) addPlaygroundRoutes(router, playground);
  return router;
}

const toStatusOptions = ({ config, index, redis, now }: AppOptions): StatusRouteOptions => ({
  index,
  redis,
  now,
  processes: config.WORKERS ?? 1,
  configuredKeys: config.API_KEYS?.length ?? 0,
  logsQueries: config.QUERY_LOG === "on",
});

/**
 * Logs errors that get past `problems`, which handles whatever a request raises: a caller who hung up, or a
 * bug.
 */
function logStrayError(logger: Logger, err: unknown): void {
  const { code } = (err ?? {}) as { code?: unknown };
  const hungUp = code === "ECONNRESET" || code === "EPIPE";
  logger[hungUp ? "debug" : "error"]({ err }, "connection_failed");
}
