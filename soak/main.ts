import { writeFileSync } from "node:fs";
import { CommanderError } from "commander";
import { parseOptions } from "./options.ts";
import { formatReport } from "./report/format-report.ts";
import { runSoak } from "./run-soak.ts";

const EXIT_FAILED = 1;
const EXIT_WRONG_USAGE = 2;
const EXIT_INTERRUPTED = 130;

const stopping = new AbortController();

async function main(argv: readonly string[]): Promise<void> {
  const options = parseOptions(argv);
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    // Who asks twice does not want to wait; what was started ends with this process.
    process.on(name, () =>
      stopping.signal.aborted ? process.exit(EXIT_INTERRUPTED) : stopping.abort(new Error("Interrupted.")),
    );
  }
  const startedAt = performance.now();
  const onProgress = (what: string): void => {
    process.stderr.write(`${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${what}\n`);
  };
  const report = await runSoak({ options, signal: stopping.signal, onProgress });
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  process.stdout.write(`${formatReport(report)}\n`);
  if (report.violations.length > 0) process.exitCode = EXIT_FAILED;
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
