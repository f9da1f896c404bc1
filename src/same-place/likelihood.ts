import * as v from "valibot";
import { distanceMeters, type Coordinates } from "../place/geometry/coordinates.ts";
import type { PlaceDocument } from "../place/document/place-document.ts";
import { readTable } from "../place/read-table.ts";
import { editDistance, isOneEditAway } from "../place/text/edit-distance.ts";
import { fold, joinWords, words } from "../place/text/fold.ts";
import { memoize } from "../place/text/memoize.ts";
import { areOtherHouses, houseNumbersOf, phoneKeys } from "./contacts.ts";
import table from "./match-weights.json" with { type: "json" };
import {
  coreWords,
  haveOtherNumbers,
  haveSameNumbers,
  likenessOf,
  type NameLikeness,
} from "./name-likeness.ts";
import { toSignature, type Signature } from "./signature.ts";
import { isLarge } from "./type-relation.ts";

/**
 * How likely it is that a record of somebody else's file is one of some places: the comparison of an import
 * (`likenessOf`, house numbers, phones, websites) as features, each with a weight. The weights stand in match-weights.json;
 * `npm run -s fit -- --match` fits them, and `npm run -s eval -- --match` measures what comes of them.
 */

/** A record of which the place is looked for. Each part may be empty, but not all of them. */
export interface AskedRecord {
  readonly name: string;
  /** On one line, as people write it: house number and street first. */
  readonly address: string;
  readonly phone: string;
  readonly website: string;
  readonly location?: Coordinates;
}

export type MatchFeature = keyof typeof table;

/** The features of one place for one record. */
export type MatchFeatures = Readonly<Record<MatchFeature, number>>;

/** The format of match-weights.json. */
export const matchWeightsSchema = v.record(
  v.string(),
  v.strictObject({
    weight: v.number(),
    /** Decided, and not fitted: the cases have too few of these. */
    isFixed: v.optional(v.literal(true)),
    /** Which sign the weight must have, whatever the cases say. */
    sign: v.picklist(["positive", "negative", "any"]),
    /** What the feature says of a record and a place. */
    means: v.string(),
  }),
);

/** The table of match-weights.json. */
export const MATCH_WEIGHT_ROWS = readTable("src/same-place/match-weights.json", matchWeightsSchema, table);

export const MATCH_FEATURES = Object.keys(table) as MatchFeature[];

/** The weights of match-weights.json. */
export const MATCH_WEIGHTS: MatchFeatures = fromEntries((name) => MATCH_WEIGHT_ROWS[name]!.weight);

function fromEntries(valueOf: (name: MatchFeature) => number): MatchFeatures {
  return Object.fromEntries(MATCH_FEATURES.map((name) => [name, valueOf(name)])) as MatchFeatures;
}

/** What speaks for a match and what against it. */
export const MATCH_REASONS = [
  "name_same",
  "name_similar",
  "name_differs",
  "phone_same",
  "phone_differs",
  "website_same",
  "address_same",
  "street_same",
  "address_differs",
  "near",
  "far",
  "several_alike",
] as const;

export type MatchReason = (typeof MATCH_REASONS)[number];

/** What is compared of a place. */
export type ComparedPlace = Pick<
  PlaceDocument,
  "title" | "alternate_names" | "type" | "contacts" | "location"
>;

/** How rare a folded word is in names of the dataset: 0 for one that every place has, 1 for one that a single place has. */
export type Rarity = (word: string) => number;

/** A record, prepared to be compared with several places. */
export interface PreparedRecord extends AskedRecord {
  readonly nameWords: readonly string[];
  readonly joinedName: string;
  /** The folded name without what people add to it: the city, the branch. */
  readonly mainName: string;
  readonly phones: readonly string[];
  readonly site: string;
  readonly street: Street;
  /** The signature as if it were of a type: so words for the kind are left out of both names. */
  readonly signatureAs: (type: string) => Signature;
}

