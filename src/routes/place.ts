import type { PlaceAnswer } from "../api-types.ts";
import { unknownPlace } from "../errors.ts";
import type { HttpMiddleware } from "../middleware/request-state.ts";
import type { PlaceIndex } from "../place-index/place-index.ts";
import { distanceMeters } from "../place/coordinates.ts";
import type { Coordinates } from "../place/coordinates.ts";
import type { LinkSettings } from "../place/links.ts";
import { parseLanguage } from "../place/localized-texts.ts";
import { toPlaceDetail } from "../place/place-detail.ts";
import { placeParameters } from "./parameters.ts";
import { parseQuery } from "./query.ts";
import { sendJson } from "./send-json.ts";

export interface PlaceRouteOptions {
  readonly index: PlaceIndex;
  readonly links: LinkSettings;
  readonly now: () => Temporal.Instant;
}

/**
 * `GET /api/maps/place`: everything about one place. The place answers with the `data_id` it has now, which may differ from
 * the one asked for.
 */
export function placeRoute({ index, links, now }: PlaceRouteOptions): HttpMiddleware {
  return async (ctx) => {
    const { data_id, lat, lng, lang, include } = parseQuery(placeParameters, ctx.querystring);
    const place = await index.getPlace(data_id);
    if (place === undefined) throw unknownPlace();
    ctx.state.results = 1;

    const centre = toCentre(lat, lng);
    sendJson<PlaceAnswer>(ctx, {
      place_result: toPlaceDetail(place, {
        now: now(),
        language: parseLanguage(lang, ctx.get("Accept-Language")),
        links,
        ...(centre && { searchCentre: centre }),
        included: {
          periods: include?.has("periods") === true,
          ...(centre &&
            include?.has("distance") && { distanceMeters: distanceMeters(centre, place.location) }),
        },
      }),
    });
  };
}

/** Half a pair of coordinates is no point, and here neither has a default to complete it. */
function toCentre(latitude: number | undefined, longitude: number | undefined): Coordinates | undefined {
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}
