import { toPhotonFeature, type PhotonAnswer } from "../../answers/photon-response.ts";
import { parseLanguage } from "../../place/document/localized-texts.ts";
import type { RequestDefaults } from "../../place/request-defaults.ts";
import type { FoundPlaces, PlaceSearch } from "../../search/search-request.ts";
import { MAX_RADIUS_METERS, toMinute } from "../refinement-parameters.ts";
import { photonParameters, photonReverseParameters, toCentre } from "../parameters.ts";
import { type RouteSteps, withParameters } from "../query-string.ts";
import { hangUpSignal, type HttpContext } from "../request-state.ts";
import { noteMissing, sendCacheable } from "../send.ts";

interface PhotonRouteOptions {
  readonly search: PlaceSearch;
  readonly now: () => Temporal.Instant;
  readonly defaults: RequestDefaults;
}

const MAX_AGE_SECONDS = 60;

const METERS_PER_KILOMETER = 1_000;

/** `GET /photon/api`: a search with the parameters and the response of Photon. */
export function photonRoute({ search, now, defaults }: PhotonRouteOptions): RouteSteps {
  return withParameters(photonParameters, async (ctx, { q, lat, lon, bbox, limit, lang }) => {
    const centre = toCentre({ lat, lng: lon, bbox }, defaults);
    const refinements = bbox ? { bounds: bbox } : {};
    const request = { query: q, centre, limit, offset: 0, refinements, now: toMinute(now()) };
    const found = await search.search(request, hangUpSignal(ctx));
    ctx.state.foundNothing = found.places.length === 0;
    ctx.state.searched = q;
    sendFeatures(ctx, found, lang, defaults);
  });
}

/** `GET /photon/reverse`: the places around a point, nearest first, within `radius` kilometres. */
export function photonReverseRoute({ search, now, defaults }: PhotonRouteOptions): RouteSteps {
  return withParameters(photonReverseParameters, async (ctx, { lat, lon, radius, limit, lang }) => {
    const centre = { latitude: lat, longitude: lon };
    const radiusMeters = Math.max(1, Math.min(MAX_RADIUS_METERS, radius * METERS_PER_KILOMETER));
    const page = { query: "", centre, limit, offset: 0, sort: "distance" } as const;
    const request = { ...page, refinements: { radiusMeters }, now: toMinute(now()) };
    sendFeatures(ctx, await search.search(request, hangUpSignal(ctx)), lang, defaults);
  });
}

function sendFeatures(
  ctx: HttpContext,
  { places: found, missingPartitions }: FoundPlaces,
  lang: string | undefined,
  defaults: RequestDefaults,
): void {
  ctx.state.results = found.length;
  const maxAgeSeconds = noteMissing(ctx, missingPartitions, MAX_AGE_SECONDS);
  const language = parseLanguage(lang, ctx.get("Accept-Language"), defaults.language);
  const features = found.map(({ place }) => toPhotonFeature(place, language));
  sendCacheable<PhotonAnswer>(ctx, { type: "FeatureCollection", features }, maxAgeSeconds);
}
