import { describe, expect, test } from "vitest";
import {
  contentHash,
  packPlace,
  readFirstPhoto,
  sourceOf,
  toPlaceDocument,
  toSummary,
} from "../../../src/meilisearch/packed-place.ts";
import { FEATURE_CODES, shortFeature } from "../../../src/place/document/feature-codes.ts";
import type { OpenRange, PlaceDocument } from "../../../src/place/document/place-document.ts";
import { buildPlace, type PlaceFacts } from "../../support/build-place.ts";

const pack = (place: PlaceDocument) => packPlace(place, "1");

const photo = { id: "p1", url: "https://example.com/1.jpg", width: 800, height: 600 };
const review = {
  review_id: "r1",
  author_name: "Lan",
  author_profile_pic: "",
  rating: 5,
  text: "Ngon | rẻ ^ gần\nsẽ quay lại",
  photos: [photo],
};
const week = (...days: OpenRange[][]): OpenRange[][] =>
  Array.from({ length: 7 }, (_, day) => days[day] ?? []);
const everyDay = (...ranges: OpenRange[]): OpenRange[][] => Array.from({ length: 7 }, () => ranges);

const address = (full: string, parts: Partial<PlaceDocument["location"]["address"]> = {}): PlaceFacts => ({
  location: { address: { full, ...parts } },
});

const PLACES: [string, PlaceFacts][] = [
  ["nothing but its name", { title: "Phở Hòa" }],
  ["no name", { title: "" }],
  ["marks that separate values in its texts", { title: "A|B ^ C^1", alternate_names: ["|", "^0", "~"] }],
  [
    "a street, a ward and a city of its address",
    address("12 Lê Lợi, Phường Bến Thành, Thành phố Hồ Chí Minh", {
      street: "12 Lê Lợi",
      ward: "Phường Bến Thành",
      city: "Thành phố Hồ Chí Minh",
      country: "Việt Nam",
    }),
  ],
  [
    "a street of several parts",
    address("Tầng 3, Crescent Mall, 101 Tôn Dật Tiên, Q.7", {
      street: "Tầng 3, Crescent Mall, 101 Tôn Dật Tiên",
    }),
  ],
  ["a city that its address does not name", address("12 Lê Lợi", { city: "Huế", ward: "12 Lê" })],
  [
    "parts of an address that look packed",
    address("~0, ~", { street: "~0-1", ward: "~", city: "~=", country: "~" }),
  ],
  ["another country", { location: { country_code: "JP", address: { country: "Japan" } } }],
  ["no country", { location: { country_code: "", address: { country: "" } } }],
  ["another time zone", { location: { timezone: "Asia/Tokyo" } }],
  ["a rating", { rating: 4.5, reviews: 12 }],
  ["the usual country", { location: { country_code: "VN", address: { country: "Việt Nam" } } }],
  ["an id of another provider", { place_id: "ChIJ0T2N" }],
  ["an empty id of another provider", { place_id: "" }],
  ["a date of confirmation and other names", { confirmed_on: "2026-01-31", alternate_names: ["Pho Hoa"] }],
  [
    "a price and contacts",
    {
      pricing: { min: 0, max: 80_000.5 },
      contacts: { phone: "+84 28", website: "https://a.example/?a=1|2" },
    },
  ],
  ["areas, some of them estimated", { areas: ["w26740", "p79"], has_estimated_areas: true }],
  ["no area, though they were looked up", { areas: [] }],
  ["a data id that came with its record", { has_given_id: true, source: "osm", source_id: "node/1" }],
  ["a type from its title", { type: "PHO", source_type: "RESTAURANT", source: "osm", source_id: "node/1" }],
  ["a type from its title and no source", { type: "PHO", source_type: "PLACE", source: "", source_id: "" }],
  ["a source with a bar and no id there", { source: "a|b", source_id: "" }],
  ["hours for a while only", { business_status: "closed_temporarily" }],
  ["a last day", { business_status: "closed_permanently" }],
  ["the same hours every day", { opening_hours: { week: everyDay([420, 1320]), special_days: [] } }],
  ["no open day", { opening_hours: { week: everyDay(), special_days: [] } }],
  ["hours on one day", { opening_hours: { week: week([[0, 1440]]), special_days: [] } }],
  [
    "hours on the last day",
    {
      opening_hours: {
        week: week(
          [],
          [],
          [],
          [],
          [],
          [],
          [
            [420, 690],
            [780, 1565],
          ],
        ),
        special_days: [],
      },
    },
  ],
  [
    "special days",
    {
      opening_hours: {
        week: everyDay([420, 690], [780, 1320]),
        special_days: [
          { date: "2027-01-01", ranges: [] },
          { date: "2027-02-17", ranges: [[480, 720]] },
        ],
      },
    },
  ],
  [
    "known features",
    {
      features: {
        accessibility: ["has_wheelchair_accessible_entrance"],
        parking: [],
        payments: ["pay_cash", "pay_qr_code"],
        service_options: [],
        other: ["has_restroom"],
      },
    },
  ],
  [
    "a feature that nobody knows",
    {
      features: {
        accessibility: [],
        parking: [],
        payments: [],
        service_options: [],
        other: ["has_karaoke_room"],
      },
    },
  ],
  [
    "features that look packed",
    {
      features: {
        accessibility: ["0a1"],
        parking: ["a,b"],
        payments: ["c/d"],
        service_options: ["Ghế trẻ em"],
        other: [""],
      },
    },
  ],
  ["a short description", { description: "Vintage" }],
  ["a long description", { description: "Quán nhỏ, yên tĩnh, ".repeat(40) }],
  [
    "reviews and photos",
    {
      review_list: [review, { ...review, text: "" }],
      photos: [{ category_id: "menu", category_label: "", media: [photo, photo] }],
    },
  ],
  [
    "popular times",
    {
      popular_times: [
        [
          { hour: 23, occupancy_percent: 100 },
          { hour: 0, occupancy_percent: 7 },
        ],
        [],
        [],
        [],
        [],
        [],
        [],
      ],
    },
  ],
  ["popular times of which there are none", { popular_times: [[], [], [], [], [], [], []] }],
];

