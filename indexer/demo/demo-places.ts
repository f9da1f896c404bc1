import { worldFor, type LandmarkRow } from "./cities.ts";
import { buildCityMap, type CityMap, type Course, type Stretch } from "./city-map.ts";
import { pickKindFor, READY_KINDS, type BrandRow, type ReadyKind } from "./kinds.ts";
import { drawLongFields, drawPlace, type Founding, type PlaceRecord } from "./place.ts";
import { createRandom, createWeightedPick, type Random, type WeightedPick } from "./random.ts";
import { landmarkSpot, settleSpot } from "./spot.ts";

/** The options of a dataset. The same options produce the same bytes. */
export interface DemoOptions {
  readonly places: number;
  readonly seed: number;
  /** Leaves out reviews, photos and popular times. */
  readonly lean: boolean;
}

/** Makes the places of a dataset one by one. */
export interface DemoPlaces {
  /** The place with that number, from 1 to `places`. It does not depend on the places made before. */
  placeAt(number: number): PlaceRecord;
}

/** Every seventh place is a landmark until all are used: a short run has some, a long one has all. */
const LANDMARK_EVERY = 7;
/** On a street with a speciality, this share of its places belongs to it. */
const FLAVOUR_SHARE = 0.6;

interface Town {
  readonly map: CityMap;
  readonly share: number;
  readonly pickStretch: WeightedPick<Stretch>;
}

/** Prepares the cities. After that, placing takes microseconds. */
export function createDemoPlaces({ places, seed, lean }: DemoOptions): DemoPlaces {
  const { cities, brandFactor } = worldFor(places);
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
        ready: kindNamed(landmark.row.kind),
      };
    }
    const { map, pickStretch } = pickTown(random);
    const stretch = pickStretch(random);
    const ready = pickKind(stretch, map, random);
    const brand = pickBrand(ready, { isMall: stretch.mall !== undefined, brandFactor }, random);
    // Chains rent premises on the street.
    const mayHideInLane = ready.kind.needsFront !== true && brand === undefined;
    const spot = settleSpot({ map, stretch, mayHideInLane }, random);
    return { number, ready, spot, ...(brand && { brand }) };
  }

  return {
    placeAt(number) {
      random.restart(number);
      const founding = foundingAt(number);
      const draft = drawPlace(founding, random);
      return lean ? draft.record : { ...draft.record, ...drawLongFields(founding, draft, random) };
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

/** A kind with this share has only branches, however large the world is. */
const ONLY_BRANCHES = 0.95;

/** Picks the chain of a place, if any. A shopping centre has mostly chains. */
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
  const malls = map.city.malls.map((mall): LandmarkRow => ({ ...mall, kind: "shoppingMall" }));
  return [...map.city.landmarks, ...malls].map((row) => ({ map, row }));
}

function kindNamed(name: string): ReadyKind {
  const ready = READY_KINDS.get(name);
  if (ready === undefined) throw new Error(`no kind ${name} in indexer/demo/kinds`);
  return ready;
}

/**
 * Lines are written in blocks of about this many characters. A write for each line would cost more than
 * making it.
 */
const BLOCK_LENGTH = 256 * 1024;

/** The dataset as JSON lines, in blocks. */
export function* linesOfPlaces(options: DemoOptions): Generator<string> {
  const demoPlaces = createDemoPlaces(options);
  let block = "";
  for (let number = 1; number <= options.places; number += 1) {
    block += `${JSON.stringify(demoPlaces.placeAt(number))}\n`;
    if (block.length >= BLOCK_LENGTH) {
      yield block;
      block = "";
    }
  }
  if (block !== "") yield block;
}

/** A street with OpenStreetMap tags, as GeoJSON. */
interface StreetFeature {
  readonly type: "Feature";
  readonly properties: { readonly highway: string; readonly name: string };
  readonly geometry: {
    readonly type: "LineString";
    readonly coordinates: readonly (readonly [number, number])[];
  };
}

/** The streets along which the demo places lie, one GeoJSON feature a line. The number of places decides the cities. */
export function* linesOfStreets(places: number): Generator<string> {
  for (const { city } of worldFor(places).cities)
    for (const course of buildCityMap(city).courses) yield `${JSON.stringify(toStreet(course))}\n`;
}

const toStreet = ({ street, isLocal, path }: Course): StreetFeature => ({
  type: "Feature",
  properties: { highway: isLocal ? "residential" : "primary", name: street },
  geometry: { type: "LineString", coordinates: path.map(([latitude, longitude]) => [longitude, latitude]) },
});
