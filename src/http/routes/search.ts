import type { SearchAnswer, SearchFeatures } from "../../answers/search-response.ts";
import {
  ADDRESS_RADIUS_METERS,
  toReverseResult,
  type ReverseAnswer,
  type ReverseFeatures,
} from "../../answers/reverse-response.ts";
import { createFieldChoice } from "../../answers/chosen-fields.ts";
import { GEOJSON_TYPE, toFeature, toFeatureCollection } from "../../answers/geojson.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { hangUpSignal, type HttpContext } from "../request-state.ts";
import { secondsUntilChange, secondsUntilNextMinute } from "../../place/time/freshness.ts";
import { fieldsAddedBy, type Included, type Inclusions } from "../../answers/included-fields.ts";
import type * as v from "valibot";
import type { PlaceContext } from "../../answers/place-fields.ts";
import type { LinkSettings } from "../../answers/links.ts";
import { inLanguage, parseLanguage, type Language } from "../../place/document/localized-texts.ts";
import { toFullPlaceSummary, toPlaceSummary } from "../../answers/search-response.ts";
import { toUnderstood } from "../../answers/understood.ts";
import type { PlaceSearch, RankedPlace, SearchRequest } from "../../search/search-request.ts";

import { shownTitle } from "../../place/document/type-codes.ts";
import { readQueryWords } from "../../search/reading/tokens.ts";
import { highlight } from "../../place/text/highlight.ts";
import type { RequestDefaults } from "../../place/request-defaults.ts";
import { nearbyParameters, reverseParameters, searchParameters, toCentre } from "../parameters.ts";
import { detourMeters, type Route } from "../../place/geometry/shapes.ts";
import { type RouteSteps, withParameters } from "../query-string.ts";
import { toMinute, toRefinements } from "../refinement-parameters.ts";
import type { PlaceExtra } from "../../place/document/place-document.ts";
import { noteMissing, sendCacheable } from "../send.ts";

export interface SearchRouteOptions {
  readonly search: PlaceSearch;
  readonly links: LinkSettings;
  readonly logger: Logger;
  readonly now: () => Temporal.Instant;
  readonly defaults: RequestDefaults;
}

/**
 * The index and a caller's position change, but an app that shows a page twice should not request it twice.
 */
const MAX_AGE_SECONDS = 60;

/** `GET /api/maps/search`: the places that match a query, around a centre. */
export function searchRoute({ search, links, logger, now, defaults }: SearchRouteOptions): RouteSteps {
  return withParameters(searchParameters, async (ctx, parameters) => {
    const { q, limit, offset, lang, include, route } = parameters;
    const { sort = route ? "detour" : "relevance" } = parameters;
    // One moment for the whole request, so that every place found by `open_now` is shown as open.
    const moment = now();
    const centre = toCentre(parameters, defaults);
    const refinements = toRefinements(parameters, moment);
    const extras = extrasFor(include, lang);
    const page = { query: q, centre, limit, offset, sort };
    const preferred = parameters.bbox_bias;
    const request: SearchRequest = {
      ...page,
      refinements,
      ...(preferred && { preferred }),
      now: toMinute(moment),
      ...(extras && { extras }),
      isCounted: include?.has("total") === true,
    };
    const signal = hangUpSignal(ctx);
    const result = await search.search(request, signal);
    const { total, reading, landmarkNotFound, missingPartitions: missing } = result;
    const found = namedIn(result.places, lang);
    ctx.state.results = found.length;
    ctx.state.foundNothing = found.length === 0 && offset === 0;
    if (offset === 0) ctx.state.searched = q;
    if (ctx.state.foundNothing) logEmptySearch(logger, ctx.state.requestId, request);

    const language = parseLanguage(lang, ctx.get("Accept-Language"), defaults.language);
    const others: Omit<SearchAnswer, "local_result"> = {
      ...(total !== undefined && { total }),
      ...(include?.has("explain") && {
        ...(reading && {
          understood: toUnderstood(reading, {
            language,
            isWishIgnored: hasIgnoredWish(found),
            landmarkNotFound,
          }),
        }),
        ...(missing.length > 0 && { missing_partitions: [...missing] }),
      }),
    };
    const included = includeFrom(include, {
      search,
      query: q,
      language,
      busyAt: parameters.open_at ?? moment,
      route: refinements.route,
    });
    sendList(ctx, found, { missing, parameters, view: { now: moment, language, links }, included, others });
  });
}

