import type { RedisConnection } from "../redis/connection.ts";
import { createDayCounter } from "../redis/day-counter.ts";
import type { AskRedis } from "../redis/redis-guard.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { peekSharedDays, takeSharedDay } from "./day-limit.ts";
import { pickTighterWindow, utcDateOf, type LimitVerdict, type LimitWindow } from "./windows.ts";
import { createLocalLimits } from "./local-limits.ts";
import { createSharedMinute } from "./minute-limit.ts";
import type { Caller } from "../http/request-state.ts";

interface LimiterOptions {
  /** Absent: each process limits on its own. */
  readonly shared?: SharedBy | undefined;
  readonly telemetry: Telemetry;
  readonly now: () => Temporal.Instant;
  /** Milliseconds that never jump. */
  readonly clock?: () => number;
}

/** The Redis that all processes count on, and how it is asked while a request waits. */
interface SharedBy {
  readonly redis: RedisConnection;
  readonly askRedis: AskRedis;
}

/** What a caller has used and has left. */
export interface Usage {
  readonly minute: LimitWindow;
  readonly day: LimitWindow;
  /** Requests by UTC date, oldest first; empty while Redis does not answer. */
  readonly days: ReadonlyMap<string, number>;
  /** Whether these are the figures of all processes, or of this one alone. */
  readonly isShared: boolean;
}

/** Holds the limits of each caller. Never rejects because of Redis, and never waits for it for long. */
export interface Limiter {
  /** Counts a request. The verdicts of the windows that were asked: the minute, then the day. */
  readonly take: (caller: Caller) => Promise<readonly LimitVerdict[]>;
  /** How the windows stand, without counting. */
  readonly peek: (caller: Caller) => Promise<Usage>;
}

/**
 * Creates the limiter. Each process holds the limits by itself at all times, and Redis holds them for all processes: a request
 * passes when both let it. So Redis may come and go, and nobody gets a second full minute from that.
 */
export function createLimiter(options: LimiterOptions): Limiter {
  const { telemetry, now, clock = () => performance.now() } = options;
  const here = createLocalLimits({ now, clock });
  const shared = options.shared && createSharedLimits(options.shared, now);

  return {
    async take(caller) {
      const usedUp = here.findUsedUp(caller);
      if (usedUp !== undefined) return [usedUp];
      const verdicts = await shared?.take(caller);
      if (shared && !verdicts) telemetry.limitHeldLocally();
      if (verdicts?.some(({ allowed }) => !allowed)) return verdicts;
      const held = here.take(caller, { isShared: verdicts !== undefined });
      if (shared && verdicts) payOwed(caller);
      return held.map((verdict) => pickStricter([verdict, ...(verdicts ?? [])]));
    },
    async peek(caller) {
      const local = here.peek(caller);
      const seen = await shared?.peek(caller);
      if (seen === undefined) return { ...local, days: new Map(), isShared: shared === undefined };
      return {
        minute: pickTighterWindow([seen.minute, local.minute]) ?? local.minute,
        day: pickTighterWindow([seen.window, local.day]) ?? local.day,
        days: seen.counts,
        isShared: true,
      };
    },
  };

  /** What was let through without Redis is added to the day as soon as it is back. Nobody waits for that. */
  function payOwed(caller: Caller): void {
    const owed = here.takeOwed(caller);
    if (owed > 0) shared?.addToDay(caller, owed).catch(() => here.giveBackOwed(caller, owed));
  }
}

function createSharedLimits({ redis, askRedis }: SharedBy, now: LimiterOptions["now"]) {
  const minute = createSharedMinute(redis);
  const counter = createDayCounter(redis);
  const nowMs = (): number => now().epochMilliseconds;
  return {
    /** `undefined` when Redis does not answer. */
    take: (caller: Caller): Promise<LimitVerdict[] | undefined> =>
      askRedis("take_limits", async () => {
        const first = await minute.take(caller);
        return first.allowed ? [first, await takeSharedDay(counter, caller, nowMs())] : [first];
      }),
    peek: (caller: Caller) =>
      askRedis("peek_limits", async () => {
        const [window, days] = await Promise.all([
          minute.peek(caller),
          peekSharedDays(counter, caller, nowMs()),
        ]);
        return { minute: window, ...days };
      }),
    addToDay: ({ callerId }: Caller, requests: number): Promise<void> =>
      counter.add(callerId, utcDateOf(nowMs()), requests),
  };
}

/** Of the verdicts on the window of the first one: what refuses, else what leaves less. */
function pickStricter([first, ...others]: readonly [LimitVerdict, ...LimitVerdict[]]): LimitVerdict {
  const verdicts = [first, ...others.filter(({ window }) => window.name === first.window.name)];
  const refusal = verdicts.find(({ allowed }) => !allowed);
  if (refusal !== undefined) return refusal;
  const window = pickTighterWindow(verdicts.map((verdict) => verdict.window)) ?? first.window;
  return { allowed: true, window };
}
