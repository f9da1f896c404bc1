import { writeFileSync } from "node:fs";
import { CommanderError } from "commander";
import { startApi } from "./api.ts";
import { askApi } from "./ask-api.ts";
import { makeCases } from "./cases/make-cases.ts";
import { BASELINES, askBaseline, hasBaseline } from "./baselines.ts";
import { addBaseline, evaluate } from "./evaluate.ts";
import { importGazetteer, type GazetteerSource } from "./import-gazetteer.ts";
import { createProgram, type EvalOptions } from "./options.ts";
import { formatResults } from "./report/format.ts";
import { formatMisses } from "./report/misses.ts";
import { openWorkshop } from "./workshop.ts";

const EXIT_WRONG_USAGE = 2;

// Opening hours are evaluated with the process's clock, which must have no daylight saving of its own.
process.env["TZ"] = "UTC";

const say = (text: string): void => void process.stderr.write(`${text}\n`);

async function run(options: EvalOptions): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());
  const { signal } = stopping;
  const startedAt = performance.now();

  await using workshop = await openWorkshop(signal);
  const gazetteer = await importGazetteer(toSource(options), workshop.engine, signal);
  const cases = makeCases(gazetteer, { ...options, count: options.cases });
  say(`${gazetteer.places.length} places, ${cases.length} queries`);
  if (options.writeCases !== undefined) writeCases(options.writeCases, cases);

  await using api = await startApi(workshop.engine);
  const { answers, durationMs } = await askApi(cases, api, signal);
  let results = evaluate(cases, answers, gazetteer);
  if (options.baselines) {
    const asked = cases.filter(hasBaseline);
    for (const baseline of BASELINES) {
      const run = { cases: asked, gazetteer, engine: workshop.engine, signal };
      results = addBaseline(results, baseline.name, { ...run, answers: await askBaseline(baseline, run) });
    }
  }

  if (options.json) process.stdout.write(`${JSON.stringify({ places: gazetteer.places.length, results })}\n`);
  else {
    process.stdout.write(`${formatResults(results)}\n`);
    if (options.showMisses > 0)
      process.stdout.write(`\n${formatMisses(results, gazetteer, options.showMisses)}\n`);
  }
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  say(`asked in ${seconds(durationMs)} s; all in ${seconds(performance.now() - startedAt)} s`);
}

const toSource = ({ osm, places, seed }: EvalOptions): GazetteerSource =>
  osm === undefined ? { demoPlaces: places, seed } : { osm };

const writeCases = (file: string, cases: readonly object[]): void =>
  writeFileSync(file, cases.map((one) => `${JSON.stringify(one)}\n`).join(""));

try {
  await createProgram(run).parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE;
}