export function prepareRecord(record: AskedRecord): PreparedRecord {
  const folded = fold(record.name);
  return {
    ...record,
    nameWords: words(folded),
    joinedName: joinWords(folded),
    mainName: mainPartOf(record.name, folded),
    ...phoneKeys(record),
    street: readStreet(record.address),
    signatureAs: memoize((type) => toAskedSignature(record, type)),
  };
}

/** What stands after these is the branch, the city or another name: "WinMart+ - Hà Nội". */
const AFTER_NAME = /\s[-–—|]\s|[(,|]/;

function mainPartOf(name: string, folded = fold(name)): string {
  const [main = ""] = name.split(AFTER_NAME, 1);
  return main.length === name.length ? folded : fold(main) || folded;
}

/** A street in an address on one line, and what follows it. */
export interface Street {
  readonly houses: readonly string[];
  /** Folded, without house number and without words such as "đường". */
  readonly streetWords: readonly string[];
  /** The same with all numbers, in order: of a house, a lane, a plot. */
  readonly line: string;
  /** Folded, without words such as "phường". */
  readonly areaWords: readonly string[];
}

/** Words that stand before the name of a street, or of an area. */
const STREET_WORDS: ReadonlySet<string> = new Set(
  "so nha duong pho ngo ngach hem kiet street st road rd lane alley".split(" "),
);
const AREA_WORDS: ReadonlySet<string> = new Set(
  "phuong quan huyen thi xa tran thanh pho tinh p q h tp tx ward district city province vietnam viet nam".split(
    " ",
  ),
);

/** Reads house number, street and area of an address: "12A Lê Lợi, Phường Bến Thành, Quận 1". */
export function readStreet(address: string): Street {
  const parts = address
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const at = Math.max(
    0,
    parts.findIndex((part) => houseNumbersOf(part).length > 0),
  );
  const street = parts[at] ?? "";
  const all = words(fold(street)).filter((word) => !STREET_WORDS.has(word));
  const rest = words(fold(parts.slice(at + 1).join(" ")));
  return {
    houses: houseNumbersOf(street),
    streetWords: all.filter((word) => !/\d/.test(word)),
    line: all.join(" "),
    areaWords: rest.filter((word) => !AREA_WORDS.has(word)),
  };
}

/** Half a word is said by one with a wrong letter. Shorter words with another letter are other words. */
const MISTYPED = 0.5;
const LETTERS_FOR_TYPO = 4;

/** The distance at which the logarithm is 0.7, and within which points of one place differ all the time. */
const USUAL_METERS = 25;

/** Points of a hospital or a park differ by so many times more. */
const LARGE = 4;

/** Compares a record with a place. */
export function compareRecord(record: PreparedRecord, place: ComparedPlace, rarity: Rarity): MatchFeatures {
  const asked = record.signatureAs(place.type);
  const found = toSignature(place);
  const features: Partial<Record<MatchFeature, number>> = {
    bias: 1,
    no_name: flag(record.name === ""),
    no_position: flag(record.location === undefined),
    only_position: flag(
      [record.name, record.address, record.phone, record.website].every((text) => text === ""),
    ),
    ...(record.name !== "" && compareNames(record, [asked, found], { place, rarity })),
    ...compareStreets(record.street, place),
    ...compareContacts(record, found),
    ...(record.location && { distance: logDistance(record.location, place) }),
  };
  return fromEntries((name) => features[name] ?? 0);
}

const flag = (is: boolean): number => (is ? 1 : 0);

const logDistance = (from: Coordinates, { location, type }: ComparedPlace): number =>
  Math.log1p(distanceMeters(from, location) / (isLarge(type) ? LARGE * USUAL_METERS : USUAL_METERS));

const toAskedSignature = (
  { name, address, phone, website, location }: AskedRecord,
  type: string,
): Signature =>
  toSignature({
    title: name,
    alternate_names: [],
    type,
    contacts: { phone, website },
    location: {
      latitude: location?.latitude ?? Number.NaN,
      longitude: location?.longitude ?? Number.NaN,
      timezone: "",
      country_code: "",
      address: { full: address, street: address, ward: "", city: "", country: "" },
    },
  });

const FEATURE_OF_LIKENESS: Readonly<Record<NameLikeness, MatchFeature>> = {
  equal: "name_equal",
  core: "name_core",
  contained: "name_contained",
  similar: "name_similar",
};

interface Naming {
  readonly place: ComparedPlace;
  readonly rarity: Rarity;
}

function compareNames(
  { nameWords, joinedName, mainName, location }: PreparedRecord,
  [asked, found]: readonly [Signature, Signature],
  { place, rarity }: Naming,
): Partial<MatchFeatures> {
  const likeness = likenessOf(asked, found, "line");
  const names = [place.title, ...place.alternate_names.slice(0, MOST_NAMES)];
  const core = coreWords(mainName, place.type);
  const folded = names.map(fold);
  const cores = names.map((name, index) => coreWords(mainPartOf(name, folded[index]), place.type));
  const overlaps = folded.map((name) => overlapOf(nameWords, words(name), rarity));
  const ofCore = cores.map((one) => overlapOf(core, one, rarity));
  const letters = [
    ...folded.map((name) => lettersAlike(joinedName, joinWords(name))),
    ...cores.map((one) => lettersAlike(core.join(""), one.join(""))),
  ];
  const alike = Math.max(...letters);
  const areOther = haveOtherNumbers(asked, found);
  return {
    ...(likeness && { [FEATURE_OF_LIKENESS[likeness]]: 1 }),
    name_overlap: Math.max(...overlaps),
    name_core_overlap: Math.max(...ofCore),
    name_letters: alike,
    alike_here: location ? alike * Math.exp(-distanceMeters(location, place.location) / HERE_METERS) : 0,
    numbers_differ: flag(areOther),
    number_alone: flag(!areOther && !haveSameNumbers(asked, found)),
  };
}

/** A town has a name in every language; those after the first say nothing new. */
const MOST_NAMES = 6;

/** Two places of one name so close to each other are few. */
const HERE_METERS = 75;

/** The part of the words of two names that both have, each as much as it says: 0 to 1. */
export function overlapOf(one: readonly string[], other: readonly string[], rarity: Rarity): number {
  const weigh = (word: string): number => LEAST_SAID + rarity(word);
  const rest = [...other];
  let shared = 0;
  for (const word of one) {
    const at = indexOfWord(rest, word);
    if (at === -1) continue;
    const [match = ""] = rest.splice(at, 1);
    shared += (match === word ? 1 : MISTYPED) * weigh(match);
  }
  const all = [...one, ...other].reduce((sum, word) => sum + weigh(word), 0);
  return all === 0 ? 0 : Math.min(1, (2 * shared) / all);
}

/** A word that every place has still is a word of the name. */
const LEAST_SAID = 0.1;

function indexOfWord(some: readonly string[], word: string): number {
  const same = some.indexOf(word);
  if (same !== -1 || word.length < LETTERS_FOR_TYPO || /\d/.test(word)) return same;
  return some.findIndex(
    (one) => one.length >= LETTERS_FOR_TYPO && !/\d/.test(one) && isOneEditAway(one, word),
  );
}

const lettersAlike = (one: string, other: string): number =>
  one === "" || other === ""
    ? 0
    : Math.max(0, 1 - editDistance(one, other).whole / Math.max(one.length, other.length));

/** The parts of an address of the dataset. Some have them on one line only, and some not there. */
const readPlaceStreet = ({ address }: ComparedPlace["location"]): Street =>
  readStreet(address.street === "" ? address.full : address.street);

/** Whether ward and district of the record have no word in the address of the place. All addresses of a city have its name. */
function haveOtherAreas({ areaWords }: Street, { address }: ComparedPlace["location"]): boolean {
  const city = new Set(words(fold(address.city)));
  const said = areaWords.filter((word) => !city.has(word));
  const known = new Set(words(fold(`${address.full} ${address.ward}`)));
  return said.length > 0 && address.ward !== "" && !said.some((word) => known.has(word));
}

function compareStreets(one: Street, { location }: ComparedPlace): Partial<MatchFeatures> {
  const other = readPlaceStreet(location);
  const street = sharedPart(one.streetWords, other.streetWords);
  const haveStreets = one.streetWords.length > 0 && other.streetWords.length > 0;
  const haveHouses = one.houses.length > 0 && other.houses.length > 0;
  const areOther = areOtherHouses(one.houses, other.houses);
  return {
    street_same: street,
    street_differs: flag(haveStreets && street === 0),
    house_same: flag(haveHouses && !areOther && street > 0),
    house_differs: flag(areOther),
    line_same: flag(one.line !== "" && one.line === other.line),
    area_differs: flag(haveOtherAreas(one, location)),
  };
}

/** The part of the words of the shorter list that the other has; 0 when one is empty. */
function sharedPart(one: readonly string[], other: readonly string[]): number {
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one];
  if (shorter.length === 0) return 0;
  return shorter.filter((word) => longer.includes(word)).length / shorter.length;
}

