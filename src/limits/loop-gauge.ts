import { monitorEventLoopDelay } from "node:perf_hooks";

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
