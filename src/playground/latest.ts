/** Runs one task at a time: a newer one aborts the one before, whose answer is dropped even when it comes. */
export interface Latest {
  /** Undefined for a task that was overtaken. Rejects only for the newest. */
  run<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T | undefined>;
  /** Drops what is under way. */
  cancel(): void;
}

export function createLatest(): Latest {
  let current: AbortController | undefined;
  return {
    async run(task) {
      current?.abort();
      const mine = new AbortController();
      current = mine;
      try {
        const value = await task(mine.signal);
        return current === mine ? value : undefined;
      } catch (error) {
        if (current === mine) throw error;
        return undefined;
      }
    },
    cancel() {
      current?.abort();
      current = undefined;
    },
  };
}
