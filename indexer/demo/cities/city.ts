import type { Coordinates } from "../../../src/place/coordinates.ts";

/** What a street or a building is known for; it shifts which kinds of places stand there. */
export type Flavour =
  | ""
  | "bars"
  | "books"
  | "fashion"
  | "food"
  | "gold"
  | "hotels"
  | "luxury"
  | "mall"
  | "medical"
  | "offices"
  | "phones"
  | "vehicles"
  | "villas";

/**
 * Density is places per metre of street, relative: 10 for the heart of the old town, 5 for a full residential quarter, 1 for the
 * edge. Streets are those inside the ward, split by `|`; `numbered` adds "Đường số 1" to that number.
 */
export type WardRow = readonly [
  name: string,
  oldDistrict: string,
  latitude: number,
  longitude: number,
  radiusMeters: number,
  density: number,
  streets: string,
  numbered?: number,
];

/** Busyness multiplies the density of the wards the street crosses. `path` is latitude, longitude, latitude, longitude, … */
export type AvenueRow = readonly [name: string, busyness: number, flavour: Flavour, ...path: number[]];

/** A shopping centre: its name, house and street as an address line, and where it stands. */
export type MallRow = readonly [name: string, line: string, latitude: number, longitude: number];

/** A place that everybody knows: name, kind (a key of the catalogue), address line, position, other names split by `|`. */
export type LandmarkRow = readonly [
  name: string,
  kind: string,
  line: string,
  latitude: number,
  longitude: number,
  otherNames?: string,
];

/**
 * People name their stalls, dishes and lanes differently from north to south: an address behind a street is `45/7` in the south,
 * `Số 7 ngõ 45` in the north and `K45/7` in the middle.
 */
export type Region = "south" | "central" | "north";

export interface City {
  /** The name in use in titles: "Sài Gòn", "Nha Trang". */
  readonly localName: string;
  /** The province or municipality as an address has it. */
  readonly province: string;
  readonly shortProvince: string;
  /** What stood in addresses before July 2025: the old district follows the ward, this follows the district. */
  readonly oldProvince: string;
  readonly postcode: string;
  readonly areaCode: string;
  readonly region: Region;
  readonly centre: Coordinates;
  /** Reach of the city from its centre; no place is further. */
  readonly radiusMeters: number;
  readonly wards: readonly WardRow[];
  readonly avenues: readonly AvenueRow[];
  readonly malls: readonly MallRow[];
  readonly landmarks: readonly LandmarkRow[];
}
