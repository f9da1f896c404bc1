import { byCount, totalRejected, type FieldNote, type ImportTally } from "../clean/import-tally.ts";
import { buildGeocoded, formatGeocoded } from "../clean/geocoded-report.ts";
import { ASTRAY, NO_COORDINATES } from "../clean/location.ts";
import type { MergedPair } from "../merge/merge-tally.ts";
import type { Source } from "../sources/open-sources.ts";
import type { Position } from "../sources/source.ts";
import { formatCount } from "../../src/cli/format.ts";

/** How an import ended. Only `imported` has changed the live index; `unchanged` is for `--if-changed`, `valid` ends a dry run. */
export type Outcome = "imported" | "unchanged" | "failed" | "interrupted" | "valid";

/** What an import did: printed for a person, or as JSON with `--json`. */
export type ImportReport = ReturnType<typeof buildReport>;

interface ReportInput {
  readonly outcome: Outcome;
  readonly error?: string | undefined;
  readonly sources: readonly Source[];
  readonly tally: ImportTally;
  readonly indexed: number;
  readonly placesAbout?: number | undefined;
  readonly durationMs: number;
  /** The file that all rejected records were written to. */
  readonly rejectsPath?: string | undefined;
}

/** Builds the report from what was counted. */
export function buildReport(input: ReportInput) {
  const { outcome, error, sources, tally, indexed, placesAbout, durationMs } = input;
  return {
    outcome,
    /** Why it failed. */
    ...(error !== undefined && { error }),
    files: sources.map(({ input: { name }, format }) => ({ name, format })),
    /** What became of the records of each file, or of each sheet. */
    by_file: buildFiles(sources, tally),
    /** Records that occur more than once, and the first of them. */
    repeated: { total: tally.repeats.count, records: tally.repeats.examples },
    /** Places whose points were estimated from their addresses. */
    geocoded: buildGeocoded(tally),
    /** Read places without a kind, which only searches by name find. */
    without_kind: tally.withoutKind,
    /** What a person should do about the files. */
    advice: adviceOn(tally),
    read: tally.read,
    /** Places in the new index; 0 unless it went live. */
    indexed,
    /** A dry run only: about how many different places an import would write. */
    ...(placesAbout !== undefined && { places_about: placesAbout }),
    /** What spoke against the swap and was overridden by --force. */
    ...(tally.overridden.length > 0 && { overridden: tally.overridden }),
    /** Records that replaced an earlier record of the same place. */
    duplicates: outcome === "imported" ? tally.written - tally.merges.total - indexed : 0,
    /** Read places whose type was taken from the title. */
    types_from_titles: tally.typesFromTitles,
    /** Records that became part of the place that another source has of it; their ids lead there. */
    merged: buildMerged(tally),
    skipped: buildSkipped(tally),
    rejected: buildRejected(tally, input.rejectsPath),
    /** Fields that could not be used as they were. */
    fields: byCount(tally.notes.values()),
    duration_seconds: Math.round(durationMs / 10) / 100,
    records_per_second: Math.round((tally.read * 1000) / Math.max(1, durationMs)),
  };
}

/** A wrong place or two is no pattern. */
const MIN_ASTRAY = 3;

/** What the counts say about a file as a whole. */
function adviceOn({ read, withoutKind, notes, rejected }: ImportTally): string[] {
  const places = read - [...rejected.values()].reduce((sum, { count }) => sum + count, 0);
  const astray = Object.values(ASTRAY).flatMap((kind) => notes.get(`location ${kind}`) ?? []);
  const lost = astray.reduce((sum, { count }) => sum + count, 0);
  const where = byCount(astray)[0];
  const unplaced = rejected.get(`location ${NO_COORDINATES}`)?.count ?? 0;
  return [
    ...(unplaced > 0
      ? [
          `${formatCount(unplaced)} of ${formatCount(read)} records without coordinates: --geocode estimates them from ` +
            "their addresses, --rejects FILE lists them.",
        ]
      : []),
    ...(where && lost >= MIN_ASTRAY && lost > places / 2
      ? [
          `Most places are astray: ${formatCount(where.count)} of ${formatCount(places)} lie ${where.kind}. ` +
            "Are the right columns read as latitude and longitude? --swap puts them in each other's place.",
        ]
      : []),
    ...(withoutKind > 0
      ? [
          `${formatCount(withoutKind)} of ${formatCount(places)} places without a kind, which only searches by name find: ` +
            "--type KIND gives one, such as --type COFFEE.",
        ]
      : []),
  ];
}

/** Also the files without any record. A workbook with several sheets has an entry for each. */
function buildFiles(sources: readonly Source[], { files }: ImportTally) {
  const read = [...files].map(([name, counts]) => ({ name, ...counts }));
  const empty = sources.flatMap(({ input: { name } }) =>
    read.some((file) => file.name === name || file.name.startsWith(`${name} (`))
      ? []
      : [{ name, places: 0, skipped: 0, rejected: 0 }],
  );
  return [...read, ...empty];
}

const buildMerged = ({ merges: { total, reasons, pairs } }: ImportTally) => ({
  total,
  reasons: byCount([...reasons].map(([reason, count]) => ({ reason, count }))),
  /** The first ones. */
  pairs,
});

