import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Logger } from "../telemetry/logger.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { KeyRecordError, type KeyRecord } from "./key-record.ts";

/*
 * A change of a key takes effect in every process within five seconds. A record is trusted for TRUSTED_MS
 * from before it was requested, so one read before a change is trusted for at most 4 s after it. The next
 * request then waits for Redis. If that call and the next one fail, the guard tries once more after its
 * pause: 4 + 2 × 0.05 + 0.25 s.
 */

/** A record older than this is refreshed in the background. */
const FRESH_MS = 2_000;

/** A record older than this is not used while Redis responds. */
const TRUSTED_MS = 4_000;

/**
 * During an outage of Redis a valid key keeps working for a day after it was last read, which is longer than
 * an outage should last.
 */
const KEPT_MS = 24 * 3_600_000;

/** A record takes about a kilobyte, so this is 10 MB. */
const MAX_KNOWN = 10_000;

/** Unknown ids, cached separately so that a flood of them does not evict valid keys. */
const MAX_UNKNOWN = 10_000;

/**
 * How often a request asks for a key that this process has never read: without its record the key is refused, and a machine that is
 * busy for a moment looks like a store that fails. The tries last longer than the guard's pause: 4 × 0.05 + 3 × 0.1 s.
 */
const FIRST_READ_TRIES = 4;
const FIRST_READ_PAUSE_MS = 100;

/**
 * The most concurrent reads. Redis responds in a fraction of a millisecond, so this allows tens of thousands
 * a second.
 */
const MAX_UNDER_WAY = 64;

type Answer =
  | { readonly record: KeyRecord | undefined }
  | { readonly failed: "not_admitted" | "busy" | "unavailable" };

/**
 * Queries the store unless it failed a moment ago. Resolves within 60 ms to `undefined` when the store does
 * not respond or was not queried. Never rejects. During an outage it tries the store again at least every 250
 * ms.
 */
export type AskStore = <T>(operation: string, ask: () => Promise<T>) => Promise<T | undefined>;

export interface RecordCacheOptions {
  readonly askStore: AskStore;
  readonly read: (id: string) => Promise<KeyRecord | undefined>;
  readonly logger: Pick<Logger, "error">;
  readonly telemetry: Pick<Telemetry, "cacheAsked">;
  /** Milliseconds on a monotonic clock. */
  readonly clock: () => number;
}

/**
 * The records of keys. Both methods resolve within 60 ms, those of keys that are new here within 500 ms, whatever the state of the
 * store, and never reject.
 */
export interface RecordCache {
  /**
   * `isRemembered` means that the store was not queried. Calls `admit` before it queries the store about an
   * id that is new here.
   */
  find(id: string, admit: () => boolean): Promise<Answer & { readonly isRemembered?: boolean }>;
  /** Queries the store. */
  readAgain(id: string): Promise<Answer>;
}

/** Creates a cache for the records of a store. */
export function createRecordCache(options: RecordCacheOptions): RecordCache {
  const { telemetry, clock } = options;
  const known = new LRUCache<string, { record: KeyRecord; askedAt: number }>({ max: MAX_KNOWN });
  const unknown = new LRUCache<string, { askedAt: number }>({ max: MAX_UNKNOWN });

  const remember = (id: string, record: KeyRecord | undefined, askedAt: number): void => {
    // A late response must not replace a newer one.
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

  const askPatiently = async (id: string): Promise<Answer> => {
    for (let tries = 1; ; tries += 1) {
      const answer = await ask(id);
      if (!("failed" in answer) || answer.failed === "busy" || tries === FIRST_READ_TRIES) return answer;
      await sleep(FIRST_READ_PAUSE_MS);
    }
  };

  return {
    async find(id, admit) {
      const entry = known.get(id);
      const askedAt = (entry ?? unknown.get(id))?.askedAt ?? -Infinity;
      const ageMs = clock() - askedAt;
      telemetry.cacheAsked("key", ageMs < TRUSTED_MS);
      if (entry && ageMs >= FRESH_MS && ageMs < TRUSTED_MS) void ask(id);
      if (ageMs < TRUSTED_MS) return { record: entry?.record, isRemembered: true };
      if (!entry && !admit()) return { failed: "not_admitted" };
      const answer = await (entry ? ask(id) : askPatiently(id));
      return "failed" in answer && entry && ageMs < KEPT_MS ? { record: entry.record } : answer;
    },
    readAgain: ask,
  };
}

type Remember = (id: string, record: KeyRecord | undefined, askedAt: number) => void;

/** Queries the store: once at a time for each id, with a limit on concurrent queries. */
function createAsking({ askStore, read, logger, clock }: RecordCacheOptions, remember: Remember) {
  const underWay = new Map<string, Promise<Answer>>();

  const readAndRemember = async (id: string, askedAt: number): Promise<Answer> => {
    const record = await read(id).catch((error: unknown) => {
      if (!(error instanceof KeyRecordError)) throw error;
      // A damaged record gives no access, and is not a fault of Redis.
      logger.error({ key_id: id, err: error }, "key_record_unreadable");
      return undefined;
    });
    // Stores the record even when it comes too late for the request.
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

/** Records when each key was last used, outside of requests. */
export interface LastUses {
  note(id: string): void;
  /** Writes the pending uses and stops. Never rejects. */
  close(): Promise<void>;
}

/** A minute is precise enough for the time of last use. */
const FLUSH_MS = 60_000;

/** Only accepted keys are recorded, and at most this many in a minute; others wait for a later use. */
const MAX_NOTED = 50_000;

interface LastUsesOptions {
  /** Stores times (ISO 8601) by key id. */
  readonly write: (uses: ReadonlyMap<string, string>) => Promise<void>;
  readonly now: () => Temporal.Instant;
  readonly flushMs?: number;
}

/**
 * Writes all uses of a minute together: one command per minute and process. Failed writes are retried with
 * the next.
 */
export function createLastUses({ write, now, flushMs = FLUSH_MS }: LastUsesOptions): LastUses {
  let noted = new Map<string, string>();

  const flush = async (): Promise<void> => {
    if (noted.size === 0) return;
    const uses = noted;
    noted = new Map();
    try {
      await write(uses);
    } catch {
      // Other code reports Redis failures. Uses recorded in the meantime are newer.
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
