import type { Logger } from "../logger.ts";
import type { HttpMiddleware } from "../middleware/request-state.ts";
import type { LinkSettings } from "../place/links.ts";
import { parseLanguage } from "../place/localized-texts.ts";
import { toFullPlaceSummary, toPlaceSummary } from "../place/place-summary.ts";
import type { PlaceSearch, SearchRequest } from "../search/search-request.ts";
import { searchParameters } from "./parameters.ts";
import { parseQuery } from "./query.ts";
import { sendJson } from "./send-json.ts";

export interface SearchRouteOptions {
  readonly search: PlaceSearch;
  readonly links: LinkSettings;
  readonly logger: Logger;
  readonly now: () => Temporal.Instant;
}

/** `GET /api/maps/search`: the places that a text means, around a centre. */
export function searchRoute({ search, links, logger, now }: SearchRouteOptions): HttpMiddleware {
  return async (ctx) => {
    const { q, lat, lng, type, limit, offset, lang, include } = parseQuery(searchParameters, ctx.querystring);
    const centre = { latitude: lat, longitude: lng };
    const request = { query: q, centre, limit, offset };
    const found = await search.search(request);
    if (found.length === 0 && offset === 0) logEmptySearch(logger, request);
    ctx.state.results = found.length;

    const shape = type === "full" ? toFullPlaceSummary : toPlaceSummary;
    const view = {
      now: now(),
      language: parseLanguage(lang, ctx.get("Accept-Language")),
      links,
    };
    const withDistance = include?.has("distance") === true;
    sendJson(ctx, {
      local_result: found.map(({ place, distanceMeters }) =>
        shape(place, withDistance ? { ...view, distanceMeters } : view),
      ),
    });
  };
}

/** What nobody found, to learn from; too coarse to tell where somebody stands. */
function logEmptySearch(logger: Logger, { query, centre }: SearchRequest): void {
  logger.debug(
    {
      query: query.slice(0, 100),
      latitude: Math.round(centre.latitude * 100) / 100,
      longitude: Math.round(centre.longitude * 100) / 100,
    },
    "search_empty",
  );
}
