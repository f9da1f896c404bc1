import { buildCityMap, type CityMap } from "./cities/city-map.ts";
import type { LandmarkRow } from "./cities/city.ts";
import { rosterFor } from "./cities/roster.ts";
import type { Stretch } from "./cities/stretch.ts";
import { pickKindFor, READY_KINDS, type ReadyKind } from "./kinds/catalogue.ts";
import type { BrandRow } from "./names/brands.ts";
import { drawLongMembers, drawPlace, type Founding, type PlaceRecord } from "./place.ts";
import { createRandom, type Random } from "./random.ts";
import { landmarkSpot, settleSpot } from "./spot.ts";
import { createWeightedPick, type WeightedPick } from "./weighted.ts";

/** What a gazetteer is made from. The same options give the same bytes. */
export interface GazetteerOptions {
  readonly places: number;
  readonly seed: number;
  /** Leaves out reviews, photos and popular times. */
  readonly lean: boolean;
}

/** Makes the places of a gazetteer one by one. */
export interface Gazetteer {
  /** The place of that number, from 1 to `places`. It does not depend on which were made before. */
  placeAt(number: number): PlaceRecord;
}

/** Every seventh place is a landmark until all are told: a short run has some, a long one all of them. */
const LANDMARK_EVERY = 7;
/** On a street known for something, this share of its places is drawn from what it is known for. */
const FLAVOUR_SHARE = 0.6;

interface Town {
  readonly map: CityMap;
  readonly share: number;
  readonly pickStretch: WeightedPick<Stretch>;
}

/** Prepares the cities; placing is then a matter of microseconds. */
export function createGazetteer({ places, seed, lean }: GazetteerOptions): Gazetteer {
  const { cities, brandFactor } = rosterFor(places);
  const towns = cities.map(({ city, share }) => toTown(buildCityMap(city), share));
  const pickTown = createWeightedPick(towns, ({ share }) => share);
  const landmarks = towns.flatMap(({ map }) => landmarksOf(map));
  const random = createRandom(seed);

  function foundingAt(number: number): Founding {
    const landmark = number % LANDMARK_EVERY === 0 ? landmarks[number / LANDMARK_EVERY - 1] : undefined;
    if (landmark !== undefined) {
      return {
        number,
        landmark: landmark.row,
        spot: landmarkSpot(landmark.map, landmark.row),
        ready: kindNamed(landmark.row[1]),
      };
    }
    const { map, pickStretch } = pickTown(random);
    const stretch = pickStretch(random);
    const ready = pickKind(stretch, map, random);
    const brand = pickBrand(ready, { isMall: stretch.mall !== undefined, brandFactor }, random);
    // Chains pay for a front on the street.
    const mayHideInLane = ready.kind.needsFront !== true && brand === undefined;
    const spot = settleSpot({ map, stretch, mayHideInLane }, random);
    return { number, ready, spot, ...(brand && { brand }) };
  }

  return {
    placeAt(number) {
      random.restart(number);
      const founding = foundingAt(number);
      const draft = drawPlace(founding, random);
      return lean ? draft.record : { ...draft.record, ...drawLongMembers(founding, draft, random) };
    },
  };
}

function toTown(map: CityMap, share: number): Town {
  return { map, share, pickStretch: createWeightedPick(map.stretches, ({ weight }) => weight) };
}

function pickKind({ flavour, surroundings }: Stretch, { city }: CityMap, random: Random): ReadyKind {
  const zone = flavour !== "" && random.chance(FLAVOUR_SHARE) ? flavour : surroundings;
  return pickKindFor(zone, city.region)(random);
}

/** A kind with this share has nothing but branches, however large the world is. */
const ONLY_BRANCHES = 0.95;

/** The chain that a place of a kind belongs to, if any. A shopping centre is mostly chains. */
function pickBrand(
  { kind, pickBrand: pick }: ReadyKind,
  { isMall, brandFactor }: { isMall: boolean; brandFactor: number },
  random: Random,
): BrandRow | undefined {
  const share = kind.brandShare ?? 0;
  const isBranch = share >= ONLY_BRANCHES || random.chance(isMall ? Math.sqrt(share) : share * brandFactor);
  return isBranch ? pick?.(random) : undefined;
}

interface Landmark {
  readonly map: CityMap;
  readonly row: LandmarkRow;
}

/** The landmarks of a city, its shopping centres among them. */
function landmarksOf(map: CityMap): Landmark[] {
  const malls = map.city.malls.map(([name, line, latitude, longitude]): LandmarkRow => [
    name,
    "shoppingMall",
    line,
    latitude,
    longitude,
  ]);
  return [...map.city.landmarks, ...malls].map((row) => ({ map, row }));
}

function kindNamed(name: string): ReadyKind {
  const ready = READY_KINDS.get(name);
  if (ready === undefined) throw new Error(`no kind ${name} in the catalogue`);
  return ready;
}
