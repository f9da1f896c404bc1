import { hash as digest, timingSafeEqual } from "node:crypto";
import {
  PLACE_SCOPES,
  type Caller,
  type CallerLimits,
  type Scope,
  hashSecret,
  parseApiKey,
  type ApiKey,
  judgeKey,
  type KeyRecord,
  type KeyVerdict,
} from "./key-record.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { createLastUses, createRecordCache, type AskStore } from "./record-cache.ts";

/** Finds out who is calling. */
export interface Callers {
  /**
   * Checks a key within 60 ms, one that is new here within 500 ms, and never rejects. Calls `admit` before it asks a store about a key that this
   * process does not know as valid.
   */
  findCaller(key: string, admit: () => boolean): Promise<KeyVerdict>;
}

/** Finds the caller with a configured key. */
export type FindConfigured = (key: string) => Caller | undefined;

/** 64 bits distinguish callers. The ids are not secret, and no key can be derived from them. */
const CALLER_ID_LENGTH = 16;

const hashKey = (key: string): Buffer => digest("sha256", key, "buffer");

/** Reads the configured keys, which have the same scopes and the given limits. Keeps only their hashes. */
export function createConfiguredKeys(
  keys: readonly string[],
  limits: CallerLimits,
  scopes: readonly Scope[] = PLACE_SCOPES,
): FindConfigured {
  const theirs: ReadonlySet<Scope> = new Set(scopes);
  const known = keys.map((key) => {
    const hash = hashKey(key);
    const callerId = hash.toString("hex").slice(0, CALLER_ID_LENGTH);
    return { hash, caller: { callerId, limits, scopes: theirs } };
  });
  return (key) => {
    const asked = hashKey(key);
    let found: Caller | undefined;
    // Compares all of them, always, so that the duration reveals nothing about the keys.
    for (const { hash, caller } of known) if (timingSafeEqual(hash, asked)) found = caller;
    return found;
  };
}

/** Creates callers from the configured keys alone. */
export function createCallers(
  keys: readonly string[],
  limits: CallerLimits,
  scopes?: readonly Scope[],
): Callers {
  const find = createConfiguredKeys(keys, limits, scopes);
  return {
    async findCaller(key) {
      const caller = find(key);
      return caller ? { caller } : { refused: "invalid_api_key" };
    },
  };
}

/** The part of the key store that the server needs. Its methods reject when the store does not respond. */
interface KeySource {
  read(id: string): Promise<KeyRecord | undefined>;
  writeUses(uses: ReadonlyMap<string, string>): Promise<void>;
}

interface KeyDirectoryOptions {
  /** The keys that work even without the store. */
  readonly findConfigured: FindConfigured;
  readonly store: KeySource;
  /** How to query the store while a request waits. */
  readonly askStore: AskStore;
  /** For keys without limits. */
  readonly limits: CallerLimits;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  readonly now: () => Temporal.Instant;
  /** Milliseconds on a monotonic clock. */
  readonly clock?: () => number;
  /** How often last uses are written. */
  readonly flushMs?: number;
}

export interface KeyDirectory extends Callers {
  /** Writes the pending last uses. */
  close(): Promise<void>;
}

/** Accepts the configured keys and those of the store, which are cached for a few seconds. */
export function createKeyDirectory(options: KeyDirectoryOptions): KeyDirectory {
  const { findConfigured, store, limits, now, clock = () => performance.now() } = options;
  const records = createRecordCache({ ...options, read: (id) => store.read(id), clock });
  const uses = createLastUses({ ...options, write: (noted) => store.writeUses(noted) });

  const check = async ({ id, secret }: ApiKey, admit: () => boolean): Promise<KeyVerdict> => {
    const secretHash = hashSecret(secret);
    const judge = (record: KeyRecord | undefined): KeyVerdict =>
      judgeKey({ record, secretHash, nowMs: now().epochMilliseconds, limits });

    const found = await records.find(id, admit);
    if ("failed" in found) return { unchecked: found.failed };
    const verdict = judge(found.record);
    if ("caller" in verdict || !found.record || !found.isRemembered) return verdict;
    // A new secret or a later expiry may not have arrived here yet. The cache must not refuse a caller who
    // has just got it.
    if (!admit()) return { unchecked: "not_admitted" };
    const again = await records.readAgain(id);
    return "failed" in again ? verdict : judge(again.record);
  };

  return {
    async findCaller(text, admit) {
      const caller = findConfigured(text);
      if (caller) return { caller };
      const key = parseApiKey(text);
      if (!key) return { refused: "invalid_api_key" };
      const verdict = await check(key, admit);
      if ("caller" in verdict) uses.note(key.id);
      return verdict;
    },
    close: () => uses.close(),
  };
}
