import type { PlaceAnswer, PlaceFeature, PlaceResult } from "../../answers/place-response.ts";
import { createFieldChoice } from "../../answers/chosen-fields.ts";
import { fieldsAddedBy } from "../../answers/included-fields.ts";
import { GEOJSON_TYPE, toFeature } from "../../answers/geojson.ts";
import { unknownPlace } from "../../errors.ts";
import { hangUpSignal, type HttpMiddleware } from "../request-state.ts";
import type { PlaceIndex } from "../../meilisearch/place-index.ts";
import { secondsUntilChange } from "../../place/freshness.ts";
import { distanceMeters, type Coordinates } from "../../place/coordinates.ts";
import type { LinkSettings } from "../../answers/links.ts";
import { parseLanguage } from "../../place/localized-texts.ts";
import { toPlaceDetail } from "../../answers/place-response.ts";
import { placeParameters } from "../parameters.ts";
import { readParameters } from "../query-string.ts";
import { sendCacheable } from "../send.ts";

export interface PlaceRouteOptions {
  readonly index: PlaceIndex;
  readonly links: LinkSettings;
  readonly now: () => Temporal.Instant;
}

/**
 * A record changes less often than search results. Five minutes cover one look at a place and a return to it.
 */
const MAX_AGE_SECONDS = 300;

/**
 * `GET /api/maps/place`: everything about one place. The response has the current `data_id` of the place, which may differ from
 * the requested one.
 */
export function placeRoute({ index, links, now }: PlaceRouteOptions): HttpMiddleware {
  return async (ctx) => {
    const { data_id, lat, lng, lang, include, fields, format } = readParameters(ctx, placeParameters);
    const place = await index.getPlace(data_id, hangUpSignal(ctx));
    if (place === undefined) throw unknownPlace();
    ctx.state.results = 1;

    const centre = toCentre(lat, lng);
    const moment = now();
    const choose = createFieldChoice(fields, fieldsAddedBy(include));
    const detail: PlaceResult = choose(
      toPlaceDetail(place, {
        now: moment,
        language: parseLanguage(lang, ctx.get("Accept-Language")),
        links,
        ...(centre && { searchCentre: centre }),
        included: {
          periods: include?.has("periods") === true,
          ...(centre &&
            include?.has("distance") && { distanceMeters: distanceMeters(centre, place.location) }),
        },
      }),
    );
    const maxAgeSeconds = secondsUntilChange([place], moment, MAX_AGE_SECONDS);
    if (format === "json") sendCacheable<PlaceAnswer>(ctx, { place_result: detail }, maxAgeSeconds);
    else sendCacheable<PlaceFeature>(ctx, toFeature(detail, place.location), maxAgeSeconds, GEOJSON_TYPE);
  };
}

/** One coordinate alone is not a point: unlike in a search, neither has a default. */
function toCentre(latitude: number | undefined, longitude: number | undefined): Coordinates | undefined {
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}
