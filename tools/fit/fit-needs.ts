import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatTable } from "../../src/cli/format.ts";
import { allTypes, isTypeCode, TYPE_CODES } from "../../src/place/document/type-codes.ts";
import { fold } from "../../src/place/text/fold.ts";
import { needFeatures, needLikelihoods } from "../../src/search/reading/needs.ts";
import type { NeedWeights } from "../../src/search/vocabulary/vocabulary.ts";
import { toTokens } from "../../src/search/reading/tokens.ts";
import { loadVocabulary } from "../../src/search/vocabulary/read-vocabulary.ts";
import { createRandom } from "../../test/support/random.ts";

/** Fits the classifier of needs (src/search/reading/needs.ts) to sentences by logistic regression, trained with AdaGrad. */

const SENTENCES = join(import.meta.dirname, "needs.tsv");
const WEIGHTS_FILE = join(import.meta.dirname, "../../src/search/vocabulary/needs.csv");

interface Example {
  readonly types: readonly string[];
  readonly language: string;
  readonly text: string;
}

/** The sentences: types parted by |, language and text, parted by tabs. @throws {Error} that names a line with another form. */
function readSentences(): Example[] {
  const lines = readFileSync(SENTENCES, "utf8").trimEnd().split("\n");
  return lines.flatMap((line, at): Example[] => {
    if (line.startsWith("#")) return [];
    const [types = "", language = "", text = ""] = line.split("\t");
    const codes = types.split("|");
    if (text === "" || !codes.every(isTypeCode)) throw new Error(`needs.tsv:${at + 1}: ${line}`);
    return [{ types: codes, language, text }];
  });
}

/** The words of each kind that the vocabulary knows. */
function readVocabularyExamples(): Example[] {
  const labels = allTypes().flatMap((code) =>
    [TYPE_CODES[code].vi, TYPE_CODES[code].en].map((text) => ({ types: [code], language: "", text })),
  );
  const phrases = [...loadVocabulary().phrases.values()]
    .flat()
    .filter(({ role, language }) => role === "kind" && (language === "vi" || language === "en"))
    .map(({ marked, meaning }) => ({ types: [meaning], language: "", text: marked.join(" ") }));
  return [...labels, ...phrases];
}

const EPOCHS = 12;
const STEP = 0.5;
/** The share of features that a pass over a sentence leaves out: none may carry a sentence alone. */
const LEFT_OUT = 0.15;
/** A pair of words in one sentence alone says nothing. */
const LEAST_PAIRS = 2;
/** The share of the first type where a sentence has several. */
const SHARE_OF_FIRST = 0.6;
/** Each step takes so much from a weight, so that words which occur by chance keep none: English sentences held aside .531 → .570 right. */
const SHRINKING = 0.002;
/** So much larger than fitted, the weights give likelihoods that are right as often as they say: see the last column. */
const SHARPNESS = 1.75;
/**
 * Smaller weights are a tenth more numbers for .005 of the Vietnamese sentences held aside; 1.4 times as large ones a fifth fewer for .011. All
 * others stay: with at most five types a word, .512 instead of .608 were right.
 */
const LEAST_WEIGHT = 2;

interface Row {
  readonly features: readonly number[];
  readonly wanted: Float32Array;
}

function train(examples: readonly Example[]): Map<string, [string, number][]> {
  const types = allTypes();
  const typeNumber = new Map<string, number>(types.map((code, at) => [code, at]));
  const all = examples.map(({ text }) => needFeatures(toTokens(text)));
  const counts = new Map<string, number>();
  for (const feature of all.flat()) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const kept = [...counts].filter(([feature, count]) => count >= LEAST_PAIRS || !feature.includes(" "));
  const numbers = new Map(kept.map(([feature], at) => [feature, at]));
  const rows = examples.map((example, at): Row => {
    const wanted = new Float32Array(types.length);
    const [first, ...others] = example.types.flatMap((code) => typeNumber.get(code) ?? []);
    wanted[first!] = others.length > 0 ? SHARE_OF_FIRST : 1;
    for (const other of others) wanted[other]! += (1 - SHARE_OF_FIRST) / others.length;
    return { features: all[at]!.flatMap((feature) => numbers.get(feature) ?? []), wanted };
  });
  const weights = descend(rows, numbers.size, types.length);
  return new Map(
    kept.map(([feature], at) => {
      const own = types.map((code, type): [string, number] => [
        code,
        SHARPNESS * weights[at * types.length + type]!,
      ]);
      const large = own.filter(([, weight]) => weight >= LEAST_WEIGHT);
      return [feature, large.toSorted((a, b) => b[1] - a[1])] as const;
    }),
  );
}

