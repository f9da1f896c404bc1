import { Command, InvalidArgumentError, Option } from "commander";
import { CommandError, EXIT } from "../../src/cli/errors.ts";
import { namesOf, wholeNumber } from "../../src/cli/options.ts";
import { runTool } from "../../src/cli/run-program.ts";
import { type EvalCase, KINDS, type Kind } from "./cases.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { type Workshop, askApi, askSentences, openWorkshop, startApi } from "./ask.ts";
import { BASELINES, askBaseline, hasBaseline } from "./baselines.ts";
import { makeCases } from "./make-cases.ts";
import { type KindResult, addBaseline, evaluate } from "./score.ts";
import type { Dataset } from "./dataset.ts";
import { checkExactLists } from "./exact/check-exact-lists.ts";
import { compareDivided, formatComparison } from "./compare-divided.ts";
import { importDataset, importDivided } from "./import-dataset.ts";
import type { Topology } from "../../src/partitions/topology.ts";
import {
  CALLER,
  TOP,
  type JudgedSentence,
  formatSentenceMisses,
  formatSentences,
  judgeSentence,
  readSentences,
  sharesOf,
} from "./sentences.ts";
import { type Coordinates, isCoordinates } from "../../src/place/geometry/coordinates.ts";
import { DEFAULT_MIN_CONFIDENCE } from "../../src/place/request-defaults.ts";
import { MATCH_CASES, measureMatch } from "./measure-match.ts";
import { formatJson, formatMisses, formatResults } from "./report.ts";

export interface EvalOptions {
  readonly osm?: string | undefined;
  readonly hcmc?: string | undefined;
  readonly scripts: boolean;
  readonly areas?: string | undefined;
  readonly places: number;
  readonly seed: number;
  readonly cases: number;
  readonly kinds: readonly Kind[];
  readonly baseline: boolean;
  readonly baselines: boolean;
  readonly showMisses: number;
  readonly writeCases?: string | undefined;
  readonly readCases?: string | undefined;
  readonly json: boolean;
  readonly sentences?: string | undefined;
  readonly caller: Coordinates;
  readonly exact?: number | undefined;
  readonly partitions?: number | undefined;
  readonly engines: number;
  readonly match: boolean;
  readonly minConfidence: number;
}

/** These take as long as all others together, and are measured with their baseline. */
const HALF_TYPED_KINDS: ReadonlySet<Kind> = new Set(["half-typed", "autocomplete-half-typed"]);
const DEFAULT_KINDS = KINDS.filter((kind) => !HALF_TYPED_KINDS.has(kind));

const HELP = `
Kinds: ${KINDS.join(", ")}.
docs/relevance.md says what each means and how to read the table.

Examples:
  $ npm run -s eval
  $ npm run -s eval -- --osm hanoi.overpass.json --baselines
  $ npm run -s eval -- --osm saigon.overpass.json.gz --sentences dev.tsv --show-misses 50
  $ npm run -s eval -- --kinds typo-1,chain --show-misses 10`;

const CASES = 200;

/** More say nothing on one machine. */
const MAX_PARTITIONS = 64;
const MAX_ENGINES = 8;

/** Far more than any dataset evaluated in memory. */
const MAX_COUNT = 10_000_000;

