import type { Command } from "commander";
import { runOrPrint, type CommandContext, type RunCommand } from "../../src/cli/run-program.ts";
import { readChecked, withIndexes, withRedis } from "../session/engines.ts";
import type { EngineSummary, IndexSummary } from "../index/index-summary.ts";
import type { EngineState, IndexAdmin, IndexRole, PartitionState } from "../index/index-admin.ts";
import { DEFAULT_INDEX_PREFIX } from "../../src/partitions/topology.ts";
import type { RedisConnection } from "../../src/redis/connection.ts";
import { createWriteQueue } from "../../src/redis/write-queue.ts";
import { type Run, readRuns } from "../../src/redis/run-history.ts";
import { formatAge, formatBytes, formatCount, formatTime } from "../../src/cli/format.ts";
import { EXIT, toErrorText } from "../../src/cli/errors.ts";

interface StatusCommandOptions {
  readonly json: boolean;
}

const HELP = `
Shows the engine (version, size, tasks), or all engines of TOPOLOGY with the state of each replica of
each partition (see \`replicas --help\`), the three indexes (live: serves searches; next: grows during
an import; previous: was live before the last swap) with the number of places, the age of their data,
size and version, the writes of callers that wait (see \`write --help\`), and the last runs, which are
stored in Redis. If something cannot be read, it shows
the reason. Use \`check\` to find problems.

The age counts from the start of the import that built the index. "checked" is when the live index was last
known to be that of its sources: when it was built, synced, or found unchanged by --if-changed.

Exit status: 0 shown; 1 the engine does not respond, or there is none; 2 wrong usage or configuration.

Examples:
  $ npm run -s index -- status
  $ npm run -s index -- status --json | jq .indexes.live.places`;

/** Adds the `status` command. */
export function addCommand(program: Command, start: RunCommand): void {
  program
    .command("status")
    .summary("show the engine, the indexes with their date and size, and the last runs")
    .description("Shows the engine, its indexes and the last runs.")
    .option("--json", "print the status as one JSON object on standard output", false)
    .addHelpText("after", HELP)
    .action((options: StatusCommandOptions) => start((context) => runStatus(options, context)));
}

/** Prints the status. Resolves to the exit code. */
function runStatus({ json }: StatusCommandOptions, context: CommandContext): Promise<number> {
  return runOrPrint(context, json, () =>
    withIndexes(context, async ({ admin, redisUrl }) => {
      const status = await readStatus(admin, redisUrl);
      const text = json ? JSON.stringify(toReport(status)) : formatStatus(status, Date.now());
      context.stdout.write(`${text}\n`);
      return "value" in status.engine ? EXIT.done : EXIT.failed;
    }),
  );
}

/** The status as JSON: `null` for a part that does not exist, `{error}` for one that could not be read. */
function toReport({ engine, indexes, checkedAt, writesWaiting, runs, divided }: Status): object {
  return {
    ...(divided && {
      engines: divided.engines.map(({ name, url, summary, problem }) => ({
        name,
        url,
        ...(summary ? toEngineJson(summary) : { error: toErrorText(problem) }),
      })),
      partitions: toJson(divided.partitions, (partitions) =>
        partitions.map(({ partition, places = null, replicas }) => ({
          partition,
          places,
          replicas: replicas.map(({ engine: name, state }) => ({ engine: name, state })),
        })),
      ),
    }),
    engine: toJson(engine, toEngineJson),
    indexes: {
      live: toJson(indexes.live, toIndexJson),
      next: toJson(indexes.next, toIndexJson),
      previous: toJson(indexes.previous, toIndexJson),
    },
    checked_at: checkedAt ?? null,
    import_under_way: valueOf(indexes.next) !== undefined,
    writes_waiting: writesWaiting ? toJson(writesWaiting, (count) => count) : null,
    runs: runs ? toJson(runs, (value) => value) : null,
  };
}

const toEngineJson = ({ version, databaseBytes, queue }: EngineSummary): object => ({
  version,
  database_bytes: databaseBytes,
  queue,
});

const toJson = <T>(known: Known<T>, convert: (value: T) => unknown): unknown =>
  "value" in known ? convert(known.value) : { error: known.problem };

const toIndexJson = (index: Extract<Status["indexes"]["live"], { value: unknown }>["value"]): unknown =>
  index
    ? {
        places: index.places,
        redirects: index.redirects,
        version: index.version,
        is_readable: index.isReadable,
        built_at: index.builtAt,
        updated_at: index.updatedAt,
        document_bytes: index.documentBytes,
      }
    : null;

const LABEL_WIDTH = 10;

const line = (label: string, text: string): string => `${label.padEnd(LABEL_WIDTH)} ${text}`;

/** The text for each index that does not exist. */
const NONE: Readonly<Record<IndexRole, string>> = {
  live: "none: import places",
  next: "none: no import is under way",
  previous: "none: no index to roll back to",
};

