import * as v from "valibot";
import { readTable, textSchema } from "../../src/place/read-table.ts";
import { typeCodeSchema } from "../../src/place/document/type-codes.ts";
import brandsTable from "./brands.json" with { type: "json" };
import { FLAVOURS, REGIONS, ZONES, type Region, type Zone } from "./cities.ts";
import { FEATURE_PROFILES } from "./features.ts";
import { BUSY_NAMES, HOURS_NAMES } from "./hours.ts";
import drinks from "./kinds/drinks.json" with { type: "json" };
import healthAndLearning from "./kinds/health-and-learning.json" with { type: "json" };
import leisureAndPublic from "./kinds/leisure-and-public.json" with { type: "json" };
import meals from "./kinds/meals.json" with { type: "json" };
import services from "./kinds/services.json" with { type: "json" };
import shops from "./kinds/shops.json" with { type: "json" };
import { compilePhrase, type Phrase } from "./phrases.ts";
import { createWeightedPick, type WeightedPick } from "./random.ts";
import { TOPICS } from "./reviews.ts";

const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const patterns = v.array(textSchema);

/** The common properties of places of one kind. Several kinds may share a type code. */
const kindSchema = v.strictObject({
  type: typeCodeSchema,
  /**
   * How many of a thousand places in an ordinary quarter are of this kind; 0 for kinds with landmarks only.
   */
  weight: v.number(),
  /** Patterns of names, see `phrases.ts`. A pattern that is listed twice is drawn twice as often. */
  names: patterns,
  /** The share of branches of a chain; 0 when omitted. */
  brandShare: v.optional(share),
  /** Patterns of the names of branches; the usual ones when omitted. */
  branchNames: v.optional(patterns),
  /** What a guest pays, from and to, in thousands of VND. */
  prices: v.optional(v.array(v.tuple([v.number(), v.number()]))),
  hours: v.picklist(HOURS_NAMES),
  /** The share of places without recorded hours. */
  unknownHours: v.optional(share),
  /** The curve of busyness; none when omitted. */
  busy: v.optional(v.picklist(BUSY_NAMES)),
  features: v.picklist(FEATURE_PROFILES),
  topic: v.picklist(TOPICS),
  /** Added to the usual rating: people are hard on banks and kind to barbers. */
  mood: v.optional(v.number()),
  /** The share of places without ratings. */
  unrated: v.optional(share),
  /** How many reviews such a place has, compared with the usual. */
  fame: v.optional(v.number()),
  /** True for kinds that are never in a lane: banks, petrol stations, supermarkets. */
  needsFront: v.optional(v.boolean()),
  /** True for places without staff to take a call: cash machines, parks, bus stops. */
  isUnstaffed: v.optional(v.boolean()),
  /**
   * How much more often than usual the kind occurs in these surroundings. A shopping centre has only kinds
   * that list it.
   */
  near: v.optional(v.record(v.picklist(ZONES), v.number())),
  regions: v.optional(v.record(v.picklist(REGIONS), v.number())),
  descriptions: v.optional(patterns),
});

export type Kind = Readonly<v.InferOutput<typeof kindSchema>>;

/** The form of a file in `kinds`: kinds by their names. */
export const kindsSchema = v.record(v.string(), kindSchema);

/** All kinds of places of the dataset. */
export const KINDS: Readonly<Record<string, Kind>> = {
  ...readTable("indexer/demo/kinds/drinks.json", kindsSchema, drinks),
  ...readTable("indexer/demo/kinds/meals.json", kindsSchema, meals),
  ...readTable("indexer/demo/kinds/shops.json", kindsSchema, shops),
  ...readTable("indexer/demo/kinds/services.json", kindsSchema, services),
  ...readTable("indexer/demo/kinds/health-and-learning.json", kindsSchema, healthAndLearning),
  ...readTable("indexer/demo/kinds/leisure-and-public.json", kindsSchema, leisureAndPublic),
};

/** A chain. Its name is common knowledge; everything else about its branches is made up. */
const brandSchema = v.strictObject({
  /** The name on the sign. */
  name: textSchema,
  /** How many branches it has, compared with other chains of its kind. */
  branches: v.number(),
  /** Other spellings of the name. */
  otherNames: v.optional(v.array(textSchema)),
});

export type BrandRow = v.InferOutput<typeof brandSchema>;

/** The form of `brands.json`: the chains of each kind. */
export const brandsSchema = v.record(v.string(), v.array(brandSchema));

export const BRANDS = readTable("indexer/demo/brands.json", brandsSchema, brandsTable);

/** Patterns of the names of branches for kinds that have none. */
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

/** A kind with tables that are ready for drawing. */
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
    pickBrand: brands && createWeightedPick(brands, ({ branches }) => branches),
  };
}

/** On a street with a speciality, all other kinds are this much rarer. */
const RARE_ON_FLAVOURED_STREET = 0.3;

const FLAVOURED: ReadonlySet<Zone> = new Set<Zone>(FLAVOURS).difference(new Set(["mall"]));

function weightIn(kind: Kind, zone: Zone, region: Region): number {
  const usual = zone === "mall" ? 0 : FLAVOURED.has(zone) ? RARE_ON_FLAVOURED_STREET : 1;
  // In a shopping centre the numbers are absolute weights: its places have little to do with the street
  // outside.
  const near = kind.near?.[zone] ?? usual;
  return (zone === "mall" ? near : kind.weight * near) * (kind.regions?.[region] ?? 1);
}

const picks = new Map<string, WeightedPick<ReadyKind>>();

/** The draw of a kind for these surroundings in that part of the country. */
export function pickKindFor(zone: Zone, region: Region): WeightedPick<ReadyKind> {
  const key = `${zone}|${region}`;
  const known = picks.get(key);
  if (known !== undefined) return known;
  const pick = createWeightedPick([...READY_KINDS.values()], ({ kind }) => weightIn(kind, zone, region));
  picks.set(key, pick);
  return pick;
}
