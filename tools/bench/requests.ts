import type { Coordinates } from "../../src/place/geometry/coordinates.ts";
import { TYPE_CODES, isTypeCode } from "../../src/place/document/type-codes.ts";
import type { DatasetSample, SampledPlace } from "./dataset.ts";
import type { Random } from "../../test/support/random.ts";
import { firstSixtyPercent, withOneTypo, withoutMarks } from "./typed-text.ts";

/** The kinds of texts that people type into a place search, each measured separately. */
export const SEARCH_KINDS = [
  "exact",
  "no_marks",
  "one_typo",
  "first_60",
  "category",
  "chain",
  "address",
  "far_exact",
] as const;

/** Texts that say more than a name or a kind. They are measured separately, but not part of the mix. */
export const SENTENCE_KINDS = ["phrase", "name_area", "kind_area"] as const;

export type SearchKind = (typeof SEARCH_KINDS)[number] | (typeof SENTENCE_KINDS)[number];

/** `type` is the code of a category word, for systems that know no such words. */
export interface SearchRequest {
  readonly operation: "search";
  readonly kind: SearchKind;
  readonly text: string;
  readonly centre: Coordinates;
  readonly type?: string;
  /** By relevance when absent. */
  readonly sort?: "distance";
}

/** The nearest or best known places around a point. */
interface NearbyRequest {
  readonly operation: "nearby";
  readonly centre: Coordinates;
  readonly sort: "distance" | "prominence";
}

export interface AutocompleteRequest {
  readonly operation: "autocomplete";
  readonly text: string;
  readonly centre: Coordinates;
}

interface DetailRequest {
  readonly operation: "detail";
  readonly dataId: string;
}

/** One request of the bench, in terms that suit every system. Each system turns it into a call. */
export type BenchRequest = SearchRequest | NearbyRequest | AutocompleteRequest | DetailRequest;

/** A caller who searches for a place is about to go there. */
const NEAR_METERS = 3_000;

/** Another city: the place is far away, and named exactly. */
const FAR_METERS = 300_000;

/** Half of the category words and chains are typed without marks, as on most keyboards. */
const PLAIN_SHARE = 0.5;

/** The share of requests, in hundredths, of one kind. */
export interface KindShare {
  readonly kind: SearchKind;
  readonly share: number;
}

/**
 * The realistic mix. There are no published figures on place searches in Vietnam, so this is a judgement.
 * Most texts are names, usually without marks, because marks are a nuisance on phones. About a third name no
 * place, but a kind of place or a chain. People pick from the list before the name is complete. Typos and
 * addresses are a tenth each or less.
 */
export const REALISTIC_MIX: readonly KindShare[] = [
  { kind: "no_marks", share: 25 },
  { kind: "category", share: 20 },
  { kind: "chain", share: 15 },
  { kind: "exact", share: 10 },
  { kind: "first_60", share: 10 },
  { kind: "one_typo", share: 10 },
  { kind: "address", share: 5 },
  { kind: "far_exact", share: 5 },
];

/** A kind by its share of the mix. */
export function drawKind(mix: readonly KindShare[], random: Random): SearchKind {
  let left = random.fraction() * mix.reduce((sum, { share }) => sum + share, 0);
  for (const { kind, share } of mix) {
    left -= share;
    if (left < 0) return kind;
  }
  return mix.at(-1)!.kind;
}

/** One search of this kind, for a random place or chain and a caller near it. */
export function makeSearch(kind: SearchKind, sample: DatasetSample, random: Random): SearchRequest {
  const place = random.pick(sample.places);
  const centre =
    kind === "far_exact" ? pointAt(place, FAR_METERS, random) : pointWithin(place, NEAR_METERS, random);
  const request = {
    operation: "search",
    kind,
    text: typedFor(kind, { place, sample, random }),
    centre,
  } as const;
  return kind === "category" ? { ...request, type: place.type } : request;
}

interface Typing {
  readonly place: SampledPlace;
  readonly sample: DatasetSample;
  readonly random: Random;
}

function typedFor(kind: SearchKind, { place, sample, random }: Typing): string {
  switch (kind) {
    case "exact":
    case "far_exact":
      return place.title;
    case "no_marks":
      return withoutMarks(place.title);
    case "one_typo":
      return withOneTypo(withoutMarks(place.title), random);
    case "first_60":
      return firstSixtyPercent(place.title);
    case "category":
      return maybePlain(categoryWord(place.type, random), random);
    case "chain":
      return maybePlain(random.pick(sample.chains), random);
    case "address":
      return withoutMarks(place.street);
    case "phrase":
      return `${categoryWord(place.type, random)} ${random.pick(EVERYDAY_WORDS)}`;
    case "name_area":
      return `${place.title} ${cityOf(place)}`;
    case "kind_area":
      return `${categoryWord(place.type, random)} ${cityOf(place)}`;
  }
}

/** What people add to the word for a kind. */
const EVERYDAY_WORDS = [
  "gần đây",
  "gần tôi",
  "near me",
  "nearby",
  "ở đâu",
  "ngon",
  "giá rẻ",
  "đang mở cửa",
  "open now",
];

/** The demo places lie in these cities, from north to south; each begins at a latitude. */
const CITIES: readonly (readonly [fromLatitude: number, name: string])[] = [
  [18, "hà nội"],
  [14, "đà nẵng"],
  [-90, "tphcm"],
];

const cityOf = ({ latitude }: Coordinates): string =>
  CITIES.find(([fromLatitude]) => latitude >= fromLatitude)?.[1] ?? "";

const maybePlain = (text: string, random: Random): string =>
  random.fraction() < PLAIN_SHARE ? withoutMarks(text) : text;

/** A label or a search word of the type, as the server knows them. */
function categoryWord(type: string, random: Random): string {
  const { vi, en, words } = TYPE_CODES[isTypeCode(type) ? type : "PLACE"];
  return random.pick([vi, en, ...words]).toLowerCase();
}

/** The places around a point near a random place. */
export const makeNearby = (
  sort: NearbyRequest["sort"],
  { places }: DatasetSample,
  random: Random,
): NearbyRequest => ({
  operation: "nearby",
  centre: pointWithin(random.pick(places), NEAR_METERS, random),
  sort,
});

const METERS_PER_DEGREE = 111_195;

/** Coordinates as a phone sends them: five decimals are about a metre. */
const COORDINATE_SCALE = 100_000;

const rounded = (degrees: number): number => Math.round(degrees * COORDINATE_SCALE) / COORDINATE_SCALE;

/**
 * A random point in the circle around the place, uniformly distributed. Accurate enough away from the poles.
 */
export function pointWithin(place: Coordinates, radiusMeters: number, random: Random): Coordinates {
  return pointAt(place, radiusMeters * Math.sqrt(random.fraction()), random);
}

/** A point at this distance from the place, in any direction. */
function pointAt(place: Coordinates, meters: number, random: Random): Coordinates {
  const direction = 2 * Math.PI * random.fraction();
  const metersPerLongitude = METERS_PER_DEGREE * Math.cos((place.latitude * Math.PI) / 180);
  return {
    latitude: rounded(place.latitude + (meters * Math.cos(direction)) / METERS_PER_DEGREE),
    longitude: rounded(place.longitude + (meters * Math.sin(direction)) / metersPerLongitude),
  };
}
