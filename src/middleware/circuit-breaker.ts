interface BreakerOptions {
  /** How long the broken thing is left alone before one request tries it again. */
  readonly pauseMs: number;
  readonly onOpen: (error: unknown) => void;
  readonly onClose: (outage: Outage) => void;
  /** A clock that never jumps, in milliseconds. */
  readonly clock?: () => number;
}

interface Outage {
  readonly durationMs: number;
  /** How often the fallback answered meanwhile. */
  readonly fallbacks: number;
}

/** Runs `attempt`; when it fails, or failed a moment ago, runs `fallback` instead. Rejects only when `fallback` does. */
export type Breaker = <T>(attempt: () => Promise<T>, fallback: () => Promise<T>) => Promise<T>;

/**
 * Creates a circuit breaker: something that hangs costs its timeout once in `pauseMs` and not on every request. The first
 * failure opens it, since one second of the fallback is cheap. `onOpen` and `onClose` are called once per outage.
 */
export function createBreaker({
  pauseMs,
  onOpen,
  onClose,
  clock = () => performance.now(),
}: BreakerOptions): Breaker {
  let outage: { openedAt: number; retryAt: number; fallbacks: number } | undefined;

  const close = (): void => {
    if (outage === undefined) return;
    const { openedAt, fallbacks } = outage;
    outage = undefined;
    onClose({ durationMs: clock() - openedAt, fallbacks });
  };

  const open = (error: unknown): void => {
    const now = clock();
    if (outage === undefined) {
      outage = { openedAt: now, retryAt: now + pauseMs, fallbacks: 0 };
      onOpen(error);
    }
    outage.retryAt = now + pauseMs;
    outage.fallbacks += 1;
  };

  return async (attempt, fallback) => {
    if (outage !== undefined && clock() < outage.retryAt) {
      outage.fallbacks += 1;
      return fallback();
    }
    // This request tries; those that come while it waits do not.
    if (outage !== undefined) outage.retryAt = clock() + pauseMs;
    try {
      const result = await attempt();
      close();
      return result;
    } catch (error) {
      open(error);
    }
    return fallback();
  };
}
