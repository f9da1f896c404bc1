import type { Caller } from "../keys/key-record.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { createLocalWindows, takeLocally } from "./local-limits.ts";
import { createRedisLimits, type SharedRedis } from "./redis-limits.ts";
import {
  endOfUtcDay,
  pickTighterWindow,
  policyOf,
  type LimitDecision,
  type LimitWindow,
  type Usage,
} from "./windows.ts";

interface LimiterOptions {
  /** Optional; without it each process limits by itself. */
  readonly shared?: SharedRedis | undefined;
  readonly telemetry: Pick<Telemetry, "limitHeldLocally">;
  readonly now: () => Temporal.Instant;
  /** Milliseconds that never jump. */
  readonly clock?: () => number;
}

/** Enforces the limits of each caller. Never rejects because of Redis, and never waits for it for long. */
export interface Limiter {
  /** Counts a request in the minute and the day of its caller. */
  readonly take: (caller: Caller) => Promise<LimitDecision>;
  /** Counts a request for the usage figures, which has a limit of its own. */
  readonly takeUsageRequest: (caller: Caller) => LimitDecision;
  /** How the windows stand, without counting. */
  readonly peek: (caller: Caller) => Promise<Usage>;
}

/** A dashboard may refresh every second. A flood is stopped, because each request for the usage figures reads Redis. */
export const USAGE_POLICY = { usage: 60 } as const;

/**
 * Creates the limiter. Each process counts all of its requests by itself at all times, and Redis counts those of all processes: a
 * request passes when both allow it. So Redis may come and go, and nobody gets a second full minute from that.
 */
export function createLimiter(options: LimiterOptions): Limiter {
  const { telemetry, now, clock = () => performance.now() } = options;
  const minutes = createLocalWindows("minute", clock);
  const days = createLocalWindows("day", () => now().epochMilliseconds, endOfUtcDay);
  const usageMinutes = createLocalWindows("usage", clock);
  const shared = options.shared && createRedisLimits(options.shared, now);

  const localOf = (caller: Caller) => {
    const limits = policyOf(caller);
    return { minute: minutes(caller.callerId, limits.minute), day: days(caller.callerId, limits.day) };
  };

  return {
    async take(caller) {
      const { minute, day } = localOf(caller);
      // What is used up here is used up everywhere: Redis need not be asked.
      const local = takeLocally([minute, day]);
      if (local.refusedBy || !shared) return local;
      const counted = await shared.take(caller);
      if (!counted) {
        telemetry.limitHeldLocally();
        return local;
      }
      if (counted.refusedBy) {
        for (const { add } of [minute, day]) add(-1);
        return counted;
      }
      return { windows: counted.windows.map((window) => tighterOf(window, local.windows)) };
    },
    takeUsageRequest: ({ callerId }) => takeLocally([usageMinutes(callerId, USAGE_POLICY.usage)]),
    async peek(caller) {
      const { minute, day } = localOf(caller);
      const windows = [minute.read(), day.read()] as const;
      const usage = await shared?.peek(caller);
      if (!usage) return { minute: windows[0], day: windows[1], days: new Map(), isShared: !shared };
      return {
        minute: tighterOf(usage.minute, windows),
        day: tighterOf(usage.day, windows),
        days: usage.days,
        isShared: true,
      };
    },
  };
}

/** The tighter of a window and its namesake among `others`. */
function tighterOf(window: LimitWindow, others: readonly LimitWindow[]): LimitWindow {
  const namesakes = others.filter(({ name }) => name === window.name);
  return pickTighterWindow([window, ...namesakes]) ?? window;
}
