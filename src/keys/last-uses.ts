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
