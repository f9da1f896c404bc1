import type { LandmarkRow } from "./cities.ts";
import type { BrandRow, ReadyKind } from "./kinds.ts";
import { compilePhrase, type Scene } from "./phrases.ts";
import type { Random } from "./random.ts";
import { removeMarks, writeAsPeopleDo } from "./spelling.ts";
import type { Spot } from "./spot.ts";

/** What a place is called. */
interface PlaceName {
  readonly title: string;
  readonly otherNames: readonly string[];
}

/**
 * A place to be named: a landmark has a fixed name, a branch that of its chain, and any other place a unique
 * one.
 */
export interface Nameless {
  readonly ready: ReadyKind;
  readonly spot: Spot;
  readonly brand?: BrandRow;
  readonly landmark?: LandmarkRow;
}

/** Names a place. */
export function drawName({ ready, spot, brand, landmark }: Nameless, random: Random): PlaceName {
  if (landmark !== undefined) {
    return { title: landmark.name, otherNames: landmark.otherNames ?? [] };
  }
  if (brand !== undefined) return drawBranchName(ready, brand, { random, spot, brand: brand.name });
  const scene = { random, spot, brand: "" };
  const plain = random.pick(ready.names)(scene);
  // Places such as banks and supermarkets have names without additions.
  const isPrivate = ready.kind.needsFront !== true;
  const name = isPrivate && random.chance(ADDITION_SHARE) ? withAddition(plain, scene) : plain;
  return { title: writeAsPeopleDo(name, random), otherNames: otherNamesOf(name, random) };
}

/** Signs of chains are uniform. Only the marks are sometimes left off. */
function drawBranchName(ready: ReadyKind, { otherNames = [] }: BrandRow, scene: Scene): PlaceName {
  const { random, spot } = scene;
  const title = random.pick(spot.mall === undefined ? ready.branchNames : ready.mallBranchNames)(scene);
  return {
    title: random.chance(0.06) ? removeMarks(title) : title,
    otherNames: random.chance(0.4) ? otherNames : [],
  };
}

/** Additions that owners use to distinguish a name from similar ones. */
const ADDITIONS = [
  "{street}",
  "{street}",
  "{ward}",
  "{houseNumber}",
  "2",
  "Cơ sở 2",
  "{houseNumber} {street}",
].map(compilePhrase);
const ADDITION_SHARE = 0.13;

function withAddition(name: string, scene: Scene): string {
  const addition = scene.random.pick(ADDITIONS)(scene);
  if (name.includes(addition) || name.includes(`${scene.spot.houseNumber}`)) return name;
  return `${name}${scene.random.chance(0.6) ? " - " : " "}${addition}`;
}

/** A few places are also known by their name without marks. */
function otherNamesOf(name: string, random: Random): readonly string[] {
  if (!random.chance(0.05)) return [];
  const plain = removeMarks(name);
  return plain === name ? [] : [plain];
}
