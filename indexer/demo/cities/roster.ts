import type { City } from "./city.ts";
import { daNang } from "./da-nang.ts";
import { haNoi } from "./ha-noi.ts";
import { hoChiMinhCity } from "./ho-chi-minh.ts";
import * as others from "./other-cities.ts";

interface CityShare {
  readonly city: City;
  /** Its places in every hundred, more or less: only the proportion to the others counts. */
  readonly share: number;
}

/** From this many places on one city would be fuller than it is, so Hanoi and Đà Nẵng come in. */
const THREE_CITIES_FROM = 20_000;
/** From this many on three cities would be, so the country comes in. */
const WHOLE_COUNTRY_FROM = 1_000_000;

const ONE_CITY: readonly CityShare[] = [{ city: hoChiMinhCity, share: 100 }];

const THREE_CITIES: readonly CityShare[] = [
  { city: hoChiMinhCity, share: 60 },
  { city: haNoi, share: 30 },
  { city: daNang, share: 10 },
];

/** About as the cities' people are to each other, with more for the towns that live on visitors. */
const WHOLE_COUNTRY: readonly CityShare[] = [
  { city: hoChiMinhCity, share: 38 },
  { city: haNoi, share: 22 },
  { city: daNang, share: 6 },
  { city: others.haiPhong, share: 4.2 },
  { city: others.canTho, share: 4 },
  { city: others.bienHoa, share: 3.6 },
  { city: others.thuDauMot, share: 3.4 },
  { city: others.nhaTrang, share: 2.6 },
  { city: others.hue, share: 2.2 },
  { city: others.vungTau, share: 1.9 },
  { city: others.daLat, share: 1.8 },
  { city: others.buonMaThuot, share: 1.4 },
  { city: others.quyNhon, share: 1.3 },
  { city: others.haLong, share: 1.2 },
  { city: others.vinh, share: 1.2 },
  { city: others.thanhHoa, share: 1.1 },
  { city: others.phanThiet, share: 0.9 },
  { city: others.hoiAn, share: 0.8 },
  { city: others.longXuyen, share: 0.8 },
  { city: others.myTho, share: 0.7 },
  { city: others.bacNinh, share: 0.6 },
  { city: others.phuQuoc, share: 0.5 },
];

/** How much of a country a run covers. */
export interface Roster {
  readonly cities: readonly CityShare[];
  /**
   * Chains grow slower than the number of places: a city known by a few thousand places is known by its chains, one with every
   * stall in it is not. It scales the share of branches among the places of a kind.
   */
  readonly brandFactor: number;
}

/** The cities for a gazetteer of so many places. */
export function rosterFor(places: number): Roster {
  if (places >= WHOLE_COUNTRY_FROM) return { cities: WHOLE_COUNTRY, brandFactor: 0.4 };
  if (places >= THREE_CITIES_FROM) return { cities: THREE_CITIES, brandFactor: 0.75 };
  return { cities: ONE_CITY, brandFactor: 1 };
}