describe("a packed place", () => {
  test.each(PLACES)("with %s is given back as it was, with its content hash", (_, facts) => {
    const place = buildPlace(facts);
    const read = toPlaceDocument(pack(place));
    expect(read).toStrictEqual(place);
    expect(contentHash(read, "1")).toBe(pack(place).content_hash);
  });

  test("has another content hash when anything of it changes, or the form it is stored in", () => {
    const hashes = PLACES.map(([, facts]) => contentHash(buildPlace({ ...facts, data_id: "0x1:0x2" }), "1"));
    expect(new Set(hashes).size).toBe(PLACES.length);
    expect(contentHash(buildPlace(), "2")).not.toBe(contentHash(buildPlace(), "1"));
  });

  test("keeps what an operator looks for readable", () => {
    const place = buildPlace({
      data_id: "0x1:0x49",
      title: "Phở Hòa",
      type: "PHO",
      rating: 4.5,
      reviews: 12,
      source: "osm",
      source_id: "node/1",
    });
    expect(pack(place)).toMatchObject({
      id: "0x49",
      title: "Phở Hòa",
      type: "PHO",
      rating: 4.5,
      reviews: 12,
      _geo: { lat: place.location.latitude, lng: place.location.longitude },
      source: "osm|node/1",
    });
  });

  test("names its source", () => {
    expect(sourceOf(pack(buildPlace({ source: "a|b", source_id: "1" })))).toBe("a|b");
  });

  test("shows its first photo, if it has one", () => {
    const photos = [
      { category_id: "menu", category_label: "", media: [] },
      { category_id: "all", category_label: "", media: [photo] },
    ];
    expect(readFirstPhoto(pack(buildPlace({ photos })))).toEqual({ first_photo: photo });
    expect(readFirstPhoto(pack(buildPlace()))).toEqual({});
  });

  test("takes little space: what most places have is not stored, and long texts are compressed", () => {
    for (const field of ["areas", "busy_hours", "detail", "rating", "timezone"])
      expect(pack(buildPlace({ title: "Phở Hòa" }))).not.toHaveProperty(field);
    const long = pack(buildPlace({ description: "Quán nhỏ, yên tĩnh, ".repeat(40) }));
    expect(long.detail?.length).toBeLessThan(100);
  });

  test("needs only some of its fields for a summary", () => {
    const packed = pack(buildPlace({ title: "Phở Hòa", description: "Vintage", areas: ["p79"] }));
    const { id, location_half, title, type, _geo, summary } = packed;
    const read = toSummary({ id, location_half, title, type, _geo, summary });
    expect(read).toMatchObject({ title: "Phở Hòa", rating: 0, reviews: 0 });
    expect(Object.keys(read)).not.toContain("areas");
  });
});

test("short codes of features differ from each other", () => {
  expect(new Set(Array.from(FEATURE_CODES.keys(), shortFeature)).size).toBe(FEATURE_CODES.size);
});
