import { buildGeocoded, formatGeocoded } from "../clean/geocoded-report.ts";
import { byCount, totalRejected, type ImportTally } from "../clean/import-tally.ts";
import { formatProblem } from "../import/import-report.ts";
import type { AppliedTally } from "./apply-changes.ts";
import { formatCount } from "../../src/cli/format.ts";

/** What `apply` or `delete` did: printed for a person, or as JSON with `--json`. */
export type ChangeReport = ReturnType<typeof buildChangeReport>;

interface ReportInput {
  readonly outcome: "done" | "failed" | "interrupted";
  /** What went wrong. The changes counted here were written nevertheless. */
  readonly error?: string | undefined;
  readonly tally: ImportTally;
  readonly applied: AppliedTally;
  readonly durationMs: number;
}

/** Builds the report from what was counted. */
export function buildChangeReport({ outcome, error, tally, applied, durationMs }: ReportInput) {
  const written = applied.applied + applied.deleted;
  return {
    outcome,
    ...(error !== undefined && { error }),
    /** Changes in the input. */
    read: tally.read,
    applied: applied.applied,
    deleted: applied.deleted,
    /** Changes that a later change of the same place in the same batch replaced. */
    superseded: applied.superseded,
    /** Places to change or delete that the index does not have. */
    unknown: { total: applied.unknown, names: applied.unknownNames },
    rejected: { total: totalRejected(tally), reasons: byCount(tally.rejected.values()) },
    geocoded: buildGeocoded(tally),
    fields: byCount(tally.notes.values()),
    batches: applied.batches,
    duration_seconds: Math.round(durationMs / 10) / 100,
    changes_per_second: Math.round((written * 1000) / Math.max(1, durationMs)),
  };
}

/** One page of a terminal. Longer lists are cut; the JSON has more. */
const MAX_LINES = 20;

/** Formats the report for a person, one line per entry. */
export function formatChangeReport(report: ChangeReport): string {
  const { unknown, rejected, fields } = report;
  const rate = `${report.duration_seconds} s, ${formatCount(report.changes_per_second)} changes/s`;
  return [
    `applied     ${formatCount(report.applied, "place")} (${rate})`,
    `deleted     ${formatCount(report.deleted, "place")}`,
    ...countLine("superseded", report.superseded, "by a later change of the same place"),
    ...formatGeocoded(report.geocoded),
    ...countLine("unknown", unknown.total, "to change or delete, not in the index"),
    ...list(unknown.names),
    ...countLine("rejected", rejected.total, ""),
    ...list(rejected.reasons.flatMap((one) => formatProblem(one.field, one.reason, one))),
    ...list(fields.flatMap((one) => formatProblem(one.field, one.kind, one))),
  ].join("\n");
}

const countLine = (name: string, count: number, text: string): string[] =>
  count === 0 ? [] : [`${name.padEnd(11)} ${formatCount(count)} ${text}`.trimEnd()];

const list = (lines: readonly string[]): string[] => [
  ...lines.slice(0, MAX_LINES).map((line) => `  ${line}`),
  ...(lines.length > MAX_LINES ? [`  … and ${lines.length - MAX_LINES} more (--json has them)`] : []),
];
