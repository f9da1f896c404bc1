import type { Kind } from "./kinds.ts";
import type { Random } from "./random.ts";
import type { Spot } from "./spot.ts";
import { removeMarks } from "./spelling.ts";

/** The `contacts` field of a record. */
export interface Contacts {
  readonly phone: string;
  readonly website: string;
}

/** About every tenth number is written with gaps, with the country code, or without spaces. */
const WITH_COUNTRY_CODE = 0.55;
/** No network has used 095 since 2012, and no local number begins with 1, so none of these numbers rings. */
const MOBILE_PREFIX = "95";
const TOWN_PREFIX = "1";

const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => random.below(10)).join("");

/** Draws phone and website. Both are made up and lead nowhere (`.example` is reserved by RFC 2606). */
export function drawContacts(
  kind: Kind,
  place: { spot: Spot; title: string; brand: string },
  random: Random,
): Contacts {
  if (kind.isUnstaffed === true) return { phone: "", website: "" };
  const isFirm = kind.needsFront === true || place.brand !== "";
  return {
    phone: random.chance(isFirm ? 0.7 : 0.62) ? drawPhone(place.spot, isFirm, random) : "",
    website: drawWebsite(place, isFirm, random),
  };
}

function drawPhone({ city }: Spot, isFirm: boolean, random: Random): string {
  if (isFirm && random.chance(0.15)) return `1900 ${digits(random, 4).replace(/^./, "0")}`;
  if (random.chance(isFirm ? 0.65 : 0.18)) {
    const [first, second] = [
      `${TOWN_PREFIX}${digits(random, 3)}`,
      digits(random, city.areaCode.length === 2 ? 4 : 3),
    ];
    return random.chance(WITH_COUNTRY_CODE)
      ? `+84 ${city.areaCode} ${first} ${second}`
      : `0${city.areaCode} ${first} ${second}`;
  }
  const [first, second, third] = [
    `${MOBILE_PREFIX}${digits(random, 1)}`,
    digits(random, 3),
    digits(random, 3),
  ];
  if (random.chance(WITH_COUNTRY_CODE)) return `+84 ${first} ${second} ${third}`;
  return random.chance(0.7) ? `0${first} ${second} ${third}` : `0${first}${second}${third}`;
}

function drawWebsite(place: { title: string; brand: string }, isFirm: boolean, random: Random): string {
  if (place.brand !== "") return random.chance(0.7) ? `https://www.${toHostLabel(place.brand)}.example/` : "";
  const draw = random.below(100);
  if (draw < 12) return `https://facebook.example/${toHostLabel(place.title)}`;
  return draw < (isFirm ? 26 : 18) ? `https://${toHostLabel(place.title)}.example/` : "";
}

/** A label of a host name holds 63 characters at most (RFC 1035). */
const LABEL_LENGTH = 40;

function toHostLabel(name: string): string {
  const plain = removeMarks(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "");
  return plain.slice(0, LABEL_LENGTH) || "place";
}
