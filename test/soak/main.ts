import { writeFileSync } from "node:fs";
import { parseOptions } from "./options.ts";
import { formatReport } from "./report.ts";
import { runProgram } from "../support/program.ts";
import { runSoak } from "./run-soak.ts";

await runProgram(async (program) => {
  const options = parseOptions(process.argv.slice(2));
  const report = await runSoak({ ...program, options });
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  process.stdout.write(`${formatReport(report)}\n`);
  return report.violations.length === 0;
});