function buildSkipped(tally: ImportTally) {
  const reasons = byCount([...tally.skipped].map(([reason, count]) => ({ reason, count })));
  return { total: reasons.reduce((sum, { count }) => sum + count, 0), reasons };
}

const buildRejected = (tally: ImportTally, path: string | undefined) => ({
  total: totalRejected(tally),
  reasons: byCount(tally.rejected.values()),
  by_file: byCount(
    [...tally.files].flatMap(([name, { rejected: count }]) => (count > 0 ? [{ name, count }] : [])),
  ),
  /** Where every one of them is listed. */
  ...(path !== undefined && { listed_in: path }),
});

/** Together a page or two of a terminal: the longest lists are cut, the JSON has them whole. */
const MAX_LINES = 15;

/** Enough to see what kind they are. */
const MAX_PAIRS = 5;

/** The report for a person, line by line. */
export function formatReport(report: ImportReport): string {
  const rate = `${report.duration_seconds} s, ${formatCount(report.records_per_second)} records/s`;
  const lines = [
    `read        ${formatCount(report.read, "record")} (${rate})`,
    report.places_about === undefined
      ? `indexed     ${formatCount(report.indexed, "place")}`
      : `to index    about ${formatCount(report.places_about, "place")}`,
    ...formatRepeats(report),
    ...(report.duplicates > report.repeated.total
      ? [`duplicates  ${formatCount(report.duplicates)} of places read before, the last record wins`]
      : []),
    ...(report.types_from_titles > 0
      ? [`types       ${formatCount(report.types_from_titles)} taken from titles`]
      : []),
    ...formatGeocoded(report.geocoded),
    ...formatMerged(report),
    ...section(
      `skipped     ${formatTotal(report.skipped.total, report.read)}`,
      report.skipped.reasons.map(({ reason, count }) => [`${formatCount(count)} ${reason}`]),
    ),
    ...section(
      `rejected    ${formatTotal(report.rejected.total, report.read)}`,
      report.rejected.reasons.map((one) => formatProblem(one.field, one.reason, one)),
    ),
    ...formatFiles(report),
    ...section(
      "warnings",
      report.fields.map((one) => formatProblem(one.field, one.kind, one)),
    ),
    ...report.advice,
  ];
  return lines.join("\n");
}

/** A title and its entries, each of one or more lines. */
function section(title: string, entries: readonly (readonly string[])[]): string[] {
  if (entries.length === 0) return [];
  const shown = entries.slice(0, MAX_LINES).flatMap((lines) => lines.map((line) => `  ${line}`));
  const more = entries.length - MAX_LINES;
  return [title, ...shown, ...(more > 0 ? [`  … and ${more} more (--json has all)`] : [])];
}

/** `1,234 (5.6 %)`. A share that would round to zero is shown as less than the smallest step. */
function formatTotal(total: number, read: number): string {
  const percent = (total * 100) / Math.max(1, read);
  const shown = percent < 0.1 ? "less than 0.1" : percent.toFixed(1).replace(".0", "");
  return `${formatCount(total)} (${shown} %)`;
}

/** What is wrong with a field of some records, with the first of them: also in the other reports. */
export const formatProblem = (field: string, reason: string, { count, examples }: Problem): string[] => [
  `${formatCount(count)} ${field}: ${reason}`,
  ...examples.map((example) => `  ${formatPosition(example)}${formatValue(example.value)}`),
];

type Problem = Pick<FieldNote, "count" | "examples">;

/** Why, and the first few. */
function formatMerged({ merged: { total, reasons, pairs } }: ImportReport): string[] {
  if (total === 0) return [];
  const title = `merged      ${formatCount(total)} into places of other sources`;
  const why = reasons.map(({ reason, count }) => `  ${formatCount(count)} by distance + ${reason}`);
  return [title, ...why, ...pairs.slice(0, MAX_PAIRS).map(formatPair)];
}

const formatPair = ({ kept, merged, reason, distance_meters: meters }: MergedPair): string =>
  `    ${merged.title} (${merged.source}) into ${kept.title} (${kept.source}): ${meters} m, ${reason}`;

const formatPosition = ({ file, part, number }: Position): string => `${file}, ${part} ${number}`;

const formatValue = (value: string | undefined): string => (value === undefined ? "" : `: ${value}`);

/** The first rows that occur again, with where they were first. */
function formatRepeats({ repeated: { total, records } }: ImportReport): string[] {
  const lines = records.map(({ title, first, again, by }) => {
    const where = first.file === again.file ? `${first.part} ${first.number}` : formatPosition(first);
    const result = by === "id" ? "the later one counts" : "both are kept";
    return [`${formatPosition(again)}: the ${by} of ${where} (${title}), ${result}`];
  });
  return section(`repeated    ${formatCount(total, "record")}`, lines);
}

/** Of one file it is clear what became of it. */
function formatFiles({ by_file: files, rejected: { listed_in: path } }: ImportReport): string[] {
  const entries = files.map(({ name, places, skipped, rejected }) => [
    [
      `${name}: ${formatCount(places, "place")}`,
      ...(skipped > 0 ? [`${formatCount(skipped)} skipped`] : []),
      ...(rejected > 0 ? [`${formatCount(rejected)} rejected`] : []),
    ].join(", "),
  ]);
  return [
    ...section("files", files.length > 1 ? entries : []),
    ...(path === undefined ? [] : [`all rejected records are listed in ${path}`]),
  ];
}
