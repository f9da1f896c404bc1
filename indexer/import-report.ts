import { totalRejected, type FieldNote, type ImportTally, type RejectionReason } from "./import-tally.ts";
import type { Source } from "./sources/open-sources.ts";

/** How an import ended. Only `imported` has changed the live index; `valid` ends a dry run. */
export type Outcome = "imported" | "failed" | "interrupted" | "valid";

/** What an import did: printed for a person, or as JSON with `--json`. */
export interface ImportReport {
  readonly outcome: Outcome;
  /** Why it failed. */
  readonly error?: string;
  readonly files: readonly { readonly name: string; readonly format: string }[];
  readonly read: number;
  /** Places in the new index; 0 unless it went live. */
  readonly indexed: number;
  /** A dry run only: about how many different places an import would write. */
  readonly places_about?: number;
  /** What spoke against the swap and was overridden by --force. */
  readonly overridden?: readonly string[];
  /** Records that replaced an earlier record of the same place. */
  readonly duplicates: number;
  readonly skipped: {
    readonly total: number;
    readonly reasons: readonly { reason: string; count: number }[];
  };
  readonly rejected: { readonly total: number; readonly reasons: readonly RejectionReason[] };
  /** Members that could not be used as they were. */
  readonly fields: readonly FieldNote[];
  readonly duration_seconds: number;
  readonly records_per_second: number;
}

interface ReportInput {
  readonly outcome: Outcome;
  readonly error?: string | undefined;
  readonly sources: readonly Source[];
  readonly tally: ImportTally;
  readonly indexed: number;
  readonly placesAbout?: number | undefined;
  readonly durationMs: number;
}

const byCount = <T extends { readonly count: number }>(entries: Iterable<T>): T[] =>
  [...entries].toSorted((a, b) => b.count - a.count);

export function buildReport({
  outcome,
  error,
  sources,
  tally,
  indexed,
  placesAbout,
  durationMs,
}: ReportInput): ImportReport {
  const skipped = byCount([...tally.skipped].map(([reason, count]) => ({ reason, count })));
  return {
    outcome,
    ...(error !== undefined && { error }),
    files: sources.map(({ input, format }) => ({ name: input.name, format })),
    read: tally.read,
    indexed,
    ...(placesAbout !== undefined && { places_about: placesAbout }),
    ...(tally.overridden.length > 0 && { overridden: tally.overridden }),
    duplicates: outcome === "imported" ? tally.written - indexed : 0,
    skipped: { total: skipped.reduce((sum, { count }) => sum + count, 0), reasons: skipped },
    rejected: { total: totalRejected(tally), reasons: byCount(tally.rejected.values()) },
    fields: byCount(tally.notes.values()),
    duration_seconds: Math.round(durationMs / 10) / 100,
    records_per_second: Math.round((tally.read * 1000) / Math.max(1, durationMs)),
  };
}

/** A page of a terminal: the longest lists are cut, the JSON has them whole. */
const MAX_LINES = 20;

const formatCount = (count: number): string => count.toLocaleString("en");

/** The report for a person, line by line. */
export function formatReport(report: ImportReport): string {
  const rate = `${report.duration_seconds} s, ${formatCount(report.records_per_second)} records/s`;
  const lines = [
    `read        ${formatCount(report.read)} records (${rate})`,
    report.places_about === undefined
      ? `indexed     ${formatCount(report.indexed)} places`
      : `to index    about ${formatCount(report.places_about)} places`,
    ...(report.duplicates > 0
      ? [`duplicates  ${formatCount(report.duplicates)}, the later record of a place counts`]
      : []),
    ...section(
      "skipped",
      report.skipped.total,
      report.skipped.reasons.map(({ reason, count }) => `${formatCount(count)} ${reason}`),
    ),
    ...section("rejected", report.rejected.total, report.rejected.reasons.flatMap(formatRejection)),
    ...section(
      "fields",
      undefined,
      report.fields.map(({ field, kind, count }) => `${formatCount(count)} ${field}: ${kind}`),
    ),
  ];
  return lines.join("\n");
}

function section(name: string, total: number | undefined, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, MAX_LINES).map((line) => `  ${line}`);
  const rest =
    lines.length > MAX_LINES ? [`  … and ${lines.length - MAX_LINES} lines more (--json has all)`] : [];
  const title =
    total === undefined
      ? "fields that could not be used as they were"
      : `${name.padEnd(11)} ${formatCount(total)}`;
  return [title, ...shown, ...rest];
}

function formatRejection({ field, reason, count, examples }: RejectionReason): string[] {
  const where = examples.map(({ file, part, number, value }) => {
    const shown = value === undefined ? "" : `: ${value}`;
    return `    ${file}, ${part} ${number}${shown}`;
  });
  return [`${formatCount(count)} ${field}: ${reason}`, ...where];
}
