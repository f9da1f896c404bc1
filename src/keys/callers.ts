import { hash as digest, timingSafeEqual } from "node:crypto";
import {
  SCOPES,
  type Caller,
  type CallerLimits,
  type Scope,
  hashSecret,
  parseApiKey,
  type ApiKey,
  judgeKey,
  type KeyRecord,
} from "./key-record.ts";
import type { Logger } from "../logger.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { createLastUses, createRecordCache, type AskStore } from "./record-cache.ts";

/** Why a key is not accepted, as the problem body has it. */
export type RefusalCode = "invalid_api_key" | "revoked_api_key" | "expired_api_key";

/**
 * What became of a key: whose it is; why it is refused; or that it could not be checked, since the asker was not admitted, too
 * many keys are being checked already, or the store does not answer.
 */
export type KeyVerdict =
  | { readonly caller: Caller }
  | { readonly refused: RefusalCode }
  | { readonly unchecked: "not_admitted" | "busy" | "unavailable" };

/** Those who may call. */
export interface Callers {
  /**
   * Decides over a key within 60 ms and never rejects. `admit` is asked before a store is asked about a key that this process
   * does not know as good.
   */
  findCaller(key: string, admit: () => boolean): Promise<KeyVerdict>;
}

/** Finds the caller with a configured key. */
export type FindConfigured = (key: string) => Caller | undefined;

/** 64 bits tell callers apart; they are no secret and lead back to none. */
const CALLER_ID_LENGTH = 16;

const hashKey = (key: string): Buffer => digest("sha256", key, "buffer");

const ALL_SCOPES: ReadonlySet<Scope> = new Set(SCOPES);

/** Takes the keys of the configuration, which may do everything within the given limits, and keeps their hashes only. */
export function createConfiguredKeys(keys: readonly string[], limits: CallerLimits): FindConfigured {
  const known = keys.map((key) => {
    const hash = hashKey(key);
    const callerId = hash.toString("hex").slice(0, CALLER_ID_LENGTH);
    return { hash, caller: { callerId, limits, scopes: ALL_SCOPES } };
  });
  return (key) => {
    const asked = hashKey(key);
    let found: Caller | undefined;
    // All of them, always: how long it takes says nothing about which key was nearly right.
    for (const { hash, caller } of known) if (timingSafeEqual(hash, asked)) found = caller;
    return found;
  };
}

/** Callers with the keys of the configuration and no others. */
export function createCallers(keys: readonly string[], limits: CallerLimits): Callers {
  const find = createConfiguredKeys(keys, limits);
  return {
    async findCaller(key) {
      const caller = find(key);
      return caller ? { caller } : { refused: "invalid_api_key" };
    },
  };
}

/** Where keys are kept, as far as the server needs it. Its methods reject when it does not answer. */
interface KeySource {
  read(id: string): Promise<KeyRecord | undefined>;
  writeUses(uses: ReadonlyMap<string, string>): Promise<void>;
}

interface KeyDirectoryOptions {
  /** Keys that work whatever becomes of the store. */
  readonly findConfigured: FindConfigured;
  readonly store: KeySource;
  /** How the store is asked while a request waits. */
  readonly askStore: AskStore;
  /** For keys that have none of their own. */
  readonly limits: CallerLimits;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  readonly now: () => Temporal.Instant;
  /** Milliseconds, never jumps. */
  readonly clock?: () => number;
  /** How often last uses are written. */
  readonly flushMs?: number;
}

export interface KeyDirectory extends Callers {
  /** Writes the last uses that are not written yet. */
  close(): Promise<void>;
}

/** Knows the keys of the configuration and those of the store; the latter through a short memory. */
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
    // A new secret, or a later end, may not have come here yet. Who just got it must not be refused from memory.
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
