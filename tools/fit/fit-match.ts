import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openPlaceIndex } from "../../src/partitions/open-place-index.ts";
import { CommandError } from "../../src/cli/errors.ts";
import { formatTable } from "../../src/cli/format.ts";
import {
  MATCH_FEATURES,
  MATCH_WEIGHTS,
  MATCH_WEIGHT_ROWS,
  scoreOf,
  type MatchFeature,
  type MatchFeatures,
} from "../../src/same-place/likelihood.ts";
import { createPlaceSearch } from "../../src/search/search-places.ts";
import { openWorkshop, PATIENT_MS } from "../eval/ask.ts";
import { importPart } from "../eval/import-dataset.ts";
import { isLeftOut, isPlaceOf, makeMatchCases } from "../eval/match-cases.ts";

/**
 * Fits the weights of a match: of the candidates of a record, and the possibility that it is none of them, the right one
 * should have all of the probability (conditional logistic regression).
 */

export interface FitMatchOptions {
  readonly data?: string | undefined;
  readonly places: number;
  readonly seed: number;
  readonly write: boolean;
}

/** The candidates of one record, and which of them are its place; none when the index has not got it. */
interface Choice {
  readonly candidates: readonly { readonly features: MatchFeatures; readonly isRight: boolean }[];
}

/** As many as the evaluation has of the other city, twice. */
const CASES = 3_000;
const RECORDS_AT_ONCE = 50;

/** Towards 0, so that a feature of few cases says little. */
const PENALTY = 0.001;
const STEPS = 2_000;
const STEP = 0.5;
const DECIMALS = 2;

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Fits to Ho Chi Minh City; Hanoi is left for the evaluation. Without data, to the demo. */
export async function fitMatch(options: FitMatchOptions, signal: AbortSignal): Promise<void> {
  const choices = await readChoices(options, signal);
  const weights = fitChoices(choices);
  say(
    `Loss ${lossOf(choices, MATCH_WEIGHTS).toFixed(4)} before, ${lossOf(choices, weights).toFixed(4)} after.`,
  );
  process.stdout.write(`${formatTable(["feature", "before", "after"], toRows(weights))}\n`);
  if (options.write) writeWeights(weights);
}

const toRows = (weights: MatchFeatures): string[][] =>
  MATCH_FEATURES.map((name) => [name, String(MATCH_WEIGHTS[name]), String(weights[name])]);

async function readChoices({ data, places, seed }: FitMatchOptions, signal: AbortSignal): Promise<Choice[]> {
  const osm = data === undefined ? undefined : join(data, "osm/saigon.overpass.json.gz");
  if (osm !== undefined && !existsSync(osm)) throw new CommandError(`There is no ${osm}.`);
  await using workshop = await openWorkshop(signal);
  const areas = data === undefined ? undefined : join(data, "vietnam");
  const all = await importPart({ osm, areas, scripts: false, places, seed }, workshop.index, {
    isLeftOut,
    signal,
  });
  const byId = new Map(all.map((place) => [place.data_id, place]));
  const cases = makeMatchCases(all, { count: CASES, seed: seed + 1 });
  say(`${all.length} places, ${cases.length} records.`);
  const index = openPlaceIndex(workshop.index);
  try {
    const search = createPlaceSearch(index, { deadlineMs: PATIENT_MS });
    await search.prepared;
    const choices: Choice[] = [];
    for (let from = 0; from < cases.length; from += RECORDS_AT_ONCE) {
      signal.throwIfAborted();
      const some = cases.slice(from, from + RECORDS_AT_ONCE);
      const found = await search.candidatesOf(some.map(({ record }) => record));
      for (const [at, candidates] of found.entries())
        choices.push({
          candidates: candidates.map(({ place, features }) => ({
            features,
            isRight: isPlaceOf(some[at]!, byId.get(place.data_id)),
          })),
        });
    }
    return choices;
  } finally {
    await index.close();
  }
}

