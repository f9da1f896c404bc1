import { hangUpSignal } from "../middleware/hang-up.ts";
import type { HttpMiddleware } from "../middleware/request-state.ts";
import { parseLanguage } from "../place/localized-texts.ts";
import type { Language } from "../place/localized-texts.ts";
import type { PlaceSummaryDocument } from "../place/place-document.ts";
import { typeLabel } from "../place/type-codes.ts";
import type { PlaceSearch } from "../search/search-request.ts";
import { readTypedQuery } from "../search/typed-query.ts";
import { highlight } from "../text/highlight.ts";
import { autocompleteParameters } from "./parameters.ts";
import { parseQuery } from "./query.ts";
import { sendCacheable } from "./send-cacheable.ts";

/** Who deletes a letter sees again what was there before it. Nothing of a suggestion depends on the moment. */
const MAX_AGE_SECONDS = 60;

/** `GET /api/maps/autocomplete`: a few places for an input field, while somebody types. */
export function autocompleteRoute(search: PlaceSearch): HttpMiddleware {
  return async (ctx) => {
    const { q, lat, lng, limit, lang, include } = parseQuery(autocompleteParameters, ctx.querystring);
    const centre = { latitude: lat, longitude: lng };
    const request = { query: q, centre, limit, offset: 0 };
    const found = await search.suggest(request, hangUpSignal(ctx));
    ctx.state.results = found.length;
    const language = parseLanguage(lang, ctx.get("Accept-Language"));
    const { words } = readTypedQuery(q);
    const suggestions = found.map(({ place }) => ({
      ...toSuggestion(place, language),
      ...(include?.has("match") && { match: { value: highlight(place.title, words) } }),
    }));
    sendCacheable(ctx, { suggestions }, MAX_AGE_SECONDS);
  };
}

/** `subtext` tells places of one name apart: the address, or the kind of place and about where it is. */
function toSuggestion(place: PlaceSummaryDocument, language: Language): object {
  const { address, latitude, longitude } = place.location;
  const area = [address.ward, address.city].filter((part) => part !== "").join(", ");
  const kindAndArea =
    area === "" ? typeLabel(place.type, language) : `${typeLabel(place.type, language)} · ${area}`;
  return {
    value: place.title,
    subtext: address.full === "" ? kindAndArea : address.full,
    latitude,
    longitude,
    data_id: place.data_id,
    ...(place.place_id !== undefined && { place_id: place.place_id }),
  };
}
