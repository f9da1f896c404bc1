import { fold, joinWords } from "../../src/place/text/fold.ts";
import type { Random } from "../../test/support/random.ts";
import { makeKindInStreetCases } from "./address-cases.ts";
import { makeAreaKindCases } from "./area-cases.ts";
import { makeChainAtPlaceCases } from "./branch-cases.ts";
import { type EvalCase, mistype } from "./cases.ts";
import type { Dataset } from "./dataset.ts";
import { makePhraseCases, makeWishCases } from "./phrase-cases.ts";

/** What is typed with a typo; each is a row of the report. */
const SOURCES = {
  "kind and phrase": makePhraseCases,
  "kind and wish": makeWishCases,
  "kind and area": makeAreaKindCases,
  "kind and street": makeKindInStreetCases,
  "chain and place": makeChainAtPlaceCases,
} as const;

/** Shorter queries are a letter away from too much else. */
const MIN_LETTERS = 6;

/** Queries of several parts with one letter mistyped anywhere, without marks: "nha thuoc quab 3". Right is what is right for the query without it. */
export function makeMistypedCases(dataset: Dataset, random: Random, count: number): EvalCase[] {
  return Object.entries(SOURCES).flatMap(([form, make]) =>
    random
      .shuffle(make(dataset, random, count))
      .flatMap((one): EvalCase[] => {
        const folded = fold(one.query);
        const query = joinWords(folded).length < MIN_LETTERS ? undefined : mistype(folded, 1, random);
        if (query === undefined || dataset.isTaken(joinWords(query))) return [];
        return [{ ...one, kind: "mistyped", form, query }];
      })
      .slice(0, count),
  );
}
