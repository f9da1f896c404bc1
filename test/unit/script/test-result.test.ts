import { expect, test } from "vitest";
import { describeTestRun, type TestReport } from "../../../script/test-result.ts";

const PASSED = { ancestorTitles: [], title: "works", status: "passed", failureMessages: [] };

const reportOf = (...testResults: TestReport["testResults"]): TestReport => {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const numFailedTests = tests.filter(({ status }) => status === "failed").length;
  return { numPassedTests: tests.length - numFailedTests, numFailedTests, testResults };
};

const passing = { name: "/here/test/a.test.ts", status: "passed", message: "", assertionResults: [PASSED] };

test("a run that passed ends with its counts alone", () => {
  expect(describeTestRun(reportOf(passing), { exitCode: 0 }, "/here")).toEqual(["1 passed, 0 failed"]);
});

test("what failed is named, each test on a line of its own, before the counts", () => {
  const failing = {
    ancestorTitles: ["a lease"],
    title: "is kept\n  for long",
    status: "failed",
    failureMessages: ["no"],
  };
  const file = {
    name: "/here/test/b.test.ts",
    status: "failed",
    message: "",
    assertionResults: [failing, PASSED, { ...failing, ancestorTitles: [] }],
  };
  expect(describeTestRun(reportOf(passing, file), { exitCode: 1 }, "/here")).toEqual([
    "FAILED test/b.test.ts > a lease > is kept for long",
    "FAILED test/b.test.ts > is kept for long",
    "2 passed, 2 failed",
  ]);
});

test("what passed at the second try is named with the reason of the first, and does not fail the run", () => {
  const failureMessages = ["AssertionError: expected 1\n    at here", "another"];
  const file = { ...passing, assertionResults: [PASSED, { ...PASSED, title: "waits", failureMessages }] };
  expect(describeTestRun(reportOf(file), { exitCode: 0 }, "/here")).toEqual([
    "UNSTEADY test/a.test.ts > waits: AssertionError: expected 1 at here",
    "2 passed, 0 failed",
  ]);
});

test.each([
  ["cannot be loaded", "cannot load it", [], "cannot load it"],
  ["fails when its tests have passed", "", [PASSED], "it failed outside of its tests"],
])("a file that %s is named", (_, message, assertionResults, why) => {
  const file = { name: "/here/test/c.test.ts", status: "failed", message, assertionResults };
  expect(describeTestRun(reportOf(passing, file), { exitCode: 1 }, "/here")).toEqual([
    `FAILED test/c.test.ts: ${why}`,
    `${1 + assertionResults.length} passed, 1 failed`,
  ]);
});

test.each([
  ["that ended with an error beside its tests", reportOf(passing), 1],
  ["without a test", reportOf(), 0],
])("a run %s counts as failed", (_, report, exitCode) => {
  expect(describeTestRun(report, { exitCode }, "/here")).toEqual([
    "FAILED no test: the messages above say why, such as an unhandled error",
    `${report.numPassedTests} passed, 1 failed`,
  ]);
});

test("other checks that failed are named, and count", () => {
  const outcome = { exitCode: 0, failedChecks: ["lint", "types"] };
  expect(describeTestRun(reportOf(passing), outcome, "/here")).toEqual([
    "FAILED lint",
    "FAILED types",
    "1 passed, 2 failed",
  ]);
});
