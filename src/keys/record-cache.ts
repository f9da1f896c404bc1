import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Logger } from "../logger.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { KeyRecordError, type KeyRecord } from "./key-record.ts";

/*
 * A change of a key holds in every process within five seconds. A record is trusted for TRUSTED_MS counted from before it was
 * asked for, so one that was read before a change is trusted for 4 s after the change at most. The request that comes then waits
 * for Redis. Should that question fail, and the next, one more is asked PAUSE_MS later: 4 + 2 × 0.05 + 0.25 s.
 */

/** A record older than this is read again behind the back of the request. */
const FRESH_MS = 2_000;

/** A record older than this is not used while Redis answers. */
const TRUSTED_MS = 4_000;

/** While Redis is gone, a key that was good goes on for a day after it was last read: longer than an outage that nobody mends. */
const KEPT_MS = 24 * 3_600_000;

/** A request has 60 ms for its key, of which some pass before the timer is heard. */
const READ_TIMEOUT_MS = 50;

/** While Redis is gone one question in this time tries it; all others do not wait. */
const PAUSE_MS = 250;

/** One failure may be a hiccup of this process, for which nobody else should suffer. */
const FAILURES_TO_PAUSE = 2;

/** A record takes about a kilobyte: 10 MB. */
const MAX_KNOWN = 10_000;

/** Ids that nobody has, kept apart so that a flood of them drives no good key out. */
const MAX_UNKNOWN = 10_000;

/** Questions under way at once. Redis answers one in a fraction of a millisecond, so this is more than tens of thousands a second. */
const MAX_UNDER_WAY = 64;

type Answer =
  | { readonly record: KeyRecord | undefined }
  | { readonly failed: "not_admitted" | "busy" | "unavailable" };

export interface RecordCacheOptions {
  readonly read: (id: string) => Promise<KeyRecord | undefined>;
  readonly logger: Pick<Logger, "error" | "info" | "warn">;
  readonly telemetry: Pick<Telemetry, "cacheAsked" | "callEnded">;
  /** Milliseconds, never jumps. */
  readonly clock: () => number;
  readonly readTimeoutMs?: number | undefined;
}

/** The records of keys. Both methods resolve within 60 ms, whatever becomes of the store, and never reject. */
export interface RecordCache {
  /** `isRemembered` says that the store was not asked. `admit` is asked before the store is, about an id that is new here. */
  find(id: string, admit: () => boolean): Promise<Answer & { readonly isRemembered?: boolean }>;
  /** Asks the store. */
  readAgain(id: string): Promise<Answer>;
}

/** Creates a memory for the records of a store. */
export function createRecordCache(options: RecordCacheOptions): RecordCache {
  const { telemetry, clock } = options;
  const known = new LRUCache<string, { record: KeyRecord; askedAt: number }>({ max: MAX_KNOWN });
  const unknown = new LRUCache<string, { askedAt: number }>({ max: MAX_UNKNOWN });

  const remember = (id: string, record: KeyRecord | undefined, askedAt: number): void => {
    // An answer that was long on its way must not replace a later one.
    const before = known.peek(id) ?? unknown.peek(id);
    if (before && before.askedAt > askedAt) return;
    if (record) {
      known.set(id, { record, askedAt });
      unknown.delete(id);
    } else {
      unknown.set(id, { askedAt });
      known.delete(id);
    }
  };
  const ask = createAsking(options, remember);

  return {
    async find(id, admit) {
      const entry = known.get(id);
      const askedAt = (entry ?? unknown.get(id))?.askedAt ?? -Infinity;
      const ageMs = clock() - askedAt;
      telemetry.cacheAsked("key", ageMs < TRUSTED_MS);
      if (entry && ageMs >= FRESH_MS && ageMs < TRUSTED_MS) void ask(id);
      if (ageMs < TRUSTED_MS) return { record: entry?.record, isRemembered: true };
      if (!entry && !admit()) return { failed: "not_admitted" };
      const answer = await ask(id);
      return "failed" in answer && entry && ageMs < KEPT_MS ? { record: entry.record } : answer;
    },
    readAgain: ask,
  };
}

type Remember = (id: string, record: KeyRecord | undefined, askedAt: number) => void;

/** Asks the store: about each id once at a time, about so many ids at a time, and seldom while it does not answer. */
function createAsking(options: RecordCacheOptions, remember: Remember) {
  const { read, logger, telemetry, clock, readTimeoutMs = READ_TIMEOUT_MS } = options;
  const underWay = new Map<string, Promise<Answer>>();
  const outage = createOutage(options);

  const readAndRemember = async (id: string, askedAt: number): Promise<Answer> => {
    const record = await read(id).catch((error: unknown) => {
      if (!(error instanceof KeyRecordError)) throw error;
      // A record that was damaged opens nothing, and is no fault of Redis.
      logger.error({ key_id: id, err: error }, "key_record_unreadable");
      return undefined;
    });
    remember(id, record, askedAt);
    return { record };
  };
  const attempt = async (id: string): Promise<Answer> => {
    const askedAt = clock();
    const tell = (outcome: "ok" | "failed" | "timed_out"): void =>
      telemetry.callEnded({ dependency: "redis", operation: "key", outcome, durationMs: clock() - askedAt });
    try {
      const answer = await withinTimeout(readAndRemember(id, askedAt), readTimeoutMs);
      tell("ok");
      outage.end();
      return answer;
    } catch (error) {
      tell(error instanceof TimeoutError ? "timed_out" : "failed");
      outage.fail(error);
      return { failed: "unavailable" };
    }
  };

  return (id: string): Promise<Answer> => {
    const shared = underWay.get(id);
    if (shared) return shared;
    if (underWay.size >= MAX_UNDER_WAY) return Promise.resolve({ failed: "busy" });
    if (!outage.mayTry()) return Promise.resolve({ failed: "unavailable" });
    const answer = attempt(id).finally(() => underWay.delete(id));
    underWay.set(id, answer);
    return answer;
  };
}

/** Tells when Redis is lost and found, and how seldom it is to be asked in between. */
function createOutage({ logger, clock }: Pick<RecordCacheOptions, "logger" | "clock">) {
  let failures = 0;
  let since = 0;
  let retryAt = 0;
  const isOn = (): boolean => failures >= FAILURES_TO_PAUSE;
  return {
    /** Who may try during an outage does so alone for a while. */
    mayTry(): boolean {
      if (isOn() && clock() < retryAt) return false;
      if (isOn()) retryAt = clock() + PAUSE_MS;
      return true;
    },
    fail(err: unknown): void {
      failures += 1;
      if (failures === 1) since = clock();
      if (failures === FAILURES_TO_PAUSE) logger.warn({ err }, "key_store_unavailable");
      retryAt = clock() + PAUSE_MS;
    },
    end(): void {
      if (isOn()) logger.info({ duration_ms: Math.round(clock() - since) }, "key_store_recovered");
      failures = 0;
    },
  };
}

class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}

async function withinTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  const stop = new AbortController();
  const late = async (): Promise<never> => {
    await sleep(timeoutMs, undefined, { signal: stop.signal });
    // Where this process stood still, the answer lies in the socket and comes with this turn.
    await nextTurn();
    throw new TimeoutError("Redis did not answer in time.");
  };
  try {
    return await Promise.race([promise, late()]);
  } finally {
    stop.abort();
  }
}
