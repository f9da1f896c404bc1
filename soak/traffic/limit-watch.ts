import type { FaultLog, Span } from "../faults/fault-log.ts";
import type { Caller } from "./callers.ts";

const MINUTE_MS = 60_000;

/** Servers cut off and round times differently; nobody is told "too many" this little too late. */
const SLACK_MS = 1_500;

export interface LimitWatch {
  /** Before a request is sent. */
  noteAttempt(caller: Caller): void;
  /** An answer that a limit let through. Says what is wrong about it, if anything. */
  noteAccepted(caller: Caller, span: Span): string | undefined;
  /** Whether the caller has asked so often that a 429 is right. */
  mayBeRefused(caller: Caller): boolean;
  /** How many more the caller may ask within the minute. */
  leftTo(caller: Caller): number;
  /** A server told in its log that it holds limits by itself. */
  noteHeldLocally(): void;
  /** The most that was let through in any minute, as a share of the limit: with Redis there, and while it was gone. */
  readonly highest: { withRedis: number; withoutRedis: number };
}

interface Seen {
  attempts: number[];
  accepted: Span[];
}

/**
 * Counts for each caller over both servers. A request counts for a minute only when it was sent and answered within it, so that it
 * surely was let through within it. While Redis is gone each server holds the limit by itself, on top of what Redis had let through.
 */
export function createLimitWatch(faults: FaultLog, servers: number): LimitWatch {
  const seen = new Map<Caller, Seen>();
  const heldLocallyAt: number[] = [];
  const highest = { withRedis: 0, withoutRedis: 0 };
  const seenOf = (caller: Caller): Seen => {
    const known = seen.get(caller) ?? { attempts: [], accepted: [] };
    seen.set(caller, known);
    return known;
  };
  const isWithoutRedis = (minute: Span): boolean =>
    faults.during(minute).some(({ kind }) => kind === "redis") ||
    heldLocallyAt.some((at) => at >= minute.from - SLACK_MS && at <= minute.to);
  const attemptsOf = (caller: Caller): number =>
    countAfter(seenOf(caller).attempts, performance.now() - MINUTE_MS - SLACK_MS);

  return {
    highest,
    noteAttempt: (caller) => void seenOf(caller).attempts.push(performance.now()),
    mayBeRefused: (caller) => attemptsOf(caller) >= caller.perMinute,
    leftTo: (caller) => caller.perMinute - attemptsOf(caller),
    noteHeldLocally() {
      heldLocallyAt.push(performance.now());
      if (heldLocallyAt.length > 1_000) heldLocallyAt.shift();
    },
    noteAccepted(caller, span) {
      const minute = { from: span.to - MINUTE_MS, to: span.to };
      const known = seenOf(caller);
      known.accepted.push(span);
      while (known.accepted[0] && known.accepted[0].from < minute.from) known.accepted.shift();
      const count = known.accepted.length;
      const withoutRedis = count > caller.perMinute * highest.withRedis && isWithoutRedis(minute);
      const name = withoutRedis ? "withoutRedis" : "withRedis";
      highest[name] = Math.max(highest[name], count / caller.perMinute);
      const margin = withoutRedis ? servers + 1 : 1;
      if (count <= caller.perMinute * margin) return undefined;
      return `${caller.name}: ${count} requests let through in a minute, the limit is ${caller.perMinute} × ${margin}`;
    },
  };
}

/** How many of the ascending times are later. The others are forgotten now and then, many at a time. */
function countAfter(times: number[], from: number): number {
  const first = times.findIndex((time) => time >= from);
  const old = first === -1 ? times.length : first;
  const later = times.length - old;
  if (old > 500) times.splice(0, old);
  return later;
}
