import * as v from "valibot";
import { expect, test } from "vitest";
import { placeDetailSchema, toPlaceDetail } from "../../../src/answers/place-response.ts";
import { buildPlace } from "../../support/build-place.ts";
import { withIncluded } from "../../support/with-included.ts";

const CONTEXT = {
  now: Temporal.Instant.from("2026-03-02T10:00:00Z"),
  language: "vi",
  links: {
    publicBaseUrl: "https://places.example",
    externalMapsUrl: "https://maps.example/?ftid={data_id}",
  },
} as const;

const MEMBERS = [
  "data_id",
  "title",
  "type",
  "rating",
  "reviews",
  "pricing",
  "contacts",
  "location",
  "open_state",
  "opening_hours",
  "features",
  "link_search_value",
  "link_place_detail",
  "link_external_maps",
  "link_docs",
  "description",
  "global_plus_code",
  "popular_times",
  "review_list",
  "photos",
];

const photo = { id: "p1", url: "https://img.example/p1.jpg", width: 800, height: 600 };
const unknownPlace = buildPlace({
  title: "Quán không tên",
  location: { latitude: 10.7712, longitude: 106.7048 },
});
const restaurant = buildPlace({
  place_id: "ChIJ-1",
  title: "Phở Thìn",
  description: "Phở bò tái lăn.",
  popular_times: Array.from({ length: 7 }, (_, day) =>
    day === 0 ? [{ hour: 6, occupancy_percent: 80 }] : [],
  ),
  review_list: [
    {
      review_id: "r1",
      author_name: "Lan",
      author_profile_pic: "",
      rating: 5,
      text: "Ngon!",
      photos: [photo],
    },
  ],
  photos: [
    { category_id: "menu", category_label: "", media: [photo] },
    { category_id: "rooftop", category_label: "Sân thượng", media: [] },
  ],
});

test("holds every member in the order of the contract, also of a place that nothing is known of", () => {
  const detail = toPlaceDetail(unknownPlace, CONTEXT);
  expect(Object.keys(detail)).toEqual(MEMBERS);
  expect(v.is(placeDetailSchema, detail)).toBe(true);
  expect(detail).toMatchObject({ description: "", popular_times: [], review_list: [], photos: [] });
  expect(detail.global_plus_code).toBe("7P28QPC3+FW");
  expect(detail.link_docs).toBe("https://places.example/docs#place");
});

test("shows popular times, reviews and galleries in the language of the answer, and no place_id", () => {
  const detail = toPlaceDetail(restaurant, CONTEXT);
  expect(Object.keys(detail)).toEqual(MEMBERS);
  expect(v.is(placeDetailSchema, detail)).toBe(true);
  expect(detail.popular_times).toHaveLength(7);
  expect(detail.popular_times[0]).toEqual({
    day: "Thứ Hai",
    hours: [{ hour: 6, occupancy_percent: 80, status: "Thường rất đông", time_label: "06 giờ" }],
  });
  expect(detail.popular_times[6]).toEqual({ day: "Chủ Nhật", hours: [] });
  expect(detail.review_list).toEqual(restaurant.review_list);
  expect(detail.photos).toEqual([
    { category_id: "menu", category_label: "Thực đơn", media: [photo] },
    { category_id: "rooftop", category_label: "Sân thượng", media: [] },
  ]);
});

test("speaks English on request", () => {
  const detail = toPlaceDetail(restaurant, { ...CONTEXT, language: "en" });
  expect(detail.popular_times[0]?.hours[0]).toMatchObject({
    status: "Usually very busy",
    time_label: "6 AM",
  });
  expect(detail.photos[0]?.category_label).toBe("Menu");
  expect(detail.opening_hours[0]?.day).toBe("Monday");
});

test("the caller's point changes the centre of the search link and nothing else", () => {
  const alone = toPlaceDetail(restaurant, CONTEXT);
  const nearby = toPlaceDetail(restaurant, { ...CONTEXT, searchCentre: { latitude: 21.0285, longitude: 0 } });
  expect(alone.link_search_value.endsWith("&lat=10,7769&lng=106,7009")).toBe(true);
  expect(nearby).toEqual({
    ...alone,
    link_search_value: alone.link_search_value.replace("&lat=10,7769&lng=106,7009", "&lat=21,0285&lng=0"),
  });
});

test("shows a distance and periods only where they were asked for", () => {
  const detail = toPlaceDetail(restaurant, {
    ...CONTEXT,
    included: { distanceMeters: 321.9, periods: true },
  });
  expect(Object.keys(detail)).toEqual([
    ...MEMBERS,
    "distance_m",
    "opening_periods",
    "special_days",
    "next_change_at",
  ]);
  expect(detail.distance_m).toBe(322);
  expect(v.is(withIncluded(placeDetailSchema, ["distance", "periods"]), detail)).toBe(true);
  expect(v.is(placeDetailSchema, detail)).toBe(false);
});

test("shows nothing that a document holds besides", () => {
  const stored = {
    ...restaurant,
    _geo: { lat: 1, lng: 2 },
    photos: restaurant.photos.map((gallery) => ({ ...gallery, _note: "x" })),
    review_list: restaurant.review_list.map((review) => ({
      ...review,
      photos: [{ ...photo, _note: "x" }],
      _note: "x",
    })),
  };
  expect(toPlaceDetail(stored, CONTEXT)).toEqual(toPlaceDetail(restaurant, CONTEXT));
});

test.each([
  ["a member too many", { place_id: "ChIJ-1" }],
  ["six days of hours", { opening_hours: toPlaceDetail(restaurant, CONTEXT).opening_hours.slice(1) }],
  ["six days of popular times", { popular_times: toPlaceDetail(restaurant, CONTEXT).popular_times.slice(1) }],
  ["no plus code", { global_plus_code: "" }],
])("the schema refuses %s", (_, change) => {
  expect(v.is(placeDetailSchema, { ...toPlaceDetail(restaurant, CONTEXT), ...change })).toBe(false);
});
