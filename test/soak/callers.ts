import { randomBytes } from "node:crypto";
import type { System } from "./system.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { FaultLog, Span } from "./tally.ts";

const OPERATIONS = ["search", "place", "autocomplete"] as const;
type Scope = (typeof OPERATIONS)[number];

/** Somebody who gets a key. */
export interface CallerPlan {
  readonly name: string;
  readonly perMinute: number;
  /** `greedy` asks on and on and runs into his limit; `steady` callers stay below theirs; `own` is ours, for what is no load. */
  readonly role: "steady" | "greedy" | "own";
  /** What his key is good for; all when absent. */
  readonly scopes?: readonly Scope[];
}

export interface Caller extends CallerPlan {
  readonly key: string;
}

/** All together may ask 1,000 times a second: more than two servers on one machine answer. */
const STEADY_CALLERS = 12;
const STEADY_PER_MINUTE = 5_000;

/** Small enough to be used up again and again by an eighth of the load, also on a slow machine. */
const GREEDY_PER_MINUTE = [20, 60, 120] as const;

/** The limit of the server, which is that of the key in its configuration. */
export const CONFIGURED_PER_MINUTE = 180;

const OWN_CALLERS = 3;
const OWN_PER_MINUTE = 100_000;

const steady = (name: string, scopes?: readonly Scope[]): CallerPlan => ({
  name,
  perMinute: STEADY_PER_MINUTE,
  role: "steady",
  ...(scopes && { scopes }),
});

/** Those whose keys are on Redis: most of them. */
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

/** Callers with keys of the configuration; they all have the limit of the server. */
export function makeConfiguredCallers(perMinute: number, count: number): Caller[] {
  return Array.from({ length: count }, (_, number) => ({
    name: `configured-${number}`,
    key: randomBytes(18).toString("base64url"),
    perMinute,
    role: "greedy",
  }));
}

/** So many programs at once make keys. */
const AT_ONCE = 3;

/** Makes a key on Redis for each, as an operator does. */
export async function issueCallers({ keys }: System, plans: readonly CallerPlan[]): Promise<Caller[]> {
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
  keys: System["keys"],
  { name, perMinute, scopes = OPERATIONS }: Pick<CallerPlan, "name" | "perMinute" | "scopes">,
): Promise<string> =>
  keys("create", "--name", name, "--per-minute", String(perMinute), "--scopes", scopes.join(","));

/** Whether the key is good for the path; a path that is no operation wants no scope. */
export function isInScope({ scopes }: Caller, path: string): boolean {
  const operation = OPERATIONS.find((name) => path.split("?", 1)[0] === `/api/maps/${name}`);
  return operation === undefined || scopes === undefined || scopes.includes(operation);
}

const MINUTE_MS = 60_000;

/** Redis counts by the wall clock, we by one that only goes on; in a minute the two may part by some milliseconds. */
const CLOCKS_PART_MS = 50;

/** Servers cut off and round times differently; nobody is told "too many" this little too late. */
const SLACK_MS = 1_500;

export interface LimitWatch {
  /** Before a request is sent. */
  noteAttempt(caller: Caller): void;
  /** An answer that a limit let through. Resolves to what is wrong about it, if anything; only one too many takes a moment. */
  noteAccepted(caller: Caller, span: Span): Promise<string | undefined>;
  /** Whether the caller has asked so often that a 429 is right. */
  mayBeRefused(caller: Caller): boolean;
  /** How many more the caller may ask within the minute. */
  leftTo(caller: Caller): number;
  /** A server told in its log that it holds limits by itself. */
  noteHeldLocally(): void;
  /** The most that was let through in any minute, as a share of the limit: with Redis there, and while it was gone. */
  readonly highest: { withRedis: number; withoutRedis: number };
}

/** A server tells in its log that Redis does not answer: the line may come after the answer it tells about. */
const LOG_COMES_WITHIN_MS = 1_000;

/** How long such a line excuses what comes after it: a server asks Redis again after a second, and on a busy machine may fail a few times. */
const HELD_LOCALLY_MS = 5_000;

interface Seen {
  attempts: number[];
  accepted: Span[];
}

/**
 * Counts for each caller over both servers. A request counts for a minute only when it was sent and answered within it, so that it
 * surely was let through within it. While Redis is gone each server holds the limit in minutes of its own, of which 60 seconds may
 * touch two; one that was started again has forgotten its count (docs/errors.md, How exact they are).
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
    noteAttempt: (caller) => void seenOf(caller).attempts.push(performance.now()),
    mayBeRefused: (caller) => attemptsOf(caller) >= caller.perMinute,
    leftTo: (caller) => caller.perMinute - attemptsOf(caller),
    noteHeldLocally() {
      heldLocallyAt.push(performance.now());
      if (heldLocallyAt.length > 1_000) heldLocallyAt.shift();
    },
    async noteAccepted(caller, span) {
      const minute = { from: span.to - MINUTE_MS + CLOCKS_PART_MS, to: span.to };
      const known = seenOf(caller);
      known.accepted.push(span);
      while (known.accepted[0] && known.accepted[0].from < minute.from) known.accepted.shift();
      const count = known.accepted.length;
      if (count <= caller.perMinute * highest.withRedis) return undefined;
      // What was before the first of them is no excuse.
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

/** How many of the ascending times are later. The others are forgotten now and then, many at a time. */
function countAfter(times: number[], from: number): number {
  const first = times.findIndex((time) => time >= from);
  const old = first === -1 ? times.length : first;
  const later = times.length - old;
  if (old > 500) times.splice(0, old);
  return later;
}
