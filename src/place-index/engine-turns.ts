import { overloaded } from "../errors.ts";

interface TurnOptions {
  /** How many run at the same time. */
  readonly atOnce: number;
  /** How many may wait for their turn; one more is turned away. */
  readonly maxWaiting: number;
  /** Who has waited this long is turned away. */
  readonly maxWaitMs: number;
}

/** Runs when it is its turn. Rejects with 503 `overloaded` when the line is too long, and with the signal's reason. */
export type TakeTurn = <T>(run: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Who waits: called when it is its turn. In the order they came. */
type Line = Set<() => void>;

/** First come, first served. Who no longer waits leaves the line at once, so it holds only those who still want something. */
export function createTurns({ atOnce, maxWaiting, maxWaitMs }: TurnOptions): TakeTurn {
  let running = 0;
  const line: Line = new Set();

  return async (run, signal) => {
    if (running < atOnce) running += 1;
    else if (line.size >= maxWaiting) throw overloaded();
    else await waitInLine(line, maxWaitMs, signal);
    try {
      return await run();
    } finally {
      // A turn is handed on, so nobody who comes later can take it.
      const next = line.values().next();
      if (next.done) running -= 1;
      else next.value();
    }
  };
}

function waitInLine(line: Line, maxWaitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      line.delete(begin);
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    };
    const begin = (): void => {
      leave();
      resolve();
    };
    const giveUp = (): void => {
      leave();
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      leave();
      reject(overloaded());
    }, maxWaitMs);
    signal.addEventListener("abort", giveUp, { once: true });
    line.add(begin);
  });
}
