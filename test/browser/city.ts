import type { PlaceDocument } from "../../src/place/document/place-document.ts";
import { buildPlace } from "../support/build-place.ts";
import { pointAt } from "../support/points.ts";
import { BAR, CAFE, UNKNOWN_SHOP } from "../support/sample-places.ts";

/** Where the searches of the tests begin. */
export const CENTRE = { latitude: 10.7721, longitude: 106.698 };

const ALL_DAY = Array.from({ length: 7 }, (): [number, number][] => [[0, 1440]]);
const NEVER = Array.from({ length: 7 }, (): [number, number][] => []);

/** Cafés in a spiral around the centre: the even ones are open all day, the others never; prices and ratings rise with the number. */
const CAFES = Array.from({ length: 30 }, (_, index): PlaceDocument => {
  const number = index + 1;
  return buildPlace({
    data_id: `0x2f:0x${number.toString(16)}`,
    title: `Cà phê Vòng Xoay ${number}`,
    type: "COFFEE",
    rating: 2 + (index % 7) * 0.5,
    reviews: 10 * number,
    pricing: { min: 10_000 * number, max: 12_000 * number },
    opening_hours: { week: number % 2 === 0 ? ALL_DAY : NEVER, special_days: [] },
    location: {
      ...pointAt(CENTRE, 60 * number, 47 * number),
      address: {
        full: `${number} Lê Lợi, Phường Bến Thành`,
        street: `${number} Lê Lợi`,
        ward: "Phường Bến Thành",
      },
    },
    photos: [
      {
        category_id: "all",
        category_label: "",
        media: [1, 2].map((picture) => ({
          id: `${number}-${picture}`,
          url: `http://127.0.0.1:1/${number}-${picture}.jpg`,
          width: 800,
          height: 600,
        })),
      },
    ],
    popular_times: Array.from({ length: 7 }, () => [
      { hour: 8, occupancy_percent: 30 },
      { hour: 18, occupancy_percent: 90 },
    ]),
  });
});

/** A small city to look at. */
export const CITY: readonly PlaceDocument[] = [CAFE, UNKNOWN_SHOP, BAR, ...CAFES];
