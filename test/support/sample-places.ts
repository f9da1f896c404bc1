import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { buildPlace } from "./build-place.ts";

const EVERY_DAY_SEVEN_TO_TEN = Array.from({ length: 7 }, (): [number, number][] => [[420, 1320]]);
const NIGHTS = Array.from({ length: 7 }, (): [number, number][] => [[1080, 1560]]);

/** A place with every field, and with an integer rating. */
export const CAFE: PlaceDocument = buildPlace({
  data_id: "0x31752f38f9ed6bb7:0xa1b2c3d4e5f60718",
  place_id: "ext-0001",
  title: "Cà phê Trứng Bà Sáu",
  alternate_names: ["Ba Sau Egg Coffee"],
  type: "COFFEE",
  rating: 4,
  reviews: 1_280,
  pricing: { min: 25_000, max: 60_000 },
  contacts: { phone: "+84 28 3829 0000", website: "https://basau.example/" },
  location: {
    latitude: 10.7721,
    longitude: 106.698,
    address: {
      full: "42 Lê Lợi, Phường Bến Thành, Thành phố Hồ Chí Minh, Việt Nam",
      street: "42 Lê Lợi",
      ward: "Phường Bến Thành",
      city: "Thành phố Hồ Chí Minh",
      country: "Việt Nam",
    },
  },
  opening_hours: {
    week: EVERY_DAY_SEVEN_TO_TEN,
    special_days: [{ date: "2027-02-06", ranges: [] }],
  },
  features: {
    accessibility: ["has_wheelchair_accessible_restroom"],
    parking: [],
    payments: ["pay_credit_card"],
    service_options: ["has_takeout"],
    other: ["feels_cozy"],
  },
  description: "Quán nhỏ trên gác, nổi tiếng với cà phê trứng.",
  popular_times: [
    [{ hour: 8, occupancy_percent: 65 }],
    [],
    [],
    [],
    [],
    [],
    [{ hour: 0, occupancy_percent: 0 }],
  ],
  review_list: [
    {
      review_id: "r1",
      author_name: "Lan",
      author_profile_pic: "https://img.example/lan.jpg",
      rating: 5,
      text: "Ngon!",
      photos: [{ id: "p1", url: "https://img.example/p1.jpg", width: 800, height: 600 }],
    },
  ],
  photos: [
    {
      category_id: "interior",
      category_label: "",
      media: [{ id: "m1", url: "https://img.example/m1.jpg", width: 1200, height: 900 }],
    },
  ],
});

/** A place of which only the name and the location are known. */
export const UNKNOWN_SHOP: PlaceDocument = buildPlace({
  data_id: "0x1f:0xb0",
  title: "Tiệm tạp hóa Cô Tư",
  location: { latitude: 10.7725, longitude: 106.6985 },
});

/** A place that is open past midnight and has an area, but no address. */
export const BAR: PlaceDocument = buildPlace({
  data_id: "0x1f:0xba2",
  title: "Mây Lang Thang Bar",
  type: "BAR",
  rating: 4.5,
  reviews: 310,
  location: {
    latitude: 10.7705,
    longitude: 106.7042,
    address: { ward: "Phường Sài Gòn", city: "Thành phố Hồ Chí Minh" },
  },
  opening_hours: { week: NIGHTS, special_days: [] },
});

export const SAMPLE_PLACES: readonly PlaceDocument[] = [CAFE, UNKNOWN_SHOP, BAR];