export function createProgram(run: (options: EvalOptions) => Promise<void>): Command {
  return new Command("eval")
    .description(
      "Measures how often the API puts the right place first, with an engine, an index and a server of its own.",
    )
    .option("--osm <file>", "an OpenStreetMap file instead of the demo dataset")
    .option(
      "--hcmc <folder>",
      "places on the real streets of Ho Chi Minh City, made from a folder of open data",
    )
    .option("--scripts", "places with Japanese, Korean, Arabic and German names", false)
    .option("--areas <folder>", "open data with the boundaries of wards; needed for the area kinds")
    .addOption(countOption("--places <n>", "size of the demo dataset and of Ho Chi Minh City", 10_000))
    .addOption(countOption("--seed <n>", "another seed gives other cases", 1))
    .addOption(countOption("--cases <n>", "cases of each kind, as far as there are", CASES))
    .addOption(
      new Option("--kinds <list>", "only these kinds, separated by commas")
        .default(DEFAULT_KINDS, "all but half-typed")
        .argParser(namesOf(KINDS)),
    )
    .option("--baseline", "also type half names, compared with the nearest names that begin so", false)
    .option("--baselines", "also measure the engine alone, with plain documents", false)
    .addOption(countOption("--show-misses <n>", "print up to n wrong responses of each kind", 0))
    .option("--write-cases <file>", "write the cases as JSON lines")
    .option("--read-cases <file>", "ask these cases again: two versions make different ones")
    .option(
      "--sentences <file>",
      "instead: judge the sentences of a file by their rules; --osm gives the places of their city",
    )
    .addOption(
      new Option("--caller <lat,lng>", "with --sentences: where the caller stands")
        .default(CALLER, "the middle of Ho Chi Minh City")
        .argParser(readPoint),
    )
    .addOption(
      new Option(
        "--exact <n>",
        "instead: compare n random lists of difficult places with a sort of all places; exit 1 if one differs",
      ).argParser(wholeNumber(1, MAX_COUNT)),
    )
    .addOption(
      new Option(
        "--partitions <n>",
        "instead: compare an index in n partitions on several engines with one index, place for place; exit 1 if more than one query in a hundred differs",
      ).argParser(wholeNumber(1, MAX_PARTITIONS)),
    )
    .addOption(
      new Option("--engines <n>", "with --partitions: number of engines")
        .default(3)
        .argParser(wholeNumber(2, MAX_ENGINES)),
    )
    .option(
      "--match",
      "instead: match records of a second source, made from the places, of which a fifth is left out of the index",
      false,
    )
    .addOption(
      new Option("--min-confidence <share>", "with --match: matches with less are none")
        .default(DEFAULT_MIN_CONFIDENCE)
        .argParser(readShare),
    )
    .option("--json", "print one JSON object instead of tables", false)
    .addHelpText("after", HELP)
    .showHelpAfterError("(see --help)")
    .exitOverride()
    .action(run);
}

const countOption = (flags: string, description: string, fallback: number): Option =>
  new Option(flags, description).default(fallback).argParser(wholeNumber(0, MAX_COUNT));

function readShare(text: string): number {
  const share = Number(text);
  if (!(share >= 0 && share <= 1)) throw new InvalidArgumentError("a number from 0 to 1");
  return share;
}

function readPoint(text: string): Coordinates {
  const [latitude = Number.NaN, longitude = Number.NaN] = text.split(",").map(Number);
  const point = { latitude, longitude };
  if (!isCoordinates(point)) throw new InvalidArgumentError("a latitude, a comma and a longitude");
  return point;
}

// Opening hours are evaluated with the process's clock, which must not have daylight saving time.
process.env["TZ"] = "UTC";

/** Prints progress for the person at the terminal; the figures go to standard output. */
const say = (text: string): void => void process.stderr.write(`${text}\n`);

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

async function run(options: EvalOptions, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();

  await using workshop = await openWorkshop(signal);
  if (options.exact !== undefined) {
    const isExact = await checkExactLists(workshop.index, { count: options.exact, seed: options.seed });
    if (!isExact) throw new CommandError("Some lists are not those of the brute force.");
    return;
  }
  if (options.match) {
    const count = { ...options, cases: options.cases === CASES ? MATCH_CASES : options.cases };
    process.stdout.write(await measureMatch(count, workshop.index, signal));
    return;
  }
  const dataset = await importDataset(options, workshop.index, signal);
  if (options.sentences !== undefined) {
    const judged = await judgeSentences(options.sentences, options, { dataset, workshop, signal });
    process.stdout.write(tellSentences(judged, options));
    return;
  }
  const cases =
    options.readCases === undefined
      ? makeCases(dataset, { ...options, kinds: kindsOf(options), count: options.cases })
      : readCases(options.readCases, kindsOf(options));
  if (options.writeCases !== undefined) writeCases(options.writeCases, cases);
  say(`${dataset.places.length} places, ${cases.length} queries (${seconds(performance.now() - startedAt)})`);

  if (options.partitions !== undefined) {
    await using divided = await openWorkshop(signal, {
      engines: options.engines,
      partitions: options.partitions,
      replicas: 1,
    });
    say("Dividing the same places among several engines.");
    await importDivided(options, { topology: divided.index as Topology, dataset }, signal);
    const comparison = await compareDivided(cases, { whole: workshop, divided, signal });
    process.stdout.write(formatComparison(comparison, options.showMisses));
    if (!comparison.isAlike)
      throw new CommandError("Too many queries have other results than with one index.");
    return;
  }

  const asked: AskedOf = { cases, dataset, workshop, signal };
  const results = await measureApi(asked);
  const compared = options.baselines ? await measureBaselines(results, asked) : results;
  const facts = {
    dataset: nameOf(options),
    places: dataset.places.length,
    seed: options.seed,
    queries: cases.length,
    durationMs: performance.now() - startedAt,
  };
  process.stdout.write(
    options.json
      ? `${formatJson(facts, compared, options.showMisses)}\n`
      : `${formatResults(compared)}\n${misses(compared, dataset, options)}`,
  );
  say(`All in ${seconds(facts.durationMs)}.`);
}

