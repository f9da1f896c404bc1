import * as v from "valibot";
import { describe, expect, test } from "vitest";
import {
  fullPlaceSummarySchema,
  placeSummarySchema,
  toFullPlaceSummary,
  toPlaceSummary,
} from "../../../src/answers/search-response.ts";
import { toSuggestion } from "../../../src/answers/autocomplete-response.ts";
import { buildPlace } from "../../support/build-place.ts";
import { withIncluded } from "../../support/with-included.ts";

/** A Monday, five in the afternoon in Ho Chi Minh City. */
const CONTEXT = {
  now: Temporal.Instant.from("2026-03-02T10:00:00Z"),
  language: "vi",
  links: {
    publicBaseUrl: "https://places.example",
    externalMapsUrl: "https://maps.example/?ftid={data_id}",
  },
} as const;

const MINIMAL_MEMBERS = [
  "data_id",
  "title",
  "type",
  "rating",
  "reviews",
  "pricing",
  "contacts",
  "location",
  "open_state",
  "link_search_value",
  "link_place_detail",
  "link_external_maps",
  "link_docs",
];
const FULL_MEMBERS = MINIMAL_MEMBERS.toSpliced(9, 0, "opening_hours", "features");

const unknownPlace = buildPlace({ data_id: "0x1a:0x2b", title: "Quán không tên" });
const cafe = buildPlace({
  data_id: "0x31752ec6:0x9a",
  place_id: "ChIJ-1",
  title: "Cà phê Vợt",
  alternate_names: ["Vot coffee"],
  type: "COFFEE",
  rating: 4,
  reviews: 120,
  pricing: { min: 20_000, max: 20_000 },
  contacts: { phone: "028 1234 5678", website: "https://vot.example/" },
  location: {
    address: {
      full: "330 Phan Đình Phùng",
      street: "Phan Đình Phùng",
      ward: "Cầu Kiệu",
      city: "Hồ Chí Minh",
      country: "Việt Nam",
    },
    latitude: 10.7969,
    longitude: 106.6823,
  },
  opening_hours: {
    week: Array.from({ length: 7 }, (_, day) => (day === 6 ? [] : [[360, 1320]])),
    special_days: [{ date: "2026-04-30", ranges: [] }],
  },
  features: {
    accessibility: [],
    parking: [],
    payments: [],
    service_options: ["has_takeout"],
    other: ["serves_coffee"],
  },
});

describe("toPlaceSummary", () => {
  test("holds every member in the order of the contract, also of a place that nothing is known of", () => {
    const summary = toPlaceSummary(unknownPlace, CONTEXT);
    expect(Object.keys(summary)).toEqual(MINIMAL_MEMBERS);
    expect(v.is(placeSummarySchema, summary)).toBe(true);
    expect(summary).toMatchObject({
      rating: 0,
      reviews: 0,
      pricing: { min: 0, max: 0 },
      contacts: { phone: "", website: "" },
      location: { address: { full: "", street: "", ward: "", city: "", country: "" } },
      open_state: { is_open_now: false, text: "" },
    });
  });

  test.each([
    ["vi", "Nhà vệ sinh công cộng"],
    ["en", "Public toilet"],
  ] as const)(
    "shows the kind of a place without a name in the language %s, also in its links",
    (language, label) => {
      const place = buildPlace({ title: "", type: "TOILET" });
      const summary = v.parse(placeSummarySchema, toPlaceSummary(place, { ...CONTEXT, language }));
      expect(summary.title).toBe(label);
      expect(summary.link_search_value).toContain(`q=${encodeURIComponent(label)}&`);
      expect(toSuggestion(place, language).value).toBe(label);
    },
  );

  test("says what is known, and place_id only where it is", () => {
    const summary = toPlaceSummary(cafe, CONTEXT);
    expect(summary).toEqual({
      data_id: "0x31752ec6:0x9a",
      title: "Cà phê Vợt",
      type: "COFFEE",
      rating: 4,
      reviews: 120,
      pricing: { min: 20_000, max: 20_000 },
      contacts: { phone: "028 1234 5678", website: "https://vot.example/" },
      location: cafe.location,
      open_state: { is_open_now: true, text: "Đang mở cửa · Đóng cửa lúc 22:00" },
      link_search_value:
        "https://places.example/api/maps/search?q=C%C3%A0%20ph%C3%AA%20V%E1%BB%A3t&lat=10,7969&lng=106,6823",
      link_place_detail: "https://places.example/api/maps/place?data_id=0x31752ec6%3A0x9a",
      link_external_maps: "https://maps.example/?ftid=0x31752ec6%3A0x9a",
      link_docs: "https://places.example/docs#search",
      place_id: "ChIJ-1",
    });
    expect(JSON.stringify(summary)).toContain('"rating":4,');
  });

  test.each([
    [0, 0],
    [149.5, 150],
    [1234.4, 1234],
  ])("shows %d metres as %i, and no distance unless asked", (distanceMeters, shown) => {
    const summary = toPlaceSummary(unknownPlace, { ...CONTEXT, included: { distanceMeters } });
    expect(Object.keys(summary)).toEqual([...MINIMAL_MEMBERS, "distance_m"]);
    expect(summary.distance_m).toBe(shown);
  });

  test("shows periods, the explanation of its rank and what matched, each when asked for", () => {
    const periods = toPlaceSummary(cafe, { ...CONTEXT, included: { periods: true } });
    expect(v.is(withIncluded(placeSummarySchema, ["periods"]), periods)).toBe(true);
    expect(periods).toMatchObject({ next_change_at: "2026-03-02T22:00:00+07:00", special_days: [] });
    expect(periods.opening_periods).toHaveLength(6);

    const explanation = {
      text: 0.123456,
      distance: 0.1,
      prominence: 0,
      score: 0.2234561,
      parts: { begins: 0.123456, distance: 0.1 },
    };
    const explained = toPlaceSummary(cafe, { ...CONTEXT, included: { explanation } });
    expect(v.is(withIncluded(placeSummarySchema, ["explain"]), explained)).toBe(true);
    expect(explained.explanation).toEqual({
      text: 0.1235,
      distance: 0.1,
      prominence: 0,
      score: 0.2235,
      parts: { begins: 0.1235, distance: 0.1 },
    });

    const titleMatch = [{ offset: 0, length: 2 }];
    const matched = toPlaceSummary(cafe, { ...CONTEXT, included: { titleMatch } });
    expect(v.is(withIncluded(placeSummarySchema, ["match"]), matched)).toBe(true);
    expect(matched.match).toEqual({ title: titleMatch });
  });

  test("shows what was asked for even where there is nothing to show", () => {
    const included = { periods: true, titleMatch: [] };
    expect(toPlaceSummary(unknownPlace, { ...CONTEXT, included })).toMatchObject({
      opening_periods: null,
      special_days: [],
      next_change_at: null,
      match: { title: [] },
    });
  });

  test("shows nothing that a document holds besides", () => {
    const stored = { ...cafe, _geo: { lat: 1, lng: 2 }, location: { ...cafe.location, _cell: "x" } };
    expect(toPlaceSummary(stored, CONTEXT)).toEqual(toPlaceSummary(cafe, CONTEXT));
    expect(toFullPlaceSummary(stored, CONTEXT)).toEqual(toFullPlaceSummary(cafe, CONTEXT));
  });
});

