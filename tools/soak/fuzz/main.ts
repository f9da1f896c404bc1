import { EXIT } from "../../../src/cli/errors.ts";
import { wholeNumber } from "../../../src/cli/options.ts";
import { runTool } from "../../../src/cli/run-program.ts";
import { type FuzzCommand, type FuzzReport, fuzzServer } from "./fuzz-server.ts";
import { findExpensive, formatExpensive } from "./expensive.ts";
import { Command } from "commander";
import type { MemoryTrend } from "../memory-watch.ts";
import type { Slope } from "../../../test/support/statistics.ts";

const HELP = `
Starts its own Meilisearch, Redis and server, and sends the server invalid, odd and extreme values in
every parameter and header; one request in forty goes over a raw socket. No response may be a 5xx, break
the contract or repeat what was sent. The server must keep running and stay below a memory limit.

Exit status: 0 no problem found; 1 a problem found, the report says which; 2 wrong usage; 130 interrupted.

Examples:
  $ npm run -s fuzz
  $ npm run -s fuzz -- --requests 5000 --seed 42
  $ npm run -s fuzz -- --expensive --requests 5000 --places 20000

With --expensive it looks for valid requests that cost much: it sends random ones, one at a time, and
changes of those that took most processor time of the API and the engine, and prints the ten worst. None
may fail: a 5xx is a problem found, and printed, too.`;

interface FuzzOptions extends FuzzCommand {
  readonly expensive: boolean;
  readonly data?: string;
}

/** Reads the command line. @throws {CommanderError} with the exit status when there is nothing to run. */
const parseFuzzCommand = (argv: readonly string[]): FuzzOptions =>
  new Command("fuzz")
    .description("Sends invalid and extreme requests to a real server.")
    .option("--requests <number>", "number of requests", wholeNumber(1), 100_000)
    .option("--seed <number>", "another seed gives other requests", wholeNumber(1), 1)
    .option("--places <number>", "size of the dataset", wholeNumber(1), 2_000)
    .option("--expensive", "look for the requests that cost most instead", false)
    .option("--data <folder>", "with --expensive: where the server keeps its data for the next run")
    .addHelpText("after", HELP)
    .exitOverride()
    .parse(argv, { from: "user" })
    .opts<FuzzOptions>();

/** The report for people. */
function formatFuzz({ result, memory, aftermath, seconds }: FuzzReport): string {
  const { requests, repeated, statuses, latency, findings } = result;
  const ms = (percentile: number): string => (latency.percentile(percentile) / 1_000).toFixed(1);
  const found = findings.length + aftermath.length;
  return [
    `${requests} requests in ${seconds.toFixed(0)} s, p50 ${ms(50)} ms, p99 ${ms(99)} ms, the longest ${ms(100)} ms`,
    `Asked again, since the engine was too slow: ${repeated}`,
    ...[...statuses].toSorted(([, a], [, b]) => b - a).map(([status, count]) => `  ${status}: ${count}`),
    ...memory.map(formatMemory),
    ...findings.map(({ what, request, answer }) => `FOUND ${what}\n    ${request}\n    ${answer}`),
    ...aftermath.map((what) => `FOUND afterwards: ${what}`),
    found === 0 ? "Nothing found." : `${found} found.`,
  ].join("\n");
}

const formatMemory = ({ lastRssMb, peakRssMb, rssMb, heapMb }: MemoryTrend): string =>
  `Memory: ${lastRssMb.toFixed(0)} MB, at most ${peakRssMb.toFixed(0)} MB; MB a minute: RSS ${formatSlope(rssMb)}, heap ${formatSlope(heapMb)}`;

const formatSlope = (slope: Slope | undefined): string =>
  slope === undefined ? "too few samples" : `${slope.perMinute.toFixed(1)} ± ${slope.plusMinus.toFixed(1)}`;

await runTool(async (tool) => {
  const command = parseFuzzCommand(process.argv.slice(2));
  if (command.expensive) {
    const found = await findExpensive({ ...tool, command });
    process.stdout.write(`${formatExpensive(found)}\n`);
    return found.failed.length === 0 ? EXIT.done : EXIT.failed;
  }
  const report = await fuzzServer({ ...tool, command });
  process.stdout.write(`${formatFuzz(report)}\n`);
  return report.result.findings.length + report.aftermath.length === 0 ? EXIT.done : EXIT.failed;
});
