import { writeFileSync } from "node:fs";
import { parseOptions } from "./options.ts";
import { formatReport } from "./report.ts";
import { EXIT } from "../../src/cli/errors.ts";
import { runTool } from "../../src/cli/run-program.ts";
import { runSoak } from "./run-soak.ts";

await runTool(async (tool) => {
  const options = parseOptions(process.argv.slice(2));
  const report = await runSoak({ ...tool, options });
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  process.stdout.write(`${formatReport(report)}\n`);
  return report.violations.length === 0 ? EXIT.done : EXIT.failed;
});
