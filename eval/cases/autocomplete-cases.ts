import { joinWords } from "../../src/text/fold.ts";
import { hasTellingName, type Gazetteer } from "../gazetteer.ts";
import type { Random } from "../random.ts";
import type { EvalCase } from "./case.ts";
import { centreNear } from "./centre.ts";

/** From the first character to where most names are told apart. */
export const MAX_TYPED = 8;

/**
 * The same names typed character by character, without marks: one case for each number of characters that the name has. Right is any
 * place of that name: what a suggestion offers is the name, and the nearest place of it comes with the search.
 */
export function makeAutocompleteCases(gazetteer: Gazetteer, random: Random, count: number): EvalCase[] {
  const places = random.shuffle(gazetteer.places.filter(hasTellingName)).slice(0, count);
  return places.flatMap((place) => {
    const centre = centreNear(place.location, random);
    const dataIds = gazetteer.bearersOf(joinWords(place.folded)).map(({ dataId }) => dataId);
    return Array.from({ length: Math.min(MAX_TYPED, place.folded.length) }, (_, before): EvalCase => {
      const typed = before + 1;
      const query = place.folded.slice(0, typed).trim();
      return { kind: "autocomplete", query, centre, expected: { dataIds, name: place.folded, typed } };
    });
  });
}