/** `GET /api/maps/nearby`: the places around a point, without words. */
export function nearbyRoute(options: Omit<SearchRouteOptions, "logger">): RouteSteps {
  const { search, links, now, defaults } = options;
  return withParameters(nearbyParameters, async (ctx, parameters) => {
    const { lat, lng, limit, offset, lang, include, route } = parameters;
    const { sort = route ? "detour" : "distance" } = parameters;
    const moment = now();
    const centre = { latitude: lat, longitude: lng };
    const refinements = toRefinements(parameters, moment);
    const extras = extrasFor(include, lang);
    const page = { query: "", centre, limit, offset, sort };
    const isCounted = include?.has("total") === true;
    const request = { ...page, refinements, now: toMinute(moment), ...(extras && { extras }), isCounted };
    const signal = hangUpSignal(ctx);
    const { places, total, missingPartitions: missing } = await search.search(request, signal);
    const found = namedIn(places, lang);
    ctx.state.results = found.length;
    const language = parseLanguage(lang, ctx.get("Accept-Language"), defaults.language);
    // Without a query there is nothing to match or to explain.
    const shown = include?.intersection(WITHOUT_QUERY);
    const included = includeFrom(shown, {
      search,
      query: "",
      language,
      busyAt: parameters.open_at ?? moment,
      route: refinements.route,
    });
    const others = total === undefined ? {} : { total };
    sendList(ctx, found, {
      missing,
      parameters: { ...parameters, include: shown },
      view: { now: moment, language, links },
      included,
      others,
    });
  });
}

/** Enough for a dense street where most places have half an address. */
const PLACES_FOR_ADDRESS = 50;

/** `GET /api/maps/reverse`: the nearest places of a point, and its address. */
export function reverseRoute(options: Omit<SearchRouteOptions, "logger">): RouteSteps {
  const { search, links, now, defaults } = options;
  return withParameters(reverseParameters, async (ctx, parameters) => {
    const { lat, lng, limit, radius, lang, include } = parameters;
    const moment = now();
    const centre = { latitude: lat, longitude: lng };
    const extras = extrasFor(include, lang);
    const { places: around, missingPartitions: missing } = await search.search(
      {
        query: "",
        centre,
        limit: PLACES_FOR_ADDRESS,
        offset: 0,
        sort: "distance",
        refinements: { radiusMeters: ADDRESS_RADIUS_METERS },
        ...(extras && { extras }),
      },
      hangUpSignal(ctx),
    );
    const near = around.filter(({ distanceMeters }) => distanceMeters <= radius).slice(0, limit);
    const found = namedIn(near, lang);
    ctx.state.results = found.length;
    const language = parseLanguage(lang, ctx.get("Accept-Language"), defaults.language);
    const shown = include?.intersection(WITHOUT_QUERY);
    sendList(ctx, found, {
      missing,
      parameters: { ...parameters, include: shown },
      view: { now: moment, language, links },
      included: includeFrom(shown, { search, query: "", language, busyAt: moment }),
      others: { reverse_result: toReverseResult(around, search.areasAt(centre)) },
    });
  });
}

const WITHOUT_QUERY: ReadonlySet<Included> = new Set([
  "distance",
  "detour",
  "periods",
  "freshness",
  "busyness",
  "photo",
  "names",
  "custom",
  "areas",
]);

/** What the index must return for the fields that the request includes. */
function extrasFor(
  include: ReadonlySet<Included> | undefined,
  lang: string | undefined,
): readonly PlaceExtra[] | undefined {
  const extras = [
    ...(include?.has("busyness") ? (["busy_hours"] as const) : []),
    ...(include?.has("freshness") ? (["indexed_at"] as const) : []),
    ...(include?.has("photo") ? (["first_photo"] as const) : []),
    ...(include?.has("areas") ? (["areas"] as const) : []),
    ...(include?.has("custom") ? (["custom"] as const) : []),
    ...(include?.has("names") || lang !== undefined ? (["names"] as const) : []),
  ];
  return extras.length > 0 ? extras : undefined;
}

