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
      /** Why it failed. A test that passed at the second try has the reason of the first. */
      readonly failureMessages: readonly string[];
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
 * The last lines of a run: the names of what passed only at the second try and of what failed, then one line that machines can read. A
 * run that failed for another reason than a test, or had none, counts as failed. Each other check that failed counts as one.
 */
export function describeTestRun(
  report: TestReport,
  { exitCode, failedChecks = [] }: RunOutcome,
  folder: string,
): string[] {
  const { numPassedTests: passed, numFailedTests } = report;
  const failed = exitCode === 0 && passed > 0 ? numFailedTests : Math.max(1, numFailedTests);
  const named = report.testResults.flatMap((file) => {
    const tests = file.assertionResults.filter(({ status }) => status === "failed");
    if (tests.length > 0 || file.status !== "failed") return tests.map((one) => nameOf(file, one, folder));
    const why = oneLine(file.message) || "it failed outside of its tests";
    return [`${relative(folder, file.name)}: ${why}`];
  });
  const unnamed =
    failed > 0 && named.length === 0
      ? ["no test: the messages above say why, such as an unhandled error"]
      : [];
  const names = [...named, ...unnamed, ...failedChecks].map((name) => `FAILED ${name}`);
  return [
    ...describeUnsteady(report, folder),
    ...names,
    `${passed} passed, ${failed + failedChecks.length} failed`,
  ];
}

type File = TestReport["testResults"][number];

const nameOf = (file: File, test: File["assertionResults"][number], folder: string): string =>
  oneLine([relative(folder, file.name), ...test.ancestorTitles, test.title].join(" > "));

/** Enough of a message and of its stack to know where to look. */
const MAX_REASON_LENGTH = 300;

/** A test that passes at the second try has to be repaired, but does not fail the run. */
const describeUnsteady = ({ testResults }: TestReport, folder: string): string[] =>
  testResults.flatMap((file) =>
    file.assertionResults
      .filter(({ status, failureMessages }) => status === "passed" && failureMessages.length > 0)
      .map((test) => {
        const why = oneLine(test.failureMessages[0] ?? "").slice(0, MAX_REASON_LENGTH);
        return `UNSTEADY ${nameOf(file, test, folder)}: ${why}`;
      }),
  );

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

if (import.meta.main) {
  const [path = "", exitCode = "1", ...failedChecks] = process.argv.slice(2);
  const report = JSON.parse(readFileSync(path, "utf8")) as TestReport;
  const lines = describeTestRun(report, { exitCode: Number(exitCode), failedChecks }, process.cwd());
  console.log(lines.join("\n"));
  process.exitCode = lines.some((line) => line.startsWith("FAILED ")) ? 1 : 0;
}
