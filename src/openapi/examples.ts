import { toPhotonFeature, type PhotonAnswer } from "../answers/photon-response.ts";
import type { AutocompleteAnswer } from "../answers/autocomplete-response.ts";
import type { PlaceAnswer, PlacesAnswer } from "../answers/place-response.ts";
import { toReverseResult, type ReverseAnswer } from "../answers/reverse-response.ts";
import type { NearbyAnswer, SearchAnswer } from "../answers/search-response.ts";
import type { Inclusions } from "../answers/included-fields.ts";
import type { LinkSettings } from "../answers/links.ts";
import { toPlaceDetail } from "../answers/place-response.ts";
import { toFullPlaceSummary, toPlaceSummary } from "../answers/search-response.ts";
import { toQuerySuggestion, toSuggestion } from "../answers/autocomplete-response.ts";
import type { JsonObject } from "./parameters.ts";
import type { PlaceDocument } from "../place/document/place-document.ts";

/** The example responses are what the server would return for one made-up place. */

const TITLE_MATCH = [
  { offset: 0, length: 2 },
  { offset: 3, length: 3 },
];

const EVERYTHING: Inclusions = {
  distanceMeters: 620,
  periods: true,
  explanation: {
    text: 0.4,
    distance: -0.1166,
    prominence: 0.0214,
    score: 0.3048,
    parts: { begins: 0.4, distance: -0.1166, prominence: 0.0214 },
  },
  titleMatch: TITLE_MATCH,
};

const viewOf = (links: LinkSettings, language: "vi" | "en" = "vi") => ({
  now: Temporal.Instant.from(EXAMPLE_MOMENT),
  language,
  links,
});

/** `GET /api/maps/search?q=ca+phe`, plain and with everything that can be included. */
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

/** `GET /api/maps/nearby?include=distance` */
export function buildNearbyExamples(links: LinkSettings): JsonObject {
  const included = { distanceMeters: 620 };
  const value: NearbyAnswer = {
    local_result: [toPlaceSummary(EXAMPLE_PLACE, { ...viewOf(links), included })],
  };
  return { places: { summary: "include=distance", value } };
}

/** `GET /api/maps/reverse?include=distance` */
export function buildReverseExamples(links: LinkSettings): JsonObject {
  const included = { distanceMeters: 12 };
  const value: ReverseAnswer = {
    reverse_result: toReverseResult([{ place: EXAMPLE_PLACE, distanceMeters: 12 }], []),
    local_result: [toPlaceSummary(EXAMPLE_PLACE, { ...viewOf(links), included })],
  };
  return { point: { summary: "include=distance", value } };
}

/** `GET /api/maps/place` */
export function buildPlaceExamples(links: LinkSettings): JsonObject {
  const value: PlaceAnswer = { place_result: toPlaceDetail(EXAMPLE_PLACE, viewOf(links)) };
  return { place: { summary: "A café", value } };
}

/** `GET /api/maps/places`, of three ids: one of them leads to a place that moved, one to none. */
export function buildPlacesExamples(links: LinkSettings): JsonObject {
  const detail = toPlaceDetail(EXAMPLE_PLACE, viewOf(links));
  const value: PlacesAnswer = {
    place_results: [detail, { ...detail, redirected_from: "0x31752f38f9ed6000:0xa1b2c3d4e5f60718" }],
    unknown_ids: ["0x1:0x2"],
  };
  return { places: { summary: "A café, by its id of today and by an older one", value } };
}

/** `GET /photon/api?q=ca+phe` */
export function buildPhotonExamples(): JsonObject {
  const value: PhotonAnswer = { type: "FeatureCollection", features: [toPhotonFeature(EXAMPLE_PLACE, "vi")] };
  return { places: { summary: "q=ca phe", value } };
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
  const kind = toQuerySuggestion({ kind: "COFFEE", typedBefore: "" }, "vi");
  const place = { ...suggestion, type: "place" as const, query: suggestion.value };
  const mixed: AutocompleteAnswer = { suggestions: [kind, place] };
  return {
    suggestions: { summary: "q=ca ph, include=match", value },
    queries: { summary: "q=ca ph, include=queries", value: mixed },
  };
}

/** A made-up café with every field known: open 07:00 to 22:00 every day, and closed on one date. */
const EXAMPLE_PLACE: PlaceDocument = {
  data_id: "0x31752f38f9ed6bb7:0xa1b2c3d4e5f60718",
  source: "city-survey",
  source_id: "shops/1204",
  title: "Cà phê Trứng Bà Sáu",
  alternate_names: [],
  type: "COFFEE",
  rating: 4.5,
  reviews: 1_280,
  pricing: { min: 25_000, max: 60_000 },
  contacts: { phone: "+84 28 3829 0000", website: "https://basau.example/" },
  location: {
    address: {
      full: "42 Lê Lợi, Phường Bến Thành, Thành phố Hồ Chí Minh, Việt Nam",
      street: "42 Lê Lợi",
      ward: "Phường Bến Thành",
      city: "Thành phố Hồ Chí Minh",
      country: "Việt Nam",
    },
    latitude: 10.7721,
    longitude: 106.698,
    timezone: "Asia/Ho_Chi_Minh",
    country_code: "VN",
  },
  business_status: "operational",
  opening_hours: {
    week: Array.from({ length: 7 }, (): [number, number][] => [[420, 1320]]),
    special_days: [{ date: "2026-11-24", ranges: [] }],
  },
  features: {
    accessibility: ["has_wheelchair_accessible_restroom"],
    parking: ["has_parking_motorcycle"],
    payments: ["pay_credit_card"],
    service_options: ["has_takeout", "has_delivery"],
    other: ["feels_cozy", "serves_coffee"],
  },
  description: "Quán nhỏ trên gác, nổi tiếng với cà phê trứng.",
  popular_times: Array.from({ length: 7 }, () => [
    { hour: 8, occupancy_percent: 65 },
    { hour: 15, occupancy_percent: 40 },
  ]),
  review_list: [
    {
      review_id: "r-1",
      author_name: "Lan",
      author_profile_pic: "",
      rating: 5,
      text: "Cà phê trứng ngon, nhân viên dễ thương.",
      photos: [{ id: "r-1-1", url: "https://img.example/r-1-1.jpg", width: 800, height: 600 }],
    },
  ],
  photos: [
    {
      category_id: "interior",
      category_label: "",
      media: [{ id: "m-1", url: "https://img.example/m-1.jpg", width: 1_200, height: 900 }],
    },
  ],
};

/** A Friday, ten in the morning local time. */
const EXAMPLE_MOMENT = "2026-11-20T03:00:00Z";
