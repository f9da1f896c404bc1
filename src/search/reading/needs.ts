import { allTypes, isTypeCode, typesUnder, type TypeCode } from "../../place/document/type-codes.ts";
import type { NeedWeights, Vocabulary } from "../vocabulary/vocabulary.ts";
import { READING } from "../numbers.ts";
import { kindOfTypes } from "./kind-reading.ts";
import type { KindReading } from "./reading.ts";
import type { Token, WordRange } from "./tokens.ts";

/**
 * What a sentence asks for without naming it: "hết sạch tiền mặt rồi" needs a cash machine. A linear classifier over its words decides;
 * `npm run -s fit -- --needs` fits it to the sentences of tools/fit/needs.tsv.
 */

/** The kinds that a sentence needs, likeliest first, and how likely it is, 0 to 1, that it needs one of them. */
export interface Need {
  readonly kinds: readonly KindReading[];
  readonly likelihood: number;
}

/**
 * The words of a sentence, each pair of neighbours, and the words that were typed with marks as they were typed; or those that have a
 * word of some of them.
 */
export function needFeatures(
  tokens: readonly Token[],
  { start, end }: WordRange = { start: 0, end: tokens.length },
): string[] {
  const own = tokens.slice(start, end);
  const pairs = tokens
    .slice(0, -1)
    .flatMap(({ word }, at) => (at + 1 >= start && at < end ? [`${word} ${tokens[at + 1]!.word}`] : []));
  const marked = own.flatMap((token) => (token.hasMarks ? [token.marked] : []));
  return [...new Set([...own.map(({ word }) => word), ...pairs, ...marked])];
}

/**
 * How likely a sentence needs each type: a softmax over the sums of the weights of its features, each divided by the square root of their
 * number, so that long sentences are no surer than short ones. Types that none of them has are left out.
 */
export function needLikelihoods(
  features: readonly string[],
  weightsOf: NeedWeights,
): (readonly [code: string, likelihood: number])[] {
  const scale = 1 / Math.sqrt(Math.max(1, features.length));
  const sums = new Map<string, number>();
  for (const feature of features)
    for (const [code, weight] of weightsOf(feature)) sums.set(code, (sums.get(code) ?? 0) + scale * weight);
  const powers = [...sums].map(([code, sum]) => [code, Math.exp(sum)] as const);
  const all = powers.reduce((total, [, power]) => total + power, allTypes().length - powers.length);
  return powers.map(([code, power]) => [code, power / all] as const).toSorted((a, b) => b[1] - a[1]);
}

type Weighed = Pick<Vocabulary, "needWeights">;

const likelihoodsOf = (tokens: readonly Token[], { needWeights }: Weighed, some?: WordRange) =>
  needLikelihoods(needFeatures(tokens, some), needWeights);

/** What the words need, if that is likely enough. */
export function readNeed(tokens: readonly Token[], vocabulary: Weighed): Need | undefined {
  const found = likelihoodsOf(tokens, vocabulary);
  const [[, first] = ["", 0]] = found;
  if (first < READING.needLikelihood) return undefined;
  const meant = found
    .filter((one): one is [TypeCode, number] => isTypeCode(one[0]) && one[1] >= READING.needsBeside * first)
    .slice(0, READING.mostNeeds);
  return {
    kinds: meant.map(([code]) => kindOfTypes(typesUnder(code))),
    likelihood: meant.reduce((sum, [, share]) => sum + share, 0),
  };
}

/** Words that name a kind. */
interface SaidKind extends WordRange {
  readonly codes: readonly string[];
}

/**
 * Those words of kinds that say something else in a sentence: who needs photos for a "hồ sơ" wants no lake. None where the sentence may
 * need one of the kinds, or nothing for sure.
 */
export function findOtherWords<Said extends SaidKind>(
  said: readonly Said[],
  tokens: readonly Token[],
  vocabulary: Weighed,
): readonly Said[] {
  if (said.length === 0) return [];
  const ofAll = likelihoodsOf(tokens, vocabulary);
  const [[, most] = ["", 0]] = ofAll;
  const isNeeded = said.some(({ codes }) => shareOf(codes, ofAll) >= READING.unlikelyNeed);
  if (most < READING.needSure || isNeeded) return [];
  return said.filter((one) => {
    const ofWords = likelihoodsOf(tokens, vocabulary, one);
    return ofWords.length > 0 && shareOf(one.codes, ofWords) < READING.unlikelyWords;
  });
}

/** How likely a need of the types is beside the likeliest need: 1 for that itself. */
function shareOf(codes: readonly string[], found: ReturnType<typeof likelihoodsOf>): number {
  const [[, most] = ["", 1]] = found;
  return found.filter(([code]) => codes.includes(code)).reduce((sum, [, share]) => sum + share / most, 0);
}
