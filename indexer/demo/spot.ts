import type { Coordinates } from "../../src/place/geometry/coordinates.ts";
import type { City, LandmarkRow, Region } from "./cities.ts";
import { streetOfLine, type CityMap, type Stretch, type Ward } from "./city-map.ts";
import type { Random } from "./random.ts";

/** The location of a place. */
export interface Spot extends Coordinates {
  readonly city: City;
  readonly ward: Ward;
  readonly street: string;
  /** The number on the door or at the entrance of its lane. A name may contain it ("Phở 29"). */
  readonly houseNumber: number;
  /** House and street as on the sign: `45/7 Trần Quang Diệu`. */
  readonly line: string;
  readonly mall?: string;
}

/** Where to put a place along a stretch. */
export interface Settling {
  readonly map: CityMap;
  readonly stretch: Stretch;
  /** Whether the place can do without a shop front on the street. */
  readonly mayHideInLane: boolean;
}

/** One house number for this many metres on each side, as with narrow tube houses. */
const METERS_PER_HOUSE = 4.4;
/** The share of places in lanes, among those that may be in one. */
const LANE_SHARE = 0.28;
/** The first house in a lane stands behind the houses of the street. */
const LANE_FROM_METERS = 18;
/** Six decimals are a tenth of a metre. */
const COORDINATE_SCALE = 1_000_000;

const roundCoordinate = (degrees: number): number =>
  Math.round(degrees * COORDINATE_SCALE) / COORDINATE_SCALE;

/**
 * Puts a place somewhere along a stretch: at its front, in a lane behind it, or on a floor of its building.
 */
export function settleSpot({ map, stretch, mayHideInLane }: Settling, random: Random): Spot {
  const alongMeters = random.fraction() * stretch.lengthMeters;
  const [left, right] = stretch.reach;
  const isWishedEven = random.chance(0.5);
  const isEven = (isWishedEven ? right : left) > 0 ? isWishedEven : !isWishedEven;
  const reach = isEven ? right : left;
  const mayHide = stretch.mall === undefined && mayHideInLane && reach > LANE_FROM_METERS;
  const isLane = mayHide && random.chance(LANE_SHARE);
  const depthMeters =
    stretch.setbackMeters + (isLane ? random.between(LANE_FROM_METERS, reach) : random.between(7, 14));
  const aside = isEven ? depthMeters : -depthMeters;
  const houseNumber =
    2 * Math.floor((stretch.fromMeters + alongMeters) / (2 * METERS_PER_HOUSE)) + (isEven ? 2 : 1);
  const { city, plane } = map;
  return {
    city,
    ward: stretch.ward,
    street: stretch.street,
    houseNumber,
    line: addressLine({ stretch, houseNumber, isLane, region: city.region }, random),
    latitude: roundCoordinate(
      stretch.latitude + (alongMeters * stretch.north - aside * stretch.east) / plane.metersPerLatitude,
    ),
    longitude: roundCoordinate(
      stretch.longitude + (alongMeters * stretch.east + aside * stretch.north) / plane.metersPerLongitude,
    ),
    ...(stretch.mall === undefined ? {} : { mall: stretch.mall.name }),
  };
}

/** The spot of a landmark, from its row. */
export function landmarkSpot(map: CityMap, row: LandmarkRow): Spot {
  const { line, latitude, longitude } = row;
  return {
    city: map.city,
    ward: map.wardAt(latitude, longitude),
    street: streetOfLine(line),
    houseNumber: Number.parseInt(line, 10) || 1,
    line,
    latitude,
    longitude,
  };
}

interface Door {
  readonly stretch: Stretch;
  readonly houseNumber: number;
  readonly isLane: boolean;
  readonly region: Region;
}

function addressLine({ stretch, houseNumber, isLane, region }: Door, random: Random): string {
  if (stretch.mall !== undefined) {
    return `Tầng ${random.between(1, 6)}, ${stretch.mall.name}, ${stretch.mall.line}`;
  }
  const house = isLane ? laneHouse(houseNumber, region, random) : frontHouse(houseNumber, stretch, random);
  return house === "" ? stretch.street : `${house} ${stretch.street}`;
}

function frontHouse(houseNumber: number, stretch: Stretch, random: Random): string {
  const draw = random.below(100);
  if (draw < 70) return `${houseNumber}`;
  if (draw < 80) return `${houseNumber}${random.pick(HOUSE_LETTERS)}`;
  if (draw < 85) return `${houseNumber}-${houseNumber + 2}`;
  if (draw < 88) return `Số ${houseNumber}`;
  if (draw < 90) return `${houseNumber} - ${houseNumber + 2} - ${houseNumber + 4}`;
  if (draw < 91) return `${houseNumber} Bis`;
  // On the edge of town, many houses have no number, only a street.
  return stretch.surroundings === "edge" || draw > 97 ? "" : `${houseNumber}`;
}

const HOUSE_LETTERS = ["A", "A", "A", "B", "B", "C", "D", "E", "G"] as const;

function laneHouse(laneNumber: number, region: Region, random: Random): string {
  const inner = random.between(1, 68);
  const letter = random.chance(0.12) ? random.pick(HOUSE_LETTERS) : "";
  const deeper = random.chance(0.22) ? random.between(1, 30) : 0;
  if (region === "south") {
    if (random.chance(0.05)) return `Hẻm ${laneNumber}`;
    return `${laneNumber}/${inner}${letter}${deeper > 0 ? `/${deeper}` : ""}`;
  }
  if (region === "central") return `K${laneNumber}/${deeper > 0 ? `H${deeper}/` : ""}${inner}${letter}`;
  if (deeper > 0) return `Số ${inner} ngách ${laneNumber}/${deeper}`;
  return random.chance(0.6)
    ? `Số ${inner}${letter} ngõ ${laneNumber}`
    : `${inner}${letter} ngõ ${laneNumber}`;
}

/** The `address` field of a record. */
export interface Address {
  readonly full: string;
  readonly street: string;
  readonly ward: string;
  readonly city: string;
  readonly country: string;
}

const COUNTRY = "Việt Nam";

/** Builds the parts of the address, and its full text in one of the forms that people write. */
export function buildAddress(spot: Spot, random: Random): Address {
  return {
    full: fullAddress(spot, random),
    street: spot.line,
    ward: spot.ward.label,
    city: spot.city.province,
    country: COUNTRY,
  };
}

/**
 * Nearly half use the form of July 2025. Others shorten it, add the postcode, or still name the old district.
 */
function fullAddress({ line, ward, city }: Spot, random: Random): string {
  const draw = random.below(100);
  if (draw < 47) return `${line}, ${ward.label}, ${city.province}, ${COUNTRY}`;
  if (draw < 57) return `${line}, ${ward.label}, ${city.province} ${city.postcode}, ${COUNTRY}`;
  if (draw < 72) return `${line}, ${shortWard(ward.label)}, ${city.shortProvince}`;
  if (draw < 92) return `${line}, ${ward.label}, ${ward.oldDistrict}, ${city.oldProvince}, ${COUNTRY}`;
  return `${line}, ${shortDistrict(ward.oldDistrict)}, ${city.shortProvince}`;
}

const shortWard = (label: string): string => label.replace("Phường ", "P. ").replace("Xã ", "X. ");

function shortDistrict(district: string): string {
  return district
    .replace(/^Quận (?=\d)/, "Q.")
    .replace("Quận ", "Q. ")
    .replace("Huyện ", "H. ")
    .replace("Thành phố ", "TP. ");
}
