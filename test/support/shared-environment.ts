import { setTimeout as wait } from "node:timers/promises";
import type { Environment } from "vitest/runtime";

declare global {
  /** What files of tests that share a process keep for each other; it ends with the process. */
  var keptForOthers: AsyncDisposableStack;
}

/** Less than vitest waits before it leaves a process behind. A browser that has not closed by then ends when the process does. */
const DEADLINE_MS = 8_000;

/** The environment of such files (vitest.config.ts). */
export default {
  name: "shared",
  viteEnvironment: "ssr",
  setup() {
    globalThis.keptForOthers = new AsyncDisposableStack();
    return {
      teardown: () =>
        Promise.race([globalThis.keptForOthers.disposeAsync(), wait(DEADLINE_MS, undefined, { ref: false })]),
    };
  },
} satisfies Environment;
