import type { SearchAnswer, SearchFeatures } from "../../answers/search-response.ts";
import { createFieldChoice } from "../../answers/chosen-fields.ts";
import { GEOJSON_TYPE, toFeature, toFeatureCollection } from "../../answers/geojson.ts";
import type { Logger } from "../../logger.ts";
import { hangUpSignal, type HttpMiddleware } from "../request-state.ts";
import { secondsUntilChange, secondsUntilNextMinute } from "../../place/freshness.ts";
import { fieldsAddedBy, type Included, type Inclusions } from "../../answers/included-fields.ts";
import type { LinkSettings } from "../../answers/links.ts";
import { parseLanguage, type Language } from "../../place/localized-texts.ts";
import { toFullPlaceSummary, toPlaceSummary } from "../../answers/search-response.ts";
import { toUnderstood } from "../../answers/understood.ts";
import type { PlaceSearch, RankedPlace, SearchRequest } from "../../search/search-request.ts";
import { shownTitle } from "../../place/type-codes.ts";
import { readQueryWords } from "../../search/reading/tokens.ts";
import { highlight } from "../../place/text/highlight.ts";
import { searchParameters } from "../parameters.ts";
import { readParameters } from "../query-string.ts";
import { toRefinements } from "../refinement-parameters.ts";
import { sendCacheable } from "../send.ts";

export interface SearchRouteOptions {
  readonly search: PlaceSearch;
  readonly links: LinkSettings;
  readonly logger: Logger;
  readonly now: () => Temporal.Instant;
}

/**
 * The index and a caller's position change, but an app that shows a page twice should not request it twice.
 */
const MAX_AGE_SECONDS = 60;

/** `GET /api/maps/search`: the places that match a query, around a centre. */
export function searchRoute({ search, links, logger, now }: SearchRouteOptions): HttpMiddleware {
  return async (ctx) => {
    const parameters = readParameters(ctx, searchParameters);
    const { q, lat, lng, type, limit, offset, sort, lang, include, fields, format } = parameters;
    // One moment for the whole request, so that every place found by `open_now` is shown as open.
    const moment = now();
    const centre = { latitude: lat, longitude: lng };
    const refinements = toRefinements(parameters, moment);
    const request = { query: q, centre, limit, offset, sort, refinements, now: toMinute(moment) };
    const signal = hangUpSignal(ctx);
    const [found, total] = await Promise.all([
      search.search(request, signal),
      include?.has("total") ? search.count(request, signal) : undefined,
    ]);
    ctx.state.results = found.length;
    ctx.state.foundNothing = found.length === 0 && offset === 0;
    if (ctx.state.foundNothing) logEmptySearch(logger, ctx.state.requestId, request);

    const isFull = type === "full" || fields !== undefined;
    const shape = isFull ? toFullPlaceSummary : toPlaceSummary;
    const choose = createFieldChoice(fields, fieldsAddedBy(include));
    const view = { now: moment, language: parseLanguage(lang, ctx.get("Accept-Language")), links };
    const toIncluded = includeFrom(include, q, view.language);
    const places = found.map((ranked) =>
      choose(shape(ranked.place, { ...view, included: toIncluded(ranked) })),
    );
    const others: Omit<SearchAnswer, "local_result"> = {
      ...(total !== undefined && { total }),
      ...(include?.has("explain") && {
        understood: toUnderstood(search.understand(q, centre), hasIgnoredWish(found)),
      }),
    };
    const maxAgeSeconds = toMaxAgeSeconds(found, moment, parameters.open_now === true);
    if (format === "json") {
      sendCacheable<SearchAnswer>(ctx, { local_result: places, ...others }, maxAgeSeconds);
      return;
    }
    const features = places.map((place, index) => toFeature(place, found[index]!.place.location));
    sendCacheable<SearchFeatures>(ctx, toFeatureCollection(features, others), maxAgeSeconds, GEOJSON_TYPE);
  };
}

/** Requests of the same minute share a search. */
const toMinute = (moment: Temporal.Instant): Temporal.Instant =>
  moment.round({ smallestUnit: "minute", roundingMode: "floor" });

/** With `open_now`, a place that is not in the response may open in any minute. */
function toMaxAgeSeconds(found: readonly RankedPlace[], now: Temporal.Instant, isOpenNow: boolean): number {
  const capSeconds = isOpenNow ? secondsUntilNextMinute(now) : MAX_AGE_SECONDS;
  return secondsUntilChange(
    found.map(({ place }) => place),
    now,
    capSeconds,
  );
}

/** The optional fields of each place that the request asks for. */
function includeFrom(include: ReadonlySet<Included> | undefined, query: string, language: Language) {
  if (include === undefined) return (): Inclusions => ({});
  const { words } = readQueryWords(query);
  return ({ place, distanceMeters, explanation }: RankedPlace): Inclusions => ({
    periods: include.has("periods"),
    ...(include.has("distance") && { distanceMeters }),
    ...(include.has("explain") && { explanation: toExplanation(explanation) }),
    ...(include.has("match") && { titleMatch: highlight(shownTitle(place, language), words) }),
  });
}

const hasIgnoredWish = (found: readonly RankedPlace[]): boolean =>
  found.some(({ explanation }) => explanation.isWishDropped === true);

const toExplanation = ({ text, distance, prominence, score }: RankedPlace["explanation"]) => ({
  text,
  distance,
  prominence,
  score,
});

/** Logs queries without results, to learn from. The position is too coarse to locate a caller. */
function logEmptySearch(logger: Logger, requestId: string, { query, centre }: SearchRequest): void {
  logger.debug(
    {
      request_id: requestId,
      query: query.slice(0, 100),
      latitude: Math.round(centre.latitude * 100) / 100,
      longitude: Math.round(centre.longitude * 100) / 100,
    },
    "search_empty",
  );
}
