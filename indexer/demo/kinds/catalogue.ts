import type { Zone } from "../cities/ward.ts";
import type { Region } from "../cities/city.ts";
import { compilePhrase, type Phrase } from "../names/phrase.ts";
import { BRANDS, type BrandRow } from "../names/brands.ts";
import { createWeightedPick, type WeightedPick } from "../weighted.ts";
import { DRINKS } from "./drinks.ts";
import { HEALTH_AND_LEARNING } from "./health-and-learning.ts";
import type { Kind, Kinds } from "./kind.ts";
import { LEISURE_AND_PUBLIC } from "./leisure-and-public.ts";
import { MEALS } from "./meals.ts";
import { SERVICES } from "./services.ts";
import { SHOPS } from "./shops.ts";

/** All kinds of places of the gazetteer. */
export const KINDS: Kinds = {
  ...DRINKS,
  ...MEALS,
  ...SHOPS,
  ...SERVICES,
  ...HEALTH_AND_LEARNING,
  ...LEISURE_AND_PUBLIC,
};

/** How a branch is called where its kind does not say. */
const BRANCH_NAMES = [
  "{brand}",
  "{brand}",
  "{brand} - {street}",
  "{brand} - {street}",
  "{brand} {street}",
  "{brand} {street}",
  "{brand} {line}",
  "{brand} - {ward}",
  "{brand} - {houseNumber} {street}",
] as const;
const MALL_BRANCH_NAMES = ["{brand} - {mall}", "{brand} {mall}", "{brand}", "{brand} {mall}"] as const;

/** A kind with its tables made ready for drawing. */
export interface ReadyKind {
  readonly name: string;
  readonly kind: Kind;
  readonly names: readonly Phrase[];
  readonly branchNames: readonly Phrase[];
  readonly mallBranchNames: readonly Phrase[];
  readonly descriptions: readonly Phrase[];
  readonly pickBrand: WeightedPick<BrandRow> | undefined;
}

/** The kinds by name, with compiled names. Throws when a pattern has a slot without words. */
export const READY_KINDS: ReadonlyMap<string, ReadyKind> = new Map(
  Object.entries(KINDS).map(([name, kind]) => [name, toReady(name, kind)]),
);

function toReady(name: string, kind: Kind): ReadyKind {
  const brands = BRANDS[name];
  return {
    name,
    kind,
    names: kind.names.map(compilePhrase),
    branchNames: (kind.branchNames ?? BRANCH_NAMES).map(compilePhrase),
    mallBranchNames: (kind.needsFront && kind.branchNames ? kind.branchNames : MALL_BRANCH_NAMES).map(
      compilePhrase,
    ),
    descriptions: (kind.descriptions ?? []).map(compilePhrase),
    pickBrand: brands && createWeightedPick(brands, ([, branches]) => branches),
  };
}

/** On a street known for something, other kinds than those are so much rarer. */
const RARE_ON_FLAVOURED_STREET = 0.3;

const FLAVOURED: ReadonlySet<Zone> = new Set<Zone>([
  "bars",
  "books",
  "fashion",
  "food",
  "gold",
  "hotels",
  "luxury",
  "medical",
  "offices",
  "phones",
  "vehicles",
  "villas",
]);

function weightIn(kind: Kind, zone: Zone, region: Region): number {
  const usual = zone === "mall" ? 0 : FLAVOURED.has(zone) ? RARE_ON_FLAVOURED_STREET : 1;
  // In a shopping centre the numbers are weights of their own: what stands there has little to do with the street outside.
  const near = kind.near?.[zone] ?? usual;
  return (zone === "mall" ? near : kind.weight * near) * (kind.regions?.[region] ?? 1);
}

const picks = new Map<string, WeightedPick<ReadyKind>>();

/** The draw of a kind for such surroundings in that part of the country. */
export function pickKindFor(zone: Zone, region: Region): WeightedPick<ReadyKind> {
  const key = `${zone}|${region}`;
  const known = picks.get(key);
  if (known !== undefined) return known;
  const pick = createWeightedPick([...READY_KINDS.values()], ({ kind }) => weightIn(kind, zone, region));
  picks.set(key, pick);
  return pick;
}
