import { expect, test } from "vitest";
import { readReport } from "../../../script/audit.ts";

const report = (vulnerabilities: object): string =>
  JSON.stringify({ auditReportVersion: 2, vulnerabilities });

test.each([
  "",
  "npm error audit endpoint returned an error",
  "null",
  "[]",
  '{"message":"405 Method Not Allowed"}',
])("without a report, %j, the check was skipped", (printed) => {
  expect(readReport(printed)).toHaveProperty("skipped");
});

test("high and critical findings are reported, lesser ones are not", () => {
  const via = [{ title: "Prototype pollution" }, "inner"];
  const printed = report({
    bad: { severity: "high", range: "<2.0.0", via },
    worse: { severity: "critical", range: "*", via: ["bad"] },
    meh: { severity: "moderate", range: "*", via },
  });
  expect(readReport(printed)).toEqual({
    found: ["bad <2.0.0 (high): Prototype pollution; through inner", "worse * (critical): through bad"],
  });
});

test("a report without findings passes", () => {
  expect(readReport(report({}))).toEqual({ found: [] });
});
