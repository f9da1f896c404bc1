import { setTimeout as sleep } from "node:timers/promises";
import type { WaitingWrites } from "../telemetry/telemetry.ts";
import type { RedisConnection } from "./connection.ts";
import { writeKeys } from "./keys.ts";

/** One record of a write, as the caller sent it. */
export type SentRecord = { readonly value: unknown } | { readonly problem: string };

/** What the place must be before it is written: of one of these versions, any, or absent. */
export interface WriteCondition {
  readonly versions?: readonly string[] | "any";
  readonly isAbsent?: true;
}

/** A request to write, as it waits in Redis. */
export interface QueuedWrite {
  readonly id: string;
  readonly callerId: string;
  readonly records: readonly SentRecord[];
  readonly condition?: WriteCondition;
}

/** A field of a record that could not be used. */
export interface RecordProblem {
  readonly field: string;
  readonly message: string;
}

/** What became of one record. `version` is that of the place afterwards. */
export interface RecordOutcome {
  /** The number of the record in its request, from 1. */
  readonly line: number;
  readonly outcome: "created" | "replaced" | "changed" | "deleted" | "unknown" | "conflict" | "rejected";
  readonly data_id?: string;
  readonly version?: string;
  /** Why it was rejected. */
  readonly errors?: readonly RecordProblem[];
  /** What was left out of the place nevertheless. */
  readonly notes?: readonly RecordProblem[];
}

/** The state of a write: it waits until it has outcomes. */
export interface WriteState {
  readonly callerId: string;
  readonly records: number;
  readonly outcomes?: readonly RecordOutcome[];
}

/** A write with what is needed to take it out of the queue. */
export interface PendingWrite extends QueuedWrite {
  readonly streamId: string;
  readonly bytes: number;
  /** How long its state is kept. */
  readonly keptSeconds: number;
}

/** What was decided about writes, by their ids in the stream. */
export type Decisions = Readonly<Record<string, readonly RecordOutcome[]>>;

/** The writes of one index, in the order in which they were accepted. Every method rejects when Redis does not respond. */
export interface WriteQueue {
  /**
   * Puts a write at the end. With `repeatKey`, only once: a repetition gets the id of the first. `fingerprint` tells whether
   * two requests with one key are the same.
   */
  accept(
    write: QueuedWrite,
    repeat?: { readonly key: string; readonly fingerprint: string },
  ): Promise<Accepted>;
  readState(id: string): Promise<WriteState | undefined>;
  /** How many writes wait. */
  count(): Promise<number>;
  /** How many writes wait, and when the oldest of them was accepted, in milliseconds of Unix time. */
  readWaiting(): Promise<WaitingWrites>;
  /** The oldest writes. */
  read(count: number): Promise<readonly PendingWrite[]>;
  /** What was decided before the batch under way was written; empty between two batches. */
  readDecisions(): Promise<Decisions>;
  /** Remembers what was decided, before it is written: a second try must not decide otherwise. */
  decide(decisions: Decisions): Promise<void>;
  /** Takes writes out of the queue, with their outcomes. */
  settle(writes: readonly PendingWrite[], decisions: Decisions): Promise<void>;
  /**
   * Resolves once everything that Redis has received is in its append-only file, so that it survives the end of Redis.
   * @throws when Redis keeps no such file, or cannot write it for a second.
   */
  untilStored(): Promise<void>;
}

type Accepted = { readonly accepted: string } | { readonly refused: "full" | "other request" | "not stored" };

/** All writes that wait, in bytes: an eighth of the memory that Redis has in the example of Compose. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;

/** How long the outcome of a write can be asked for, and with an `Idempotency-Key` how long it is known. */
const KEPT_SECONDS = 3_600;
const REPEAT_KEPT_SECONDS = 86_400;

/** A write waits for as long as nobody applies it. */
const WAITING_SECONDS = 30 * 86_400;

/** KEYS: stream, bytes, state, and perhaps the repeat key. ARGV: write, bytes, most bytes, state, seconds, repeat, seconds. */
const ACCEPT = `
if KEYS[4] then
  local before = redis.call("GET", KEYS[4])
  if before then return before end
end
local waiting = tonumber(redis.call("GET", KEYS[2]) or "0")
if waiting + tonumber(ARGV[2]) > tonumber(ARGV[3]) then return "full" end
redis.call("XADD", KEYS[1], "*", "write", ARGV[1])
redis.call("INCRBY", KEYS[2], ARGV[2])
redis.call("SET", KEYS[3], ARGV[4], "EX", ARGV[5])
if KEYS[4] then redis.call("SET", KEYS[4], ARGV[6], "EX", ARGV[7]) end
return ARGV[6]`;

/**
 * Leaves alone what another process has settled. KEYS: stream, bytes, decisions, states. ARGV: for each state the id in the
 * stream, bytes, seconds, state.
 */
