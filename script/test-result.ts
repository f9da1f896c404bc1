import { readFileSync } from "node:fs";
import { relative } from "node:path";

/** What is read of the report that vitest writes as JSON. */
export interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    /** The path of the file. */
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
}

/** How the tests ended, and which other checks failed. */
interface RunOutcome {
  readonly exitCode: number;
  /** Such as `lint`. */
  readonly failedChecks?: readonly string[];
}

/**
 * The last lines of a run: the names of what failed, then one line that machines can read. A run that failed for another reason than a
 * test, or had none, counts as failed. Each other check that failed counts as one.
 */
export function describeTestRun(
  report: TestReport,
  { exitCode, failedChecks = [] }: RunOutcome,
  folder: string,
): string[] {
  const { numPassedTests: passed, numFailedTests } = report;
  const failed = exitCode === 0 && passed > 0 ? numFailedTests : Math.max(1, numFailedTests);
  const named = report.testResults.flatMap((file) => {
    const path = relative(folder, file.name);
    const tests = file.assertionResults.filter(({ status }) => status === "failed");
    if (tests.length === 0 && file.status === "failed")
      return [`${path}: ${oneLine(file.message) || "it failed outside of its tests"}`];
    return tests.map(({ ancestorTitles, title }) => oneLine([path, ...ancestorTitles, title].join(" > ")));
  });
  const unnamed =
    failed > 0 && named.length === 0
      ? ["no test: the messages above say why, such as an unhandled error"]
      : [];
  const names = [...named, ...unnamed, ...failedChecks].map((name) => `FAILED ${name}`);
  return [...names, `${passed} passed, ${failed + failedChecks.length} failed`];
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

if (import.meta.main) {
  const [path = "", exitCode = "1", ...failedChecks] = process.argv.slice(2);
  const report = JSON.parse(readFileSync(path, "utf8")) as TestReport;
  const lines = describeTestRun(report, { exitCode: Number(exitCode), failedChecks }, process.cwd());
  console.log(lines.join("\n"));
  process.exitCode = lines.length > 1 ? 1 : 0;
}