/** The status for a person. `now` is in milliseconds since 1970. */
export function formatStatus(
  { engine, indexes, checkedAt, writesWaiting, runs, divided }: Status,
  now: number,
): string {
  return [
    line(divided ? "engines" : "engine", textOf(engine, formatEngine)),
    ...(divided ? divided.engines.map(formatEngineState) : []),
    ...(["live", "next", "previous"] as const).map((role) =>
      line(
        role,
        "problem" in engine
          ? "not known"
          : textOf(indexes[role], (index) => (index ? formatIndex(role, index, now) : NONE[role])),
      ),
    ),
    ...(checkedAt === undefined
      ? []
      : [line("checked", `${formatTime(checkedAt)}, ${formatAge(now - Date.parse(checkedAt))}`)]),
    ...(divided ? formatPartitions(divided.partitions) : []),
    ...formatWrites(valueOf(writesWaiting) ?? 0),
    ...formatRuns(runs, now),
  ].join("\n");
}

/** Most servers have no write API, and in a moment none waits. */
const formatWrites = (count: number): string[] =>
  count === 0 ? [] : [line("writes", `${formatCount(count)} wait for the worker: is \`write\` running?`)];

const formatEngineState = ({ name, url, summary, problem }: EngineState): string =>
  `  ${name} (${url}): ${summary ? formatEngine(summary) : `not known: ${toErrorText(problem)}`}`;

function formatPartitions(partitions: NonNullable<Status["divided"]>["partitions"]): string[] {
  if ("problem" in partitions) return [line("partitions", `not known: ${partitions.problem}`)];
  const lines = partitions.value.map(({ partition, places, replicas }) => {
    const held = places === undefined ? "not searchable" : formatCount(places, "place");
    return `  ${partition}: ${held}; ${replicas.map(({ engine, state }) => `${engine} ${state}`).join(", ")}`;
  });
  return [line("partitions", "of the live index, with the state of each replica"), ...lines];
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
  const { places, redirects, version, isReadable, builtAt, updatedAt, documentBytes } = index;
  const age = (iso: string): string => `${formatTime(iso)}, ${formatAge(now - Date.parse(iso))}`;
  const parts = [
    formatCount(places, "place"),
    ...(redirects > 0 ? [`${formatCount(redirects)} merged into them`] : []),
    `built ${age(builtAt)}`,
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

/** One or two lines of a terminal. The JSON has the whole message. */
const MAX_ERROR_LENGTH = 160;

function shorten(error: string): string {
  const text = error.replaceAll(/\s+/g, " ");
  return text.length <= MAX_ERROR_LENGTH ? text : `${text.slice(0, MAX_ERROR_LENGTH).toWellFormed()}…`;
}

/** A part of the status, or why it could not be read. */
type Known<T> = { readonly value: T } | { readonly problem: string };

export interface Status {
  readonly engine: Known<EngineSummary>;
  /** `undefined` for an index that does not exist. */
  readonly indexes: Readonly<Record<IndexRole, Known<IndexSummary | undefined>>>;
  /** When the live index was last known to be that of its sources. */
  readonly checkedAt?: string | undefined;
  /** Writes of callers that are not applied yet; `undefined` without a Redis. */
  readonly writesWaiting?: Known<number> | undefined;
  /** `undefined` without a Redis. */
  readonly runs: Known<readonly Run[]> | undefined;
  /** Of an index that is divided among several engines. */
  readonly divided?: {
    readonly engines: readonly EngineState[];
    readonly partitions: Known<readonly PartitionState[]>;
  };
}

/** Fits on one screen. The list has more. */
const RUNS_SHOWN = 10;

/** Reads every part of the status. A part that fails is reported, and the others are still read. */
async function readStatus(admin: IndexAdmin, redisUrl: string | undefined): Promise<Status> {
  const askRedis = <T>(ask: (redis: RedisConnection) => Promise<T>): Promise<Known<T>> | undefined =>
    redisUrl === undefined ? undefined : known(() => withRedis(redisUrl, ask));
  const [engine, live, next, previous, writesWaiting, runs] = await Promise.all([
    known(() => admin.readEngine()),
    known(() => admin.readIndex("live")),
    known(() => admin.readIndex("next")),
    known(() => admin.readIndex("previous")),
    askRedis((redis) => createWriteQueue(redis, DEFAULT_INDEX_PREFIX).count()),
    askRedis((redis) => readRuns(redis, RUNS_SHOWN)),
  ]);
  const builtAt = valueOf(live)?.builtAt;
  return {
    engine,
    indexes: { live, next, previous },
    checkedAt: builtAt === undefined ? undefined : await readChecked(redisUrl, builtAt),
    writesWaiting,
    runs,
    ...(admin.engines.length > 1 && {
      divided: {
        engines: await admin.readEngines(),
        partitions: await known(async () => (await admin.readPartitions("live")) ?? []),
      },
    }),
  };
}

async function known<T>(read: () => Promise<T>): Promise<Known<T>> {
  try {
    return { value: await read() };
  } catch (error) {
    return { problem: toErrorText(error) };
  }
}

/** The value, or `undefined` when it is not known. */
export const valueOf = <T>(known: Known<T> | undefined): T | undefined =>
  known && "value" in known ? known.value : undefined;
