import type { Gazetteer } from "../gazetteer.ts";
import { createRandom } from "../random.ts";
import { makeAddressCases, makeStreetCases } from "./address-cases.ts";
import { makeAutocompleteCases, makeKnownAutocompleteCases } from "./autocomplete-cases.ts";
import { NAME_KINDS, type EvalCase, type Kind, type NameKind } from "./case.ts";
import { makeCategoryCases, makeMistypedCategoryCases } from "./category-cases.ts";
import { makeChainCases } from "./chain-cases.ts";
import { makeNameCases } from "./name-cases.ts";

interface CaseOptions {
  readonly kinds: readonly Kind[];
  readonly seed: number;
  /** How many of each kind, as far as the gazetteer has them. */
  readonly count: number;
}

/** The cases of these kinds. A kind has a stream of draws of its own, so leaving one out does not change the others. */
export function makeCases(gazetteer: Gazetteer, { kinds, seed, count }: CaseOptions): EvalCase[] {
  return kinds.flatMap((kind) => {
    const random = createRandom(`${kind} ${seed}`);
    return isNameKind(kind)
      ? makeNameCases(kind, gazetteer, random, count)
      : MAKERS[kind](gazetteer, random, count);
  });
}

const MAKERS = {
  autocomplete: makeAutocompleteCases,
  "autocomplete-known": makeKnownAutocompleteCases,
  category: makeCategoryCases,
  "category-typo": makeMistypedCategoryCases,
  chain: makeChainCases,
  address: makeAddressCases,
  "street-ward": makeStreetCases,
} as const satisfies Record<Exclude<Kind, NameKind>, unknown>;

const isNameKind = (kind: Kind): kind is NameKind => (NAME_KINDS as readonly Kind[]).includes(kind);