/** With `open_now`, a place that is not in the response may open in any minute, and each hour has another busyness. */
function toMaxAgeSeconds(
  found: readonly RankedPlace[],
  now: Temporal.Instant,
  { open_now, open_at, busy_max, include }: ListOptions["parameters"],
): number {
  const isBusyNow = open_at === undefined && (busy_max !== undefined || include?.has("busyness") === true);
  const capSeconds = open_now === true || isBusyNow ? secondsUntilNextMinute(now) : MAX_AGE_SECONDS;
  return secondsUntilChange(
    found.map(({ place }) => place),
    now,
    capSeconds,
  );
}

interface ListOptions {
  /** The partitions that could not be asked. */
  readonly missing: readonly number[];
  readonly parameters: Pick<
    v.InferOutput<typeof searchParameters>,
    "type" | "fields" | "format" | "include"
  > &
    Partial<Pick<v.InferOutput<typeof searchParameters>, "open_now" | "open_at" | "busy_max">>;
  readonly view: Omit<PlaceContext, "included">;
  /** The optional fields of each place. */
  readonly included: (ranked: RankedPlace) => Inclusions;
  /** Fields next to the list. */
  readonly others: Omit<SearchAnswer | ReverseAnswer, "local_result">;
}

/** Sends places as `local_result`, with the detail, fields and format that the request asks for. */
/** The places with their names in the language that the request names. */
const namedIn = (found: readonly RankedPlace[], lang: string | undefined): readonly RankedPlace[] =>
  lang === undefined ? found : found.map((one) => ({ ...one, place: inLanguage(one.place, lang) }));

function sendList(
  ctx: HttpContext,
  found: readonly RankedPlace[],
  { missing, parameters, view, included, others }: ListOptions,
): void {
  const { type, fields, format, include } = parameters;
  const shape = type === "full" || fields !== undefined ? toFullPlaceSummary : toPlaceSummary;
  const choose = createFieldChoice(fields, fieldsAddedBy(include));
  const places = found.map((ranked) => choose(shape(ranked.place, { ...view, included: included(ranked) })));
  const maxAgeSeconds = noteMissing(ctx, missing, toMaxAgeSeconds(found, view.now, parameters));
  if (format === "json") {
    sendCacheable<SearchAnswer | ReverseAnswer>(ctx, { local_result: places, ...others }, maxAgeSeconds);
    return;
  }
  const features = places.map((place, index) => toFeature(place, found[index]!.place.location));
  sendCacheable<SearchFeatures | ReverseFeatures>(
    ctx,
    toFeatureCollection(features, others),
    maxAgeSeconds,
    GEOJSON_TYPE,
  );
}

interface IncludeOptions {
  readonly search: Pick<PlaceSearch, "districtOf">;
  readonly query: string;
  readonly language: Language;
  /** The moment of `busyness`. */
  readonly busyAt: Temporal.Instant;
  /** The way that detours are measured from. */
  readonly route?: Route | undefined;
}

/** The optional fields of each place that the request asks for. */
function includeFrom(
  include: ReadonlySet<Included> | undefined,
  { search, query, language, busyAt, route }: IncludeOptions,
) {
  if (include === undefined) return (): Inclusions => ({});
  const { words } = readQueryWords(query);
  return ({ place, distanceMeters, explanation }: RankedPlace): Inclusions => ({
    periods: include.has("periods"),
    freshness: include.has("freshness"),
    photo: include.has("photo"),
    names: include.has("names"),
    custom: include.has("custom"),
    ...(include.has("areas") && { district: search.districtOf(place.areas) }),
    ...(include.has("busyness") && { busyness: { at: busyAt, language } }),
    ...(include.has("distance") && { distanceMeters }),
    ...(include.has("detour") && {
      detourMeters: route ? detourMeters(route, place.location) : null,
    }),
    ...(include.has("explain") && { explanation }),
    ...(include.has("match") && { titleMatch: highlight(shownTitle(place, language), words) }),
  });
}

/** Those that are open come first. */
const hasIgnoredWish = ([first]: readonly RankedPlace[]): boolean =>
  first?.explanation.isWishDropped === true;

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
