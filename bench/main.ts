import { CommanderError } from "commander";
import { startLoadGenerator } from "./load/start-load.ts";
import { describeMachine } from "./measure/machine.ts";
import { measureSize, type SizeResult } from "./measure/measure-size.ts";
import { parseOptions, type BenchOptions } from "./options.ts";
import { formatReport } from "./report/format-report.ts";

const EXIT_WRONG_USAGE = 2;
const EXIT_FAILED = 1;
const EXIT_INTERRUPTED = 130;

const stopping = new AbortController();

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => stopping.abort(new Error("Interrupted.")));
  }
  const machine = describeMachine();
  const results = await measureAll(options, stopping.signal);
  const report = options.json
    ? JSON.stringify({ machine, options, results }, null, 2)
    : formatReport(results, machine);
  process.stdout.write(`${report}\n`);
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
  await main();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE;
  else if (stopping.signal.aborted) process.exitCode = EXIT_INTERRUPTED;
  else {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = EXIT_FAILED;
  }
}
