import { LRUCache } from "lru-cache";
import type { Logger } from "../logger.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { KeyRecordError, type KeyRecord } from "./key-record.ts";

/*
 * A change of a key holds in every process within five seconds. A record is trusted for TRUSTED_MS counted from before it was
 * asked for, so one that was read before a change is trusted for 4 s after the change at most. The request that comes then waits
 * for Redis. Should that question fail, and the next, the guard asks one more after its pause: 4 + 2 × 0.05 + 0.25 s.
 */

/** A record older than this is read again behind the back of the request. */
const FRESH_MS = 2_000;

/** A record older than this is not used while Redis answers. */
const TRUSTED_MS = 4_000;

/** While Redis is gone, a key that was good goes on for a day after it was last read: longer than an outage that nobody mends. */
const KEPT_MS = 24 * 3_600_000;

/** A record takes about a kilobyte: 10 MB. */
const MAX_KNOWN = 10_000;

/** Ids that nobody has, kept apart so that a flood of them drives no good key out. */
const MAX_UNKNOWN = 10_000;

/** Questions under way at once. Redis answers one in a fraction of a millisecond, so this is more than tens of thousands a second. */
const MAX_UNDER_WAY = 64;

type Answer =
  | { readonly record: KeyRecord | undefined }
  | { readonly failed: "not_admitted" | "busy" | "unavailable" };

/**
 * Asks the store, unless it failed a moment ago: `undefined` within 60 ms when it gives no answer, or was not asked. It never rejects,
 * and while the store is gone it tries it again every 250 ms at least.
 */
export type AskStore = <T>(operation: string, ask: () => Promise<T>) => Promise<T | undefined>;

export interface RecordCacheOptions {
  readonly askStore: AskStore;
  readonly read: (id: string) => Promise<KeyRecord | undefined>;
  readonly logger: Pick<Logger, "error">;
  readonly telemetry: Pick<Telemetry, "cacheAsked">;
  /** Milliseconds, never jumps. */
  readonly clock: () => number;
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

/** Asks the store: about each id once at a time, and about so many ids at a time. */
function createAsking({ askStore, read, logger, clock }: RecordCacheOptions, remember: Remember) {
  const underWay = new Map<string, Promise<Answer>>();

  const readAndRemember = async (id: string, askedAt: number): Promise<Answer> => {
    const record = await read(id).catch((error: unknown) => {
      if (!(error instanceof KeyRecordError)) throw error;
      // A record that was damaged opens nothing, and is no fault of Redis.
      logger.error({ key_id: id, err: error }, "key_record_unreadable");
      return undefined;
    });
    // Also when it comes too late for who asked.
    remember(id, record, askedAt);
    return { record };
  };
  const attempt = async (id: string): Promise<Answer> => {
    const askedAt = clock();
    return (await askStore("key", () => readAndRemember(id, askedAt))) ?? { failed: "unavailable" };
  };

  return (id: string): Promise<Answer> => {
    const shared = underWay.get(id);
    if (shared) return shared;
    if (underWay.size >= MAX_UNDER_WAY) return Promise.resolve({ failed: "busy" });
    const answer = attempt(id).finally(() => underWay.delete(id));
    underWay.set(id, answer);
    return answer;
  };
}

/** Notes when each key was last used, away from the requests. */
export interface LastUses {
  note(id: string): void;
  /** Writes what is noted, and ends the writing. Never rejects. */
  close(): Promise<void>;
}

/** Nobody asks when a key was last used to the minute. */
const FLUSH_MS = 60_000;

/** Only accepted keys are noted; of more than this in a minute the rest waits for the next. */
const MAX_NOTED = 50_000;

interface LastUsesOptions {
  /** Keeps times (ISO 8601) by key id. */
  readonly write: (uses: ReadonlyMap<string, string>) => Promise<void>;
  readonly now: () => Temporal.Instant;
  readonly flushMs?: number;
}

/** Writes all uses of a minute at once: one command a minute and process. What cannot be written is tried again with the next. */
export function createLastUses({ write, now, flushMs = FLUSH_MS }: LastUsesOptions): LastUses {
  let noted = new Map<string, string>();

  const flush = async (): Promise<void> => {
    if (noted.size === 0) return;
    const uses = noted;
    noted = new Map();
    try {
      await write(uses);
    } catch {
      // Redis tells of itself elsewhere. What was noted meanwhile is later.
      noted = new Map([...uses, ...noted].slice(-MAX_NOTED));
    }
  };
  const timer = setInterval(() => void flush(), flushMs).unref();

  return {
    note(id) {
      if (noted.has(id) || noted.size >= MAX_NOTED) return;
      noted.set(id, now().toString({ smallestUnit: "second" }));
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
