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
  /** Optional; without it each process enforces limits alone. */
  readonly shared?: SharedRedis | undefined;
  readonly telemetry: Pick<Telemetry, "limitHeldLocally">;
  readonly now: () => Temporal.Instant;
  /** Milliseconds on a monotonic clock. */
  readonly clock?: () => number;
}

/** Enforces the limits of each caller. Never rejects because of Redis, and never waits long for it. */
export interface Limiter {
  /** Counts a request in the minute and the day of its caller, as one unit or more. */
  readonly take: (caller: Caller, units?: number) => Promise<LimitDecision>;
  /** Counts a request for the usage figures, which have a separate limit. */
  readonly takeUsageRequest: (caller: Caller) => LimitDecision;
  /** The state of the windows, without counting. */
  readonly peek: (caller: Caller) => Promise<Usage>;
}

/**
 * A dashboard may refresh every second. The limit stops floods, because each request for the usage figures
 * reads Redis.
 */
export const USAGE_POLICY = { usage: 60 } as const;

/**
 * Creates the limiter. Each process always counts its own requests, and Redis counts those of all processes.
 * A request passes when both allow it. So an outage of Redis never gives a caller a second full minute.
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
    async take(caller, units = 1) {
      const { minute, day } = localOf(caller);
      // A limit that is used up here is used up everywhere, so Redis need not be asked.
      const local = takeLocally([minute, day], units);
      if (local.refusedBy || !shared) return local;
      const counted = await shared.take(caller, units);
      if (!counted) {
        telemetry.limitHeldLocally();
        return local;
      }
      if (counted.refusedBy) {
        for (const { add } of [minute, day]) add(-units);
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

/** The tighter of a window and the one with the same name among `others`. */
function tighterOf(window: LimitWindow, others: readonly LimitWindow[]): LimitWindow {
  const namesakes = others.filter(({ name }) => name === window.name);
  return pickTighterWindow([window, ...namesakes]) ?? window;
}
