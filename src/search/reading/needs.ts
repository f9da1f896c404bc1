import {
  allTypes,
  isTypeCode,
  isUnder,
  standInsFor,
  typesUnder,
  type TypeCode,
} from "../../place/document/type-codes.ts";
import type { NeedWeights, Vocabulary } from "../vocabulary/vocabulary.ts";
import { READING } from "../numbers.ts";
import { kindOfTypes } from "./kind-reading.ts";
import type { KindReading } from "./reading.ts";
import type { Token } from "./tokens.ts";

/**
 * What a sentence asks for without naming it: "hết sạch tiền mặt rồi" needs a cash machine. A linear classifier over its words decides;
 * `npm run -s fit -- --needs` fits it to the sentences of tools/fit/needs.tsv.
 */

/** The kinds that a sentence needs, likeliest first, and how likely it is, 0 to 1, that it needs one of them. */
export interface Need {
  readonly kinds: readonly KindReading[];
  readonly likelihood: number;
}

/** The codes of types with how likely each is needed, likeliest first. */
type Likelihoods = readonly (readonly [code: string, likelihood: number])[];

/** The words of a sentence, each pair of neighbours, and the words that were typed with marks as they were typed. */
export function needFeatures(tokens: readonly Token[]): string[] {
  const pairs = tokens.slice(1).map(({ word }, at) => `${tokens[at]!.word} ${word}`);
  const marked = tokens.flatMap((token) => (token.hasMarks ? [token.marked] : []));
  return [...new Set([...tokens.map(({ word }) => word), ...pairs, ...marked])];
}

/**
 * How likely a sentence needs each type: a softmax over the sums of the weights of its features, each divided by the square root of their
 * number, so that long sentences are no surer than short ones. Types that none of them has are left out.
 */
export function needLikelihoods(features: readonly string[], weightsOf: NeedWeights): Likelihoods {
  const scale = 1 / Math.sqrt(Math.max(1, features.length));
  const sums = new Map<string, number>();
  for (const feature of features)
    for (const [code, weight] of weightsOf(feature)) sums.set(code, (sums.get(code) ?? 0) + scale * weight);
  const powers = [...sums].map(([code, sum]) => [code, Math.exp(sum)] as const);
  const all = powers.reduce((total, [, power]) => total + power, allTypes().length - powers.length);
  return powers.map(([code, power]) => [code, power / all] as const).toSorted((a, b) => b[1] - a[1]);
}

type Weighed = Pick<Vocabulary, "needWeights">;

/** How many places of a dataset have one of some types. */
export type CountTypes = (types: readonly TypeCode[]) => number;

/**
 * What the words need of what a dataset has, if that is likely enough; beside kinds that they name, only if it is surely another, or in a
 * sentence a narrower one: "we don't eat meat, where should we have dinner".
 * @param said the codes of the kinds that they name
 */
export function readNeed(
  tokens: readonly Token[],
  { vocabulary, countTypes }: { readonly vocabulary: Weighed; readonly countTypes: CountTypes },
  said: readonly string[] = [],
  isSentence = true,
): Need | undefined {
  const likely = needLikelihoods(needFeatures(tokens), vocabulary.needWeights);
  const found = inDataset(likely, countTypes);
  const [[code, first] = ["", 0]] = found;
  const [named = ""] = said;
  const isNarrower =
    isSentence && isTypeCode(code) && isTypeCode(named) && named !== code && isUnder(code, named);
  const isOther =
    first >= (tokens.length > READING.wordsOfStory ? READING.needOfStory : READING.needSure) &&
    (isNarrower || shareOf(said, likely) < READING.unlikelyNeed);
  if (first < READING.needLikelihood || (said.length > 0 && !isOther)) return undefined;
  const meant = found
    .filter((one): one is [TypeCode, number] => isTypeCode(one[0]) && one[1] >= READING.needsBeside * first)
    .slice(0, READING.mostNeeds);
  return {
    kinds: meant.map(([code]) => kindOfTypes(typesUnder(code))),
    likelihood: meant.reduce((sum, [, share]) => sum + share, 0),
  };
}

/**
 * The likelihoods among the kinds that a dataset has. That of a kind that it lacks goes to the likeliest kind that stands in for it; if none
 * does, to all others alike.
 */
function inDataset(likely: Likelihoods, countTypes: CountTypes): Likelihoods {
  const shares = new Map(likely);
  let lost = 0;
  const rank = new Map(likely.map(([code], at) => [code, at]));
  const isHeld = (code: TypeCode): boolean => countTypes(typesUnder(code)) > 0;
  for (const [code, share] of likely) {
    if (share < READING.leastNeed) break;
    if (!isTypeCode(code) || isHeld(code)) continue;
    shares.delete(code);
    const [other] = standInsFor(code)
      .filter((one) => rank.has(one) && isHeld(one))
      .toSorted((one, another) => rank.get(one)! - rank.get(another)!);
    if (other) shares.set(other, (shares.get(other) ?? 0) + share);
    else lost += share;
  }
  if (Math.max(0, ...shares.values()) < READING.needLikelihood) return [];
  return [...shares]
    .map(([code, share]) => [code, share / (1 - lost)] as const)
    .toSorted((one, other) => other[1] - one[1]);
}

/** How likely the words need a kind with some codes, 0 to 1, beside the kind that they need most. */
export function likelihoodsOf(
  tokens: readonly Token[],
  vocabulary: Weighed,
): (codes: readonly string[]) => number {
  let likely: Likelihoods | undefined;
  return (codes) =>
    shareOf(codes, (likely ??= needLikelihoods(needFeatures(tokens), vocabulary.needWeights)));
}

/** How likely a need of the types, or of wider ones that they belong to, is beside the likeliest need: 1 for that itself. */
function shareOf(codes: readonly string[], found: Likelihoods): number {
  const [[, most] = ["", 1]] = found;
  const isOf = (code: string): boolean =>
    codes.includes(code) || (isTypeCode(code) && typesUnder(code).some((under) => under === codes[0]));
  return found.filter(([code]) => isOf(code)).reduce((sum, [, share]) => sum + share / most, 0);
}
