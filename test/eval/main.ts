import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import { CommanderError } from "commander";
import { ImportError } from "../../indexer/commands/interruption.ts";
import { LocalEnginesError } from "../../src/local-engines/engine-process.ts";
import { startApi } from "./api.ts";
import { askApi } from "./ask-api.ts";
import { BASELINES, askBaseline, hasBaseline } from "./baselines.ts";
import type { EvalCase } from "./cases/case.ts";
import { makeCases } from "./cases/make-cases.ts";
import { addBaseline, evaluate, type KindResult } from "./evaluate.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { importGazetteer, type GazetteerSource } from "./import-gazetteer.ts";
import { createProgram, type EvalOptions } from "./options.ts";
import { formatResults } from "./report/format.ts";
import { formatJson } from "./report/json.ts";
import { formatMisses } from "./report/misses.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

const EXIT_FAILED = 1;
const EXIT_WRONG_USAGE = 2;
const EXIT_INTERRUPTED = 130;

/** A person has had enough; what was started is ended on the way out. */
class Interrupted extends Error {
  override readonly name = "Interrupted";
}

// Opening hours are evaluated with the process's clock, which must have no daylight saving of its own.
process.env["TZ"] = "UTC";

/** What a person at the terminal waits for; the figures go to standard output. */
const say = (text: string): void => void process.stderr.write(`${text}\n`);

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

async function run(options: EvalOptions): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => stopping.abort(new Interrupted()));
  }
  const { signal } = stopping;
  const startedAt = performance.now();

  await using workshop = await openWorkshop(signal);
  const gazetteer = await importGazetteer(toSource(options), workshop.engine, signal);
  const cases = makeCases(gazetteer, { ...options, count: options.cases });
  if (options.writeCases !== undefined) writeCases(options.writeCases, cases);
  say(
    `${gazetteer.places.length} places, ${cases.length} queries (${seconds(performance.now() - startedAt)})`,
  );

  const asked: AskedOf = { cases, gazetteer, workshop, signal };
  const results = await measureApi(asked);
  const compared = options.baselines ? await measureBaselines(results, asked) : results;
  const facts = {
    gazetteer: options.osm === undefined ? "demo" : basename(options.osm),
    places: gazetteer.places.length,
    seed: options.seed,
    queries: cases.length,
    durationMs: performance.now() - startedAt,
  };
  process.stdout.write(
    options.json
      ? `${formatJson(facts, compared, options.showMisses)}\n`
      : `${formatResults(compared)}\n${misses(compared, gazetteer, options)}`,
  );
  say(`All in ${seconds(facts.durationMs)}.`);
}

interface AskedOf {
  readonly cases: readonly EvalCase[];
  readonly gazetteer: Gazetteer;
  readonly workshop: Workshop;
  readonly signal: AbortSignal;
}

async function measureApi({ cases, gazetteer, workshop, signal }: AskedOf): Promise<KindResult[]> {
  await using api = await startApi(workshop.engine);
  const { answers, durationMs } = await askApi(cases, api, signal);
  say(`Asked in ${seconds(durationMs)}.`);
  return evaluate(cases, answers, gazetteer);
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

const toSource = ({ osm, places, seed }: EvalOptions): GazetteerSource =>
  osm === undefined ? { demoPlaces: places, seed } : { osm };

const writeCases = (file: string, cases: readonly EvalCase[]): void =>
  writeFileSync(file, cases.map((one) => `${JSON.stringify(one)}\n`).join(""));

const misses = (results: readonly KindResult[], gazetteer: Gazetteer, { showMisses }: EvalOptions): string =>
  showMisses === 0 ? "" : `\n${formatMisses(results, gazetteer, showMisses)}\n`;

/** What a person can mend is said in a sentence; anything else is our mistake and shows its stack. */
function reportFailure(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE;
  // Some waits end with an error of their own that names ours as its cause.
  if (error instanceof Interrupted || (error instanceof Error && error.cause instanceof Interrupted))
    return EXIT_INTERRUPTED;
  console.error(error instanceof ImportError || error instanceof LocalEnginesError ? error.message : error);
  return EXIT_FAILED;
}

try {
  await createProgram(run).parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
