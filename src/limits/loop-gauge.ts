import { monitorEventLoopDelay } from "node:perf_hooks";

/** Measures how late the event loop runs. */
export interface LoopGauge {
  /** The delay in milliseconds, over the last tenth of a second. */
  readonly delayMs: () => number;
  readonly close: () => void;
}

const SAMPLE_MS = 100;

/** The interval of the monitor's timer. Any time beyond it is the delay. */
const RESOLUTION_MS = 10;

export function createLoopGauge(): LoopGauge {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let delayMs = 0;
  histogram.enable();
  const timer = setInterval(() => {
    // Without samples, the loop was blocked all the time or has just begun.
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
