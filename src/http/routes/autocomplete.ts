import type {
  AutocompleteAnswer,
  QuerySuggestion,
  Suggestion,
  SuggestionFeatures,
} from "../../answers/autocomplete-response.ts";
import { GEOJSON_TYPE, toFeature, toFeatureCollection } from "../../answers/geojson.ts";
import { hangUpSignal } from "../request-state.ts";
import { parseLanguage } from "../../place/document/localized-texts.ts";
import { toQuerySuggestion, toSuggestion } from "../../answers/autocomplete-response.ts";
import type { PlaceSearch } from "../../search/search-request.ts";
import { readQueryWords } from "../../search/reading/tokens.ts";
import { highlight } from "../../place/text/highlight.ts";
import type { RequestDefaults } from "../../place/request-defaults.ts";
import { autocompleteParameters, toCentre } from "../parameters.ts";
import { toShapes } from "../refinement-parameters.ts";
import { type RouteSteps, withParameters } from "../query-string.ts";
import { noteMissing, sendCacheable } from "../send.ts";

/** A caller who deletes a letter needs the earlier suggestions again. They do not change with time. */
const MAX_AGE_SECONDS = 60;

/** `GET /api/maps/autocomplete`: a few places for an input field, while a user types; with kinds and areas on request. */
export function autocompleteRoute(search: PlaceSearch, defaults: RequestDefaults): RouteSteps {
  return withParameters(autocompleteParameters, async (ctx, parameters) => {
    const { q, limit, lang, include, format, bbox: bounds, bbox_bias: preferred } = parameters;
    const centre = toCentre(parameters, defaults);
    const request = {
      query: q,
      centre,
      limit,
      offset: 0,
      refinements: { ...(bounds && { bounds }), ...toShapes(parameters) },
      ...(preferred && { preferred }),
    };
    const { places: found, missingPartitions } = await search.suggest(request, hangUpSignal(ctx));
    const maxAgeSeconds = noteMissing(ctx, missingPartitions, MAX_AGE_SECONDS);
    const language = parseLanguage(lang, ctx.get("Accept-Language"), defaults.language);
    const typed = readQueryWords(q);
    const withMatch = <Element extends { readonly value: string }>(one: Element) => ({
      ...one,
      ...(include?.has("match") && { match: { value: highlight(one.value, typed.words) } }),
    });
    const places = found.map(({ place }) => toSuggestion(place, language));
    if (format === "geojson") {
      ctx.state.results = places.length;
      const features = places.map(withMatch).map((suggestion) => toFeature(suggestion, suggestion));
      sendCacheable<SuggestionFeatures>(ctx, toFeatureCollection(features, {}), maxAgeSeconds, GEOJSON_TYPE);
      return;
    }
    const queries = include?.has("queries")
      ? search.complete(q, centre, limit).map((one) => toQuerySuggestion(one, language))
      : undefined;
    const suggestions = queries
      ? mix(places, queries, { limit, isQueryFirst: typed.joined.length >= LETTERS_OF_QUERY })
      : places;
    ctx.state.results = suggestions.length;
    sendCacheable<AutocompleteAnswer>(ctx, { suggestions: suggestions.map(withMatch) }, maxAgeSeconds);
  });
}

/** Fewer letters begin too many words: then names come first. */
const LETTERS_OF_QUERY = 3;

/** Kinds and areas take half of the list, or what places leave free. */
function mix(
  places: readonly Suggestion[],
  queries: readonly QuerySuggestion[],
  { limit, isQueryFirst }: { readonly limit: number; readonly isQueryFirst: boolean },
): (Suggestion | QuerySuggestion)[] {
  const chosen = queries.slice(0, Math.max(limit >> 1, limit - places.length));
  const marked = places
    .slice(0, limit - chosen.length)
    .map((place) => ({ ...place, type: "place" as const, query: place.value }));
  return isQueryFirst ? [...chosen, ...marked] : [...marked, ...chosen];
}
