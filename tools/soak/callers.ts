import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { FaultLog, Span } from "./tally.ts";

const OPERATIONS = ["search", "place", "autocomplete"] as const;
type Scope = (typeof OPERATIONS)[number];

/** A caller to create a key for. */
export interface CallerPlan {
  readonly name: string;
  readonly perMinute: number;
  /**
   * `greedy` callers send requests without pause and reach their limit; `steady` ones stay below theirs.
   * `own` are the soak's own, for requests that are not load.
   */
  readonly role: "steady" | "greedy" | "own";
  /** The scopes of the key; all by default. */
  readonly scopes?: readonly Scope[];
}

export interface Caller extends CallerPlan {
  readonly key: string;
}

/** Together they may send 1,000 requests a second, more than two servers on one machine can handle. */
const STEADY_CALLERS = 12;
const STEADY_PER_MINUTE = 5_000;

/** Small enough that an eighth of the load uses them up again and again, even on a slow machine. */
const GREEDY_PER_MINUTE = [20, 60, 120] as const;

/** The server's limit, which applies to the configured keys. */
export const CONFIGURED_PER_MINUTE = 180;

const OWN_CALLERS = 3;
const OWN_PER_MINUTE = 100_000;

const steady = (name: string, scopes?: readonly Scope[]): CallerPlan => ({
  name,
  perMinute: STEADY_PER_MINUTE,
  role: "steady",
  ...(scopes && { scopes }),
});

/** The callers with keys in Redis: most of them. */
export const ISSUED: readonly CallerPlan[] = [
  ...Array.from({ length: STEADY_CALLERS }, (_, number) => steady(`steady-${number}`)),
  steady("searcher", ["search"]),
  steady("reader", ["place", "autocomplete"]),
  ...GREEDY_PER_MINUTE.map((perMinute) => ({
    name: `greedy-${perMinute}`,
    perMinute,
    role: "greedy" as const,
  })),
  ...Array.from({ length: OWN_CALLERS }, (_, number) => ({
    name: `own-${number}`,
    perMinute: OWN_PER_MINUTE,
    role: "own" as const,
  })),
];

/** Callers with configured keys, which all have the server's limit. */
export function makeConfiguredCallers(perMinute: number, count: number): Caller[] {
  return Array.from({ length: count }, (_, number) => ({
    name: `configured-${number}`,
    key: randomBytes(18).toString("base64url"),
    perMinute,
    role: "greedy",
  }));
}

/** Runs the command for keys; resolves to what it printed. */
type RunKeys = (...args: readonly string[]) => Promise<string>;

/** How many programs create keys at once. */
const AT_ONCE = 3;

