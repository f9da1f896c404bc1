import { distanceMeters } from "../place/geometry/coordinates.ts";
import { areOtherHouses } from "./contacts.ts";
import { haveOtherNumbers, likenessOf, type NameLikeness } from "./name-likeness.ts";
import { toSignature, type Commonness, type SignedPlace, type Signature } from "./signature.ts";
import { isLarge, relateTypes } from "./type-relation.ts";

/** What suggests that two records are one place, besides their distance. */
type Evidence = "name" | "phone" | "website";

export interface Match {
  readonly evidence: readonly Evidence[];
  readonly distanceMeters: number;
  /** When a place has two matches, the one with the higher score wins. */
  readonly score: number;
}

/** A survey, a geocoded address and a pin differ by a block or two for the same place. */
const NEAR_METERS = 150;

/** The grounds of a hospital or a park. */
const LARGE_METERS = 500;

/**
 * Branches of a chain, and names such as `Nhà thuốc`, may be closer together than two sources' points of one
 * place.
 */
const COMMON_NAME_METERS = 50;

/** The less alike the names are, the closer the points must be. */
const REACH_OF_LIKENESS: Readonly<Record<NameLikeness, number>> = {
  equal: NEAR_METERS,
  core: 100,
  contained: 60,
  similar: 60,
};

/** For the same phone or site and names that say nothing. The owner may have another business next door. */
const CONTACT_METERS = 50;

/** The largest distance at which any match is possible. */
export const reachOf = (type: string): number => (isLarge(type) ? LARGE_METERS : NEAR_METERS);

const SCORE_OF_LIKENESS: Readonly<Record<NameLikeness, number>> = {
  equal: 4,
  core: 3,
  contained: 2,
  similar: 1,
};
/** Two kinds of evidence are worth more than the best single one. */
const SCORE_OF_EVIDENCE = 5;

/**
 * Why two records are the same place; `undefined` when they are two places. In doubt they count as two, since
 * a wrong merge loses a place.
 */
export function matchPlaces(one: Signature, other: Signature, common: Commonness): Match | undefined {
  if (areOther(one, other)) return undefined;
  const distance = distanceMeters(one, other);
  const relation = relateTypes(one.type, other.type);
  const likeness = likenessOf(one, other, relation);
  const contacts = sharedContacts(one, other, common);
  // A place of unknown type may be anything, and two businesses of one owner may share a phone.
  if (likeness === undefined && relation === "unknown") return undefined;
  if (distance > allowedMeters(one, other, { likeness, contacts, common })) return undefined;
  const evidence: Evidence[] = likeness ? ["name", ...contacts] : contacts;
  const score = SCORE_OF_EVIDENCE * evidence.length + (likeness ? SCORE_OF_LIKENESS[likeness] : 0);
  return { evidence, distanceMeters: distance, score };
}

/** Two places of a dataset are few: nothing is common among them. */
const NOTHING_COMMON: Commonness = {
  isCommonName: () => false,
  isCommonPhone: () => false,
  isCommonSite: () => false,
};

/** Whether an import of the two from two files would merge them. */
export const areSamePlace = (one: SignedPlace, other: SignedPlace): boolean =>
  matchPlaces(
    { ...toSignature(one), source: "one" },
    { ...toSignature(other), source: "other" },
    NOTHING_COMMON,
  ) !== undefined;

/** Whether something proves that they are two places, whatever else is alike. */
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

/** How far apart the points of one place may be, given what else is alike; below 0 when nothing is. */
function allowedMeters(one: Signature, other: Signature, { likeness, contacts, common }: Likenesses): number {
  const areLarge = isLarge(one.type) && isLarge(other.type);
  if (!likeness) return contacts.length > 0 ? CONTACT_METERS : -1;
  if (contacts.length > 0) return areLarge ? LARGE_METERS : NEAR_METERS;
  if (isCommon(one, common) || isCommon(other, common)) return COMMON_NAME_METERS;
  const isWholeName = likeness === "equal" || likeness === "core";
  return areLarge && isWholeName ? LARGE_METERS : REACH_OF_LIKENESS[likeness];
}

/** Includes names made only of category words. */
const isCommon = ({ name, core }: Signature, common: Commonness): boolean =>
  core.length === 0 || common.isCommonName(name);
