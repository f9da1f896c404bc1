import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command, Option } from "commander";
import { EXIT } from "../../src/cli/errors.ts";
import { formatTable } from "../../src/cli/format.ts";
import { wholeNumber } from "../../src/cli/options.ts";
import { runTool } from "../../src/cli/run-program.ts";
import { FEATURE_NAMES, WEIGHTS, type FeatureName, type Weights } from "../../src/search/score.ts";
import table from "../../src/search/weights.json" with { type: "json" };
import type { Part } from "../eval/wording.ts";
import { type Ranked, openCities, rankAll } from "./cities.ts";
import { GROUPS, type Group } from "./fit-cases.ts";
import { fitMatch } from "./fit-match.ts";
import { fitNeeds } from "./fit-needs.ts";
import { figureOf, fitWeights, type Sign } from "./fit-weights.ts";

interface FitOptions {
  readonly data?: string | undefined;
  readonly places: number;
  readonly seed: number;
  readonly cases: number;
  readonly write: boolean;
  readonly match: boolean;
  readonly needs: boolean;
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
    .addOption(countOption("--cases <n>", "cases of each kind and dataset, as far as there are", 150))
    .option("--match", "instead: the weights by which records are matched", false)
    .option("--needs", "instead: what words say that a sentence needs, from tools/fit/needs.tsv", false)
    .option(
      "--write",
      "write the weights to src/search/weights.json, or those of a match or of needs to theirs",
      false,
    )
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
const FIXED: ReadonlySet<FeatureName> = new Set<FeatureName>([
  "distance",
  "notable",
  "wishes",
  "closed",
  "closed_by_name",
]);

const SIGNS = Object.fromEntries(FEATURE_NAMES.map((name) => [name, table[name].sign])) as Record<
  FeatureName,
  Sign
>;

async function run(options: FitOptions, signal: AbortSignal): Promise<void> {
  if (options.match) return fitMatch(options, signal);
  if (options.needs) return void process.stdout.write(`${fitNeeds(options)}\n`);
  await using cities = await openCities(options, signal);
  const before = await rankAll(cities.rankers, WEIGHTS, signal);
  const tuning = before.filter(({ part }) => part === "tuning");
  say(`Fitting to ${tuning.length} of ${before.length} cases.`);
  const weights = fitWeights(tuning, { present: WEIGHTS, signs: SIGNS, fixed: FIXED });
  const rows = compare(before, await rankAll(cities.rankers, weights, signal));
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ weights, rows }, undefined, 2)}\n`
      : `${formatRows(rows)}\n\n${formatWeights(weights)}\n`,
  );
  if (options.write) writeWeights(weights);
}

/** A row of the report: a kind, or all of a group, in one part. */
interface ComparedRow {
  readonly part: Part;
  readonly group: Group;
  /** Absent for the whole group, in which each kind counts alike. */
  readonly kind?: string;
  readonly before: Figures;
  readonly after: Figures;
}

interface Figures {
  readonly cases: number;
  /** What is fitted to. */
  readonly figure: number;
  /** The share of cases that have all that is wanted: the first place, or as many as can be. */
  readonly whole: number;
}

/** The figures of both rankings of the same cases. */
function compare(before: readonly Ranked[], after: readonly Ranked[]): ComparedRow[] {
  return (["tuning", "held aside"] as const).flatMap((part) =>
    GROUPS.flatMap((group): ComparedRow[] => {
      const isOf = (one: Ranked): boolean => one.part === part && one.group === group;
      const byKind = (ranked: readonly Ranked[]) => Map.groupBy(ranked.filter(isOf), ({ kind }) => kind);
      const [ofBefore, ofAfter] = [byKind(before), byKind(after)];
      const kinds = [...ofBefore.keys()].map((kind) => ({
        part,
        group,
        kind,
        before: measure(ofBefore.get(kind)!),
        after: measure(ofAfter.get(kind)!),
      }));
      if (kinds.length === 0) return [];
      const whole = {
        before: meanOf(kinds.map((one) => one.before)),
        after: meanOf(kinds.map((one) => one.after)),
      };
      return [{ part, group, ...whole }, ...(kinds.length > 1 ? kinds : [])];
    }),
  );
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

function measure(ranked: readonly Ranked[]): Figures {
  const figures = ranked.map(({ found, judged }) => {
    const isRight = found.map((place) => place.isRight);
    return figureOf(
      isRight.map((_, at) => -at),
      isRight,
      judged,
    );
  });
  return {
    cases: ranked.length,
    figure: mean(figures),
    whole: mean(figures.map((one) => (one === 1 ? 1 : 0))),
  };
}

const meanOf = (kinds: readonly Figures[]): Figures => ({
  cases: kinds.reduce((sum, { cases }) => sum + cases, 0),
  figure: mean(kinds.map(({ figure }) => figure)),
  whole: mean(kinds.map(({ whole }) => whole)),
});

const format = (value: number): string => value.toFixed(3).replace(/^0/, "");

const formatRows = (rows: readonly ComparedRow[]): string =>
  formatTable(
    ["part", "cases of", "", "cases", "figure", "after", "all right", "after"],
    rows.map(({ part, group, kind, before, after }) => [
      part,
      group,
      kind ?? "all",
      String(before.cases),
      ...[before.figure, after.figure, before.whole, after.whole].map(format),
    ]),
    { leftColumns: 3 },
  );

const formatWeights = (weights: Weights): string =>
  formatTable(
    ["feature", "before", "after"],
    FEATURE_NAMES.map((name) => [name, String(WEIGHTS[name]), String(weights[name])]),
  );

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
