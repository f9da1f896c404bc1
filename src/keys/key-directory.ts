import type { Logger } from "../logger.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { hashSecret, parseApiKey } from "./api-key.ts";
import type { CallerLimits } from "./caller.ts";
import type { Callers, FindConfigured } from "./callers.ts";
import { judgeKey } from "./judge-key.ts";
import type { KeyRecord } from "./key-record.ts";
import { createLastUses } from "./last-uses.ts";
import { createRecordCache } from "./record-cache.ts";

/** Where keys are kept, as far as the server needs it. Its methods reject when it does not answer. */
export interface KeySource {
  read(id: string): Promise<KeyRecord | undefined>;
  writeUses(uses: ReadonlyMap<string, string>): Promise<void>;
}

interface KeyDirectoryOptions {
  /** Keys that work whatever becomes of the store. */
  readonly findConfigured: FindConfigured;
  readonly store: KeySource;
  /** For keys that have none of their own. */
  readonly limits: CallerLimits;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  readonly now: () => Temporal.Instant;
  /** Milliseconds, never jumps. */
  readonly clock?: () => number;
  /** How often last uses are written. */
  readonly flushMs?: number;
  /** How long the store may take to answer; short, since a request waits. */
  readonly readTimeoutMs?: number | undefined;
}

export interface KeyDirectory extends Callers {
  /** Writes the last uses that are not written yet. */
  close(): Promise<void>;
}

/** Knows the keys of the configuration and those of the store; the latter through a short memory. */
export function createKeyDirectory(options: KeyDirectoryOptions): KeyDirectory {
  const { findConfigured, store, limits, now, clock = () => performance.now() } = options;
  const findRecord = createRecordCache({ ...options, read: (id) => store.read(id), clock });
  const uses = createLastUses({ ...options, write: (noted) => store.writeUses(noted) });

  return {
    async findCaller(text, admit) {
      const caller = findConfigured(text);
      if (caller) return { caller };
      const key = parseApiKey(text);
      if (!key) return { refused: "invalid_api_key" };
      const found = await findRecord(key.id, admit);
      if ("failed" in found) return { unchecked: found.failed };
      const secretHash = hashSecret(key.secret);
      const nowMs = now().epochMilliseconds;
      const verdict = judgeKey({ record: found.record, secretHash, nowMs, limits });
      if ("caller" in verdict) uses.note(key.id);
      return verdict;
    },
    close: () => uses.close(),
  };
}
