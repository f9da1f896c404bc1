import Router from "@koa/router";
import Koa from "koa";
import type { Config } from "./config.ts";
import type { Logger } from "./logger.ts";
import { accessLog } from "./middleware/access-log.ts";
import { authenticate } from "./middleware/authenticate.ts";
import type { Callers } from "./middleware/callers.ts";
import { createFailedKeyCounter } from "./middleware/failed-keys.ts";
import { problems } from "./middleware/problems.ts";
import { rateLimit } from "./middleware/rate-limit.ts";
import { requestId } from "./middleware/request-id.ts";
import type { RequestState } from "./middleware/request-state.ts";
import { refuseMalformedTarget, refuseUnknownRoute } from "./middleware/request-target.ts";
import { responseHeaders } from "./middleware/response-headers.ts";
import type { PlaceIndex } from "./place-index/place-index.ts";
import type { RedisConnection } from "./redis/connection.ts";
import { autocompleteRoute } from "./routes/autocomplete.ts";
import { livenessRoute, readinessRoute } from "./routes/health.ts";
import { overviewRoute } from "./routes/overview.ts";
import { placeRoute } from "./routes/place.ts";
import { addPlaygroundRoutes, type Playground } from "./routes/playground.ts";
import { searchRoute } from "./routes/search.ts";
import type { PlaceSearch } from "./search/search-request.ts";

export interface AppOptions {
  readonly config: Pick<
    Config,
    "PUBLIC_BASE_URL" | "EXTERNAL_MAPS_URL" | "RATE_LIMIT_PER_MINUTE" | "RATE_LIMIT_PER_DAY"
  >;
  readonly callers: Callers;
  readonly index: PlaceIndex;
  readonly search: PlaceSearch;
  /** Absent: the limits are held by this process alone. */
  readonly redis?: RedisConnection | undefined;
  /** Absent: there is no map. */
  readonly playground?: Playground | undefined;
  readonly logger: Logger;
  readonly now: () => Temporal.Instant;
}

/** Builds the HTTP side of the server: what happens to a request, top to bottom. Opens nothing and listens nowhere. */
export function createApp(options: AppOptions): Koa<RequestState> {
  const { config, logger } = options;
  const app = new Koa<RequestState>();
  app.on("error", (err: unknown) => logStrayError(logger, err));

  app.use(requestId());
  app.use(accessLog(logger));
  app.use(responseHeaders());
  app.use(problems({ publicBaseUrl: config.PUBLIC_BASE_URL, logger }));
  app.use(refuseMalformedTarget());
  app.use(createRouter(options).routes());
  app.use(refuseUnknownRoute());
  return app;
}

function createRouter({
  config,
  callers,
  index,
  search,
  redis,
  playground,
  logger,
  now,
}: AppOptions): Router<RequestState> {
  const links = { publicBaseUrl: config.PUBLIC_BASE_URL, externalMapsUrl: config.EXTERNAL_MAPS_URL };
  const forCallers = [
    authenticate(callers, createFailedKeyCounter()),
    rateLimit({
      redis,
      perMinute: config.RATE_LIMIT_PER_MINUTE,
      perDay: config.RATE_LIMIT_PER_DAY,
      logger,
      now,
    }),
  ];

  // Each path has one spelling; `/API/maps/search/` is another, unknown one.
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  router.get("/healthz", livenessRoute());
  router.get("/readyz", readinessRoute(index, redis));
  router.get("/api/maps/search", ...forCallers, searchRoute({ search, links, logger, now }));
  router.get("/api/maps/place", ...forCallers, placeRoute({ index, links, now }));
  router.get("/api/maps/autocomplete", ...forCallers, autocompleteRoute(search));
  if (playground) {
    router.get("/playground/overview", ...forCallers, overviewRoute(index));
    addPlaygroundRoutes(router, playground);
  }
  return router;
}

/** `problems` answers and logs whatever a request raises. What still gets past it is a caller who hung up, or a mistake. */
function logStrayError(logger: Logger, err: unknown): void {
  const { code } = (err ?? {}) as { code?: unknown };
  const hungUp = code === "ECONNRESET" || code === "EPIPE";
  logger[hungUp ? "debug" : "error"]({ err }, "connection_failed");
}
