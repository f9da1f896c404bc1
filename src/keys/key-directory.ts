import type { Logger } from "../logger.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { hashSecret, parseApiKey, type ApiKey } from "./api-key.ts";
import type { CallerLimits } from "./caller.ts";
import type { Callers, FindConfigured, KeyVerdict } from "./callers.ts";
import { judgeKey } from "./judge-key.ts";
import type { KeyRecord } from "./key-record.ts";
import { createLastUses } from "./last-uses.ts";
import { createRecordCache, type AskStore } from "./record-cache.ts";

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
