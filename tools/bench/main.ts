import { EXIT } from "../../src/cli/errors.ts";
import { formatCount } from "../../src/cli/format.ts";
import { runTool } from "../../src/cli/run-program.ts";
import { formatImport } from "./import-report.ts";
import {
  type BenchOptions,
  type DividedBenchOptions,
  type ImportBenchOptions,
  parseDividedOptions,
  parseImportOptions,
  parseOptions,
} from "./options.ts";
import { formatDivided, measureDivided } from "./measure-divided.ts";
import { measureImport } from "./measure-import.ts";
import { startLoadGenerator } from "./load.ts";
import { type Machine, describeMachine } from "./process-usage.ts";
import { type SizeContext, type SizeResult, measureSize } from "./measure-size.ts";
import { formatReport } from "./report.ts";

async function benchSearch(options: BenchOptions, signal: AbortSignal): Promise<string> {
  const machine = describeMachine();
  const results = await measureAll(options, signal);
  return options.json
    ? JSON.stringify({ machine, options, results }, null, 2)
    : formatReport(results, machine);
}

const benchImport = (options: ImportBenchOptions, signal: AbortSignal): Promise<string> =>
  benchOnce(options, signal, { measure: measureImport, format: formatImport });

const benchDivided = (options: DividedBenchOptions, signal: AbortSignal): Promise<string> =>
  benchOnce(options, signal, { measure: measureDivided, format: formatDivided });

interface Bench<Options, Result> {
  readonly measure: (options: Options, context: SizeContext) => Promise<Result>;
  readonly format: (result: Result, machine: Machine) => string;
}

async function benchOnce<Options extends { readonly json: boolean }, Result>(
  options: Options,
  signal: AbortSignal,
  { measure, format }: Bench<Options, Result>,
): Promise<string> {
  const machine = describeMachine();
  const load = startLoadGenerator();
  const onProgress = (what: string): void => void process.stderr.write(`${what}\n`);
  try {
    const result = await measure(options, { load, signal, onProgress });
    return options.json ? JSON.stringify({ machine, options, result }, null, 2) : format(result, machine);
  } finally {
    load.stop();
  }
}

async function measureAll(options: BenchOptions, signal: AbortSignal): Promise<SizeResult[]> {
  const load = startLoadGenerator();
  try {
    const results: SizeResult[] = [];
    for (const places of options.places) {
      const onProgress = (what: string): void => {
        process.stderr.write(`${formatCount(places)} places: ${what}\n`);
      };
      results.push(await measureSize(places, options, { load, signal, onProgress }));
    }
    return results;
  } finally {
    load.stop();
  }
}

await runTool(async ({ signal }) => {
  const argv = process.argv.slice(2);
  const [subcommand, ...rest] = argv;
  const report = await (subcommand === "import"
    ? benchImport(parseImportOptions(rest), signal)
    : subcommand === "divided"
      ? benchDivided(parseDividedOptions(rest), signal)
      : benchSearch(parseOptions(argv), signal));
  process.stdout.write(`${report}\n`);
  return EXIT.done;
});
