import type { AutocompleteAnswer, SuggestionFeatures } from "../../answers/autocomplete-response.ts";
import { GEOJSON_TYPE, toFeature, toFeatureCollection } from "../../answers/geojson.ts";
import { hangUpSignal, type HttpMiddleware } from "../request-state.ts";
import { parseLanguage } from "../../place/localized-texts.ts";
import { toSuggestion } from "../../answers/autocomplete-response.ts";
import type { PlaceSearch } from "../../search/search-request.ts";
import { shownTitle } from "../../place/type-codes.ts";
import { readQueryWords } from "../../search/reading/tokens.ts";
import { highlight } from "../../place/text/highlight.ts";
import type { RequestDefaults } from "../../place/request-defaults.ts";
import { autocompleteParameters, toCentre } from "../parameters.ts";
import { readParameters } from "../query-string.ts";
import { sendCacheable } from "../send.ts";

/** A caller who deletes a letter needs the earlier suggestions again. They do not change with time. */
const MAX_AGE_SECONDS = 60;

/** `GET /api/maps/autocomplete`: a few places for an input field, while a user types. */
export function autocompleteRoute(search: PlaceSearch, defaults: RequestDefaults): HttpMiddleware {
  return async (ctx) => {
    const parameters = readParameters(ctx, autocompleteParameters);
    const { q, limit, lang, include, format, bbox: bounds } = parameters;
    const centre = toCentre(parameters, defaults);
    const request = { query: q, centre, limit, offset: 0, ...(bounds && { refinements: { bounds } }) };
    const found = await search.suggest(request, hangUpSignal(ctx));
    ctx.state.results = found.length;
    const language = parseLanguage(lang, ctx.get("Accept-Language"), defaults.language);
    const { words } = readQueryWords(q);
    const suggestions = found.map(({ place }) => ({
      ...toSuggestion(place, language),
      ...(include?.has("match") && { match: { value: highlight(shownTitle(place, language), words) } }),
    }));
    if (format === "json") {
      sendCacheable<AutocompleteAnswer>(ctx, { suggestions }, MAX_AGE_SECONDS);
      return;
    }
    const features = suggestions.map((suggestion) => toFeature(suggestion, suggestion));
    sendCacheable<SuggestionFeatures>(ctx, toFeatureCollection(features, {}), MAX_AGE_SECONDS, GEOJSON_TYPE);
  };
}
