import { formatNumber, formatTable } from "../../bench/report/text-table.ts";
import type { Slope } from "../measure/slope.ts";
import type { FaultReport, PhaseReport, SoakReport } from "./build-report.ts";

/** The report for people. */
export function formatReport(report: SoakReport): string {
  const { seconds, requests, violations, limits } = report;
  const wrong = violations.reduce((sum, { count }) => sum + count, 0);
  return [
    `${requests} requests in ${seconds.toFixed(0)} s, ${(requests / seconds).toFixed(0)} a second; ${report.faults.length} faults.`,
    formatPhases(report.phases),
    `Answers: ${formatOutcomes(report.outcomes)}`,
    formatFaults(report.faults),
    formatMemory(report),
    `Most let through in a minute, as a share of the limit: ${formatNumber(limits.withRedis)} with Redis, ${formatNumber(limits.withoutRedis)} while it was gone.`,
    formatNotes(report.notes),
    formatViolations(report),
    wrong === 0 ? "Everything held." : `${wrong} violations in ${violations.length} ways.`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

const isSuccess = (outcome: string): boolean => outcome === "200" || outcome === "304";

const formatOutcomes = (
  outcomes: Readonly<Record<string, number>>,
  isTold: (outcome: string) => boolean = () => true,
): string =>
  Object.entries(outcomes)
    .filter(([outcome]) => isTold(outcome))
    .map(([outcome, count]) => `${outcome}: ${count}`)
    .join(", ");

function formatPhases(phases: readonly PhaseReport[]): string {
  const rows = phases.map(({ name, requests, outcomes, p50Ms, p99Ms, refusalP99Ms }) => [
    name,
    String(requests),
    String(outcomes["200"] ?? 0),
    formatNumber(p50Ms),
    formatNumber(p99Ms),
    formatNumber(refusalP99Ms),
    formatOutcomes(outcomes, (outcome) => !isSuccess(outcome)),
  ]);
  const header = ["", "requests", "200", "p50 ms", "p99 ms", "5xx p99", "others"];
  return formatTable(header, rows);
}

const formatFaults = (faults: readonly FaultReport[]): string =>
  formatTable(
    ["fault", "at s", "lasted s", "recovery s"],
    faults.map(({ name, atSeconds, lastedSeconds, recoverySeconds }) => [
      name,
      atSeconds.toFixed(0),
      lastedSeconds.toFixed(1),
      recoverySeconds?.toFixed(2) ?? "never",
    ]),
  );

const formatSlope = (slope: Slope | undefined): string =>
  slope === undefined ? "too few" : `${slope.perMinute.toFixed(2)} ± ${slope.plusMinus.toFixed(2)}`;

const formatMemory = ({ memory }: SoakReport): string =>
  formatTable(
    [
      "server (process)",
      "RSS MB",
      "peak MB",
      "RSS MB/min",
      "heap kept MB/min",
      "samples",
      "heap kept, by minute",
    ],
    memory.map(({ server, pid, rssMb, heapMb, peakRssMb, lastRssMb, keptMb }) => [
      `${server} (${pid})`,
      lastRssMb.toFixed(0),
      peakRssMb.toFixed(0),
      formatSlope(rssMb),
      formatSlope(heapMb),
      String(rssMb?.samples ?? 0),
      keptMb.map((megabytes) => megabytes.toFixed(0)).join(" "),
    ]),
  );

const formatNotes = (notes: Readonly<Record<string, number>>): string =>
  Object.entries(notes)
    .map(([what, count]) => `${what}: ${count}`)
    .join("\n");

function formatViolations({ violations }: SoakReport): string {
  return violations
    .map(({ what, count, examples }) =>
      [
        `VIOLATION, ${count} times: ${what}`,
        ...examples.map(({ at, request, answer, faults }) =>
          [`  ${at} during ${faults.join(", ") || "calm"}`, request, answer].filter(Boolean).join("\n    "),
        ),
      ].join("\n"),
    )
    .join("\n");
}
