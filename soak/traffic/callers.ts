import { randomBytes } from "node:crypto";

/** Somebody with a key, and what was seen of him. */
export interface Caller {
  readonly name: string;
  readonly key: string;
  readonly perMinute: number;
  /** `greedy` asks on and on and runs into his limit; `steady` callers stay below theirs; `own` is ours, for what is no load. */
  readonly role: "steady" | "greedy" | "own";
}

/** All together may ask 2,500 times a second: more than two servers on one machine answer. */
const STEADY_CALLERS = 100;

/** A quarter of the load is theirs, so they reach their limit within half a minute on a slow machine too. */
const GREEDY_CALLERS = 2;

const OWN_CALLERS = 3;

/** Low enough to be reached, high enough for Redis to have work with it. */
const REQUESTS_PER_MINUTE = 1_500;

const newKey = (): string => randomBytes(18).toString("base64url");

/** Callers with keys of their own, all with the same limit: that is what keys of the configuration have. */
export function makeCallers(perMinute = REQUESTS_PER_MINUTE): Caller[] {
  const make = (role: Caller["role"], count: number): Caller[] =>
    Array.from({ length: count }, (_, number) => ({
      name: `${role}-${number}`,
      key: newKey(),
      perMinute,
      role,
    }));
  return [...make("steady", STEADY_CALLERS), ...make("greedy", GREEDY_CALLERS), ...make("own", OWN_CALLERS)];
}
