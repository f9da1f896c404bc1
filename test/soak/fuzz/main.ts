import { runProgram } from "../run-program.ts";
import { formatFuzz } from "./format-fuzz.ts";
import { fuzzServer } from "./fuzz-server.ts";
import { parseFuzzCommand } from "./options.ts";

await runProgram(async (program) => {
  const report = await fuzzServer({ ...program, command: parseFuzzCommand(process.argv.slice(2)) });
  process.stdout.write(`${formatFuzz(report)}\n`);
  return report.result.findings.length + report.aftermath.length === 0;
});
