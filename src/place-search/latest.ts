/** Runs one task at a time: a newer task aborts the previous one, whose result is dropped. */
export interface Latest {
  /** Resolves to undefined for a replaced task. Rejects only for the newest. */
  run<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T | undefined>;
  /** Aborts the current task. */
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
