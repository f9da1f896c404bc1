import { CommanderError } from "commander";
import { formatImport } from "./import-report.ts";
import { type BenchOptions, type ImportBenchOptions, parseImportOptions, parseOptions } from "./options.ts";
import { measureImport } from "./measure-import.ts";
import { startLoadGenerator } from "./load.ts";
import { describeMachine } from "./process-usage.ts";
import { type SizeResult, measureSize } from "./measure-size.ts";
import { formatReport } from "./report.ts";

const EXIT_WRONG_USAGE = 2;
const EXIT_FAILED = 1;
const EXIT_INTERRUPTED = 130;

const stopping = new AbortController();

async function main(argv: readonly string[]): Promise<void> {
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => stopping.abort(new Error("Interrupted.")));
  }
  const report =
    argv[0] === "import"
      ? await benchImport(parseImportOptions(argv.slice(1)))
      : await benchSearch(parseOptions(argv));
  process.stdout.write(`${report}\n`);
}

async function benchSearch(options: BenchOptions): Promise<string> {
  const machine = describeMachine();
  const results = await measureAll(options, stopping.signal);
  return options.json
    ? JSON.stringify({ machine, options, results }, null, 2)
    : formatReport(results, machine);
}

async function benchImport(options: ImportBenchOptions): Promise<string> {
  const machine = describeMachine();
  const load = startLoadGenerator();
  const onProgress = (what: string): void => void process.stderr.write(`${what}\n`);
  try {
    const result = await measureImport(options, { load, signal: stopping.signal, onProgress });
    return options.json
      ? JSON.stringify({ machine, options, result }, null, 2)
      : formatImport(result, machine);
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
        process.stderr.write(`${places.toLocaleString("en")} places: ${what}\n`);
      };
      results.push(await measureSize(places, options, { load, signal, onProgress }));
    }
    return results;
  } finally {
    load.stop();
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE;
  else if (stopping.signal.aborted) process.exitCode = EXIT_INTERRUPTED;
  else {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = EXIT_FAILED;
  }
}
