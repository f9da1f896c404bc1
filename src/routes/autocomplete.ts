import type { AutocompleteAnswer } from "../api-types.ts";
import type { HttpMiddleware } from "../middleware/request-state.ts";
import { parseLanguage } from "../place/localized-texts.ts";
import { toSuggestion } from "../place/suggestion.ts";
import type { PlaceSearch } from "../search/search-request.ts";
import { readTypedQuery } from "../search/typed-query.ts";
import { highlight } from "../text/highlight.ts";
import { autocompleteParameters } from "./parameters.ts";
import { parseQuery } from "./query.ts";
import { sendJson } from "./send-json.ts";

/** `GET /api/maps/autocomplete`: a few places for an input field, while somebody types. */
export function autocompleteRoute(search: PlaceSearch): HttpMiddleware {
  return async (ctx) => {
    const { q, lat, lng, limit, lang, include } = parseQuery(autocompleteParameters, ctx.querystring);
    const centre = { latitude: lat, longitude: lng };
    const found = await search.suggest({ query: q, centre, limit, offset: 0 });
    ctx.state.results = found.length;
    const language = parseLanguage(lang, ctx.get("Accept-Language"));
    const { words } = readTypedQuery(q);
    sendJson<AutocompleteAnswer>(ctx, {
      suggestions: found.map(({ place }) => ({
        ...toSuggestion(place, language),
        ...(include?.has("match") && { match: { value: highlight(place.title, words) } }),
      })),
    });
  };
}