const SETTLE = `
for i = 4, #KEYS do
  local at = (i - 4) * 4
  if redis.call("XDEL", KEYS[1], ARGV[at + 1]) == 1 then
    redis.call("DECRBY", KEYS[2], ARGV[at + 2])
    redis.call("SET", KEYS[i], ARGV[at + 4], "EX", ARGV[at + 3])
  end
end
redis.call("DEL", KEYS[3])
if redis.call("XLEN", KEYS[1]) == 0 then redis.call("DEL", KEYS[2]) end
return 1`;

/** A disk that is busy for longer makes writes wait, or refuses them. */
const STORED_TRIES = 100;
const STORED_POLL_MS = 10;

/** Opens the queue of one index, by the prefix of its name. */
export function createWriteQueue(redis: RedisConnection, indexPrefix: string): WriteQueue {
  const keys = writeKeys(indexPrefix);
  return {
    async accept(write, repeat) {
      if (!(await keepsFile(redis, keys.stream))) return { refused: "not stored" };
      const keptSeconds = repeat ? REPEAT_KEPT_SECONDS : KEPT_SECONDS;
      const text = JSON.stringify({ ...write, keptSeconds });
      const state: WriteState = { callerId: write.callerId, records: write.records.length };
      const names = [keys.stream, keys.bytes, keys.stateOf(write.id)];
      if (repeat) names.push(keys.repeatOf(write.callerId, repeat.key));
      const token = JSON.stringify([write.id, repeat?.fingerprint ?? ""]);
      const bytes = Buffer.byteLength(text);
      const values = [text, bytes, MAX_WAITING_BYTES, JSON.stringify(state), WAITING_SECONDS, token];
      const reply = await redis.eval(ACCEPT, names.length, ...names, ...values, REPEAT_KEPT_SECONDS);
      if (reply === "full") return { refused: "full" };
      const [id, fingerprint] = JSON.parse(String(reply)) as [string, string];
      return fingerprint === (repeat?.fingerprint ?? "") ? { accepted: id } : { refused: "other request" };
    },
    async readState(id) {
      const text = await redis.get(keys.stateOf(id));
      return text === null ? undefined : (JSON.parse(text) as WriteState);
    },
    count: () => redis.xlen(keys.stream),
    readWaiting: () => readWaiting(redis, keys.stream),
    async read(count) {
      const entries = await redis.xrange(keys.stream, "-", "+", "COUNT", count);
      return entries.map(([streamId, [, text = ""]]) => ({
        ...(JSON.parse(text) as QueuedWrite & Pick<PendingWrite, "keptSeconds">),
        streamId,
        bytes: Buffer.byteLength(text),
      }));
    },
    async readDecisions() {
      return JSON.parse((await redis.get(keys.decisions)) ?? "{}") as Decisions;
    },
    async decide(decisions) {
      await redis.set(keys.decisions, JSON.stringify(decisions));
    },
    async settle(writes, decisions) {
      const names = [keys.stream, keys.bytes, keys.decisions, ...writes.map(({ id }) => keys.stateOf(id))];
      const values = writes.flatMap(({ streamId, bytes, keptSeconds, callerId, records }) => {
        const state: WriteState = { callerId, records: records.length, outcomes: decisions[streamId] ?? [] };
        return [streamId, bytes, keptSeconds, JSON.stringify(state)];
      });
      await redis.eval(SETTLE, names.length, ...names, ...values);
    },
    untilStored: () => waitUntilStored(redis, keys.stream),
  };
}

async function readWaiting(redis: RedisConnection, stream: string): Promise<WaitingWrites> {
  const count = await redis.xlen(stream);
  const [oldest] = count === 0 ? [] : await redis.xrange(stream, "-", "+", "COUNT", 1);
  // The id of an entry begins with the moment at which Redis got it.
  return { count, ...(oldest && { oldestAtMs: Number.parseInt(oldest[0], 10) }) };
}

async function waitUntilStored(redis: RedisConnection, stream: string): Promise<void> {
  for (let tries = 0; tries < STORED_TRIES; tries += 1) {
    const { aof_enabled: isOn, aof_buffer_length: unwritten } = await readPersistence(redis, stream);
    if (isOn === "0") throw new Error("Redis keeps no append-only file.");
    if (unwritten === undefined || unwritten === "0") return;
    await sleep(STORED_POLL_MS);
  }
  throw new Error("Redis cannot write its append-only file.");
}

const keepsFile = async (redis: RedisConnection, stream: string): Promise<boolean> =>
  (await readPersistence(redis, stream))["aof_enabled"] === "1";

/** Of the node that has the queue, where Redis is a cluster: a script runs where its key is. */
const READ_PERSISTENCE = `return redis.call("INFO", "persistence")`;

async function readPersistence(
  redis: RedisConnection,
  stream: string,
): Promise<Readonly<Record<string, string>>> {
  const lines = String(await redis.eval(READ_PERSISTENCE, 1, stream)).split("\r\n");
  return Object.fromEntries(
    lines.map((line): [string, string] => {
      const [name = "", value = ""] = line.split(":", 2);
      return [name, value];
    }),
  );
}