/** AdaGrad: each weight has a step that shrinks with the gradients that it has seen (Duchi, Hazan and Singer 2011). */
function descend(rows: readonly Row[], features: number, types: number): Float32Array {
  const random = createRandom(1);
  const weights = new Float32Array(features * types);
  const squares = new Float32Array(features * types).fill(1e-6);
  const scores = new Float32Array(types);
  const order = rows.map((_, at) => at);
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    for (let at = order.length - 1; at > 0; at -= 1) {
      const other = random.below(at + 1);
      [order[at], order[other]] = [order[other]!, order[at]!];
    }
    for (const number of order) {
      const { features: own, wanted } = rows[number]!;
      const some = own.filter(() => random.fraction() >= LEFT_OUT);
      const scale = 1 / Math.sqrt(Math.max(1, some.length));
      scores.fill(0);
      for (const feature of some)
        for (let type = 0; type < types; type += 1) scores[type]! += scale * weights[feature * types + type]!;
      const most = Math.max(...scores);
      let sum = 0;
      for (let type = 0; type < types; type += 1) sum += scores[type] = Math.exp(scores[type]! - most);
      for (let type = 0; type < types; type += 1) {
        const error = scale * (scores[type]! / sum - wanted[type]!);
        if (Math.abs(error) < 1e-4) continue;
        const gradient = error + SHRINKING;
        for (const feature of some) {
          const place = feature * types + type;
          squares[place]! += gradient * gradient;
          // No word says that a type is not needed: what is left is sparse, and a reader can check it.
          weights[place] = Math.max(0, weights[place]! - (STEP * gradient) / Math.sqrt(squares[place]!));
        }
      }
    }
  }
  return weights;
}

/** Every fifth sentence is held aside to measure. */
const isAside = (at: number): boolean => at % 5 === 0;
const SURE = 0.5;

/** Prints how many held-out sentences get a right type first, fits to all sentences, and writes the weights where that is wanted. */
export function fitNeeds({ write }: { readonly write: boolean }): string {
  const sentences = readSentences();
  const vocabulary = readVocabularyExamples();
  const fitted = train([...sentences.filter((_, at) => !isAside(at)), ...vocabulary]);
  const aside = sentences.filter((_, at) => isAside(at));
  if (write) writeFileSync(WEIGHTS_FILE, format(train([...sentences, ...vocabulary])));
  const vietnamese = aside.filter(({ language }) => language === "vi");
  const unmarked = vietnamese.map((one) => ({ ...one, text: fold(one.text) }));
  const english = aside.filter(({ language }) => language === "en");
  return formatTable(
    ["held aside", "sentences", "right", "sure", "right of these"],
    [
      measure("Vietnamese", vietnamese, fitted),
      measure("without marks", unmarked, fitted),
      measure("English", english, fitted),
    ],
  );
}

function measure(name: string, some: readonly Example[], fitted: ReturnType<typeof train>): string[] {
  const weightsOf: NeedWeights = (feature) => fitted.get(feature) ?? [];
  const asked = some.map(({ text, types }) => {
    const [[code, likelihood] = ["", 0]] = needLikelihoods(needFeatures(toTokens(text)), weightsOf);
    return { isRight: types.includes(code), isSure: likelihood >= SURE };
  });
  const sure = asked.filter(({ isSure }) => isSure);
  const share = (part: typeof asked): string =>
    (part.filter(({ isRight }) => isRight).length / Math.max(1, part.length)).toFixed(3);
  return [name, String(some.length), share(asked), String(sure.length), share(sure)];
}

/** Two letters for each type keep the file small. */
const lettersOf = (at: number): string => String.fromCodePoint(97 + Math.floor(at / 26), 97 + (at % 26));

function format(fitted: ReturnType<typeof train>): string {
  const letters = new Map(allTypes().map((code, at): [string, string] => [code, lettersOf(at)]));
  const weigh = ([code, weight]: readonly [string, number]): string =>
    `${letters.get(code)}${weight.toFixed(0)}`;
  const rows = [...fitted]
    .filter(([, weights]) => weights.length > 0)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([feature, weights]) => `${feature},${weights.map(weigh).join("")}`);
  return [
    "# What words say that a sentence needs: two letters for the type, and the weight. Generated by npm run -s fit -- --needs --write from tools/fit/needs.tsv.",
    `# ${[...letters].map(([code, own]) => `${own}=${code}`).join(" ")}`,
    "words,types",
    ...rows,
    "",
  ].join("\n");
}