function compareContacts({ phones, site }: PreparedRecord, found: Signature): Partial<MatchFeatures> {
  const samePhone = found.phone !== "" && phones.includes(found.phone);
  return {
    phone_same: flag(samePhone),
    phone_differs: flag(found.phone !== "" && phones.length > 0 && !samePhone),
    website_same: flag(site !== "" && site === found.site),
  };
}

/** The sum of the features, each times its weight: the logarithm of how much likelier this place is than none. */
export const scoreOf = (features: MatchFeatures, weights: MatchFeatures = MATCH_WEIGHTS): number =>
  MATCH_FEATURES.reduce((sum, name) => sum + features[name] * weights[name], 0);

/**
 * The probabilities, 0 to 1, that each of the candidates is the place. With them the one that it is none of them adds up to 1.
 */
export function confidencesOf(scores: readonly number[]): number[] {
  const most = Math.max(0, ...scores);
  const odds = scores.map((score) => Math.exp(score - most));
  const all = odds.reduce((sum, one) => sum + one, Math.exp(-most));
  return odds.map((one) => one / all);
}

/** Names that share less are different ones. */
const UNLIKE = 0.35;
/** Names with so many of their letters are alike. */
const ALIKE = 0.75;
/** Logarithms of distances: 150 m, and 1 km. */
const NEAR = Math.log1p(150 / USUAL_METERS);
const FAR = Math.log1p(1_000 / USUAL_METERS);
const MOST_OF_STREET = 0.99;