/** The weights that give the right candidates most of the probability, by gradient descent with the signs kept. */
export function fitChoices(choices: readonly Choice[]): MatchFeatures {
  // From nothing, so that the same cases give the same weights.
  const weights = Object.fromEntries(MATCH_FEATURES.map((name) => [name, keepSign(name, 0)])) as Record<
    MatchFeature,
    number
  >;
  const sums = Object.fromEntries(MATCH_FEATURES.map((name) => [name, 1e-8])) as Record<MatchFeature, number>;
  for (let step = 0; step < STEPS; step += 1) {
    const slope = slopeOf(choices, weights);
    for (const name of MATCH_FEATURES) {
      // Each weight has a step of its own (Adagrad): features have other scales.
      sums[name] += slope[name] ** 2;
      weights[name] = keepSign(name, weights[name] - (STEP * slope[name]) / Math.sqrt(sums[name]));
    }
  }
  const factor = 10 ** DECIMALS;
  for (const name of MATCH_FEATURES) weights[name] = Math.round(weights[name] * factor) / factor + 0;
  return weights;
}

function keepSign(name: MatchFeature, weight: number): number {
  const { sign, isFixed } = MATCH_WEIGHT_ROWS[name]!;
  if (isFixed) return MATCH_WEIGHTS[name];
  if (sign === "positive") return Math.max(0, weight);
  return sign === "negative" ? Math.min(0, weight) : weight;
}

/** The probabilities of the candidates, of those that are right, and of none. */
function sharesOf({ candidates }: Choice, weights: MatchFeatures) {
  const scores = candidates.map(({ features }) => scoreOf(features, weights));
  const most = Math.max(0, ...scores);
  const odds = scores.map((score) => Math.exp(score - most));
  const none = Math.exp(-most);
  const all = odds.reduce((sum, one) => sum + one, none);
  const right = candidates.map(({ isRight }, at) => (isRight ? (odds[at] ?? 0) / all : 0));
  const hasRight = candidates.some(({ isRight }) => isRight);
  return {
    shares: odds.map((one) => one / all),
    right,
    sum: hasRight ? right.reduce((a, b) => a + b, 0) : none / all,
  };
}

const LEAST_SHARE = 1e-12;

function lossOf(choices: readonly Choice[], weights: MatchFeatures): number {
  const losses = choices.map((choice) => -Math.log(Math.max(LEAST_SHARE, sharesOf(choice, weights).sum)));
  return losses.reduce((sum, one) => sum + one, 0) / choices.length;
}

function slopeOf(choices: readonly Choice[], weights: MatchFeatures): Record<MatchFeature, number> {
  const slope = Object.fromEntries(MATCH_FEATURES.map((name) => [name, PENALTY * weights[name]])) as Record<
    MatchFeature,
    number
  >;
  for (const choice of choices) {
    const { shares, right, sum } = sharesOf(choice, weights);
    const hasRight = choice.candidates.some(({ isRight }) => isRight);
    for (const [at, { features }] of choice.candidates.entries()) {
      const wanted = hasRight ? (right[at] ?? 0) / Math.max(LEAST_SHARE, sum) : 0;
      const pull = ((shares[at] ?? 0) - wanted) / choices.length;
      if (pull !== 0) for (const name of MATCH_FEATURES) slope[name] += pull * features[name];
    }
  }
  return slope;
}

const FILE = join(import.meta.dirname, "../../src/same-place/match-weights.json");

/** Changes the numbers and nothing else of the file. */
function writeWeights(weights: MatchFeatures): void {
  let text = readFileSync(FILE, "utf8");
  for (const name of MATCH_FEATURES)
    text = text.replace(
      new RegExp(`("${name}": \\{\\s*"weight": )-?[\\d.]+`),
      (_, before: string) => `${before}${weights[name]}`,
    );
  writeFileSync(FILE, text);
}
