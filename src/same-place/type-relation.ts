import { isTypeCode, perKinds, TYPE_CODES, type TypeCode } from "../place/document/type-codes.ts";

/**
 * How the types of two records relate. `line`: the same type, or one is broader than the other. `family`:
 * sources may use either type for one place. `unknown`: one of them is not informative. `unrelated`: two
 * places, whatever their names.
 */
export type TypeRelation = "line" | "family" | "unknown" | "unrelated";

/** Broad types that sources use for the same place. Every other broad type forms a family alone. */
const FAMILIES: readonly (readonly TypeCode[])[] = [
  "RESTAURANT FOOD_COURT COFFEE BUBBLE_TEA TEA_HOUSE JUICE_BAR DESSERT_SHOP BAKERY CONFECTIONERY BAR NIGHT_CLUB",
  "HOSPITAL CLINIC PHYSIOTHERAPY TRADITIONAL_MEDICINE DENTIST LABORATORY VACCINATION_CENTER",
  "SCHOOL COLLEGE UNIVERSITY LANGUAGE_SCHOOL TUTORING_CENTER ART_SCHOOL DANCE_SCHOOL RESEARCH_INSTITUTE",
  "HAIR_SALON NAIL_SALON BEAUTY_SALON SPA",
  "TOURIST_ATTRACTION PLACE_OF_WORSHIP PARK NATURE SQUARE ART_GALLERY PLAYGROUND",
  "COMPANY OFFICE_BUILDING FACTORY WAREHOUSE ADVERTISING_AGENCY MEDIA_COMPANY",
  "GYM YOGA_STUDIO MARTIAL_ARTS_SCHOOL SPORTS_CENTER STADIUM",
  "THEATER CONCERT_HALL CINEMA",
].map((codes) => codes.split(" ") as TypeCode[]);

/** Sources place the point of these at a gate, in the middle or at a building, some hundred metres apart. */
const LARGE_TYPES: ReadonlySet<string> = new Set(
  (
    "HOSPITAL UNIVERSITY PARK ZOO STADIUM AIRPORT CEMETERY GOLF_COURSE RESORT SHOPPING_MALL " +
    "AMUSEMENT_PARK WATER_PARK TRAIN_STATION BUS_STATION PORT LAKE"
  ).split(" "),
);

export const isLarge = (type: string): boolean => LARGE_TYPES.has(type);

const known = perKinds(() => new Map<string, TypeRelation>());

/** Called millions of times for a few thousand pairs of types. */
export function relateTypes(one: string, other: string): TypeRelation {
  if (!isTypeCode(one) || !isTypeCode(other) || one === "PLACE" || other === "PLACE") return "unknown";
  if (one === other) return "line";
  return known().getOrInsertComputed(`${one} ${other}`, () => relate(one, other));
}

function relate(one: TypeCode, other: TypeCode): TypeRelation {
  const [ofOne, ofOther] = [lineOf(one), lineOf(other)];
  if (ofOne.includes(other) || ofOther.includes(one)) return "line";
  return familyOf(ofOne) === familyOf(ofOther) ? "family" : "unrelated";
}

/** The type and all broader ones, the broadest last. */
export function lineOf(type: TypeCode): TypeCode[] {
  const { parent } = TYPE_CODES[type];
  return parent === undefined ? [type] : [type, ...lineOf(parent)];
}

function familyOf(line: readonly TypeCode[]): number | string {
  const root = line.at(-1) ?? "PLACE";
  const family = FAMILIES.findIndex((codes) => codes.includes(root));
  return family === -1 ? root : family;
}