/** Says in words what the features say in numbers. */
export function reasonsOf(record: AskedRecord, features: MatchFeatures): MatchReason[] {
  const { name_overlap: overlap, name_letters: letters, street_same: street } = features;
  const isSame = features.name_equal > 0 || features.name_core > 0;
  const isSimilar =
    features.name_contained + features.name_similar > 0 || overlap >= ALIKE || letters >= ALIKE;
  const isPlaced = record.location !== undefined;
  const applies: Readonly<Record<Exclude<MatchReason, "several_alike">, boolean>> = {
    name_same: isSame,
    name_similar: !isSame && isSimilar,
    name_differs: record.name !== "" && !isSame && !isSimilar && overlap < UNLIKE,
    phone_same: features.phone_same > 0,
    phone_differs: features.phone_differs > 0,
    website_same: features.website_same > 0,
    address_same: features.house_same > 0 && street >= MOST_OF_STREET,
    street_same: features.house_same === 0 && features.house_differs === 0 && street >= MOST_OF_STREET,
    address_differs: features.house_differs > 0 || features.street_differs > 0,
    near: isPlaced && features.distance <= NEAR,
    far: isPlaced && features.distance > FAR,
  };
  return MATCH_REASONS.filter((reason) => reason !== "several_alike" && applies[reason]);
}
