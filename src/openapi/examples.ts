import type { AutocompleteAnswer, PlaceAnswer, SearchAnswer } from "../api-types.ts";
import type { Inclusions } from "../place/included-members.ts";
import type { LinkSettings } from "../place/links.ts";
import { toPlaceDetail } from "../place/place-detail.ts";
import { toFullPlaceSummary, toPlaceSummary } from "../place/place-summary.ts";
import { toSuggestion } from "../place/suggestion.ts";
import { EXAMPLE_MOMENT, EXAMPLE_PLACE } from "./example-place.ts";
import type { JsonObject } from "./json-schema.ts";

/** The example answers are what the server itself would say of one made-up place. */

const TITLE_MATCH = [
  { offset: 0, length: 2 },
  { offset: 3, length: 3 },
];

const EVERYTHING: Inclusions = {
  distanceMeters: 620,
  periods: true,
  explanation: { text: 0.724, distance: 0.0849, prominence: 0.0214, score: 0.8303 },
  titleMatch: TITLE_MATCH,
};

const viewOf = (links: LinkSettings, language: "vi" | "en" = "vi") => ({
  now: Temporal.Instant.from(EXAMPLE_MOMENT),
  language,
  links,
});

/** `GET /api/maps/search?q=ca+phe`, as it is and with everything a caller can ask for. */
export function buildSearchExamples(links: LinkSettings): JsonObject {
  const minimal: SearchAnswer = { local_result: [toPlaceSummary(EXAMPLE_PLACE, viewOf(links))] };
  const full: SearchAnswer = {
    local_result: [toFullPlaceSummary(EXAMPLE_PLACE, { ...viewOf(links, "en"), included: EVERYTHING })],
  };
  return {
    minimal: { summary: "q=ca phe", value: minimal },
    everything: {
      summary: "q=ca phe, type=full, include=distance,periods,explain,match, lang=en",
      value: full,
    },
    nothing: { summary: "Nothing was found", value: { local_result: [] } },
  };
}

/** `GET /api/maps/place` */
export function buildPlaceExamples(links: LinkSettings): JsonObject {
  const value: PlaceAnswer = { place_result: toPlaceDetail(EXAMPLE_PLACE, viewOf(links)) };
  return { place: { summary: "A café", value } };
}

/** `GET /api/maps/autocomplete?q=ca+ph&include=match` */
export function buildAutocompleteExamples(): JsonObject {
  const suggestion = toSuggestion(EXAMPLE_PLACE, "vi");
  const match = {
    value: [
      { offset: 0, length: 2 },
      { offset: 3, length: 2 },
    ],
  };
  const value: AutocompleteAnswer = { suggestions: [{ ...suggestion, match }] };
  return { suggestions: { summary: "q=ca ph, include=match", value } };
}
