import type { SearchAnswer } from "../api-types.ts";
import type { Logger } from "../logger.ts";
import type { HttpMiddleware } from "../middleware/request-state.ts";
import type { Included, Inclusions } from "../place/included-members.ts";
import type { LinkSettings } from "../place/links.ts";
import { parseLanguage } from "../place/localized-texts.ts";
import { toFullPlaceSummary, toPlaceSummary } from "../place/place-summary.ts";
import type { PlaceSearch, RankedPlace, SearchRequest } from "../search/search-request.ts";
import { readTypedQuery } from "../search/typed-query.ts";
import { highlight } from "../text/highlight.ts";
import { searchParameters } from "./parameters.ts";
import { parseQuery } from "./query.ts";
import { toRefinements } from "./refinement-parameters.ts";
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
    const parameters = parseQuery(searchParameters, ctx.querystring);
    const { q, lat, lng, type, limit, offset, sort, lang, include } = parameters;
    // One moment for the whole request: what `open_now` lets through is told to be open.
    const moment = now();
    const centre = { latitude: lat, longitude: lng };
    const refinements = toRefinements(parameters, moment);
    const request = { query: q, centre, limit, offset, sort, refinements };
    const found = await search.search(request);
    if (found.length === 0 && offset === 0) logEmptySearch(logger, request);
    ctx.state.results = found.length;

    const shape = type === "full" ? toFullPlaceSummary : toPlaceSummary;
    const view = { now: moment, language: parseLanguage(lang, ctx.get("Accept-Language")), links };
    const toIncluded = includeFrom(include, q);
    sendJson<SearchAnswer>(ctx, {
      local_result: found.map((ranked) => shape(ranked.place, { ...view, included: toIncluded(ranked) })),
    });
  };
}

/** What a caller asked to see of each place beside the members that are always there. */
function includeFrom(include: ReadonlySet<Included> | undefined, query: string) {
  if (include === undefined) return (): Inclusions => ({});
  const { words } = readTypedQuery(query);
  return ({ place, distanceMeters, explanation }: RankedPlace): Inclusions => ({
    periods: include.has("periods"),
    ...(include.has("distance") && { distanceMeters }),
    ...(include.has("explain") && { explanation }),
    ...(include.has("match") && { titleMatch: highlight(place.title, words) }),
  });
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
