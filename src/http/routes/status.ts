import packageJson from "../../../package.json" with { type: "json" };
import type { StatusAnswer } from "../../answers/status.ts";
import { stateOf } from "../../keys/key-record.ts";
import { INDEX_VERSION } from "../../meilisearch/index-form.ts";
import {
  countBehind,
  lostIn,
  type DivisionState,
  type IndexState,
  type PlaceIndex,
} from "../../meilisearch/place-index.ts";
import { coverageOf } from "../../place/document/coverage.ts";
import { MAX_AGE_DAYS } from "../../place/time/freshness.ts";
import { isRedisUp, type RedisConnection } from "../../redis/connection.ts";
import { createKeyStore } from "../../redis/key-store.ts";
import { dayCountsKey } from "../../redis/keys.ts";
import { KEPT_DAYS, lastDates, readFrequentQueries } from "../../redis/query-log.ts";
import { readCheckedAt, readRuns } from "../../redis/run-history.ts";
import type { HttpMiddleware } from "../request-state.ts";
import { sendJson } from "../send.ts";
import { MS_PER_DAY } from "../../place/time/time-units.ts";

type Status = StatusAnswer["status"];

export interface StatusRouteOptions {
  readonly index: PlaceIndex;
  readonly redis: RedisConnection | undefined;
  readonly now: () => Temporal.Instant;
  readonly processes: number;
  readonly configuredKeys: number;
  readonly logsQueries: boolean;
}

/** About a percent of error, and half a second of reading. */
const SAMPLED_PLACES = 500;

/** The index changes every few hours. */
const SAMPLE_KEPT_MS = 300_000;

const RUNS_SHOWN = 10;
const QUERIES_SHOWN = 15;

/** The list is for a look; `keys list` has all. */
const KEYS_SHOWN = 50;

const DAYS_OF_USE = 7;

/** `GET /api/status`: the state of the whole service, for its operator. Reads only what is stored, each part by itself. */
export function statusRoute(options: StatusRouteOptions): HttpMiddleware {
  const { index, redis, now, processes, configuredKeys, logsQueries } = options;
  const startedAt = now().toString();
  const readSample = createSampleReader(index, now);
  return async (ctx) => {
    const at = now();
    const [state, isUp] = await Promise.all([index.readState(), redis ? isRedisUp(redis) : undefined]);
    const division = state.state === "ready" ? state.division : undefined;
    const stored = redis && isUp ? redis : undefined;
    const [checkedAt, sample, runs, keys, queries, memory] = await Promise.all([
      state.state === "ready" ? readCheckedAt(stored, state.builtAt) : null,
      state.state === "ready" ? orNull(readSample()) : null,
      stored ? orNull(readRunHistory(stored)) : null,
      stored ? orNull(readKeys(stored, at, configuredKeys)) : null,
      stored && logsQueries ? orNull(readQueries(stored, at)) : null,
      stored ? orNull(readMemory(stored)) : null,
    ]);
    const redisState = redis === undefined ? "none" : isUp ? "up" : "down";
    sendJson<StatusAnswer>(ctx, {
      status: {
        at: at.toString(),
        server: { version: packageJson.version, processes, started_at: startedAt },
        index: {
          state: state.state,
          form: INDEX_VERSION,
          places: state.state === "ready" ? state.places : null,
          built_at: state.state === "ready" ? state.builtAt : null,
          checked_at: checkedAt,
          document_bytes: sample?.bytes ?? null,
          ...(division && toDivision(division)),
        },
        redis: { state: redisState, memory_bytes: memory },
        checks: [
          checkIndex(state),
          ...checkDivision(division),
          ...(checkedAt === null ? [] : [checkAge(checkedAt, at)]),
          checkRedis(redisState),
          ...checkRuns(runs),
        ],
        coverage: sample?.coverage ?? null,
        runs,
        keys,
        queries,
      },
    });
  };
}

const orNull = <T>(reading: Promise<T>): Promise<T | null> => reading.catch(() => null);

interface Sample {
  readonly bytes: number;
  readonly coverage: NonNullable<Status["coverage"]>;
}

/** Looks at the places once in five minutes, however often somebody asks. */
function createSampleReader(index: PlaceIndex, now: () => Temporal.Instant): () => Promise<Sample> {
  let known: Promise<Sample> | undefined;
  let readAtMs = 0;
  const read = async (): Promise<Sample> => {
    const { documentBytes, places } = await index.readSample(SAMPLED_PLACES);
    const { places: sampled, counts } = coverageOf(places);
    const fields = Object.entries(counts).map(([field, having]) => ({ field, places: having }));
    return { bytes: documentBytes, coverage: { sampled, fields } };
  };
  return () => {
    const nowMs = now().epochMilliseconds;
    if (known === undefined || nowMs - readAtMs >= SAMPLE_KEPT_MS) {
      readAtMs = nowMs;
      known = read();
      // What failed is read anew.
      known.catch(() => (known = undefined));
    }
    return known;
  };
}

type Check = Status["checks"][number];

const INDEX_STATES: Readonly<Record<Exclude<IndexState["state"], "ready">, string>> = {
  missing: "There is no index. Import places.",
  wrong_version: "The index has another form than this server reads. Import again.",
  damaged: "The data of the engine is damaged. The log says more.",
  unreachable: "The engine does not respond.",
};

