import type { EngineSummary } from "../src/place-index/engine-summary.ts";
import type { IndexRole } from "../src/place-index/index-admin.ts";
import type { IndexSummary } from "../src/place-index/index-summary.ts";
import type { Run } from "../src/redis/run-history.ts";
import { formatAge, formatBytes, formatCount, formatTime } from "./format.ts";
import type { Known, Status } from "./read-status.ts";

const LABEL_WIDTH = 10;

const line = (label: string, text: string): string => `${label.padEnd(LABEL_WIDTH)} ${text}`;

/** What is missing in place of each index. */
const NONE: Readonly<Record<IndexRole, string>> = {
  live: "none: import places",
  next: "none: no import is under way",
  previous: "none: there is nothing to roll back to",
};

/** The status for a person. `now` is in milliseconds since 1970. */
export function formatStatus({ engine, indexes, runs }: Status, now: number): string {
  return [
    line("engine", textOf(engine, formatEngine)),
    ...(["live", "next", "previous"] as const).map((role) =>
      line(
        role,
        "problem" in engine
          ? "not known"
          : textOf(indexes[role], (index) => (index ? formatIndex(role, index, now) : NONE[role])),
      ),
    ),
    ...formatRuns(runs, now),
  ].join("\n");
}

const textOf = <T>(known: Known<T>, format: (value: T) => string): string =>
  "value" in known ? format(known.value) : `not known: ${known.problem}`;

function formatEngine({ version, databaseBytes, queue }: EngineSummary): string {
  const { enqueued, processing } = queue;
  const tasks =
    enqueued + processing === 0
      ? "nothing to do"
      : `${formatCount(processing)} tasks at work, ${formatCount(enqueued)} waiting`;
  return `Meilisearch ${version}, ${formatBytes(databaseBytes)} on disk, ${tasks}`;
}

function formatIndex(role: IndexRole, index: IndexSummary, now: number): string {
  const { places, redirects, version = "unknown", isReadable, builtAt, updatedAt, documentBytes } = index;
  const age = (iso: string): string => `${formatTime(iso)}, ${formatAge(now - Date.parse(iso))}`;
  const parts = [
    `${formatCount(places)} places`,
    ...(redirects > 0 ? [`${formatCount(redirects)} merged into them`] : []),
    builtAt === undefined ? "built by nobody known" : `built ${age(builtAt)}`,
    `${formatBytes(documentBytes)} of documents`,
    `version ${version}${isReadable ? "" : ", which this program cannot read"}`,
  ];
  if (role === "next") parts.push(`last written ${formatAge(now - Date.parse(updatedAt))}`);
  const meaning = role === "next" ? " (an import is under way, or was killed)" : "";
  return `${parts.join("; ")}${meaning}`;
}

function formatRuns(runs: Status["runs"], now: number): string[] {
  if (runs === undefined) return [line("runs", "not remembered: there is no Redis")];
  if ("problem" in runs) return [line("runs", `not known: ${runs.problem}`)];
  if (runs.value.length === 0) return [line("runs", "none remembered")];
  return ["last runs", ...runs.value.map((run) => `  ${formatRun(run, now)}`)];
}

function formatRun(
  { command, outcome, error, started_at: startedAt, duration_seconds: seconds, counts }: Run,
  now: number,
): string {
  const told = Object.entries(counts).map(([name, count]) => `${formatCount(count)} ${name}`);
  const age = formatAge(now - Date.parse(startedAt));
  const parts = [`${formatTime(startedAt)} (${age})`, command, outcome, `${seconds} s`, ...told];
  return parts.join(", ") + (error === undefined ? "" : `: ${shorten(error)}`);
}

/** A line of a terminal or two; the JSON has all of it. */
const MAX_ERROR_LENGTH = 160;

function shorten(error: string): string {
  const text = error.replaceAll(/\s+/g, " ");
  return text.length <= MAX_ERROR_LENGTH ? text : `${text.slice(0, MAX_ERROR_LENGTH).toWellFormed()}…`;
}
