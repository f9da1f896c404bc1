import { monitorEventLoopDelay } from "node:perf_hooks";

/** How many requests may be in the works at once: as many as end in good time on this machine, at this moment. */
export interface AdaptiveLimit {
  readonly allowed: () => number;
  /** Tells that a request was let in, and how many are in the works with it. */
  readonly begin: (inFlight: number) => void;
  /** Tells how long a request took that had been let in. */
  readonly end: (durationMs: number) => void;
}

/** A search alone takes 5 to 20 ms. Who waits longer than this waits for others, and the engine's deadline is 800 ms. */
const GOAL_MS = 250;

/** What is changed shows in the requests that begin after it: there is no sense in looking again before those have ended. */
const WINDOW_MS = 250;

/**
 * What the engine works on at once (`MAX_SOCKETS`). A burst that comes to a server with nothing else to do should pass; where so many
 * are too many for the machine the limit is half of it within a second.
 */
const FIRST_LIMIT = 64;
const MIN_LIMIT = 8;

/** This process alone ends about 430 searches in a second, so more at once would take longer than `GOAL_MS` on any machine. */
const MAX_LIMIT = 128;

/** Down in steps that are larger than those up, so that it settles instead of swinging. */
const CUT = 0.8;
const RAISE = 1.1;

/** A few slow requests are the fault of what they ask for. */
const SLOW_SHARE = 0.1;

/**
 * Finds the limit by how long requests take. A fixed number would be too low for a machine that is fast, and on one that is slow
 * all requests would end after their deadline, which is work for nothing.
 */
export function createAdaptiveLimit(clock: () => number = () => performance.now()): AdaptiveLimit {
  let limit = FIRST_LIMIT;
  let window = { startedAt: clock(), most: 0, ended: 0, slow: 0 };

  const adjust = (): void => {
    const { most, ended, slow } = window;
    const isSlow = slow > ended * SLOW_SHARE;
    // With few in the works it is not their number that makes them slow.
    if (isSlow && most >= limit / 2) limit = Math.max(MIN_LIMIT, limit * CUT);
    else if (!isSlow && most >= Math.floor(limit)) limit = Math.min(MAX_LIMIT, limit * RAISE + 1);
    window = { startedAt: clock(), most: 0, ended: 0, slow: 0 };
  };

  return {
    allowed: () => Math.floor(limit),
    begin(inFlight) {
      window.most = Math.max(window.most, inFlight);
    },
    end(durationMs) {
      window.ended += 1;
      if (durationMs > GOAL_MS) window.slow += 1;
      if (clock() - window.startedAt >= WINDOW_MS) adjust();
    },
  };
}

/** How late the event loop is with what is due. */
export interface LoopGauge {
  /** Milliseconds, over the last tenth of a second. */
  readonly delayMs: () => number;
  readonly close: () => void;
}

const SAMPLE_MS = 100;

/** The monitor wakes up this often; what is more than that between two times is the delay. */
const RESOLUTION_MS = 10;

export function createLoopGauge(): LoopGauge {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let delayMs = 0;
  histogram.enable();
  const timer = setInterval(() => {
    // Without a single sample the loop stood still all the time, or has just begun.
    delayMs = histogram.count === 0 ? 0 : Math.max(0, histogram.mean / 1e6 - RESOLUTION_MS);
    histogram.reset();
  }, SAMPLE_MS);
  timer.unref();
  return {
    delayMs: () => delayMs,
    close() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