describe("toFullPlaceSummary", () => {
  test("adds opening hours and features, also where they are unknown", () => {
    const summary = toFullPlaceSummary(unknownPlace, CONTEXT);
    expect(Object.keys(summary)).toEqual(FULL_MEMBERS);
    expect(v.is(fullPlaceSummarySchema, summary)).toBe(true);
    expect(summary.opening_hours.map(({ hours }) => hours)).toEqual(["", "", "", "", "", "", ""]);
    expect(Object.keys(summary.features)).toEqual([
      "accessibility",
      "parking",
      "payments",
      "service_options",
      "other",
    ]);
  });

  test("names days in the language of the answer, and never translates codes", () => {
    const summary = toFullPlaceSummary(cafe, { ...CONTEXT, language: "en" });
    expect(summary.opening_hours[0]).toEqual({ day: "Monday", hours: "06:00–22:00" });
    expect(summary.opening_hours[6]).toEqual({ day: "Sunday", hours: "" });
    expect(summary.features).toEqual(cafe.features);
    expect(summary.open_state.text).toBe("Open · Closes 10:00 PM");
  });
});

test.each([
  ["a member too many", { alternate_names: [] }],
  ["a rating between 0 and 1", { rating: 0.5 }],
  ["half a review", { reviews: 1.5 }],
  ["a text for a closed place", { open_state: { is_open_now: false, text: "Đóng cửa" } }],
  ["no text for an open place", { open_state: { is_open_now: true, text: "" } }],
  ["an empty place_id", { place_id: "" }],
  ["a distance that nobody asked for", { distance_m: 150 }],
  ["periods that nobody asked for", { next_change_at: null }],
])("the schema refuses %s", (_, change) => {
  expect(v.is(placeSummarySchema, { ...toPlaceSummary(cafe, CONTEXT), ...change })).toBe(false);
});

test("the two forms are not taken for each other", () => {
  expect(v.is(placeSummarySchema, toFullPlaceSummary(cafe, CONTEXT))).toBe(false);
  expect(v.is(fullPlaceSummarySchema, toPlaceSummary(cafe, CONTEXT))).toBe(false);
});

test.each([
  ["a distance with a fraction", { distance_m: 1.5 }],
  ["no distance", { distance_m: undefined }],
  ["a period that opens at 24:00", { opening_periods: [{ open: { day: 1, time: "24:00" } }] }],
  ["a period on the eighth day", { opening_periods: [{ open: { day: 8, time: "08:00" } }] }],
  ["a next change without a zone", { next_change_at: "2026-03-02T22:00:00" }],
  ["half an explanation", { explanation: { text: 1 } }],
  ["a match of no length", { match: { title: [{ offset: 1, length: 0 }] } }],
])("where everything was asked for the schema refuses %s", (_, change) => {
  const explanation = { text: 1, distance: 0, prominence: 0, score: 1, parts: { begins: 1 } };
  const included = { distanceMeters: 1, periods: true, explanation, titleMatch: [] };
  const summary = toPlaceSummary(cafe, { ...CONTEXT, included });
  const schema = withIncluded(placeSummarySchema, ["distance", "periods", "explain", "match"]);
  expect(v.is(schema, summary)).toBe(true);
  expect(v.is(schema, { ...summary, ...change })).toBe(false);
});
