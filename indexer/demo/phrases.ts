import * as v from "valibot";
import { readTable, textSchema } from "../../src/place/read-table.ts";
import type { Random } from "./random.ts";
import type { Spot } from "./spot.ts";
import table from "./words.json" with { type: "json" };

/** The data that a phrase may use. */
export interface Scene {
  readonly random: Random;
  readonly spot: Spot;
  /** The chain of a branch; empty for an independent place. */
  readonly brand: string;
}

/** Produces one phrase: draws every slot anew. */
export type Phrase = (scene: Scene) => string;

/** Slots that come from the scene instead of a word list. */
const SCENE_SLOTS: Readonly<Record<string, Phrase>> = {
  brand: ({ brand }) => brand,
  street: ({ spot }) => spot.street,
  ward: ({ spot }) => spot.ward.name,
  wardLabel: ({ spot }) => spot.ward.label,
  oldDistrict: ({ spot }) => spot.ward.oldDistrict,
  city: ({ spot }) => spot.city.localName,
  province: ({ spot }) => spot.city.shortProvince,
  road: ({ spot }) => roadName(spot),
  line: ({ spot }) => spot.mall ?? spot.line,
  mall: ({ spot }) => spot.mall ?? spot.street,
  houseNumber: ({ spot }) => `${spot.houseNumber}`,
};

/** A street in a sentence: "đường Lê Lợi", in the north "phố Huế", but only "Đường số 7" and "Quốc lộ 1". */
function roadName({ street, city }: Spot): string {
  if (/^(?:Đường|Quốc lộ|Tỉnh lộ|Hương lộ|Phố|Hẻm|Khu|Cư xá|Đại lộ) /.test(street)) return street;
  return `${city.region === "north" ? "phố" : "đường"} ${street}`;
}

/**
 * The form of `words.json`: the vocabulary of names and texts. An entry may contain slots in braces. In a
 * region with a separate list (`owner@north`), the slot is filled from that list. An entry that is listed
 * twice is drawn twice as often.
 */
export const wordsSchema = v.record(v.string(), v.pipe(v.array(textSchema), v.minLength(1)));

const WORDS = readTable("indexer/demo/words.json", wordsSchema, table);
const SLOT = /\{(\w+)\}/;

const compiled = new Map<string, Phrase>();

/**
 * Turns a pattern such as `Quán {ocDish} {owner}` into a phrase. Slots are word lists or parts of the scene;
 * words may contain slots themselves. Throws on an unknown slot.
 */
export function compilePhrase(pattern: string): Phrase {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const phrase = joinParts(pattern.split(SLOT));
  compiled.set(pattern, phrase);
  return phrase;
}

/** Splitting by the slot leaves text at even positions and slot names at odd ones. */
function joinParts(parts: readonly string[]): Phrase {
  if (parts.length === 1) return () => parts[0]!;
  const phrases = parts.flatMap((part, index): Phrase[] => {
    if (index % 2 === 1) return [compileSlot(part)];
    return part === "" ? [] : [() => part];
  });
  return (scene) => {
    let text = "";
    for (const phrase of phrases) text += phrase(scene);
    return text;
  };
}

function compileSlot(slot: string): Phrase {
  const fromScene = SCENE_SLOTS[slot];
  if (fromScene !== undefined) return fromScene;
  const south = compileList(slot);
  if (south === undefined) throw new Error(`no words for {${slot}}`);
  const central = compileList(`${slot}@central`) ?? south;
  const north = compileList(`${slot}@north`) ?? south;
  if (central === south && north === south) return south;
  const byRegion = { south, central, north };
  return (scene) => byRegion[scene.spot.city.region](scene);
}

function compileList(name: string): Phrase | undefined {
  const words = WORDS[name];
  if (words === undefined) return undefined;
  if (!words.some((word) => word.includes("{"))) return ({ random }) => random.pick(words);
  const phrases = words.map(compilePhrase);
  return (scene) => scene.random.pick(phrases)(scene);
}
