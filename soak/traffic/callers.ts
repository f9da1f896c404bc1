import { randomBytes } from "node:crypto";

/** Somebody with a key, and what was seen of him. */
export interface Caller {
  readonly name: string;
  readonly key: string;
  readonly perMinute: number;
  /** `greedy` asks on and on and runs into his limit; `steady` callers stay below theirs. */
  readonly role: "steady" | "greedy";
}

/** Enough for the fastest machine: 60 times this in a second are more than two servers answer. */
const STEADY_CALLERS = 60;
const GREEDY_CALLERS = 3;

/** Low enough that a greedy caller reaches it within seconds, high enough for Redis to have work with it. */
export const REQUESTS_PER_MINUTE = 3_000;

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
  return [...make("steady", STEADY_CALLERS), ...make("greedy", GREEDY_CALLERS)];
}
