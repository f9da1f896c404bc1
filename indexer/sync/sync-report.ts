import { buildGeocoded, formatGeocoded } from "../clean/geocoded-report.ts";
import { totalRejected, type ImportTally } from "../clean/import-tally.ts";
import { formatProblem } from "../import/import-report.ts";
import { formatCount } from "../../src/cli/format.ts";

/** A place that differs, as shown in the report. */
interface DifferingPlace {
  readonly data_id: string;
  /** `undefined` for a place that was deleted during the comparison. */
  readonly title?: string | undefined;
}

/** How the snapshot and the index differ, and what has been written. */
export interface SyncTally {
  new: number;
  changed: number;
  same: number;
  /** Repeated records of a place in the snapshot. The later one counts. */
  duplicates: number;
  toDelete: number;
  /** Places written so far, and places deleted. */
  written: number;
  deleted: number;
  readonly examples: Readonly<Record<"new" | "changed" | "gone", DifferingPlace[]>>;
  /** Keeps the first examples of each kind. */
  note(kind: "new" | "changed" | "gone", place: DifferingPlace): void;
}

/** Enough to see what kind of differences they are. */
export const MAX_EXAMPLES = 100;

export function createSyncTally(): SyncTally {
  const examples: SyncTally["examples"] = { new: [], changed: [], gone: [] };
  return {
    new: 0,
    changed: 0,
    same: 0,
    duplicates: 0,
    toDelete: 0,
    written: 0,
    deleted: 0,
    examples,
    note(kind, { data_id: dataId, title }) {
      if (examples[kind].length < MAX_EXAMPLES)
        examples[kind].push({ data_id: dataId, ...(title !== undefined && { title }) });
    },
  };
}

/** The result of a sync: printed for a person, or as JSON with `--json`. */
export type SyncReport = ReturnType<typeof buildSyncReport>;

interface ReportInput {
  readonly outcome: "synced" | "unchanged" | "compared" | "failed" | "interrupted";
  readonly error?: string | undefined;
  readonly tally: ImportTally;
  readonly sync: SyncTally;
  readonly durationMs: number;
}

/** Builds the report from what was counted. */
export function buildSyncReport({ outcome, error, tally, sync, durationMs }: ReportInput) {
  return {
    outcome,
    ...(error !== undefined && { error }),
    read: tally.read,
    new: sync.new,
    changed: sync.changed,
    unchanged: sync.same,
    gone: sync.toDelete,
    duplicates: sync.duplicates,
    /** Documents written to and removed from the live index; 0 when the sync ended before all differences were found. */
    written: sync.written,
    deleted: sync.deleted,
    examples: sync.examples,
    skipped: [...tally.skipped.values()].reduce((sum, count) => sum + count, 0),
    rejected: { total: totalRejected(tally), reasons: [...tally.rejected.values()] },
    geocoded: buildGeocoded(tally),
    fields: [...tally.notes.values()],
    duration_seconds: Math.round(durationMs / 10) / 100,
    records_per_second: Math.round((tally.read * 1000) / Math.max(1, durationMs)),
  };
}

/** Lines of each kind on a terminal. The JSON has more. */
const MAX_LINES = 10;

/** Formats the report for a person, one line per entry. */
export function formatSyncReport(report: SyncReport): string {
  const { examples, rejected } = report;
  const rate = `${report.duration_seconds} s, ${formatCount(report.records_per_second)} records/s`;
  const reasons = rejected.reasons.flatMap((one) =>
    formatProblem(one.field, one.reason, one).map((line) => `  ${line}`),
  );
  return [
    `read        ${formatCount(report.read, "record")} (${rate})`,
    `unchanged   ${formatCount(report.unchanged)}`,
    ...differing("new", report.new, examples.new),
    ...differing("changed", report.changed, examples.changed),
    ...differing("gone", report.gone, examples.gone),
    ...formatGeocoded(report.geocoded),
    ...(report.duplicates > 0 ? [`duplicates  ${formatCount(report.duplicates)}`] : []),
    ...(report.skipped > 0 ? [`skipped     ${formatCount(report.skipped)}`] : []),
    ...(rejected.total > 0 ? [`rejected    ${formatCount(rejected.total)}`] : []),
    ...reasons.slice(0, MAX_LINES),
    `written     ${formatCount(report.written, "place")}, ${formatCount(report.deleted)} deleted`,
  ].join("\n");
}

const differing = (kind: string, count: number, examples: readonly DifferingPlace[]): string[] => [
  `${kind.padEnd(11)} ${formatCount(count)}`,
  ...examples.slice(0, MAX_LINES).map(({ data_id: dataId, title = "" }) => `  ${dataId} ${title}`.trimEnd()),
  ...(count > MAX_LINES ? ["  …"] : []),
];
