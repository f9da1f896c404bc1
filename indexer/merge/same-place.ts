import { distanceMeters } from "../../src/place/coordinates.ts";
import { areOtherHouses } from "./contacts.ts";
import { haveOtherNumbers, likenessOf, type NameLikeness } from "./name-likeness.ts";
import type { Signature } from "./signature-store.ts";
import { isLarge, relateTypes } from "./type-relation.ts";

/** What speaks for two records being one place. The distance always does. */
type Evidence = "name" | "phone" | "website";

export interface Match {
  readonly evidence: readonly Evidence[];
  readonly distanceMeters: number;
  /** Of two matches of a place the higher one holds. */
  readonly score: number;
}

/** What many places of one source have in common tells none of them from the others. */
export interface Commonness {
  isCommonName(name: string): boolean;
  isCommonPhone(phone: string): boolean;
  isCommonSite(site: string): boolean;
}

/** Points of a place differ by the width of a block or two between a survey, a geocoded address and a pin. */
const NEAR_METERS = 150;

/** The grounds of a hospital or a park. */
const LARGE_METERS = 500;

/** Branches of a chain and names such as `Nhà thuốc` are nearer to each other than two sources' points may be. */
const COMMON_NAME_METERS = 50;

/** The less the names say, the more the distance must. */
const REACH_OF_LIKENESS: Readonly<Record<NameLikeness, number>> = {
  equal: NEAR_METERS,
  core: 100,
  contained: 60,
  similar: 60,
};

/** Of one phone or site and names that say nothing: next door may be another business of one owner. */
const CONTACT_METERS = 50;

/** The furthest that any match is. */
export const reachOf = (type: string): number => (isLarge(type) ? LARGE_METERS : NEAR_METERS);

const SCORE_OF_LIKENESS: Readonly<Record<NameLikeness, number>> = {
  equal: 4,
  core: 3,
  contained: 2,
  similar: 1,
};
/** Two kinds of evidence are more than the best of one. */
const SCORE_OF_EVIDENCE = 5;

/** Why two records are the same place; `undefined` for two places. In doubt they are two: a wrong merge loses one. */
export function matchPlaces(one: Signature, other: Signature, common: Commonness): Match | undefined {
  if (areOther(one, other)) return undefined;
  const distance = distanceMeters(one, other);
  const relation = relateTypes(one.type, other.type);
  const likeness = likenessOf(one, other, relation);
  const contacts = sharedContacts(one, other, common);
  // A type that is not known may be any, and two businesses of one owner share a phone.
  if (likeness === undefined && relation === "unknown") return undefined;
  if (distance > allowedMeters(one, other, { likeness, contacts, common })) return undefined;
  const evidence: Evidence[] = likeness ? ["name", ...contacts] : contacts;
  const score = SCORE_OF_EVIDENCE * evidence.length + (likeness ? SCORE_OF_LIKENESS[likeness] : 0);
  return { evidence, distanceMeters: distance, score };
}

/** Whether something says that they are two places, whatever is alike. */
export function areOther(one: Signature, other: Signature): boolean {
  return (
    one.source === other.source ||
    distanceMeters(one, other) > LARGE_METERS ||
    relateTypes(one.type, other.type) === "unrelated" ||
    areOtherHouses(one.houses, other.houses) ||
    haveOtherNumbers(one, other)
  );
}

function sharedContacts(one: Signature, other: Signature, common: Commonness): Evidence[] {
  const isPhone = one.phone !== "" && one.phone === other.phone && !common.isCommonPhone(one.phone);
  const isSite = one.site !== "" && one.site === other.site && !common.isCommonSite(one.site);
  return [...(isPhone ? (["phone"] as const) : []), ...(isSite ? (["website"] as const) : [])];
}

interface Likenesses {
  readonly likeness: NameLikeness | undefined;
  readonly contacts: readonly Evidence[];
  readonly common: Commonness;
}

/** How far apart two points of one place may be, by what else is alike; below 0 when nothing is. */
function allowedMeters(one: Signature, other: Signature, { likeness, contacts, common }: Likenesses): number {
  const areLarge = isLarge(one.type) && isLarge(other.type);
  if (!likeness) return contacts.length > 0 ? CONTACT_METERS : -1;
  if (contacts.length > 0) return areLarge ? LARGE_METERS : NEAR_METERS;
  if (isCommon(one, common) || isCommon(other, common)) return COMMON_NAME_METERS;
  const isWholeName = likeness === "equal" || likeness === "core";
  return areLarge && isWholeName ? LARGE_METERS : REACH_OF_LIKENESS[likeness];
}

/** Also a name that is all kind words. */
const isCommon = ({ name, core }: Signature, common: Commonness): boolean =>
  core.length === 0 || common.isCommonName(name);