/** Creates a key in Redis for each caller, as an operator does. */
export async function issueCallers(
  { keys }: { readonly keys: RunKeys },
  plans: readonly CallerPlan[],
): Promise<Caller[]> {
  const callers: Caller[] = [];
  const waiting = [...plans];
  const work = async (): Promise<void> => {
    for (let plan = waiting.shift(); plan; plan = waiting.shift())
      callers.push({ ...plan, key: await issueKey(keys, plan) });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return callers.toSorted(
    (a, b) => plans.findIndex(({ name }) => name === a.name) - plans.findIndex(({ name }) => name === b.name),
  );
}

/** Resolves to a new key. */
export const issueKey = (
  keys: RunKeys,
  { name, perMinute, scopes = OPERATIONS }: Pick<CallerPlan, "name" | "perMinute" | "scopes">,
): Promise<string> =>
  keys("create", "--name", name, "--per-minute", String(perMinute), "--scopes", scopes.join(","));

/** The scopes of operations that share one with another. */
const SCOPE_OF: Readonly<Record<string, Scope>> = { places: "place", nearby: "search", reverse: "search" };

/** True when the key's scopes cover the path. A path that is not an operation needs no scope. */
export function isInScope({ scopes }: Caller, path: string): boolean {
  const [route = ""] = path.split("?", 1);
  const last = route.replace(/^\/api\/maps\//, "");
  const operation = SCOPE_OF[last] ?? OPERATIONS.find((name) => name === last);
  return operation === undefined || scopes === undefined || scopes.includes(operation);
}

const MINUTE_MS = 60_000;

/**
 * Redis counts by the wall clock, the soak by a monotonic one. In a minute they may differ by some
 * milliseconds.
 */
const CLOCKS_PART_MS = 50;

/** Servers truncate and round times differently. A 429 this little too late is not a fault. */
const SLACK_MS = 1_500;

export interface LimitWatch {
  /** Call before a request is sent. `units`: as how many requests it counts. */
  noteAttempt(caller: Caller, units?: number): void;
  /**
   * Records a response that the limits let through. Resolves to what is wrong about it, if anything; only one
   * too many takes a moment.
   */
  noteAccepted(caller: Caller, span: Span, units?: number): Promise<string | undefined>;
  /** True when the caller has sent so many requests that a 429 is right. */
  mayBeRefused(caller: Caller): boolean;
  /** How many more requests the caller may send within the minute. */
  leftTo(caller: Caller): number;
  /** Records that a server's log said that it enforces limits alone. */
  noteHeldLocally(): void;
  /**
   * The most requests let through in any minute, as a share of the limit: with Redis, and while it was gone.
   */
  readonly highest: { withRedis: number; withoutRedis: number };
}

/** How much later than the response the log line about an outage of Redis may come. */
const LOG_COMES_WITHIN_MS = 1_000;

/**
 * How long such a line excuses what follows: a server tries Redis again after a second, and on a busy machine
 * may fail a few times.
 */
const HELD_LOCALLY_MS = 5_000;

interface Seen {
  attempts: number[];
  accepted: Span[];
}

/**
 * Counts requests for each caller over both servers. A request counts for a minute only when it was sent and
 * its response arrived within it. While Redis is gone each server enforces the limit in separate minutes, and
 * 60 seconds may touch two of them. A restarted server has lost its count (docs/errors.md, How exact they
 * are).
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
    heldLocallyAt.some((at) => at >= minute.from - HELD_LOCALLY_MS && at <= minute.to + LOG_COMES_WITHIN_MS);
  const marginOf = (minute: Span): number =>
    2 * servers + faults.during(minute).filter(({ kind }) => kind === "drain").length;
  const attemptsOf = (caller: Caller): number =>
    countAfter(seenOf(caller).attempts, performance.now() - MINUTE_MS - SLACK_MS);

  return {
    highest,
    noteAttempt: (caller, units = 1) =>
      void seenOf(caller).attempts.push(...Array.from({ length: units }, () => performance.now())),
    mayBeRefused: (caller) => attemptsOf(caller) >= caller.perMinute,
    leftTo: (caller) => caller.perMinute - attemptsOf(caller),
    noteHeldLocally() {
      heldLocallyAt.push(performance.now());
      if (heldLocallyAt.length > 1_000) heldLocallyAt.shift();
    },
    async noteAccepted(caller, span, units = 1) {
      const minute = { from: span.to - MINUTE_MS + CLOCKS_PART_MS, to: span.to };
      const known = seenOf(caller);
      known.accepted.push(...Array.from({ length: units }, () => span));
      while (known.accepted[0] && known.accepted[0].from < minute.from) known.accepted.shift();
      const count = known.accepted.length;
      if (count <= caller.perMinute * highest.withRedis) return undefined;
      // Anything before the first of them is not an excuse.
      const counted = { from: known.accepted[0]?.from ?? span.from, to: span.to };
      if (count > caller.perMinute && !isWithoutRedis(counted)) await sleep(LOG_COMES_WITHIN_MS);
      const withoutRedis = isWithoutRedis(counted);
      const name = withoutRedis ? "withoutRedis" : "withRedis";
      highest[name] = Math.max(highest[name], count / caller.perMinute);
      const margin = withoutRedis ? marginOf(counted) : 1;
      if (count <= caller.perMinute * margin) return undefined;
      return `${caller.name}: ${count} requests let through in a minute, the limit is ${caller.perMinute} × ${margin}`;
    },
  };
}

/** How many of the ascending times are later. Drops the others from time to time, many at once. */
function countAfter(times: number[], from: number): number {
  const first = times.findIndex((time) => time >= from);
  const old = first === -1 ? times.length : first;
  const later = times.length - old;
  if (old > 500) times.splice(0, old);
  return later;
}
