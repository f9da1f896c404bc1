import type { Dataset } from "./dataset.ts";
import { createRandom } from "../../test/support/random.ts";
import { makePhraseCases, makeMixedCases, makeWishCases } from "./phrase-cases.ts";
import { makeAreaChainCases, makeAreaKindCases, makeAreaNameCases, makeAreaWishCases } from "./area-cases.ts";
import { makeBranchCases, makeBranchOfKindCases, makeChainAtPlaceCases } from "./branch-cases.ts";
import { makeDishCases } from "./dish-cases.ts";
import { makeEnglishNameCases, makeHouseNameCases, makeJoinedShortCases } from "./other-name-cases.ts";
import { makeMistypedCases } from "./mistyped-cases.ts";
import { makeScriptCases } from "./scripts.ts";
import {
  makeAddressCases,
  makeAddressFormCases,
  makeKindInStreetCases,
  makeStreetCases,
} from "./address-cases.ts";
import {
  makeAutocompleteCases,
  makeChainCases,
  makeHalfTypedCases,
  makeHalfTypedSuggestionCases,
  makeKnownAutocompleteCases,
  makeNameCases,
  makeQuestionCases,
} from "./name-cases.ts";
import { type EvalCase, type Kind, NAME_KINDS, type NameKind } from "./cases.ts";
import { makeCategoryCases, makeMistypedCategoryCases } from "./category-cases.ts";

interface CaseOptions {
  readonly kinds: readonly Kind[];
  readonly seed: number;
  /** How many cases of each kind, as far as the dataset has them. */
  readonly count: number;
}

/**
 * The cases of these kinds. Each kind has a separate random stream, so leaving one out does not change the
 * others.
 */
export function makeCases(dataset: Dataset, { kinds, seed, count }: CaseOptions): EvalCase[] {
  return kinds.flatMap((kind) => {
    const random = createRandom(`${kind} ${seed}`);
    return isNameKind(kind)
      ? makeNameCases(kind, dataset, random, count)
      : MAKERS[kind](dataset, random, count);
  });
}

const MAKERS = {
  autocomplete: makeAutocompleteCases,
  "autocomplete-known": makeKnownAutocompleteCases,
  category: makeCategoryCases,
  "category-typo": makeMistypedCategoryCases,
  chain: makeChainCases,
  branch: makeBranchCases,
  "branch-kind": makeBranchOfKindCases,
  "chain-place": makeChainAtPlaceCases,
  dish: makeDishCases,
  "joined-short": makeJoinedShortCases,
  "english-name": makeEnglishNameCases,
  question: makeQuestionCases,
  "house-name": makeHouseNameCases,
  address: makeAddressCases,
  "street-ward": makeStreetCases,
  "kind-street": makeKindInStreetCases,
  phrase: makePhraseCases,
  wish: makeWishCases,
  "area-name": makeAreaNameCases,
  "area-chain": makeAreaChainCases,
  "area-kind": makeAreaKindCases,
  "area-wish": makeAreaWishCases,
  "address-form": makeAddressFormCases,
  mistyped: makeMistypedCases,
  mixed: makeMixedCases,
  script: makeScriptCases,
  "half-typed": makeHalfTypedCases,
  "autocomplete-half-typed": makeHalfTypedSuggestionCases,
} as const satisfies Record<Exclude<Kind, NameKind>, unknown>;

const isNameKind = (kind: Kind): kind is NameKind => (NAME_KINDS as readonly Kind[]).includes(kind);
