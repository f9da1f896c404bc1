import { joinWords } from "../../../src/place/text/fold.ts";
import { byDistance, hasTellingName, type Gazetteer, type TruePlace } from "../gazetteer.ts";
import type { Random } from "../random.ts";
import type { EvalCase } from "./case.ts";
import { centreNear } from "./centre.ts";
import { MIN_BRANCHES } from "./chain-cases.ts";

/** From the first character to where most names are told apart. */
const MAX_TYPED = 8;

/**
 * The same names typed character by character, without marks: one case for each number of characters that the name has. Right
 * is any place of that name: what a suggestion offers is the name, and the nearest place of it comes with the search.
 */
export function makeAutocompleteCases(gazetteer: Gazetteer, random: Random, count: number): EvalCase[] {
  const places = random.shuffle(gazetteer.places.filter(hasTellingName)).slice(0, count);
  return places.flatMap((place) => typeName("autocomplete", place, { gazetteer, random }));
}

/** The same for places as likely as they have reviews: people mostly type what is well known. None where nothing is reviewed. */
export function makeKnownAutocompleteCases(gazetteer: Gazetteer, random: Random, count: number): EvalCase[] {
  const reviewed = gazetteer.places.filter((place) => hasTellingName(place) && place.reviews > 0);
  // The largest of uniform draws raised to 1/weight: a sample without repetition by weight (Efraimidis and Spirakis 2006).
  const drawn = reviewed.map((place) => ({ place, key: Math.log(random.fraction()) / place.reviews }));
  const places = drawn.toSorted((a, b) => b.key - a.key).slice(0, count);
  return places.flatMap(({ place }) => typeName("autocomplete-known", place, { gazetteer, random }));
}

interface Making {
  readonly gazetteer: Gazetteer;
  readonly random: Random;
}

function typeName(kind: EvalCase["kind"], place: TruePlace, { gazetteer, random }: Making): EvalCase[] {
  const centre = centreNear(place.location, random);
  const bearers = byDistance(gazetteer.bearersOf(joinWords(place.folded)), centre);
  const dataIds = bearers.map(({ place: bearer }) => bearer.dataId);
  const chain = bearers.length >= MIN_BRANCHES && ({ isChain: true } as const);
  return Array.from({ length: Math.min(MAX_TYPED, place.folded.length) }, (_, before) => {
    const typed = before + 1;
    const query = place.folded.slice(0, typed).trim();
    return { kind, query, centre, expected: { dataIds, name: place.folded, ...chain, typed } };
  });
}