/** `--baseline` adds the kinds that have one. */
const kindsOf = ({ kinds, baseline }: EvalOptions): Kind[] =>
  KINDS.filter((kind) => kinds.includes(kind) || (baseline && HALF_TYPED_KINDS.has(kind)));

const nameOf = ({ osm, hcmc, scripts }: EvalOptions): string =>
  [osm && basename(osm), hcmc && "Ho Chi Minh City", scripts && "scripts"].filter(Boolean).join(" and ") ||
  "demo";

interface AskedOf {
  readonly cases: readonly EvalCase[];
  readonly dataset: Dataset;
  readonly workshop: Workshop;
  readonly signal: AbortSignal;
}

async function judgeSentences(
  file: string,
  { caller }: EvalOptions,
  { dataset, workshop, signal }: Omit<AskedOf, "cases">,
): Promise<JudgedSentence[]> {
  const sentences = readSentences(file);
  await using api = await startApi(workshop.index);
  const queries = sentences.map(({ query }) => query);
  const { answers, durationMs } = await askSentences(queries, { api, caller, limit: TOP, signal });
  say(`Asked in ${seconds(durationMs)}.`);
  return sentences.map((sentence, number) => {
    const places = (answers[number] ?? []).flatMap((dataId) => dataset.byDataId.get(dataId) ?? []);
    return { sentence, places, verdict: judgeSentence(sentence, places, caller) };
  });
}

function tellSentences(judged: readonly JudgedSentence[], { json, showMisses, caller }: EvalOptions): string {
  if (json) return `${JSON.stringify({ sentences: sharesOf(judged) })}\n`;
  const misses = showMisses === 0 ? "" : `\n${formatSentenceMisses(judged, showMisses, caller)}\n`;
  return `${formatSentences(judged)}\n${misses}`;
}

async function measureApi({ cases, dataset, workshop, signal }: AskedOf): Promise<KindResult[]> {
  await using api = await startApi(workshop.index);
  const { answers, durationMs } = await askApi(cases, api, signal);
  say(`Asked in ${seconds(durationMs)}.`);
  return evaluate(cases, answers, dataset);
}

async function measureBaselines(
  results: readonly KindResult[],
  { workshop, ...asked }: AskedOf,
): Promise<readonly KindResult[]> {
  const cases = asked.cases.filter(hasBaseline);
  let compared = results;
  for (const baseline of BASELINES) {
    const answers = await askBaseline(baseline, { ...asked, cases, engine: workshop.engine });
    compared = addBaseline(compared, baseline.name, { ...asked, cases, answers });
    say(`Asked the engine alone, ${baseline.name}.`);
  }
  return compared;
}

/** @throws {CommandError} for a file that cannot be read or is none of `--write-cases`. */
function readCases(file: string, kinds: readonly Kind[]): EvalCase[] {
  try {
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line) as EvalCase).filter(({ kind }) => kinds.includes(kind));
  } catch (error) {
    throw new CommandError(`${file} is no file of --write-cases: ${(error as Error).message}`);
  }
}

const writeCases = (file: string, cases: readonly EvalCase[]): void =>
  writeFileSync(file, cases.map((one) => `${JSON.stringify(one)}\n`).join(""));

const misses = (results: readonly KindResult[], dataset: Dataset, { showMisses }: EvalOptions): string =>
  showMisses === 0 ? "" : `\n${formatMisses(results, dataset, showMisses)}\n`;

await runTool(async ({ signal }) => {
  await createProgram((options) => run(options, signal)).parseAsync();
  return EXIT.done;
});
