import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command, Option } from "commander";
import { EXIT } from "../../src/cli/errors.ts";
import { formatTable } from "../../src/cli/format.ts";
import { wholeNumber } from "../../src/cli/options.ts";
import { runTool } from "../../src/cli/run-program.ts";
import { FEATURE_NAMES, WEIGHTS, type FeatureName, type Weights } from "../../src/search/score.ts";
import table from "../../src/search/weights.json" with { type: "json" };
import { type Ranker, openCities, rankAll } from "./cities.ts";
import { fitMatch } from "./fit-match.ts";
import { type Fit, fitWeights, type Sign } from "./fit-weights.ts";
import { type ComparedRow, type RankedCase, compareRankings, figureOf, toQueries } from "./ranked-cases.ts";

interface FitOptions {
  readonly data?: string | undefined;
  readonly places: number;
  readonly seed: number;
  readonly cases: number;
  readonly write: boolean;
  readonly match: boolean;
  readonly json: boolean;
}

/** Far more than a fit needs. */
const MAX_COUNT = 1_000_000;

const countOption = (flags: string, description: string, fallback: number): Option =>
  new Option(flags, description).default(fallback).argParser(wholeNumber(1, MAX_COUNT));

const createProgram = (run: (options: FitOptions) => Promise<void>): Command =>
  new Command("fit")
    .description("Fits the weights of the score to what should come first, with engines of its own.")
    .option("--data <folder>", "a folder with osm/ and sentences/: without it, the demo dataset alone")
    .addOption(countOption("--places <n>", "size of the demo dataset", 10_000))
    .addOption(countOption("--seed <n>", "another seed gives other cases", 1))
    .addOption(countOption("--cases <n>", "cases of each kind and dataset, as far as there are", 120))
    .option("--match", "instead: the weights by which records are matched", false)
    .option("--write", "write the weights to src/search/weights.json, or those of a match to theirs", false)
    .option("--json", "print one JSON object instead of tables", false)
    .showHelpAfterError("(see --help)")
    .exitOverride()
    .action(run);

// Opening hours are judged with the process's clock, which must not have daylight saving time.
process.env["TZ"] = "UTC";

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/**
 * No case says how well known a place should be, or that a closed one comes later: what these weigh is decided, not fitted.
 * The distance keeps its weight because only the ratios of weights matter: so the numbers stay comparable.
 */
const FIXED: ReadonlySet<string> = new Set<FeatureName>([
  "distance",
  "notable",
  "wishes",
  "closed",
  "closed_by_name",
]);

const SIGNS = Object.fromEntries(FEATURE_NAMES.map((name) => [name, table[name].sign as Sign]));

/** With other weights other candidates and other readings of them come first, so they are ranked again. */
const ROUNDS = 4;
/** A round that changes no weight by more is the last. */
const STABLE = 0.005;

async function run(options: FitOptions, signal: AbortSignal): Promise<void> {
  if (options.match) return fitMatch(options, signal);
  await using cities = await openCities(options, signal);
  const tuned = cities.rankers.map((city) => withPart(city, "tuned"));
  const before = await rankAll(cities.rankers, WEIGHTS, signal);
  const { fit, weights } = await fitInRounds(before, tuned, signal);
  const after = await rankAll(cities.rankers, weights, signal);
  const rows = compareRankings(before, after);
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ penalty: fit.penalty, kept: fit.kept, weights, rows }, undefined, 2)}\n`
      : `${formatRows(rows)}\n\n${formatWeights(weights, fit)}\n`,
  );
  if (options.write) writeWeights(weights);
}

const withPart = (city: Ranker, part: "tuned"): Ranker => ({
  ...city,
  cases: city.cases.filter((one) => one.part === part),
});

/** Ranks and fits in turn. The best of the rounds counts: the last need not be. */
async function fitInRounds(
  before: readonly RankedCase[],
  tuned: readonly Ranker[],
  signal: AbortSignal,
): Promise<{ readonly fit: Fit; readonly weights: Weights }> {
  let ranked: readonly RankedCase[] = before.filter(({ asked }) => asked.part === "tuned");
  let weights = WEIGHTS;
  say(`Ranked ${ranked.length} cases to fit to, with a figure of ${figureOf(ranked).toFixed(4)}.`);
  const rounds: { readonly fit: Fit; readonly weights: Weights; readonly figure: number }[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    // The penalty of the first round is that of all: they differ by a few candidates.
    const fit = fitWeights(toQueries(ranked), {
      present: WEIGHTS,
      signs: SIGNS,
      fixed: FIXED,
      ...(rounds[0] && { penalty: rounds[0].fit.penalty }),
    });
    const fitted = fit.weights as Weights;
    const change = Math.max(...FEATURE_NAMES.map((name) => Math.abs(fitted[name] - weights[name])));
    weights = fitted;
    ranked = await rankAll(tuned, weights, signal);
    const figure = figureOf(ranked);
    say(
      `Round ${round}: figure ${figure.toFixed(4)}, loss ${fit.loss.toFixed(4)}, validated ${fit.validatedLoss.toFixed(4)}, ` +
        `penalty ${fit.penalty}, largest change ${change.toFixed(3)}.`,
    );
    rounds.push({ fit, weights, figure });
    if (change <= STABLE) break;
  }
  return rounds.reduce((best, one) => (one.figure > best.figure ? one : best));
}

const figure = (value: number): string => value.toFixed(3).replace(/^0/, "");

const formatRows = (rows: readonly ComparedRow[]): string =>
  formatTable(
    ["part", "cases of", "", "cases", "MRR", "after", "first", "after", "of three", "after"],
    rows.map(({ part, group, kind, before, after }) => [
      part,
      group,
      kind ?? "all",
      String(before.cases),
      ...[before.mrr, after.mrr, before.first, after.first, before.ofThree, after.ofThree].map(figure),
    ]),
    { leftColumns: 3 },
  );

const formatWeights = (weights: Weights, { kept, penalty }: Fit): string =>
  `${formatTable(
    ["feature", "before", "after", ""],
    FEATURE_NAMES.map((name) => [
      name,
      String(WEIGHTS[name]),
      String(weights[name]),
      kept.includes(name) ? "kept" : "",
    ]),
  )}\n\nPenalty ${penalty}.`;

const FILE = join(import.meta.dirname, "../../src/search/weights.json");

/** Changes the numbers and nothing else of the file. */
function writeWeights(weights: Weights): void {
  let text = readFileSync(FILE, "utf8");
  for (const name of FEATURE_NAMES)
    text = text.replace(
      new RegExp(`("${name}": \\{\\s*"weight": )-?[\\d.]+`),
      (_, before: string) => `${before}${weights[name]}`,
    );
  writeFileSync(FILE, text);
}

await runTool(async ({ signal }) => {
  await createProgram((options) => run(options, signal)).parseAsync();
  return EXIT.done;
});
