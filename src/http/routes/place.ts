import type { PlaceAnswer } from "../../api-types.ts";
import { unknownPlace } from "../../errors.ts";
import { hangUpSignal, type HttpMiddleware } from "../request-state.ts";
import type { PlaceIndex } from "../../meilisearch/place-index.ts";
import { secondsUntilChange } from "../../place/freshness.ts";
import { distanceMeters, type Coordinates } from "../../place/coordinates.ts";
import type { LinkSettings } from "../../answers/links.ts";
import { parseLanguage } from "../../place/localized-texts.ts";
import { toPlaceDetail } from "../../answers/place-detail.ts";
import { placeParameters } from "../parameters.ts";
import { parseQuery } from "../query-string.ts";
import { sendCacheable } from "../send.ts";

export interface PlaceRouteOptions {
  readonly index: PlaceIndex;
  readonly links: LinkSettings;
  readonly now: () => Temporal.Instant;
}

/** A record changes less often than what a search finds; five minutes are one look at a place, and coming back to it. */
const MAX_AGE_SECONDS = 300;

/**
 * `GET /api/maps/place`: everything about one place. The place answers with the `data_id` it has now, which may differ from
 * the one asked for.
 */
export function placeRoute({ index, links, now }: PlaceRouteOptions): HttpMiddleware {
  return async (ctx) => {
    const { data_id, lat, lng, lang, include } = parseQuery(placeParameters, ctx.querystring);
    const place = await index.getPlace(data_id, hangUpSignal(ctx));
    if (place === undefined) throw unknownPlace();
    ctx.state.results = 1;

    const centre = toCentre(lat, lng);
    const moment = now();
    const answer: PlaceAnswer = {
      place_result: toPlaceDetail(place, {
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
    };
    sendCacheable(ctx, answer, secondsUntilChange([place], moment, MAX_AGE_SECONDS));
  };
}

/** Half a pair of coordinates is no point, and here neither has a default to complete it. */
function toCentre(latitude: number | undefined, longitude: number | undefined): Coordinates | undefined {
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}
