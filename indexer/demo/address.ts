import type { Random } from "./random.ts";
import type { Spot } from "./spot.ts";

/** The `address` member of a record. */
export interface Address {
  readonly full: string;
  readonly street: string;
  readonly ward: string;
  readonly city: string;
  readonly country: string;
}

const COUNTRY = "Việt Nam";

/** The parts of the address, and the whole of it in one of the ways people write it. */
export function buildAddress(spot: Spot, random: Random): Address {
  return {
    full: fullAddress(spot, random),
    street: spot.line,
    ward: spot.ward.label,
    city: spot.city.province,
    country: COUNTRY,
  };
}

/** Nearly half keep to the form of July 2025; others shorten it, add the postcode, or still name the district that is gone. */
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