function checkIndex(state: IndexState): Check {
  if (state.state !== "ready") return { name: "index", state: "problem", text: INDEX_STATES[state.state] };
  const text = state.places === 0 ? "The index has no places." : "The index is live and can be searched.";
  return { name: "index", state: state.places === 0 ? "warning" : "ok", text };
}

const toDivision = ({
  engines,
  partitions,
}: DivisionState): Pick<Status["index"], "engines" | "partitions"> => ({
  engines: engines.map(({ name, isUp }) => ({ name, state: isUp ? "up" : "down" })),
  partitions: partitions.map(({ number, replicas }) => ({ number, replicas: [...replicas] })),
});

/** Several engines: what is lost, then what is in danger. */
function checkDivision(division: DivisionState | undefined): Check[] {
  if (division === undefined) return [];
  const name = "engines";
  const lost = lostIn(division);
  const down = division.engines.filter(({ isUp }) => !isUp).map((engine) => engine.name);
  const behind = countBehind(division);
  if (lost.length > 0) {
    const text = `No engine can read the partitions ${lost.join(", ")}: callers around them get errors.`;
    return [{ name, state: "problem", text }];
  }
  if (down.length > 0) {
    const text = `These engines do not respond: ${down.join(", ")}. Others read their partitions.`;
    return [{ name, state: "warning", text }];
  }
  if (behind > 0) {
    const text = `Replicas that lack changes: ${behind}. They are not read before they have caught up.`;
    return [{ name, state: "warning", text }];
  }
  return [{ name, state: "ok", text: "All engines respond and have all changes." }];
}

/** Data that was found unchanged in its sources is not old. */
function checkAge(checkedAt: string, at: Temporal.Instant): Check {
  const days = Math.floor((at.epochMilliseconds - Date.parse(checkedAt)) / MS_PER_DAY);
  const age = days < 1 ? "less than a day" : days === 1 ? "a day" : `${days} days`;
  const text = `The data was imported or compared with its sources ${age} ago.`;
  if (days <= MAX_AGE_DAYS) return { name: "age", state: "ok", text };
  return { name: "age", state: "warning", text: `${text} Import newer data.` };
}

const REDIS_CHECKS: Readonly<Record<Status["redis"]["state"], Omit<Check, "name">>> = {
  up: { state: "ok", text: "Redis responds; it counts requests for all processes." },
  down: { state: "problem", text: "Redis does not respond. Each process counts requests on its own." },
  none: { state: "warning", text: "There is no Redis. Each process counts requests on its own." },
};

const checkRedis = (state: Status["redis"]["state"]): Check => ({ name: "redis", ...REDIS_CHECKS[state] });

function checkRuns(runs: Status["runs"]): Check[] {
  const last = runs?.[0];
  if (last === undefined) return [];
  const { command, outcome } = last;
  if (outcome === "done") return [{ name: "runs", state: "ok", text: `The last ${command} succeeded.` }];
  const how = outcome === "failed" ? "failed" : "was interrupted";
  return [{ name: "runs", state: "warning", text: `The last ${command} ${how}. The list of runs says why.` }];
}

const readRunHistory = async (redis: RedisConnection): Promise<NonNullable<Status["runs"]>> =>
  (await readRuns(redis, RUNS_SHOWN)).map(({ duration_seconds, error = null, ...run }) => ({
    ...run,
    error,
    duration_s: duration_seconds,
  }));

async function readQueries(
  redis: RedisConnection,
  at: Temporal.Instant,
): Promise<NonNullable<Status["queries"]>> {
  const options = { dates: lastDates(at, KEPT_DAYS), limit: QUERIES_SHOWN };
  const [frequent, empty] = await Promise.all([
    readFrequentQueries(redis, { ...options, emptyOnly: false }),
    readFrequentQueries(redis, { ...options, emptyOnly: true }),
  ]);
  return { days: KEPT_DAYS, frequent, empty };
}

/** Some hosts do not allow this command. */
async function readMemory(redis: RedisConnection): Promise<number | null> {
  const [, bytes] = /^used_memory:(\d+)/m.exec(await redis.info("memory")) ?? [];
  return bytes === undefined ? null : Number(bytes);
}

async function readKeys(
  redis: RedisConnection,
  at: Temporal.Instant,
  configured: number,
): Promise<NonNullable<Status["keys"]>> {
  const store = createKeyStore(redis);
  const records = await store.list();
  const uses = await store.readUses(records.map(({ id }) => id));
  const lastUse = ({ id }: { readonly id: string }): string => uses.get(id) ?? "";
  const shown = records
    .toSorted((one, other) => lastUse(other).localeCompare(lastUse(one)))
    .slice(0, KEYS_SHOWN);
  const dates = lastDates(at, DAYS_OF_USE).toReversed();
  const list = shown.map(async (record) => {
    const { id, name, scopes } = record;
    const counts = await redis.hmget(dayCountsKey(id), ...dates);
    const days = dates.map((date, day) => ({ date, requests: Number(counts[day] ?? 0) }));
    return {
      id,
      name,
      scopes,
      state: stateOf(record, at.epochMilliseconds),
      last_used_at: uses.get(id) ?? null,
      days,
    };
  });
  return { configured, stored: records.length, list: await Promise.all(list) };
}
