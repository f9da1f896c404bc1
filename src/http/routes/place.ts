import type {
  PlaceAnswer,
  PlaceFeature,
  PlaceResult,
  PlacesAnswer,
  PlacesFeatures,
  RequestedPlace,
} from "../../answers/place-response.ts";
import { createFieldChoice } from "../../answers/chosen-fields.ts";
import { fieldsAddedBy } from "../../answers/included-fields.ts";
import { GEOJSON_TYPE, toFeature, toFeatureCollection } from "../../answers/geojson.ts";
import { unknownPlace } from "../../errors.ts";
import { hangUpSignal, type HttpContext } from "../request-state.ts";
import { versionOf } from "../../meilisearch/index-form.ts";
import type { PlaceIndex } from "../../meilisearch/place-index.ts";
import { secondsUntilChange } from "../../place/time/freshness.ts";
import { distanceMeters, type Coordinates } from "../../place/geometry/coordinates.ts";
import type { LinkSettings } from "../../answers/links.ts";
import { inLanguage, parseLanguage } from "../../place/document/localized-texts.ts";
import type { StoredPlace } from "../../place/document/place-document.ts";
import { MAX_PLACES } from "../../place/request-defaults.ts";
import { toPlaceDetail } from "../../answers/place-response.ts";
import type { PlaceSearch } from "../../search/search-request.ts";
import type { RequestDefaults } from "../../place/request-defaults.ts";
import { placeParameters, placesParameters } from "../parameters.ts";
import { type RouteSteps, withParameters } from "../query-string.ts";
import { sendCacheable } from "../send.ts";
import type * as v from "valibot";

export interface PlaceRouteOptions {
  readonly index: PlaceIndex;
  readonly search: Pick<PlaceSearch, "districtOf">;
  readonly links: LinkSettings;
  readonly now: () => Temporal.Instant;
  readonly defaults: RequestDefaults;
}

/**
 * A record changes less often than search results. Five minutes cover one look at a place and a return to it.
 */
const MAX_AGE_SECONDS = 300;

/**
 * `GET /api/maps/place`: everything about one place. The response has the current `data_id` of the place, which may differ from
 * the requested one.
 */
export function placeRoute({ index, search, links, now, defaults }: PlaceRouteOptions): RouteSteps {
  return withParameters(placeParameters, async (ctx, parameters) => {
    const place = await index.getPlace(parameters.data_id, hangUpSignal(ctx));
    if (place === undefined) throw unknownPlace();
    ctx.state.results = 1;
    const moment = now();
    const detail = createDetails(ctx, parameters, { search, links, now: moment, defaults })(place);
    const maxAgeSeconds = secondsUntilChange([place], moment, MAX_AGE_SECONDS);
    if (parameters.format === "json") {
      sendCacheable<PlaceAnswer>(ctx, { place_result: detail }, maxAgeSeconds);
      return;
    }
    sendCacheable<PlaceFeature>(ctx, toFeature(detail, place.location), maxAgeSeconds, GEOJSON_TYPE);
  });
}

/** `GET /api/maps/places`: everything about several places, in the order of the request, and which of them are unknown. */
export function placesRoute({ index, search, links, now, defaults }: PlaceRouteOptions): RouteSteps {
  return withParameters(placesParameters, async (ctx, parameters) => {
    const { data_id: ids, format } = parameters;
    const places = await index.getPlaces(ids, hangUpSignal(ctx));
    const moment = now();
    const toDetail = createDetails(ctx, parameters, { search, links, now: moment, defaults });
    const found = places.flatMap((place, position) =>
      place ? [{ place, detail: markRedirect(toDetail(place), ids[position]!) }] : [],
    );
    ctx.state.results = found.length;
    const unknown_ids = [...new Set(ids.filter((_, position) => places[position] === undefined))];
    const maxAgeSeconds = secondsUntilChange(
      found.map(({ place }) => place),
      moment,
      MAX_AGE_SECONDS,
    );
    if (format === "json") {
      const place_results = found.map(({ detail }) => detail);
      sendCacheable<PlacesAnswer>(ctx, { place_results, unknown_ids }, maxAgeSeconds);
      return;
    }
    const features = found.map(({ place, detail }) => toFeature(detail, place.location));
    const collection: PlacesFeatures = toFeatureCollection(features, { unknown_ids });
    sendCacheable(ctx, collection, maxAgeSeconds, GEOJSON_TYPE);
  });
}

/** As how many requests a request for several places counts: the places that it reads, or one if it will be refused. */
export function countPlaces(ctx: HttpContext): number {
  const count = new URLSearchParams(ctx.querystring).getAll("data_id").length;
  return count > MAX_PLACES ? 1 : Math.max(1, count);
}

const markRedirect = (detail: PlaceResult, dataId: string): RequestedPlace =>
  detail.data_id === dataId ? detail : { ...detail, redirected_from: dataId };

type DetailParameters = Omit<v.InferOutput<typeof placeParameters>, "data_id">;

/** How the places of a request are shown. */
function createDetails(
  ctx: HttpContext,
  { lat, lng, lang, include, fields }: DetailParameters,
  {
    search,
    links,
    now,
    defaults,
  }: Pick<PlaceRouteOptions, "search" | "links" | "defaults"> & { readonly now: Temporal.Instant },
): (place: StoredPlace) => PlaceResult {
  const centre = toCentre(lat, lng);
  const language = parseLanguage(lang, ctx.get("Accept-Language"), defaults.language);
  const choose = createFieldChoice(fields, fieldsAddedBy(include));
  return (place) =>
    choose(
      toPlaceDetail(lang === undefined ? place : inLanguage(place, lang), {
        now,
        language,
        links,
        ...(centre && { searchCentre: centre }),
        included: {
          periods: include?.has("periods") === true,
          freshness: include?.has("freshness") === true,
          names: include?.has("names") === true,
          custom: include?.has("custom") === true,
          ...(include?.has("areas") && { district: search.districtOf(place.areas) }),
          ...(include?.has("version") && { version: versionOf(place) }),
          ...(centre &&
            include?.has("distance") && { distanceMeters: distanceMeters(centre, place.location) }),
        },
      }),
    );
}

/** One coordinate alone is not a point: unlike in a search, neither has a default. */
function toCentre(latitude: number | undefined, longitude: number | undefined): Coordinates | undefined {
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}
